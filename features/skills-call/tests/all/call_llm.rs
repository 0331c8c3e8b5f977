//! Tests skills that a model runs: requests, answers, attempts and their cost (SPEC 7.5).

use std::time::Duration;

use serde_json::json;
use skills_call::model::{Answer, Delta, Finish, Role, Usage};
use skills_call::testing::ScriptedModel;
use skills_call::{CallError, CallOptions, ErrorKind, Event, Functions, Input, Output, Runner};
use skills_runtime::typed::{Checked, Invalid};
use tokio::time::Instant;

use crate::functions::{Log, functions, manifest};

const INPUT: &str = r#"{"type":"object","properties":{"code":{"type":"string"},"level":{"type":"string","default":"all"}},"required":["code"]}"#;
const OUTPUT: &str = r#"{"type":"object","properties":{"passed":{"type":"boolean"}},"required":["passed"]}"#;

/// The skill `review`, with this many attempts after the first.
fn review(retry: u32) -> &'static Functions {
    functions(&[
        ("review/skill.json", &manifest("review", "llm", INPUT, OUTPUT, &format!("\"retry\": {retry}"))),
        ("review/prompt.md", "Review for {{input.level}} issues.{{#if input.code}} There is code.{{/if}}\n"),
    ])
}

fn runner(retry: u32, model: &ScriptedModel) -> Runner {
    Runner::new(review(retry)).model(model.clone())
}

