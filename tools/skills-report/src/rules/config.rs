//! Rules about `skills.toml` and about the comments that allow a rule.

use super::example::PDF;

texts! {
    config:
    CONFIG_INVALID {
        explain: "`skills.toml` has the keys `rules`, `paths`, `catalog-budget`, `file-cap`, `skill-cap`, \
            `bundle-cap`, `commands`, `stub`, `exclude`, `profile` and `mcp`. The level of a rule is \"allow\", \
            \"warn\" or \"deny\", and only the level of a lint can be lowered. A comment `<!-- skills: allow(RULE) -->` can name \
            only lints too. A setting that cannot be read would otherwise have no effect: a rule that \
            should be denied would never fail a check.",
        bad: &[PDF, ("skills.toml", "[rules]\nname-mismach = \"deny\"\n")],
        good: &[PDF, ("skills.toml", "[rules]\nname-mismatch = \"deny\"\n")],
    }
}
