//! Rules about projects, which are directories with a `ROLE.md`, and about `skills.toml`.

use super::entry::Example;
use super::example::PDF;

const GOOD: Example = &[("trading/ROLE.md", "---\nskills: [pdf]\n---\nYou watch the markets.\n")];

rules! {
    "Projects":

    PROJECT_NONE = error("project-none", "10.1", [Error, Allow, Allow]) {
        explain: "No directory directly below the projects directory has a file named exactly `ROLE.md`. A \
            program that bundles it would ship no projects; usually the path is wrong. At run time an empty \
            directory is an empty list.",
        bad: &[("trading.md", "You watch the markets.\n")],
        good: GOOD,
    }

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

    PROJECT_EMPTY = lint("project-empty", "10.1", [Warning, Warning, Allow]) {
        explain: "This `ROLE.md` has no text after its frontmatter. A project without instructions gives a \
            model nothing to follow, so it is skipped.",
        bad: &[("trading/ROLE.md", "---\nskills: [pdf]\n---\n\n")],
        good: GOOD,
    }

    PROJECT_SKILL_UNKNOWN = lint("project-skill-unknown", "10.1", [Warning, Warning, Allow]) {
        explain: "The list `skills` of a project names a skill that was not loaded together with the \
            project. Names must match exactly, including letter case. The project is loaded anyway: a skill \
            may be installed later.",
        bad: &[("trading/ROLE.md", "---\nskills: [pfd]\n---\nYou watch the markets.\n")],
        good: GOOD,
    }

    "skills.toml":

    CONFIG_INVALID = error("config-invalid", "17.6, 17.9", [Error, Warning, Error]) {
        explain: "`skills.toml` has the keys `rules`, `paths`, `catalog-budget`, `file-cap`, `skill-cap`, \
            `bundle-cap`, `commands`, `stub`, `exclude`, `profile` and `mcp`. The level of a rule is \"allow\", \
            \"warn\" or \"deny\", and only the level of a lint can be lowered. A comment `<!-- skills: allow(RULE) -->` can name \
            only lints too. A setting that cannot be read would otherwise have no effect: a rule that \
            should be denied would never fail a check.",
        bad: &[PDF, ("skills.toml", "[rules]\nname-mismach = \"deny\"\n")],
        good: &[PDF, ("skills.toml", "[rules]\nname-mismatch = \"deny\"\n")],
    }
}
