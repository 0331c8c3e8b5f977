//! Renames a skill, a step or an input property at all places that name it, and the directory of a skill.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use lsp_server::ErrorCode;
use lsp_types::{DocumentChangeOperation, Range, RenameFile, ResourceOp, TextEdit, Uri, WorkspaceEdit};
use skills_core::frontmatter;
use skills_core::levels::Profile;
use skills_core::name::{Spelling, device, fault};
use skills_core::report::Report;
use skills_core::session::mentions;
use skills_core::span::{SourceFile, Span};
use skills_core::tree::json;
use skills_registry::{ident_key, same_directory, standard_name};
use skills_report::fix::Checked;

use crate::convert::{self, Texts};
use crate::definition::Named;
use crate::evals;
use crate::index::file_id;
use crate::request::{Refusal, refusal};
use crate::root::{Root, dir_of};
use crate::schema;
use crate::workspace::{Workspace, workspace_edit};

/// Returns the range of the name at an offset of a text; `None` if no name is there.
pub(crate) fn prepare(
    workspace: &Workspace,
    (root, target): (&Root, &Named<'_>),
    uri: &Uri,
    offset: usize,
) -> Option<Range> {
    workspace.places(root, target).into_iter().find_map(|(root, span)| {
        let sources = root.checked.sources();
        let (file, range) = (sources.file_of(span), sources.range(span));
        let is_here = root.uri_of(file) == *uri && range.start <= offset && offset <= range.end;
        is_here.then(|| root.encoding.range(&file.text, inner(&file.text, range)))
    })
}

/// Returns the edits that rename the skill or step at a position, or the reason why the new name is not
/// possible.
pub(crate) fn rename(
    workspace: &Workspace,
    (root, target): (&Root, &Named<'_>),
    new: &str,
) -> Result<WorkspaceEdit, Refusal> {
    for spelling in spellings(root, target) {
        if let Some(fault) = fault(new, spelling) {
            return Err(failed(format!("{fault}: expected {}", spelling.form())));
        }
    }
    let taken = match target {
        Named::Skill(_) if device(new).is_some() => {
            return Err(failed(format!("`{new}` cannot be a directory on Windows, where it is a device")));
        }
        Named::Skill(skill) => {
            let mut others = root.skills().iter().filter(|other| other.dir != skill.dir);
            let is_function = skill.manifest.is_some();
            let taken =
                others.find(|other| are_one((&other.name, other.manifest.is_some()), (new, is_function)));
            taken.map(|other| other.name.as_str())
        }
        Named::Step(skill, _) => schema::step_of(skill, new).map(|_| new),
        Named::Property(skill, _) => {
            let input = skill.schema(root.session(), "input").map(schema::resolved);
            let members = input.map(schema::members).unwrap_or_default();
            members.iter().any(|(key, _)| *key == new).then_some(new)
        }
    };
    if let Some(taken) = taken {
        return Err(failed(format!("`{taken}` already exists")));
    }
    if let Some((root, span, why)) = unread(workspace, (root, target)) {
        let sources = root.checked.sources();
        let (path, (start, _)) = (&sources.file_of(span).path, sources.positions(span));
        let place = format!("{path}:{}:{}", start.line, start.column);
        return Err(failed(format!(
            "`{}` may be used at {place}, which cannot be read: {why}; correct it first",
            target.name()
        )));
    }
    let mut changes: BTreeMap<Uri, Vec<TextEdit>> = BTreeMap::new();
    let mut texts = Texts::new(workspace.client.encoding);
    let places = workspace.places(root, target);
    if places.is_empty() {
        return Err(failed("this name is defined outside of `skill.json`".to_owned()));
    }
    for (root, span) in places {
        let sources = root.checked.sources();
        let file = sources.file_of(span);
        let range = inner(&file.text, sources.range(span));
        let edit = TextEdit::new(texts.range(&file.text, range), new.to_owned());
        changes.entry(root.uri_of(file)).or_default().push(edit);
    }
    let Some((old_uri, new_uri)) = directory(root, target, new).filter(|_| workspace.client.renames) else {
        return Ok(WorkspaceEdit::new(changes.into_iter().collect()));
    };
    let texts = changes.into_iter().map(|(uri, edits)| workspace.document(uri, edits));
    // The texts come first, because their paths change afterwards.
    let moved = ResourceOp::Rename(RenameFile { old_uri, new_uri, options: None, annotation_id: None });
    Ok(workspace_edit(texts.chain([DocumentChangeOperation::Op(moved)]).collect()))
}

/// Refuses a rename for a reason.
pub(crate) fn failed(why: String) -> Refusal {
    refusal(ErrorCode::RequestFailed, why)
}

/// Finds a text that may contain the name but cannot be read completely, so that its places are unknown. Returns the
/// place and the reason.
fn unread<'w>(
    workspace: &'w Workspace,
    (root, target): (&'w Root, &Named<'_>),
) -> Option<(&'w Root, Span, String)> {
    let found = unread_in(root, target);
    match target {
        Named::Skill(_) => {
            let mut others = workspace.roots.values().filter(|other| !std::ptr::eq(*other, root));
            found.or_else(|| others.find_map(|other| unread_in(other, target)))
        }
        Named::Property(skill, _) | Named::Step(skill, _) => found.or_else(|| {
            let (span, why) = root.session()?.unread_template(&skill.dir, target.name())?;
            Some((root, span, why))
        }),
    }
}

/// Finds such a text, or such a part of a `skill.json`, in one directory.
fn unread_in<'w>(root: &'w Root, target: &Named<'_>) -> Option<(&'w Root, Span, String)> {
    let name = target.name();
    for file in root.checked.sources().files() {
        if may_name(file, target)
            && mentions(&file.text, name)
            && let Some((span, why)) = syntax_fault(root, file)
        {
            return Some((root, span, why));
        }
    }
    let session = root.session()?;
    let part = root.skills().iter().find_map(|skill| match target {
        Named::Property(own, _) if own.dir != skill.dir => {
            session.unread_part(&skill.dir, &[name, &own.name])
        }
        Named::Step(own, _) if own.dir != skill.dir => None,
        _ => session.unread_part(&skill.dir, &[name]),
    });
    part.map(|(span, why)| (root, span, why))
}

