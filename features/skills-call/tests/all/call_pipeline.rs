//! Pipelines: order, overlap, conditions, skips, failures, lists, outputs (SPEC 5.4, 5.6, 5.7).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use skills_call::pipeline::{has_effects, predecessors};
use skills_call::testing::ScriptedModel;
use skills_call::{CallError, CallOptions, Functions, Layers, Runner, StepState};
use tokio::time::{Instant, sleep};

use crate::functions::{Answer, Log, functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;
const PURE: &str = r#""pure": true"#;

/// A library with code skills `a`, `b`, `c`, `d` that take and return any object, and a composite `p`. Only `a` and
/// `c` have effects.
fn pipeline(rest: &str) -> &'static Functions {
    let code = [("a", ""), ("b", PURE), ("c", ""), ("d", PURE)];
    let code = code.map(|(name, pure)| manifest(name, "code", ANY, ANY, pure));
    let composite =
        manifest("p", "composite", ANY, ANY, &format!(r#""calls": ["a", "b", "c", "d"], {rest}"#));
    let [a, b, c, d] = code.each_ref().map(String::as_str);
    let files = [
        ("a/skill.json", a),
        ("b/skill.json", b),
        ("c/skill.json", c),
        ("d/skill.json", d),
        ("p/skill.json", &composite),
    ];
    functions(&files)
}

/// A runner whose code skills return their input, with their own name as `by`.
fn echo(library: &'static Functions) -> Runner {
    Runner::new(library).host(host(|skill, mut input, _| {
        let skill = skill.to_owned();
        Some(Box::pin(async move {
            input["by"] = skill.into();
            Ok(input)
        }))
    }))
}

// SPEC 3.7, 5.1, 5.6, 7.5
#[tokio::test]
async fn research_and_summarize_joins_the_results() {
    let found = r#"{"type": "object", "properties": {"results": {"type": "array", "items": {"type": "object", "properties": {"snippet": {"type": "string"}}}}}}"#;
    let query = r#"{"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "number", "default": 5}}, "required": ["query"]}"#;
    let text = r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#;
    let summary =
        r#"{"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"]}"#;
    let topic = r#"{"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}"#;
    let both =
        r#"{"type": "object", "properties": {"summary": {"type": "string"}, "sources": {"type": "array"}}}"#;
    let steps = r#""calls": ["memory_search", "summarize"], "pipeline": [
        {"step": "search", "skill": "memory_search", "input": {"query": "{{input.topic}}", "limit": 10}},
        {"step": "summarize", "skill": "summarize",
         "input": {"text": "{{steps.search.results | map: snippet | join: '\\n\\n'}}"}}],
        "outputMapping": {"summary": "{{steps.summarize.summary}}", "sources": "{{steps.search.results}}"}"#;
    let library = functions(&[
        ("memory_search/skill.json", &manifest("memory_search", "code", query, found, "")),
        ("summarize/skill.json", &manifest("summarize", "llm", text, summary, "")),
        ("summarize/prompt.md", "Summarize what the user sends.\n"),
        ("research/skill.json", &manifest("research_and_summarize", "composite", topic, both, steps)),
    ]);
    let model = ScriptedModel::default().text(r#"{"summary": "short"}"#);
    let runner = Runner::new(library).model(model.clone()).host(host(|skill, input, _| {
        assert_eq!((skill, input), ("memory_search", json!({"query": "rust", "limit": 10})));
        Some(Box::pin(async { Ok(json!({"results": [{"snippet": "a"}, {"snippet": "b"}]})) }))
    }));
    let options = CallOptions::default();
    let outcome = runner.call_json_with("research_and_summarize", json!({"topic": "rust"}), options).await;
    let outcome = outcome.expect("it runs");
    let sources = json!([{"snippet": "a"}, {"snippet": "b"}]);
    assert_eq!(outcome.output, json!({"summary": "short", "sources": sources}));
    assert_eq!((outcome.usage.input_tokens, outcome.usage.output_tokens), (1, 1));
    let asked = model.requests();
    let user = asked[0].messages.last().expect("a message").text();
    let user: Value = serde_json::from_str(&user).expect("JSON");
    assert_eq!(user["text"], "a\n\nb");
}

// SPEC 5.6
#[tokio::test(start_paused = true)]
async fn independent_steps_overlap_and_records_are_in_file_order() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {"ms": 20}},
        {"step": "two", "skill": "b", "input": {"ms": 10}},
        {"step": "three", "skill": "c", "input": {"ms": 0, "from": "{{steps.one.ms}}"}},
        {"step": "four", "skill": "d", "input": {"ms": 0}, "depends": ["three"]}]"#,
    );
    let log = Log::default();
    let runner = Runner::new(library).on_event(log.observer()).host(host(|_, input, _| {
        Some(Box::pin(async move {
            sleep(Duration::from_millis(input["ms"].as_u64().unwrap_or_default())).await;
            Ok(input)
        }))
    }));
    let outcome = runner.call_json_with("p", json!({}), CallOptions::default()).await.expect("it runs");
    let expected = [
        "start one",
        "start two",
        "end two",
        "end one",
        "start three",
        "end three",
        "start four",
        "end four",
    ];
    assert_eq!(log.steps(), expected);
    let order: Vec<&str> = outcome.steps.iter().map(|record| record.step.as_str()).collect();
    assert_eq!(order, ["one", "two", "three", "four"]);
    assert_eq!(outcome.output, json!({"ms": 0}), "the output is that of the last step in the file");
}

