//! One skill as `list --json` and `show --json` print it (SPEC 11.1).

use skills_schema::json::Node;

use crate::json::{array, boolean, number, optional, string};
use crate::shelf::Item;

/// The members of a record, in their order.
pub(crate) type Members = Vec<(&'static str, Node)>;

/// Makes the record of one skill.
pub(crate) fn members(item: &Item<'_>) -> Members {
    let skill = item.skill;
    let exec = skill.exec().filter(|_| skill.tier() >= 2);
    let schema = skill.schema().filter(|_| skill.tier() >= 3);
    let mut members = vec![
        ("name", string(skill.name())),
        ("version", string(skill.version())),
        ("tier", number(skill.tier())),
        ("description", string(skill.description())),
        ("exec", optional(exec)),
        ("schema", optional(schema)),
        ("path", string(item.path())),
        ("requires", array(skill.requires().map(string))),
    ];
    if item.gated {
        members.push(("gated", boolean(true)));
    }
    if let Some(winner) = &item.shadowed_by {
        members.push(("shadowed_by", string(winner.as_str())));
    }
    if let Some(mode) = skill.mode() {
        members.push(("mode", string(mode.as_str())));
        members.push(("category", optional(skill.category())));
        members.push(("tags", array(skill.tags().map(string))));
    }
    members
}
