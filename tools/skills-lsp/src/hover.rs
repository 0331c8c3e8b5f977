//! Hover texts: the rule of a problem, the meaning of a key, the type of a path.

use std::path::Path;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use serde_json::Value;
use skills_core::{known, rule};
use skills_report::explain;
use skills_report::fix::Checked;

use crate::cursor::{self, Spot};
use crate::evals;
use crate::index::IndexedSkill;
use crate::root::{Root, dir_of};
use crate::schema;

/// Returns the hover text at an offset.
pub(crate) fn hover(root: &Root, path: &Path, offset: usize, named: Option<String>) -> Option<Hover> {
    let file = root.file(path)?;
    let sources = root.checked.sources();
    let mut parts: Vec<String> = Vec::new();
    let mut range = None;
    if let Some(spot) = cursor::find_spot(root, path, offset)
        && let Some((text, place)) = hover_text(root, &file.path, spot)
    {
        parts.push(text);
        range = Some(place);
    }
    if let Some(text) = named {
        parts.push(text);
        range = Some(offset..offset);
    }
    for found in &root.report().diagnostics {
        let place = sources.range(found.span);
        let is_here =
            sources.file_of(found.span).path == file.path && place.start <= offset && offset <= place.end;
        if is_here && parts.len() < 3 {
            parts.push(format!("```text\n{}```", explain::print(rule::text(found.rule))));
            range = range.or(Some(place));
        }
    }
    let range = range.filter(|_| !parts.is_empty())?;
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: parts.join("\n\n---\n\n") };
    Some(Hover {
        contents: HoverContents::Markup(contents),
        range: Some(root.encoding.range(&file.text, range)),
    })
}

fn hover_text(root: &Root, file: &str, spot: Spot) -> Option<(String, std::ops::Range<usize>)> {
    match spot {
        Spot::Field { key, on_key, value, range } => {
            if !on_key && file.ends_with("ROLE.md") && key == "skills" {
                return Some((skill(root.find(&value)?), range));
            }
            let known = known::find(&key)?;
            let whose = if known.standard {
                "A key of the open Agent Skills standard."
            } else {
                "A key of clients or of this project."
            };
            Some((format!("**{}**\n\n{}\n\n{whose}", known.key, known.meaning), range))
        }
        Spot::Json { path, on_key, value, range } => {
            let last = path.last().map(String::as_str);
            let is_skill = last == Some("skill") || path.first().map(String::as_str) == Some("calls");
            if !on_key && is_skill {
                return Some((skill(root.find(&value)?), range));
            }
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let meaning = match evals::is_file(Path::new(file)) {
                true => evals::meaning(&keys)?,
                false => {
                    schema::of_manifest(&keys).map(schema::description).filter(|text| !text.is_empty())?
                }
            };
            Some((format!("**{}**\n\n{meaning}", last?), range))
        }
        Spot::Template { path, range } => {
            let own = root.of_dir(dir_of(file))?;
            let part = schema::read(root, own, &path)?;
            let about = schema::description(part.schema);
            let kind = schema::kind(part.schema);
            let lead = format!("`{}`: **{kind}**\n\nfrom {}", path.join("."), part.whose);
            Some((if about.is_empty() { lead } else { format!("{lead}\n\n{about}") }, range))
        }
        Spot::Link { .. } => None,
    }
}

/// Describes a skill: its description, its input and its output.
pub(crate) fn skill(skill: &IndexedSkill) -> String {
    let mut text = format!("**{}**\n\n{}", skill.name, skill.description.trim());
    let Some(manifest) = &skill.manifest else { return text };
    for key in ["input", "output"] {
        if let Some(node) = manifest.get(key) {
            let json = skills_core::tree::text::to_json(node);
            let pretty =
                serde_json::from_str::<Value>(&json).and_then(|value| serde_json::to_string_pretty(&value));
            text.push_str(&format!("\n\n{key}:\n```json\n{}\n```", pretty.unwrap_or(json)));
        }
    }
    text
}
