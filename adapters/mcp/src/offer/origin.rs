//! Names the source of a skill of another project in the metadata of an object of the protocol.

use rmcp::model::MetaObject;
use serde_json::{Value, json};
use skills_registry::Skill;
use skills_text::clean;

/// The metadata key for the source of a skill.
const SOURCE: &str = "skills/source";

/// Adds the source and its revision to the metadata, if the skill is from another project.
pub(super) fn add(meta: &mut Option<MetaObject>, skill: Skill<'_>) {
    if let Some(source) = skill.source() {
        let mut value = json!({ "name": clean(source.name) });
        if let Some(revision) = source.revision {
            value["revision"] = Value::from(clean(revision));
        }
        meta.get_or_insert_default().0.insert(SOURCE.to_owned(), value);
    }
}
