//! Directories of projects: which are found, which are skipped and why; no file outside the directory is
//! read.
#![cfg(unix)] // the tests plant links and pipes

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::projects::{LoadedProjects, ParsedProject, load};

use crate::disk::Disk;

fn at_run_time(disk: &Disk, known: Option<&[&str]>) -> LoadedProjects {
    load(&disk.root(), "projects", &Options { profile: Profile::Disk, ..Options::default() }, known)
}

/// Formats the projects as `name [skills] instructions`.
fn shown(projects: &[ParsedProject]) -> Vec<String> {
    let show = |project: &ParsedProject| {
        format!("{} {:?} {}", project.name, project.skills, project.instructions).replace('"', "")
    };
    projects.iter().map(show).collect()
}

/// Formats the problems as `path:line:column level code`.
fn problems(loaded: &LoadedProjects) -> Vec<String> {
    let show = |problem: &skills_core::diagnostic::Diagnostic| {
        assert!(!problem.help.is_empty(), "{} has no help", problem.rule.code);
        let (start, _) = loaded.sources.positions(problem.span);
        let path = loaded.sources.display_path(problem.span);
        format!("{path}:{}:{} {} {}", start.line, start.column, problem.level.as_str(), problem.rule.code)
    };
    loaded.report.diagnostics.iter().map(show).collect()
}

// SPEC 10.1, 2.1, 2.2
#[test]
fn a_project_is_a_role_file_with_an_optional_frontmatter() {
    let disk = Disk::new(&[
        ("stocks/ROLE.md", "---\nskills = [\"ibkr-trader\", \"pdf\"]\n---\n\nYou trade.\n\nWith care.\n\n"),
        ("estate/ROLE.md", "---\nskills: [pdf]\n---\nYou sell houses.\n"),
        ("diet/ROLE.md", "\n\nYou are a coach.\n---\nnot a frontmatter\n"),
        ("one/ROLE.md", "---yaml\nskills: pdf\n---\nOne.\n"),
        ("none/ROLE.md", "---\nskills: []\n---\nNone.\n"),
        ("absent/ROLE.md", "---\nskills:\n---\nAbsent.\n"),
        ("bom/ROLE.md", "\u{feff}---\r\nskills: [pdf]\r\n---\r\nLines.\r\n"),
        ("stocks/nested/ROLE.md", "Too deep.\n"),
        ("stocks/notes.md", "Notes.\n"),
        ("loose.md", "Loose.\n"),
        (".hidden/ROLE.md", "Hidden.\n"),
    ]);
    let loaded = at_run_time(&disk, None);
    assert_eq!(problems(&loaded), [""; 0]);
    assert_eq!(
        shown(&loaded.projects),
        [
            "absent [] Absent.",
            "bom [pdf] Lines.",
            "diet [] You are a coach.\n---\nnot a frontmatter",
            "estate [pdf] You sell houses.",
            "none [] None.",
            "one [pdf] One.",
            "stocks [ibkr-trader, pdf] You trade.\n\nWith care.",
        ]
    );
}

// SPEC 10.1
#[test]
fn empty_missing_and_broken_projects_are_skipped_and_reported() {
    let disk = Disk::new(&[
        ("a-empty/ROLE.md", ""),
        ("b-blank/ROLE.md", "---\nskills: [pdf]\n---\n \n\t\n"),
        ("c-missing/README.md", "x\n"),
        ("d-case/role.md", "You wait.\n"),
        ("e-broken/ROLE.md", "---\nskills: [pdf\n---\nYou are lost.\n"),
        ("f-open/ROLE.md", "---\nskills: [pdf]\nYou are open.\n"),
        ("g-js/ROLE.md", "---js\nskills\n---\nYou run.\n"),
        ("h-twice/ROLE.md", "---\nskills: [a]\nskills: [b]\n---\nYou double.\n"),
        ("i-latin/ROLE.md (latin-1)", "Caf\u{e9}.\n"),
        ("j-good/ROLE.md", "Good.\n"),
    ]);
    let loaded = at_run_time(&disk, None);
    assert_eq!(shown(&loaded.projects), ["j-good [] Good."]);
    let reported = problems(&loaded);
    for name in
        ["a-empty", "b-blank", "c-missing", "d-case", "e-broken", "f-open", "g-js", "h-twice", "i-latin"]
    {
        assert!(
            reported.iter().any(|line| line.starts_with(&format!("projects/{name}"))),
            "{name}: {reported:#?}"
        );
    }
    assert!(
        reported.contains(&"projects/a-empty/ROLE.md:1:1 warning project-empty".to_owned()),
        "{reported:#?}"
    );
}

