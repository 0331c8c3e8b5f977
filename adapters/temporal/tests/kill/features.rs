//! Tests the properties of runs other than crash safety: exact texts, failures, cancellation, waits, sizes,
//! long lists, upgrades.

use std::time::{Duration, Instant};

use skills_call::durable::Request;
use skills_call::model::Usage;
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, Cancellation, ErrorKind, Event, Runner, StepState};
use skills_exec::Confinement;
use skills_temporal::{Failure, MAX_PAYLOAD, Remote};

use crate::server::Server;
use skills_engines_bed::{Process, cost, jobs, micros, noted, runner, write_skills};

/// A server with one worker for all skills.
struct Fixture {
    place: tempfile::TempDir,
    server: Server,
    worker: Process,
    remote: Remote,
}

impl Fixture {
    async fn start(settings: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        write_skills(&place.path().join("skills"), "");
        let server = Server::start(place.path()).await;
        let worker = server.worker(place.path(), &[], settings);
        let remote = Remote::connect(&server.address()).await.expect("it answers");
        Self { place, server, worker, remote }
    }

    async fn call(&self, skill: &str, input: &str, key: &str) -> Result<String, CallError> {
        let run = self.remote.start(Request::new(skill, input), key).await.expect("it begins");
        tokio::time::timeout(Duration::from_secs(1200), run.output()).await.expect("it ends")
    }
}

fn error(result: Result<String, CallError>) -> (ErrorKind, String) {
    let error = result.expect_err("it fails");
    (error.kind(), error.to_string())
}