// SPEC 5.6
#[tokio::test(start_paused = true)]
async fn a_step_that_searches_finds_what_the_step_before_it_stored() {
    let steps = r#""calls": ["store", "search"], "pipeline": [
        {"step": "first", "skill": "store", "input": {"ms": 20}},
        {"step": "second", "skill": "search", "input": {"ms": 0}}]"#;
    let library = functions(&[
        ("store/skill.json", &manifest("store", "code", ANY, ANY, "")),
        ("search/skill.json", &manifest("search", "code", ANY, ANY, "")),
        ("p/skill.json", &manifest("p", "composite", ANY, ANY, steps)),
    ]);
    let stored = Arc::new(AtomicUsize::new(0));
    let runner = Runner::new(library).host(host(move |skill, input, _| {
        let (stored, is_store) = (Arc::clone(&stored), skill == "store");
        Some(Box::pin(async move {
            sleep(Duration::from_millis(input["ms"].as_u64().unwrap_or_default())).await;
            if is_store {
                stored.store(1, Ordering::SeqCst);
            }
            Ok(json!({"found": stored.load(Ordering::SeqCst)}))
        }))
    }));
    assert_eq!(runner.call_json("p", json!({})).await.expect("it runs"), json!({"found": 1}));
}

// SPEC 5.6
#[test]
fn one_step_with_effects_runs_at_a_time() {
    let nested = |skills: &str, step: &str| {
        format!(
            r#""calls": [{skills}], "pipeline": [{{"step": "one", "skill": "{step}", "input": {{}}}},
            {{"step": "two", "skill": "ask", "input": {{}}}}]"#
        )
    };
    let all: Vec<String> = ["write", "ask", "sum", "pure_inside", "write", "effect_inside", "sum"]
        .iter()
        .zip(1..)
        .map(|(skill, at)| format!(r#"{{"step": "s{at}", "skill": "{skill}", "input": {{}}}}"#))
        .collect();
    let calls = r#""calls": ["write", "ask", "sum", "pure_inside", "effect_inside"]"#;
    let all = format!(r#"{calls}, "pipeline": [{}]"#, all.join(", "));
    let library = functions(&[
        ("write/skill.json", &manifest("write", "code", ANY, ANY, "")),
        ("sum/skill.json", &manifest("sum", "code", ANY, ANY, PURE)),
        ("ask/skill.json", &manifest("ask", "llm", ANY, ANY, "")),
        ("ask/prompt.md", "Ask."),
        ("host/skill.json", &manifest("host", "composite", ANY, ANY, "")),
        (
            "pure_inside/skill.json",
            &manifest("pure_inside", "composite", ANY, ANY, &nested(r#""sum", "ask""#, "sum")),
        ),
        (
            "effect_inside/skill.json",
            &manifest("effect_inside", "composite", ANY, ANY, &nested(r#""write", "ask""#, "write")),
        ),
        ("p/skill.json", &manifest("p", "composite", ANY, ANY, &all)),
    ]);
    let layers = Layers::from(library);
    let effects = |skill: &str| has_effects(&layers, skill);
    let skills = ["write", "sum", "ask", "host", "pure_inside", "effect_inside", "p", "nobody"];
    let expected = [true, false, false, true, false, true, true, true];
    assert_eq!(skills.map(effects), expected);
    let pipeline = library.find("p").and_then(|function| function.pipeline).expect("it has one");
    let waits = predecessors(pipeline, &effects);
    assert_eq!(waits, [vec![], vec![], vec![], vec![], vec![0], vec![4], vec![]]);
    let plan = Runner::new(library).plan("p", "{}").expect("its input fits");
    assert_eq!(plan.steps[4].after, ["s1"], "a plan says it too");
}

// SPEC 5.6
#[tokio::test(start_paused = true)]
async fn a_limit_of_one_runs_steps_in_file_order() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {}}, {"step": "two", "skill": "b", "input": {}},
        {"step": "three", "skill": "c", "input": {}}]"#,
    );
    let log = Log::default();
    echo(library).on_event(log.observer()).concurrency(1).call_json("p", json!({})).await.expect("it runs");
    let expected = ["start one", "end one", "start two", "end two", "start three", "end three"];
    assert_eq!(log.steps(), expected);
}

// SPEC 5.4
#[tokio::test]
async fn steps_that_need_a_skipped_step_are_skipped() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {}, "condition": "input.go"},
        {"step": "two", "skill": "b", "input": {"x": "{{steps.one.by}}"}},
        {"step": "three", "skill": "c", "input": {"x": "{{steps.two.by || 'none'}}"}, "condition": "!steps.one"},
        {"step": "four", "skill": "d", "input": {}, "depends": ["two"]}],
        "outputMapping": {"one": "{{steps.one.by}}", "three": "{{steps.three.x}}", "four": "{{steps.four.by}}"}"#,
    );
    let log = Log::default();
    let runner = echo(library).on_event(log.observer());
    let outcome = runner.call_json_with("p", json!({"go": false}), CallOptions::default()).await;
    let outcome = outcome.expect("it runs");
    assert_eq!(outcome.output, json!({"three": "none", "four": "d"}));
    let states: Vec<StepState> = outcome.steps.into_iter().map(|record| record.state).collect();
    assert_eq!(states, [StepState::Skipped, StepState::Skipped, StepState::Done, StepState::Done]);
    assert!(log.steps().contains(&"skipped two".to_owned()));

    let output = runner.call_json("p", json!({"go": "yes"})).await.expect("it runs");
    assert_eq!(output, json!({"one": "a", "four": "d"}), "step three is skipped and leaves its key out");
}

