//! Fixes on published skills never make them worse, and a second run finds nothing to fix (SPEC 17.2).
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use std::path::Path;

use skills_core::edit::Applicability;
use skills_core::levels::Profile;
use skills_core::load_over;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_report::fix;

/// Fixes a directory with an overlay; returns the number of problems before and after.
fn fixed(root: &Path, options: &Options, least: Applicability) -> (usize, usize) {
    let check = |over: &Overlay| load_over(root, "skills", options, over);
    let before = check(&Overlay::default()).report.diagnostics.len();
    let once = fix::fix(root, Overlay::default(), least, check).unwrap();
    let after = once.checked.report.diagnostics.len();
    let twice = fix::fix(root, once.over.clone(), least, check).unwrap();
    assert_eq!(twice.over, once.over, "{}: a second run changes something", root.display());
    assert_eq!(twice.solved, 0, "{}", root.display());
    (before, after)
}

// SPEC 17.2: the number of problems only falls, by our rules and by those of the standard
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_never_get_worse() {
    let (corpus, field) = (test_bed::field("corpus"), test_bed::field("field/skills"));
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
    // None of them has a problem with a safe fix.
    assert!(safe <= before && all < safe, "{before} {safe} {all}");
}

// SPEC 2.6, 17.2: texts that the standard's reference accepts are still accepted after all fixes
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_texts_that_the_reference_accepts_stay_accepted() {
    let root = test_bed::field("conformance/agent-skills");
    let answers = std::fs::read_to_string(root.join("reference.json")).unwrap();
    let answers: std::collections::BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&answers).unwrap();
    let standard = Options { profile: Profile::Standard, ..Options::default() };
    let mut accepted = 0;
    for (case, answer) in &answers {
        let dir = root.join(case).join(answer["dir"].as_str().unwrap());
        let errors = |options: &Options, over: &Overlay| load_over(&dir, case, options, over).report.errors();
        let before = errors(&standard, &Overlay::default());
        for options in [Options::default(), standard.clone()] {
            let check = |over: &Overlay| load_over(&dir, case, &options, over);
            // Some are not directories.
            let Ok(fixed) = fix::fix(&dir, Overlay::default(), Applicability::Unsafe, check) else {
                continue;
            };
            assert!(errors(&standard, &fixed.over) <= before, "{case}: worse by the standard");
            assert!(errors(&options, &fixed.over) <= errors(&options, &Overlay::default()), "{case}: worse");
        }
        accepted += usize::from(answer["validate"]["rc"] == 0);
    }
    assert!(answers.len() > 60 && accepted > 10, "{accepted} of {}", answers.len());
}

// SPEC 12.10, 17.2: problems beyond the reported ones of a file are fixed, too
#[test]
fn all_problems_of_a_file_are_fixed() {
    let top =
        std::env::temp_dir().canonicalize().unwrap().join(format!("skills-core-many-{}", std::process::id()));
    let root = top.join("skills");
    std::fs::create_dir_all(root.join("add")).unwrap();
    let lists = "[1,], ".repeat(250);
    let text = format!(
        "{{ \"name\": \"add\", \"description\": \"Adds.\", \"category\": \"m\", \"mode\": \"code\",\n  \
         \"input\": {{ \"default\": [{lists}0] }}, \"output\": {{}} }}\n"
    );
    std::fs::write(root.join("add/skill.json"), text).unwrap();
    let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
    assert_eq!(check(&Overlay::default()).report.diagnostics.len(), 101);
    let fixed = fix::fix(&root, Overlay::default(), Applicability::Safe, check).unwrap();
    std::fs::remove_dir_all(&top).unwrap();
    assert_eq!(fixed.checked.report.diagnostics.len(), 0);
}

// SPEC 3.6, 17.2: a name that breaks a rule is corrected, and so are the calls of it
#[test]
fn a_corrected_name_is_corrected_where_it_is_called() {
    let top = std::env::temp_dir()
        .canonicalize()
        .unwrap()
        .join(format!("skills-core-called-{}", std::process::id()));
    let root = top.join("skills");
    let function = |name: &str, mode: &str, rest: &str| {
        let text = format!(
            "{{ \"name\": \"{name}\", \"description\": \"Adds.\", \"category\": \"m\", \"mode\": \"{mode}\",\n  \
             \"input\": {{ \"type\": \"object\" }}, \"output\": {{ \"type\": \"object\" }}{rest} }}\n"
        );
        std::fs::create_dir_all(root.join(name.replace('-', "_"))).unwrap();
        std::fs::write(root.join(name.replace('-', "_")).join("skill.json"), text).unwrap();
    };
    function("add-up", "code", "");
    function(
        "both",
        "composite",
        ", \"calls\": [\"add-up\"], \"pipeline\": [{ \"step\": \"a\", \"skill\": \"add-up\", \"input\": {} }]",
    );
    let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
    let fixed = fix::fix(&root, Overlay::default(), Applicability::Unsafe, check).unwrap();
    std::fs::remove_dir_all(&top).unwrap();
    let left: Vec<&str> = fixed.checked.report.diagnostics.iter().map(|found| found.title.as_str()).collect();
    assert_eq!(left, Vec::<&str>::new());
    assert!(fixed.over.iter().any(|(path, _)| path.ends_with("both/skill.json")));
}
