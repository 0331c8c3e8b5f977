//! Skills are added, verified and removed.

use std::fs;

use skills_sources::{LOCK_FILE, SourceError, apply, remove};

use crate::place::{Place, skill};

// SPEC 21.1, 21.3: the chosen skills and the lock file are written, and nothing else
#[test]
fn the_chosen_skills_are_added_and_locked() {
    let place = Place::new(&[
        ("pdf/SKILL.md", &skill("pdf", "Read it.")),
        ("pdf/run.sh", "#!/bin/sh\n"),
        ("csv/SKILL.md", &skill("csv", "")),
        ("README.md", "not a file of a skill"),
    ]);
    assert_eq!(place.add("../source", &["pdf"]).unwrap(), Vec::<String>::new());
    let names: Vec<String> = place.files().into_keys().collect();
    assert_eq!(names, ["skills/pdf/SKILL.md", "skills/pdf/run.sh"]);
    let lock = place.project().lock().unwrap();
    let locked = lock.get("pdf").unwrap();
    assert_eq!((locked.source.to_string().as_str(), locked.path.as_str()), ("../source", "pdf"));
    assert_eq!(
        (locked.license.as_deref(), locked.programs.as_slice()),
        (Some("MIT"), &["run.sh".to_owned()][..])
    );
    assert!(locked.files.get("run.sh").unwrap().executable);
    assert_eq!(place.verify(), Vec::<String>::new());
    assert!(place.plan("../source", &["pdf"]).unwrap().is_empty(), "it is there already");
    let missing = place.plan("../source", &["pdg"]).unwrap_err().to_string();
    assert_eq!(missing, "../source has no skill `pdg`; it has csv, pdf");
}

// SPEC 21.2: of several skills with one name, one is added, and a message names both places
#[test]
fn good_skills_are_added_and_others_are_reported() {
    let place = Place::new(&[
        ("a/pdf/SKILL.md", &skill("pdf", "One.")),
        ("b/pdf/SKILL.md", &skill("pdf", "One.")),
        ("c/pdf/SKILL.md", &skill("pdf", "Two.")),
        ("csv/SKILL.md", "---\nname: csv\n---\n# CSV\n"),
        ("d/csv/SKILL.md", &skill("csv", "")),
        ("bad/SKILL.md", "---\nname: bad\n---\n# Bad\n"),
    ]);
    let change = place.plan("../source", &[]).unwrap();
    let left = change.left_out.iter().map(|left| (left.path.as_str(), left.reason.as_str()));
    let left: Vec<(&str, &str)> = left.collect();
    assert!(left[0].0 == "bad" && left[0].1.contains("description"), "{left:?}");
    assert!(left[1].0 == "csv" && left[1].1.contains("description"), "{left:?}");
    assert_eq!(left[2], ("b/pdf", "it is a copy of `a/pdf` of ../source"));
    assert_eq!(left[3], ("c/pdf", "`a/pdf` of ../source has the same name"));
    assert_eq!(left.len(), 4);
    apply(&change, &place.project()).unwrap();
    assert_eq!(place.files().into_keys().collect::<Vec<_>>(), ["skills/csv/SKILL.md", "skills/pdf/SKILL.md"]);
    assert_eq!(place.verify(), Vec::<String>::new());
    let refused = place.plan("../source", &["pdf"]).unwrap_err().to_string();
    let places = "two different skills are named `pdf`: `a/pdf` of ../source and `c/pdf` of ../source\n";
    assert!(refused.starts_with(places), "{refused}");
    assert!(matches!(place.plan("../source/bad", &[]), Err(SourceError::Refused(_))));
}

