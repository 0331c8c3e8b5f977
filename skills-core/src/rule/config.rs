//! Rules about `skills.toml` and about the comments that allow a rule.

use super::example::PDF;
use crate::level::Level::{Error, Warning};

rules! {
    /// A `skills.toml`, or a comment that allows a rule, says what nobody can follow.
    CONFIG_INVALID = error("config-invalid", "17.6, 17.9", [Error, Warning, Error]) {
        explain: "`skills.toml` has the keys `rules`, `paths`, `catalog-budget`, `file-cap`, `skill-cap`, \
            `bundle-cap`, `clients` and `exclude`; the level of a rule is \"allow\", \"warn\" or \"deny\", and only \
            that of a lint can be lowered. A comment `<!-- skills: allow(RULE) -->` names lints as well. What cannot \
            be followed would be silently without effect: a rule that was meant to be denied would let everything \
            through.",
        bad: &[PDF, ("skills.toml", "[rules]\nname-mismach = \"deny\"\n")],
        good: &[PDF, ("skills.toml", "[rules]\nname-mismatch = \"deny\"\n")],
    }
}
