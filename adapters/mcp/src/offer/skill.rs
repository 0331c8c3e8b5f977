//! Converts skills with a `SKILL.md` to entries of the Skills extension, with the digest of each file
//! (SEP-2640).

use rmcp::ErrorData;
use rmcp::model::{Skill as Entry, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::{Map, Value};
use skills_call::{Published, Runner};
use skills_text::hex;

use super::shown::{NestedSkills, ProseSkill};
use super::{Page, add_origin, cut_page, documents};

/// Returns a page of the skills that models may see, sorted by name.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Entry>, ErrorData> {
    let layers = runner.skills();
    let skills = documents(layers).map(|skill| ((skill.name(), "".into()), skill));
    let nested = NestedSkills::new(layers);
    cut_page(skills, cursor, |skill| entry(&ProseSkill::from_layers(layers, skill)?, &nested))
}

/// Finds the skill by the URI of its `SKILL.md`. Includes skills that are not listed, since a user may have
/// called one.
pub(crate) fn get(runner: &Runner, uri: &str) -> Result<Entry, ErrorData> {
    let found = ProseSkill::find(runner, uri).filter(|(_, path)| path == "SKILL.md");
    found.and_then(|(shown, _)| entry(&shown, &NestedSkills::new(runner.skills()))).ok_or_else(|| {
        let data = serde_json::json!({ "uri": uri });
        ErrorData::invalid_params(format!("unknown skill: {uri}"), Some(data))
    })
}

/// Creates the entry of a skill, if every client can load it. Other skills only have resources and a prompt:
/// one invalid entry can make a client reject the whole list.
fn entry<'a>(shown: &ProseSkill<'a>, nested: &NestedSkills<'a>) -> Option<Entry> {
    let (published, files) = shown.entry(nested)?;
    let files = files.iter().map(|file| {
        let digest = format!("sha256:{}", hex(&file.sha256()));
        SkillResource::new(shown.address(&file.path), digest, file.size())
    });
    let files = SkillResources::Files(files.collect());
    let mut entry = Entry::new(shown.address("SKILL.md"), frontmatter(published), files);
    add_origin(&mut entry.meta, shown.skill);
    Some(entry)
}

fn frontmatter(published: &Published<'_>) -> SkillFrontmatter {
    let mut members: Map<String, Value> = serde_json::from_str(&published.frontmatter()).unwrap_or_default();
    members.remove("name");
    let description = match members.remove("description") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    members.into_iter().fold(SkillFrontmatter::new(published.name(), description), |all, (key, value)| {
        all.with_field(key, value)
    })
}