// SPEC 5.7
#[tokio::test]
async fn without_a_mapping_the_last_executed_step_gives_the_output() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {}, "condition": "input.one"},
        {"step": "two", "skill": "b", "input": {}, "condition": "input.two"}]"#,
    );
    let runner = echo(library);
    let call = async |input| runner.call_json("p", input).await.expect("it runs");
    assert_eq!(call(json!({"one": 1, "two": 1})).await, json!({"by": "b"}));
    assert_eq!(call(json!({"one": 1})).await, json!({"by": "a"}));
    assert_eq!(call(json!({})).await, json!({}));
}

// SPEC 5.7, 6.4
#[tokio::test(start_paused = true)]
async fn a_failed_step_fails_the_call_with_its_name_and_cause() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {}}, {"step": "two", "skill": "b", "input": {}}]"#,
    );
    let log = Log::default();
    let runner = Runner::new(library).on_event(log.observer()).host(host(|skill, _, _| {
        let fails = skill == "b";
        Some(Box::pin(async move {
            if fails {
                return Err("out of order".into());
            }
            std::future::pending().await
        }))
    }));
    let error = runner.call_json("p", json!({})).await.expect_err("step two fails");
    assert_eq!(error.to_string(), "Skill \"p\" failed at step \"two\": Skill \"b\" failed: out of order");
    assert!(matches!(&error, CallError::Step { step, item: None, .. } if step == "two"));
    let ends = ["end two: Skill \"b\" failed: out of order", "end one: Skill \"a\" was cancelled"];
    assert_eq!(log.steps(), ["start one", "start two", ends[0], ends[1]]);
}

