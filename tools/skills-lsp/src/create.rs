//! The action that creates a file which a skill names and which does not exist.

use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CreateFile, CreateFileOptions, DocumentChangeOperation, ResourceOp,
};
use skills_core::diagnostic::Diagnostic;
use skills_core::rule::{fields, lints, modes};

use crate::convert;
use crate::cursor::{self, Spot};
use crate::root::{Root, dir_of};
use crate::workspace::{Workspace, workspace_edit};

/// Returns the action for a problem; `None` if no file is missing, or the client cannot create files.
pub(crate) fn action(workspace: &Workspace, root: &Root, found: &Diagnostic) -> Option<CodeAction> {
    let place = missing(root, found).filter(|_| workspace.client.creates)?;
    let is_below = Path::new(&place).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let path = root.path.join(&place);
    if !is_below || path.exists() || workspace.over.get(&path).is_some() {
        return None;
    }
    let options = CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) };
    let create = CreateFile { uri: convert::uri(&path), options: Some(options), annotation_id: None };
    let edit = workspace_edit(vec![DocumentChangeOperation::Op(ResourceOp::Create(create))]);
    Some(CodeAction {
        title: format!("Create `{place}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        is_preferred: Some(false),
        edit: Some(edit),
        ..CodeAction::default()
    })
}

/// Returns the path, below the root, of the file that a problem reports as missing.
fn missing(root: &Root, found: &Diagnostic) -> Option<String> {
    let sources = root.sources();
    let file = sources.file_of(found.span);
    let dir = dir_of(&file.path);
    let below = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    let rules = [&lints::BROKEN_LINK, &fields::EXEC_MISSING, &fields::SCHEMA_MISSING, &modes::PROMPT_MISSING];
    rules.iter().find(|rule| rule.code == found.rule.code)?;
    if found.rule.code == modes::PROMPT_MISSING.code {
        return Some(below("prompt.md"));
    }
    match cursor::at(root, &root.path_of(file), sources.range(found.span).start)? {
        Spot::Link { place } => Some(place),
        Spot::Field { key, on_key: false, value, .. } if matches!(key.as_str(), "exec" | "schema") => {
            Some(below(&value))
        }
        _ => None,
    }
}
