//! Splits text into parts: literal text, expressions, and the blocks of prompts.

use skills_text::{nearest, raw_end};

use super::{Parser, Stop, token::Token};
use crate::{LintKind, MAX_ERRORS, TemplateProblem, TemplateSpan, expr::Kind, tree::Id};

/// A block whose end was not found yet.
struct OpenBlock {
    /// `if` or `each`.
    name: &'static str,
    /// The tag that opens it.
    open: TemplateSpan,
    path: Id,
    /// The parts before `{{else}}`, once it was found.
    then: Option<Id>,
    parts: Vec<TextPart>,
}

/// A part of a text. An expression has the span from its `{{` to its `}}`.
pub(super) enum TextPart {
    Text(Id),
    Expression { node: Id, start: usize, end: usize },
    Block(Id),
}

/// The state of splitting a text.
#[derive(Default)]
struct Cutter {
    /// Text with its escapes undone, and its start and end.
    pending: String,
    start: usize,
    end: usize,
    frames: Vec<OpenBlock>,
    parts: Vec<TextPart>,
    /// The number of `{{{{` without their `}}}}`.
    escapes: usize,
    /// Unknown blocks whose end was not found yet, with the similar known block.
    unknown: Vec<(String, Option<&'static str>)>,
}

impl Cutter {
    fn add(&mut self, text: &str, start: usize, end: usize) {
        if self.pending.is_empty() {
            self.start = start;
        }
        self.pending.push_str(text);
        self.end = end;
    }

    fn parts(&mut self) -> &mut Vec<TextPart> {
        match self.frames.last_mut() {
            Some(frame) => &mut frame.parts,
            None => &mut self.parts,
        }
    }
}

impl Parser<'_, '_> {
    pub(super) fn template(&mut self) -> Id {
        let text = self.lexer.text;
        let mut cutter = Cutter::default();
        let mut at = 0;
        // Text without templates stays unchanged, including `}}}}`.
        if !text.contains("{{") {
            cutter.add(text, 0, text.len());
            at = text.len();
        }
        while let Some(length) = self.lexer.rest(at).find(['{', '}']) {
            if self.out.errors.len() >= MAX_ERRORS {
                break;
            }
            let rest = self.lexer.rest(at + length);
            cutter.add(self.lexer.text.get(at..at + length).unwrap_or(""), at, at + length);
            at += length;
            at = if rest.starts_with("{{{{") {
                cutter.escapes += 1;
                cutter.add("{{", at, at + 4);
                at + 4
            } else if rest.starts_with("}}}}") {
                if cutter.escapes == 0 {
                    self.lint(LintKind::LoneEscape, at, at + 4, "}}".repeat(4));
                }
                cutter.escapes = cutter.escapes.saturating_sub(1);
                cutter.add("}}", at, at + 4);
                at + 4
            } else if rest.starts_with("{{") {
                self.tag(&mut cutter, at)
            } else {
                cutter.add(&rest[..1], at, at + 1);
                at + 1
            };
        }
        cutter.add(self.lexer.rest(at), at, text.len());
        self.flush(&mut cutter);
        while let Some(frame) = cutter.frames.pop() {
            self.error(frame.open, TemplateProblem::UnclosedBlock { name: frame.name });
            let end = self.span(text.len(), text.len()).start;
            self.finish_block(&mut cutter, frame, end, end);
        }
        self.join(cutter.parts, self.span(0, text.len()))
    }

    pub(super) fn prompt(&mut self) -> Id {
        self.blocks = true;
        self.template()
    }

    /// Parses the tag or expression at a `{{`, and returns the position after it.
    fn tag(&mut self, cutter: &mut Cutter, open: usize) -> usize {
        let errors = self.out.errors.len();
        self.open = Some(self.span(open, open + 2));
        let inside = self.lexer.skip_blanks(open + 2);
        let rest = self.lexer.rest(inside);
        let is_else = rest.strip_prefix("else").is_some_and(|rest| rest.trim_start().starts_with("}}"));
        let done = if rest.starts_with(['#', '/']) || (self.blocks && is_else) {
            self.block_tag(cutter, open, inside)
        } else {
            self.lexer.seek(open + 2);
            self.expression_tag(cutter, open)
        };
        let behind = match done {
            Ok(behind) => behind,
            Err(Stop) => self.resume(open),
        };
        let tag = self.lexer.text.get(open..behind).unwrap_or("");
        let tag = if tag.ends_with("}}") { tag } else { "{{" };
        for error in self.out.errors.iter_mut().skip(errors) {
            let span = TemplateSpan::new(open, open + tag.len()).shift(self.base);
            error.escaped = Some((span, escape(tag)));
        }
        behind
    }

