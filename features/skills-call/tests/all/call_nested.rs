//! Tests calls within calls: depth, shared data, cancellation, and options of the caller (SPEC 6.2, 6.4, 7.6).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use skills_call::{CallError, CallOptions, Cancellation, ErrorKind, Event, Functions, Input, Output, Runner};
use skills_runtime::typed::Invalid;
use tokio::time::{Instant, sleep};

use crate::functions::{Log, functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

fn code(names: &[&str]) -> &'static Functions {
    let files: Vec<(String, String)> = names
        .iter()
        .map(|name| (format!("{name}/skill.json"), manifest(name, "code", ANY, ANY, "")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    functions(&files)
}

/// A skill that calls itself as often as its input says.
fn nesting() -> Runner {
    Runner::new(code(&["nest"])).host(host(|_, input, context| {
        Some(Box::pin(async move {
            let left = input["left"].as_u64().unwrap_or_default();
            context.scratch(|map| map.insert(format!("at {}", context.depth()), true.into()));
            if left > 1 {
                return Ok(context.call_json("nest", json!({"left": left - 1})).await?);
            }
            Ok(json!({"depth": context.depth(), "shared": context.scratch(|map| map.len())}))
        }))
    }))
}

// SPEC 6.2, 6.4
#[tokio::test]
async fn ten_nested_calls_succeed_and_the_eleventh_fails() {
    let output = nesting().call_json("nest", json!({"left": 10})).await.expect("ten");
    assert_eq!(output, json!({"depth": 9, "shared": 10}));
    let error = nesting().call_json("nest", json!({"left": 11})).await.expect_err("eleven");
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    assert_eq!(cause.to_string(), "Skill \"nest\" exceeded max call depth (10/10)");
    assert!(!error.is_retryable());
}

/// Pipelines of one step, each around the next, around a code skill: `count` calls in all.
fn chain(count: usize) -> Runner {
    let name = |at: usize| format!("s{at}");
    let manifest = |at: usize| {
        if at + 1 == count {
            return manifest(&name(at), "code", ANY, ANY, "");
        }
        let next = name(at + 1);
        let step = format!(
            r#""calls": ["{next}"], "pipeline": [{{"step": "on", "skill": "{next}", "input": {{}}}}]"#
        );
        manifest(&name(at), "composite", ANY, ANY, &step)
    };
    let files: Vec<(String, String)> =
        (0..count).map(|at| (format!("{}/skill.json", name(at)), manifest(at))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Runner::new(functions(&files)).host(host(|_, _, context| {
        let depth = context.depth();
        Some(Box::pin(async move { Ok(json!({"depth": depth})) }))
    }))
}

// SPEC 6.4
#[tokio::test]
async fn pipelines_count_as_calls() {
    let output = chain(10).call_json("s0", json!({})).await.expect("ten");
    assert_eq!(output, json!({"depth": 9}));
    let error = chain(11).call_json("s0", json!({})).await.expect_err("eleven");
    assert!(error.to_string().ends_with("Skill \"s10\" exceeded max call depth (10/10)"), "{error}");
}

// SPEC 6.2
#[tokio::test]
async fn each_top_level_call_has_its_own_scratch_map() {
    let runner = nesting();
    for _ in 0..2 {
        let output = runner.call_json("nest", json!({"left": 2})).await.expect("it runs");
        assert_eq!(output["shared"], 2);
    }
}

// SPEC 6.4
#[tokio::test(start_paused = true)]
async fn failures_of_a_function_are_repeated_and_wrong_outputs_are_not() {
    let output = r#"{"type": "object", "required": ["ok"]}"#;
    let library = functions(&[(
        "flaky/skill.json",
        &manifest("flaky", "code", ANY, output, r#""retry": 2, "timeout": 100"#),
    )]);
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let runner = Runner::new(library).host(host(move |_, input, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        Some(Box::pin(async move {
            match input["do"].as_str() {
                Some("fail") => Err("no".into()),
                Some("hang") => std::future::pending().await,
                _ => Ok(json!({})),
            }
        }))
    }));
    for (what, attempts, millis, text) in [
        ("fail", 3, 3_000, "Skill \"flaky\" failed: no"),
        ("hang", 3, 3_300, "Skill \"flaky\" timed out after 100ms"),
        (
            "wrong",
            1,
            0,
            "Skill \"flaky\" output validation failed\n(root): required: expected the property \"ok\", found none",
        ),
    ] {
        tries.store(0, Ordering::SeqCst);
        let start = Instant::now();
        let error = runner.call_json("flaky", json!({"do": what})).await.expect_err("it never succeeds");
        assert_eq!(error.to_string(), text);
        assert_eq!((tries.load(Ordering::SeqCst), start.elapsed().as_millis()), (attempts, millis), "{what}");
    }
    tries.store(0, Ordering::SeqCst);
    runner.call_json("flaky", json!([])).await.expect_err("no object");
    assert_eq!(tries.load(Ordering::SeqCst), 0, "a wrong input runs nothing");
}

/// Tells when it is dropped.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

// SPEC 6.4
#[tokio::test(start_paused = true)]
async fn dropping_or_cancelling_a_call_ends_everything() {
    let steps = r#""calls": ["wait"], "pipeline": [
        {"step": "many", "skill": "wait", "input": {}, "foreach": "{{input.list}}", "maxConcurrency": 0},
        {"step": "one", "skill": "wait", "input": {}}]"#;
    let library = functions(&[
        ("wait/skill.json", &manifest("wait", "code", ANY, ANY, r#""pure": true"#)),
        ("all/skill.json", &manifest("all", "composite", ANY, ANY, steps)),
    ]);
    let (alive, cancelled) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, heard) = (Arc::clone(&alive), Arc::clone(&cancelled));
    let runner = Runner::new(library).concurrency(4).host(host(move |_, _, context| {
        let (alive, cancelled) = (Alive::new(&counted), Arc::clone(&heard));
        let cancellation = context.cancellation().clone();
        // A function that outlives its call can see that it was cancelled.
        let thread = tokio::spawn(async move {
            while !cancellation.is_cancelled() {
                sleep(Duration::from_millis(10)).await;
            }
            cancelled.fetch_add(1, Ordering::SeqCst);
        });
        Some(Box::pin(async move {
            let _alive = alive;
            let never: Value = std::future::pending().await;
            drop(thread);
            Ok(never)
        }))
    }));
    let list = json!({"list": [1, 2, 3, 4, 5, 6, 7, 8]});
    tokio::select! {
        result = runner.call_json("all", list.clone()) => panic!("{result:?}"),
        () = sleep(Duration::from_millis(100)) => {}
    }
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(cancelled.load(Ordering::SeqCst), 5, "four items and one step");

    let cancellation = Cancellation::default();
    let options = CallOptions::default().cancellation(cancellation.clone());
    let cancel = async {
        sleep(Duration::from_millis(100)).await;
        assert_eq!(alive.load(Ordering::SeqCst), 5);
        cancellation.cancel();
    };
    let (result, ()) = tokio::join!(runner.call_json_with("all", list, options), cancel);
    let error = result.expect_err("cancelled");
    assert_eq!(
        (error.to_string().as_str(), error.kind()),
        ("Skill \"all\" was cancelled", ErrorKind::Cancelled)
    );
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

// SPEC 6.4
#[tokio::test]
async fn a_long_list_of_items_that_never_wait_can_be_cancelled() {
    let steps = r#""calls": ["quick"], "pipeline": [
        {"step": "many", "skill": "quick", "input": {}, "foreach": "{{input.list}}"}]"#;
    let library = functions(&[
        ("quick/skill.json", &manifest("quick", "code", ANY, ANY, "")),
        ("all/skill.json", &manifest("all", "composite", ANY, ANY, steps)),
    ]);
    let done = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&done);
    let runner = Runner::new(library).host(host(move |_, input, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        Some(Box::pin(async { Ok(input) }))
    }));
    let cancellation = Cancellation::default();
    let options = CallOptions::default().cancellation(cancellation.clone());
    let list = json!({"list": vec![0; 1_000]});
    let (result, ()) =
        tokio::join!(runner.call_json_with("all", list, options), async { cancellation.cancel() });
    assert_eq!(result.expect_err("cancelled").kind(), ErrorKind::Cancelled);
    assert!(done.load(Ordering::SeqCst) < 200, "{done:?}");
}

// SPEC 7.6
#[tokio::test]
async fn events_contain_payloads_only_on_request() {
    for tells in [false, true] {
        let log = Log::default();
        let options = CallOptions::default().on_event(log.observer());
        let runner = nesting().payloads_in_events(tells);
        runner.call_json_with("nest", json!({"left": 2}), options).await.expect("it runs");
        let events = log.events();
        let names: Vec<(&str, u32)> = events
            .iter()
            .filter_map(|event| match event {
                Event::Call { depth, .. } | Event::Result { depth, .. } => Some((event.name(), *depth)),
                _ => None,
            })
            .collect();
        assert_eq!(names, [("skill_call", 0), ("skill_call", 1), ("skill_result", 1), ("skill_result", 0)]);
        let Event::Call { input, .. } = &events[0] else { panic!("{events:?}") };
        assert_eq!(input.as_deref(), tells.then_some(r#"{"left":2}"#));
        let Event::Result { output, error: None, .. } = &events[3] else { panic!("{events:?}") };
        assert_eq!(output.is_some(), tells);
    }
}

fn may_move_to_another_thread<F: Future + Send>(future: F) -> F {
    future
}

struct Bundle;

struct Greet(String);

struct Greeting(String);

impl Input for Greet {
    type Bundle = Bundle;
    type Output = Greeting;
    const NAME: &'static str = "greet";

    fn to_json(&self) -> String {
        json!({"name": self.0}).to_string()
    }
}

impl Output for Greeting {
    fn from_json(text: &str) -> Result<Self, Invalid> {
        let value: Value = serde_json::from_str(text).expect("checked before");
        Ok(Self(value["text"].as_str().unwrap_or_default().to_owned()))
    }
}

// SPEC 6.2
#[tokio::test]
async fn typed_calls_use_the_same_path() {
    let library: &'static Functions = code(&["greet", "outer"]);
    let runner: Runner<Bundle> = Runner::of_bundle(library, None).host(host(|skill, input, context| {
        let is_outer = skill == "outer";
        Some(Box::pin(async move {
            if is_outer {
                let Greeting(text) = context.call(Greet("inside".to_owned())).await?;
                return Ok(json!({"text": text}));
            }
            Ok(json!({"text": format!("hello {}", input["name"].as_str().unwrap_or_default())}))
        }))
    }));
    let greeting = may_move_to_another_thread(runner.call(Greet("you".to_owned()))).await;
    assert_eq!(greeting.expect("it runs").0, "hello you");
    let output = runner.call_json("outer", json!({})).await.expect("it runs");
    assert_eq!(output, json!({"text": "hello inside"}));
}

// SPEC 11.1
#[tokio::test]
async fn a_plan_shows_what_would_run() {
    let input = r#"{"type": "object", "properties": {"go": {"type": "boolean", "default": false}}}"#;
    let steps = r#""calls": ["a"], "pipeline": [
        {"step": "one", "skill": "a", "input": {}, "condition": "input.go"},
        {"step": "two", "skill": "a", "input": {"x": "{{steps.one.x}}"}},
        {"step": "three", "skill": "a", "input": {}, "condition": "steps.one.x == 3"},
        {"step": "four", "skill": "a", "input": {}, "depends": ["three"]}]"#;
    let library = functions(&[
        ("a/skill.json", &manifest("a", "code", ANY, ANY, "")),
        ("p/skill.json", &manifest("p", "composite", input, ANY, steps)),
        ("ask/skill.json", &manifest("ask", "llm", input, ANY, "")),
        ("ask/prompt.md", "Go: {{input.go}}"),
    ]);
    let runner = Runner::new(library);
    let would_run = |input: &str| -> Vec<Option<bool>> {
        let plan = runner.plan("p", input).expect("it fits");
        plan.steps.into_iter().map(|step| step.would_run).collect()
    };
    assert_eq!(would_run("{}"), [Some(false), Some(false), Some(false), Some(true)]);
    assert_eq!(would_run(r#"{"go": true}"#), [Some(true), Some(true), None, Some(true)]);
    let plan = runner.plan("ask", "{}").expect("it fits");
    assert_eq!(plan.prompt.as_deref(), Some("Go: false"));
    assert_eq!(
        (&plan.to_json()["input"], &plan.to_json()["server"]),
        (&json!({"go": false}), &json!("nothing"))
    );
    assert_eq!(plan.backend.expect_err("there is no model").to_string(), "Skill \"ask\" (llm) has no model");
    let refused = runner.plan("p", r#"{"go": 1}"#).expect_err("it does not fit");
    assert!(matches!(refused, CallError::InvalidInput { .. }), "{refused}");
}
