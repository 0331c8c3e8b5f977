//! Converts the edits of problems to quick fixes, and all safe edits together to a fix of the whole file.

use std::ops::Range;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CreateFile, CreateFileOptions, DocumentChangeOperation, Range as LineRange,
    RenameFile, ResourceOp, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;
use skills_core::diagnostic::Diagnostic;
use skills_core::edit::{Applicability, Fix};
use skills_core::span::SourceFile;
use skills_report::fix::{self, Checked, Step};

use crate::convert::{self, Texts};
use crate::publish;
use crate::root::Root;
use crate::workspace::{Workspace, workspace_edit};
use crate::{allow, create};

/// The kind of an action that applies all safe edits of a file.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.skills");

/// Returns the code actions for a range of a file.
pub(crate) fn actions(
    workspace: &Workspace,
    path: &Path,
    wanted: LineRange,
    only: &[CodeActionKind],
) -> Vec<CodeAction> {
    let Some(root) = workspace.root_of(path) else { return Vec::new() };
    let Some(file) = root.file(path) else { return Vec::new() };
    let sources = root.checked.sources();
    let part = root.encoding.bytes(&file.text, wanted);
    let asked = |kind: &CodeActionKind| {
        only.is_empty() || only.iter().any(|only| kind.as_str().starts_with(only.as_str()))
    };
    let mut actions = Vec::new();
    let mut texts = Texts::new(root.encoding);
    if asked(&CodeActionKind::QUICKFIX) {
        for found in &root.report().diagnostics {
            if sources.file_of(found.span).path != file.path || !meets(&sources.range(found.span), &part) {
                continue;
            }
            let diagnostic = publish::diagnostic(publish::Origin::of(root), found, &mut texts);
            let first = actions.len();
            let offered = fix::offered(found, sources);
            let fixed = offered.and_then(|fix| Some((fix, converted(workspace, root, fix)?)));
            actions.extend(fixed.map(|(fix, edit)| CodeAction {
                title: fix::title(fix, sources),
                kind: Some(CodeActionKind::QUICKFIX),
                is_preferred: Some(fix.applicability == Applicability::Safe),
                edit: Some(edit),
                ..CodeAction::default()
            }));
            actions.extend(create::action(workspace, root, found));
            actions.extend(allow::action(workspace, root, found));
            for action in actions.iter_mut().skip(first) {
                action.diagnostics = Some(vec![diagnostic.clone()]);
            }
        }
    }
    if asked(&FIX_ALL) {
        let is_wanted =
            only.iter().any(|only| only.as_str().starts_with("source.fixAll")) || !workspace.client.resolves;
        let offered = offer(root, file, path);
        actions.extend(match is_wanted {
            true => offered.and_then(|_| fix_all(workspace, path)),
            false => offered,
        });
    }
    actions
}

fn meets(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Converts a fix to a workspace edit; `None` if the protocol cannot express it, such as a change of the
/// executable bit.
fn converted(workspace: &Workspace, root: &Root, fix: &Fix) -> Option<WorkspaceEdit> {
    let sources = root.checked.sources();
    let mut operations: Vec<DocumentChangeOperation> = Vec::new();
    let mut texts = Texts::new(root.encoding);
    // A client applies operations in order. But it applies all edits of one document together, with the
    // positions before the first edit.
    let mut pending: Option<(Uri, Vec<TextEdit>)> = None;
    let flush = |pending: &mut Option<(Uri, Vec<TextEdit>)>, operations: &mut Vec<_>| {
        operations.extend(pending.take().map(|(uri, edits)| workspace.document(uri, edits)));
    };
    for step in fix::steps(fix, sources) {
        let at = |path: &str| root.path.join(path);
        let (uri, edit) = match step {
            Step::Text(edit) => {
                let file = sources.file_of(edit.span);
                let edit = TextEdit::new(texts.range(&file.text, sources.range(edit.span)), edit.text);
                (root.uri_of(file), edit)
            }
            Step::Rename(from, to) | Step::RenameDirectory(from, to) => {
                let (from, to) = (at(&from), at(&to));
                if !from.exists() || to.exists() {
                    return None;
                }
                flush(&mut pending, &mut operations);
                let (old_uri, new_uri) = (root.uri(&from), convert::uri(&to));
                let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
                operations.push(DocumentChangeOperation::Op(ResourceOp::Rename(rename)));
                continue;
            }
            Step::Write(path, text) => {
                let uri = root.uri(&at(&path));
                flush(&mut pending, &mut operations);
                operations.push(created(uri.clone(), true));
                (uri, root.encoding.edit("", 0..0, text))
            }
            Step::AddLine(path, line) => {
                let path = at(&path);
                let text = workspace.text(&path).unwrap_or_default();
                if !path.exists() {
                    flush(&mut pending, &mut operations);
                    operations.push(created(root.uri(&path), false));
                }
                let lead = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                let edit = root.encoding.edit(&text, text.len()..text.len(), format!("{lead}{line}\n"));
                (root.uri(&path), edit)
            }
            Step::Executable(_) => return None,
        };
        match &mut pending {
            Some((open, edits)) if *open == uri => edits.push(edit),
            _ => {
                flush(&mut pending, &mut operations);
                pending = Some((uri, vec![edit]));
            }
        }
    }
    flush(&mut pending, &mut operations);
    Some(workspace_edit(operations))
}

/// Creates a file; `overwrite` allows an existing one.
fn created(uri: Uri, overwrite: bool) -> DocumentChangeOperation {
    let options = CreateFileOptions { overwrite: Some(true), ignore_if_exists: None };
    let options = overwrite.then_some(options);
    DocumentChangeOperation::Op(ResourceOp::Create(CreateFile { uri, options, annotation_id: None }))
}

/// Offers to apply all safe edits of a file; the edits are computed when the action is chosen.
fn offer(root: &Root, file: &SourceFile, path: &Path) -> Option<CodeAction> {
    let sources = root.checked.sources();
    let is_safe = |found: &&Diagnostic| {
        let fix = fix::offered(found, sources).filter(|fix| fix.applicability == Applicability::Safe);
        sources.file_of(found.span).path == file.path
            && fix.is_some_and(|fix| fix::edits(fix, sources).is_some())
    };
    root.report().diagnostics.iter().find(is_safe)?;
    Some(CodeAction { data: Some(json!({ "uri": root.uri(path) })), ..whole() })
}

fn whole() -> CodeAction {
    let title = "Apply all safe fixes of skills in this file".to_owned();
    CodeAction { title, kind: Some(FIX_ALL), ..CodeAction::default() }
}

/// Applies all safe edits of a file at once.
pub(crate) fn fix_all(workspace: &Workspace, path: &Path) -> Option<CodeAction> {
    let root = workspace.root_of(path)?;
    let checker = root.checker();
    let fixed = fix::fix(&root.path, workspace.over.clone(), Applicability::Safe, checker).ok()?;
    let before = workspace.text(path)?;
    let after = match fixed.over.get(path) {
        Some(Some(file)) => String::from_utf8(file.bytes.clone()).ok()?,
        _ => return None,
    };
    if before == after {
        return None;
    }
    let edit = root.encoding.edit(&before, 0..before.len(), after);
    let edit = workspace_edit(vec![workspace.document(root.uri(path), vec![edit])]);
    Some(CodeAction { edit: Some(edit), ..whole() })
}
