//! 178 skills of five publishers, as published, in five layers.
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};

use skills_runtime::load::{Layers, Level};

// SPEC 1.6, 1.7
#[test]
fn published_skills_load_in_layers() {
    let shared = std::env::var_os("SKILLS_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let root = shared.join("corpus");
    if !root.is_dir() {
        eprintln!(
            "SKIPPED: `corpus` is not beside the project; set SKILLS_SHARED to the directory that holds it"
        );
        return;
    }
    let mut publishers: Vec<PathBuf> =
        root.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    publishers.push(root.join("expo+skills/.claude/skills"));
    publishers.sort();
    let layers = Layers::builder().directories(publishers).load().unwrap();
    assert_eq!(layers.len() + layers.shadowed().count(), 178, "{layers:?}");
    let errors: Vec<_> = layers.problems().iter().filter(|problem| problem.level == Level::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for skill in layers.iter() {
        assert!(!skill.description().is_empty() && Path::new(skill.location()).is_file(), "{skill:?}");
        let text = std::fs::read_to_string(skill.location()).unwrap();
        assert!(text.ends_with(skill.body()), "{skill:?}");
    }
}
