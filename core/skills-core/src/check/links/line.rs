//! Analyzes one line of a body once, no matter how many files it names.

use super::prose::{
    is_of_others, is_of_project, is_proposed_above, lead_of_list, lists_examples, proposal, proposes_list,
    sentence, wish,
};

/// How many bytes before a path are read.
const MAX_CONTEXT: usize = 256;

/// The facts about a line that help to interpret the files named on it.
#[derive(Debug, Default)]
pub(super) struct BodyLine<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// The end of the first phrase that announces files to create, which are named after it.
    proposal: Option<usize>,
    /// The start of the last phrase about a file that may exist. Every file before it is optional.
    wish: Option<usize>,
    /// Whether the line belongs to a list about files to create or examples, and whether to a sentence about files to create.
    is_made: Option<(bool, bool)>,
    above: Option<usize>,
    is_of_project: Option<bool>,
    /// The numbers of the skills named on this line and on the line above.
    named: Option<Vec<usize>>,
}

impl<'t> BodyLine<'t> {
    /// Moves to the line of a text that contains an offset.
    pub(super) fn reach(&mut self, text: &'t str, at: usize) {
        if self.start <= at && at <= self.end && std::ptr::eq(self.text, text) {
            return;
        }
        let start = text[..at].rfind('\n').map_or(0, |feed| feed + 1);
        let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
        let line = &text[start..end];
        skills_text::work::count(line.len());
        *self = Self {
            text,
            start,
            end,
            proposal: proposal(line).map(|end| start + end),
            wish: wish(line).map(|begin| start + begin),
            ..Self::default()
        };
    }

    pub(super) fn before(&self, at: usize) -> &'t str {
        &self.text[self.start..at]
    }

    /// Returns `true` if the text before an offset announces a file to create or to avoid, or an example.
    pub(super) fn is_proposed(&self, at: usize) -> bool {
        let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '_');
        self.proposal.is_some_and(|end| end <= at) || self.before(at).trim_end_matches(marks).ends_with('>')
    }

    /// Returns `true` if the text after an offset is about a file that may exist.
    pub(super) fn is_wished(&self, at: usize) -> bool {
        self.wish.is_some_and(|begin| at <= begin)
    }

    /// Returns `true` if the text before an offset announces an example, or a file of another skill.
    pub(super) fn is_of_others(&mut self, at: usize) -> bool {
        let (text, start) = (self.text, self.start);
        let above = || text[..start].trim_end_matches('\n').rfind('\n').map_or(0, |feed| feed + 1);
        let from = *self.above.get_or_insert_with(above);
        let before = &text[from.max(skills_text::floor(text, at.saturating_sub(MAX_CONTEXT)))..at];
        skills_text::work::count(before.len());
        is_of_others(before)
    }

    /// Returns `true` if an offset is in a quote: an odd number of quotation marks stands before it.
    pub(super) fn is_quoted(&self, at: usize) -> bool {
        let before = self.before(at);
        let before = &before[skills_text::floor(before, before.len().saturating_sub(MAX_CONTEXT))..];
        skills_text::work::count(before.len());
        before.matches('"').count() % 2 == 1 || before.rfind('\u{201c}') > before.rfind('\u{201d}')
    }

    pub(super) fn is_of_project(&mut self) -> bool {
        let (text, start, end) = (self.text, self.start, self.end);
        *self.is_of_project.get_or_insert_with(|| {
            skills_text::work::count(end - start);
            is_of_project(sentence(text, start, end))
        })
    }

    /// Returns `true` if the lines above announce files to create, or examples. Sentences count only outside of code.
    pub(super) fn is_made(&mut self, is_code: bool) -> bool {
        let (text, start) = (self.text, self.start);
        let (list, sentence) = *self.is_made.get_or_insert_with(|| {
            let lead = lead_of_list(text, start).unwrap_or_default();
            (proposes_list(lead) || lists_examples(lead), is_proposed_above(text, start))
        });
        list || (sentence && !is_code)
    }

    /// Returns the numbers of the skills that this line and the line above name, the last one first.
    pub(super) fn named<'f, F: Iterator<Item = usize> + 'f>(
        &mut self,
        find: impl Fn(&'t str) -> F,
    ) -> impl Iterator<Item = usize> {
        let (text, start, end) = (self.text, self.start, self.end);
        let named = self.named.get_or_insert_with(|| {
            let above = text[..start].trim_end_matches('\n');
            let above = above.rfind('\n').map_or(0, |feed| feed + 1)..above.len();
            skills_text::work::count(above.len() + end - start);
            let mut found = Vec::new();
            for line in [above, start..end] {
                let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
                let words = text[line].split(is_end).filter(|word| !word.is_empty());
                words.for_each(|word| found.extend(find(word)));
            }
            found
        });
        named.iter().rev().copied()
    }
}
