//! What runs promise besides surviving: exact texts, failures, cancellation, waits, sizes, long lists, upgrades.

use std::time::{Duration, Instant};

use skills_runtime::call::{CallError, CallOptions, Cancellation, ErrorKind, Event};
use skills_temporal::{Failure, MAX_PAYLOAD, Remote};

use crate::bed::{cost, noted, runner, write_skills};
use crate::server::{Server, Worker};

/// A server with one worker of everything.
struct Bed {
    place: tempfile::TempDir,
    server: Server,
    worker: Worker,
    remote: Remote,
}

impl Bed {
    async fn start(settings: &[(&str, &str)]) -> Option<Self> {
        let place = tempfile::tempdir().expect("a directory");
        write_skills(&place.path().join("skills"), "");
        let server = Server::start(place.path()).await?;
        let worker = Worker::start(place.path(), &server.address(), &[], settings);
        let remote = Remote::connect(&server.address()).await.expect("it answers");
        Some(Self { place, server, worker, remote })
    }

    async fn call(&self, skill: &str, input: &str, key: &str) -> Result<String, CallError> {
        let run = self.remote.start(skill, input, key, None).await.expect("it begins");
        tokio::time::timeout(Duration::from_secs(1200), run.output()).await.expect("it ends")
    }
}

fn error(result: Result<String, CallError>) -> (ErrorKind, String) {
    let error = result.expect_err("it fails");
    (error.kind(), error.to_string())
}

