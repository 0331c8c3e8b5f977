//! `skills call`: code, prompts and pipelines run as functions, inputs are checked, steps are reported, and signals
//! end everything.
#![cfg(all(unix, feature = "model"))]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::process::Stdio;

use serde_json::{Value, json};

use crate::child::{feed, kill, reads, until_gone};
use crate::command::{Place, Run};
use crate::provider::Provider;

const ECHO: &str = "#!/bin/sh\nprintf '{\"heard\": %s}\\n' \"$(cat)\"\n";

/// Returns a `skill.json` with the additional keys of `more`.
fn manifest(name: &str, mode: &str, more: &Value) -> String {
    let mut manifest = json!({
        "name": name, "description": format!("Does {name}."), "category": "c", "mode": mode,
        "input": {"type": "object"}, "output": {"type": "object"},
    });
    manifest.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    manifest.to_string()
}

/// A skill of each mode, and code that nothing serves.
fn place() -> Place {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let tone = json!({"type": "object", "required": ["topic"], "properties": {
        "topic": {"type": "string"}, "tone": {"type": "string", "default": "calm"}
    }});
    let steps = json!([
        {"step": "first", "skill": "echo", "input": {"n": "{{ input.n }}"}},
        {"step": "never", "skill": "echo", "input": {}, "condition": "input.more"},
        {"step": "each", "skill": "echo", "foreach": "{{ input.list }}", "input": {"i": "{{ item }}"}},
    ]);
    let mapping = json!({"first": "{{ steps.first.heard.n }}", "each": "{{ steps.each.results }}"});
    let exec = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\nexec: run\n---\n");
    let numbers = json!({"type": "object", "required": ["n"], "properties": {
        "n": {"type": "number"}, "more": {"type": "boolean"}, "list": {"type": "array"}
    }});
    Place::new(&[
        ("s/echo/skill.json", &manifest("echo", "code", &json!({"tags": ["t"]}))),
        ("s/echo/SKILL.md", "---\nexec: run\n---\n"),
        ("s/echo/bin/run", ECHO),
        ("s/bare/skill.json", &manifest("bare", "code", &json!({}))),
        ("s/tell/skill.json", &manifest("tell", "llm", &json!({"input": tone, "output": text, "retry": 1}))),
        ("s/tell/prompt.md", "Tell of {{ input.topic }}, {{ input.tone }}.\n"),
        (
            "s/chain/skill.json",
            &manifest(
                "chain",
                "composite",
                &json!({
                    "input": numbers, "calls": ["echo"], "pipeline": steps, "outputMapping": mapping
                }),
            ),
        ),
        ("s/prose/SKILL.md", "---\nname: prose\ndescription: Says how.\n---\n"),
        ("s/slow/skill.json", &manifest("slow", "code", &json!({"timeout": 600_000}))),
        ("s/slow/SKILL.md", "---\nexec: run\n---\n"),
        ("s/slow/bin/run", "#!/bin/sh\necho $$ > pid.part\nmv pid.part pid\nsleep 600\n"),
        ("s/plain/SKILL.md", &exec("plain")),
        ("s/plain/bin/run", "#!/bin/sh\n"),
    ])
}

