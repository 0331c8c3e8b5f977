//! The code actions for problems: their fixes, a missing file, a comment that allows the rule, and all safe fixes of a
//! file together.

use std::ops::Range;
use std::path::{Component, Path};

use lsp_types::{
    CodeAction, CodeActionKind, CreateFile, CreateFileOptions, DocumentChangeOperation, Range as LineRange,
    RenameFile, ResourceOp, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;
use skills_core::diagnostic::Diagnostic;
use skills_core::edit::{Applicability, Fix};
use skills_core::rule::{fields, lints, modes};
use skills_core::span::SourceFile;
use skills_report::fix::{self, Checked, FixStep};

use crate::convert::{self, Texts};
use crate::cursor::{self, Spot};
use crate::publish::{self, ProblemOrigin};
use crate::root::{Root, dir_of};
use crate::workspace::{Workspace, workspace_edit};

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
    let mut actions = Vec::new();
    let mut texts = Texts::new(root.encoding);
    if is_asked(only, &CodeActionKind::QUICKFIX) {
        for found in &root.report().diagnostics {
            if sources.file_of(found.span).path != file.path || !meets(&sources.range(found.span), &part) {
                continue;
            }
            let diagnostic = publish::diagnostic(ProblemOrigin::new(root), found, &mut texts);
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
            actions.extend(create_missing(workspace, root, found));
            actions.extend(allow_rule(workspace, root, found));
            for action in actions.iter_mut().skip(first) {
                action.diagnostics = Some(vec![diagnostic.clone()]);
            }
        }
    }
    if is_asked(only, &FIX_ALL) {
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

/// Returns `true` if the client wants actions of a kind. It wants every kind if it names none.
fn is_asked(only: &[CodeActionKind], kind: &CodeActionKind) -> bool {
    only.is_empty() || only.iter().any(|only| kind.as_str().starts_with(only.as_str()))
}

/// Returns `true` if two ranges touch or overlap.
pub(crate) fn meets(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// The operations of a workspace edit. A client applies them in order, but it applies all edits of one document
/// together, with the positions before the first edit.
struct Operations<'w> {
    workspace: &'w Workspace,
    done: Vec<DocumentChangeOperation>,
    /// The edits of the document that is edited now.
    pending: Option<(Uri, Vec<TextEdit>)>,
}

impl Operations<'_> {
    fn edit(&mut self, uri: Uri, edit: TextEdit) {
        match &mut self.pending {
            Some((open, edits)) if *open == uri => edits.push(edit),
            _ => {
                self.flush();
                self.pending = Some((uri, vec![edit]));
            }
        }
    }

    /// Adds an operation on a file after the pending edits.
    fn push(&mut self, operation: ResourceOp) {
        self.flush();
        self.done.push(DocumentChangeOperation::Op(operation));
    }

    fn flush(&mut self) {
        if let Some((uri, edits)) = self.pending.take() {
            self.done.push(self.workspace.document(uri, edits));
        }
    }
}

/// Converts a fix to a workspace edit; `None` if the protocol cannot express it, such as a change of the
/// executable bit.
fn converted(workspace: &Workspace, root: &Root, fix: &Fix) -> Option<WorkspaceEdit> {
    let sources = root.checked.sources();
    let mut operations = Operations { workspace, done: Vec::new(), pending: None };
    let mut texts = Texts::new(root.encoding);
    for step in fix::steps(fix, sources) {
        match step {
            FixStep::Text(edit) => {
                let file = sources.file_of(edit.span);
                let edit = TextEdit::new(texts.range(&file.text, sources.range(edit.span)), edit.text);
                operations.edit(root.uri_of(file), edit);
            }
            FixStep::Rename(from, to) | FixStep::RenameDirectory(from, to) => {
                let (from, to) = (root.path.join(from), root.path.join(to));
                if !from.exists() || to.exists() {
                    return None;
                }
                let (old_uri, new_uri) = (root.uri(&from), convert::uri(&to));
                let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
                operations.push(ResourceOp::Rename(rename));
            }
            FixStep::Write(path, text) => {
                let uri = root.uri(&root.path.join(path));
                let options = CreateFileOptions { overwrite: Some(true), ignore_if_exists: None };
                operations.push(create_operation(uri.clone(), Some(options)));
                operations.edit(uri, root.encoding.edit("", 0..0, text));
            }
            FixStep::AddLine(path, line) => {
                let path = root.path.join(path);
                let text = workspace.text(&path).unwrap_or_default();
                if !path.exists() {
                    operations.push(create_operation(root.uri(&path), None));
                }
                let lead = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                let edit = root.encoding.edit(&text, text.len()..text.len(), format!("{lead}{line}\n"));
                operations.edit(root.uri(&path), edit);
            }
            FixStep::Executable(_) => return None,
        }
    }
    operations.flush();
    Some(workspace_edit(operations.done))
}

fn create_operation(uri: Uri, options: Option<CreateFileOptions>) -> ResourceOp {
    ResourceOp::Create(CreateFile { uri, options, annotation_id: None })
}

/// Offers to apply all safe edits of a file; the edits are computed when the action is chosen.
fn offer(root: &Root, file: &SourceFile, path: &Path) -> Option<CodeAction> {
    let sources = root.checked.sources();
    root.report().diagnostics.iter().find(|found| {
        let fix = fix::offered(found, sources).filter(|fix| fix.applicability == Applicability::Safe);
        sources.file_of(found.span).path == file.path
            && fix.is_some_and(|fix| fix::edits(fix, sources).is_some())
    })?;
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

/// Returns the action that creates the file which a problem reports as missing; `None` if no file is missing, or the client cannot create files.
fn create_missing(workspace: &Workspace, root: &Root, found: &Diagnostic) -> Option<CodeAction> {
    let place = missing(root, found).filter(|_| workspace.client.creates)?;
    let is_below = Path::new(&place).components().all(|part| matches!(part, Component::Normal(_)));
    let path = root.path.join(&place);
    if !is_below || path.exists() || workspace.over.get(&path).is_some() {
        return None;
    }
    let options = CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) };
    let create = create_operation(convert::uri(&path), Some(options));
    let edit = workspace_edit(vec![DocumentChangeOperation::Op(create)]);
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
    let lead = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let rules = [&lints::BROKEN_LINK, &fields::EXEC_MISSING, &fields::SCHEMA_MISSING, &modes::PROMPT_MISSING];
    rules.iter().find(|rule| rule.code == found.rule.code)?;
    if found.rule.code == modes::PROMPT_MISSING.code {
        return Some(format!("{lead}prompt.md"));
    }
    match cursor::find_spot(root, &root.path_of(file), sources.range(found.span).start)? {
        Spot::Link { place } => Some(place),
        Spot::Field { key, on_key: false, value, .. } if matches!(key.as_str(), "exec" | "schema") => {
            Some(format!("{lead}{value}"))
        }
        _ => None,
    }
}

