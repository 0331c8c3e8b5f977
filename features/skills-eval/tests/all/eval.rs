//! Cases and trigger queries of skills: read as the standard has them, asked, graded, recorded and replayed.

pub(crate) mod pupil;

use std::path::Path;

use pupil::{Pupil, Strict};
use serde_json::{Value, json};
use skills_call::model::{Answer, Finish};
use skills_call::testing::ScriptedModel;
use skills_call::{Loader, OnDemand, Runner};
use skills_eval::{Ask, Cassette, Check, Difference, Price, Report, State, Suite, Trial};
use skills_load::LayersBuilder;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
    std::fs::write(&path, text).expect("a file");
    #[cfg(unix)]
    if text.starts_with("#!") {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    }
}

fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        write(root.path(), path, text);
    }
    root
}

fn runner(root: &Path) -> Runner {
    let layers = LayersBuilder::new().directories(&[root.to_owned()]).load().expect("skills");
    Runner::from(layers).loader(Loader::Skill)
}

fn skill(name: &str, description: &str) -> (String, String) {
    let text = format!("---\nname: {name}\ndescription: {description}\n---\nSecret word: {name}-word.\n");
    (format!("{name}/SKILL.md"), text)
}

/// Two skills with cases in prose and by code, and queries.
fn small() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in [skill("csv", "Analyze CSV files."), skill("pdf", "Fill in PDF forms.")] {
        write(root.path(), &path, &text);
    }
    let cases = json!({"skill_name": "csv", "evals": [
        {"id": 1, "prompt": "What is the secret word?", "expected_output": "The word.",
         "assertions": ["The answer says csv-word", "The answer says pdf-word"]},
        {"id": "code", "prompt": "Say it as JSON", "condition": "output.word == 'csv-word'",
         "schema": {"type": "object", "required": ["word"]}},
    ]});
    write(root.path(), "csv/evals/evals.json", &cases.to_string());
    let queries = json!([
        {"query": "average of column C in data.csv", "should_trigger": true},
        {"query": "the table in report.pdf as csv", "should_trigger": true},
        {"query": "write a haiku", "should_trigger": false},
    ]);
    write(root.path(), "csv/evals/eval_queries.json", &queries.to_string());
    root
}

fn trial(root: &Path) -> Trial {
    Trial::new(runner(root).model(Pupil::default())).judge(Strict).runs(2)
}

fn states(report: &Report, skill: &str, id: &str) -> (Vec<State>, Vec<State>) {
    let case = report.cases.iter().find(|case| case.skill == skill && case.id == id).expect("the case");
    let of = |runs: &[skills_eval::CaseRun]| runs.iter().map(|run| run.state).collect();
    (of(&case.with.runs), case.without.as_ref().map(|arm| of(&arm.runs)).unwrap_or_default())
}

// SPEC 16.11: the example files of the standard are read unchanged
#[tokio::test]
#[ignore = "needs SKILLS_FIELD_DIR"]
async fn field_the_files_of_the_standard_run_unchanged() {
    let directory = test_bed::field("standards/agent-skills");
    let text = |name: &str| std::fs::read_to_string(directory.join(name)).expect("the standard");
    let (evaluating, describing) = (text("evaluating-skills.mdx"), text("optimizing-descriptions.mdx"));
    let blocks = |text: &str, name: &str| -> Vec<String> {
        let blocks = text.split("```json ").skip(1).filter(|block| block.starts_with(name));
        blocks
            .map(|block| block.split_once('\n').unwrap().1.split("```").next().unwrap().to_owned())
            .collect()
    };
    let cases = blocks(&evaluating, "evals/evals.json");
    assert_eq!(cases.len(), 2, "once without assertions, once with");
    let queries = blocks(&describing, "eval_queries.json").remove(0);
    for (block, (count, checks)) in cases.iter().zip([(2, 1), (1, 4)]) {
        let (path, document) = skill("csv-analyzer", "Analyze CSV files.");
        let root = place(&[
            (&path, &document),
            ("csv-analyzer/evals/evals.json", block),
            ("csv-analyzer/evals/eval_queries.json", &queries),
            ("csv-analyzer/evals/files/sales_2025.csv", "month,revenue\nMarch,1\n"),
            ("csv-analyzer/evals/files/customers.csv", "name,email\n"),
        ]);
        let runner = runner(root.path());
        let suite = Suite::from_layers(runner.skills()).expect("as the standard has them");
        assert_eq!((suite.skills[0].cases.len(), suite.skills[0].queries.len()), (count, 2));
        assert_eq!(suite.skills[0].cases[0].checks.len(), checks);
        let report =
            Trial::new(runner.model(Pupil::default())).judge(Strict).runs(1).run(&suite).await.unwrap();
        assert_eq!(report.errors(), 0, "{}", report.text());
        let summary = &report.to_json()["run_summary"];
        for (arm, figure) in [("with_skill", "tokens"), ("without_skill", "time_seconds")] {
            assert!(summary[arm][figure]["mean"].is_number() && summary[arm][figure]["stddev"].is_number());
        }
        let graded = &report.to_json()["cases"][0]["with_skill"]["runs"][0];
        let result = &graded["assertion_results"][0];
        assert!(
            result["text"].is_string() && result["passed"].is_boolean() && result["evidence"].is_string()
        );
        assert_eq!(graded["summary"]["total"], checks);
    }
}

