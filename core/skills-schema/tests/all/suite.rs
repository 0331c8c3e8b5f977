//! Runs JSON-Schema-Test-Suite: every required test of drafts 7 and 2020-12, and counts failures of the
//! optional ones.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use serde_json::Value;
use skills_schema::lower::{DocumentOptions, Formats, Lowered, lower_document};
use skills_schema::{Document, is_valid_str, validate_str};
use std::path::{Path, PathBuf};

use crate::shared;

/// Required tests that fail, as (file, case, test, reason).
const EXCEPTIONS: &[(&str, &str, &str, &str)] = &[];

struct Suite {
    dir: PathBuf,
    remotes: Vec<(String, String)>,
}

impl Suite {
    fn find() -> Self {
        let suite = test_bed::json_schema_suite();
        let (dir, root) = (suite.join("tests"), suite.join("remotes"));
        let uri = |path: &Path| {
            let inside = path.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
            (format!("http://localhost:1234/{inside}"), std::fs::read_to_string(path).expect("readable"))
        };
        let remotes = shared::files(&root, true).iter().map(|path| uri(path)).collect();
        Self { dir, remotes }
    }

    fn lower(&self, schema: &str, draft: &str, formats: Formats) -> Lowered {
        let meta = "https://json-schema.org/draft/2020-12/schema";
        // The suite sets `$schema` only where needed; other schemas have the draft of their directory.
        let mut marked: Value = serde_json::from_str(schema).expect("a schema of the suite");
        if let (Value::Object(members), "draft2020-12") = (&mut marked, draft) {
            members.entry("$schema").or_insert_with(|| meta.into());
        }
        let options = DocumentOptions { formats, ..DocumentOptions::default() };
        lower_document(Document::gather(&marked.to_string(), &options, &mut |uri| {
            self.remotes.iter().find(|(known, _)| known == uri).map(|(_, text)| text.clone())
        }))
    }

    /// Runs the files of a directory. Returns the number of tests, and the failed ones.
    fn run(&self, draft: &str, files: &[PathBuf], formats: Formats) -> (usize, Vec<String>) {
        let (mut total, mut wrong) = (0, Vec::new());
        for file in files {
            let name = file.strip_prefix(&self.dir).expect("inside").to_string_lossy().into_owned();
            for case in shared::json(file).as_array().expect("cases") {
                let about = case["description"].as_str().expect("description");
                let lowered = self.lower(&case["schema"].to_string(), draft, formats);
                for test in case["tests"].as_array().expect("tests") {
                    total += 1;
                    let want = test["valid"].as_bool().expect("valid");
                    let text = test["data"].to_string();
                    let from_text = validate_str(&lowered.tables, &text);
                    let test_name = test["description"].as_str().expect("description");
                    let full = format!("{name} | {about} | {test_name}");
                    assert_eq!(
                        from_text.is_ok(),
                        is_valid_str(&lowered.tables, &text),
                        "verdict differs: {full}"
                    );
                    if from_text.is_ok() != want || lowered.has_errors() {
                        let problems: Vec<String> =
                            lowered.problems.iter().map(|p| p.kind.to_string()).collect();
                        wrong
                            .push(format!("{full}: wanted {want}, got {from_text:?}, problems {problems:?}"));
                    }
                }
            }
        }
        (total, wrong)
    }
}

fn required(draft: &str, least: usize) {
    let suite = Suite::find();
    let files = shared::files(&suite.dir.join(draft), false);
    let (total, wrong) = suite.run(draft, &files, Formats::Ignore);
    let known =
        |line: &&String| EXCEPTIONS.iter().any(|(f, c, t, _)| line.starts_with(&format!("{f} | {c} | {t}")));
    let new: Vec<&String> = wrong.iter().filter(|line| !known(line)).collect();
    println!("{draft}: {} of {total} right", total - wrong.len());
    assert!(new.is_empty(), "{} of {total} wrong:\n{new:#?}", new.len());
    assert!(total >= least, "the suite has {total} tests");
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft7_required() {
    // SPEC 3.2, 6.1: accepts exactly the values of the schema.
    required("draft7", 900);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft2020_required() {
    // SPEC 3.2, 6.1: accepts exactly the values of the schema.
    required("draft2020-12", 1200);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft2019_required() {
    // SPEC 3.2, 6.1
    required("draft2019-09", 1100);
}

/// Runs optional tests, of which at most `most` may fail.
fn optional(draft: &str, dir: &str, formats: Formats, most: usize) {
    let suite = Suite::find();
    let files = shared::files(&suite.dir.join(draft).join(dir), false);
    let (total, wrong) = suite.run(draft, &files, formats);
    println!("{draft}/{dir}: {} of {total} right", total - wrong.len());
    for line in &wrong {
        println!("  {line}");
    }
    assert!(wrong.len() <= most, "{} of {total} wrong, at most {most} are known:\n{wrong:#?}", wrong.len());
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft7_optional() {
    // SPEC 6.1
    // The four test `contentMediaType` and `contentEncoding`, annotations that this crate does not assert.
    optional("draft7", "optional", Formats::AsDraft, 4);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft2020_optional() {
    // SPEC 6.1
    optional("draft2020-12", "optional", Formats::AsDraft, 0);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft7_formats() {
    // SPEC 6.1: `format` is asserted in draft-07.
    optional("draft7", "optional/format", Formats::AsDraft, 0);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft2020_formats() {
    // SPEC 6.1: `formats(assert)`.
    optional("draft2020-12", "optional/format", Formats::Assert, 0);
}
