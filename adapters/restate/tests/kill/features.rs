//! Tests the properties of runs other than crash safety: exact texts, failures, cancellation, waits,
//! upgrades.

use std::time::{Duration, Instant};

use skills_call::durable::Request;
use skills_call::model::Usage;
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, Cancellation, ErrorKind, Event, Runner, StepState};
use skills_exec::Confinement;
use skills_restate::Remote;

use crate::server::Server;
use skills_engines_bed::{Process, cost, jobs, micros, noted, report, runner, write_skills};

/// A server with one worker for all skills.
struct Fixture {
    place: tempfile::TempDir,
    server: Server,
    worker: Process,
    remote: Remote,
    /// A runner that makes its calls there.
    runner: Runner,
}

impl Fixture {
    async fn start(settings: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        write_skills(&place.path().join("skills"), "");
        let server = Server::start(place.path()).await;
        let worker = server.worker(place.path(), &[], settings).await;
        let remote = server.remote();
        let runner = runner(&place.path().join("skills"), place.path().join("other"), Duration::ZERO);
        let runner = runner.remote(remote.clone());
        Self { place, server, worker, remote, runner }
    }

    async fn call(&self, skill: &str, input: &str, key: &str) -> Result<String, CallError> {
        let options = CallOptions::default().journal(key);
        let call = self.runner.call_text(skill, input, options);
        let called = tokio::time::timeout(Duration::from_secs(300), call).await.expect("it ends");
        called.map(|called| called.output)
    }
}

fn error(result: Result<String, CallError>) -> (ErrorKind, String) {
    let error = result.expect_err("it fails");
    (error.kind(), error.to_string())
}

