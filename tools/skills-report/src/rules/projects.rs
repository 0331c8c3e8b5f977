//! Rules about projects: directories with a `ROLE.md`.

use super::Example;

const GOOD: Example = &[("trading/ROLE.md", "---\nskills: [pdf]\n---\nYou watch the markets.\n")];

texts! {
    projects:
    PROJECT_NONE {
        explain: "No directory directly below the projects directory has a file named exactly `ROLE.md`. A \
            program that bundles it would ship no projects; usually the path is wrong. At run time an empty \
            directory is an empty list.",
        bad: &[("trading.md", "You watch the markets.\n")],
        good: GOOD,
    }

    PROJECT_ROLE_MISSING {
        explain: "Every directory directly below the projects directory is a project, and its `ROLE.md` \
            holds the instructions of the project. A directory without one is skipped: usually the file has \
            another name, or the project is one level too deep.",
        bad: &[
            ("notes/README.md", "Notes.\n"),
            ("trading/ROLE.md", "---\nskills: [pdf]\n---\nYou watch the markets.\n"),
        ],
        good: GOOD,
    }

    PROJECT_EMPTY {
        explain: "This `ROLE.md` has no text after its frontmatter. A project without instructions gives a \
            model nothing to follow, so it is skipped.",
        bad: &[("trading/ROLE.md", "---\nskills: [pdf]\n---\n\n")],
        good: GOOD,
    }

    PROJECT_SKILL_UNKNOWN {
        explain: "The list `skills` of a project names a skill that was not loaded together with the \
            project. Names must match exactly, including letter case. The project is loaded anyway: a skill \
            may be installed later.",
        bad: &[("trading/ROLE.md", "---\nskills: [pfd]\n---\nYou watch the markets.\n")],
        good: GOOD,
    }
}
