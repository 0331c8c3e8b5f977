//! Each run is one event.

#![cfg(target_os = "linux")]

mod recorder;
mod support;

use recorder::{Fields, Recorder};
use std::sync::Arc;
use std::time::Duration;

use skills_exec::{run, start, wait_for_runs};
use support::{Scratch, carriers, eventually};

// SPEC 7.6
#[test]
fn a_run_is_one_event_without_input_and_output() {
    let recorder = Recorder::default();
    let scratch = Scratch::new();
    tracing::subscriber::with_default(recorder.clone(), || {
        let mut request = scratch.script("echo out; exit 3");
        request.input = "secret".to_owned();
        run(&request);
        start(scratch.script("kill -9 $$")).wait();
    });
    let mut events = recorder.0.lock().expect("not poisoned").clone();
    for (_, fields) in &mut events {
        assert!(fields.remove("duration_ms").is_some_and(|duration| duration.parse::<u64>().is_ok()));
        assert_eq!(fields.remove("message").as_deref(), Some("program ended"));
    }
    let event = |fields: &[(&str, &str)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        ("skill.exec".to_owned(), fields.collect::<Fields>())
    };
    let expected = [
        event(&[("name", "\"n\""), ("version", "\"1.2.3\""), ("exit_code", "3")]),
        event(&[
            ("name", "\"n\""),
            ("version", "\"1.2.3\""),
            ("exit_code", "137"),
            ("error", "\"killed by SIGKILL\""),
        ]),
    ];
    assert_eq!(events, expected);
}

// SPEC 7.6
#[test]
fn a_dropped_run_emits_one_event_at_once() {
    let recorder = Recorder::default();
    let events = || recorder.0.lock().expect("not poisoned").clone();
    let scratch = Scratch::new();
    let request = scratch.script("trap '' TERM; sleep 30");
    tracing::subscriber::with_default(recorder.clone(), || {
        let running = start(request.clone());
        assert!(eventually(|| carriers(request.run_id.as_str()).len() >= 2));
        assert_eq!(events().len(), 0);
        drop(running);
    });
    let recorded = events();
    assert_eq!((recorded.len(), recorded[0].0.as_str()), (1, "skill.exec"));
    assert_eq!(
        (recorded[0].1["exit_code"].as_str(), recorded[0].1["error"].as_str()),
        ("137", "\"cancelled\"")
    );
    assert!(eventually(|| carriers(request.run_id.as_str()).is_empty()));
    // The end of the processes is not reported again, and a finished run is not reported when it is dropped.
    tracing::subscriber::with_default(recorder.clone(), || {
        let running = start(scratch.script("exit 3"));
        assert!(eventually(|| events().len() == 2));
        drop(running);
    });
    assert_eq!(events().len(), 2);
    assert_eq!(events()[1].1["exit_code"], "3");
}

// SPEC 20.3: the span ends before the run returns, so that a program can then send it and exit
#[test]
fn no_run_keeps_its_span_after_it_is_over() {
    let scratch = Scratch::new();
    let request = scratch.request(scratch.path().join("no-such-program"));
    for round in 0..test_bed::rounds(100) {
        let recorder = Recorder::default();
        tracing::subscriber::with_default(recorder.clone(), || {
            let span = tracing::info_span!(target: "skills", "caller");
            span.in_scope(|| start(request.clone()).wait());
        });
        assert!(wait_for_runs(Duration::from_secs(30)));
        // A span holds the subscriber.
        assert_eq!(Arc::strong_count(&recorder.0), 1, "round {round}");
    }
}