// SPEC 19.2, 19.4, 19.5, 19.13, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_run_behaves_like_a_call() {
    let fixture = Fixture::start(&[]).await;
    let text = r#"{"z":1.50,"a":[1e400,"é\u0001"]}"#;
    let output = fixture.call("exact", text, "exact").await.expect("it runs");
    assert_eq!(output, text);
    assert_eq!(fixture.call("exact", r#"{"z": 2, "a": 3}"#, "exact").await.expect("it is there"), output);
    assert_eq!(fixture.call("slow", "{}", "alone").await.expect("it runs"), r#"{"key":"alone/slow"}"#);
    let local =
        runner(&fixture.place.path().join("skills"), fixture.place.path().join("other2"), Duration::ZERO);
    for (skill, input) in [("report", "{}"), ("slow", "7"), ("limited", r#"{"ms": 5000}"#)] {
        let here =
            error(local.call_text(skill, input, CallOptions::default()).await.map(|called| called.output));
        assert_eq!(error(fixture.call(skill, input, &format!("fails-{skill}")).await), here);
    }
    let run = fixture.remote.start(Request::new("report", "7"), "invalid").await.expect("it begins");
    let invalid = run.output().await.expect_err("it does not fit");
    let [violation] = &*invalid.violations() else { panic!("one: {invalid:?}") };
    assert_eq!((violation.pointer.as_str(), violation.rule, violation.found.as_str()), ("", "type", "7"));
    let (kind, text) = error(fixture.call("slow", r#"{"panic": true}"#, "panic").await);
    assert_eq!((kind, text.as_str()), (ErrorKind::Failed, "Skill \"slow\" failed: it panicked"));
    let start = Instant::now();
    fixture.call("waits", r#"{"fails": true}"#, "waits").await.expect("the second attempt");
    assert!(start.elapsed() > Duration::from_millis(200));
    let (kind, text) = error(fixture.call("waits", r#"{"ms": 4000}"#, "late").await);
    assert_eq!((kind, text.contains("timed out after 1500ms")), (ErrorKind::Timeout, true), "{text}");
    let progress = fixture.remote.run("exact", "exact", true).progress().await.expect("it is kept");
    assert_eq!(progress.steps, [("e".to_owned(), "done".to_owned())]);
    let runs = fixture.remote.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "exact" && run.skill == "exact"), "{runs:?}");
    assert!(!fixture.place.path().join("other").exists(), "nothing runs here");
}

// SPEC 19.5, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_runner_gets_events_and_cancels() {
    let fixture = Fixture::start(&[("SKILLS_TEST_DELAY", "400")]).await;
    let (send, events) = std::sync::mpsc::channel();
    let runner = fixture.runner.clone().on_event(move |event| {
        let _ = send.send(event.clone());
    });
    let options = CallOptions::default().journal("monday");
    let called = runner.call_text("report", r#"{"count": 3}"#, options).await.expect("it runs");
    assert_eq!(called.output, report(3));
    let names: Vec<&str> = events.try_iter().map(|event: Event| event.name()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"skill_call"), Some(&"skill_result")));
    assert!(names.contains(&"step_start") && names.contains(&"step_end"), "{names:?}");
    let cancellation = Cancellation::default();
    let options = CallOptions::default().journal("tuesday").cancellation(cancellation.clone());
    let call = runner.call_text("sleepy", r#"{"ms": 60000}"#, options);
    let log = fixture.place.path().join("log");
    let cancel = async {
        while !noted(&log).contains_key("tuesday/sleepy/one") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancellation.cancel();
        micros()
    };
    let (result, at) = tokio::join!(call, cancel);
    assert_eq!(result.expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
    let start = Instant::now();
    let dropped = loop {
        if let Some(dropped) =
            noted(&log).get("tuesday/sleepy/one").and_then(|one| one.dropped.first().copied())
        {
            break dropped;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "it is not reported");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    println!("restate: cancelled after {} ms", (dropped - at) / 1000);
    assert!(dropped - at < 10_000_000, "{} us", dropped - at);
}

// SPEC 19.6
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_changed_skill_waits_for_its_old_files() {
    let mut fixture = Fixture::start(&[]).await;
    let run =
        fixture.remote.start(Request::new("sleepy", r#"{"ms": 3000}"#), "old").await.expect("it begins");
    while !noted(&fixture.place.path().join("log")).contains_key("old/sleepy/one") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let skills = fixture.place.path().join("skills");
    std::fs::rename(&skills, fixture.place.path().join("kept")).expect("renamed");
    write_skills(&skills, ", changed");
    fixture.worker.kill();
    fixture.worker.begin();
    let waits = tokio::time::timeout(Duration::from_secs(8), run.output()).await;
    assert!(waits.is_err(), "it goes on by other files: {waits:?}");
    fixture.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("a new run has the new files");
    std::fs::remove_dir_all(&skills).expect("removed");
    std::fs::rename(fixture.place.path().join("kept"), &skills).expect("renamed");
    fixture.worker.kill();
    fixture.worker.begin();
    let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"key":"old/sleepy/one"}"#);
}

// SPEC 19.3, 19.9, 19.13, 19.14
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn finished_programs_and_models_do_not_run_again() {
    let mut fixture = Fixture::start(&[]).await;
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let request =
        Request { trace: TraceContext::new(parent, Some("a=1")), ..Request::new("mixed", r#"{"n": 7}"#) };
    let run = fixture.remote.start(request, "mixed").await.expect("it begins");
    while !noted(&fixture.place.path().join("log")).contains_key("mixed/mixed/last") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    fixture.worker.kill();
    fixture.worker.begin();
    let called = tokio::time::timeout(Duration::from_secs(60), run.called()).await.expect("it ends");
    let called = called.expect("it goes on");
    assert_eq!(called.output, r#"{"n":7,"said":"yes","key":"mixed/mixed/last"}"#);
    // The states of the steps and the usage of the model are known as after a local call, and the program got
    // the trace context.
    assert_eq!(called.usage, Usage { input_tokens: 3, output_tokens: 4 });
    let steps: Vec<_> = called.steps.iter().map(|record| (record.step.as_str(), &record.state)).collect();
    assert_eq!(steps, ["program", "model", "last"].map(|step| (step, &StepState::Done)));
    let recorded = std::fs::read_to_string(fixture.place.path().join("trace")).expect("it was reported");
    assert_eq!(recorded, format!("{parent} a=1\n"));
    let notes = noted(&fixture.place.path().join("log"));
    for name in ["program", "model"] {
        assert_eq!((notes[name].begun.len(), notes[name].ended.len()), (1, 1), "{name}");
    }
    assert_eq!(notes["mixed/mixed/last"].begun.len(), 2);
}

// SPEC 19.15
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_worker_confines_programs_as_a_call_here_does() {
    assert_eq!(Confinement::lack(), None, "this test needs a sandbox");
    let fixture = Fixture::start(&[("API_KEY", "k3y")]).await;
    std::fs::write(fixture.place.path().join("secret"), "secret").expect("a file");
    let here = |confinement| {
        let runner =
            runner(&fixture.place.path().join("skills"), fixture.place.path().join("other"), Duration::ZERO);
        runner.confinement(confinement)
    };
    let call = |runner: Runner| async move {
        let called = runner.call_text("asks_nosy", "{}", CallOptions::default()).await;
        called.expect("it runs").output
    };
    let closed = r#"{"reads": false, "writes": false, "key": ""}"#;
    assert_eq!(call(here(Confinement::auto())).await, closed);
    assert_eq!(fixture.call("asks_nosy", "{}", "nosy").await.expect("it runs"), closed);
    let open = call(here(Confinement::off())).await;
    assert!(open.starts_with(r#"{"reads": true, "writes": true"#), "it could, unconfined: {open}");
}

// SPEC 19.6, 19.7, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs npm"]
async fn a_worker_joins_late_and_another_has_new_files() {
    let fixture = Fixture::start(&[("SKILLS_TEST_DELAY", "150")]).await;
    let (place, log) = (fixture.place.path(), fixture.place.path().join("log"));
    let seen = |key: &'static str| {
        let log = log.clone();
        async move {
            while !noted(&log).contains_key(key) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    };
    let run =
        fixture.remote.start(Request::new("wide", r#"{"count": 100}"#), "late").await.expect("it begins");
    seen("late/wide/w[0]").await;
    let joined = fixture.server.worker(place, &[], &[("SKILLS_TEST_DELAY", "150")]).await;
    run.output().await.expect("it ends");
    let notes = noted(&log);
    let by = |id| notes.values().filter(|noted| noted.by == [id]).count();
    assert!(
        by(fixture.worker.id()) > 0 && by(joined.id()) > 0,
        "both worked: {} {}",
        by(fixture.worker.id()),
        by(joined.id())
    );
    assert!(notes.values().all(|noted| noted.ended.len() == 1), "nothing was done twice");

    // A worker with new files joins during a run with the old ones.
    let run =
        fixture.remote.start(Request::new("sleepy", r#"{"ms": 3000}"#), "old").await.expect("it begins");
    seen("old/sleepy/one").await;
    write_skills(&place.join("new"), ", changed");
    let _upgraded = fixture.server.worker(place, &[], &[("SKILLS_TEST_SKILLS", "new")]).await;
    assert_eq!(
        fixture.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("it runs"),
        r#"{"key":"new/sleepy/one"}"#
    );
    let output = tokio::time::timeout(Duration::from_secs(60), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"key":"old/sleepy/one"}"#);
    assert_eq!(noted(&log)["old/sleepy/one"].begun.len(), 1);
}

/// Measures the figures in `docs/ENGINES.md`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures for minutes"]
async fn figures() {
    let fixture = Fixture::start(&[]).await;
    fixture.call("wide", r#"{"count": 5}"#, "warm").await.expect("it runs");
    for (at, (skill, input, steps, runs)) in jobs().into_iter().enumerate() {
        let (before, busy, start) =
            (cost(fixture.server.process.id()).1, cost(fixture.worker.id()).1, Instant::now());
        let all = (0..runs).map(|run| {
            let (input, key, fixture) = (input.clone(), format!("m{at}-{run}"), &fixture);
            async move { fixture.call(skill, &input, &key).await.expect("it runs") }
        });
        futures_util::future::join_all(all).await;
        let took = start.elapsed().as_secs_f64() * 1000.0;
        let steps = (steps * runs) as f64;
        println!(
            "restate: {skill} x {runs}: {steps} steps in {took:.0} ms, {:.1} ms a step; processor ms a step: server {:.1}, \
             worker {:.1}; memory MB: server {}, worker {}",
            took / steps,
            (cost(fixture.server.process.id()).1 - before) as f64 / steps,
            (cost(fixture.worker.id()).1 - busy) as f64 / steps,
            cost(fixture.server.process.id()).0,
            cost(fixture.worker.id()).0,
        );
    }
}