// SPEC 16.11, 16.12
#[tokio::test]
async fn a_case_is_run_with_its_skill_and_without() {
    let root = small();
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let report = trial(root.path()).run(&suite).await.unwrap();
    let (with, without) = states(&report, "csv", "code");
    assert_eq!((with, without), (vec![State::Passed; 2], vec![State::Failed; 2]), "{}", report.text());
    // One of its two statements is wrong.
    assert_eq!(states(&report, "csv", "1").0, [State::Failed; 2]);
    let run = &report.cases[0].with.runs[0];
    assert_eq!(run.tools, ["skill(csv)"]);
    let marks: Vec<_> =
        run.marks.iter().map(|mark| (mark.text.as_str(), format!("{:?}", mark.verdict))).collect();
    assert_eq!(
        marks,
        [
            ("The answer says csv-word", "Passed".to_owned()),
            ("The answer says pdf-word", "Failed".to_owned())
        ]
    );
    let delta = &report.to_json()["run_summary"]["delta"];
    assert_eq!(delta["pass_rate"], 0.5);
}

// SPEC 16.12: an ungraded run does not pass
#[tokio::test]
async fn without_a_judge_prose_is_not_graded() {
    let root = small();
    let mut suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    suite.skills[0].queries.clear();
    let report = Trial::new(runner(root.path()).model(Pupil::default())).runs(1).run(&suite).await.unwrap();
    assert_eq!(states(&report, "csv", "1").0, [State::Ungraded]);
    assert_eq!(report.ungraded(), 1);
    assert!(!report.passes(1.0, false) && report.passes(1.0, true));
    assert!(
        report.text().contains("not graded: The answer says csv-word: there is no judge"),
        "{}",
        report.text()
    );
    assert!(report.junit(1.0).contains("skipped=\"1\""));
    suite.skills[0].cases.truncate(1);
    let report = Trial::new(runner(root.path()).model(Pupil::default())).runs(1).run(&suite).await.unwrap();
    assert!(!report.passes(0.0, true), "where nothing was graded nothing passes");
}

// SPEC 16.14
#[tokio::test]
async fn skills_that_are_chosen_instead_of_others_are_reported() {
    let root = small();
    let mut suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    suite.skills[0].cases.clear();
    let report = trial(root.path()).run(&suite).await.unwrap();
    let results: Vec<_> =
        report.queries.iter().map(|query| (query.triggers(), query.tried(), query.passed())).collect();
    assert_eq!(results, [(2, 2, Some(true)), (0, 2, Some(false)), (0, 2, Some(true))]);
    assert_eq!(report.confusion.confused_pairs(), [("csv", "pdf", 2)]);
    assert_eq!(report.confusion.columns(), ["csv", "pdf", ""]);
    assert_eq!(report.trigger_rate().map(|rate| (rate.rate * 3.0).round()), Some(2.0));
    assert!(report.passes(0.6, false) && !report.passes(0.7, false));
    // By the standard, a rate equal to the threshold is neither above nor below it.
    let always = trial(root.path()).trigger_threshold(1.0).run(&suite).await.unwrap();
    assert_eq!(always.queries[0].passed(), Some(false));
}