// SPEC 5.7
#[tokio::test(start_paused = true)]
async fn a_step_that_cannot_begin_ends_the_steps_that_still_run() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "b", "input": {}},
        {"step": "two", "skill": "d", "input": {"n": "{{item}}"}, "foreach": "{{input.list}}"}]"#,
    );
    let log = Log::default();
    let runner = Runner::new(library)
        .on_event(log.observer())
        .host(host(|_, _, _| -> Option<Answer<'_>> { Some(Box::pin(std::future::pending())) }));
    let start = Instant::now();
    let error = runner.call_json("p", json!({"list": null})).await.expect_err("there is no list");
    assert_eq!(error.to_string(), "Skill \"p\" failed at step \"two\": foreach expects an array, found null");
    assert_eq!(start.elapsed(), Duration::ZERO, "it does not wait for step one");
    let ends = ["end two: foreach expects an array, found null", "end one: Skill \"b\" was cancelled"];
    assert_eq!(log.steps(), ["start one", "start two", ends[0], ends[1]]);
}

// SPEC 5.4, 7.6
#[tokio::test(start_paused = true)]
async fn a_skipped_step_is_reported_while_other_steps_run() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "b", "input": {}},
        {"step": "two", "skill": "d", "input": {}, "condition": "input.no"}]"#,
    );
    let log = Log::default();
    let before_end = log.clone();
    let runner = Runner::new(library).on_event(log.observer()).host(host(move |_, input, _| {
        let log = before_end.clone();
        Some(Box::pin(async move {
            sleep(Duration::from_millis(10)).await;
            assert_eq!(log.steps(), ["start one", "skipped two"]);
            Ok(input)
        }))
    }));
    runner.call_json("p", json!({})).await.expect("it runs");
}

// SPEC 5.7
#[tokio::test]
async fn a_step_that_continues_on_error_has_the_error_as_result() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "one", "skill": "a", "input": {}, "continueOnError": true},
        {"step": "two", "skill": "b", "input": {"failed": "{{steps.one._failed}}"}},
        {"step": "many", "skill": "c", "input": {"n": "{{item}}"}, "foreach": "{{input.list}}", "continueOnError": true}],
        "outputMapping": {"one": "{{steps.one}}", "two": "{{steps.two}}", "many": "{{steps.many.results}}"}"#,
    );
    let runner = Runner::new(library).host(host(|skill, input, _| {
        let fails = skill == "a" || input["n"] == json!(2);
        Some(Box::pin(async move { if fails { Err("no".into()) } else { Ok(input) } }))
    }));
    let outcome = runner.call_json_with("p", json!({"list": [1, 2, 3]}), CallOptions::default()).await;
    let outcome = outcome.expect("it goes on");
    let error = |skill| json!({"_error": format!("Skill \"{skill}\" failed: no"), "_failed": true});
    let expected = json!({
        "one": error("a"),
        "two": {"failed": true},
        "many": [{"n": 1}, error("c"), {"n": 3}],
    });
    assert_eq!(outcome.output, expected);
    assert_eq!(outcome.steps[0].state, StepState::Failed("Skill \"a\" failed: no".to_owned()));
}

// SPEC 5.7
#[tokio::test(start_paused = true)]
async fn attempts_wait_and_the_waits_double() {
    let library = pipeline(
        r#""pipeline": [{"step": "one", "skill": "a", "input": {}, "retry": 3, "retryDelay": 100, "timeout": 50}]"#,
    );
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let runner = Runner::new(library).host(host(move |_, input, _| {
        let attempt = counted.fetch_add(1, Ordering::SeqCst);
        Some(Box::pin(async move {
            match attempt {
                0 => Err("first".into()),
                1 => std::future::pending().await,
                2 => Err("third".into()),
                _ => Ok(input),
            }
        }))
    }));
    let start = Instant::now();
    runner.call_json("p", json!({})).await.expect("the fourth attempt succeeds");
    // Waits of 100, 200 and 400 ms, and one attempt that took its limit of 50.
    assert_eq!(start.elapsed().as_millis(), 750);
    assert_eq!(tries.load(Ordering::SeqCst), 4);
}

// SPEC 5.7
#[tokio::test]
async fn a_list_of_ten_thousand_runs_a_few_at_a_time_and_keeps_its_order() {
    let library = pipeline(
        r#""pipeline": [{"step": "many", "skill": "a", "input": {"n": "{{item}}", "at": "{{index}}"},
         "foreach": "{{input.list}}", "maxConcurrency": 7}], "timeout": 600000"#,
    );
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let runner = Runner::new(library).host(host(move |_, input, _| {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        Some(Box::pin(async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Later items overtake earlier ones.
            for _ in 0..input["n"].as_u64().unwrap_or_default() % 5 {
                tokio::task::yield_now().await;
            }
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(input)
        }))
    }));
    let list: Vec<u64> = (0..10_000).collect();
    let output = runner.call_json("p", json!({"list": list})).await.expect("it runs");
    let results = output["results"].as_array().expect("an array");
    assert_eq!(results.len(), 10_000);
    for (at, result) in results.iter().enumerate() {
        assert_eq!(*result, json!({"n": at, "at": at}));
    }
    assert_eq!(seen.load(Ordering::SeqCst), 7);
}

