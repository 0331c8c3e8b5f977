//! Each run is one event.

#![cfg(unix)]

mod recorder;
mod support;

use recorder::{Fields, Recorder};
use skills_runtime::exec::{run, start};
use support::Scratch;

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
