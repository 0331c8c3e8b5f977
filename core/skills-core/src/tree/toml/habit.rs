//! Reads common mistakes from other languages and word processors as the intended TOML. Used by the reader.

use super::document::Key;
use super::fault::Wrong;
use super::lex::{self, Quoted};
use super::reader::Reader;
use super::{opens, scalar};
use crate::tree::text::quote;

impl Reader<'_> {
    /// Reads the `=` after a key, or the text written instead of it; a key of several words is extended to
    /// its end.
    pub(super) fn sign(&mut self, level: usize, key: &mut Key) -> Option<()> {
        if level == 0
            && let Some(end) = self.words(key)
        {
            let start = key.span.start;
            let name = self.text[start..self.at + end].trim_end();
            *key = Key { name: name.to_owned(), span: start..start + name.len() };
            let wrong = Wrong::Instead(quote(name));
            self.fault(key.span.clone(), "keys with several words must be quoted", wrong);
            self.at += end;
        }
        let rest = self.rest();
        let sign = rest.strip_prefix('-').unwrap_or(rest).trim_start_matches(['=', '>', ':']);
        let sign = &rest[..rest.len() - sign.len()];
        match sign {
            "=" => {}
            "" | "-" | ":" if level == 0 && key.name == "-" => {
                self.items(key.span.start);
                return None;
            }
            ":" if level == 0 => {
                self.yaml_value();
                return None;
            }
            "" | "-" | ":" => {
                let wrong = if level == 0 { Wrong::NoEquals } else { Wrong::Missing("=") };
                self.fault(self.at..self.at, "key with no value", wrong);
                return None;
            }
            _ => {
                let title = "a key and its value are separated by `=`";
                self.fault(self.at..self.at + sign.len(), title, Wrong::Instead("=".to_owned()));
            }
        }
        self.at += sign.len();
        Some(())
    }

    /// Returns the distance to the next `=` if only further words of a key precede it.
    fn words(&self, key: &Key) -> Option<usize> {
        let line = self.line();
        let end = line.find('=').filter(|end| *end > 0)?;
        let is_open = key.name != "-" && !self.text[key.span.clone()].starts_with(['"', '\'']);
        let has_sign = line.starts_with('-') || line[..end].contains(|c| "\"'[]{}#,:".contains(c));
        (is_open && !has_sign).then_some(end)
    }

    /// Skips the items of a YAML list.
    fn items(&mut self, start: usize) {
        loop {
            self.skip_line();
            let below = self.rest().trim_start();
            if !below.starts_with("- ") {
                break;
            }
            self.at = self.text.len() - below.len();
        }
        self.fault(start..self.at, "a list is written in brackets", Wrong::Items);
    }

    /// Skips the value of a YAML field, and the indented lines of a value below its key.
    fn yaml_value(&mut self) {
        let colon = self.at;
        self.at += 1;
        if self.is_above_items() {
            return;
        }
        self.fault(colon..colon, "key with no value", Wrong::NoEquals);
        self.skip_blanks();
        let is_below = self.line().is_empty() || self.rest().starts_with(['|', '>']);
        self.skip_line();
        while is_below && self.rest().starts_with('\n') && self.rest()[1..].starts_with([' ', '\t']) {
            self.at += 1;
            self.skip_line();
        }
    }

    /// Returns `true` if a YAML list follows on the next lines.
    pub(super) fn is_above_items(&self) -> bool {
        let below = self.rest().trim_start_matches([' ', '\t', '\r']);
        let item = below.trim_start();
        // `-` may also be a key.
        below.starts_with('\n') && item.starts_with("- ") && !opens(item.lines().next().unwrap_or_default())
    }

    /// Reads a string that should end at another place than its quotes say.
    pub(super) fn mended_string(&mut self, quoted: &Quoted) -> Option<String> {
        let (start, end, sign) = (self.at, self.at + quoted.end, quoted.quote);
        if sign.len() > 1 || self.depth > 0 {
            return None;
        }
        if !quoted.is_closed {
            let inside = &self.text[start + 1..end];
            let last = inside.trim_end().chars().next_back().filter(|c| lex::is_quote(*c));
            // Straight quotes at the end may belong to a word.
            if last.is_some_and(|last| !last.is_ascii() || inside.matches(last).count() == 1) {
                self.at = end;
                return Some(self.straighten(start, end));
            }
            let end = self.end_below(end, sign)?;
            let quotes = if sign == "'" { "'''" } else { "\"\"\"" };
            self.at = end;
            self.fault(start..end, "a string over several lines needs three quotes", Wrong::Lines(quotes));
            return Some(scalar::decode(
                &self.text[start + 1..end - 1],
                start + 1,
                quotes,
                &mut self.document.faults,
            ));
        }
        let tail = self.text[end..].lines().next().unwrap_or_default().trim_end();
        let more = tail.trim_start();
        if !more.starts_with(char::is_alphanumeric) || !more.ends_with(sign) || opens(more) {
            return None;
        }
        self.at = end + tail.len();
        let inside = &self.text[start + 1..self.at - 1];
        let typed = match sign {
            "'" => quote(inside),
            _ => format!("\"{}\"", inside.replace("\\\"", "\"").replace('"', "\\\"")),
        };
        let title = match sign {
            "'" => "an apostrophe ends the string in single quotes",
            _ => "a quote ends the string before its last word",
        };
        self.fault(start..self.at, title, Wrong::Instead(typed));
        Some(inside.to_owned())
    }

    /// Finds the quote that ends a string on a later line.
    fn end_below(&self, from: usize, quote: &str) -> Option<usize> {
        let mut at = from;
        for line in self.text[from..].split_inclusive('\n') {
            let text = line.trim_end();
            if opens(line) {
                return None;
            }
            if let Some(found) = line.find(quote) {
                return (found + 1 == text.len()).then_some(at + found + 1);
            }
            at += line.len();
        }
        None
    }

    /// Reads a text in quotes that TOML does not allow as a string.
    pub(super) fn straighten(&mut self, start: usize, end: usize) -> String {
        let text = self.text[start..end].trim().trim_matches(lex::is_quote).to_owned();
        let wrong = Wrong::Instead(quote(&text));
        self.fault(start..end, "TOML allows only the straight quotes `\"` and `'`", wrong);
        text
    }

    /// Returns `true` if a string ended directly before a letter, so that its end was probably part of its
    /// text.
    pub(super) fn is_in_text(&self) -> bool {
        self.text[..self.at].ends_with(['"', '\'']) && self.rest().starts_with(char::is_alphanumeric)
    }
}
