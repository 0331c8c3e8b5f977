//! Rules about the root itself.

use crate::level::Level::{Allow, Error};
use crate::rule::Rule;
use crate::rule::example::PDF;

rules! {
    /// The skills directory does not exist.
    pub static ROOT_MISSING: Rule = Rule {
        code: "root-missing",
        spec: "1.2",
        explain: "The path given as the skills directory names nothing. A bundle without its directory would be a \
            program that quietly ships no skills, so the build stops. At run time a missing directory is an \
            empty list.",
        bad: &[(". (missing)", "")],
        good: &[PDF],
        ..Rule::error(Error, Allow, Error)
    };

    /// The skills directory cannot be listed, or is a file.
    pub static ROOT_UNREADABLE: Rule = Rule {
        code: "root-unreadable",
        spec: "1.2",
        explain: "The skills directory is there, but it is a file, or the user who runs the program may not list it. \
            That is never taken for an empty list: skills would vanish without a word. Name a directory, or give \
            permission to read it.",
        bad: &[(". (file)", "not a directory\n")],
        good: &[PDF],
        ..Rule::error(Error, Error, Error)
    };

    /// The skills directory holds no skill.
    pub static ROOT_EMPTY: Rule = Rule {
        code: "root-empty",
        spec: "1.2",
        explain: "No directory below the skills directory has a file named exactly `SKILL.md` or `skill.json`. A \
            program that bundles it would ship no skills, which is nearly always a wrong path or a misspelt file \
            name. At run time an empty directory is an empty list.",
        bad: &[("pdf/README.md", "# PDF\n")],
        good: &[PDF],
        ..Rule::error(Error, Allow, Error)
    };
}
