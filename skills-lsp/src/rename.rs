//! A skill or a step gets another name, wherever it is named: a skill with its directory (SPEC 17.13).

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skills_core::fix::Judged;

use crate::definition::Named;
use crate::place;
use crate::root::Root;
use crate::workspace::Workspace;

/// Returns where the name at an offset of a text stands; nothing where there is none to change.
pub(crate) fn prepare(
    workspace: &Workspace,
    (root, target): (&Root, &Named<'_>),
    uri: &str,
    offset: usize,
) -> Option<Value> {
    workspace.places(root, target).into_iter().find_map(|(root, span)| {
        let sources = root.judged.sources();
        let (file, range) = (sources.file_of(span), sources.range(span));
        let is_here = root.uri_of(file) == uri && range.start <= offset && offset <= range.end;
        is_here.then(|| place::range(&file.text, inner(&file.text, range)))
    })
}

/// Returns the edits that rename what a place names.
///
/// # Errors
/// The new name is none, or is taken; the text says so.
pub(crate) fn rename(
    workspace: &Workspace,
    (root, target): (&Root, &Named<'_>),
    new: &str,
) -> Result<Value, String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if new.is_empty() || !new.chars().all(is_word) {
        return Err(format!("`{new}` is no name: letters, digits, `-` and `_` make one"));
    }
    let is_taken = match target {
        Named::Skill(_) => root.index.find(&root.judged, new).is_some(),
        Named::Step(skill, _) => crate::schema::step_of(skill, new).is_some(),
    };
    if is_taken {
        return Err(format!("there is a `{new}` already"));
    }
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (root, span) in workspace.places(root, target) {
        let sources = root.judged.sources();
        let file = sources.file_of(span);
        let range = inner(&file.text, sources.range(span));
        let edit = json!({ "range": place::range(&file.text, range), "newText": new });
        changes.entry(root.uri_of(file)).or_default().push(edit);
    }
    let Some((from, to)) = directory(root, target, new).filter(|_| workspace.renames) else {
        return Ok(json!({ "changes": changes }));
    };
    let texts = changes.iter().map(|(uri, edits)| {
        json!({ "textDocument": { "uri": uri, "version": workspace.versions.get(uri) }, "edits": edits })
    });
    // The texts first: afterwards they have other names.
    let moved = json!({ "kind": "rename", "oldUri": from, "newUri": to });
    Ok(json!({ "documentChanges": texts.chain([moved]).collect::<Vec<_>>() }))
}

/// Returns how the directory of a skill is called, and will be, where it bears the skill's name.
fn directory(root: &Root, target: &Named<'_>, new: &str) -> Option<(String, String)> {
    let Named::Skill(skill) = target else { return None };
    let (above, last) =
        skill.dir.rsplit_once('/').map_or((None, skill.dir.as_str()), |(above, last)| (Some(above), last));
    let is_named = last.replace('-', "_") == skill.name.replace('-', "_");
    let new = if last.contains('-') { new.replace('_', "-") } else { new.to_owned() };
    let above = above.map_or_else(|| root.path.clone(), |above| root.path.join(above));
    let to = above.join(&new);
    (is_named && !last.is_empty() && !to.exists()).then(|| (place::uri(&above.join(last)), place::uri(&to)))
}

/// Returns what stands within quotes.
fn inner(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let written = &text[range.clone()];
    let is_quoted = written.len() > 1 && written.starts_with(['"', '\'']) && written.ends_with(['"', '\'']);
    if is_quoted { range.start + 1..range.end - 1 } else { range }
}
