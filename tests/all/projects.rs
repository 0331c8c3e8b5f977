//! Tests projects that are compiled into a program.

skills::skills!("skills/");

mod alone {
    skills::projects!("tests/projects");
}

// In the same module as `skills!`, and with the names of its skills.
skills::projects!("./tests/projects/", skills("skills"), deny(project_skill_unknown));

// SPEC 10.1
#[test]
fn bundled_projects_contain_their_files() {
    let names: Vec<&str> = PROJECTS.iter().map(|project| project.name()).collect();
    assert_eq!(names, ["release", "triage"]);
    assert_eq!(alone::PROJECTS, PROJECTS);
    let release: &'static skills::Project = &PROJECTS[0];
    assert!(release.skills().all(|skill| SKILLS.get(skill).is_some()));
    assert_eq!(release.skills().len(), 2);
    assert_eq!(PROJECTS[1].skills().len(), 0);
    assert_eq!(release.path(), None);
    let expected = "You prepare a release: first the changelog, then the tag.";
    assert_eq!(release.instructions(), expected);
}
