//! Tests of the properties of runs other than crash safety, the same for each engine: exact texts, failures,
//! cancellation, upgrades.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use skills_call::durable::{RemoteCalls, Request};
use skills_call::model::Usage;
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, Called, Cancellation, ErrorKind, Runner, StepState};
use skills_exec::Confinement;

use super::{Process, cost, jobs, micros, read_notes, report, runner, write_skills};

/// A running server of an engine.
pub trait EngineServer: Sized {
    /// The name of the engine in printed lines.
    const NAME: &str;

    /// Starts a server with its data in a directory.
    fn start(place: &Path) -> impl Future<Output = Self>;

    /// Returns the process of the server.
    fn id(&self) -> u32;

    /// Starts this program as a worker.
    fn worker(&self, place: &Path, only: &[&str], settings: &[(&str, &str)])
    -> impl Future<Output = Process>;

    /// Connects to the server.
    fn connect(&self) -> impl Future<Output = impl RemoteCalls>;

    /// Starts a run of a pipeline.
    fn start_run(&self, request: Request, key: &str) -> impl Future<Output = ()>;

    /// Waits for the result of a run of a pipeline.
    fn called(&self, skill: &str, key: &str) -> impl Future<Output = Result<Called<String>, CallError>>;
}

/// A server with one worker for all skills.
pub struct Fixture<S> {
    pub place: tempfile::TempDir,
    pub server: S,
    pub worker: Process,
    /// A runner that makes its calls there.
    pub runner: Runner,
}

impl<S: EngineServer> Fixture<S> {
    pub async fn start(settings: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        write_skills(&place.path().join("skills"), "");
        let server = S::start(place.path()).await;
        let worker = server.worker(place.path(), &[], settings).await;
        let runner = runner(&place.path().join("skills"), place.path().join("remote"), Duration::ZERO);
        let runner = runner.remote(server.connect().await);
        Self { place, server, worker, runner }
    }

    /// Creates a runner that makes its calls in this process.
    pub fn local(&self) -> Runner {
        runner(&self.place.path().join("skills"), self.place.path().join("local"), Duration::ZERO)
    }

    /// Returns the file with the records of the workers.
    pub fn log(&self) -> PathBuf {
        self.place.path().join("log")
    }

    pub async fn call(&self, skill: &str, input: &str, key: &str) -> Result<String, CallError> {
        let call = self.runner.call_text(skill, input, CallOptions::default().journal(key));
        let called = tokio::time::timeout(Duration::from_secs(1200), call).await.expect("it ends");
        called.map(|called| called.output)
    }

    /// Waits for the output of a run of a pipeline, with a limit in seconds.
    async fn output(&self, skill: &str, key: &str, limit: u64) -> String {
        let called = self.server.called(skill, key);
        let called = tokio::time::timeout(Duration::from_secs(limit), called).await.expect("it ends");
        called.expect("it goes on").output
    }

