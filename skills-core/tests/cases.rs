//! Every directory `tests/ui/<case>/skills` is loaded as a bundle; its report is pinned in `report.txt` beside it.
//!
//! A `report.json`, where there is one, pins the exact positions too. `BLESS=1` renews these files.

mod golden;

use std::fs;
use std::path::{Path, PathBuf};

use golden::Goldens;
use skills_core::options::Options;
use skills_core::print::{json, text};

// STYLE "An error": positions at the first byte, the last, behind CRLF, tabs, multi-byte and wide characters, over lines.
#[test]
fn every_case_is_reported_as_pinned() {
    let mut goldens = Goldens::default();
    let cases = cases();
    assert!(cases.len() >= 12, "cases are missing: {cases:?}");
    for case in cases {
        let loaded = skills_core::load(&case.join("skills"), "skills", &Options::default());
        let sources = loaded.catalog.sources();
        goldens.compare(&case.join("report.txt"), &text::print(&loaded.report, sources));
        let exact = case.join("report.json");
        if exact.exists() {
            goldens.compare(&exact, &json::print(&loaded.report, sources));
        }
    }
    goldens.finish();
}

fn cases() -> Vec<PathBuf> {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let entries = fs::read_dir(ui).expect("the directory of the cases can be listed");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.join("skills").is_dir()).collect();
    cases.sort();
    cases
}
