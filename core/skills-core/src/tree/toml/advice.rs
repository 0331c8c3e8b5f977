//! Converts faults of TOML to diagnostics, one for each line.

use std::ops::Range;

use skills_text::sort;
use toml_parser::{Expected, ParseError};

use super::Tree;
use super::habit;
use super::reader::{TomlFault, Wrong};
use crate::rule::frontmatter as rule;
use crate::tree::text::quote;
use crate::{Change, Diagnostic, Fix, Report};

/// Reports the first fault of each line; the others are usually its consequences.
pub(super) fn report(tree: &Tree<'_>, mut faults: Vec<TomlFault>, report: &mut Report) {
    sort(&mut faults, &|a, b| a.range.start.cmp(&b.range.start));
    let (mut covered, last) = (0, tree.text.trim_end().len());
    for fault in faults {
        // A fault at the end of the text belongs to its last line.
        let at = fault.range.start.min(last);
        if at < covered {
            continue;
        }
        let line = line_of(tree.text, at);
        let place = AdvicePlace { tree, range: fault.range.clone(), line: line.clone() };
        let (diagnostic, end) = place.describe(&fault.wrong);
        report.push(diagnostic);
        covered = line.end.max(end) + 1;
    }
}

pub(super) struct AdvicePlace<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) range: Range<usize>,
    pub(super) line: Range<usize>,
}

