//! A skill or a step gets another name, wherever it is named (SPEC 17.13).

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use skills_core::fix::Judged;

use crate::definition::{Named, named, references};
use crate::place;
use crate::root::Root;

/// Returns where the name at a place stands; nothing where there is none to change.
pub(crate) fn prepare(root: &Root, path: &Path, offset: usize) -> Option<Value> {
    let target = named(root, path, offset)?;
    let sources = root.judged.sources();
    let file = root.file(path)?;
    let spans = references(root, &target);
    let here = spans.into_iter().find(|span| {
        let range = sources.range(*span);
        sources.file_of(*span).path == file.path && range.start <= offset && offset <= range.end
    })?;
    Some(place::range(&file.text, inner(&file.text, sources.range(here))))
}

/// Returns the edits that rename what a place names.
///
/// # Errors
/// There is nothing to rename, or the new name is none; the text says so.
pub(crate) fn rename(root: &Root, path: &Path, offset: usize, new: &str) -> Result<Value, String> {
    let target = named(root, path, offset).ok_or("there is no name of a skill or step here")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if new.is_empty() || !new.chars().all(is_word) {
        return Err(format!("`{new}` is no name: letters, digits, `-` and `_` make one"));
    }
    let is_taken = match &target {
        Named::Skill(_) => root.index.find(&root.judged, new).is_some(),
        Named::Step(skill, _) => crate::schema::step_of(skill, new).is_some(),
    };
    if is_taken {
        return Err(format!("there is a `{new}` already"));
    }
    let sources = root.judged.sources();
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for span in references(root, &target) {
        let file = sources.file_of(span);
        let range = inner(&file.text, sources.range(span));
        let edit = json!({ "range": place::range(&file.text, range), "newText": new });
        changes.entry(root.uri_of(file)).or_default().push(edit);
    }
    Ok(json!({ "changes": changes }))
}

/// Returns what stands within quotes.
fn inner(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let written = &text[range.clone()];
    let is_quoted = written.len() > 1 && written.starts_with(['"', '\'']) && written.ends_with(['"', '\'']);
    if is_quoted { range.start + 1..range.end - 1 } else { range }
}
