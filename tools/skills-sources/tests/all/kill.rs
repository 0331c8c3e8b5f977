//! A process is killed before every change of the file system: the tree and the lock file agree afterwards, or the next
//! change completes what was begun.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use skills_core::options::Options;
use skills_files::fault::{PlantedFault, arm, passed};
use skills_sources::{Change, Project, ProjectState, Source, add, apply, check, fetch, remove, update};

use crate::child;
use crate::place::{Place, files, skill};

const SCENARIOS: [&str; 3] = ["add", "update", "remove"];

/// Returns a project that is ready for a scenario.
fn prepared(scenario: &str) -> Place {
    let place = Place::new(&[
        ("pdf/SKILL.md", &skill("pdf", "One.")),
        ("pdf/x", "a file\n"),
        ("pdf/gone/a.md", "gone\n"),
        ("pdf/run.sh", "#!/bin/sh\n"),
        ("csv/SKILL.md", &skill("csv", "One.")),
    ]);
    place.write("project/skills/own/SKILL.md", &skill("own", "Mine."));
    if scenario != "add" {
        place.add("../source", &[]).unwrap();
        fs::remove_dir_all(place.path("source/pdf/gone")).unwrap();
        fs::remove_file(place.path("source/pdf/x")).unwrap();
        place.write("source/pdf/SKILL.md", &skill("pdf", "Two."));
        place.write("source/pdf/x/y.md", "a directory now\n");
        place.write("source/pdf/run.sh", "#!/bin/sh\necho two\n");
        place.write("source/csv/SKILL.md", &skill("csv", "Two."));
    }
    place
}

fn plan(scenario: &str, project: &Project) -> Change {
    let state: ProjectState = project.state(Some("skills")).unwrap();
    let names = ["csv", "pdf"].map(str::to_owned);
    let source = Source::parse("../source").unwrap();
    let offer = check(&fetch(&source, project, None).unwrap(), &Options::default()).unwrap();
    match scenario {
        "add" => add(&[offer], &names, "skills", &state).unwrap(),
        "update" => {
            let steps = state.lock.skills().filter_map(|locked| update(locked, &offer, &state).unwrap());
            Change { steps: steps.collect(), ..Change::default() }
        }
        _ => remove(&names, &state).unwrap(),
    }
}

/// Kills itself at a point of a scenario.
pub(crate) fn child(scenario: &str, top: &Path, point: usize) {
    let project = Project::open(top).unwrap();
    let change = plan(scenario, &project);
    arm(Some((point, PlantedFault::Kill)));
    apply(&change, &project).unwrap();
}

// SPEC 21.6: killed at any point
#[test]
fn a_killed_process_leaves_a_state_that_the_next_one_completes() {
    let mut kills = 0;
    for scenario in SCENARIOS {
        let place = prepared(scenario);
        let before = files(&place.path("project"));
        let change = plan(scenario, &place.project());
        arm(None);
        apply(&change, &place.project()).unwrap();
        let points = passed();
        let after = files(&place.path("project"));
        assert_ne!(before, after);
        let mut is_after = false;
        for point in 0..points {
            let place = prepared(scenario);
            let status = child::command(scenario, &place.path("project"), point).status().unwrap();
            assert_eq!(status.signal(), Some(9), "{scenario} {point}");
            kills += 1;
            let project = place.project();
            if project.is_interrupted() {
                assert!(place.verify()[0].contains("was interrupted"), "{scenario} {point}");
            }
            // An empty change only completes the interrupted one.
            apply(&Change::default(), &project).unwrap();
            let found = files(&place.path("project"));
            assert!(found == before || found == after, "{scenario} {point}: {found:?}");
            assert!(!is_after || found == after, "{scenario} {point}: a later kill left an earlier state");
            is_after = found == after;
            assert!(!place.verify().iter().any(|line| line.starts_with("skills/")), "{scenario} {point}");
            assert!(!project.is_interrupted());
        }
        assert!(is_after, "{scenario}: the last kills happen after the change was recorded");
    }
    assert!(kills > 50, "{kills}");
}

// SPEC 21.6: a full disk leaves the old state, or a change that is completed later
#[test]
fn a_failing_disk_leaves_a_state_that_the_next_change_completes() {
    for scenario in SCENARIOS {
        let mut point = 0;
        loop {
            let place = prepared(scenario);
            let before = files(&place.path("project"));
            let change = plan(scenario, &place.project());
            arm(Some((point, PlantedFault::Full)));
            let failed = apply(&change, &place.project());
            arm(None);
            if failed.is_ok() && passed() <= point {
                break;
            }
            apply(&Change::default(), &place.project()).unwrap();
            let found = files(&place.path("project"));
            assert!(failed.is_ok() || found == before || plan_is_done(&place, &change), "{scenario} {point}");
            assert!(!place.verify().iter().any(|line| line.starts_with("skills/")), "{scenario} {point}");
            point += 1;
            if point > 400 {
                panic!("{scenario}: no end");
            }
        }
    }
}

fn plan_is_done(place: &Place, change: &Change) -> bool {
    let lock = place.project().lock().unwrap();
    change.steps.iter().all(|step| lock.get(step.name()) == step.new.as_ref().map(|new| &new.locked))
}
