//! Fixes on skills as they are published: never worse, and nothing left to do afterwards (SPEC 17.2).
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use std::path::Path;

use skills_core::diagnostic::Profile;
use skills_core::edit::Applicability;
use skills_core::fix;
use skills_core::load_over;
use skills_core::options::Options;
use skills_core::read::Overlay;

/// Fixes a directory over the disk; returns how many problems were there, and are left.
fn fixed(root: &Path, options: &Options, least: Applicability) -> (usize, usize) {
    let judge = |over: &Overlay| load_over(root, "skills", options, over);
    let before = judge(&Overlay::default()).report.diagnostics.len();
    let once = fix::fix(root, Overlay::default(), least, judge).unwrap();
    let after = once.judged.report.diagnostics.len();
    let twice = fix::fix(root, once.over.clone(), least, judge).unwrap();
    assert_eq!(twice.over, once.over, "{}: a second run changes something", root.display());
    assert_eq!(twice.mended, 0, "{}", root.display());
    (before, after)
}

// SPEC 17.2: the number of problems only falls, by our rules and by the standard's
#[test]
fn published_skills_never_get_worse() {
    let (Some(corpus), Some(field)) = (test_bed::shared("corpus"), test_bed::shared("field/skills")) else {
        return;
    };
    let below = |root: &Path| {
        let mut found: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.is_dir());
        found
    };
    let roots: Vec<_> = below(&corpus).into_iter().chain(below(&field)).collect();
    assert!(roots.len() > 15);
    let (mut before, mut safe, mut all) = (0, 0, 0);
    for root in roots {
        for profile in [Profile::Bundle, Profile::Standard] {
            let options = Options { profile, ..Options::default() };
            let (was, is) = fixed(&root, &options, Applicability::Safe);
            assert!(is <= was, "{}: {was} problems became {is}", root.display());
            let (_, left) = fixed(&root, &options, Applicability::Unsafe);
            (before, safe, all) = (before + was, safe + is, all + left);
        }
    }
    eprintln!("{before} problems, {safe} after safe fixes, {all} after all");
    // None of them has a fault that is safe to mend.
    assert!(safe <= before && all < safe, "{before} {safe} {all}");
}