    /// Finds the position at which parsing continues after an error: after the next `}}`, or at the next `{{`
    /// if that comes first.
    fn resume(&self, open: usize) -> usize {
        let from = self.lexer.start.max(open + 2);
        let rest = self.lexer.rest(from);
        match (rest.find("}}"), rest.find("{{")) {
            (Some(close), Some(next)) if next < close => from + next,
            (Some(close), _) => from + close + 2,
            (None, Some(next)) => from + next,
            (None, None) => self.lexer.text.len(),
        }
    }

    fn expression_tag(&mut self, cutter: &mut Cutter, open: usize) -> Result<usize, Stop> {
        self.flush(cutter);
        let result = self.expression();
        self.take_faults();
        let node = result?;
        let end = self.close()?;
        cutter.parts().push(TextPart::Expression { node, start: open, end });
        self.fallback_outside(cutter.parts());
        Ok(end)
    }

    /// Expects `}}` and returns the position after it.
    fn close(&mut self) -> Result<usize, Stop> {
        if self.lexer.is("}}") {
            return Ok(self.lexer.end);
        }
        self.unexpected_behind("`}}`").map(|_| self.lexer.end)
    }

    /// Creates a node from the collected text.
    fn flush(&mut self, cutter: &mut Cutter) {
        if cutter.pending.is_empty() {
            return;
        }
        let node = self.out.tree.leaf(Kind::Text, &cutter.pending, self.span(cutter.start, cutter.end));
        cutter.pending.clear();
        cutter.parts().push(TextPart::Text(node));
    }

    /// Joins parts into one node.
    fn join(&mut self, parts: Vec<TextPart>, whole: TemplateSpan) -> Id {
        let ids: Vec<Id> = parts
            .into_iter()
            .map(|part| match part {
                TextPart::Text(node) | TextPart::Block(node) | TextPart::Expression { node, .. } => node,
            })
            .collect();
        match ids[..] {
            [] => self.out.tree.leaf(Kind::Text, "", whole),
            [only] => only,
            _ => self.out.tree.parent(Kind::Concat, 0, &ids, whole),
        }
    }

    /// Parses `{{#…}}`, `{{/…}}` or `{{else}}`. `inside` is the position of the `#`, the `/` or the word.
    fn block_tag(&mut self, cutter: &mut Cutter, open: usize, inside: usize) -> Result<usize, Stop> {
        let mark = self.lexer.rest(inside).chars().next();
        let is_else = !matches!(mark, Some('#' | '/'));
        self.lexer.seek(if is_else { inside } else { inside + 1 });
        if !self.blocks {
            return self
                .fail(self.span(inside, self.lexer.end), TemplateProblem::BlockOutsidePrompt)
                .map(|_| open);
        }
        if self.lexer.token != Token::Word {
            return self.unexpected("the name of a block", None).map(|_| open);
        }
        let name = self.lexer.spelling();
        let name_span = self.span(inside, self.lexer.end);
        // Text in a raw block is joined with the surrounding text into one node.
        if name != "raw" {
            self.flush(cutter);
        }
        self.step()?;
        match (mark, name) {
            (Some('#'), "if") => self.begin(cutter, open, "if"),
            (Some('#'), "each") => self.begin(cutter, open, "each"),
            (Some('#'), "raw") => self.raw(cutter, open),
            (Some('#'), _) => {
                let nearest = nearest(name, ["if", "each", "raw"]);
                cutter.unknown.push((name.to_owned(), nearest));
                let problem = TemplateProblem::UnknownBlock { name: name.to_owned(), nearest };
                self.fail(name_span, problem).map(|_| open)
            }
            (Some('/'), _) => self.end(cutter, open, name, name_span),
            _ => self.otherwise(cutter, open, name_span),
        }
    }

    /// Begins a block, even if its path is wrong, so that its end does not cause a second error.
    fn begin(&mut self, cutter: &mut Cutter, open: usize, name: &'static str) -> Result<usize, Stop> {
        let path = self.block_path();
        let behind = path.and_then(|path| Ok((path, self.close()?)));
        let (path, end) = match behind {
            Ok(done) => done,
            Err(Stop) => (self.placeholder(), open + 2),
        };
        let span = self.span(open, end);
        cutter.frames.push(OpenBlock { name, open: span, path, then: None, parts: Vec::new() });
        behind.map(|_| end)
    }