impl<'a> AdvicePlace<'a> {
    pub(super) fn text(&self, range: Range<usize>) -> &'a str {
        self.tree.text.get(range).unwrap_or_default()
    }

    pub(super) fn syntax(&self, range: Range<usize>, title: &str, label: &str, help: String) -> Diagnostic {
        rule::TOML_SYNTAX.report_at(self.tree.span(range), title).label(label).help(help)
    }

    /// Creates a diagnostic that replaces a range of the line.
    pub(super) fn instead(&self, range: Range<usize>, title: &str, typed: &str) -> Diagnostic {
        // A long line may have very many faults.
        let fixed = match self.line.len() > 400 {
            true => typed.to_owned(),
            false => {
                let (before, behind) =
                    (self.text(self.line.start..range.start), self.text(range.end..self.line.end));
                format!("{before}{typed}{behind}")
            }
        };
        self.syntax(range.clone(), title, &format!("expected `{typed}`"), format!("write `{}`", fixed.trim()))
            .fix(Change::replace(self.tree.span(range), typed).unsafe_fix())
    }

    /// Creates a diagnostic that deletes a range.
    pub(super) fn unwanted(&self, range: Range<usize>, title: &str) -> Diagnostic {
        let fix = Change::delete(self.tree.span(range.clone())).unsafe_fix();
        let help = format!("delete it: {}", self.text(range.clone()).escape_debug());
        self.syntax(range, title, "unexpected text", help).fix(fix)
    }

    /// Describes a fault. Returns the end of the text whose later faults are its consequences.
    fn describe(&self, wrong: &Wrong) -> (Diagnostic, usize) {
        let range = self.range.clone();
        let found = match wrong {
            Wrong::Twice(first) => self.duplicate(first.as_ref(), true),
            Wrong::NoTable(first) => self.duplicate(first.as_ref(), false),
            Wrong::Depth => {
                let help = "move part of this key one level up: at most 64 levels are allowed";
                self.syntax(range, "tables and lists are nested too deeply", "level 65", help.to_owned())
            }
            Wrong::NoValue | Wrong::Value | Wrong::Syntax(_) => {
                if let Some(found) = habit::of_line(self) {
                    return found;
                }
                match wrong {
                    Wrong::Syntax(error) => self.generic(error),
                    Wrong::NoValue => {
                        let help = "write a value after `=`: a quoted text, a number, `true` or `false`";
                        self.syntax(range, "no value after `=`", "expected a value", help.to_owned())
                    }
                    _ => {
                        let line = self.text(self.line.clone()).trim();
                        let help = format!("correct this line or delete it: {line}");
                        self.syntax(range, "invalid number, date or time", "invalid value", help)
                    }
                }
            }
        };
        (found, self.range.end)
    }

    /// Describes a fault with the words of the parser.
    fn generic(&self, error: &ParseError) -> Diagnostic {
        let (range, title) = (self.range.clone(), error.description());
        let found = self.text(range.clone());
        if title == "string values must be quoted" {
            let whole = self.text(self.line.clone()).trim();
            let help = match whole.split_once('=') {
                Some((key, value)) if value.trim() == found => {
                    format!("quote it: {} = {}", key.trim(), quote(found))
                }
                _ => format!("quote it: {}", quote(found)),
            };
            let fix = Change::replace(self.tree.span(range.clone()), quote(found)).unsafe_fix();
            return self.syntax(range, title, "text without quotes", help).fix(fix);
        }
        if title.contains("escaped value") || title.contains("unicode value") {
            let help = "write a backslash as `\\\\`, or use single quotes";
            let title = "invalid escape sequence";
            return self.syntax(range, title, "expected an escape sequence", help.to_owned());
        }
        // A letter after a closing quote shows that the quote was probably meant as text.
        let (before, behind) = self.tree.text.split_at_checked(self.range.start).unwrap_or_default();
        let is_in_text = before.ends_with(['"', '\'']) && behind.starts_with(char::is_alphanumeric);
        match error.expected().unwrap_or_default() {
            [Expected::Literal("\n"), Expected::Literal(_)] => {
                let help = "add a line break here, or a comma in a list";
                self.syntax(range, title, "expected a line break", help.to_owned())
            }
            [Expected::Literal(",")] if is_in_text => {
                let help = "write the text in double quotes, and `\\\"` for each quote inside it";
                let (title, label) =
                    ("a quote ends the string before it", "an earlier quote ends the string");
                self.syntax(range, title, label, help.to_owned())
            }
            [Expected::Literal(sign)] if found.is_empty() && *sign != "\n" => {
                self.syntax(range, title, &format!("expected `{sign}`"), format!("add `{sign}` here"))
            }
            [Expected::Literal(word)] if *word != "\n" => self.instead(range, title, word),
            [Expected::Description(what), ..] if found.is_empty() => {
                self.syntax(range, title, &format!("expected a {what}"), format!("add a {what} here"))
            }
            _ if found.is_empty() => {
                let help = format!("correct this line or delete it: {}", self.text(self.line.clone()).trim());
                self.syntax(range, title, "invalid here", help)
            }
            _ => self.unwanted(range, title),
        }
    }

    fn duplicate(&self, first: Option<&Range<usize>>, is_twice: bool) -> Diagnostic {
        let span = self.tree.span(self.range.clone());
        let name = self.text(self.range.clone()).trim_matches(['"', '\'']);
        let (title, label) = match is_twice {
            true => (format!("the key `{name}` is given twice"), "given again here"),
            false => (format!("`{name}` is given as a value and as a table"), "used as a table here"),
        };
        let diagnostic = rule::TOML_DUPLICATE_KEY
            .report_at(span, title)
            .label(label)
            .help(format!("delete one of the two `{name}`"));
        match first.map(|first| self.tree.span(first.clone())) {
            Some(first) => diagnostic
                .fix(is_twice.then(|| Change::DeleteLines(span).unsafe_fix().repeats(first)))
                .related(first, "first given here"),
            None => diagnostic,
        }
    }

    /// Creates a fix that replaces the first and the last byte of a range.
    pub(super) fn ends(&self, range: &Range<usize>, typed: &str) -> Fix {
        let (first, last) = (range.start..range.start + 1, range.end - 1..range.end);
        Fix::from_changes([first, last].map(|end| Change::replace(self.tree.span(end), typed)).to_vec())
    }
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end);
    start..end
}
