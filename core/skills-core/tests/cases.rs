//! Every directory `tests/ui/<case>/skills` is loaded as a bundle and compared with `report.txt` beside it.
//!
//! Each is a separate trial, named after its directory. A `report.json`, if there is one, also contains the
//! ends of places. `BLESS=1` renews these files. A `places.txt` contains places counted by hand, as
//! `path:line` or `path:line:column`: each must be reported, and `BLESS=1` does not change this file.

mod golden;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use golden::Goldens;
use libtest_mimic::{Arguments, Trial};
use skills_core::Loaded;
use skills_core::options::Options;
use skills_core::print::text;
use skills_core::session::Session;
use skills_report::{github, json, sarif, suggestions};

fn main() {
    let cases = cases();
    assert!(cases.len() >= 12, "cases are missing: {cases:?}");
    let trials = cases.into_iter().map(|case| {
        let name = case.file_name().expect("a case has a name").display().to_string();
        Trial::test(name, move || {
            is_reported_as_pinned(&case);
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

// STYLE "An error": positions at the first byte, the last, behind CRLF, tabs, multi-byte and wide characters, over lines.
fn is_reported_as_pinned(case: &Path) {
    let mut goldens = Goldens::default();
    let loaded = skills_core::load(&case.join("skills"), "skills", &Options::default());
    let sources = loaded.catalog.sources();
    let places = fs::read_to_string(case.join("places.txt")).unwrap_or_default();
    let found = found(&loaded);
    for place in places.lines().filter(|place| !found.contains(*place)) {
        goldens.failures.push(format!("{}: nothing is reported at {place}", case.display()));
    }
    goldens.compare(&case.join("report.txt"), &text::print(&loaded.report, sources));
    // SPEC 17.10: an editor shows the same problems as a build, in the same order.
    let session = Session::new(&case.join("skills"), "skills", Options::default(), &Default::default());
    assert_eq!(text::print(session.report(), session.sources()), text::print(&loaded.report, sources));
    // SPEC 17.10: a check that keeps no skills reports the same in every format.
    let problems = skills_core::problems::find(&case.join("skills"), "skills", &Options::default());
    for print in [text::print, json::print, github::print, sarif::print, suggestions::print] {
        assert_eq!(print(&problems.report, &problems.sources), print(&loaded.report, sources));
    }
    let exact = case.join("report.json");
    if exact.exists() {
        goldens.compare(&exact, &json::print(&loaded.report, sources));
    }
    goldens.finish();
}

/// Returns the reported places, with and without the column.
fn found(loaded: &Loaded) -> BTreeSet<String> {
    let sources = loaded.catalog.sources();
    let mut found = BTreeSet::new();
    for diagnostic in &loaded.report.diagnostics {
        let path = &sources.file_of(diagnostic.span).path;
        let (start, _) = sources.positions(diagnostic.span);
        found.insert(format!("{path}:{}", start.line));
        found.insert(format!("{path}:{}:{}", start.line, start.column));
    }
    found
}

fn cases() -> Vec<PathBuf> {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let entries = fs::read_dir(ui).expect("the directory of the cases can be listed");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.join("skills").is_dir()).collect();
    cases.sort();
    cases
}