// SPEC 5.7
#[tokio::test]
async fn foreach_runs_items_one_at_a_time_by_default_and_needs_a_list() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "many", "skill": "a", "input": {"n": "{{item}}"}, "foreach": "{{input.list}}"},
        {"step": "more", "skill": "b", "input": {"n": "{{item}}"}, "foreach": "{{steps.many.results}}", "maxConcurrency": 0}]"#,
    );
    let counts = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let most = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let seen = most.clone();
    let runner = Runner::new(library).concurrency(3).host(host(move |skill, input, _| {
        let at = usize::from(skill == "b");
        let (now, most) = (Arc::clone(&counts[at]), Arc::clone(&most[at]));
        Some(Box::pin(async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(input)
        }))
    }));
    runner.call_json("p", json!({"list": [1, 2, 3, 4, 5]})).await.expect("it runs");
    assert_eq!(seen.map(|most| most.load(Ordering::SeqCst)), [1, 3]);
    for (list, found) in [(json!("x"), "a string"), (json!({"a": 1}), "an object"), (Value::Null, "null")] {
        let error = runner.call_json("p", json!({"list": list})).await.expect_err("no array");
        let text = format!("Skill \"p\" failed at step \"many\": foreach expects an array, found {found}");
        assert_eq!(error.to_string(), text);
    }
    let error = runner.call_json("p", json!({})).await.expect_err("nothing");
    assert!(error.to_string().ends_with("found no value"), "{error}");
}

// SPEC 5.2
#[tokio::test]
async fn inputs_keep_types_at_any_depth_and_leave_missing_keys_out() {
    let library = pipeline(
        r#""pipeline": [{"step": "one", "skill": "a", "input": {
            "n": "{{input.n}}", "deep": {"list": ["{{input.n}}", "{{input.gone}}", "n={{input.n}}{{input.gone}}"]},
            "gone": "{{input.gone}}", "plain": true}}]"#,
    );
    let output = echo(library).call_json("p", json!({"n": 3})).await.expect("it runs");
    assert_eq!(output, json!({"n": 3, "deep": {"list": [3, null, "n=3"]}, "plain": true, "by": "a"}));
}

// SPEC 12.1
#[tokio::test]
async fn a_template_that_grows_too_large_is_an_error() {
    let library = pipeline(
        r#""pipeline": [{"step": "one", "skill": "a", "input": {"x": "{{input.x}}{{input.x}}{{input.x}}{{input.x}}"}}]"#,
    );
    let runner = echo(library).max_output(1_000);
    let error = runner.call_json("p", json!({"x": "y".repeat(500)})).await.expect_err("2,000 bytes");
    assert!(error.to_string().contains("more than 1000 bytes of text"), "{error}");
}

// SPEC 5.2, 12.2
#[tokio::test]
async fn numbers_keep_their_digits_through_templates() {
    let library = pipeline(
        r#""pipeline": [
        {"step": "many", "skill": "a", "input": {"n": "{{item.n}}"}, "foreach": "{{input.list}}"},
        {"step": "one", "skill": "b", "input": {"all": "{{steps.many.results | map: n}}"}}],
        "outputMapping": {"z": "{{steps.one.all}}", "a": "{{steps.many.results}}"}"#,
    );
    struct Verbatim;
    impl skills_call::Dispatch for Verbatim {
        fn call<'a>(
            &'a self,
            _: &str,
            input: String,
            _: &'a skills_call::Context,
        ) -> Option<skills_call::BoxFuture<'a, Result<String, skills_call::Failure>>> {
            Some(Box::pin(async { Ok(input) }))
        }
    }
    let runner = Runner::new(library).host(Verbatim);
    let input = r#"{"list":[{"n":123456789012345678901234567890},{"n":0.10},{"n":1e2}]}"#;
    let outcome = runner.call_text("p", input, CallOptions::default()).await.expect("it runs");
    let expected = r#"{"z":[123456789012345678901234567890,0.10,1e2],"a":[{"n":123456789012345678901234567890},{"n":0.10},{"n":1e2}]}"#;
    assert_eq!(outcome.output, expected);
}