// SPEC 19.2, 19.4, 19.5, 19.13, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_run_behaves_like_a_call() {
    let fixture = Fixture::start(&[]).await;
    // Texts are exact, with members in their order.
    let text = r#"{"z":1.50,"a":[1e400,"é\u0001"]}"#;
    let output = fixture.call("exact", text, "exact").await.expect("it runs");
    assert_eq!(output, "{\"z\":1.50,\"a\":[1e400,\"é\\u0001\"]}");
    // A key starts only one run, whatever the input.
    assert_eq!(fixture.call("exact", r#"{"z": 2, "a": 3}"#, "exact").await.expect("it is there"), output);
    // A skill that is not a pipeline is also a run, and knows its key.
    let output = fixture.call("slow", "{}", "alone").await.expect("it runs");
    assert_eq!(output, r#"{"key":"alone/slow"}"#);
    // Failures have the same texts and kinds as in a local call.
    let local =
        runner(&fixture.place.path().join("skills"), fixture.place.path().join("other"), Duration::ZERO);
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
    // Attempts, their limit and the delay between them.
    let start = Instant::now();
    fixture.call("waits", r#"{"fails": true}"#, "waits").await.expect("the second attempt");
    assert!(start.elapsed() > Duration::from_millis(200));
    let (kind, text) = error(fixture.call("waits", r#"{"ms": 4000}"#, "late").await);
    assert_eq!((kind, text.contains("timed out after 1500ms")), (ErrorKind::Timeout, true), "{text}");
    // An input that is too large is refused with advice.
    let large = format!(r#"{{"z": "{}", "a": 1}}"#, "x".repeat(MAX_PAYLOAD));
    let refused = fixture
        .remote
        .start(Request::new("exact", large.as_str()), "large")
        .await
        .map(|_| ())
        .expect_err("too large");
    assert!(refused.to_string().contains("put what is large into a file"), "{refused}");
    let half = format!(r#"{{"z": "{0}", "a": "{0}"}}"#, "x".repeat(MAX_PAYLOAD / 2 - 20));
    let (_, text) = error(fixture.call("exact", &half, "half").await);
    assert!(text.contains("put what is large into a file"), "{text}");
    // Inputs that are too large together are sent a few at a time.
    let many = format!(r#"{{"list": [1, 2, 3, 4, 5, 6, 7, 8], "text": "{}"}}"#, "x".repeat(1_200_000));
    assert_eq!(fixture.call("large", &many, "many").await.expect("it runs"), r#"{"n":[1,2,3,4,5,6,7,8]}"#);
    // Lists.
    let runs = fixture.remote.runs(100).await.expect("they are listed");
    let exact = runs.iter().find(|run| run.key == "exact").expect("it is there");
    assert_eq!((exact.skill.as_str(), exact.status.as_str()), ("exact", "completed"));
}

// SPEC 19.5, 19.7
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_runner_calls_remotely_and_gets_events() {
    let fixture = Fixture::start(&[("SKILLS_TEST_DELAY", "400")]).await;
    let local =
        runner(&fixture.place.path().join("skills"), fixture.place.path().join("other"), Duration::ZERO);
    let (send, events) = std::sync::mpsc::channel();
    let runner = local.remote(fixture.remote.clone()).on_event(move |event| {
        let _ = send.send(event.clone());
    });
    let options = CallOptions::default().journal("monday");
    let called = runner.call_text("report", r#"{"count": 3}"#, options).await.expect("it runs");
    assert_eq!(called.output, r#"{"text":"s0,s1,s2","count":3}"#);
    let names: Vec<&str> = events.try_iter().map(|event: Event| event.name()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"skill_call"), Some(&"skill_result")));
    assert!(names.contains(&"step_start") && names.contains(&"step_end"), "{names:?}");
    assert!(!fixture.place.path().join("other").exists(), "nothing runs here");
    // A cancellation reaches running work within a second or two.
    let cancellation = Cancellation::default();
    let options = CallOptions::default().journal("tuesday").cancellation(cancellation.clone());
    let call = runner.call_text("sleepy", r#"{"ms": 60000}"#, options);
    let cancel = async {
        let log = fixture.place.path().join("log");
        while !noted(&log).contains_key("tuesday/sleepy/one") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancellation.cancel();
        micros()
    };
    let (result, at) = tokio::join!(call, cancel);
    assert_eq!(result.expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
    let log = fixture.place.path().join("log");
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
    println!("temporal: cancelled after {} ms", (dropped - at) / 1000);
    assert!(dropped - at < 10_000_000, "{} us", dropped - at);
    let runs = fixture.remote.runs(100).await.expect("they are listed");
    assert!(runs.iter().any(|run| run.key == "tuesday"), "{runs:?}");
}

// SPEC 19.6, 19.8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
async fn a_long_list_continues_in_new_histories_and_a_changed_skill_waits() {
    let settings = [("SKILLS_TEST_HISTORY", "100"), ("SKILLS_TEST_CACHED", "0")];
    let mut fixture = Fixture::start(&settings).await;
    // Its time limit of 8 s does not restart with a new history. Without a limit across histories, it would
    // have an output.
    let (capped, begun) = (Request::new("capped", r#"{"count": 2000}"#), Instant::now());
    let capped = fixture.remote.start(capped, "capped").await.expect("it begins");
    let (output, capped) = tokio::join!(fixture.call("wide", r#"{"count": 120}"#, "wide"), async {
        let output = capped.output().await;
        (output, begun.elapsed())
    });
    let (kind, text) = error(capped.0);
    assert_eq!((kind, text.as_str()), (ErrorKind::Timeout, "Skill \"capped\" timed out after 8000ms"));
    assert!(capped.1 > Duration::from_secs(7), "{:?}", capped.1);
    let notes = noted(&fixture.place.path().join("log"));
    let done = notes.iter().filter(|(key, noted)| key.starts_with("capped/") && !noted.ended.is_empty());
    let done = done.count();
    assert!((41..2000).contains(&done), "it was cut: {done}");
    let output = output.expect("it runs");
    let expected: Vec<String> = (0..120).map(|id| id.to_string()).collect();
    assert_eq!(output, format!(r#"{{"n":[{}]}}"#, expected.join(",")));
    let notes = noted(&fixture.place.path().join("log"));
    let wide = notes.iter().filter(|(key, _)| key.starts_with("wide/"));
    assert!(wide.map(|(_, noted)| noted.ended.len()).eq([1; 121]), "no step ran twice");
    let last = fixture.remote.run("wide", "wide").history().await.expect("it has one").len();
    assert!(last < 200, "{last} events in the last history");

    // A run starts, its skill changes, and the run waits for a worker with the old files.
    let run =
        fixture.remote.start(Request::new("sleepy", r#"{"ms": 3000}"#), "old").await.expect("it begins");
    while !noted(&fixture.place.path().join("log")).contains_key("old/sleepy/one") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    fixture.worker.kill();
    write_skills(&fixture.place.path().join("new"), ", changed");
    let mut settings = settings.to_vec();
    settings.push(("SKILLS_TEST_SKILLS", "new"));
    let mut changed = fixture.server.worker(fixture.place.path(), &[], &settings);
    let waits = tokio::time::timeout(Duration::from_secs(10), run.output()).await;
    assert!(waits.is_err(), "it goes on by other files: {waits:?}");
    fixture.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("a new run has the new files");
    changed.kill();
    fixture.worker.begin();
    let output = tokio::time::timeout(Duration::from_secs(120), run.output()).await.expect("it ends");
    assert_eq!(output.expect("it goes on"), r#"{"key":"old/sleepy/one"}"#);
}

// SPEC 19.9
#[tokio::test]
async fn a_worker_reports_missing_capabilities_at_start() {
    let place = tempfile::tempdir().expect("a directory");
    write_skills(&place.path().join("skills"), "");
    let runner = runner(&place.path().join("skills"), place.path().join("log"), Duration::ZERO);
    let lack =
        |worker: skills_temporal::Worker| -> Failure { worker.serves().expect_err("it lacks something") };
    let worker = skills_temporal::Worker::new(runner.clone());
    assert_eq!(worker.serves().expect("all").len(), 22);
    let none = lack(worker.only(["none"])).to_string();
    assert!(none.contains("none"), "{none}");
    let lost = runner.workspace(place.path().join("not here"));
    let message = lack(skills_temporal::Worker::new(lost)).to_string();
    assert!(message.ends_with("is not a directory of this machine"), "{message}");
}

// SPEC 19.3, 19.9, 19.13, 19.14
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs python3 and pip"]
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
#[ignore = "needs python3 and pip"]
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
#[ignore = "needs python3 and pip"]
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
    let joined = fixture.server.worker(place, &[], &[("SKILLS_TEST_DELAY", "150")]);
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
    let _upgraded = fixture.server.worker(place, &[], &[("SKILLS_TEST_SKILLS", "new")]);
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
    let second = fixture.server.worker(fixture.place.path(), &[], &[]);
    fixture.call("wide", r#"{"count": 5}"#, "warm").await.expect("it runs");
    for (at, (skill, input, steps, runs)) in jobs().into_iter().enumerate() {
        let (before, start) = (cost(fixture.server.process.id()).1, Instant::now());
        let workers = |of: fn((u64, u64)) -> u64| of(cost(fixture.worker.id())) + of(cost(second.id()));
        let busy = workers(|cost| cost.1);
        let all = (0..runs).map(|run| {
            let (input, key, fixture) = (input.clone(), format!("m{at}-{run}"), &fixture);
            async move { fixture.call(skill, &input, &key).await.expect("it runs") }
        });
        futures_util::future::join_all(all).await;
        let took = start.elapsed().as_secs_f64() * 1000.0;
        let steps = (steps * runs) as f64;
        let events =
            fixture.remote.run(skill, &format!("m{at}-0")).history().await.expect("it has one").len();
        println!(
            "temporal: {skill} x {runs}: {steps} steps in {took:.0} ms, {:.1} ms a step; {events} events in the (last) history; \
             processor ms a step: server {:.1}, workers {:.1}; memory MB: server {}, workers {}",
            took / steps,
            (cost(fixture.server.process.id()).1 - before) as f64 / steps,
            (workers(|cost| cost.1) - busy) as f64 / steps,
            cost(fixture.server.process.id()).0,
            workers(|cost| cost.0),
        );
    }
}
