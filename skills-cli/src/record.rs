//! One skill as `list --json` and `show --json` print it (SPEC 11.1).

use skills_registry::Skill;
use skills_schema::json::Node;

use crate::json::{array, boolean, number, optional, string};
use crate::shelf::Shelf;

/// The members of a record, in their order.
pub(crate) type Members = Vec<(&'static str, Node)>;

/// Makes the record of one skill.
pub(crate) fn members(shelf: &Shelf<'_>, skill: Skill<'_>) -> Members {
    let exec = skill.exec().filter(|_| skill.tier() >= 2);
    let schema = skill.schema().filter(|_| skill.tier() >= 3);
    let mut members = vec![
        ("name", string(skill.name())),
        ("version", string(skill.version())),
        ("tier", number(skill.tier())),
        ("description", string(skill.description())),
        ("exec", optional(exec)),
        ("schema", optional(schema)),
        ("path", string(shelf.path(skill))),
        ("requires", array(skill.requires().map(string))),
    ];
    if shelf.is_gated(skill) {
        members.push(("gated", boolean(true)));
    }
    if let Some(mode) = skill.mode() {
        members.push(("mode", string(mode.as_str())));
        members.push(("category", optional(skill.category())));
        members.push(("tags", array(skill.tags().map(string))));
    }
    members
}
