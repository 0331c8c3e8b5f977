//! Renames a skill, a step or an input property at all places that name it, and the directory of a skill.

use std::collections::BTreeMap;
use std::path::Path;

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
use crate::index::{Skill, file_id};
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
) -> Result<WorkspaceEdit, String> {
    for spelling in spellings(root, target) {
        if let Some(fault) = fault(new, spelling) {
            return Err(format!("{fault}: expected {}", spelling.form()));
        }
    }
    let taken = match target {
        Named::Skill(_) if device(new).is_some() => {
            return Err(format!("`{new}` cannot be a directory on Windows, where it is a device"));
        }
        Named::Skill(skill) => {
            let mut others = root.skills().iter().filter(|other| other.dir != skill.dir);
            let is_function = skill.manifest.is_some();
            let is_one =
                |other: &&Skill| are_one((&other.name, other.manifest.is_some()), (new, is_function));
            others.find(is_one).map(|other| other.name.as_str())
        }
        Named::Step(skill, _) => schema::step_of(skill, new).map(|_| new),
        Named::Property(skill, _) => {
            let input = skill.schema(root.session(), "input").map(schema::resolved);
            let members = input.map(schema::members).unwrap_or_default();
            members.iter().any(|(key, _)| *key == new).then_some(new)
        }
    };
    if let Some(taken) = taken {
        return Err(format!("`{taken}` already exists"));
    }
    if let Some((root, span, why)) = unread(workspace, (root, target)) {
        let sources = root.checked.sources();
        let (path, (start, _)) = (&sources.file_of(span).path, sources.positions(span));
        let place = format!("{path}:{}:{}", start.line, start.column);
        return Err(format!(
            "`{}` may be used at {place}, which cannot be read: {why}; correct it first",
            target.name()
        ));
    }
    let mut changes: BTreeMap<Uri, Vec<TextEdit>> = BTreeMap::new();
    let mut texts = Texts::new(workspace.client.encoding);
    let places = workspace.places(root, target);
    if places.is_empty() {
        return Err("this name is defined outside of `skill.json`".to_owned());
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

/// Finds a text that may contain the name but cannot be read completely, so that its places are unknown. Returns the
/// place and the reason.
fn unread<'w>(
    workspace: &'w Workspace,
    (root, target): (&'w Root, &Named<'_>),
) -> Option<(&'w Root, Span, String)> {
    let name = target.name();
    let others = workspace.roots.values().filter(|other| !std::ptr::eq(*other, root));
    let others = others.filter(|_| matches!(target, Named::Skill(_)));
    let of_root = |root: &'w Root| {
        let is_concerned = |file: &&SourceFile| may_name(file, target) && mentions(&file.text, name);
        let fault = root
            .checked
            .sources()
            .files()
            .iter()
            .filter(is_concerned)
            .find_map(|file| syntax_fault(root, file));
        let part = || {
            let session = root.session()?;
            root.skills().iter().find_map(|skill| match target {
                Named::Property(own, _) if own.dir != skill.dir => {
                    session.unread_part(&skill.dir, &[name, &own.name])
                }
                Named::Step(own, _) if own.dir != skill.dir => None,
                _ => session.unread_part(&skill.dir, &[name]),
            })
        };
        fault.or_else(part).map(|(span, why)| (root, span, why))
    };
    let template = || match target {
        Named::Property(skill, _) | Named::Step(skill, _) => {
            let (span, why) = root.session()?.unread_template(&skill.dir, name)?;
            Some((root, span, why))
        }
        Named::Skill(_) => None,
    };
    std::iter::once(root).chain(others).find_map(of_root).or_else(template)
}

/// Returns `true` if a file of this path can contain the name in a place that a rename changes.
fn may_name(file: &SourceFile, target: &Named<'_>) -> bool {
    let path = Path::new(&file.path);
    let is_named = |name: &str| path.file_name().is_some_and(|known| known == name);
    let is_eval = evals::is_file(path);
    match target {
        Named::Skill(skill) => {
            let is_own = dir_of(&file.path) == skill.dir;
            is_named("skill.json") || is_named("ROLE.md") || is_eval || is_own && is_named("SKILL.md")
        }
        Named::Step(skill, _) => is_named("skill.json") && dir_of(&file.path) == skill.dir,
        Named::Property(skill, _) => {
            let is_own = dir_of(&file.path) == skill.dir;
            let is_own_eval = is_eval && dir_of(dir_of(&file.path)) == skill.dir;
            is_own_eval || is_named("skill.json") && (is_own || mentions(&file.text, &skill.name))
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
    let of_file = |span: &Span| match sources.file_of(*span).path.ends_with("skill.json") {
        true => Spelling::Function,
        false if root.config.options().profile == Profile::Standard => Spelling::Standard,
        false => Spelling::Skill,
    };
    skill.named.iter().map(of_file).collect()
}

/// Returns `true` if two names are the same in a program, or are installed in the same directory.
fn are_one((a, a_is_function): (&str, bool), (b, b_is_function): (&str, bool)) -> bool {
    let directory = |name, is_function| same_directory(&standard_name(name, is_function));
    ident_key(a) == ident_key(b) || directory(a, a_is_function) == directory(b, b_is_function)
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