// SPEC 10.1
#[test]
fn an_unknown_skill_and_a_strange_key_are_warnings() {
    let disk = Disk::new(&[
        ("a/ROLE.md", "---\nskills: [pdf, pfd, gone]\nskils: [x]\n---\nA.\n"),
        ("b/ROLE.md", "---\nskills: {a: b}\n---\nB.\n"),
    ]);
    let loaded = at_run_time(&disk, Some(&["csv", "pdf"]));
    assert_eq!(shown(&loaded.projects), ["a [pdf, pfd, gone] A.", "b [] B."]);
    assert_eq!(
        problems(&loaded),
        [
            "projects/a/ROLE.md:2:15 warning project-skill-unknown",
            "projects/a/ROLE.md:2:20 warning project-skill-unknown",
            "projects/a/ROLE.md:3:1 warning key-unknown",
            "projects/b/ROLE.md:2:9 warning value-type",
        ]
    );
    let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|problem| problem.help.as_str()).collect();
    assert_eq!((helps[0], helps[2]), ("change it to `pdf`", "change it to `skills`"));
    assert!(!problems(&at_run_time(&disk, None)).iter().any(|line| line.contains("skill-unknown")));
}

// SPEC 10.1, 1.4, 12.3
#[test]
fn links_out_of_the_directory_are_refused() {
    let disk = Disk::new(&[
        ("a/ROLE.md", "A.\n"),
        ("linked/ROLE.md -> ../a/ROLE.md", ""),
        ("out -> ../outside", ""),
        ("outfile/ROLE.md -> ../../outside/ROLE.md", ""),
        ("again -> a", ""),
        ("up -> ..", ""),
        ("self -> self", ""),
        ("top -> .", ""),
        ("gone -> nowhere", ""),
        ("pipe/ROLE.md (fifo)", ""),
        ("dir/ROLE.md/x", "x"),
    ]);
    std::fs::create_dir(disk.top.join("outside")).unwrap();
    std::fs::write(disk.top.join("outside/ROLE.md"), "secret").unwrap();
    let loaded = at_run_time(&disk, None);
    assert_eq!(shown(&loaded.projects), ["a [] A.", "linked [] A."]);
    assert_eq!(
        problems(&loaded),
        [
            "projects/again:1:1 warning link-repeated",
            "projects/dir/ROLE.md:1:1 warning special-file",
            "projects/gone:1:1 warning link-broken",
            "projects/out:1:1 warning link-outside",
            "projects/outfile/ROLE.md:1:1 warning link-outside",
            "projects/pipe/ROLE.md:1:1 warning special-file",
            "projects/self:1:1 warning link-broken",
            "projects/top:1:1 warning link-repeated",
            "projects/up:1:1 warning link-outside",
        ]
    );
    assert!(loaded.sources.files().iter().all(|file| !file.text.contains("secret")));
}

// SPEC 10.1, 1.2
#[test]
fn a_missing_directory_is_empty_and_a_file_is_an_error() {
    let missing = at_run_time(&Disk::new(&[(". (missing)", "")]), None);
    assert!(missing.projects.is_empty());
    assert_eq!(problems(&missing), [""; 0]);
    let file = at_run_time(&Disk::new(&[(". (file)", "x")]), None);
    assert_eq!(problems(&file).len(), 1);
    assert_eq!(file.report.diagnostics[0].title, "read projects dir projects: not a directory");
    let disk = Disk::new(&[]);
    assert_eq!(problems(&at_run_time(&disk, None)), [""; 0]);
    // SPEC 1.2: in a bundle both are errors.
    let bundle = |disk: &Disk| load(&disk.root(), "projects", &Options::default(), None);
    assert_eq!(problems(&bundle(&disk)), ["projects:1:1 error project-none"]);
    let missing = bundle(&Disk::new(&[(". (missing)", "")]));
    assert_eq!(problems(&missing), ["projects:1:1 error root-missing"]);
    assert_eq!(missing.report.diagnostics[0].title, "projects directory `projects` does not exist");
}
