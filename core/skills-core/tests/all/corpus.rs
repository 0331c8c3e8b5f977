//! 178 published skills of five publishers: each loads as in a bundle, or is refused for a listed reason.
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use std::collections::BTreeMap;
use std::path::Path;

use skills_core::level::Level;
use skills_core::{Loaded, load};

/// Skills that a bundle refuses: their directory and the rule.
///
/// Empty, because the publishers' own checks found all such errors.
const REFUSED: &[(&str, &str)] = &[];

// SPEC 2.3
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_real_skills_load() {
    let root = test_bed::field("corpus");
    let mut refused = BTreeMap::new();
    let mut count = 0;
    let mut roots = directories(&root);
    // Hidden directories are not searched (SPEC 1.1); one publisher keeps a skill in one, which is added as a
    // separate root.
    roots.push(root.join("expo+skills/.claude/skills"));
    for publisher in roots {
        let loaded = load(&publisher, "corpus", &Default::default());
        count += loaded.catalog.skills().len();
        let broken = errors(&loaded);
        count += broken.len();
        refused.extend(broken);
    }
    let expected: BTreeMap<String, String> =
        REFUSED.iter().map(|(dir, code)| ((*dir).to_owned(), (*code).to_owned())).collect();
    assert_eq!(refused, expected);
    assert_eq!(count, 178);
}

fn directories(root: &Path) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    found
}

/// Returns the directories with errors, and the first rule each breaks.
fn errors(loaded: &Loaded) -> BTreeMap<String, String> {
    let sources = loaded.catalog.sources();
    let mut broken = BTreeMap::new();
    for diagnostic in loaded.report.diagnostics.iter().filter(|problem| problem.level == Level::Error) {
        let path = &sources.file_of(diagnostic.span).path;
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        broken.entry(dir.to_owned()).or_insert_with(|| diagnostic.rule.code.to_owned());
    }
    broken
}
