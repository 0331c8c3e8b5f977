//! Tests the generated types: compares them with golden files, and parses the code generated for random
//! schemas.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use skills_schema::json;
use skills_schema::lower::{DocumentOptions, lower};

use crate::generate::tests::assert_golden;

/// Generates the types of a schema.
fn types(schema: &str) -> TokenStream {
    let lowered = lower(schema, &DocumentOptions::default());
    let sources = [("Input", "input", &lowered.document, &lowered.tables)];
    let shapes = super::shapes_of(&sources);
    let (items, view) = (super::generate(&sources, &shapes), super::view::items("Input", &shapes[0]));
    quote::quote!(#items #view)
}

fn formatted(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).expect("generated code parses"))
}

// SPEC 6.1
#[test]
fn golden_types_are_unchanged() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = files(&dir);
    fixtures.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    assert!(fixtures.len() >= 3);
    for path in fixtures {
        let schema = fs::read_to_string(&path).expect("a fixture");
        let generated = format!("// Made from {}.\n{}", name(&path), formatted(types(&schema)));
        assert_golden(&path.with_extension("expected.rs"), &generated);
    }
}

// SPEC 6.1: no schema, valid or not, makes the generator panic or print invalid Rust.
#[test]
#[ignore = "needs python3, pip and a network"]
fn every_schema_of_the_suite_becomes_rust() {
    let suite = test_bed::json_schema_suite().join("tests");
    let mut count = 0;
    for draft in ["draft7", "draft2020-12"] {
        let dir = suite.join(draft);
        for path in files(&dir).into_iter().filter(|path| path.is_file()) {
            let text = fs::read_to_string(&path).expect("a file of the suite");
            for case in json::parse(&text).expect("JSON").items() {
                let schema = &text[case.get("schema").expect("a schema").span.clone()];
                syn::parse2::<syn::File>(types(schema)).unwrap_or_else(|error| panic!("{schema}: {error}"));
                count += 1;
            }
        }
    }
    assert!(count > 600, "{count}");
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("a directory");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