    /// Waits until a function begins.
    async fn begins(&self, key: &str) {
        while !read_notes(&self.log()).contains_key(key) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills the worker, and begins it again.
    fn restart_worker(&mut self) {
        self.worker.kill();
        self.worker.begin();
    }

    pub async fn a_run_behaves_like_a_call(&self) {
        // Texts are exact, with members in their order.
        let text = r#"{"z":1.50,"a":[1e400,"é\u0001"]}"#;
        let output = self.call("exact", text, "exact").await.expect("it runs");
        assert_eq!(output, text);
        // A key starts only one run, whatever the input.
        assert_eq!(self.call("exact", r#"{"z": 2, "a": 3}"#, "exact").await.expect("it is there"), output);
        // A skill that is not a pipeline is also a run, and knows its key.
        let output = self.call("slow", "{}", "alone").await.expect("it runs");
        assert_eq!(output, r#"{"key":"alone/slow"}"#);
        // Failures have the same texts and kinds as in a local call.
        let local = self.local();
        for (skill, input) in [("report", "{}"), ("slow", "7"), ("limited", r#"{"ms": 5000}"#)] {
            let here = local.call_text(skill, input, CallOptions::default()).await;
            let here = error(here.map(|called| called.output));
            assert_eq!(error(self.call(skill, input, &format!("fails-{skill}")).await), here);
        }
        self.server.start_run(Request::new("report", "7"), "invalid").await;
        let invalid = self.server.called("report", "invalid").await.expect_err("it does not fit");
        let [violation] = &*invalid.violations() else { panic!("one: {invalid:?}") };
        assert_eq!((violation.pointer.as_str(), violation.rule, violation.found.as_str()), ("", "type", "7"));
        let (kind, text) = error(self.call("slow", r#"{"panic": true}"#, "panic").await);
        assert_eq!((kind, text.as_str()), (ErrorKind::Failed, "Skill \"slow\" failed: it panicked"));
        // Attempts, their limit and the delay between them.
        let start = Instant::now();
        self.call("waits", r#"{"fails": true}"#, "waits").await.expect("the second attempt");
        assert!(start.elapsed() > Duration::from_millis(200));
        let (kind, text) = error(self.call("waits", r#"{"ms": 4000}"#, "late").await);
        assert_eq!((kind, text.contains("timed out after 1500ms")), (ErrorKind::Timeout, true), "{text}");
        assert!(!self.place.path().join("remote").exists(), "nothing runs here");
    }

    /// Steps need a delay of 400 ms.
    pub async fn a_runner_gets_events_and_cancels(&self) {
        let (send, events) = mpsc::channel();
        let runner = self.runner.clone().on_event(move |event| drop(send.send(event.clone())));
        let options = CallOptions::default().journal("monday");
        let called = runner.call_text("report", r#"{"count": 3}"#, options).await.expect("it runs");
        assert_eq!(called.output, report(3));
        let names: Vec<&str> = events.try_iter().map(|event| event.name()).collect();
        assert_eq!((names.first(), names.last()), (Some(&"skill_call"), Some(&"skill_result")));
        assert!(names.contains(&"step_start") && names.contains(&"step_end"), "{names:?}");
        // A cancellation reaches running work within a second or two.
        let cancellation = Cancellation::default();
        let options = CallOptions::default().journal("tuesday").cancellation(cancellation.clone());
        let call = runner.call_text("sleepy", r#"{"ms": 60000}"#, options);
        let cancel = async {
            self.begins("tuesday/sleepy/one").await;
            tokio::time::sleep(Duration::from_millis(500)).await;
            cancellation.cancel();
            micros()
        };
        let (result, at) = tokio::join!(call, cancel);
        assert_eq!(result.expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
        let start = Instant::now();
        let dropped = loop {
            let notes = read_notes(&self.log());
            if let Some(dropped) = notes.get("tuesday/sleepy/one").and_then(|one| one.dropped.first()) {
                break *dropped;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "it is not reported");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        println!("{}: cancelled after {} ms", S::NAME, (dropped - at) / 1000);
        assert!(dropped - at < 10_000_000, "{} us", dropped - at);
        assert!(!self.place.path().join("remote").exists(), "nothing runs here");
    }

    pub async fn a_changed_skill_waits_for_its_old_files(&mut self) {
        self.server.start_run(Request::new("sleepy", r#"{"ms": 3000}"#), "old").await;
        self.begins("old/sleepy/one").await;
        let (skills, kept) = (self.place.path().join("skills"), self.place.path().join("kept"));
        fs::rename(&skills, &kept).expect("renamed");
        write_skills(&skills, ", changed");
        self.restart_worker();
        let waits = tokio::time::timeout(Duration::from_secs(10), self.server.called("sleepy", "old")).await;
        assert!(waits.is_err(), "it goes on by other files: {waits:?}");
        self.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("a new run has the new files");
        fs::remove_dir_all(&skills).expect("removed");
        fs::rename(&kept, &skills).expect("renamed");
        self.restart_worker();
        assert_eq!(self.output("sleepy", "old", 120).await, r#"{"key":"old/sleepy/one"}"#);
    }

    pub async fn finished_programs_and_models_do_not_run_again(&mut self) {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let trace = TraceContext::new(parent, Some("a=1"));
        self.server.start_run(Request { trace, ..Request::new("mixed", r#"{"n": 7}"#) }, "mixed").await;
        self.begins("mixed/mixed/last").await;
        self.restart_worker();
        let called = self.server.called("mixed", "mixed");
        let called = tokio::time::timeout(Duration::from_secs(60), called).await.expect("it ends");
        let called = called.expect("it goes on");
        assert_eq!(called.output, r#"{"n":7,"said":"yes","key":"mixed/mixed/last"}"#);
        // The states of the steps and the usage of the model are known as after a local call, and the program
        // got the trace context.
        assert_eq!(called.usage, Usage { input_tokens: 3, output_tokens: 4 });
        let steps: Vec<_> = called.steps.iter().map(|record| (record.step.as_str(), &record.state)).collect();
        assert_eq!(steps, ["program", "model", "last"].map(|step| (step, &StepState::Done)));
        let recorded = fs::read_to_string(self.place.path().join("trace")).expect("it was reported");
        assert_eq!(recorded, format!("{parent} a=1\n"));
        let notes = read_notes(&self.log());
        for name in ["program", "model"] {
            assert_eq!((notes[name].begun.len(), notes[name].ended.len()), (1, 1), "{name}");
        }
        assert_eq!(notes["mixed/mixed/last"].begun.len(), 2);
    }

    /// The worker needs the variable `API_KEY`.
    pub async fn a_worker_confines_programs_as_a_call_here_does(&self) {
        assert_eq!(Confinement::unavailable(), None, "this test needs a sandbox");
        fs::write(self.place.path().join("secret"), "secret").expect("a file");
        let here = async |confinement| {
            let runner = self.local().confinement(confinement);
            let called = runner.call_text("asks_nosy", "{}", CallOptions::default()).await;
            called.expect("it runs").output
        };
        let closed = r#"{"reads": false, "writes": false, "key": ""}"#;
        assert_eq!(here(Confinement::auto()).await, closed);
        assert_eq!(self.call("asks_nosy", "{}", "nosy").await.expect("it runs"), closed);
        let open = here(Confinement::off()).await;
        assert!(open.starts_with(r#"{"reads": true, "writes": true"#), "it could, unconfined: {open}");
    }

    /// Steps need a delay of 150 ms.
    pub async fn a_worker_joins_late_and_another_has_new_files(&self) {
        let place = self.place.path();
        self.server.start_run(Request::new("wide", r#"{"count": 100}"#), "late").await;
        self.begins("late/wide/w[0]").await;
        let joined = self.server.worker(place, &[], &[("SKILLS_TEST_DELAY", "150")]).await;
        self.server.called("wide", "late").await.expect("it ends");
        let notes = read_notes(&self.log());
        let [first, second] =
            [self.worker.id(), joined.id()].map(|id| notes.values().filter(|one| one.by == [id]).count());
        assert!(first > 0 && second > 0, "both worked: {first} {second}");
        assert!(notes.values().all(|noted| noted.ended.len() == 1), "nothing was done twice");

        // A worker with new files joins during a run with the old ones.
        self.server.start_run(Request::new("sleepy", r#"{"ms": 3000}"#), "old").await;
        self.begins("old/sleepy/one").await;
        write_skills(&place.join("new"), ", changed");
        let _upgraded = self.server.worker(place, &[], &[("SKILLS_TEST_SKILLS", "new")]).await;
        let output = self.call("sleepy", r#"{"ms": 1}"#, "new").await.expect("it runs");
        assert_eq!(output, r#"{"key":"new/sleepy/one"}"#);
        assert_eq!(self.output("sleepy", "old", 60).await, r#"{"key":"old/sleepy/one"}"#);
        assert_eq!(read_notes(&self.log())["old/sleepy/one"].begun.len(), 1);
    }

    /// Measures the figures in `docs/ENGINES.md` with this worker and others. `detail` is printed for the first
    /// run of each skill.
    pub async fn figures(&self, others: &[Process], detail: impl AsyncFn(&str, &str) -> String) {
        self.call("wide", r#"{"count": 5}"#, "warm").await.expect("it runs");
        let workers = |of: fn((u64, u64)) -> u64| -> u64 {
            others.iter().chain([&self.worker]).map(|worker| of(cost(worker.id()))).sum()
        };
        for (at, (skill, input, steps, runs)) in jobs().into_iter().enumerate() {
            let (before, busy) = (cost(self.server.id()).1, workers(|cost| cost.1));
            let start = Instant::now();
            let all = (0..runs).map(|run| {
                let (input, key) = (input.clone(), format!("m{at}-{run}"));
                async move {
                    self.server.start_run(Request::new(skill, input), &key).await;
                    self.server.called(skill, &key).await.expect("it runs")
                }
            });
            futures_util::future::join_all(all).await;
            let took = start.elapsed().as_secs_f64() * 1000.0;
            let steps = (steps * runs) as f64;
            println!(
                "{}: {skill} x {runs}: {steps} steps in {took:.0} ms, {:.1} ms a step{}; processor ms a step: server \
                 {:.1}, workers {:.1}; memory MB: server {}, workers {}",
                S::NAME,
                took / steps,
                detail(skill, &format!("m{at}-0")).await,
                (cost(self.server.id()).1 - before) as f64 / steps,
                (workers(|cost| cost.1) - busy) as f64 / steps,
                cost(self.server.id()).0,
                workers(|cost| cost.0),
            );
        }
    }
}

/// Returns the kind and text of a failure.
pub fn error(result: Result<String, CallError>) -> (ErrorKind, String) {
    let error = result.expect_err("it fails");
    (error.kind(), error.to_string())
}
