//! Tests generated code in a crate that renames the facade and shadows names of the standard library.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, rust_2018_idioms)]
#![deny(missing_debug_implementations, clippy::all)]
#![allow(dead_code, unused_macros)]
#![forbid(unsafe_code)]

struct Result;
struct String;
struct Option;
struct Vec;
struct Box;
struct Send;
struct Skill;
struct Registry;
trait Deref {}
trait Debug {}
mod core {}
mod alloc {}
macro_rules! include_bytes {
    () => {};
}
macro_rules! concat {
    () => {};
}

mod first {
    agent_kit::skills!("../skills");
}

mod deep {
    pub(crate) mod deeper {
        agent_kit::skills!("../skills", allow(name_mismatch), warn("long-body", name-missing), file_cap(1_000_000));
    }
}

// A path that another macro passes on.
macro_rules! bundle {
    ($dir:literal) => {
        agent_kit::skills!($dir);
    };
}
mod passed {
    bundle!("../skills");
}

use first::SKILLS;

fn main() {
    assert_eq!(SKILLS.len(), 5);
    let names: ::std::vec::Vec<&'static str> = SKILLS.iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["3d", "pdf", "std", "str", "type"]);
    for skill in [SKILLS.std_, SKILLS.str_, SKILLS.type_, SKILLS._3d] {
        assert_eq!(SKILLS.get(skill.name()).map(|found| found.body()), Some(skill.body()));
    }
    const PDF: &agent_kit::Skill<'static> = &SKILLS.pdf;
    let notes: &'static [u8] = PDF.resource("data.bin").map_or(&[], |file| file.bytes());
    assert_eq!(notes, [0xff, 0, 1]);
    assert_eq!(PDF.body(), "# PDF\n\nRead `data.bin`.\n");
    assert_eq!(deep::deeper::SKILLS.prompt(), passed::SKILLS.prompt());
    let prompt: &'static str = SKILLS.prompt();
    assert!(prompt.contains("<name>pdf</name>"));
    assert_eq!(format!("{SKILLS:?}"), r#"{"3d", "pdf", "std", "str", "type"}"#);
    println!("shadowed: ok");
}
