//! Each run is one event.

#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use skills_runtime::exec::{run, start};
use support::Scratch;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

type Fields = BTreeMap<String, String>;

/// Keeps the fields of each event, by event name.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<(String, Fields)>>>);

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "skills"
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut visitor = Visitor(Fields::new());
        event.record(&mut visitor);
        self.0.lock().expect("not poisoned").push((event.metadata().name().to_owned(), visitor.0));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Visitor(Fields);

impl Visit for Visitor {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

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
