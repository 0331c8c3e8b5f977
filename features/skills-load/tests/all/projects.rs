//! Tests that projects are loaded from disk. The checks themselves are tested with the rules.

#![allow(clippy::unwrap_used)] // helpers of tests may panic as tests may

use std::fs;
use std::path::PathBuf;

use skills_load::projects::{ensure_projects_dir, load_projects};

/// A temporary directory, removed when dropped.
struct Data(PathBuf);

impl Data {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("skills-projects-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

// SPEC 10.2
#[test]
fn the_directory_is_made_once_and_kept() {
    let data = Data::new("ensure");
    assert_eq!(load_projects(&data.0, None), Default::default(), "SPEC 10.1: missing is empty");
    let directory = ensure_projects_dir(&data.0).unwrap();
    assert_eq!(directory, data.0.join("projects"));
    fs::create_dir(directory.join("a")).unwrap();
    fs::write(directory.join("a/ROLE.md"), "A.\n").unwrap();
    assert_eq!(ensure_projects_dir(&data.0).unwrap(), directory);
    assert_eq!(load_projects(&data.0, None).projects.len(), 1);
    fs::write(data.0.join("file"), "").unwrap();
    assert!(ensure_projects_dir(data.0.join("file")).is_err());
}

// SPEC 10.1, 10.2
#[test]
fn projects_are_found_by_name_and_broken_ones_are_reported() {
    let data = Data::new("load");
    let directory = ensure_projects_dir(&data.0).unwrap();
    for (name, text) in [
        ("nutrition", "You are a coach.\n"),
        ("stocks", "---\nskills = [\"ibkr-trader\"]\n---\nYou trade.\n"),
        ("broken", "---\nskills: [\n---\nYou are lost.\n"),
        ("empty", "\n"),
    ] {
        fs::create_dir(directory.join(name)).unwrap();
        fs::write(directory.join(name).join("ROLE.md"), text).unwrap();
    }
    let loaded = load_projects(&data.0, Some(&["pdf"]));
    let names: Vec<&str> = loaded.projects.iter().map(|project| project.name()).collect();
    assert_eq!(names, ["nutrition", "stocks"]);
    let stocks = &loaded.projects[1];
    assert_eq!(stocks.skills().collect::<Vec<_>>(), ["ibkr-trader"]);
    assert_eq!(stocks.path(), directory.join("stocks"));
    assert_eq!(stocks.instructions(), "You trade.");
    let is_reported = |code: &str, place: &str| {
        let place = format!("{}/{place}", directory.display());
        loaded.problems.iter().any(|problem| problem.code == code && problem.text.starts_with(&place))
    };
    assert!(is_reported("project-empty", "empty/ROLE.md:1:1: "), "{:#?}", loaded.problems);
    assert!(is_reported("project-skill-unknown", "stocks/ROLE.md:2:11: "), "{:#?}", loaded.problems);
    assert!(
        loaded.problems.iter().any(|problem| problem.is_error && problem.text.contains("broken/ROLE.md:"))
    );
}