// SPEC 19.2, 19.4, 19.5, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_what_a_call_is() {
    let Some(bed) = Bed::start(&[]).await else { return };
    // Texts are exact, members in their order.
    let text = r#"{"z":1.50,"a":[1e400,"é\u0001"]}"#;
    let output = bed.call("exact", text, "exact").await.expect("it runs");
    assert_eq!(output, "{\"z\":1.50,\"a\":[1e400,\"é\\u0001\"]}");
    // A key begins one run, whatever the input.
    assert_eq!(bed.call("exact", r#"{"z": 2, "a": 3}"#, "exact").await.expect("it is there"), output);
    // A skill that is no pipeline is a run, too, and knows its key.
    let output = bed.call("slow", "{}", "alone").await.expect("it runs");
    assert_eq!(output, r#"{"key":"alone/slow"}"#);
    // Failures have the texts and kinds of a call in process.
    let local = runner(&bed.place.path().join("skills"), bed.place.path().join("other"), Duration::ZERO);
    for (skill, input) in [("report", "{}"), ("slow", "7"), ("limited", r#"{"ms": 5000}"#)] {
        let here =
            error(local.call_text(skill, input, CallOptions::default()).await.map(|called| called.output));
        assert_eq!(error(bed.call(skill, input, &format!("fails-{skill}")).await), here);
    }
    let (kind, text) = error(bed.call("slow", r#"{"panic": true}"#, "panic").await);
    assert_eq!((kind, text.as_str()), (ErrorKind::Failed, "Skill \"slow\" failed: it panicked"));
    // Attempts, their limit and the wait between them.
    let start = Instant::now();
    bed.call("waits", r#"{"fails": true}"#, "waits").await.expect("the second attempt");
    assert!(start.elapsed() > Duration::from_millis(200));
    let (kind, text) = error(bed.call("waits", r#"{"ms": 4000}"#, "late").await);
    assert_eq!((kind, text.contains("timed out after 1500ms")), (ErrorKind::Timeout, true), "{text}");
    // What is too large is refused with advice.
    let large = format!(r#"{{"z": "{}", "a": 1}}"#, "x".repeat(MAX_PAYLOAD));
    let refused = bed.remote.start("exact", &large, "large", None).await.map(|_| ()).expect_err("too large");
    assert!(refused.to_string().contains("put what is large into a file"), "{refused}");
    let half = format!(r#"{{"z": "{0}", "a": "{0}"}}"#, "x".repeat(MAX_PAYLOAD / 2 - 20));
    let (_, text) = error(bed.call("exact", &half, "half").await);
    assert!(text.contains("put what is large into a file"), "{text}");
    // What is large together goes out a few at a time.
    let many = format!(r#"{{"list": [1, 2, 3, 4, 5, 6, 7, 8], "text": "{}"}}"#, "x".repeat(1_200_000));
    assert_eq!(bed.call("large", &many, "many").await.expect("it runs"), r#"{"n":[1,2,3,4,5,6,7,8]}"#);
    // Lists.
    let runs = bed.remote.runs(100).await.expect("they are listed");
    let exact = runs.iter().find(|run| run.key == "exact").expect("it is there");
    assert_eq!((exact.skill.as_str(), exact.status.as_str()), ("exact", "completed"));
}

// SPEC 19.5, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runner_calls_elsewhere_and_is_told() {
    let Some(bed) = Bed::start(&[("SKILLS_TEST_DELAY", "400")]).await else { return };
    let local = runner(&bed.place.path().join("skills"), bed.place.path().join("other"), Duration::ZERO);
    let (send, events) = std::sync::mpsc::channel();
    let runner = local.remote(bed.remote.clone()).on_event(move |event| {
        let _ = send.send(event.clone());
    });
    let options = CallOptions::default().journal("monday");
    let called = runner.call_text("report", r#"{"count": 3}"#, options).await.expect("it runs");
    assert_eq!(called.output, r#"{"text":"s0,s1,s2","count":3}"#);
    let names: Vec<&str> = events.try_iter().map(|event: Event| event.name()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"skill_call"), Some(&"skill_result")));
    assert!(names.contains(&"step_start") && names.contains(&"step_end"), "{names:?}");
    assert!(!bed.place.path().join("other").exists(), "nothing runs here");
    // Cancelled, what runs there hears it within a second or two.
    let cancellation = Cancellation::default();
    let options = CallOptions::default().journal("tuesday").cancellation(cancellation.clone());
    let call = runner.call_text("sleepy", r#"{"ms": 60000}"#, options);
    let cancel = async {
        let log = bed.place.path().join("log");
        while !noted(&log).contains_key("tuesday/sleepy/one") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancellation.cancel();
        crate::bed::micros()
    };
    let (result, at) = tokio::join!(call, cancel);
    assert_eq!(result.expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
    let log = bed.place.path().join("log");
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
    println!("temporal: cancelled after {} ms", (dropped - at) / 1000);
    assert!(dropped - at < 2_500_000, "{} us", dropped - at);
    let runs = bed.remote.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "tuesday"), "{runs:?}");
}

// SPEC 19.6, 19.8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_list_goes_on_in_new_histories_and_a_changed_skill_waits() {
    let settings = [("SKILLS_TEST_HISTORY", "100"), ("SKILLS_TEST_CACHED", "0")];
    let Some(mut bed) = Bed::start(&settings).await else { return };
    let output = bed.call("wide", r#"{"count": 120}"#, "wide").await.expect("it runs");
    let expected: Vec<String> = (0..120).map(|id| id.to_string()).collect();
    assert_eq!(output, format!(r#"{{"n":[{}]}}"#, expected.join(",")));
    let notes = noted(&bed.place.path().join("log"));
    assert!(notes.values().all(|noted| noted.ended.len() == 1), "no step of 121 ran twice");
    let last = bed.remote.run("wide", "wide").history().await.expect("it has one").len();
    assert!(last < 200, "{last} events in the last history");

    // A run is begun, its skill changes, and it waits for a worker that has the old files.
    let run = bed.remote.start("sleepy", r#"{"ms": 3000}"#, "old", None).await.expect("it begins");
    while !noted(&bed.place.path().join("log")).contains_key("old/sleepy/one") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bed.worker.kill();
    write_skills(&bed.place.path().join("new"), ", changed");
    let mut settings = settings.to_vec();
    settings.push(("SKILLS_TEST_SKILLS", "new"));
    let mut changed = Worker::start(bed.place.path(), &bed.server.address(), &[], &settings);
    let waits = tokio::time::timeout(Duration::from_secs(10), run.output()).await;
    assert!(waits.is_err(), "it goes on by other files: {waits:?}");
    bed.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("a new run has the new files");
    changed.kill();
    bed.worker.begin();
    let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"key":"old/sleepy/one"}"#);
}

// SPEC 19.9
#[tokio::test]
async fn a_worker_says_at_its_start_what_it_lacks() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let runner = runner(&place.path().join("skills"), place.path().join("log"), Duration::ZERO);
    let lack =
        |worker: skills_temporal::Worker| -> Failure { worker.serves().expect_err("it lacks something") };
    let worker = skills_temporal::Worker::new(runner.clone());
    assert_eq!(worker.serves().expect("all").len(), 19);
    let none = lack(worker.only(["none"])).to_string();
    assert!(none.contains("none"), "{none}");
    let lost = runner.workspace(place.path().join("not here"));
    let told = lack(skills_temporal::Worker::new(lost)).to_string();
    assert!(told.ends_with("is not a directory of this machine"), "{told}");
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
    let second = Worker::start(bed.place.path(), &bed.server.address(), &[], &[]);
    bed.call("wide", r#"{"count": 5}"#, "warm").await.expect("it runs");
    for (at, (skill, input, steps, runs)) in crate::bed::jobs().into_iter().enumerate() {
        let (before, start) = (cost(bed.server.id()).1, Instant::now());
        let workers = |of: fn((u64, u64)) -> u64| of(cost(bed.worker.id())) + of(cost(second.id()));
        let busy = workers(|cost| cost.1);
        let all = (0..runs).map(|run| {
            let (input, key, bed) = (input.clone(), format!("m{at}-{run}"), &bed);
            async move { bed.call(skill, &input, &key).await.expect("it runs") }
        });
        futures_util::future::join_all(all).await;
        let took = start.elapsed().as_secs_f64() * 1000.0;
        let steps = (steps * runs) as f64;
        let events = bed.remote.run(skill, &format!("m{at}-0")).history().await.expect("it has one").len();
        println!(
            "temporal: {skill} x {runs}: {steps} steps in {took:.0} ms, {:.1} ms a step; {events} events in the (last) history; \
             processor ms a step: server {:.1}, workers {:.1}; memory MB: server {}, workers {}",
            took / steps,
            (cost(bed.server.id()).1 - before) as f64 / steps,
            (workers(|cost| cost.1) - busy) as f64 / steps,
            cost(bed.server.id()).0,
            workers(|cost| cost.0),
        );
    }
}