    fn block_path(&mut self) -> Result<Id, Stop> {
        if self.lexer.token != Token::Word {
            return self.unexpected("a path", None);
        }
        let path = self.keys(Kind::Path)?;
        if !self.lexer.is("}}") && self.lexer.token != Token::End {
            let advice = "a block takes only a path: compute the condition in the input";
            return self.unexpected("`}}`", Some(advice));
        }
        Ok(path)
    }

    fn otherwise(&mut self, cutter: &mut Cutter, open: usize, name: TemplateSpan) -> Result<usize, Stop> {
        let behind = self.close()?;
        match cutter.frames.pop() {
            Some(mut frame) if frame.name == "if" && frame.then.is_none() => {
                let parts = std::mem::take(&mut frame.parts);
                let span = TemplateSpan { start: frame.open.end, end: self.span(open, open).start };
                let then = self.join(parts, span);
                cutter.frames.push(OpenBlock { then: Some(then), ..frame });
                Ok(behind)
            }
            other => {
                cutter.frames.extend(other);
                self.error(name, TemplateProblem::StrayElse);
                Ok(behind)
            }
        }
    }

    fn end(
        &mut self,
        cutter: &mut Cutter,
        open: usize,
        name: &str,
        name_span: TemplateSpan,
    ) -> Result<usize, Stop> {
        let behind = self.close()?;
        let frame = match cutter.frames.pop() {
            Some(frame) if frame.name == name => frame,
            other if ends_unknown(&mut cutter.unknown, name) => {
                cutter.frames.extend(other);
                return Ok(behind);
            }
            other => {
                let innermost = other.as_ref().map(|frame| frame.name);
                cutter.frames.extend(other);
                self.error(name_span, TemplateProblem::StrayEnd { name: name.to_owned(), open: innermost });
                // Closes the intended block, so that one mistake causes only one error.
                if let Some(meant) = cutter.frames.iter().rposition(|frame| frame.name == name) {
                    cutter.frames.truncate(meant);
                }
                return Ok(behind);
            }
        };
        let (inner, outer) = (self.span(open, open).start, self.span(behind, behind).start);
        self.finish_block(cutter, frame, inner, outer);
        Ok(behind)
    }

    /// Adds a block whose content ends at `inner`, and which ends itself at `outer`.
    fn finish_block(&mut self, cutter: &mut Cutter, frame: OpenBlock, inner: u32, outer: u32) {
        let start = frame.then.map_or(frame.open.end, |then| self.out.tree.span(then).end);
        let last = self.join(frame.parts, TemplateSpan { start, end: inner });
        let span = TemplateSpan { start: frame.open.start, end: outer };
        let kind = if frame.name == "if" { Kind::If } else { Kind::Each };
        let children: Vec<Id> = [Some(frame.path), frame.then, Some(last)].into_iter().flatten().collect();
        let block = self.out.tree.parent(kind, 0, &children, span);
        cutter.parts().push(TextPart::Block(block));
    }

    fn raw(&mut self, cutter: &mut Cutter, open: usize) -> Result<usize, Stop> {
        let inside = self.close()?;
        let Some((length, end)) = raw_end(self.lexer.rest(inside)) else {
            return self
                .fail(self.span(open, inside), TemplateProblem::UnclosedBlock { name: "raw" })
                .map(|_| open);
        };
        let text = self.lexer.text.get(inside..inside + length).unwrap_or("");
        cutter.add(text, inside, inside + length);
        Ok(inside + end)
    }
}

/// Returns `true` if a name ends the innermost unknown block, and removes that block.
fn ends_unknown(unknown: &mut Vec<(String, Option<&'static str>)>, name: &str) -> bool {
    let ends = unknown.last().is_some_and(|(begun, nearest)| begun == name || *nearest == Some(name));
    if ends {
        unknown.pop();
    }
    ends
}

/// Escapes text so that a prompt or template prints it literally: every `{{` and `}}` is doubled.
///
/// ```
/// assert_eq!(skills_template::escape("a {{b}}"), "a {{{{b}}}}");
/// assert_eq!(skills_template::escape("{\"a\":{\"b\":{}}}"), "{\"a\":{\"b\":{}}}");
/// ```
pub fn escape(text: &str) -> String {
    if text.contains("{{") { escape_always(text) } else { text.to_owned() }
}

/// Escapes text next to expressions, where `}}}}` is an escape even without any `{{`.
pub fn escape_always(text: &str) -> String {
    text.replace("{{", "{{{{").replace("}}", "}}}}")
}
