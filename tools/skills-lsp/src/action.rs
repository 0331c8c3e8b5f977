//! Converts the edits of problems to quick fixes, and all safe ones together to a fix of the whole file.

use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};
use skills_core::diagnostic::Diagnostic;
use skills_core::edit::{Applicability, Fix};
use skills_core::span::SourceFile;
use skills_report::fix::{self, Judged, Step};

use crate::place;
use crate::publish;
use crate::root::Root;
use crate::workspace::Workspace;

/// Returns the code actions for a range of a file.
pub(crate) fn actions(workspace: &Workspace, path: &Path, wanted: &Value, only: &[&str]) -> Vec<Value> {
    let Some(root) = workspace.root_of(path) else { return Vec::new() };
    let Some(file) = root.file(path) else { return Vec::new() };
    let sources = root.judged.sources();
    let part = place::bytes(&file.text, wanted);
    let asked = |kind: &str| only.is_empty() || only.iter().any(|only| kind.starts_with(only));
    let mut actions = Vec::new();
    let mut cut = publish::Cut::default();
    if asked("quickfix") {
        for found in &root.report().diagnostics {
            if sources.file_of(found.span).path != file.path || !meets(&sources.range(found.span), &part) {
                continue;
            }
            let Some(edit) = found.fix.as_ref().and_then(|fix| workspace_edit(workspace, root, fix)) else {
                continue;
            };
            let is_safe = found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
            actions.push(json!({
                "title": title(&found.help),
                "kind": "quickfix",
                "isPreferred": is_safe,
                "diagnostics": [publish::diagnostic(publish::Origin::of(root), found, &mut cut)],
                "edit": edit,
            }));
        }
    }
    if asked("source.fixAll.skills") {
        let is_wanted = only.iter().any(|only| only.starts_with("source.fixAll")) || !workspace.resolves;
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

/// Shortens a help to one line of a menu.
fn title(help: &str) -> String {
    let line = help.lines().next().unwrap_or_default().trim_end_matches(':');
    let text: String = line.chars().take(100).collect();
    if text.is_empty() { "fix it".to_owned() } else { text }
}

/// Converts a fix to a workspace edit; `None` if the protocol cannot express it, as for the executable bit.
fn workspace_edit(workspace: &Workspace, root: &Root, fix: &Fix) -> Option<Value> {
    let sources = root.judged.sources();
    let mut changes: Vec<Value> = Vec::new();
    let uri = |path: &Path| root.uri(path);
    for step in fix::steps(fix, sources) {
        let at = |path: &str| root.path.join(path);
        let change = match step {
            Step::Text(edit) => {
                let file = sources.file_of(edit.span);
                let range = place::range(&file.text, sources.range(edit.span));
                workspace.document(&uri(&root.path_of(file)), json!({ "range": range, "newText": edit.text }))
            }
            Step::Rename(from, to) => {
                let (from, to) = (at(&from), at(&to));
                if !from.is_file() || to.exists() {
                    return None;
                }
                json!({ "kind": "rename", "oldUri": uri(&from), "newUri": place::uri(&to) })
            }
            Step::Write(path, text) => {
                let path = at(&path);
                changes.push(json!({
                    "kind": "create", "uri": uri(&path), "options": { "overwrite": true },
                }));
                let start = place::range("", 0..0);
                workspace.document(&uri(&path), json!({ "range": start, "newText": text }))
            }
            Step::AddLine(path, line) => {
                let path = at(&path);
                let text = workspace.text(&path).unwrap_or_default();
                if !path.exists() {
                    changes.push(json!({ "kind": "create", "uri": uri(&path) }));
                }
                let lead = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                let end = place::range(&text, text.len()..text.len());
                workspace.document(&uri(&path), json!({ "range": end, "newText": format!("{lead}{line}\n") }))
            }
            Step::Executable(_) => return None,
        };
        // A client applies changes in order, but all edits of one document at once, with positions from
        // before any of them.
        match changes
            .last_mut()
            .filter(|last| change["edits"].is_array() && last["textDocument"] == change["textDocument"])
        {
            Some(last) => {
                let edits = change["edits"].as_array().cloned().unwrap_or_default();
                last["edits"].as_array_mut().into_iter().for_each(|all| all.extend(edits.clone()));
            }
            None => changes.push(change),
        }
    }
    Some(json!({ "documentChanges": changes }))
}

/// Offers to apply all safe edits of a file; the edits are computed when the action is chosen.
fn offer(root: &Root, file: &SourceFile, path: &Path) -> Option<Value> {
    let sources = root.judged.sources();
    let is_safe = |found: &&Diagnostic| {
        let fix = found.fix.as_ref().filter(|fix| fix.applicability == Applicability::Safe);
        sources.file_of(found.span).path == file.path
            && fix.is_some_and(|fix| fix::edits(fix, sources).is_some())
    };
    root.report().diagnostics.iter().find(is_safe)?;
    Some(json!({ "title": TITLE, "kind": "source.fixAll.skills", "data": { "uri": root.uri(path) } }))
}

const TITLE: &str = "Apply all safe fixes of skills in this file";

/// Applies all safe edits of a file at once.
pub(crate) fn fix_all(workspace: &Workspace, path: &Path) -> Option<Value> {
    let root = workspace.root_of(path)?;
    let judge = root.judge();
    let fixed = fix::fix(&root.path, workspace.over.clone(), Applicability::Safe, judge).ok()?;
    let before = workspace.text(path)?;
    let after = match fixed.over.get(path) {
        Some(Some(file)) => String::from_utf8(file.bytes.clone()).ok()?,
        _ => return None,
    };
    if before == after {
        return None;
    }
    let edit = json!({ "range": place::range(&before, 0..before.len()), "newText": after });
    Some(json!({
        "title": TITLE,
        "kind": "source.fixAll.skills",
        "edit": { "documentChanges": [workspace.document(&root.uri(path), edit)] },
    }))
}
