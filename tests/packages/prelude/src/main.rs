//! Tests that generated code needs neither the prelude nor the name `core`.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

extern crate std;

use ::core as _;

::skills::skills!("../skills");

fn main() {
    ::std::assert_eq!(SKILLS.len(), 5);
    ::std::assert_eq!(SKILLS.pdf.name(), "pdf");
    ::std::println!("prelude: ok");
}
