//! Tests `skills eval`: requests to a model are recorded, and replayed without the model.

#![cfg(unix)] // the command tests are

use serde_json::Value;

use crate::command::{Place, Run};
use crate::provider::Provider;

const GOOD: &str = r#"{"1": {"evidence": "It says twice a week.", "passed": true}}"#;
const BAD: &str = r#"{"1": {"evidence": "It names no day.", "passed": false}}"#;

fn place() -> Place {
    Place::new(&[
        ("s/garden/SKILL.md", "---\nname: garden\ndescription: Knows plants.\n---\nRoses: twice a week.\n"),
        (
            "s/garden/evals/evals.json",
            r#"{"skill_name": "garden", "evals": [{"id": 1, "prompt": "When do I water roses?",
                "expected_output": "Twice a week.", "files": ["evals/files/plan.txt"],
                "assertions": ["It says how often"]}]}"#,
        ),
        ("s/garden/evals/files/plan.txt", "Tulips: never.\n"),
        ("s/garden/evals/eval_queries.json", r#"[{"query": "write a haiku", "should_trigger": false}]"#),
    ])
}

/// Records two runs: one passes, one fails.
fn record(place: &Place) -> (Provider, Run) {
    let provider = Provider::start(&["Twice a week.", GOOD, "Often.", BAD, "Autumn.", "Leaves."]);
    let arguments =
        ["eval", "s", "--model", "m", "--base-url", &provider.url, "--judge", "j", "--judge-base-url"];
    let more = [
        &*provider.url,
        "--runs",
        "2",
        "--jobs",
        "1",
        "--no-baseline",
        "--record",
        "c.jsonl",
        "--threshold",
        "0.5",
    ];
    let run = place.run(&[&arguments[..], &more].concat());
    (provider, run)
}

// SPEC 16.10, 16.11, 16.13
#[test]
fn recorded_answers_are_replayed_without_a_model() {
    let place = place();
    let (provider, recorded) = record(&place);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let asked = provider.asked();
    assert_eq!(asked.len(), 6);
    let messages = asked[0].1["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"], "the skill is loaded for the model");
    let content = |at: usize| messages[at]["content"].as_str().unwrap();
    assert!(content(0).contains("<name>garden</name>") && content(3).contains("Roses: twice a week."));
    assert!(content(1).contains("<file path=\"evals/files/plan.txt\">\nTulips: never."), "{}", content(1));
    let judged = asked[1].1["messages"][1]["content"].as_str().unwrap();
    assert!(judged.contains("It says how often") && judged.contains("Twice a week."), "{judged}");

    let replay = ["eval", "s", "--replay", "c.jsonl", "--runs", "2", "--no-baseline"];
    let text = place.run(&[&replay[..], &["--threshold", "0.5"]].concat());
    assert_eq!((text.code, &text.out), (0, &recorded.out));
    // SPEC 16.16: the case is marked, and its numbers are in a separate line, which fits 80 columns.
    let case = "garden\n  failed    1  When do I water roses?\n            with the skill  50 % (9-91) ";
    assert!(text.out.contains(case), "{}", text.out);
    assert!(text.out.contains("In brackets: the range"), "{}", text.out);
    assert!(text.out.lines().all(|line| line.chars().count() <= 80), "{}", text.out);
    assert!(text.out.contains("failed: It says how often: It names no day."), "{}", text.out);
    assert!(text.out.contains("passed    garden (should not be chosen): 0 of 2 runs"), "{}", text.out);
    // Below the threshold, which is 1.
    assert_eq!(place.run(&replay).code, 1);
    // With the models that it was recorded of, whose keys are elsewhere.
    let named =
        [&replay[..], &["--threshold", "0.5", "--model", "gpt-5", "--judge", "no-model-of-any"]].concat();
    let named = Run::of(place.command(&named).env_remove("OPENAI_API_KEY"));
    assert_eq!((named.code, &named.out), (0, &text.out), "{}", named.err);
    // A run that was not recorded is not a pass.
    let more =
        place.run(&["eval", "s", "--replay", "c.jsonl", "--runs", "3", "--no-baseline", "--threshold", "0"]);
    assert_eq!(more.code, 1);
    assert!(
        more.out.contains("c.jsonl has no answer of the model for run 3 of garden/1 with the skill"),
        "{}",
        more.out
    );
    assert!(more.out.contains("skills eval --record c.jsonl --model MODEL"), "{}", more.out);
}

