//! The grammar of TOML 1.1: parses a text into the tables of a document, and records every fault.

use std::ops::Range;

use super::DEPTH;
use super::document::{Document, Id, Key, ROOT, Value, What};
use super::fault::{Fault, Wrong};
use super::lex::{self, Quoted};
use super::scalar;
use crate::tree::Kind;

/// Parses a text as far as possible.
pub(super) fn read(text: &str) -> Document {
    let mut reader = Reader { text, at: 0, depth: 0, document: Document::default() };
    reader.all();
    reader.document
}

/// A text, and the current offset.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The current nesting of brackets and dotted keys.
    pub(super) depth: usize,
    pub(super) document: Document,
}

impl<'t> Reader<'t> {
    fn all(&mut self) {
        let mut table = ROOT;
        while !self.is_at_end() {
            if self.rest().starts_with('[') {
                // The keys below a refused header are read only to report their faults.
                table = self.header().unwrap_or_else(|| self.document.add_lost());
            } else if self.pair(table, Document::put).is_none() {
                self.skip_fault();
            }
            self.depth = 0;
            self.end_line();
        }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_here = self.rest().starts_with(sign);
        self.at += if is_here { sign.len() } else { 0 };
        is_here
    }

    pub(super) fn fault(&mut self, range: Range<usize>, title: &'static str, wrong: Wrong) {
        self.document.faults.push(Fault { range, title, wrong });
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t']).len();
            let start = self.at;
            self.at = self.text.len() - self.rest().trim_start_matches(lex::is_false_blank).len();
            if self.at == start {
                return;
            }
            self.fault(start..self.at, "a character that only looks like a space", Wrong::Blank);
        }
    }

    pub(super) fn line(&self) -> &'t str {
        self.rest().lines().next().unwrap_or_default()
    }

    pub(super) fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Skips spaces, comments and line ends; returns `true` at the end of the text.
    fn is_at_end(&mut self) -> bool {
        loop {
            self.skip_blanks();
            self.comment();
            if !self.eat("\n") && !self.eat("\r\n") {
                return self.at == self.text.len();
            }
        }
    }

    fn comment(&mut self) {
        if self.rest().starts_with('#') {
            let start = self.at;
            self.skip_line();
            let text = &self.text[start..self.at];
            let text = text.strip_suffix('\r').filter(|_| self.rest().starts_with('\n')).unwrap_or(text);
            scalar::refuse_control(text, start, &mut self.document.faults);
        } else if self.rest().starts_with("//") {
            self.fault(self.at..self.at + 2, "a comment begins with `#`", Wrong::Instead("#".to_owned()));
            self.skip_line();
        }
    }

    fn end_line(&mut self) {
        self.skip_blanks();
        self.comment();
        let (start, rest) = (self.at, self.rest());
        let tail = rest.trim_start_matches([',', ';', ' ', '\t']);
        if tail.len() < rest.len() {
            let sign = start..start + rest[..rest.len() - tail.len()].trim_end().len();
            self.at = self.text.len() - tail.len();
            if super::opens(self.line()) {
                self.fault(start..self.at, "two keys on one line", Wrong::Line);
                return self.skip_line();
            }
            self.fault(sign, "unexpected character at the end of a line", Wrong::Unwanted);
            self.comment();
        }
        if !self.rest().is_empty() && !self.rest().starts_with('\n') && !self.rest().starts_with("\r\n") {
            let title = "unexpected key or value";
            let wrong = if self.is_in_text() { Wrong::Inner } else { Wrong::Line };
            self.fault(self.at..self.at, title, wrong);
            self.skip_line();
        }
    }

    /// Skips the text affected by a fault: its line, and in brackets the lines up to the next key or header.
    fn skip_fault(&mut self) {
        self.skip_line();
        while self.depth > 0
            && self.eat("\n")
            && !super::opens(self.rest().lines().next().unwrap_or_default())
        {
            self.skip_line();
        }
    }

    /// Counts levels; if there are too many, reading stops.
    fn descend(&mut self, levels: usize, at: usize) -> Option<()> {
        self.depth += levels;
        if self.depth > DEPTH {
            self.fault(at..at + 1, "tables and lists are nested too deeply", Wrong::Depth);
            (self.at, self.depth) = (self.text.len(), 0);
            return None;
        }
        Some(())
    }

    fn header(&mut self) -> Option<Id> {
        let start = self.at;
        let close = if self.eat("[[") { "]]" } else { "]" };
        self.at = start + close.len();
        let Some((path, key)) = self.key() else {
            self.skip_line();
            return None;
        };
        self.skip_blanks();
        if !self.eat(close) {
            self.fault(self.at..self.at, "unclosed table", Wrong::Missing(close));
            self.skip_line();
            return None;
        }
        let range = start..self.at;
        match close {
            "]]" => self.document.item(&path, key, range),
            _ => self.document.header(&path, key, range),
        }
    }

    /// Reads `key = value` and puts it into a table.
    fn pair(&mut self, table: Id, put: fn(&mut Document, Id, &[Key], Key, Value)) -> Option<()> {
        let level = self.depth;
        let (path, mut key) = self.key()?;
        self.skip_blanks();
        self.sign(level, &mut key)?;
        self.skip_blanks();
        let at = self.at;
        let value = self.value();
        let nothing = || Value { range: at..at, what: What::Scalar(Kind::Null, None) };
        let found = value.is_some();
        put(&mut self.document, table, &path, key, value.unwrap_or_else(nothing));
        found.then(|| self.depth = level)
    }

    /// Reads a key, dotted or not: its path, and its last part.
    fn key(&mut self) -> Option<(Vec<Key>, Key)> {
        let mut path = Vec::new();
        loop {
            self.skip_blanks();
            let key = self.simple_key()?;
            let end = self.at;
            self.skip_blanks();
            let dot = self.at;
            if !self.eat(".") {
                self.at = end;
                return Some((path, key));
            }
            self.descend(1, dot)?;
            path.push(key);
        }
    }

    fn simple_key(&mut self) -> Option<Key> {
        let start = self.at;
        if let Some(quoted) = lex::quoted(self.rest()) {
            let name = self.string(&quoted);
            if quoted.quote.len() > 1 {
                self.fault(start..self.at, "a key must be a string on one line", Wrong::Line);
            }
            return Some(Key { name, span: start..self.at });
        }
        let stops = |c: char| c.is_whitespace() || lex::is_false_blank(c) || "=.[]{},:#\"'".contains(c);
        self.at += self.rest().find(stops).unwrap_or(self.rest().len());
        let (name, span) = (self.text[start..self.at].to_owned(), start..self.at);
        if name.is_empty() {
            self.fault(span, "expected a key", Wrong::Missing("a key"));
            return None;
        }
        if !name.chars().all(super::is_bare) {
            let title = "keys with characters other than letters, digits, `_` and `-` must be quoted";
            self.fault(span.clone(), title, Wrong::Unquoted);
        }
        Some(Key { name, span })
    }

    fn value(&mut self) -> Option<Value> {
        let start = self.at;
        let what = match self.rest().as_bytes().first() {
            Some(b'[') => self.list()?,
            Some(b'{') => self.inline_table()?,
            _ => match lex::quoted(self.rest()) {
                Some(quoted) => {
                    let mended = self.mended_string(&quoted);
                    What::Scalar(Kind::String, Some(mended.unwrap_or_else(|| self.string(&quoted))))
                }
                None => return self.word(),
            },
        };
        Some(Value { range: start..self.at, what })
    }

    /// Reads a string; an unclosed one is kept up to its end.
    fn string(&mut self, quoted: &Quoted) -> String {
        let start = self.at;
        let (open, end) = (start + quoted.quote.len(), start + quoted.end);
        self.at = end;
        if !quoted.is_closed {
            self.fault(end..end, "unclosed string", Wrong::Unclosed(quoted.quote));
        }
        let inside = &self.text[open..end - if quoted.is_closed { quoted.quote.len() } else { 0 }];
        scalar::decode(inside, open, quoted.quote, &mut self.document.faults)
    }

    /// Reads a value without quotes.
    fn word(&mut self) -> Option<Value> {
        let start = self.at;
        if let Some(length) = lex::false_quoted(self.rest(), self.depth == 0) {
            self.at += length;
            let what = What::Scalar(Kind::String, Some(self.straighten(start, self.at)));
            return Some(Value { range: start..self.at, what });
        }
        let stops: &[char] = if self.depth == 0 { &['#', '\n'] } else { &['#', '\n', ',', ']', '}'] };
        let mut word = self.rest().split(stops).next().unwrap_or_default().trim_end();
        if scalar::kind(word).is_none() {
            // Text after a value is reported separately.
            word = word.split(" //").next().unwrap_or_default().trim_end_matches([',', ';', ' ']);
        }
        if self.depth == 0 && word.is_empty() {
            if !self.is_above_items() {
                self.fault(start..start, "no value after `=`", Wrong::NoValue);
            }
            return None;
        }
        if self.depth > 0 && scalar::kind(word).is_none() {
            // In brackets two words are probably two values.
            let first = word.split([' ', '\t']).next().unwrap_or_default();
            word = if scalar::kind(first).is_some() { first } else { word };
            if word.is_empty() {
                let here = self.rest().chars().next().map_or(0, char::len_utf8);
                self.fault(start..start + here, "expected a value", Wrong::Missing("a value"));
                return None;
            }
        }
        self.at += word.len();
        let range = start..self.at;
        let kind = scalar::kind(word).unwrap_or_else(|| {
            let (kind, fault) = scalar::fault(word, start);
            self.document.faults.push(fault);
            kind
        });
        let text = (kind == Kind::String || kind == Kind::Bool).then(|| word.to_owned());
        Some(Value { range, what: What::Scalar(kind, text) })
    }

    fn list(&mut self) -> Option<What> {
        let mut items = Vec::new();
        self.enclosed("]", &mut |reader| {
            items.push(reader.value()?);
            Some(())
        })?;
        Some(What::List(items))
    }

    fn inline_table(&mut self) -> Option<What> {
        let table = self.document.add_inline();
        self.enclosed("}", &mut |reader| reader.pair(table, Document::put_inline))?;
        Some(What::Table(table))
    }

    /// Reads comma-separated items in brackets.
    fn enclosed(&mut self, close: &'static str, item: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let start = self.at;
        self.descend(1, start)?;
        self.at += 1;
        let mut end = self.at;
        loop {
            let is_at_end = self.is_at_end();
            // A comma before the closing bracket is fine.
            if self.eat(close) {
                break;
            }
            if is_at_end || (close == "]" && self.is_at_pair(end)) {
                self.fault(end..end, "unclosed brackets", Wrong::Missing(close));
                self.at = end;
                break;
            }
            item(self)?;
            end = self.at;
            let is_at_end = self.is_at_end();
            if self.eat(",") {
                end = self.at;
            } else if !is_at_end && !self.rest().starts_with(close) {
                match self.is_at_pair(end) {
                    // The list should have ended before.
                    true if close == "]" => {}
                    true => self.fault(end..end, "missing comma", Wrong::Missing(",")),
                    false if self.is_in_text() => {
                        self.fault(self.at..self.at, "a quote ends the string before it", Wrong::Inner);
                    }
                    false => self.fault(self.at..self.at, "missing comma", Wrong::Missing(",")),
                }
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// Returns `true` if a later line begins here with a key and `=`, which cannot be in a list.
    fn is_at_pair(&self, end: usize) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        self.text[end..self.at].contains('\n') && !line.starts_with('[') && super::opens(line)
    }
}
