//! Builds the tables of a document from the events of `toml_parser`.

use std::ops::Range;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, ParseError, Raw, Source, Span};

use super::scalar;
use super::table::{Id, ROOT, TomlDocument, TomlFault, TomlKey, TomlValue, What, Wrong};
use crate::tree::ScalarType;

/// The maximum nesting of tables; the tree is walked recursively.
const DEPTH: usize = 64;

/// Parses a text as far as possible.
pub(super) fn read(text: &str) -> TomlDocument {
    skills_text::work::count(text.len());
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut errors: Vec<ParseError> = Vec::new();
    let mut builder = Builder { text, table: ROOT, ..Builder::default() };
    parse_document(&tokens, &mut ValidateWhitespace::new(&mut builder, source), &mut errors);
    let Builder { mut document, too_deep, .. } = builder;
    document.faults.extend(errors.into_iter().map(TomlFault::from));
    if let Some(at) = too_deep {
        // Later faults are consequences of the nesting, because reading stops there.
        document.faults.retain(|fault| fault.range.start < at);
        document.faults.push(TomlFault { range: at..at + 1, wrong: Wrong::Depth });
    }
    document
}

/// The tables so far, and everything that is still open.
#[derive(Default)]
struct Builder<'t> {
    text: &'t str,
    document: TomlDocument,
    table: Id,
    header: usize,
    /// The keys of the header or the pair that is being read.
    keys: Vec<TomlKey>,
    /// Whether the next key continues a dotted key.
    is_dotted: bool,
    open: Vec<OpenBracket>,
    /// The place where the nesting became too deep.
    too_deep: Option<usize>,
}

struct OpenBracket {
    start: usize,
    /// The keys of the value, unless it is in a list.
    keys: Vec<TomlKey>,
    what: What,
}

impl Builder<'_> {
    fn raw(&self, span: Span, encoding: Option<Encoding>) -> Raw<'_> {
        let text = self.text.get(span.start()..span.end()).unwrap_or_default();
        Raw::new_unchecked(text, encoding, span)
    }

    /// Returns `true` if one more level is allowed; otherwise reading stops.
    fn descend(&mut self, span: Span) -> bool {
        if self.open.len() + self.keys.len() >= DEPTH {
            self.too_deep.get_or_insert(span.start());
        }
        self.too_deep.is_none()
    }

    fn open(&mut self, span: Span, what: What) {
        let keys = std::mem::take(&mut self.keys);
        self.open.push(OpenBracket { start: span.start(), keys, what });
    }

    fn close(&mut self, span: Span) {
        let Some(OpenBracket { start, keys, what }) = self.open.pop() else { return };
        self.keys = keys;
        self.add(TomlValue { range: start..span.end(), what });
    }

    /// Adds a complete value to the list or table that it belongs to.
    fn add(&mut self, value: TomlValue) {
        let mut keys = std::mem::take(&mut self.keys);
        let table = match self.open.last_mut().map(|open| &mut open.what) {
            Some(What::List(items)) => return items.push(value),
            Some(What::Table(table)) => (*table, true),
            _ => (self.table, false),
        };
        // A key without text was reported.
        if let Some(key) = keys.pop().filter(|key| !key.span.is_empty()) {
            self.document.insert_at(table, &keys, key, value);
        }
    }

    fn begin_header(&mut self, span: Span) {
        // The keys below a rejected header are read only to report faults in them.
        self.table = self.document.add_loose(false);
        self.header = span.start();
        self.keys.clear();
    }

    fn end_header(
        &mut self,
        span: Span,
        add: fn(&mut TomlDocument, &[TomlKey], TomlKey, Range<usize>) -> Option<Id>,
    ) {
        let mut path = std::mem::take(&mut self.keys);
        let Some(key) = path.pop().filter(|key| !key.span.is_empty()) else { return };
        let table = add(&mut self.document, &path, key, self.header..span.end());
        self.table = table.unwrap_or(self.table);
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.begin_header(span);
    }

    fn std_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.end_header(span, TomlDocument::header);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.begin_header(span);
    }

    fn array_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.end_header(span, TomlDocument::item);
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.descend(span);
        if is_allowed {
            let table = self.document.add_loose(true);
            self.open(span, What::Table(table));
        }
        is_allowed
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.descend(span);
        if is_allowed {
            self.open(span, What::List(Vec::new()));
        }
        is_allowed
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        if !std::mem::take(&mut self.is_dotted) {
            self.keys.clear();
        }
        if !self.descend(span) {
            return;
        }
        let mut name = String::new();
        self.raw(span, encoding).decode_key(&mut name, error);
        self.keys.push(TomlKey { name, span: span.start()..span.end() });
    }

    fn key_sep(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_dotted = true;
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let range = span.start()..span.end();
        let raw = self.raw(span, encoding);
        let word = raw.as_str();
        let what = match scalar::kind(word).filter(|_| encoding.is_none()) {
            Some(ScalarType::Bool) => What::Scalar(ScalarType::Bool, Some(word.to_owned())),
            Some(kind) => What::Scalar(kind, None),
            None if span.is_empty() => {
                self.document.faults.push(TomlFault { range: range.clone(), wrong: Wrong::NoValue });
                What::Scalar(ScalarType::Null, None)
            }
            None => {
                let (mut text, mut count) = (String::new(), 0);
                let mut counted = |found: ParseError| {
                    count += 1;
                    error.report_error(found);
                };
                let kind = match raw.decode_scalar(&mut text, &mut counted) {
                    ScalarKind::String => ScalarType::String,
                    ScalarKind::Boolean(_) => ScalarType::Bool,
                    ScalarKind::DateTime => ScalarType::Date,
                    ScalarKind::Float | ScalarKind::Integer(_) => ScalarType::Number,
                };
                if encoding.is_none() && count == 0 {
                    self.document.faults.push(TomlFault { range: range.clone(), wrong: Wrong::Value });
                }
                What::Scalar(kind, Some(text))
            }
        };
        self.add(TomlValue { range, what });
    }
}