const ECHO: &str = r#"{"name": "echo", "description": "Says it again.", "category": "test", "mode": "code",
    "input": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "output": {"type": "object"}}"#;

// SPEC 16.12
#[cfg(unix)]
#[tokio::test]
async fn functions_are_checked_by_code() {
    let cases = json!({"evals": [
        {"id": "output", "input": {"text": "a"}, "output": {"text": "a", "n": 1.0, "id": 9007199254740993_u64}},
        {"id": "near", "input": {"text": "a"}, "output": {"text": "a", "n": 1, "id": 9007199254740992_u64}},
        {"id": "wrong", "input": {"text": "a"}, "output": {"text": "b"}},
        {"id": "schema", "input": {"text": "a"}, "schema": {"properties": {"n": {"minimum": 1}}, "required": ["n"]}},
        {"id": "condition", "input": {"text": "a"}, "condition": ["output.text == input.text", "output.n > 0"]},
        {"id": "error", "input": {}, "error": "invalid_input"},
        {"id": "none", "input": {"text": "a"}, "error": "timeout"},
        {"id": "text", "input": {"text": "a"}, "text": "{\"text\":\"a\",\"n\":1,\"id\":9007199254740993}"},
    ]});
    let script = "#!/bin/sh\nread -r line\necho '{\"text\":\"a\",\"n\":1,\"id\":9007199254740993}'\n";
    let skill_md = "---\nname: echo\ndescription: Says it again.\nexec: bin/echo\n---\n";
    let root = place(&[
        ("echo/SKILL.md", skill_md),
        ("echo/skill.json", ECHO),
        ("echo/bin/echo", script),
        ("echo/evals/functions.json", &cases.to_string()),
    ]);
    let runner = runner(root.path());
    let suite = Suite::from_layers(runner.skills()).unwrap();
    assert!(matches!(suite.skills[0].cases[0].ask, Ask::Input(_)));
    let report = Trial::new(runner).runs(1).run(&suite).await.unwrap();
    for (id, state) in [
        ("output", State::Passed),
        ("near", State::Failed),
        ("wrong", State::Failed),
        ("schema", State::Passed),
        ("condition", State::Passed),
        ("error", State::Passed),
        ("none", State::Failed),
        ("text", State::Passed),
    ] {
        assert_eq!(states(&report, "echo", id), (vec![state], vec![]), "{id}: {}", report.text());
    }
    // The text says which of the two values was expected.
    let wrong = r#"failed: expects the output {"text":"b"}: found {"text":"a","n":1,"id":9007199254740993}"#;
    assert!(report.text().contains(wrong), "{}", report.text());
}

// SPEC 16.11
#[test]
fn invalid_cases_are_reported_with_file_and_place() {
    let wrong = [
        ("{\"evals\": 1}", "`evals` is not a list"),
        ("{", "EOF while parsing"),
        ("{\"skill\": 1}", "there is no list `evals`"),
        ("{\"evals\": [1]}", "item 1 is not an object"),
        ("{\"evals\": [{\"id\": 7}]}", "case 7: it has neither a `prompt` nor an `input`"),
        (
            "{\"evals\": [{\"prompt\": \"a\", \"files\": [\"../../etc/passwd\"]}]}",
            "is not below the skill: it leaves the skill by `..`",
        ),
        ("{\"evals\": [{\"prompt\": \"a\", \"files\": [\"\"]}]}", "is not below the skill: it is empty"),
        (
            "{\"evals\": [{\"prompt\": \"a\", \"condition\": \"a ==\"}]}",
            "case 1: the condition `a ==` is not valid",
        ),
        ("{\"evals\": [{\"prompt\": \"a\", \"schema\": {\"type\": \"strnig\"}}]}", "unknown type `strnig`"),
        ("{\"evals\": [{\"prompt\": \"a\", \"assertions\": [1]}]}", "`assertions` is not a text"),
    ];
    for (text, reason) in wrong {
        let (path, document) = skill("csv", "Analyze.");
        let root = place(&[(&path, &document), ("csv/evals/evals.json", text)]);
        let unread = Suite::from_layers(runner(root.path()).skills()).expect_err(text);
        assert!(unread.to_string().contains(reason), "{text}: {unread}");
        assert!(unread.path.ends_with("csv/evals/evals.json"));
    }
    let (path, document) = skill("csv", "Analyze.");
    let other = r#"{"evals": [{"id": 1, "prompt": "a", "expectations": ["b"]}, {"id": 1, "query": "c", "should_trigger": true}]}"#;
    let root =
        place(&[(&path, &document), ("csv/evals/axis.config.json", "{}"), ("csv/evals/more.json", other)]);
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    assert_eq!(
        (suite.skills[0].cases.len(), suite.skills[0].queries.len()),
        (1, 1),
        "other files are passed over"
    );
    assert!(matches!(suite.skills[0].cases[0].checks[..], [Check::Statement(_)]));
}

