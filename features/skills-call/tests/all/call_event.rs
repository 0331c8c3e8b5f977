//! Tests that events distinguish calls of one skill, and that every start event has an end event, also for dropped
//! calls.

use std::future::pending;
use std::time::Duration;

use serde_json::json;
use skills_call::testing::ScriptedModel;
use skills_call::{CallId, CallOptions, ErrorKind, Event, Functions, Runner};
use tokio::time::{sleep, timeout};

use crate::functions::{Log, functions, host, manifest};
use crate::support::Scratch;
#[cfg(target_os = "linux")]
use crate::support::{carriers, eventually};

const ANY: &str = r#"{"type": "object"}"#;

/// `all` calls `inner` for each item of a list, which calls `work`.
fn library() -> &'static Functions {
    let inner = r#""calls": ["work"], "pipeline": [
        {"step": "deep", "skill": "work", "input": {"n": "{{input.n}}"}}]"#;
    let all = r#""calls": ["inner"], "pipeline": [
        {"step": "many", "skill": "inner", "input": {"n": "{{item}}"}, "foreach": "{{input.list}}",
         "maxConcurrency": 0}]"#;
    functions(&[
        ("work/skill.json", &manifest("work", "code", ANY, ANY, "")),
        ("inner/skill.json", &manifest("inner", "composite", ANY, ANY, inner)),
        ("all/skill.json", &manifest("all", "composite", ANY, ANY, all)),
    ])
}

/// Checks that everything that started has ended once, and that inner calls end before outer ones.
fn assert_closed(events: &[Event]) {
    let mut open: Vec<(CallId, Option<String>)> = Vec::new();
    for event in events {
        let id = event.call();
        let is_open = |open: &[(CallId, Option<String>)]| open.iter().any(|(known, _)| *known == id);
        match event {
            Event::Call { .. } => {
                assert!(
                    id.parent().is_none_or(|parent| open.iter().any(|(known, _)| known.number() == parent))
                );
                assert!(!is_open(&open), "{event:?}");
                open.push((id, None));
            }
            Event::StepStart { step, .. } => open.push((id, Some(step.clone()))),
            Event::StepEnd { step, .. } => {
                let at = open.iter().position(|known| *known == (id, Some(step.clone())));
                assert!(at.is_some(), "{event:?} in {events:#?}");
                at.map(|at| open.remove(at));
            }
            Event::Result { .. } => {
                let mut inside = open.iter().filter(|(known, _)| known.parent() == Some(id.number()));
                assert!(inside.next().is_none(), "{event:?} in {events:#?}");
                let at = open.iter().position(|known| *known == (id, None));
                assert!(at.is_some(), "{event:?} in {events:#?}");
                at.map(|at| open.remove(at));
                assert!(!is_open(&open), "a step of it has not ended: {event:?} in {events:#?}");
            }
            _ => assert!(is_open(&open), "{event:?} in {events:#?}"),
        }
    }
    assert!(open.is_empty(), "{open:?} in {events:#?}");
}

