//! The place of a problem in a schema, and help texts for a `$ref` that leads to nothing, or out of the skill.

use std::borrow::Cow;
use std::ops::Range;

use skills_schema::files::path_of;
use skills_schema::{Part, pointer};

use crate::read::SkillDir;
use crate::rule::schemas as rules;
use crate::{Change, Content, Diagnostic, Span};

const MAX_REFERENCES: usize = 8;
const MAX_NAME_LENGTH: usize = 100;

/// A problem's place in a schema.
pub(super) struct SchemaPlace<'p> {
    /// The root of the document: a schema, or a whole file.
    pub(super) root: Part<'p>,
    pub(super) range: Range<usize>,
    pub(super) at: &'p dyn Fn(Range<usize>) -> Span,
    pub(super) has_room: bool,
    pub(super) dir: &'p SkillDir,
}

impl SchemaPlace<'_> {
    pub(super) fn span(&self) -> Span {
        (self.at)(self.range.clone())
    }

    pub(super) fn found(&self) -> &str {
        self.root.source_text().get(self.range.clone()).unwrap_or_default()
    }
}

/// Adds the help to the report of a reference to a missing part of the same schema: its probable target, or the form
/// of a reference.
pub(super) fn add_help(found: Diagnostic, reference: &str, root: Part<'_>) -> Diagnostic {
    let known = definitions(root);
    // References are relative to the schema, not to the `skill.json` around it.
    let inner = ["#/input/", "#/output/"].iter().find_map(|prefix| reference.strip_prefix(prefix));
    let wanted = inner.map_or_else(|| reference.to_owned(), |rest| format!("#/{rest}"));
    let name = wanted.rsplit('/').next();
    let same = known.iter().find(|known| **known == wanted);
    let same =
        same.or_else(|| known.iter().find(|known| known.rsplit('/').next() == name)).map(String::as_str);
    if let Some(near) = same.or_else(|| skills_text::nearest(&wanted, known.iter().map(String::as_str))) {
        return found.near_string(near);
    }
    if known.is_empty() {
        return found.help(match wanted.trim_start_matches("#/").split_once('/') {
            Some((holder @ ("definitions" | "$defs"), name)) if !name.contains('/') => {
                format!("add the missing schema: \"{holder}\": {{ \"{name}\": {{ … }} }}")
            }
            _ => "add the schema as \"definitions\": { \"NAME\": { … } }, and refer to it as \"#/definitions/NAME\""
                .to_owned(),
        });
    }
    let shown = known.iter().take(MAX_REFERENCES);
    let shown: Vec<String> =
        shown.map(|known| format!("\"{}\"", skills_text::cut(known, MAX_NAME_LENGTH))).collect();
    found.help(format!("write one of {}", shown.join(", ")))
}

/// Returns all named schemas that can be referred to, in the order of the text.
fn definitions(root: Part<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for key in ["definitions", "$defs"] {
        found.extend(root.members_of(key).iter().map(|member| {
            let mut reference = format!("#/{key}");
            pointer::push(&mut reference, member.key);
            reference
        }));
    }
    found
}

/// Reports a reference to another document. Returns `None` if it names a file of the skill that was not read.
pub(super) fn remote(reference: &str, uri: &str, place: &SchemaPlace<'_>, span: Span) -> Option<Diagnostic> {
    let mut fix = None;
    let (title, label, help) = match find_target(uri, place.dir) {
        Some((_, Some(Content::Unread))) => return None,
        Some((path, Some(_))) => (
            format!("`{path}` is not UTF-8, so it cannot be read as a JSON Schema"),
            "this path",
            "save the file as UTF-8".to_owned(),
        ),
        Some((path, None)) => {
            let files = place.dir.files.iter().take(if place.has_room { usize::MAX } else { 0 });
            let files = files.map(|file| file.path.as_str());
            let near = skills_text::nearest(&path, files.filter(|path| path.ends_with(".json")));
            let help = match near {
                Some(near) => {
                    let (fragment, help) = (reference.find('#'), format!("change the path to `{near}`"));
                    let typed = format!("{near}{}", fragment.map_or("", |at| &reference[at..]));
                    fix = Some(Change::string(span, &typed).unsafe_fix());
                    help
                }
                None => format!("add the file `{path}` to the skill"),
            };
            (
                format!("`{reference}` names a file that does not exist in the skill"),
                "not found in the skill",
                help,
            )
        }
        None => (
            format!("`{reference}` leads out of the skill"),
            "nothing is fetched from the network",
            "copy the schema into `definitions`, or into a file beside this one".to_owned(),
        ),
    };
    Some(rules::SCHEMA_REF.report_at(span, title).label(label).help(help).fix(fix))
}

/// Returns the path below the skill that a resolved reference names, and the contents of that file.
fn find_target<'d>(uri: &'d str, dir: &'d SkillDir) -> Option<(Cow<'d, str>, Option<&'d Content>)> {
    let path = path_of(uri)?;
    let content = dir.file(&path).map(|file| &file.content);
    Some((path, content))
}
