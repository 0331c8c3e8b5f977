//! Several processes add skills to one project at the same time.

use std::path::Path;
use std::process::Child;

use skills_core::options::Options;
use skills_sources::{Project, Source, add, apply, check, fetch};

use crate::child;
use crate::place::{Place, skill};

pub(crate) const JOB: &str = "together";
const COUNT: usize = 6;

/// Adds the skill of a number.
pub(crate) fn child(top: &Path, number: usize) {
    let project = Project::open(top).unwrap();
    let source = Source::parse("../source").unwrap();
    let offer = check(&fetch(&source, &project, None).unwrap(), &Options::default()).unwrap();
    let state = project.state(Some("skills")).unwrap();
    let change = add(&[offer], &[format!("skill-{number}")], "skills", &state).unwrap();
    apply(&change, &project).unwrap();
}

// SPEC 21.6: one waits for the other, and no entry of the lock file is lost
#[test]
fn processes_change_the_lock_one_after_the_other() {
    let place = Place::new(&[]);
    for number in 0..COUNT {
        let name = format!("skill-{number}");
        place.write(&format!("source/{name}/SKILL.md"), &skill(&name, ""));
        for file in 0..20 {
            place.write(&format!("source/{name}/{file}.md"), "text\n");
        }
    }
    let start = |number| child::command(JOB, &place.path("project"), number).spawn().unwrap();
    let children: Vec<Child> = (0..COUNT).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(place.project().lock().unwrap().skills().len(), COUNT);
    assert_eq!(place.verify(), Vec::<String>::new());
    assert_eq!(place.files().len(), COUNT * 21, "nothing else is left");
}
