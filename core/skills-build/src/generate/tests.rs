//! Compares the generated call support with a golden file; `tests/all/call.rs` of the workspace compiles and runs
//! it.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use skills_core::{load, lower};
use syn::{File, Item, ItemMacro, ItemMod};

use super::{Form, generate};

// SPEC 3.4, 5.6, 5.8, 6.2
#[test]
fn golden_calls_are_unchanged() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let loaded = load(&here.join("../../examples/skills"), "examples/skills", &Default::default());
    assert_eq!(loaded.report.errors(), 0);
    let mut digest = |_: &_, _: &_, bytes: &[u8]| lower::sha256(bytes);
    let code = generate(
        &loaded.catalog,
        "examples/skills",
        Form::Files("skills"),
        &super::Program::default(),
        8000,
        &mut digest,
    );
    let items: TokenStream = code.expect("it is small").items.into_iter().collect();
    let file: File = syn::parse2(items).expect("generated code parses");
    let generated: String = file.items.iter().map(calls).collect();
    let golden = here.join("tests/fixtures/calls.expected.rs");
    assert_golden(&golden, &generated);
}

/// Compares generated code with a golden file, or writes the file if `BLESS` is set.
pub(crate) fn assert_golden(golden: &Path, generated: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::write(golden, generated).expect("a writable fixture");
    }
    let wanted = fs::read_to_string(golden).unwrap_or_default();
    let path = golden.display();
    assert!(generated == wanted, "{path}: run with BLESS=1 and look at the difference\n{generated}");
}

/// Returns the contents of `call!`, formatted, with modules under their names.
fn calls(item: &Item) -> String {
    match item {
        Item::Macro(ItemMacro { mac, .. }) => {
            let is_call = mac.path.segments.last().is_some_and(|name| name.ident == "call");
            let inside = || syn::parse2(mac.tokens.clone()).expect("generated code parses");
            if is_call { prettyplease::unparse(&inside()) } else { String::new() }
        }
        Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) => {
            format!("// In the module {ident}.\n{}\n", items.iter().map(calls).collect::<String>())
        }
        _ => String::new(),
    }
}
