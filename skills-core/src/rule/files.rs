//! Rules about files and directories: what `read` refuses.

use super::Rule;
use crate::diagnostic::Level;

pub(super) static ALL: &[&Rule] = &[&ROOT_MISSING];

/// The skills directory does not exist.
pub static ROOT_MISSING: Rule = Rule {
    code: "root-missing",
    spec: "1.2",
    lint: false,
    bundle: Level::Error,
    disk: Level::Allow,
    standard: Level::Error,
    explain: "The path given as the skills directory names nothing. A bundle without its directory would be a \
        program that quietly ships no skills, so the build stops. At run time a missing directory is an empty list.",
    bad: &[("note.txt", "The directory `skills/` is not there.\n")],
    good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
};
