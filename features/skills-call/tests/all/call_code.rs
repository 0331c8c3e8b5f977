//! Code skills: the order of a call, its checks, depth, retries and limits (SPEC 6.2, 6.4).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use skills_call::{CallError, ErrorKind, Event, Failure, Layers, Runner};

use crate::functions::{self, Log, functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

const PANICKED: &str = "Skill \"broken\" failed: it panicked";

// SPEC 6.2, 6.4
#[tokio::test]
async fn a_function_of_the_host_gets_checked_input_with_defaults() {
    let input = r#"{"type": "object", "properties": {"n": {"type": "integer", "default": 5}, "q": {"type": "string"}}, "required": ["q"]}"#;
    let output = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let library = functions(&[("search/skill.json", &manifest("search", "code", input, output, ""))]);
    let runner = Runner::new(library).host(host(|_, input, _| {
        Some(Box::pin(async move { Ok(json!({"n": input["n"], "q": input["q"]})) }))
    }));
    let output = runner.call_json("search", json!({"q": "x"})).await.expect("it runs");
    assert_eq!(output, json!({"n": 5, "q": "x"}));

    let refused = runner.call_json("search", json!({"n": "five"})).await.expect_err("two violations");
    let CallError::InvalidInput { invalid, .. } = &refused else { panic!("{refused}") };
    assert_eq!(invalid.violations().len(), 2);
    let lines: Vec<String> = refused.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "Skill \"search\" input validation failed");
    assert!(lines.contains(&"/n: type: expected an integer, found \"five\"".to_owned()), "{lines:?}");
    assert_eq!(lines.len(), 3);
}

// SPEC 6.2, 8.3
#[tokio::test]
async fn skills_that_cannot_run_are_errors() {
    let library = functions(&[
        ("search/skill.json", &manifest("search", "code", ANY, ANY, "")),
        ("flow/skill.json", &manifest("flow", "composite", ANY, ANY, "")),
        ("prose/SKILL.md", "---\nname: prose\ndescription: Nothing to call.\n---\nRead this.\n"),
        ("secret/skill.json", &manifest("secret", "code", ANY, ANY, "")),
        ("secret/SKILL.md", "---\nrequires: cap:shell\n---\nRead this.\n"),
    ]);
    let runner = Runner::new(library);
    assert!(!runner.is_callable("search"));
    let text = async |name: &str| runner.call_json(name, json!({})).await.expect_err("refused").to_string();
    assert_eq!(text("search").await, "Skill \"search\" (code) has no host function and no exec");
    let returned: Failure = runner.call_json("search", json!({})).await.expect_err("refused").into();
    assert_eq!(format!("{returned:?}"), text("search").await, "printed if `main` returns it");
    assert_eq!(text("serach").await, "Skill \"serach\" not found in registry");
    assert_eq!(
        text("prose").await,
        "Skill \"prose\" is not a function: it has neither a skill.json nor an `exec` with a `schema`"
    );
    assert_eq!(text("flow").await, "Skill \"flow\" (composite) has no host function and no exec");
    assert_eq!(text("secret").await, "Skill \"secret\" not found in registry");
    let missing = runner.call_json("serach", json!({})).await.expect_err("refused");
    let CallError::NotFound(missing) = missing else { panic!("{missing}") };
    assert_eq!(missing.nearest.as_deref(), Some("search"));
    assert_eq!(missing.available, ["flow", "prose", "search"]);
}