/// Returns `true` if a file of this path can contain the name in a place that a rename changes.
fn may_name(file: &SourceFile, target: &Named<'_>) -> bool {
    let path = Path::new(&file.path);
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_eval = evals::is_file(path);
    match target {
        Named::Skill(skill) => {
            let is_own = dir_of(&file.path) == skill.dir;
            matches!(name, "skill.json" | "ROLE.md") || is_eval || is_own && name == "SKILL.md"
        }
        Named::Step(skill, _) => name == "skill.json" && dir_of(&file.path) == skill.dir,
        Named::Property(skill, _) => {
            let is_own = dir_of(&file.path) == skill.dir;
            let is_own_eval = is_eval && dir_of(dir_of(&file.path)) == skill.dir;
            is_own_eval || name == "skill.json" && (is_own || mentions(&file.text, &skill.name))
        }
    }
}

/// Returns the first fault that keeps a JSON file or a frontmatter from being read completely, with its reason.
fn syntax_fault(root: &Root, file: &SourceFile) -> Option<(Span, String)> {
    let mut report = Report::default();
    let sources = root.checked.sources();
    if file.path.ends_with(".json") {
        json::parse(file, &mut report);
    } else {
        let document = frontmatter::split(file_id(sources, &file.path)?, sources, &mut report);
        let is_whole = document.frontmatter.map_or(!document.misplaced, |frontmatter| frontmatter.sound);
        report.diagnostics.retain(|_| !is_whole);
    }
    let first = report.diagnostics.into_iter().next()?;
    Some((first.span, first.title))
}

/// Returns the naming rules for a new name, one for each file that contains it.
fn spellings(root: &Root, target: &Named<'_>) -> Vec<Spelling> {
    let Named::Skill(skill) = target else { return vec![Spelling::Step] };
    let sources = root.checked.sources();
    let spellings =
        skill.named.iter().map(|span| match sources.file_of(*span).path.ends_with("skill.json") {
            true => Spelling::Function,
            false if root.config.options().profile == Profile::Standard => Spelling::Standard,
            false => Spelling::Skill,
        });
    spellings.collect()
}

/// Returns `true` if two names are the same in a program, or are installed in the same directory.
fn are_one((a, a_is_function): (&str, bool), (b, b_is_function): (&str, bool)) -> bool {
    ident_key(a) == ident_key(b)
        || same_directory(&standard_name(a, a_is_function))
            == same_directory(&standard_name(b, b_is_function))
}

/// Returns the old and the new name of a skill's directory, if it has the name of the skill.
fn directory(root: &Root, target: &Named<'_>, new: &str) -> Option<(Uri, Uri)> {
    let Named::Skill(skill) = target else { return None };
    let (above, last) =
        skill.dir.rsplit_once('/').map_or((None, skill.dir.as_str()), |(above, last)| (Some(above), last));
    let is_named = ident_key(last) == ident_key(&skill.name);
    let new = if last.contains('-') { new.replace('_', "-") } else { new.to_owned() };
    let above = above.map_or_else(|| root.path.clone(), |above| root.path.join(above));
    let to = above.join(&new);
    (is_named && !last.is_empty() && !to.exists())
        .then(|| (convert::uri(&above.join(last)), convert::uri(&to)))
}

/// Returns the range inside the quotes.
fn inner(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let written = &text[range.clone()];
    let is_quoted = written.len() > 1 && written.starts_with(['"', '\'']) && written.ends_with(['"', '\'']);
    if is_quoted { range.start + 1..range.end - 1 } else { range }
}
