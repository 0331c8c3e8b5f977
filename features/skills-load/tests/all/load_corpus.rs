//! 178 skills of five publishers, as published, in five layers.

use std::path::{Path, PathBuf};

use skills_load::{LayersBuilder, Level};

// SPEC 1.6, 1.7
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_load_in_layers() {
    let root = test_bed::field("corpus");
    let mut publishers: Vec<PathBuf> =
        root.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    publishers.push(root.join("expo+skills/.claude/skills"));
    publishers.sort();
    let layers = LayersBuilder::new().directories(publishers).load().unwrap();
    assert_eq!(layers.len() + layers.shadowed().count(), 178, "{layers:?}");
    let errors: Vec<_> = layers.problems().iter().filter(|problem| problem.level == Level::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for skill in layers.iter() {
        assert!(!skill.description().is_empty() && Path::new(skill.location()).is_file(), "{skill:?}");
        let text = std::fs::read_to_string(skill.location()).unwrap();
        assert!(text.ends_with(skill.body()), "{skill:?}");
    }
}
