//! Tests that a reload sees added, edited, deleted and renamed skills, and exchanges the snapshot in one step.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests may")]

use std::fs;
use std::sync::Arc;
use std::thread;

use skills_load::{LayersBuilder, Live};

use crate::planted::{Planted, names};

fn live(planted: &Planted) -> Live {
    Live::new(LayersBuilder::new().directory(planted.path())).unwrap()
}

// SPEC 1.6
#[test]
fn a_reload_reports_changes() {
    let planted = Planted::of_names(&["edited", "gone", "kept", "old-name", "resource"]);
    planted.write("resource/notes.md", "one\n");
    let live = live(&planted);
    assert!(live.reload().unwrap().is_empty());

    planted.skill("edited", "other");
    fs::remove_dir_all(planted.path().join("gone")).unwrap();
    fs::remove_dir_all(planted.path().join("old-name")).unwrap();
    planted.skill("new-name", "old-name");
    planted.skill("added", "x");
    planted.write("resource/notes.md", "two\n");
    let before = live.layers();
    let changes = live.reload().unwrap();
    assert_eq!(changes.added, ["added", "new-name"]);
    assert_eq!(changes.removed, ["gone", "old-name"]);
    assert_eq!(changes.changed, ["edited", "resource"]);
    assert!(changes.new_problems.is_empty() && changes.solved_problems.is_empty());
    assert!(Arc::ptr_eq(&changes.layers, &live.layers()));
    assert_eq!(names(&live.layers()), ["added", "edited", "kept", "new-name", "resource"]);
    assert_eq!(before.get("edited").unwrap().description(), "edited", "a snapshot never changes");
    assert!(live.reload().unwrap().is_empty());
}

// SPEC 1.7
#[test]
fn a_reload_reports_new_and_solved_problems() {
    let planted = Planted::of_names(&["pdf"]);
    let live = live(&planted);
    planted.write("pdf/SKILL.md", "---\nname: \"\n---\n");
    let broken = live.reload().unwrap();
    assert_eq!(broken.removed, ["pdf"]);
    assert!(!broken.new_problems.is_empty() && broken.solved_problems.is_empty());
    planted.skill("pdf", "pdf");
    let repaired = live.reload().unwrap();
    assert_eq!(repaired.added, ["pdf"]);
    assert_eq!(repaired.solved_problems, broken.new_problems);
    assert!(repaired.new_problems.is_empty());
}

// SPEC 1.6: a skill of another layer with the same name is a change
#[test]
fn a_new_layer_above_is_a_change() {
    let (low, high) = (Planted::of_names(&["pdf"]), Planted::new(&[]));
    let live = Live::new(LayersBuilder::new().directories([low.path(), high.path()])).unwrap();
    high.skill("pdf", "pdf");
    // An equal copy would not be reported (SPEC 14.23).
    high.write("pdf/more.md", "More.");
    let changes = live.reload().unwrap();
    assert_eq!((changes.changed, changes.new_problems.len()), (vec!["pdf".to_owned()], 1));
}

// SPEC 1.2, 12.2: an unreadable directory never becomes an empty list
#[test]
fn a_failed_reload_keeps_the_skills() {
    let planted = Planted::of_names(&["skills/pdf"]);
    let root = planted.path().join("skills");
    let live = Live::new(LayersBuilder::new().directory(&root)).unwrap();
    let found = live.layers().len();
    fs::remove_dir_all(&root).unwrap();
    fs::write(&root, "").unwrap();
    let error = live.reload().unwrap_err();
    assert_eq!(error.to_string(), format!("read skills dir {}: not a directory", root.display()));
    assert_eq!((live.layers().len(), found), (1, 1));

    let other = Planted::of_names(&["web"]);
    let builder = LayersBuilder::new().directories([root.as_path(), other.path()]);
    let rest = builder.load().unwrap_err().into_layers();
    let live = Live::with(builder, rest);
    assert_eq!(names(&live.layers()), ["web"]);
    assert!(live.reload().is_err());
    fs::remove_file(&root).unwrap();
    planted.skill("skills/pdf", "mended");
    let repaired = live.reload().unwrap();
    assert_eq!((repaired.added.len(), repaired.solved_problems.len()), (1, 1));
}

// Threads that read while others reload see whole snapshots, old or new.
#[test]
fn snapshots_are_consistent_on_every_thread() {
    let planted = Planted::of_names(&["a", "b"]);
    let live = live(&planted);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let layers = live.layers();
                    let pair =
                        [layers.get("a"), layers.get("b")].map(|skill| skill.unwrap().version().to_owned());
                    assert_eq!(pair[0], pair[1]);
                }
            });
        }
        for _ in 0..20 {
            live.reload().unwrap();
        }
    });
    let is_shared = |_: &(dyn Send + Sync)| ();
    is_shared(&live);
    is_shared(&*live.layers());
}