// SPEC 21.2: an existing directory that is not in the lock file is never written to
#[test]
fn files_of_the_user_are_kept() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
    place.write("project/skills/pdf/SKILL.md", &skill("pdf", "mine"));
    let before = place.files();
    assert!(matches!(place.add("../source", &[]), Err(SourceError::Conflict(_))));
    fs::rename(place.path("project/skills/pdf"), place.path("project/skills/other")).unwrap();
    fs::create_dir(place.path("project/skills/docs")).unwrap();
    fs::rename(place.path("project/skills/other"), place.path("project/skills/docs/pdf")).unwrap();
    let refused = place.add("../source", &[]).unwrap_err().to_string();
    assert_eq!(refused, "skills/docs/pdf has the name `pdf` already");
    assert_eq!(place.files().into_values().collect::<Vec<_>>(), before.into_values().collect::<Vec<_>>());
    assert!(!place.path("project").join(LOCK_FILE).exists());
}

// SPEC 21.7: each disagreement is reported
#[test]
fn an_edit_and_a_changed_source_are_reported() {
    let place =
        Place::new(&[("pdf/SKILL.md", &skill("pdf", "")), ("pdf/a.md", "A\n"), ("pdf/run", "#!/bin/sh\n")]);
    place.add("../source", &[]).unwrap();
    place.write("project/skills/pdf/a.md", "B\n");
    place.write("project/skills/pdf/new.md", "C\n");
    fs::remove_file(place.path("project/skills/pdf/run")).unwrap();
    let lines = ["skills/pdf: changed: a.md", "skills/pdf: added: new.md", "skills/pdf: removed: run"];
    assert_eq!(place.verify(), lines);
    place.write("source/pdf/a.md", "D\n");
    assert_eq!(place.verify().last().unwrap(), "`pdf`: ../source has changed: `skills update pdf`");
    // A source that is not on this machine cannot be compared.
    fs::rename(place.path("source"), place.path("moved")).unwrap();
    assert_eq!(place.verify(), lines);
    fs::remove_dir_all(place.path("project/skills")).unwrap();
    assert_eq!(place.verify(), ["skills/pdf is missing: `skills sync` restores it"]);
}

// SPEC 21.8
#[test]
fn a_skill_is_removed_unless_it_was_edited() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", "")), ("csv/SKILL.md", &skill("csv", ""))]);
    place.add("../source", &[]).unwrap();
    place.write("project/skills/pdf/.hidden", "mine");
    place.write("project/skills/csv/SKILL.md", "mine");
    let plan = |name: &str| remove(&[name.to_owned()], &place.project().state(None).unwrap());
    assert!(matches!(plan("csv"), Err(SourceError::Conflict(_))));
    assert!(matches!(plan("cvs"), Err(SourceError::Missing(text)) if text.ends_with("did you mean `csv`?")));
    apply(&plan("pdf").unwrap(), &place.project()).unwrap();
    let names: Vec<String> = place.files().into_keys().collect();
    assert_eq!(names, ["skills/csv/SKILL.md", "skills/pdf/.hidden"], "a file that is not of the skill stays");
    assert!(place.project().lock().unwrap().get("pdf").is_none());
    // A skill that the user has deleted leaves the lock file.
    fs::remove_dir_all(place.path("project/skills/csv")).unwrap();
    apply(&plan("csv").unwrap(), &place.project()).unwrap();
    assert_eq!(place.project().lock().unwrap().skills().len(), 0);
}

// SPEC 21.7: a source is read once for all of its skills
#[test]
#[cfg(debug_assertions)]
fn twice_as_many_skills_are_verified_in_twice_the_steps() {
    let steps = |count: usize| {
        let place = Place::new(&[]);
        for number in 0..count {
            let name = format!("skill-{number}");
            place.write(&format!("source/{name}/SKILL.md"), &skill(&name, ""));
        }
        place.add("../source", &[]).unwrap();
        let before = skills_text::work::done();
        assert_eq!(place.verify(), Vec::<String>::new());
        skills_text::work::done() - before
    };
    let (once, twice) = (steps(30), steps(60));
    assert!(once > 30 && twice * 10 < once * 25, "{once} and {twice}");
}
