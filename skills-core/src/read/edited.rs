//! A directory that was read gets another text in one file, without a look at the disk: what a keystroke costs (SPEC 17.14).

use std::ops::Range;

use super::{Content, ReadOptions, SourceTree};
use crate::edit::Change;
use crate::report::Report;
use crate::span::{FileId, Span};

impl SourceTree {
    /// Puts another text into a file, and moves what reading found along; `path` is that of the file below the root.
    ///
    /// False, and nothing is changed, where the disk has to be read again: the file is not there, is no text, or the new
    /// text may be too large for the limits or be taken for a key.
    pub fn set_text(&mut self, path: &str, text: &str, report: &mut Report, options: &ReadOptions) -> bool {
        let Some(id) = self.place(path, text, options) else { return false };
        let mut places: Vec<(FileId, Range<usize>)> = Vec::new();
        each_span(report, &mut |span| places.push((self.sources.id_of(*span), self.sources.range(*span))));
        self.sources.replace(id, text.to_owned());
        let mut places = places.into_iter();
        each_span(report, &mut |span| {
            if let Some((file, range)) = places.next() {
                *span = self.sources.file(file).span(range);
            }
        });
        true
    }

    /// Finds the text of a file that can take another, and says whether that makes it executable.
    fn place(&mut self, path: &str, text: &str, options: &ReadOptions) -> Option<FileId> {
        let skill = self.skills.iter_mut().filter(|skill| path.starts_with(skill.path.as_str()));
        let (skill, below) = skill.into_iter().find_map(|skill| {
            let rest = &path[skill.path.len()..];
            let below = if skill.path.is_empty() { rest } else { rest.strip_prefix('/')? };
            skill.file(below)?;
            Some((skill, below))
        })?;
        let at = skill.files.binary_search_by(|file| file.path.as_str().cmp(below)).ok()?;
        let file = skill.files.get_mut(at)?;
        let Content::Text(id) = file.content else { return None };
        let (old, new) = (self.sources.file(id).text.len(), text.len());
        // The files were within the limits with what stood here before.
        let limit = options.file_cap.min(options.skill_cap).min(options.bundle_cap) / 64;
        let is_large = new > old && u64::try_from(new).unwrap_or(u64::MAX) > limit;
        if is_large || text.starts_with("-----BEGIN ") {
            return None;
        }
        file.executable = file.mode_executable || text.starts_with("#!");
        Some(id)
    }
}

/// Visits all places of a report, always in the same order.
fn each_span(report: &mut Report, visit: &mut dyn FnMut(&mut Span)) {
    for found in &mut report.diagnostics {
        visit(&mut found.span);
        found.related.iter_mut().for_each(|related| visit(&mut related.span));
        for change in found.fix.iter_mut().flat_map(|fix| &mut fix.changes) {
            match change {
                Change::Replace { span, .. }
                | Change::DeleteLines(span)
                | Change::DeleteMember(span)
                | Change::InsertAbove { at: span, .. }
                | Change::InsertBelow { at: span, .. }
                | Change::AddMember { to: span, .. }
                | Change::Rename { file: span, .. } => visit(span),
                Change::Executable { .. } | Change::Write { .. } | Change::AddLine { .. } => {}
            }
        }
    }
}
