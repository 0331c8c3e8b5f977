//! Runs that were interrupted go on where they ended, and a damaged journal never makes a wrong result.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_call::{
    BoxFuture, CallError, CallOptions, Event, Failure, FileStore, Functions, RunLock, Runner, Saved,
    StepState, StepStore,
};

use crate::functions::{Log, functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

fn library() -> &'static Functions {
    library_of("1.0.0")
}

/// The library, its skill `work` in some version.
fn library_of(version: &str) -> &'static Functions {
    let output = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let inner = r#""calls": ["work"], "pipeline": [{"step": "deep", "skill": "work", "input": {"n": "{{input.n}}"}}]"#;
    let outer = r#""calls": ["work", "inner"], "pipeline": [
        {"step": "first", "skill": "work", "input": {"n": 1}},
        {"step": "nested", "skill": "inner", "input": {"n": "{{steps.first.n}}"}},
        {"step": "many", "skill": "work", "input": {"n": 7}, "foreach": "{{input.list}}", "depends": ["nested"]},
        {"step": "last", "skill": "work", "input": {"n": 9}, "depends": ["many"]}]"#;
    functions(&[
        ("work/skill.json", &manifest("work", "code", ANY, output, &format!(r#""version": "{version}""#))),
        ("inner/skill.json", &manifest("inner", "composite", ANY, output, inner)),
        ("outer/skill.json", &manifest("outer", "composite", ANY, output, outer)),
    ])
}

/// A runner whose skill fails from the call of number `fails` on, and a count of its calls.
fn runner(store: impl StepStore, fails: usize) -> (Runner, Arc<Mutex<Vec<Value>>>) {
    let calls: Arc<Mutex<Vec<Value>>> = Arc::default();
    let seen = Arc::clone(&calls);
    let runner = Runner::new(library()).journal(store).host(host(move |_, input, _| {
        let mut seen = seen.lock().expect("no panic");
        let is_over = seen.len() >= fails;
        seen.push(input["n"].clone());
        Some(Box::pin(async move { if is_over { Err("power cut".into()) } else { Ok(input) } }))
    }));
    (runner, calls)
}

async fn call(runner: &Runner, key: &str) -> Result<(Value, Vec<StepState>), CallError> {
    let options = CallOptions::default().journal(key.to_owned());
    let outcome = runner.call_json_with("outer", json!({"list": [1, 2, 3]}), options).await?;
    Ok((outcome.output, outcome.steps.into_iter().map(|step| step.state).collect()))
}

fn damaged(log: &Log) -> usize {
    log.events().iter().filter(|event| matches!(event, Event::StepDamaged { .. })).count()
}

fn entries(root: &Path) -> Vec<std::path::PathBuf> {
    let runs = std::fs::read_dir(root).expect("the store").flatten();
    let files = runs.flat_map(|run| std::fs::read_dir(run.path()).expect("a run").flatten());
    files.map(|file| file.path()).filter(|path| !path.ends_with("lock")).collect()
}

// SPEC 5.6
#[tokio::test]
async fn an_interrupted_run_repeats_no_finished_step() {
    // The run has 6 calls; after an interruption it continues with the next one.
    for fails in 0..6 {
        let root = tempfile::tempdir().expect("a directory");
        let store = FileStore::new(root.path());
        let (first, calls) = runner(store.clone(), fails);
        call(&first, "monday").await.expect_err("interrupted");
        assert_eq!(calls.lock().expect("no panic").len(), fails + 1);
        let (second, calls) = runner(store.clone(), usize::MAX);
        let (output, states) = call(&second, "monday").await.expect("it goes on");
        assert_eq!(output, json!({"n": 9}));
        assert_eq!(calls.lock().expect("no panic").len(), 6 - fails, "interrupted after {fails}");
        assert_eq!(
            states.iter().filter(|state| **state == StepState::Resumed).count(),
            [0, 1, 2, 2, 2, 3][fails]
        );

        let (other, calls) = runner(store.clone(), usize::MAX);
        call(&other, "tuesday").await.expect("it runs");
        assert_eq!(calls.lock().expect("no panic").len(), 6, "another run shares nothing");
        store.forget("monday").expect("it is there");
        call(&other, "monday").await.expect("it runs");
        assert_eq!(calls.lock().expect("no panic").len(), 12, "what is forgotten runs again");
    }
}

// SPEC 12.2
#[tokio::test]
async fn a_damaged_entry_is_ignored() {
    let root = tempfile::tempdir().expect("a directory");
    let store = FileStore::new(root.path());
    call(&runner(store.clone(), usize::MAX).0, "run").await.expect("it runs");
    let whole: Vec<(std::path::PathBuf, Vec<u8>)> = entries(root.path())
        .into_iter()
        .map(|path| (path.clone(), std::fs::read(path).expect("an entry")))
        .collect();
    assert_eq!(whole.len(), 7, "six calls and the nested pipeline");
    type Damage = fn(&mut Vec<u8>);
    let damages: [Damage; 5] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| *bytes.last_mut().expect("not empty") ^= 1,
        |bytes| bytes.push(b' '),
        |bytes| *bytes = vec![0xff; 300],
    ];
    for damage in damages {
        for (path, bytes) in &whole {
            let mut bytes = bytes.clone();
            damage(&mut bytes);
            std::fs::write(path, bytes).expect("damaged");
        }
        let (runner, calls) = runner(store.clone(), usize::MAX);
        let log = Log::default();
        let runner = runner.on_event(log.observer());
        let (output, _) = call(&runner, "run").await.expect("it runs again");
        assert_eq!((output, calls.lock().expect("no panic").len()), (json!({"n": 9}), 6));
        assert_eq!(damaged(&log), 7, "each is reported");
    }
    // An entry that is stored under another entry's name is not used.
    let [(one, bytes), (two, _), ..] = whole.as_slice() else { panic!("{whole:?}") };
    assert_ne!(one, two);
    std::fs::write(two, bytes).expect("swapped");
    let (output, _) = call(&runner(store, usize::MAX).0, "run").await.expect("it runs");
    assert_eq!(output, json!({"n": 9}));
}

// SPEC 12.2
#[tokio::test]
async fn a_store_that_cannot_be_used_fails_the_call() {
    let root = tempfile::NamedTempFile::new().expect("a file");
    let error =
        call(&runner(FileStore::new(root.path()), usize::MAX).0, "run").await.expect_err("no directory");
    assert!(matches!(error, CallError::Journal { .. }), "before any step: {error}");
    let options = CallOptions::default().journal("run");
    let none = Runner::new(library()).call_json_with("outer", json!({}), options).await;
    assert!(matches!(none, Err(CallError::Journal { .. })), "{none:?}");
}

// SPEC 12.2
#[tokio::test]
async fn a_skill_that_changed_runs_again() {
    let root = tempfile::tempdir().expect("a directory");
    let (runner, calls) = runner(FileStore::new(root.path()), usize::MAX);
    call(&runner, "run").await.expect("it runs");
    call(&runner, "run").await.expect("it is resumed");
    assert_eq!(calls.lock().expect("no panic").len(), 6);
    let changed = runner.layers(library_of("1.0.1"));
    call(&changed, "run").await.expect("it runs again");
    assert_eq!(
        calls.lock().expect("no panic").len(),
        12,
        "also where a pipeline that did not change calls it"
    );
}

/// A store that answers everything with the same text.
struct Liar;

impl StepStore for Liar {
    fn lock_run<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<RunLock, Failure>> {
        Box::pin(async { Ok(RunLock::default()) })
    }

    fn load<'a>(&'a self, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<Saved, Failure>> {
        Box::pin(async { Ok(Saved::Output(r#"{"n": "wrong"}"#.to_owned())) })
    }

    fn save<'a>(&'a self, _: &'a str, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

// SPEC 12.2
#[tokio::test]
async fn saved_outputs_that_do_not_fit_the_schema_are_not_used() {
    let (runner, calls) = runner(Liar, usize::MAX);
    let log = Log::default();
    let (output, _) = call(&runner.on_event(log.observer()), "run").await.expect("it runs");
    assert_eq!((output, calls.lock().expect("no panic").len()), (json!({"n": 9}), 6));
    assert_eq!(damaged(&log), 7, "each is reported");
}

// SPEC 5.9
#[tokio::test]
async fn a_run_has_one_process_at_a_time() {
    let root = tempfile::tempdir().expect("a directory");
    let store = FileStore::new(root.path());
    let (inside, outside) = (runner(store.clone(), usize::MAX).0, runner(store.clone(), usize::MAX).0);
    let forgetful = store.clone();
    let around = Runner::new(library()).journal(store.clone()).host(host(move |_, input, _| {
        let (inside, store) = (inside.clone(), forgetful.clone());
        Some(Box::pin(async move {
            let error = call(&inside, "monday").await.expect_err("it is under way");
            let CallError::Journal { source, .. } = &error else { panic!("{error}") };
            let message = source.to_string();
            let own = std::process::id();
            let end = format!("the run \"monday\" is under way in another call, of the process {own}");
            assert!(message.ends_with(&end), "{message}");
            store.forget("monday").expect_err("it cannot be forgotten");
            call(&inside, "tuesday").await.expect("another run");
            Ok(input)
        }))
    }));
    call(&around, "monday").await.expect("it runs");
    call(&outside, "monday").await.expect("it is free again");
    store.forget("monday").expect("it is over");
}

// SPEC 5.7
#[tokio::test(start_paused = true)]
async fn a_damaged_entry_is_reported_once_for_all_attempts() {
    let steps = r#""calls": ["work"], "pipeline": [
        {"step": "one", "skill": "work", "input": {}, "retry": 2, "retryDelay": 1}]"#;
    let library = functions(&[
        (
            "work/skill.json",
            &manifest(
                "work",
                "code",
                ANY,
                r#"{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}"#,
                "",
            ),
        ),
        ("outer/skill.json", &manifest("outer", "composite", ANY, ANY, steps)),
    ]);
    let (log, tries) = (Log::default(), Arc::new(Mutex::new(0)));
    let counted = Arc::clone(&tries);
    let runner = Runner::new(library).journal(Liar).on_event(log.observer()).host(host(move |_, _, _| {
        let mut tries = counted.lock().expect("no panic");
        *tries += 1;
        let fails = *tries < 3;
        Some(Box::pin(async move { if fails { Err("no".into()) } else { Ok(json!({"n": 1})) } }))
    }));
    let options = CallOptions::default().journal("run");
    runner.call_json_with("outer", json!({}), options).await.expect("the third attempt");
    assert_eq!((*tries.lock().expect("no panic"), damaged(&log)), (3, 1));
}
