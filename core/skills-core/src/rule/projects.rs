//! Rules about projects: directories with a `ROLE.md`.

use super::Example;
use crate::level::Level::{Allow, Error, Warning};

const GOOD: Example = &[("trading/ROLE.md", "---\nskills: [pdf]\n---\nYou watch the markets.\n")];

rules! {
    /// A directory of projects contains no project.
    PROJECT_NONE = error("project-none", "10.1", [Error, Allow, Allow]) {
        explain: "No directory directly below the projects directory has a file named exactly `ROLE.md`. A \
            program that bundles it would ship no projects; usually the path is wrong. At run time an empty \
            directory is an empty list.",
        bad: &[("trading.md", "You watch the markets.\n")],
        good: GOOD,
    }

    /// A directory among projects has no `ROLE.md`.
    PROJECT_ROLE_MISSING = lint("project-role-missing", "10.1", [Warning, Warning, Allow]) {
        explain: "Every directory directly below the projects directory is a project, and its `ROLE.md` \
            holds the instructions of the project. A directory without one is skipped: usually the file has \
            another name, or the project is one level too deep.",
        bad: &[
            ("notes/README.md", "Notes.\n"),
            ("trading/ROLE.md", "---\nskills: [pdf]\n---\nYou watch the markets.\n"),
        ],
        good: GOOD,
    }

    /// A `ROLE.md` has no instructions.
    PROJECT_EMPTY = lint("project-empty", "10.1", [Warning, Warning, Allow]) {
        explain: "This `ROLE.md` has no text after its frontmatter. A project without instructions gives a \
            model nothing to follow, so it is skipped.",
        bad: &[("trading/ROLE.md", "---\nskills: [pdf]\n---\n\n")],
        good: GOOD,
    }

    /// A project names a skill that does not exist.
    PROJECT_SKILL_UNKNOWN = lint("project-skill-unknown", "10.1", [Warning, Warning, Allow]) {
        explain: "The list `skills` of a project names a skill that was not loaded together with the \
            project. Names must match exactly, including letter case. The project is loaded anyway: a skill \
            may be installed later.",
        bad: &[("trading/ROLE.md", "---\nskills: [pfd]\n---\nYou watch the markets.\n")],
        good: GOOD,
    }
}
