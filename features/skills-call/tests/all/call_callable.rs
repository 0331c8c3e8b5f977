//! Tests which functions are offered: a pipeline whose every call would fail is not. Real calls confirm the results.

use serde_json::json;
use skills_call::testing::ScriptedModel;
use skills_call::{ErrorKind, Functions, Runner};
use skills_runtime::Skill;
use skills_runtime::capabilities::{self, Capabilities};

use crate::functions::{self, Answer, functions, manifest};

const ANY: &str = r#"{"type": "object"}"#;

/// `ask` needs a model, `act` a host; `done` is a pipeline without needs, `inner` one that asks.
fn library(steps: &str) -> &'static Functions {
    let calling = |name: &str, calls: &str, steps: &str| {
        manifest(name, "composite", ANY, ANY, &format!(r#""calls": [{calls}], "pipeline": [{steps}]"#))
    };
    functions(&[
        ("ask/skill.json", &manifest("ask", "llm", ANY, ANY, r#""retry": 0"#)),
        ("ask/prompt.md", "Answer.\n"),
        ("act/skill.json", &manifest("act", "code", ANY, ANY, "")),
        (
            "done/skill.json",
            &calling(
                "done",
                r#""ask""#,
                r#"{"step": "s", "skill": "ask", "input": {}, "condition": "{{ false }}"}"#,
            ),
        ),
        ("inner/skill.json", &calling("inner", r#""ask""#, r#"{"step": "s", "skill": "ask", "input": {}}"#)),
        ("p/skill.json", &calling("p", r#""ask", "act", "done", "inner""#, steps)),
    ])
}

// SPEC 6.2, 11.3, 11.4
#[tokio::test]
async fn a_pipeline_is_callable_if_its_certain_calls_are() {
    let cases = [
        (r#"{"step": "a", "skill": "done", "input": {}}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}}"#, Some(ErrorKind::NoModel)),
        (r#"{"step": "a", "skill": "act", "input": {}}"#, Some(ErrorKind::NoHost)),
        (r#"{"step": "a", "skill": "inner", "input": {}}"#, Some(ErrorKind::NoModel)),
        (
            r#"{"step": "a", "skill": "done", "input": {}}, {"step": "b", "skill": "ask", "input": {}}"#,
            Some(ErrorKind::NoModel),
        ),
        (r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}, "foreach": "{{ input.l }}"}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}, "continueOnError": true}"#, None),
        // A step that needs the result of a skipped step may be skipped; a step that only follows it may not.
        (
            r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"},
               {"step": "b", "skill": "act", "input": {"x": "{{ steps.a.x }}"}}"#,
            None,
        ),
        (
            r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"},
               {"step": "b", "skill": "act", "input": {}, "depends": ["a"]}"#,
            Some(ErrorKind::NoHost),
        ),
    ];
    for (steps, fault) in cases {
        let library = library(steps);
        let runner = Runner::new(library);
        assert_eq!(runner.is_callable("p"), fault.is_none(), "{steps}");
        let called = runner.call_json("p", json!({"l": []})).await.map_err(|error| error.kind());
        assert_eq!(called.err(), fault, "{steps}");
        let model = ScriptedModel::default().text("{}").text("{}");
        let asking = Runner::new(library).model(model);
        let needs_host = fault == Some(ErrorKind::NoHost);
        assert_eq!(asking.is_callable("p"), !needs_host, "{steps}");
        let called = asking.call_json("p", json!({"l": []})).await.map_err(|error| error.kind());
        assert_eq!(called.err(), fault.filter(|_| needs_host), "{steps}");
    }
}

/// The functions that a client with only the tables can see.
struct Tables {
    library: &'static Functions,
    has_host: bool,
    has_model: bool,
}

impl Capabilities for Tables {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.library.registry().get(name).filter(|skill| skill.backend().is_some())
    }

    fn serves(&self, name: &str) -> bool {
        self.has_host && name == "act"
    }

    fn has_model(&self) -> bool {
        self.has_model
    }

    fn has_mcp(&self) -> bool {
        false
    }

    fn is_untrusted(&self, _: &str) -> bool {
        false
    }
}

/// Whether the verdict on each pipeline is that of a call whose conditions are false and whose lists are empty, for
/// every host and model, by functions as well as by tables alone; returns how many can be called.
async fn compare(library: &'static Functions, pipelines: &[String], expected: &str) -> usize {
    let mut callable = 0;
    for (has_host, has_model) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut runner = Runner::new(library);
        if has_host {
            let answer = || Box::pin(async { Ok(json!({})) }) as Answer<'_>;
            runner = runner.host(functions::host(move |skill, _, _| (skill == "act").then(answer)));
        }
        for name in pipelines {
            let answers = (0..500).fold(ScriptedModel::default(), |model, _| model.text("{}"));
            let runner = if has_model { runner.clone().model(answers) } else { runner.clone() };
            let called = runner.call_json(name, json!({})).await;
            let context = format!("{name}, host {has_host}, model {has_model}: {called:?}\n{expected}");
            assert_eq!(runner.is_callable(name), called.is_ok(), "{context}");
            let tables = Tables { library, has_host, has_model };
            let skill = library.registry().get(name).expect("it is there");
            assert_eq!(capabilities::backend_with_callees(&tables, skill), runner.backend(name), "{context}");
            callable += usize::from(called.is_ok());
        }
    }
    callable
}

fn pipeline(name: &str, steps: &[(String, String)]) -> (String, String) {
    const INPUT: &str = r#"{"properties": {"l": {"type": "array", "default": []}, "x": {}}}"#;
    let mut calls: Vec<String> = steps.iter().map(|(skill, _)| format!("{skill:?}")).collect();
    calls.sort();
    calls.dedup();
    let steps: Vec<String> = (0..)
        .zip(steps)
        .map(|(at, (skill, more))| format!(r#"{{"step": "s{at}", "skill": "{skill}"{more}}}"#))
        .collect();
    let more = format!(r#""calls": [{}], "pipeline": [{}]"#, calls.join(", "), steps.join(",\n"));
    (format!("{name}/skill.json"), manifest(name, "composite", INPUT, ANY, &more))
}

fn library_of(pipelines: &[(String, String)]) -> &'static Functions {
    let (ask, act) =
        (manifest("ask", "llm", ANY, ANY, r#""retry": 0"#), manifest("act", "code", ANY, ANY, ""));
    let mut files: Vec<(&str, &str)> = vec![
        ("ask/skill.json", &ask),
        ("ask/prompt.md", "Answer.\n"),
        ("act/skill.json", &act),
        ("prose/SKILL.md", "---\nname: prose\ndescription: Is prose.\n---\nText.\n"),
        (
            "typed/SKILL.md",
            "---\nname: typed\ndescription: Is run.\nexec: run\nschema: in.json\n---\nText.\n",
        ),
        ("typed/bin/run", "#!/bin/sh\ncat\n"),
        ("typed/in.json", "{}"),
    ];
    files.extend(pipelines.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    functions(&files)
}

// SPEC 6.2: the resolver agrees with real calls; `skills tools` and servers rely on it
#[tokio::test]
async fn the_resolver_agrees_with_calls() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = move |limit: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % limit).expect("it is small")
    };
    let (mut callable, rounds) = (0, test_bed::rounds(8));
    for _ in 0..rounds {
        let mut known: Vec<String> =
            ["ask", "act", "prose", "typed", "act", "ask"].map(String::from).to_vec();
        let mut pipelines: Vec<(String, String)> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for at in 0..5 {
            let steps = (0..=below(4)).map(|place| {
                let skill = known[below(known.len() as u64)].clone();
                let mut more = match (place, below(3)) {
                    (0, _) | (_, 0) => r#", "input": {}"#.to_owned(),
                    (_, 1) => {
                        format!(r#", "input": {{"y": "{{{{steps.s{} | json}}}}"}}"#, below(place as u64))
                    }
                    _ => format!(r#", "input": {{"y": "{{{{steps.s{} || 1}}}}"}}"#, below(place as u64)),
                };
                more.push_str(match below(8) {
                    0 | 1 => r#", "condition": "{{ input.x }}""#,
                    2 => r#", "foreach": "{{ input.l }}""#,
                    3 => r#", "continueOnError": true"#,
                    _ => "",
                });
                (skill, more)
            });
            let steps: Vec<(String, String)> = steps.collect();
            let name = format!("p{at}");
            pipelines.push(pipeline(&name, &steps));
            names.push(name.clone());
            known.push(name);
        }
        callable += compare(library_of(&pipelines), &names, &format!("{pipelines:#?}")).await;
    }
    let all = rounds * 5 * 4;
    assert!((all / 6..all * 5 / 6).contains(&callable), "{callable} of {all} is not a test");
}

// SPEC 6.4: a pipeline that always exceeds the maximum depth is not callable
#[tokio::test]
async fn the_resolver_considers_depth() {
    let step = |skill: String| vec![(skill, r#", "input": {}"#.to_owned())];
    let mut pipelines = vec![pipeline("p1", &step("act".to_owned()))];
    pipelines.extend((2..12).map(|at| pipeline(&format!("p{at}"), &step(format!("p{}", at - 1)))));
    let names: Vec<String> = (1..12).map(|at| format!("p{at}")).collect();
    let callable = compare(library_of(&pipelines), &names, "a chain").await;
    assert_eq!(callable, 2 * 9, "nine pipelines above a function, with a host");
}
