//! A host that runs a pipeline with a journal is killed again and again: this binary starts itself as the host.

#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use skills_call::{BoxFuture, CallOptions, Failure, FileStore, Functions, RunLock, Runner, Saved, StepStore};

use crate::functions::{functions, host, manifest};

/// The directory that the host works in.
const PLACE: &str = "SKILLS_TEST_PLACE";
/// The directory in which the holder of a run says that it has it.
const HELD: &str = "SKILLS_TEST_HELD";
/// The number of points that the host passes before it kills itself. `None`: it does not.
const POINT: &str = "SKILLS_TEST_POINT";
/// The number of bytes that each step prints.
const SIZE: &str = "SKILLS_TEST_SIZE";

/// The number of calls of `work`.
const CALLS: usize = 8;

fn library() -> &'static Functions {
    let any = r#"{"type": "object"}"#;
    let output = r#"{"type": "object", "properties": {"n": {"type": "integer"}, "fill": {"type": "string"}},
                     "required": ["n", "fill"]}"#;
    let inner = r#""calls": ["work"], "pipeline": [{"step": "deep", "skill": "work", "input": {"n": "{{input.n}}"}}]"#;
    let outer = r#""calls": ["work", "inner"], "pipeline": [
        {"step": "first", "skill": "work", "input": {"n": 1}},
        {"step": "nested", "skill": "inner", "input": {"n": 2}, "depends": ["first"]},
        {"step": "many", "skill": "work", "input": {"n": "{{item}}"}, "foreach": "{{input.list}}",
         "maxConcurrency": 3, "depends": ["nested"]},
        {"step": "last", "skill": "work", "input": {"n": 8}, "depends": ["many"]}],
        "outputMapping": {"all": "{{steps.many.results | map: n}}", "first": "{{steps.first}}",
                          "nested": "{{steps.nested}}", "last": "{{steps.last}}"}"#;
    functions(&[
        ("work/skill.json", &manifest("work", "code", any, output, "")),
        ("inner/skill.json", &manifest("inner", "composite", any, output, inner)),
        ("outer/skill.json", &manifest("outer", "composite", any, any, outer)),
    ])
}

/// Kills this process at one of the points that it passes.
struct Points {
    left: AtomicUsize,
    place: PathBuf,
}

impl Points {
    fn pass(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let own = std::process::id().to_string();
            let _ = Command::new("kill").args(["-9", &own]).status();
        }
    }

    /// Writes a line that is there whenever this returns.
    fn note(&self, line: &str) {
        let mut file =
            OpenOptions::new().create(true).append(true).open(self.place.join("log")).expect("a log");
        file.write_all(format!("{line}\n").as_bytes()).expect("one write");
    }
}

/// Passes a point before and after each use of the store.
struct Watched(FileStore, Arc<Points>);

impl StepStore for Watched {
    fn lock_run<'a>(&'a self, run: &'a str) -> BoxFuture<'a, Result<RunLock, Failure>> {
        self.0.lock_run(run)
    }

    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Saved, Failure>> {
        Box::pin(async move {
            self.1.pass();
            let saved = self.0.load(run, step).await?;
            if matches!(saved, Saved::Damaged(_)) {
                self.1.note("damaged");
            }
            Ok(saved)
        })
    }

    fn save<'a>(
        &'a self,
        run: &'a str,
        step: &'a str,
        output: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.1.pass();
            self.0.save(run, step, output).await?;
            let n: serde_json::Value = serde_json::from_str(output)?;
            // A list is not a step itself, and a list in a nested pipeline is saved twice.
            self.1.note(&format!("saved {}", n["n"]));
            self.1.pass();
            Ok(())
        })
    }
}

/// Holds a run for ever, when this binary is started for that.
#[tokio::test]
#[ignore = "another test runs it in a separate process"]
async fn the_holder() {
    let Some(place) = std::env::var_os(HELD).map(PathBuf::from) else { return };
    let held = FileStore::new(place.join("journal")).lock_run("run").await;
    fs::write(place.join("held"), "").expect("a file");
    let _held = held.expect("it is free");
    std::thread::sleep(Duration::from_secs(600));
}

