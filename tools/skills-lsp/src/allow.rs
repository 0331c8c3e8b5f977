//! The action that allows a lint in the skill where it was found (SPEC 17.9).

use lsp_types::{CodeAction, CodeActionKind};
use skills_core::diagnostic::Diagnostic;
use skills_core::span::SourceFile;

use crate::root::Root;
use crate::workspace::{Workspace, workspace_edit};

const OPEN: &str = "<!-- skills: allow(";

/// Returns the action for a problem; `None` if its rule cannot be allowed, or if the skill has no text that
/// can hold the comment.
pub(crate) fn action(workspace: &Workspace, root: &Root, found: &Diagnostic) -> Option<CodeAction> {
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