// SPEC 5.8, 7.5
#[tokio::test]
async fn the_model_gets_prompt_schema_and_input() {
    let model = ScriptedModel::default().text(r#"{"passed": true}"#);
    let output = runner(0, &model).call_json("review", json!({"code": "x"})).await.expect("it fits");
    assert_eq!(output, json!({"passed": true}));
    let requests = model.requests();
    let [system, user] = requests[0].messages.as_slice() else { panic!("{requests:?}") };
    assert_eq!((system.role, user.role), (Role::System, Role::User));
    let (system, user) = (system.text(), user.text());
    assert!(system.starts_with("Review for all issues. There is code.\n"), "{system}");
    assert!(system.ends_with(OUTPUT), "{system}");
    assert_eq!(user, r#"{"code":"x","level":"all"}"#);
    let schema = requests[0].response_schema.as_ref().expect("structured output is asked for");
    assert_eq!(schema.name, "review");
    assert_eq!(schema.schema["required"], json!(["passed"]));
}

struct Review;

impl Input for Review {
    type Bundle = ();
    type Output = CheckedBy;
    const NAME: &'static str = "review";

    fn to_json(&self) -> String {
        r#"{"code": "x"}"#.to_owned()
    }
}

/// The checker that has checked an output.
struct CheckedBy(Checked);

impl Output for CheckedBy {
    fn from_json(_: &str) -> Result<Self, Invalid> {
        Ok(Self(Checked::default()))
    }

    fn from_checked(_: &str, checked: Checked) -> Result<Self, Invalid> {
        Ok(Self(checked))
    }
}

// SPEC 6.4, 7.5
#[tokio::test]
async fn a_typed_call_does_not_check_an_answer_again() {
    let library = review(0);
    let model = ScriptedModel::default().text(r#"{"passed": true}"#);
    let runner: Runner = Runner::of_bundle(library, None).model(model);
    let CheckedBy(checked) = runner.call(Review).await.expect("it fits");
    let function = library.find("review").expect("it is a function");
    assert_eq!(checked, Checked::by(function.output));
}

// SPEC 7.5, 7.6
#[tokio::test]
async fn a_wrong_answer_is_sent_back_with_its_violations() {
    let model = ScriptedModel::default()
        .text("I think it is fine.")
        .text("```json\n{\"passed\": \"yes\"}\n```")
        .text("Now:\n```json\n{\"passed\": false}\n```");
    let log = Log::default();
    let runner = runner(5, &model).on_event(log.observer());
    let outcome = runner.call_json_with("review", json!({"code": "x"}), CallOptions::default()).await;
    let outcome = outcome.expect("the third answer fits");
    assert_eq!(outcome.output, json!({"passed": false}));
    assert_eq!(outcome.usage, Usage { input_tokens: 3, output_tokens: 3 });
    let retries = log.events().into_iter().filter_map(|event| match event {
        Event::ValidationRetry { attempt, max_attempts, violations, .. } => {
            Some((attempt, max_attempts, violations[0].to_string()))
        }
        _ => None,
    });
    let expected = [
        (1, 3, "(root): json: expected a JSON value, found an answer without JSON".to_owned()),
        (2, 3, "/passed: type: expected a boolean, found \"yes\"".to_owned()),
    ];
    assert!(retries.eq(expected.clone()));
    let last = &model.requests()[2].messages;
    let roles: String = last
        .iter()
        .map(|message| match message.role {
            Role::System => 's',
            Role::User => 'u',
            Role::Assistant => 'a',
            _ => '?',
        })
        .collect();
    assert_eq!(roles, "suauau");
    assert!(last[5].text().contains(&expected[1].2), "{last:?}");
    let results: Vec<Usage> = log
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Result { usage, .. } => Some(*usage),
            _ => None,
        })
        .collect();
    assert_eq!(results, [Usage { input_tokens: 3, output_tokens: 3 }]);
}

// SPEC 7.5
#[tokio::test]
async fn attempts_are_limited_by_retry_and_three() {
    for (retry, attempts) in [(0, 1), (1, 2), (2, 3), (9, 3)] {
        let model = (0..10).fold(ScriptedModel::default(), |model, _| model.text("{}"));
        let error =
            runner(retry, &model).call_json("review", json!({"code": "x"})).await.expect_err("it never fits");
        assert_eq!(model.requests().len(), attempts);
        let text = "Skill \"review\" output validation failed\n(root): required: expected the property \"passed\", found none";
        assert_eq!(error.to_string(), text);
        // SPEC 7.5: the program gets the answer, and messages for clients and logs do not contain it.
        assert_eq!(error.answer(), Some("{}"));
        assert_eq!(error.for_clients(), text);
    }
}

// SPEC 7.5
#[tokio::test(start_paused = true)]
async fn a_transport_error_costs_an_attempt_and_a_wait() {
    let model = ScriptedModel::default().error("503", true).silence().text(r#"{"passed": true}"#);
    let start = Instant::now();
    let options = CallOptions::default().timeout(Duration::from_millis(500));
    runner(2, &model).call_json_with("review", json!({"code": "x"}), options).await.expect("the third fits");
    assert_eq!(start.elapsed().as_millis(), 1_000 + 500 + 2_000);

    let model = ScriptedModel::default().error("401", false).text(r#"{"passed": true}"#);
    let error = runner(2, &model).call_json("review", json!({"code": "x"})).await.expect_err("for good");
    assert_eq!(error.to_string(), "Skill \"review\" got no answer from the model: 401");
    // SPEC 6.8
    assert_eq!(error.for_clients(), "Skill \"review\" got no answer from the model; the log says why");
    assert_eq!(model.requests().len(), 1);
}

// SPEC 6.4, 7.5
#[tokio::test(start_paused = true)]
async fn a_silent_model_times_out_and_a_missing_one_is_an_error() {
    let model = ScriptedModel::default().silence();
    let error = runner(0, &model).call_json("review", json!({"code": "x"})).await.expect_err("silence");
    assert_eq!(error.to_string(), "Skill \"review\" timed out after 30000ms");
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let runner = Runner::new(review(0));
    assert!(!runner.is_callable("review"));
    let error = runner.call_json("review", json!({"code": "x"})).await.expect_err("no model");
    assert_eq!(
        (error.to_string().as_str(), error.kind()),
        ("Skill \"review\" (llm) has no model", ErrorKind::NoModel)
    );
}

// SPEC 7.5, 12.1
#[tokio::test]
async fn hostile_answers_are_validation_errors() {
    let deep = "[".repeat(100_000);
    let giant = "x".repeat(2_000_000);
    let nested = "````\n```json\n{\"passed\": \"```json\\n{\\\"passed\\\": true}\\n```\"}\n```\n````";
    let twice = r#"{"passed": true, "passed": false}"#;
    for answer in ["", "null", "{", "\u{0}", "```json", &deep, &giant, nested, twice] {
        let model = ScriptedModel::default().text(answer).text(r#"{"passed": true}"#);
        let runner = runner(1, &model).max_output(1_000_000);
        let output = runner.call_json("review", json!({"code": "x"})).await.expect("repaired");
        assert_eq!(output, json!({"passed": true}));
        let asked = model.requests();
        assert_eq!(asked.len(), 2, "{}", &answer[..answer.len().min(40)]);
        let echoed = asked[1].messages.iter().map(|message| message.text().len());
        assert!(echoed.sum::<usize>() < 20_000);
    }
}

// SPEC 7.5
#[tokio::test]
async fn an_answer_that_was_cut_says_so_and_one_that_was_refused_is_final() {
    let cut = |text: &str, finish| Answer::new(text).with_finish(finish);
    let model = ScriptedModel::default().answer(cut("{\"passed\": tr", Finish::Length));
    let error = runner(0, &model).call_json("review", json!({"code": "x"})).await.expect_err("cut");
    assert!(error.to_string().ends_with("found an answer that was cut off at the token limit"), "{error}");
    let model = ScriptedModel::default().answer(cut("", Finish::ContentFilter)).text(r#"{"passed": true}"#);
    let error = runner(2, &model).call_json("review", json!({"code": "x"})).await.expect_err("refused");
    assert!(matches!(error, CallError::Model { .. }), "{error}");
    assert_eq!(model.requests().len(), 1);
}

// SPEC 7.5
#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_off_is_tried_again() {
    let model =
        ScriptedModel::default().deltas([Delta::Text("{\"pas".to_owned())]).text(r#"{"passed": true}"#);
    runner(1, &model).call_json("review", json!({"code": "x"})).await.expect("the second is whole");
    assert_eq!(model.requests().len(), 2);
}

// SPEC 5.7, 6.4
#[tokio::test(start_paused = true)]
async fn a_step_repeats_an_answer_that_does_not_fit_and_tells_the_model_why() {
    let skills = |retry: u32| {
        let step =
            r#"{"step": "one", "skill": "review", "input": {"code": "x"}, "retry": RETRY, "retryDelay": 0}"#;
        let pipeline =
            format!("\"calls\": [\"review\"], \"pipeline\": [{}]", step.replace("RETRY", &retry.to_string()));
        functions(&[
            ("review/skill.json", &manifest("review", "llm", INPUT, OUTPUT, "\"retry\": 0")),
            ("review/prompt.md", "Review it."),
            ("p/skill.json", &manifest("p", "composite", "{}", OUTPUT, &pipeline)),
        ])
    };
    let model = || ScriptedModel::default().text("{}").text("no").text(r#"{"passed": true}"#);
    let good = model();
    let runner = Runner::new(skills(2)).model(good.clone());
    let output = runner.call_json("p", json!({})).await.expect("the third attempt fits");
    assert_eq!(output, json!({"passed": true}));
    let systems: Vec<String> =
        good.requests().iter().map(|request| request.messages[0].text().to_owned()).collect();
    let [first, second, third] = systems.as_slice() else { panic!("{systems:?}") };
    assert!(!first.contains("earlier answer"), "{first}");
    assert!(
        second.ends_with("\n- (root): required: expected the property \"passed\", found none\n"),
        "{second}"
    );
    assert!(
        third.ends_with("\n- (root): json: expected a JSON value, found an answer without JSON\n"),
        "{third}"
    );

    let bad = model();
    let runner = Runner::new(skills(1)).model(bad.clone());
    let error = runner.call_json("p", json!({})).await.expect_err("two attempts do not fit");
    assert_eq!((bad.requests().len(), error.answer()), (2, Some("no")));
}

// SPEC 7.12
#[tokio::test]
async fn the_last_value_that_fits_is_the_answer() {
    for (answer, expected) in [
        ("<think>{\"passed\": true}</think>{\"passed\": false}", Ok(false)),
        ("{\"passed\": true} or {\"passed\": false}?", Ok(false)),
        ("{\"passed\": true}\nHope it helps {}.", Ok(true)),
        ("\"{\\\"passed\\\": true}\"", Ok(true)),
        ("```bash\necho '{}'\n```\n{\"passed\": true}", Ok(true)),
        ("{\"passed\": \"yes\"} {}", Err("/passed: type: expected a boolean, found \"yes\"")),
        ("[1] {\"passed\": 1}", Err("/passed: type: expected a boolean, found 1")),
        (
            "Like {\"passed\": true}:\n{\"passed\": false,}",
            Err("(root): json: expected a JSON value, found 2:17: trailing comma"),
        ),
        (
            "Here:\n{\"passed\": true, \"passed\": false}",
            Err("(root): json: expected a JSON value, found 2:18: duplicate key"),
        ),
        (
            "<think>{\"passed\": true}",
            Err("(root): json: expected a JSON value, found an answer that ends inside of thinking"),
        ),
    ] {
        let model = ScriptedModel::default().text(answer);
        let result = runner(0, &model).call_json("review", json!({"code": "x"})).await;
        match (result, expected) {
            (Ok(output), Ok(passed)) => assert_eq!(output, json!({"passed": passed}), "{answer}"),
            (Err(error), Err(text)) => assert_eq!(error.violations()[0].to_string(), text, "{answer}"),
            (result, _) => panic!("{answer}: {result:?}"),
        }
    }
}