/// The start of a comment that allows lints in a skill.
const OPEN: &str = "<!-- skills: allow(";

/// Returns the action that allows a lint in the skill where it was found (SPEC 17.9); `None` if its rule cannot be allowed, or if the skill has no text that
/// can hold the comment.
fn allow_rule(workspace: &Workspace, root: &Root, found: &Diagnostic) -> Option<CodeAction> {
    let sources = root.sources();
    let at = sources.file_of(found.span).skill.filter(|_| found.rule.lint)?;
    let (_, skill) = root.session()?.skills().nth(at)?;
    let file = ["SKILL.md", "prompt.md"].into_iter().find_map(|name| skill.dir.text(name))?;
    let file: &SourceFile = sources.file(file);
    let start = skill.document.as_ref().map_or(0, |document| {
        match sources.file_of(document.body).path == file.path {
            true => sources.range(document.body).start,
            false => 0,
        }
    });
    let code = found.rule.code;
    let text = &file.text;
    let (place, new) = match text.get(start..).and_then(|body| body.find(OPEN)) {
        Some(comment) => (start + comment + OPEN.len(), format!("{code}, ")),
        None => {
            let lead = if text.ends_with('\n') { "" } else { "\n" };
            (text.len(), format!("{lead}\n{OPEN}{code}) -->\n"))
        }
    };
    let edit = root.encoding.edit(text, place..place, new);
    Some(CodeAction {
        title: format!("Allow `{code}` here"),
        kind: Some(CodeActionKind::QUICKFIX),
        is_preferred: Some(false),
        edit: Some(workspace_edit(vec![workspace.document(root.uri_of(file), vec![edit])])),
        ..CodeAction::default()
    })
}