/// The results and ends of steps, as `skill kind` and `skill/step kind`.
fn ends(events: &[Event]) -> Vec<String> {
    let word = |kind: &Option<ErrorKind>| kind.map_or("done", ErrorKind::as_str);
    let line = |event: &Event| match event {
        Event::Result { skill, kind, .. } => Some(format!("{skill} {}", word(kind))),
        Event::StepEnd { skill, step, kind, .. } => Some(format!("{skill}/{step} {}", word(kind))),
        Event::Exec { skill, exit_code, .. } => Some(format!("{skill} exited {exit_code}")),
        Event::Model { skill, error, .. } => Some(format!("{skill} asked {}", error.is_none())),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

// SPEC 7.6
#[tokio::test(start_paused = true)]
async fn simultaneous_calls_of_one_skill_are_distinguished() {
    let log = Log::default();
    let runner = Runner::new(library()).payloads_in_events(true).on_event(log.observer()).host(host(
        |_, input, context| {
            let id = context.id();
            Some(Box::pin(async move {
                // The first to begin ends last.
                sleep(Duration::from_secs(10 - input["n"].as_u64().expect("a number"))).await;
                Ok(json!({"n": input["n"], "id": id.number(), "parent": id.parent()}))
            }))
        },
    ));
    let (one, two) = tokio::join!(
        runner.call_json("all", json!({"list": [1, 2, 3]})),
        runner.call_json("all", json!({"list": [4, 5]}))
    );
    let events = log.events();
    assert_closed(&events);
    let calls: Vec<(CallId, &str, Option<u64>)> = events
        .iter()
        .filter_map(|event| match event {
            Event::Call { call, skill, input, .. } => {
                let input: serde_json::Value = serde_json::from_str(input.as_deref()?).ok()?;
                Some((*call, skill.as_str(), input["n"].as_u64()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(calls.len(), 12);
    let parent = |id: CallId| calls.iter().find(|(known, ..)| Some(known.number()) == id.parent());
    for (id, skill, n) in &calls {
        assert_eq!(calls.iter().filter(|(known, ..)| known == id).count(), 1);
        match *skill {
            "all" => assert_eq!(id.parent(), None),
            "inner" => assert_eq!(parent(*id).expect("it is reported").1, "all"),
            _ => {
                let (_, skill, around) = parent(*id).expect("it is reported");
                assert_eq!((*skill, around), ("inner", n), "the call that was given the same item");
            }
        }
    }
    // The function of the host sees the same ids as the events.
    for (output, count) in [(one, 3), (two, 2)] {
        let output = output.expect("it runs");
        let results = output["results"].as_array().expect("results");
        assert_eq!(results.len(), count);
        for result in results {
            let made = calls.iter().find(|(id, ..)| Some(id.number()) == result["id"].as_u64());
            let (id, _, n) = made.expect("it is reported");
            assert_eq!((id.parent(), *n), (result["parent"].as_u64(), result["n"].as_u64()));
        }
    }
}

// SPEC 6.4, 7.6
#[tokio::test(start_paused = true)]
async fn steps_of_a_dropped_call_are_reported_as_ended() {
    let log = Log::default();
    let runner =
        Runner::new(library()).on_event(log.observer()).host(host(|_, _, _| Some(Box::pin(pending()))));
    let call = runner.call_json("all", json!({"list": [1, 2]}));
    timeout(Duration::from_secs(5), call).await.expect_err("it never ends");
    let events = log.events();
    assert_closed(&events);
    let inner = ["work cancelled", "inner/deep cancelled", "inner cancelled"];
    let expected: Vec<&str> =
        inner.into_iter().chain(inner).chain(["all/many cancelled", "all cancelled"]).collect();
    assert_eq!(ends(&events), expected);
    for event in &events {
        if let Event::Result { skill, duration, error, .. } = event {
            assert_eq!(*duration, Duration::from_secs(5));
            assert_eq!(error.as_deref(), Some(format!("Skill \"{skill}\" was cancelled").as_str()));
        }
    }
    // A call that never started has no events.
    drop(runner.call_json("all", json!({"list": []})));
    assert_eq!(log.events().len(), events.len());
}

// SPEC 6.4, 7.6
#[tokio::test(start_paused = true)]
async fn steps_of_a_call_at_its_limit_are_reported_as_ended() {
    let log = Log::default();
    let runner =
        Runner::new(library()).on_event(log.observer()).host(host(|_, _, _| Some(Box::pin(pending()))));
    let options = CallOptions::default().timeout(Duration::from_secs(1));
    let error = runner.call_json_with("all", json!({"list": [1]}), options).await.expect_err("too long");
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_closed(&log.events());
    let inner = ["work cancelled", "inner/deep cancelled", "inner cancelled"];
    let expected: Vec<&str> = inner.into_iter().chain(["all/many cancelled", "all timeout"]).collect();
    assert_eq!(ends(&log.events()), expected);
}

// SPEC 5.7, 7.6
#[tokio::test(start_paused = true)]
async fn a_step_that_is_dropped_because_another_failed_is_reported_as_ended() {
    let steps = r#""calls": ["work"], "pipeline": [
        {"step": "long", "skill": "work", "input": {"n": 1}},
        {"step": "bad", "skill": "work", "input": {}}]"#;
    let library = functions(&[
        ("work/skill.json", &manifest("work", "code", ANY, ANY, r#""pure": true"#)),
        ("all/skill.json", &manifest("all", "composite", ANY, ANY, steps)),
    ]);
    let log = Log::default();
    let runner = Runner::new(library).on_event(log.observer()).host(host(|_, input, _| {
        Some(Box::pin(async move { if input["n"] == 1 { pending().await } else { Err("no".into()) } }))
    }));
    runner.call_json("all", json!({})).await.expect_err("a step fails");
    assert_closed(&log.events());
    let expected = [
        "work call_failed",
        "all/bad call_failed",
        "work cancelled",
        "all/long cancelled",
        "all call_failed",
    ];
    assert_eq!(ends(&log.events()), expected);
}

// SPEC 7.5, 7.6
#[tokio::test(start_paused = true)]
async fn a_dropped_request_to_a_model_is_reported() {
    let library =
        functions(&[("ask/skill.json", &manifest("ask", "llm", ANY, ANY, "")), ("ask/prompt.md", "Ask.")]);
    let log = Log::default();
    let runner = Runner::new(library).on_event(log.observer()).model(ScriptedModel::default().silence());
    timeout(Duration::from_secs(3), runner.call_json("ask", json!({}))).await.expect_err("it never ends");
    assert_closed(&log.events());
    assert_eq!(ends(&log.events()), ["ask asked false", "ask cancelled"]);
    assert!(matches!(&log.events()[1], Event::Model { duration, .. } if duration.as_secs() == 3));
}

// SPEC 7.2, 7.6
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_program_is_reported_before_its_call() {
    let scratch = Scratch::new();
    let library = functions(&[
        ("tool/skill.json", &manifest("tool", "code", ANY, ANY, "")),
        ("tool/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("tool/run.sh", &format!("#!/bin/sh\nexec sleep 1001.{}\n", std::process::id())),
    ]);
    let cache = skills_exec::cache::Cache::new(Some(scratch.path().join("cache")), scratch.path().into());
    let log = Log::default();
    let runner = Runner::new(library).cache(cache).on_event(log.observer());
    let word = format!("1001.{}", std::process::id());
    let started = async {
        while carriers(&word).is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        result = runner.call_json("tool", json!({})) => panic!("{result:?}"),
        () = started => {}
    }
    let events = log.events();
    assert_closed(&events);
    assert_eq!(ends(&events), ["tool exited 137", "tool cancelled"]);
    assert!(matches!(&events[1], Event::Exec { error: Some(error), .. } if error == "cancelled"));
    assert!(eventually(|| carriers(&word).is_empty()));
}

// SPEC 7.6: a program that `exec` runs is reported like that of a call
#[tokio::test]
async fn an_executed_program_is_reported() {
    let scratch = Scratch::new();
    let library = functions(&[
        ("tool/SKILL.md", "---\nname: tool\nversion: 1.2.3\ndescription: It does.\nexec: run.sh\n---\n"),
        ("tool/run.sh", "#!/bin/sh\nexit 3\n"),
    ]);
    let cache = skills_exec::cache::Cache::new(Some(scratch.path().join("cache")), scratch.path().into());
    let log = Log::default();
    let runner = Runner::new(library).cache(cache).on_event(log.observer());
    let outcome = runner.exec("tool", "", skills_exec::ExecOptions::default()).await.expect("a program");
    let events = log.events();
    let [Event::Exec { call, skill, version, exit_code: 3, duration, error: None }] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((skill.as_str(), version.as_str(), *duration), ("tool", "1.2.3", outcome.duration));
    assert_eq!(call.parent(), None);
    drop(runner.exec("tool", "", skills_exec::ExecOptions::default()));
    assert!(matches!(&log.events()[1..], [Event::Exec { call: other, .. }] if other != call));
}