// SPEC 16.10, 16.14: on demand a model searches first, and then chooses what to load
#[tokio::test]
async fn a_search_is_not_a_choice() {
    let root = small();
    let mut suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    suite.skills[0].cases.clear();
    let pupil = Pupil::default().searching();
    let few = runner(root.path()).on_demand(OnDemand::default().likely(0)).model(pupil.clone());
    let report = Trial::new(few).runs(1).run(&suite).await.unwrap();
    let results: Vec<_> = report.queries.iter().map(|query| query.passed()).collect();
    assert_eq!(results, [Some(true), Some(false), Some(true)], "{}", report.text());
    assert_eq!(pupil.count(), 6, "each searched before it chose");
}

// SPEC 16.13: a request does not depend on the order in which serde_json keeps members
#[tokio::test]
async fn the_members_of_an_input_are_sent_in_sorted_order() {
    let cases = r#"{"evals": [{"id": 1, "input": {"b": 1, "a": {"d": 2, "c": 3}}, "schema": {}}]}"#;
    let root = place(&[
        ("guess/skill.json", GUESS),
        ("guess/prompt.md", "Guess.\n"),
        ("guess/evals/cases.json", cases),
    ]);
    let model = ScriptedModel::default().text("{}");
    let trial = Trial::new(runner(root.path()).model(model.clone())).runs(1);
    let report = trial.run(&Suite::read(root.path()).unwrap()).await.unwrap();
    let sent = r#"{"a":{"c":3,"d":2},"b":1}"#;
    assert_eq!(report.cases[0].ask, sent, "{}", report.text());
    assert!(format!("{:?}", model.requests()).contains(&format!("{sent:?}")), "{:?}", model.requests());
}

// SPEC 16.11: the directory of a function has another name where `skills new` wrote `-` for `_`
#[test]
fn tests_belong_to_the_function_of_their_directory() {
    let cases = r#"{"evals": [{"id": 1, "input": {}, "schema": {}}]}"#;
    let root = place(&[
        ("my-guess/skill.json", GUESS),
        ("my-guess/evals/cases.json", cases),
        ("prose/evals/cases.json", cases),
    ]);
    let names = |path: &Path| -> Vec<String> {
        Suite::read(path).unwrap().skills.into_iter().map(|tests| tests.skill).collect()
    };
    assert_eq!(names(root.path()), ["guess", "prose"]);
    assert_eq!(names(&root.path().join("my-guess")), ["guess"]);
}

const GUESS: &str = r#"{"name": "guess", "description": "Guesses.", "category": "test", "mode": "llm",
    "input": {"type": "object"}, "output": {"type": "object"}}"#;