// SPEC 11.1, 6.2: input from the argument or from standard input, output on standard output
#[test]
fn code_is_called_by_its_program() {
    let place = place();
    let run = place.run(&["call", "echo", "--dir", "s", "--input", r#"{"big": 12345678901234567890.10}"#]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(run.out, "{\"heard\": {\"big\":12345678901234567890.10}}\n", "numbers keep their digits");
    assert_eq!(
        place.run(&["call", "echo", "--dir", "s"]).out,
        "{\"heard\": {}}\n",
        "no input is an empty one"
    );
    let piped = feed(&mut place.command(&["call", "echo", "--dir", "s", "--input", "-"]), r#"{"a": "ü"}"#);
    assert_eq!((piped.code, piped.out.as_str()), (0, "{\"heard\": {\"a\":\"ü\"}}\n"));
    let wrong = feed(&mut place.command(&["call", "echo", "--dir", "s", "--input", "-"]), "");
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    let lines =
        "error: Skill \"echo\" input validation failed\n(root): json: expected a JSON value, found 1:1: ";
    assert!(wrong.err.starts_with(lines), "{}", wrong.err);
    place.write("my input.json", "{}");
    for (input, is_file) in [("my input.json", true), ("other.json", false)] {
        let run = place.run(&["call", "echo", "--dir", "s", "--input", input]);
        let next = "\nto pass the text of the file, use `--input - < 'my input.json'`\n";
        assert_eq!((run.code, run.err.ends_with(next)), (1, is_file), "{input}: {}", run.err);
    }
}

// SPEC 1.5: a command takes `-` for `_` and the other way round; another name is not guessed
#[test]
fn a_name_may_have_the_other_dash() {
    let manifest = manifest("price_list", "code", &json!({}));
    let place = Place::new(&[
        ("s/price_list/skill.json", &manifest),
        ("s/price_list/SKILL.md", "---\nexec: run\n---\n"),
        ("s/price_list/bin/run", ECHO),
    ]);
    for command in ["call", "exec"] {
        let run = place.run(&[command, "price-list", "--dir", "s", "--input", r#"{"a": 1}"#]);
        assert_eq!((run.code, run.out.contains("heard"), run.err.as_str()), (0, true, ""), "{command}");
    }
    let run = place.run(&["show", "price-list", "--dir", "s"]);
    assert!(run.code == 0 && run.out.contains("price_list") && run.err.is_empty(), "{run:?}");
    let run = place.run(&["call", "price-lists", "--dir", "s"]);
    assert!(run.code == 1 && run.err.ends_with("did you mean `price_list`?\n"), "{run:?}");
}

// SPEC 11.1, 5.4, 5.7, 7.6: steps are reported when they start, finish or are skipped; without a terminal there is
// no progress bar
#[test]
fn steps_are_reported_on_standard_error() {
    let place = place();
    let run = place.run(&["call", "chain", "--dir", "s", "--input", r#"{"n": 1.0, "list": [1, 2]}"#]);
    assert_eq!(run.code, 0, "{}", run.err);
    let output: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(output, json!({"first": 1.0, "each": [{"heard": {"i": 1}}, {"heard": {"i": 2}}]}));
    // The lines of steps that have ended begin with their place, and end with their time.
    let ended = run.err.lines().filter(|line| !line.ends_with("started"));
    let places: Vec<&str> = ended.map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["1/3", "2/3", "3/3"], "{}", run.err);
    let mut lines: Vec<&str> = run.err.lines().map(|line| line.split(" in ").next().unwrap()).collect();
    lines.iter_mut().for_each(|line| *line = line.trim_start_matches(|c: char| !c.is_alphabetic()));
    lines.sort_unstable();
    let wanted = ["each: done", "each: started", "first: done", "first: started", "never: skipped"]
        .map(|line| format!("chain/{line}"));
    assert_eq!(lines, wanted);
    assert_eq!(run.err.matches(": done in ").count(), 2, "{}", run.err);
    let at = |line: &str| run.err.find(line).unwrap();
    assert!(at("first: started") < at("first: done"));
}

// SPEC 7.5, 7.6, 12.4: a model by its name and address; invalid answers are sent back to it
#[test]
fn prompts_are_answered_by_a_model() {
    let place = place();
    let provider = Provider::start(&[r#"{"txt": 1}"#, r#"Here: {"text": "roses"}"#]);
    let input = r#"{"topic": "gardens"}"#;
    let arguments =
        ["call", "tell", "--dir", "s", "--input", input, "--model", "any", "--base-url", &provider.url];
    let run = Run::of(place.command(&arguments).env("SKILLS_API_KEY", "sk-1").env("OPENAI_API_KEY", "sk-2"));
    assert_eq!((run.code, run.out.as_str()), (0, "{\"text\": \"roses\"}\n"), "{}", run.err);
    assert!(run.err.starts_with("tell: answer 1 of "), "{}", run.err);
    assert!(run.err.contains("\n  (root): required: "), "{}", run.err);
    let asked = provider.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[0].0.contains("authorization: bearer sk-1"), "{}", asked[0].0);
    assert_eq!(asked[0].1["model"], "any");
    let messages = asked[0].1["messages"].to_string();
    assert!(messages.contains("Tell of gardens, calm."), "the default is in the prompt: {messages}");
    assert!(!messages.contains("sk-"), "{messages}");
}

// SPEC 6.2, 6.4, 8.3, 11.1: every failure goes to standard error, with exit code 1
#[test]
fn failures() {
    let place = place();
    for (arguments, problem) in [
        (&["bare"][..], "error: Skill \"bare\" (code) has no host function and no exec\n"),
        (
            &["tell", "--input", r#"{"topic": "x"}"#],
            "error: Skill \"tell\" (llm) has no model; name one with `--model`\n",
        ),
        (
            &["tell", "--input", r#"{"topic": 1, "tone": 2}"#],
            "error: Skill \"tell\" input validation failed\n/topic: type: expected a string, found 1\n/tone: type: expected a \
             string, found 2\n",
        ),
        (
            &["prose"],
            "error: Skill \"prose\" is not a function: it has neither a skill.json nor an `exec` with a `schema`\n",
        ),
        (&["tel"], "error: skill not found: tel\ndid you mean `tell`?\n"),
        (&["slow", "--timeout", "60ms"], "error: Skill \"slow\" timed out after 60ms\n"),
    ] {
        let run = place.run(&[&["call", "--dir", "s"], arguments].concat());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, "", problem), "{arguments:?}");
    }
    // What a program wrote before its time limit is not lost, also in a pipeline.
    place.write("s/slow/bin/run", "#!/bin/sh\necho 'no route' >&2\nsleep 600\n");
    let calls = json!({"calls": ["slow"], "pipeline": [{"step": "only", "skill": "slow", "input": {}}]});
    place.write("s/waits/skill.json", &manifest("waits", "composite", &calls));
    for name in ["slow", "waits"] {
        let run = place.run(&["call", name, "--dir", "s", "--timeout", "300ms"]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{name}: {run:?}");
        let written = "its programs wrote to standard error: no route\n";
        assert!(run.err.contains("timed out after") && run.err.ends_with(written), "{name}: {run:?}");
    }
    let limit = place.run(&["call", "slow", "--dir", "s", "--timeout", "soon"]);
    assert_eq!((limit.code, limit.err.starts_with("error: invalid_timeout: ")), (1, true), "{}", limit.err);
    let model = place.run(&["call", "tell", "--dir", "s", "--model", "any"]);
    assert_eq!((model.code, model.err.starts_with("error: unknown model `any`")), (1, true), "{}", model.err);
    let usage = place.run(&["call", "tell", "--dir", "s", "--base-url", "http://127.0.0.1:1"]);
    assert_eq!(usage.code, 2, "an address without a model: {}", usage.err);
}

// SPEC 7.5: an invalid answer is shown: its beginning, or all of it with `-vv`
#[test]
fn a_wrong_answer_of_the_model_is_shown() {
    let place = place();
    let long = format!("I cannot {}tell.", "really ".repeat(500));
    let call = |more: &[&str]| {
        let provider = Provider::start(&["{}", &long]);
        let model = ["--model", "any", "--base-url", &provider.url];
        let call = ["call", "tell", "--dir", "s", "--input", r#"{"topic": "oak"}"#];
        place.run(&[more, &call, &model].concat())
    };
    let short = call(&[]);
    assert_eq!((short.code, short.out.as_str()), (1, ""), "{}", short.err);
    let answer = short.err.lines().last().unwrap();
    assert!(answer.starts_with("the model answered: I cannot really") && answer.ends_with('…'), "{answer}");
    assert!(answer.chars().count() < 1_100, "{answer}");
    let whole = call(&["-vv"]);
    assert!(whole.err.ends_with(&format!("the model answered: {long}\n")), "{}", whole.err);
}

// SPEC 11.1: `--dry-run` checks the input, shows the rendered prompt and the steps, and starts nothing
#[test]
fn a_dry_run_shows_what_would_run() {
    let place = place();
    let plan = |arguments: &[&str]| {
        let run = place.run(&[&["call", "--dry-run", "--dir", "s"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        (serde_json::from_str::<Value>(&run.out).unwrap(), run.err)
    };
    let (tell, note) = plan(&["tell", "--input", r#"{"topic": "oak"}"#]);
    assert_eq!(tell["prompt"], "Tell of oak, calm.\n");
    assert_eq!(tell["input"], json!({"topic": "oak", "tone": "calm"}));
    assert_eq!(tell["server"], "nothing");
    assert_eq!(note, "note: a call would fail: Skill \"tell\" (llm) has no model; name one with `--model`\n");
    let provider = Provider::start(&[]);
    let model = ["--model", "any", "--base-url", &provider.url];
    let (tell, note) = plan(&[&["tell", "--input", r#"{"topic": "oak"}"#], &model[..]].concat());
    assert_eq!((tell["server"].as_str(), note.as_str()), (Some("model"), ""));
    assert!(provider.asked().is_empty());
    let (chain, _) = plan(&["chain", "--input", r#"{"n": 1, "list": []}"#]);
    let steps: Vec<(&str, &Value)> = chain["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["step"].as_str().unwrap(), &step["would_run"]))
        .collect();
    assert_eq!(steps, [("first", &json!(true)), ("never", &json!(false)), ("each", &json!(true))]);
    place.write(
        "s/asking/skill.json",
        &manifest(
            "asking",
            "composite",
            &json!({"calls": ["tell", "slow"], "pipeline": [{"step": "ask", "skill": "tell", "input": {"topic": "a"}},
                {"step": "next", "skill": "slow", "depends": ["ask"], "input": {}}]}),
        ),
    );
    let (asking, note) = plan(&["asking"]);
    assert_eq!(asking["steps"][0]["would_run"], json!(false));
    assert_eq!(asking["steps"][1]["would_run"], json!(null), "it waits for a step that fails");
    assert_eq!(
        note, "note: the step `ask` would fail: no program, model or function is available to run `tell`\n",
        "SPEC 6.2"
    );
    let needy = "---\nexec: run\nrequires: [no-such-program]\n---\n";
    place.write("s/needy/skill.json", &manifest("needy", "code", &json!({})));
    place.write("s/needy/SKILL.md", needy);
    place.write("s/needy/bin/run", ECHO);
    let note = plan(&["needy"]).1;
    assert_eq!(note, "note: a call may fail: `needy` requires `no-such-program`, missing on PATH\n");
    let calls = json!({"calls": ["needy"], "pipeline": [{"step": "only", "skill": "needy", "input": {}}]});
    place.write("s/uses/skill.json", &manifest("uses", "composite", &calls));
    let (uses, note) = plan(&["uses"]);
    assert_eq!(uses["steps"][0]["would_run"], json!(null));
    assert!(note.starts_with("note: the step `only` may fail: `needy` requires `no-such-program`"), "{note}");
    plan(&["slow"]);
    assert!(!place.top.join("pid").exists(), "nothing was started");
    let wrong = place.run(&["call", "--dry-run", "tell", "--dir", "s", "--input", r#"{"tone": 2}"#]);
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    for line in ["\n/tone: type: ", "\n(root): required: "] {
        assert!(wrong.err.contains(line), "{}", wrong.err);
    }
}

// SPEC 6.4, 7.2, 7.11: Ctrl-C ends the call and its children
#[test]
fn a_signal_ends_the_call_and_its_program() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let place = place();
        let mut command = place.command(&["call", "slow", "--dir", "s"]);
        let mut call = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = reads(&place.top.join("pid"));
        kill(signal, &call.id().to_string());
        assert_eq!(call.wait().unwrap().code(), Some(code));
        let output = call.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: Skill \"slow\" was cancelled\n");
        assert!(output.stdout.is_empty());
        until_gone(pid.trim());
    }
}