// SPEC 16.15, 16.16
#[test]
fn a_report_has_every_form() {
    let place = place();
    record(&place);
    let replay = ["eval", "s", "--replay", "c.jsonl", "--runs", "2", "--no-baseline", "--threshold", "0.5"];
    let json = |more: &[&str]| -> Value {
        let run = place.run(&[&replay, &["--format", "json"][..], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        serde_json::from_str(&run.out).unwrap()
    };
    let report = json(&["--price", "10/100", "--html", "report.html"]);
    assert_eq!(report["pass_rate"]["rate"], 0.5);
    // Four requests of the model and two of the judge, each of 3 and 2 tokens.
    assert_eq!((&report["tokens"]["input"], &report["judge_tokens"]["output"]), (&12.into(), &4.into()));
    assert!((report["cost"].as_f64().unwrap() - (18.0 * 10.0 + 12.0 * 100.0) / 1e6).abs() < 1e-12);
    assert_eq!(report["confusion"][0]["chosen"]["(none)"], 2);
    let page = std::fs::read_to_string(place.path("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("50 % (9-91)"));
    // The difference to a report whose case passed always.
    let mut before = report.clone();
    before["cases"][0]["with_skill"]["pass_rate"]["rate"] = 1.0.into();
    std::fs::write(place.path("last.json"), before.to_string()).unwrap();
    let change = &json(&["--against", "last.json"])["difference"]["changes"][0];
    assert_eq!(
        (&change["name"], &change["before"], &change["after"]),
        (&"garden/1".into(), &1.0.into(), &0.5.into())
    );
    let text = place.run(&[&replay, &["--against", "last.json"][..]].concat());
    assert!(text.out.contains("  worse: garden/1: 100 % -> 50 %\n"), "{}", text.out);
    let none = place.run(&[&replay, &["--against", "c.jsonl"][..]].concat());
    assert_eq!(none.code, 1);
    assert!(none.err.contains("error: c.jsonl: "), "{}", none.err);
    let junit = place.run(&[&replay, &["--format", "junit"][..]].concat());
    assert!(
        junit.out.contains("<testsuite name=\"garden\" tests=\"2\" failures=\"0\" errors=\"0\""),
        "{}",
        junit.out
    );
    let strict = ["eval", "s", "--replay", "c.jsonl", "--runs", "2", "--no-baseline", "--format", "junit"];
    let junit = place.run(&strict);
    assert!(junit.out.contains("<failure message=\"It says how often: It names no day.\">"), "{}", junit.out);
}

// SPEC 16.10
#[test]
fn impossible_cases_are_reported_before_any_request() {
    let place = place();
    let run = place.run(&["eval", "s"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("name one with `--model`, or a recording with `--replay`"), "{}", run.err);
    let run = place.run(&["eval", "s", "--skill", "gardn", "--replay", "c.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("did you mean `garden`?"), "{}", run.err);
    let run = place.run(&["eval", "s", "--replay", "none.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("error: none.jsonl: nothing is recorded yet"), "{}", run.err);
    place.write("t/a/SKILL.md", "---\nname: a\ndescription: Does a thing.\n---\nDo it.\n");
    let run = place.run(&["eval", "t", "--replay", "c.jsonl"]);
    assert!(run.err.contains("error: there is nothing to run"), "{}", run.err);
    place.write("t/a/evals/evals.json", "{\"evals\": [{\"id\": 3}]}");
    let run = place.run(&["eval", "t", "--replay", "c.jsonl"]);
    assert!(run.err.contains("evals.json: case 3: it has neither a `prompt` nor an `input`"), "{}", run.err);
}

// SPEC 16.11: a file of tests, or one that a case names, must be a regular file of its skill
#[test]
fn tests_are_read_only_from_the_skill() {
    let place = place();
    let evals = place.top.join("s/garden/evals");
    let replay = ["eval", "s", "--replay", "c.jsonl"];
    std::fs::write(place.top.join("c.jsonl"), "").unwrap();
    let pipe = evals.join("more.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = place.run(&replay);
    assert!(
        run.code == 1 && run.err.contains("more.json: it is a link, or not a regular file"),
        "{}",
        run.err
    );
    std::fs::remove_file(&pipe).unwrap();
    place.write("away.json", r#"{"evals": []}"#);
    std::os::unix::fs::symlink("../../../away.json", &pipe).unwrap();
    let run = place.run(&replay);
    assert!(run.code == 1 && run.err.contains("leads out of the directory"), "{}", run.err);
    std::fs::remove_file(&pipe).unwrap();
    // A link to another file of the skill is followed.
    std::os::unix::fs::symlink("eval_queries.json", &pipe).unwrap();
    let run = place.run(&replay);
    assert!(!run.err.contains("more.json"), "{}", run.err);
    // The file of a case is a pipe: the run fails with a reason, and does not wait for it.
    let plan = evals.join("files/plan.txt");
    std::fs::remove_file(&plan).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&plan).status().unwrap().success());
    let run = place.run(&replay);
    assert_eq!(run.code, 1, "{run:?}");
}

// SPEC 16.19: `check` finds and corrects mistakes that `eval` would ignore, and bundles no test
#[test]
fn check_finds_mistakes_in_cases() {
    let skill = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
    let cases = "{ \"skill_name\": \"csv\", \"evals\": [{ \"prompt\": \"a\", \"assertion\": [\"b\"] }] }\n";
    let place = Place::new(&[("skills/pdf/SKILL.md", skill), ("skills/pdf/evals/evals.json", cases)]);
    let found = place.run(&["check", "skills"]);
    assert_eq!(found.code, 0, "{found:?}");
    let all = format!("{}{}", found.out, found.err);
    assert!(all.contains("skills::eval-skill-name") && all.contains("skills::eval-key-unknown"), "{all}");
    let denied = place.run(&["check", "skills", "--deny", "eval-skill-name"]);
    assert_eq!(denied.code, 1, "{denied:?}");
    assert_eq!(place.run(&["check", "skills", "--fix", "--unsafe-fixes"]).code, 0);
    let fixed = std::fs::read_to_string(place.path("skills/pdf/evals/evals.json")).expect("a file");
    assert_eq!(fixed, cases.replace("csv", "pdf").replace("\"assertion\"", "\"assertions\""));
    assert!(!place.run(&["expand", "skills"]).out.contains("skill_name"));
}
