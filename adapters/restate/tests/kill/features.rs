//! What runs promise besides surviving: exact texts, failures, cancellation, waits, upgrades.

use std::time::{Duration, Instant};

use skills_restate::Remote;
use skills_runtime::call::{CallError, CallOptions, Cancellation, ErrorKind, Event, Runner};

use crate::bed::{cost, noted, runner, write_skills};
use crate::server::{Server, Worker};

/// A server with one worker of everything.
struct Bed {
    place: tempfile::TempDir,
    server: Server,
    worker: Worker,
    remote: Remote,
    /// A runner that calls there.
    runner: Runner,
}

impl Bed {
    async fn start(settings: &[(&str, &str)]) -> Option<Self> {
        let place = tempfile::tempdir().expect("a directory");
        write_skills(&place.path().join("skills"), "");
        let server = Server::start(place.path()).await?;
        let worker = Worker::start(place.path(), &[], settings);
        let remote = server.remote();
        remote.register(&worker.address()).await.expect("it serves");
        let runner = runner(&place.path().join("skills"), place.path().join("other"), Duration::ZERO);
        let runner = runner.remote(remote.clone());
        Some(Self { place, server, worker, remote, runner })
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

// SPEC 19.2, 19.4, 19.5, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_what_a_call_is() {
    let Some(bed) = Bed::start(&[]).await else { return };
    let text = r#"{"z":1.50,"a":[1e400,"é\u0001"]}"#;
    let output = bed.call("exact", text, "exact").await.expect("it runs");
    assert_eq!(output, text);
    assert_eq!(bed.call("exact", r#"{"z": 2, "a": 3}"#, "exact").await.expect("it is there"), output);
    assert_eq!(bed.call("slow", "{}", "alone").await.expect("it runs"), r#"{"key":"alone/slow"}"#);
    let local = runner(&bed.place.path().join("skills"), bed.place.path().join("other2"), Duration::ZERO);
    for (skill, input) in [("report", "{}"), ("slow", "7"), ("limited", r#"{"ms": 5000}"#)] {
        let here =
            error(local.call_text(skill, input, CallOptions::default()).await.map(|called| called.output));
        assert_eq!(error(bed.call(skill, input, &format!("fails-{skill}")).await), here);
    }
    let (kind, text) = error(bed.call("slow", r#"{"panic": true}"#, "panic").await);
    assert_eq!((kind, text.as_str()), (ErrorKind::Failed, "Skill \"slow\" failed: it panicked"));
    let start = Instant::now();
    bed.call("waits", r#"{"fails": true}"#, "waits").await.expect("the second attempt");
    assert!(start.elapsed() > Duration::from_millis(200));
    let (kind, text) = error(bed.call("waits", r#"{"ms": 4000}"#, "late").await);
    assert_eq!((kind, text.contains("timed out after 1500ms")), (ErrorKind::Timeout, true), "{text}");
    let progress = bed.remote.run("exact", "exact", true).progress().await.expect("it is kept");
    assert_eq!(progress.steps, [("e".to_owned(), "done".to_owned())]);
    let runs = bed.remote.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "exact" && run.skill == "exact"), "{runs:?}");
    assert!(!bed.place.path().join("other").exists(), "nothing runs here");
}

// SPEC 19.5, 19.10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runner_is_told_and_cancels() {
    let Some(bed) = Bed::start(&[("SKILLS_TEST_DELAY", "400")]).await else { return };
    let (send, events) = std::sync::mpsc::channel();
    let runner = bed.runner.clone().on_event(move |event| {
        let _ = send.send(event.clone());
    });
    let options = CallOptions::default().journal("monday");
    let called = runner.call_text("report", r#"{"count": 3}"#, options).await.expect("it runs");
    assert_eq!(called.output, crate::bed::report(3));
    let names: Vec<&str> = events.try_iter().map(|event: Event| event.name()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"skill_call"), Some(&"skill_result")));
    assert!(names.contains(&"step_start") && names.contains(&"step_end"), "{names:?}");
    let cancellation = Cancellation::default();
    let options = CallOptions::default().journal("tuesday").cancellation(cancellation.clone());
    let call = runner.call_text("sleepy", r#"{"ms": 60000}"#, options);
    let log = bed.place.path().join("log");
    let cancel = async {
        while !noted(&log).contains_key("tuesday/sleepy/one") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancellation.cancel();
        crate::bed::micros()
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
        assert!(start.elapsed() < Duration::from_secs(10), "it is not told");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    println!("restate: cancelled after {} ms", (dropped - at) / 1000);
    assert!(dropped - at < 2_500_000, "{} us", dropped - at);
}

// SPEC 19.6
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_skill_waits_for_its_old_files() {
    let Some(mut bed) = Bed::start(&[]).await else { return };
    let run = bed.remote.start("sleepy", r#"{"ms": 3000}"#, "old", None).await.expect("it begins");
    while !noted(&bed.place.path().join("log")).contains_key("old/sleepy/one") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let skills = bed.place.path().join("skills");
    std::fs::rename(&skills, bed.place.path().join("kept")).expect("renamed");
    write_skills(&skills, ", changed");
    bed.worker.kill();
    bed.worker.begin();
    let waits = tokio::time::timeout(Duration::from_secs(8), run.output()).await;
    assert!(waits.is_err(), "it goes on by other files: {waits:?}");
    bed.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("a new run has the new files");
    std::fs::remove_dir_all(&skills).expect("removed");
    std::fs::rename(bed.place.path().join("kept"), &skills).expect("renamed");
    bed.worker.kill();
    bed.worker.begin();
    let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"key":"old/sleepy/one"}"#);
}

// SPEC 19.3, 19.9
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_and_models_are_steps_and_not_asked_again() {
    let Some(mut bed) = Bed::start(&[]).await else { return };
    let run = bed.remote.start("mixed", r#"{"n": 7}"#, "mixed", None).await.expect("it begins");
    while !noted(&bed.place.path().join("log")).contains_key("mixed/mixed/last") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bed.worker.kill();
    bed.worker.begin();
    let output = tokio::time::timeout(Duration::from_secs(60), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"n":7,"said":"yes","key":"mixed/mixed/last"}"#);
    let notes = noted(&bed.place.path().join("log"));
    for name in ["program", "model"] {
        assert_eq!((notes[name].begun.len(), notes[name].ended.len()), (1, 1), "{name}");
    }
    assert_eq!(notes["mixed/mixed/last"].begun.len(), 2);
}

/// Measures, when `SKILLS_MEASURE` says so: what `docs/ENGINES.md` has of figures.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures() {
    if std::env::var_os("SKILLS_MEASURE").is_none() {
        return;
    }
    let Some(bed) = Bed::start(&[]).await else { return };
    bed.call("wide", r#"{"count": 5}"#, "warm").await.expect("it runs");
    for (at, (skill, input, steps, runs)) in crate::bed::jobs().into_iter().enumerate() {
        let (before, busy, start) = (cost(bed.server.id()).1, cost(bed.worker.id()).1, Instant::now());
        let all = (0..runs).map(|run| {
            let (input, key, bed) = (input.clone(), format!("m{at}-{run}"), &bed);
            async move { bed.call(skill, &input, &key).await.expect("it runs") }
        });
        futures_util::future::join_all(all).await;
        let took = start.elapsed().as_secs_f64() * 1000.0;
        let steps = (steps * runs) as f64;
        println!(
            "restate: {skill} x {runs}: {steps} steps in {took:.0} ms, {:.1} ms a step; processor ms a step: server {:.1}, \
             worker {:.1}; memory MB: server {}, worker {}",
            took / steps,
            (cost(bed.server.id()).1 - before) as f64 / steps,
            (cost(bed.worker.id()).1 - busy) as f64 / steps,
            cost(bed.server.id()).0,
            cost(bed.worker.id()).0,
        );
    }
}
