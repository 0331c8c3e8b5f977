//! Locked skills are updated and restored.

use std::fs;

use skills_core::options::Options;
use skills_sources::{Change, SourceError, apply, check, diff, fetch, restore, update, warnings};

use crate::place::{Place, skill};

fn plan(place: &Place) -> Result<Change, SourceError> {
    let state = place.project().state(None)?;
    let locked = state.lock.get("pdf").unwrap();
    let offer = place.offer(&locked.source.to_string())?;
    Ok(Change { steps: update(locked, &offer, &state)?.into_iter().collect(), ..Change::default() })
}

// SPEC 21.5: the differences of the texts and the new permissions are shown
#[test]
fn an_update_shows_the_difference_and_warns() {
    let place = Place::new(&[
        ("pdf/SKILL.md", &skill("pdf", "One.")),
        ("pdf/old.md", "old\n"),
        ("pdf/x", "a file\n"),
        ("pdf/y/z.md", "z\n"),
        ("pdf/run.sh", "#!/bin/sh\n"),
    ]);
    place.add("../source", &[]).unwrap();
    assert!(plan(&place).unwrap().is_empty());
    let asks = "license: MIT\nmetadata:\n  permissions: '{\"net\": \"all\"}'\n";
    place.write("source/pdf/SKILL.md", &skill("pdf", "Two.").replace("license: MIT\n", asks));
    place.write("source/pdf/more.sh", "#!/bin/sh\n");
    place.write("source/pdf/run.sh", "#!/bin/sh\necho\n");
    for path in ["old.md", "x"] {
        fs::remove_file(place.path("source/pdf").join(path)).unwrap();
    }
    fs::remove_dir_all(place.path("source/pdf/y")).unwrap();
    place.write("source/pdf/x/a.md", "a\n");
    place.write("source/pdf/y", "a file\n");
    let change = plan(&place).unwrap();
    let shown = String::from_utf8(diff(&change, &place.project())).unwrap();
    for line in ["-One.", "+Two.", "--- a/skills/pdf/SKILL.md", "Removed file skills/pdf/old.md"] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    assert_eq!(
        warnings(&change.steps[0]),
        [
            "`pdf` now also connects to every host",
            "`pdf` brings a NEW PROGRAM: more.sh",
            "`pdf` brings a CHANGED PROGRAM: run.sh",
        ]
    );
    apply(&change, &place.project()).unwrap();
    let names: Vec<String> = place.files().into_keys().collect();
    let expected = ["SKILL.md", "more.sh", "run.sh", "x/a.md", "y"].map(|name| format!("skills/pdf/{name}"));
    assert_eq!(names, expected);
    assert_eq!(place.verify(), Vec::<String>::new());
}

// SPEC 21.6: an edit stops the update, even after the update was planned
#[test]
fn an_edit_stops_the_update() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", "One.")), ("pdf/a.md", "one\n")]);
    place.add("../source", &[]).unwrap();
    place.write("source/pdf/a.md", "two\n");
    let change = plan(&place).unwrap();
    place.write("project/skills/pdf/a.md", "mine\n");
    let before = place.files();
    for refused in [plan(&place).map(drop), apply(&change, &place.project()).map(drop)] {
        let text = refused.unwrap_err().to_string();
        assert!(
            text.starts_with("skills/pdf was edited, and nothing was changed:\nchanged: a.md\n"),
            "{text}"
        );
    }
    assert_eq!(place.files(), before);
}

// SPEC 21.7: missing files are restored, if the source still has the locked ones
#[test]
fn missing_files_are_restored_from_the_locked_revision() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", "")), ("pdf/a.md", "one\n")]);
    place.add("../source", &[]).unwrap();
    let before = place.files();
    let plan = || {
        let state = place.project().state(None).unwrap();
        let locked = state.lock.get("pdf").unwrap();
        let fetched = fetch(&locked.source, &place.project(), locked.revision.as_deref())?;
        Ok::<_, SourceError>(Change {
            steps: vec![restore(locked, &check(&fetched, &Options::default())?, &state)?],
            ..Change::default()
        })
    };
    fs::remove_file(place.path("project/skills/pdf/a.md")).unwrap();
    apply(&plan().unwrap(), &place.project()).unwrap();
    assert_eq!(place.files(), before);
    fs::remove_dir_all(place.path("project/skills")).unwrap();
    place.write("source/pdf/a.md", "two\n");
    let refused = plan().unwrap_err();
    assert!(
        matches!(&refused, SourceError::Refused(text) if text.ends_with("skills.lock:\nchanged: a.md")),
        "{refused}"
    );
    place.write("source/pdf/a.md", "one\n");
    apply(&plan().unwrap(), &place.project()).unwrap();
    assert_eq!(place.files(), before);
}
