//! What is made of the events, and what is refused, against the `toml` crate, which makes tables of the same events.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::document::{self, Document, Id, ROOT, Value, What, range};
use super::reader::read;
use crate::tree::Kind;

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(count).unwrap_or(1)).unwrap_or(0)
    }

    fn text(&mut self, parts: &[&str], most: usize) -> String {
        (0..=self.below(most)).map(|_| parts[self.below(parts.len())]).collect()
    }
}

/// Lines that open, extend and fill the same few tables.
const LINES: &[&str] = &[
    "a = 1\n",
    "a.b = 1\n",
    "a.b.c = 1\n",
    "b = {}\n",
    "b = {c = 1}\n",
    "b.d = 1\n",
    "a = {b.c = 1, b.d = 2}\n",
    "[a]\n",
    "[b]\n",
    "[a.b]\n",
    "[a.b.c]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[[b]]\n",
    "[b.a]\n",
    "c = [1]\n",
    "[[c]]\n",
    "[c]\n",
    "c.x = 1\n",
    "x = 1\n",
    "y.z = 1\n",
    "y = 1\n",
    "b = [{a = {c = 2}, a.d = 1}]\n",
    "[y]\n",
    "q = { w = 1, w = 2, e.r = 1, e = 2}\n",
];

/// Pieces of texts, sound or not.
const PIECES: &[&str] = &[
    "a",
    "b",
    "a.b.c",
    "\"d e\"",
    "'f'",
    " = ",
    "=",
    "1",
    "-1",
    "1_0",
    "0x1f",
    "1.5",
    "true",
    "\"x\\n\"",
    "'y'",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\n",
    "\n",
    "\r\n",
    "[a]\n",
    "[[a.b]]\n",
    "# c\n",
    " ",
    ".",
    "'''\nq'''",
    "\"\"\"q\\\n  z\"\"\"",
    "1979-05-27T07:32:00Z",
    "1979-13-27",
    "07:32",
    "é",
    "\"",
    "'",
    "\t",
    "a = 1\n",
    "b = {a = 1}\n",
    "c = [{a = 1}]\n",
    "[1,\n2,]",
    "{x=1,}",
    "x",
    "[a",
    "]]",
    "\\",
];

// SPEC 2.2, 2.3: TOML means what it means to the `toml` crate, at the same places, and the same of it is refused.
#[test]
fn tables_are_those_of_the_toml_crate() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut sound, mut spoiled) = (0, 0);
    for at in 0..20_000 {
        let text = if at % 2 == 0 { random.text(PIECES, 12) } else { random.text(LINES, 6) };
        let document = read(&text);
        let (table, errors) = DeTable::parse_recoverable(&text);
        assert_eq!(table_of(&document, ROOT), table_of_oracle(table.get_ref()), "{text:?}");
        let ours = document
            .errors
            .iter()
            .map(|error| (title(error.description()), error.unexpected().map_or(0..0, range)));
        let theirs = errors.iter().map(|error| (title(error.message()), error.span().unwrap_or(0..0)));
        assert_eq!(settled(ours), settled(theirs), "{text:?}");
        *if errors.is_empty() { &mut sound } else { &mut spoiled } += 1;
    }
    assert!(sound > 2_000 && spoiled > 2_000, "{sound} sound, {spoiled} spoiled");
}

/// What kind of fault it is: the crate says of which type a value is that is no table, and what it expected.
fn title(message: &str) -> String {
    let title = message.split(", expected ").next().unwrap_or_default();
    if title.starts_with("cannot extend") { "cannot extend".to_owned() } else { title.to_owned() }
}

/// Faults in one order; the crate tells some of them twice.
fn settled(faults: impl Iterator<Item = (String, Range<usize>)>) -> Vec<(usize, usize, String)> {
    let mut faults: Vec<_> = faults.map(|(title, range)| (range.start, range.end, title)).collect();
    faults.sort();
    faults.dedup();
    faults
}

fn listed(mut entries: Vec<(usize, String)>) -> String {
    entries.sort();
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn table_of(document: &Document, table: Id) -> String {
    let entries = document.entries(table).iter().map(|document::TableEntry { key, value }| {
        let range = range(key.span);
        (range.start, format!("{:?} {range:?} {};", key.name, value_of(document, value)))
    });
    format!("{{{}}}", listed(entries.collect()))
}

fn value_of(document: &Document, value: &Value) -> String {
    let what = match &value.what {
        What::Scalar(Kind::Number, _) => "number".to_owned(),
        What::Scalar(Kind::Date, _) => "date".to_owned(),
        What::Scalar(kind, text) => format!("{kind:?} {:?}", text.as_deref().unwrap_or_default()),
        What::List(items) => items.iter().map(|item| value_of(document, item) + ",").collect(),
        What::Tables(tables) => {
            tables.iter().map(|(range, id)| format!("{} {range:?},", table_of(document, *id))).collect()
        }
        What::Table(id) => table_of(document, *id),
    };
    format!("{what} {:?}", value.range)
}

fn table_of_oracle(table: &DeTable<'_>) -> String {
    let entries = table.iter().map(|(key, value)| {
        (key.span().start, format!("{:?} {:?} {};", key.get_ref(), key.span(), value_of_oracle(value)))
    });
    format!("{{{}}}", listed(entries.collect()))
}

fn value_of_oracle(value: &Spanned<DeValue<'_>>) -> String {
    let what = match value.get_ref() {
        DeValue::String(text) => format!("{:?} {text:?}", Kind::String),
        DeValue::Integer(_) | DeValue::Float(_) => "number".to_owned(),
        DeValue::Boolean(yes) => format!("{:?} {:?}", Kind::Bool, yes.to_string()),
        DeValue::Datetime(_) => "date".to_owned(),
        DeValue::Array(items) => items.iter().map(|item| value_of_oracle(item) + ",").collect(),
        DeValue::Table(table) => table_of_oracle(table),
    };
    format!("{what} {:?}", value.span())
}
