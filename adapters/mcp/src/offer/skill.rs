//! Skills with a `SKILL.md` become entries of the Skills extension, each file with its digest (SPEC 11.4, SEP-2640).

use rmcp::ErrorData;
use rmcp::model::{Skill as Entry, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::{Map, Value};
use skills_registry::{Skill, clean};
use skills_runtime::call::Runner;

use super::audience;
use super::page::{Page, cut};
use super::uri;

/// Returns a page of the skills that a model may be shown, sorted by name.
///
/// # Errors
/// The cursor is none of this server's.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Entry>, ErrorData> {
    let skills = audience::documents(runner.skills()).map(|skill| ((skill.name(), ""), skill));
    cut(skills, cursor, |skill| has_entry(skill).then(|| entry(skill)))
}

/// Finds the skill whose `SKILL.md` has an address; also one that no list shows, since a user may have called it.
///
/// # Errors
/// There is none.
pub(crate) fn get(runner: &Runner, uri: &str) -> Result<Entry, ErrorData> {
    let name = uri::parse(uri).filter(|(_, path)| path == "SKILL.md").map(|(name, _)| name);
    let found = name.and_then(|name| audience::find(runner.skills(), &name));
    let skill = found.filter(|skill| skill.has_document() && has_entry(*skill));
    skill.map(entry).ok_or_else(|| ErrorData::invalid_params(format!("unknown skill: {uri}"), None))
}

/// The extension reads the name out of the address, so it cannot say a name that stands there encoded; such a skill,
/// which no build lets through, has its resources and its prompt.
fn has_entry(skill: Skill<'_>) -> bool {
    uri::is_plain(skill.name())
}

fn entry(skill: Skill<'_>) -> Entry {
    let files = skill.files().map(|file| {
        let digest = format!("sha256:{}", file.sha256_hex());
        let size = u64::try_from(file.bytes().len()).unwrap_or(u64::MAX);
        SkillResource::new(uri::address(skill.name(), file.path()), digest, size)
    });
    let files = SkillResources::Files(files.collect());
    Entry::new(uri::address(skill.name(), "SKILL.md"), frontmatter(skill), files)
}

/// The frontmatter as written. What the extension demands and a `skill.json` may hold instead is added: the name, by
/// which the skill is found, and the description (SPEC 3.5).
fn frontmatter(skill: Skill<'_>) -> SkillFrontmatter {
    let members: Map<String, Value> = serde_json::from_str(skill.frontmatter()).unwrap_or_default();
    let mut members: Map<String, Value> =
        members.into_iter().map(|(key, value)| (clean(&key).into_owned(), cleaned(value))).collect();
    members.remove("name");
    let description = match members.remove("description") {
        Some(Value::String(text)) => text,
        _ => clean(skill.description()).into_owned(),
    };
    if let Some(asked) = skill.permissions()
        && let Ok(asked) = serde_json::from_str(&asked.to_json())
    {
        members.insert("permissions".to_owned(), asked);
    }
    members.into_iter().fold(SkillFrontmatter::new(skill.name(), description), |all, (key, value)| {
        all.with_field(key, value)
    })
}

/// Cleans what a model may be shown (SPEC 12.8).
fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text).into_owned()),
        Value::Array(items) => items.into_iter().map(cleaned).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (clean(&key).into_owned(), cleaned(value))).collect()
        }
        other => other,
    }
}