/// Twenty cases of ten skills, in prose and by code, and as many queries; one more is a tool only where there is a model.
fn twenty() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    write(root.path(), "guess/skill.json", GUESS);
    write(root.path(), "guess/prompt.md", "Say {\"word\": \"guess-word\"} as JSON.\n");
    for number in 0..10 {
        let name = format!("skill-{number}");
        let (path, text) = skill(&name, &format!("Knows word {number}."));
        write(root.path(), &path, &text);
        let cases = json!({"skill_name": name, "evals": [
            {"id": 1, "prompt": "What is the secret word?", "assertions": [format!("The answer says {name}-word")]},
            {"id": 2, "prompt": "Say it as JSON", "condition": format!("output.word == '{name}-word'")},
        ]});
        write(root.path(), &format!("{name}/evals/evals.json"), &cases.to_string());
        let queries = json!([{"query": format!("use {name}"), "should_trigger": true}]);
        write(root.path(), &format!("{name}/evals/queries.json"), &queries.to_string());
    }
    root
}

// SPEC 16.13: 20 cases, three replays, within a minute and without a model
#[tokio::test]
async fn a_cassette_is_replayed_to_the_same_report() {
    let root = twenty();
    let file = root.path().join("cassette.jsonl");
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let pupil = Pupil::default();
    let recording = Cassette::record(&file).unwrap();
    let trial = |runner: Runner| {
        Trial::new(runner).runs(3).concurrency(8).price(Price { model: Some((3.0, 15.0)), judge: None })
    };
    let asked = trial(runner(root.path()).model(pupil.clone())).judge(Strict).cassette(recording.clone());
    let first = asked.run(&suite).await.unwrap();
    recording.save().unwrap();
    assert_eq!(first.errors(), 0, "{}", first.text());
    let written = std::fs::read_to_string(&file).unwrap();
    let count = pupil.count();
    assert!(count > 100, "{count}");

    let mut reports = Vec::new();
    // In another directory, in another order, and with other numbers of parallel runs, the report has the same bytes.
    let moved = tempfile::tempdir().unwrap();
    for (concurrency, is_moved) in [(1, false), (16, false), (4, true)] {
        let at = if is_moved { copy(root.path(), moved.path()) } else { root.path().to_owned() };
        let replay = Cassette::replay(&file).unwrap();
        let runner = runner(&at);
        let suite = Suite::from_layers(runner.skills()).unwrap();
        let report = trial(runner).concurrency(concurrency).cassette(replay).run(&suite).await.unwrap();
        reports.push(report.to_json().to_string());
    }
    assert_eq!(pupil.count(), count, "nothing was asked");
    let results = first.to_json().to_string();
    assert!(reports.iter().all(|report| *report == results));
    assert_eq!(first.cases.len(), 20);
    assert!(first.to_json()["cost"].as_f64().is_some_and(|cost| cost > 0.0));

    // A second recording of the same cases sends no request, and writes the same file.
    let again = Cassette::record(&file).unwrap();
    let trial = trial(runner(root.path()).model(pupil.clone())).judge(Strict).cassette(again.clone());
    trial.run(&suite).await.unwrap();
    again.save().unwrap();
    assert_eq!(pupil.count(), count);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

fn copy(from: &Path, to: &Path) -> std::path::PathBuf {
    for entry in
        std::fs::read_dir(from).expect("the directory is there").map(|entry| entry.expect("it can be read"))
    {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).expect("it can be made");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
    to.to_owned()
}

// SPEC 16.13
#[tokio::test]
async fn a_missing_exchange_names_the_case_and_the_way_to_record_it() {
    let root = small();
    let file = root.path().join("c.jsonl");
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let recording = Cassette::record_anew(&file);
    trial(root.path()).cassette(recording.clone()).run(&suite).await.unwrap();
    recording.save().unwrap();
    // The text of the skill has changed since.
    let (path, text) = skill("csv", "Analyze CSV files.");
    write(root.path(), &path, &text.replace("Secret", "Hidden"));
    let replay = |runs| Trial::new(runner(root.path())).runs(runs).cassette(Cassette::replay(&file).unwrap());
    let report = replay(2).run(&suite).await.unwrap();
    assert_eq!(states(&report, "csv", "1"), (vec![State::Error; 2], vec![State::Failed; 2]));
    let error = report.cases[0].with.runs[0].error.clone().unwrap();
    assert!(error.contains("no answer of the model for run 1 of csv/1 with the skill, request 1"), "{error}");
    assert!(error.contains("(the messages changed since it was recorded)"), "{error}");
    assert!(error.contains("skills eval --record ") && error.contains("c.jsonl --model MODEL"), "{error}");
    assert!(!report.passes(0.0, true));
    // A run that was not recorded.
    write(root.path(), &path, &text);
    let report = replay(3).run(&suite).await.unwrap();
    assert_eq!(states(&report, "csv", "code").0, [State::Passed, State::Passed, State::Error]);
    assert!(report.queries[0].choices[2].error.as_ref().unwrap().contains("run 3 of csv query \"average"));
}

// SPEC 16.13
#[tokio::test]
async fn a_cassette_of_another_model_is_not_mixed() {
    let root = small();
    let file = root.path().join("c.jsonl");
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let recording = Cassette::record_anew(&file);
    trial(root.path()).cassette(recording.clone()).run(&suite).await.unwrap();
    recording.save().unwrap();
    let other = Trial::new(runner(root.path()).model(Pupil::named("other")))
        .cassette(Cassette::record(&file).unwrap());
    let refused = other.run(&suite).await.unwrap_err().to_string();
    assert!(refused.contains("was recorded with the model `pupil`, not `other`"), "{refused}");
    let refused = Cassette::replay(root.path().join("none.jsonl")).unwrap_err().to_string();
    assert!(refused.contains("none.jsonl: nothing is recorded yet"), "{refused}");
    assert!(refused.contains("`Cassette::record`") && refused.contains("`--record`"), "{refused}");
    for (text, reason) in [
        ("", "it is empty"),
        ("{}\n", "line 1: this is not a cassette"),
        ("{\"cassette\":1}\n{\"a\":1}\n", "line 2: this is neither a text nor an exchange"),
        ("{\"cassette\":1}\n{\n", "line 2: EOF"),
    ] {
        std::fs::write(&file, text).unwrap();
        let refused = Cassette::replay(&file).unwrap_err().to_string();
        assert!(refused.contains(reason), "{text:?}: {refused}");
    }
}

// SPEC 16.13
#[tokio::test]
async fn a_cassette_contains_no_secrets_and_no_paths() {
    let root = small();
    let file = root.path().join("c.jsonl");
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let recording = Cassette::record_anew(&file);
    let reply = "the key is sk-test-0123456789abcdefghij and the word correct-horse-battery";
    let model = Pupil::default().saying(reply);
    let trial = Trial::new(runner(root.path()).model(model))
        .runs(1)
        .judge(Strict)
        .hide("WORD", "correct-horse-battery");
    let report = trial.cassette(recording.clone()).run(&suite).await.unwrap();
    recording.save().unwrap();
    let everything = [
        std::fs::read_to_string(&file).unwrap(),
        report.to_json().to_string(),
        report.page(),
        report.text(),
        report.junit(1.0),
    ];
    for text in everything {
        assert!(!text.contains("correct-horse") && !text.contains("sk-test-0123"), "{text}");
        assert!(!text.contains(root.path().to_str().unwrap()), "{text}");
    }
    assert!(report.cases[0].with.runs[0].answer.contains("[key] and the word [WORD]"));
}

// SPEC 16.16
#[tokio::test]
async fn the_page_counts_graded_cases_and_shows_failed_ones_first() {
    let root = tempfile::tempdir().unwrap();
    let (path, text) = skill("csv", "Analyze CSV files.");
    write(root.path(), &path, &text);
    let long = format!("{} the end", "word ".repeat(60));
    let cases = json!({"evals": [
        {"id": "good", "prompt": "Say it.", "condition": "text == 'yes'"},
        {"id": "prose", "prompt": long, "assertions": ["It is kind."]},
        {"id": "bad", "prompt": "Say it.", "condition": "text == 'no'"}]});
    write(root.path(), "csv/evals/evals.json", &cases.to_string());
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let model = Pupil::default().saying("yes");
    let report = Trial::new(runner(root.path()).model(model)).runs(1).run(&suite).await.unwrap();
    let page = report.page();
    assert!(page.contains("2 graded cases with the skill"), "{page}");
    assert!(report.text().contains("2 cases with the skill"), "{}", report.text());
    let rows: Vec<&str> =
        page.split("<tr class=\"is-").skip(1).filter_map(|row| row.split('"').next()).collect();
    assert_eq!(rows, ["failed", "ungraded", "passed"]);
    for (id, label) in
        [("all", "all 3"), ("failed", "failed 1"), ("ungraded", "not graded 1"), ("passed", "passed 1")]
    {
        let choice = format!("id=\"show-{id}\"");
        let (_, after) = page.split_once(&choice).unwrap_or_else(|| panic!("no {choice}: {page}"));
        assert!(after.split("</label>").next().unwrap().ends_with(label), "{id}: {page}");
        assert!(
            id == "all" || page.contains(&format!("#show-{id}:checked")),
            "a rule of the style sheet hides the others"
        );
    }
    assert!(!page.contains("show-error\""), "a result that no case has is not offered");
    assert!(page.contains(&long), "the whole request is in the page");
}

// SPEC 16.13: a refusal of the provider is not recorded, and an answer that was cut is
#[tokio::test]
async fn a_failed_request_is_not_recorded_as_an_answer() {
    let root = small();
    let mut suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    suite.skills[0].queries.clear();
    let recording = Cassette::record_anew(root.path().join("c.jsonl"));
    let model = Pupil::default().failing();
    let trial = Trial::new(runner(root.path()).model(model)).runs(1).cassette(recording.clone());
    let report = trial.run(&suite).await.unwrap();
    assert_eq!(report.errors(), 4);
    assert!(recording.is_empty() && report.text().contains("error: overloaded"), "{}", report.text());
    let filtered = Answer::new("no").with_finish(Finish::ContentFilter);
    let model = Pupil::default().answering(filtered);
    let trial = Trial::new(runner(root.path()).model(model)).runs(1).cassette(recording.clone());
    assert_eq!(trial.run(&suite).await.unwrap().errors(), 0);
    assert!(!recording.is_empty());
}

// SPEC 16.16
#[tokio::test]
async fn reports_with_any_content_are_printed_in_all_formats() {
    let root = tempfile::tempdir().unwrap();
    let (path, text) = skill("csv", "Analyze CSV files.");
    write(root.path(), &path, &text);
    let hostile = "</td><script>alert(1)</script>\u{202e}\u{1b}[2J\u{0}&amp;'\"]]>";
    let cases =
        json!({"evals": [{"id": hostile, "prompt": hostile, "text": hostile, "assertions": [hostile]}]});
    write(root.path(), "csv/evals/evals.json", &cases.to_string());
    let queries = json!([{"query": hostile, "should_trigger": true}]);
    write(root.path(), "csv/evals/queries.json", &queries.to_string());
    let suite = Suite::from_layers(runner(root.path()).skills()).unwrap();
    let model = Pupil::default().saying(hostile);
    let report =
        Trial::new(runner(root.path()).model(model)).runs(1).judge(Strict).run(&suite).await.unwrap();
    for text in [report.page(), report.junit(1.0)] {
        assert!(
            !text.contains("<script") && !text.contains('\u{202e}') && !text.contains('\u{1b}'),
            "{text}"
        );
        assert!(!text.contains('\u{0}'));
        assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
    }
    let page = report.page();
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("default-src 'none'"));
    assert!(page.contains("class=\"matrix\"") && page.contains("class=\"bar\""));
    let value: Value = serde_json::from_str(&report.to_json().to_string()).unwrap();
    assert_eq!(value["cases"][0]["id"], hostile);
    let same = Difference::between(&value, &report.to_json());
    assert!(same.changes.is_empty() && same.new.is_empty() && same.gone.is_empty());
}

// SPEC 16.12, 16.19: `check` knows all kinds of errors that a case can expect
#[test]
fn each_kind_of_error_is_known() {
    let kinds = skills_call::ErrorKind::ALL.map(skills_call::ErrorKind::as_str);
    assert_eq!(skills_registry::evals::ERROR_KINDS, *[&kinds[..], &["turns"]].concat());
}
