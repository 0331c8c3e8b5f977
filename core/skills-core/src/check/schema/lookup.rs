//! Finds parts of schemas and targets of references for an editor.

use skills_schema::files::{path_of, uri_of};
use skills_schema::lower::{DocumentOptions, Lowered};
use skills_schema::{Document, Part};
use skills_text::unmarked;

use super::{INPUT, OUTPUT};
use crate::check::draft::SkillDraft;
use crate::{FormatPolicy, SourceFile, SourceMap, Span};

/// Returns the schema under a key of `skill.json`, `input` or `output`.
pub(crate) fn schema<'d>(draft: &'d SkillDraft, key: &str) -> Option<Part<'d>> {
    let lowered = match key {
        "input" => draft.input()?,
        "output" => draft.output()?,
        _ => return None,
    };
    Some(lowered.document.root())
}

/// Reads a schema of a skill from a text other than its file.
pub(crate) fn read(draft: &SkillDraft, text: &str, formats: FormatPolicy, sources: &SourceMap) -> Document {
    let uri = uri_of(INPUT);
    Document::gather(text, &DocumentOptions { formats, uri: &uri }, &mut |uri| {
        let file = draft.skill.dir.file(&path_of(uri)?)?;
        let text = std::str::from_utf8(file.bytes(sources)).ok()?;
        Some(unmarked(text).to_owned())
    })
}

/// Returns the place of a part of a schema; `None` for a part of a meta-schema.
pub(crate) fn place(draft: &SkillDraft, part: Part<'_>, sources: &SourceMap) -> Option<Span> {
    let (file, start) = home(draft, part, sources)?;
    let range = part.span();
    Some(file.span(range.start + start..range.end + start))
}

/// Returns the target of the `$ref` whose value is at an offset of a file, given by its path below the root.
pub(crate) fn reference(draft: &SkillDraft, path: &str, offset: usize, sources: &SourceMap) -> Option<Span> {
    let schemas: [Option<&Lowered>; 3] = [draft.input(), draft.output(), draft.schema_lowered.as_ref()];
    schemas.into_iter().flatten().flat_map(|lowered| lowered.document.roots()).find_map(|root| {
        let (file, start) = home(draft, root, sources)?;
        let offset = offset.checked_sub(start).filter(|_| file.path == path)?;
        place(draft, find_smallest(root, offset)?.target()?, sources)
    })
}

/// Finds the smallest part that contains an offset of its text.
fn find_smallest(part: Part<'_>, offset: usize) -> Option<Part<'_>> {
    let range = part.span();
    if !(range.start <= offset && offset <= range.end) {
        return None;
    }
    let values = part.members().into_iter().map(|member| member.value).chain(part.items());
    Some(values.into_iter().find_map(|inside| find_smallest(inside, offset)).unwrap_or(part))
}

/// Returns the file of a part, and the offset of the schema's text in that file.
fn home<'s>(draft: &SkillDraft, part: Part<'_>, sources: &'s SourceMap) -> Option<(&'s SourceFile, usize)> {
    let path = path_of(part.source_uri())?;
    let typed = draft.typed.as_ref();
    let written = match &*path {
        INPUT => typed?.input?,
        OUTPUT => typed?.output?,
        _ => {
            let file = sources.file(draft.skill.dir.text(&path)?);
            // A byte order mark is not part of the JSON.
            return Some((file, file.text.len() - unmarked(&file.text).len()));
        }
    };
    Some((sources.file_of(written), sources.range(written).start))
}