// SPEC 6.4: a panic is a failure of the skill, for every caller, and is not retried.
#[tokio::test]
async fn a_panic_is_a_failure_of_the_skill() {
    let steps = r#""calls": ["broken"], "pipeline": [{"step": "first", "skill": "broken", "input": {}, "retry": 2, "continueOnError": true}]"#;
    let library = functions(&[
        ("broken/skill.json", &manifest("broken", "code", ANY, ANY, r#""retry": 2"#)),
        ("asks/skill.json", &manifest("asks", "code", ANY, ANY, r#""calls": ["broken"]"#)),
        ("flow/skill.json", &manifest("flow", "composite", ANY, ANY, steps)),
    ]);
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let log = Log::default();
    let runner = Runner::new(library).on_event(log.observer()).host(host(move |skill, _, context| {
        counted.fetch_add(1, Ordering::Relaxed);
        match skill {
            // One panics when it is created, the other when it is polled.
            "broken" if counted.load(Ordering::Relaxed).is_multiple_of(2) => panic!("at once"),
            "broken" => Some(Box::pin(async { panic!("later") })),
            _ => Some(Box::pin(async { Ok(context.call_json("broken", json!({})).await?) })),
        }
    }));
    for name in ["broken", "broken"] {
        let failed = runner.call_json(name, json!({})).await.expect_err("it panics");
        assert!(matches!(failed, CallError::Host { .. }) && !failed.is_retryable());
        assert_eq!((failed.to_string(), failed.for_clients()), (failed.for_clients(), PANICKED.to_owned()));
    }
    assert_eq!(count.load(Ordering::Relaxed), 2, "one attempt for each call");
    let failed = runner.call_json("asks", json!({})).await.expect_err("it calls a skill that panics");
    assert_eq!(failed.to_string(), format!("Skill \"asks\" failed: {PANICKED}"));
    runner.call_json("flow", json!({})).await.expect("the step may fail");
    let events = log.events();
    let ended =
        events.iter().filter(|event| matches!(event, Event::Result { kind: Some(ErrorKind::Failed), .. }));
    assert_eq!(ended.count(), 5, "{events:?}");
}

// SPEC 6.2
#[tokio::test]
async fn a_host_serves_composite_skills_without_a_pipeline() {
    let library = functions(&[("flow/skill.json", &manifest("flow", "composite", ANY, ANY, ""))]);
    let runner = Runner::new(library).host(host(|skill, input, _| {
        (skill == "flow").then(|| -> functions::Answer<'_> { Box::pin(async { Ok(input) }) })
    }));
    assert!(runner.is_callable("flow"));
    assert!(!runner.is_callable("other"));
    assert_eq!(runner.call_json("flow", json!({"a": 1})).await.expect("it runs"), json!({"a": 1}));
}

// SPEC 2.9, 6.3, 8.3
#[tokio::test]
async fn a_skill_is_unknown_until_its_capabilities_are_granted() {
    let steps = r#""calls": ["secret"], "pipeline": [{"step": "one", "skill": "secret", "input": {}}]"#;
    let library = functions(&[
        ("secret/skill.json", &manifest("secret", "code", ANY, ANY, "")),
        ("secret/SKILL.md", "---\nrequires: [cap:shell, cap:net, sh]\n---\nRead this.\n"),
        ("flow/skill.json", &manifest("flow", "composite", ANY, ANY, steps)),
        ("open/skill.json", &manifest("open", "code", ANY, ANY, "")),
    ]);
    let serve = || host(|_, input, _| Some(Box::pin(async { Ok(input) })));
    let bare: Runner = Runner::of_bundle(library, None).host(serve());
    let half = bare.clone().grant(|capability| capability == "shell");
    for runner in [&bare, &half] {
        let unknown = runner.call_json("secret", json!({})).await.expect_err("gated");
        assert_eq!(unknown.to_string(), "Skill \"secret\" not found in registry");
        let CallError::NotFound(missing) = unknown else { panic!("{unknown}") };
        assert_eq!((missing.nearest, missing.available), (None, vec!["flow".to_owned(), "open".to_owned()]));
        let inside = runner.call_json("flow", json!({})).await.expect_err("gated").to_string();
        assert_eq!(inside, "Skill \"flow\" failed at step \"one\": Skill \"secret\" not found in registry");
        assert!(!runner.is_callable("secret"));
        assert!(runner.plan("secret", "{}").is_err());
        assert!(runner.skills().get("secret").is_none());
        assert_eq!(runner.skills().len(), 2);
    }
    let granted = bare.clone().grant(|capability| ["shell", "net"].contains(&capability));
    assert_eq!(granted.call_json("secret", json!({"a": 1})).await.expect("it runs"), json!({"a": 1}));
    granted.call_json("flow", json!({})).await.expect("it runs");
    assert!(granted.is_callable("secret"));
    assert_eq!(granted.skills().len(), 3);
    // Capabilities that a library grants itself stay granted.
    let own = Runner::new(Layers::from(library).granting(|_| true)).host(serve());
    own.call_json("secret", json!({})).await.expect("it runs");
    own.grant(|_| false).call_json("secret", json!({})).await.expect("it runs");
}
