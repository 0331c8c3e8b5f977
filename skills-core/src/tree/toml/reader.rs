//! Events of the TOML grammar fill the tables of a text; the parent calls it.

use std::borrow::Cow;

use toml_datetime::Datetime;
use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, ValidateWhitespace, parse_document};
use toml_parser::{ParseError, Source};

use super::document::{Document, Id, Key, ROOT, Value, What, range};
use crate::tree::Kind;

/// Reads a text, as far as it can be understood; `lex::too_deep` has seen to it that nothing lies too deep.
pub(super) fn read(text: &str) -> Document {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    let mut errors: Vec<ParseError> = Vec::new();
    parse_document(&tokens, &mut ValidateWhitespace::new(&mut events, source), &mut errors);
    let mut reader = Reader { source, events, at: 0, document: Document::new(errors) };
    reader.all();
    reader.document
}

struct Reader<'s> {
    source: Source<'s>,
    events: Vec<Event>,
    at: usize,
    document: Document,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Event> {
        let event = self.events.get(self.at).copied()?;
        self.at += 1;
        Some(event)
    }

    fn is(&self, ahead: usize, kind: EventKind) -> bool {
        self.events.get(self.at + ahead).is_some_and(|event| event.kind() == kind)
    }

    fn skip_blank(&mut self) {
        self.at += usize::from(self.is(0, EventKind::Whitespace));
    }

    fn all(&mut self) {
        let mut table = ROOT;
        while let Some(event) = self.next() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    // The keys below a refused header are read for their faults, and kept nowhere.
                    table = self.header(event).unwrap_or_else(|| self.document.add_lost());
                }
                EventKind::SimpleKey => {
                    let (path, key) = self.key(event);
                    self.skip_blank();
                    if self.next().is_none_or(|event| event.kind() != EventKind::KeyValSep) {
                        return;
                    }
                    self.skip_blank();
                    let value = self.next().and_then(|event| self.value(event));
                    let nothing = || Value { range: 0..0, what: What::Scalar(Kind::Number, None) };
                    self.document.put(table, &path, key, value.unwrap_or_else(nothing));
                }
                _ => {}
            }
        }
    }

    fn header(&mut self, open: Event) -> Option<Id> {
        let mut found = None;
        let mut range = range(open.span());
        while let Some(event) = self.next() {
            match event.kind() {
                EventKind::SimpleKey => found = Some(self.key(event)),
                EventKind::StdTableClose | EventKind::ArrayTableClose => {
                    range.end = event.span().end();
                    break;
                }
                _ => {}
            }
        }
        let (path, key) = found?;
        match open.kind() {
            EventKind::ArrayTableOpen => self.document.item(&path, key, range),
            _ => self.document.header(&path, key, range),
        }
    }

    /// Reads a key, dotted or not: what leads to it, and its last part.
    fn key(&mut self, first: Event) -> (Vec<Key>, Key) {
        let mut path = Vec::new();
        let mut key = self.simple_key(first);
        let goes_on =
            |reader: &Self| reader.is(usize::from(reader.is(0, EventKind::Whitespace)), EventKind::KeySep);
        if goes_on(self) {
            while let Some(event) = self.next() {
                if event.kind() == EventKind::SimpleKey {
                    path.push(std::mem::replace(&mut key, self.simple_key(event)));
                    if !goes_on(self) {
                        break;
                    }
                }
            }
        }
        (path, key)
    }

    fn simple_key(&mut self, event: Event) -> Key {
        let mut name = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut name, &mut self.document.errors);
        }
        Key { name: name.into_owned(), span: event.span() }
    }

    /// Reads the value that an event begins; nothing when it begins none.
    fn value(&mut self, event: Event) -> Option<Value> {
        match event.kind() {
            EventKind::InlineTableOpen => Some(self.inline_table(event)),
            EventKind::ArrayOpen => Some(self.list(event)),
            EventKind::Scalar => self.scalar(event),
            _ => None,
        }
    }

    fn scalar(&mut self, event: Event) -> Option<Value> {
        let mut text = Cow::Borrowed("");
        let errors = &mut self.document.errors;
        let what = match self.source.get(event)?.decode_scalar(&mut text, errors) {
            ScalarKind::String => What::Scalar(Kind::String, Some(text.into_owned())),
            ScalarKind::Boolean(value) => What::Scalar(Kind::Bool, Some(value.to_string())),
            ScalarKind::DateTime => {
                if let Err(error) = text.parse::<Datetime>() {
                    errors.push(ParseError::new(error.to_string()).with_unexpected(event.span()));
                }
                What::Scalar(Kind::Date, None)
            }
            ScalarKind::Float | ScalarKind::Integer(_) => What::Scalar(Kind::Number, None),
        };
        Some(Value { range: range(event.span()), what })
    }

    fn list(&mut self, open: Event) -> Value {
        let mut items = Vec::new();
        let mut last = None;
        let mut range = range(open.span());
        while let Some(event) = self.next() {
            range.end = event.span().end();
            match event.kind() {
                EventKind::InlineTableOpen | EventKind::ArrayOpen | EventKind::Scalar => {
                    last = self.value(event);
                }
                EventKind::ValueSep => items.extend(last.take()),
                EventKind::ArrayClose => {
                    items.extend(last.take());
                    break;
                }
                EventKind::Whitespace | EventKind::Comment | EventKind::Newline | EventKind::Error => {}
                _ => break,
            }
        }
        Value { range, what: What::List(items) }
    }

    fn inline_table(&mut self, open: Event) -> Value {
        let table = self.document.add_inline();
        let (mut key, mut value) = (None, None);
        let mut range = range(open.span());
        while let Some(event) = self.next() {
            range.end = event.span().end();
            match event.kind() {
                EventKind::SimpleKey => key = Some(self.key(event)),
                EventKind::InlineTableOpen | EventKind::ArrayOpen | EventKind::Scalar => {
                    value = self.value(event);
                }
                EventKind::ValueSep | EventKind::InlineTableClose => {
                    if let (Some((path, key)), Some(value)) = (key.take(), value.take()) {
                        self.document.put_inline(table, &path, key, value);
                    }
                    if event.kind() == EventKind::InlineTableClose {
                        break;
                    }
                }
                EventKind::KeyValSep
                | EventKind::Whitespace
                | EventKind::Comment
                | EventKind::Newline
                | EventKind::Error => {}
                _ => break,
            }
        }
        Value { range, what: What::Table(table) }
    }
}
