//! A watched directory is read again when it changes. Nothing here depends on how long that takes: a test waits for the
//! callback, and gives up only after a minute.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests may")]

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use skills_load::trust::TrustStore;
use skills_load::{Changes, Layers, LayersBuilder, Live, Watch, WatchError};

use crate::planted::Planted;

type Outcome = Result<Changes, WatchError>;

fn watch(live: &Arc<Live>) -> (Watch, Receiver<Outcome>) {
    let (sender, outcomes) = channel();
    let watch = live.watch(move |outcome| {
        sender.send(outcome).ok();
    });
    (watch.unwrap(), outcomes)
}

/// Waits until the skills are as expected; they are compared again after each callback.
fn wait(live: &Live, outcomes: &Receiver<Outcome>, wanted: impl Fn(&Layers) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !wanted(&live.layers()) {
        let left = deadline.saturating_duration_since(Instant::now());
        outcomes.recv_timeout(left).expect("a change is reported").expect("the directories can be read");
    }
}

#[test]
fn edits_additions_and_removals_are_seen() {
    let planted = Planted::of_names(&["pdf"]);
    let live = Arc::new(Live::new(LayersBuilder::new().directory(planted.path())).unwrap());
    let (watch, outcomes) = watch(&live);
    planted.skill("pdf", "edited");
    wait(&live, &outcomes, |layers| layers.get("pdf").is_some_and(|skill| skill.description() == "edited"));
    planted.skill("group/new", "added");
    wait(&live, &outcomes, |layers| layers.get("group/new").is_some());
    planted.write("group/new/references/deep/notes.md", "text");
    wait(&live, &outcomes, |layers| {
        layers.get("group/new").is_some_and(|skill| skill.resource("references/deep/notes.md").is_some())
    });
    fs::rename(planted.path().join("pdf"), planted.path().join("moved")).unwrap();
    planted.skill("moved", "renamed");
    wait(&live, &outcomes, |layers| layers.get("moved").is_some() && layers.get("pdf").is_none());
    fs::remove_dir_all(planted.path().join("moved")).unwrap();
    wait(&live, &outcomes, |layers| layers.get("moved").is_none());

    drop(watch);
    while outcomes.try_recv().is_ok() {}
    assert!(outcomes.recv().is_err(), "the callback is gone with the guard");
}

// SPEC 1.2: a missing root is empty until it is created
#[test]
fn a_directory_that_comes_later_is_seen_and_seen_again() {
    let planted = Planted::new(&[]);
    let root = planted.path().join("above/skills");
    let live = Arc::new(Live::new(LayersBuilder::new().directory(&root)).unwrap());
    let (_watch, outcomes) = watch(&live);
    planted.skill("above/skills/pdf", "first");
    let described = |text: &'static str| {
        move |layers: &Layers| layers.iter().next().is_some_and(|skill| skill.description() == text)
    };
    wait(&live, &outcomes, described("first"));
    fs::remove_dir_all(planted.path().join("above")).unwrap();
    wait(&live, &outcomes, Layers::is_empty);
    planted.skill("above/skills/pdf", "second");
    wait(&live, &outcomes, described("second"));
    planted.skill("above/skills/pdf", "third");
    wait(&live, &outcomes, described("third"));
}

// SPEC 14.11
#[test]
fn trust_takes_effect_while_the_program_runs() {
    let planted = Planted::of_names(&["repo/skills/pdf"]);
    let (workspace, file) = (planted.path().join("repo/skills"), planted.path().join("config/trust.json"));
    let builder = LayersBuilder::new().workspace_directory(&workspace).trust_file(&file);
    let live = Arc::new(Live::new(builder).unwrap());
    assert!(live.layers().is_empty());
    let (_watch, outcomes) = watch(&live);
    TrustStore::read(&file).trust(&workspace).unwrap();
    wait(&live, &outcomes, |layers| !layers.is_empty());
    TrustStore::read(&file).revoke(&workspace).unwrap();
    wait(&live, &outcomes, Layers::is_empty);
}

// A guard that is dropped inside its own callback does not wait for itself.
#[test]
fn a_callback_may_end_the_watching() {
    let planted = Planted::of_names(&["pdf"]);
    let live = Arc::new(Live::new(LayersBuilder::new().directory(planted.path())).unwrap());
    let (hand_over, take) = channel::<Watch>();
    let (sender, outcomes) = channel();
    let watch = live.watch(move |_| {
        drop(take.recv());
        sender.send(()).ok();
    });
    hand_over.send(watch.unwrap()).unwrap();
    planted.skill("new", "x");
    outcomes.recv_timeout(Duration::from_secs(60)).expect("the callback ends");
    assert!(outcomes.recv().is_err());
}