// SPEC 5.9
#[tokio::test]
async fn two_processes_never_run_one_key_and_the_lock_of_a_dead_one_is_free() {
    let place = tempfile::tempdir().expect("a directory");
    let store = FileStore::new(place.path().join("journal"));
    let mut holder = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", "call_kill::the_holder", "--include-ignored", "--test-threads=1"])
        .stdout(Stdio::null())
        .env(HELD, place.path())
        .spawn()
        .expect("it starts");
    while !place.path().join("held").exists() {
        assert!(holder.try_wait().expect("a child").is_none(), "it holds");
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = store.lock_run("run").await.expect_err("another process has it").to_string();
    let by = format!("the run \"run\" is under way in another call, of the process {}", holder.id());
    assert!(refused.ends_with(&by), "{refused}");
    store.lock_run("another").await.expect("another run");
    holder.kill().expect("killed");
    holder.wait().expect("a child");
    let held = store.lock_run("run").await.expect("the process that held it is dead");
    let refused = store.lock_run("run").await.expect_err("this process has it").to_string();
    assert!(refused.ends_with(&format!("of the process {}", std::process::id())), "{refused}");
    drop(held);
    store.lock_run("run").await.expect("it is free");
}

/// The host, when this binary is started as one: runs the pipeline to its end, and writes the output down.
#[tokio::test]
#[ignore = "another test runs it in a separate process"]
async fn the_host() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(0_usize);
    let points = Arc::new(Points { left: AtomicUsize::new(number(POINT)), place: place.clone() });
    let (seen, size) = (Arc::clone(&points), number(SIZE));
    let store = Watched(FileStore::new(place.join("journal")), points);
    let runner = Runner::new(library()).journal(store).host(host(move |_, input, _| {
        let points = Arc::clone(&seen);
        Some(Box::pin(async move {
            points.pass();
            points.note(&format!("ran {}", input["n"]));
            tokio::task::yield_now().await;
            points.pass();
            Ok(json!({"n": input["n"], "fill": "é".repeat(size / 2)}))
        }))
    }));
    let options = CallOptions::default().journal("run".to_owned());
    let outcome = runner.call_json_with("outer", json!({"list": [3, 4, 5, 6, 7]}), options).await;
    let output = outcome.expect("it runs").output;
    assert_eq!(output["all"], json!([3, 4, 5, 6, 7]));
    for (name, n) in [("first", 1), ("nested", 2), ("last", 8)] {
        assert_eq!(output[name]["n"], n);
        assert_eq!(output[name]["fill"].as_str().map(str::len), Some(size / 2 * 2));
    }
    fs::write(place.join("done"), "").expect("a file");
}

fn command(place: &Path, point: usize, size: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command
        .args(["--exact", "call_kill::the_host", "--include-ignored", "--test-threads=1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.env(PLACE, place).env(POINT, point.to_string()).env(SIZE, size.to_string());
    command
}

fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(9)
}

/// Checks that no step ran after it was saved, that all ran, and how often.
fn check(place: &Path, deaths: usize, at: &str) {
    let log = fs::read_to_string(place.join("log")).expect("a log");
    let mut saved: Vec<&str> = Vec::new();
    for line in log.lines() {
        match line.split_once(' ') {
            Some(("saved", n)) => saved.push(n),
            Some((_, n)) => assert!(!saved.contains(&n), "{at}: {n} ran again\n{log}"),
            None => assert_ne!(
                line, "damaged",
                "{at}: a step that was being written is whole or is not there\n{log}"
            ),
        }
    }
    for n in 1..=CALLS {
        let count = log.lines().filter(|line| *line == format!("ran {n}")).count();
        assert!((1..=deaths + 1).contains(&count), "{at}: {n} ran {count} times\n{log}");
    }
    assert!(place.join("done").exists(), "{at}\n{log}");
}

// SPEC 5.6, 5.9, 12.2
#[test]
fn a_host_killed_at_any_point_continues() {
    let mut point = 0;
    loop {
        point += 1;
        let place = tempfile::tempdir().expect("a directory");
        let status = command(place.path(), point, 100).status().expect("it starts");
        if status.success() {
            check(place.path(), 0, "unharmed");
            break;
        }
        assert!(is_killed(status), "{point}: {status}");
        let status = command(place.path(), 0, 100).status().expect("it starts");
        assert!(status.success(), "{point}: {status}");
        check(place.path(), 1, &format!("killed at {point}"));
    }
    // Two points of each call, one of each load, two of each save: those of eight calls and a nested pipeline.
    assert_eq!(point, 2 * CALLS + 3 * (CALLS + 1) + 1);
}

// SPEC 5.6, 5.9, 12.2
#[test]
fn a_host_killed_at_any_time_continues() {
    const SIZE: usize = 1 << 20;
    let place = tempfile::tempdir().expect("a directory");
    let start = std::time::Instant::now();
    assert!(command(place.path(), 0, SIZE).status().expect("it starts").success());
    let whole = start.elapsed();
    for round in 0..u32::try_from(test_bed::rounds(1)).expect("few") {
        let place = tempfile::tempdir().expect("a directory");
        let mut deaths = 0;
        // It is killed until it gets through, each time a little later.
        let is_done = (1..20_u32).any(|life| {
            let mut child = command(place.path(), 0, SIZE).spawn().expect("it starts");
            let limit = whole * (life * 3 + round % 3) / 20;
            let start = std::time::Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().expect("a child") {
                    break status;
                }
                if start.elapsed() >= limit {
                    child.kill().expect("killed");
                    break child.wait().expect("a child");
                }
                std::thread::sleep(Duration::from_millis(1));
            };
            assert!(status.success() || is_killed(status), "{status}");
            deaths += usize::from(is_killed(status));
            status.success()
        });
        if !is_done {
            assert!(command(place.path(), 0, SIZE).status().expect("it starts").success());
        }
        check(place.path(), deaths, &format!("round {round}"));
    }
}
