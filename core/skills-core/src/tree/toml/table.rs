//! Decides which tables a header or a dotted key may create, extend or fill (TOML 1.1, "Table").

use std::ops::Range;

use skills_text::Places;
use toml_parser::ParseError;

use crate::tree::ScalarType;

/// The contents of a text, as far as they could be read.
pub(super) struct TomlDocument {
    tables: Vec<Table>,
    pub(super) faults: Vec<TomlFault>,
}

pub(super) struct TomlFault {
    pub(super) range: Range<usize>,
    pub(super) wrong: Wrong,
}

pub(super) enum Wrong {
    /// A key or a table is defined twice; the first one may be known.
    Twice(Option<Range<usize>>),
    /// A key of a path has a value that is not a table.
    NoTable(Option<Range<usize>>),
    Depth,
    /// An `=` without a value.
    NoValue,
    /// A number or a date is not valid.
    Value,
    /// A fault that the parser found.
    Syntax(ParseError),
}

impl From<ParseError> for TomlFault {
    fn from(error: ParseError) -> Self {
        let span = error.unexpected().or(error.context()).unwrap_or_default();
        Self { range: span.start()..span.end(), wrong: Wrong::Syntax(error) }
    }
}

/// A table, by its number.
pub(super) type Id = usize;

pub(super) const ROOT: Id = 0;

/// The keys of a table with their values, and the way in which the table was created.
#[derive(Default)]
struct Table {
    entries: Vec<TableEntry>,
    places: Places,
    /// Created only as the parent of other headers or dotted keys.
    implicit: bool,
    dotted: bool,
    inline: bool,
}

pub(super) struct TableEntry {
    pub(super) key: TomlKey,
    pub(super) value: TomlValue,
}

#[derive(Clone)]
pub(super) struct TomlKey {
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

pub(super) struct TomlValue {
    pub(super) range: Range<usize>,
    pub(super) what: What,
}

pub(super) enum What {
    /// A scalar, with its text if that differs from the source.
    Scalar(ScalarType, Option<String>),
    /// A list in brackets.
    List(Vec<TomlValue>),
    /// A list created by headers.
    Tables(Vec<(Range<usize>, Id)>),
    Table(Id),
}

impl Default for TomlDocument {
    fn default() -> Self {
        Self { tables: vec![Table::default()], faults: Vec::new() }
    }
}

impl TomlDocument {
    pub(super) fn entries(&self, table: Id) -> &[TableEntry] {
        &self.tables[table].entries
    }

    /// Adds a table that does not belong to a key yet. `inline` says whether it is written in braces.
    pub(super) fn add_loose(&mut self, inline: bool) -> Id {
        self.add(Table { inline, ..Table::default() })
    }

    fn add(&mut self, table: Table) -> Id {
        self.tables.push(table);
        self.tables.len() - 1
    }

    fn find(&mut self, table: Id, name: &str) -> Option<&mut TableEntry> {
        let table = &mut self.tables[table];
        let at = table.places.get(name)?;
        table.entries.get_mut(at)
    }

    fn insert(&mut self, table: Id, key: TomlKey, value: TomlValue) {
        let table = &mut self.tables[table];
        table.places.insert(key.name.clone(), table.entries.len());
        table.entries.push(TableEntry { key, value });
    }

    /// Reports a key that conflicts with an earlier key, if that is known.
    fn refuse(
        &mut self,
        wrong: fn(Option<Range<usize>>) -> Wrong,
        key: &TomlKey,
        first: Option<Range<usize>>,
    ) {
        self.faults.push(TomlFault { range: key.span.clone(), wrong: wrong(first) });
    }

    /// Adds a value with a key, dotted or not, to a table; `inline` says whether the key is in braces.
    pub(super) fn insert_at(
        &mut self,
        (table, inline): (Id, bool),
        path: &[TomlKey],
        key: TomlKey,
        value: TomlValue,
    ) {
        let Some(parent) = self.descend((table, inline), path, !path.is_empty()) else { return };
        let first = self.find(parent, &key.name).map(|entry| entry.key.span.clone());
        // A dotted key cannot extend a table that a header opened.
        let is_closed = !path.is_empty() && !self.tables[parent].implicit;
        match first {
            None if !is_closed => self.insert(parent, key, value),
            first => self.refuse(Wrong::Twice, &key, first.filter(|_| !is_closed)),
        }
    }

    /// Follows the keys of a header or a dotted key to a table, and creates missing ones.
    fn descend(&mut self, (mut table, inline): (Id, bool), path: &[TomlKey], dotted: bool) -> Option<Id> {
        for key in path {
            let known = self.find(table, &key.name).map(|entry| (entry.key.span.clone(), &entry.value.what));
            table = match known {
                None => {
                    let id = self.add(Table { implicit: true, dotted, inline, ..Table::default() });
                    let value = TomlValue { range: key.span.clone(), what: What::Table(id) };
                    self.insert(table, key.clone(), value);
                    id
                }
                Some((_, What::Tables(tables))) => tables.last()?.1,
                Some((first, What::Table(id))) => {
                    let id = *id;
                    let inside = &mut self.tables[id];
                    // Tables in braces are complete.
                    if inside.inline && !inline {
                        self.refuse(Wrong::NoTable, key, Some(first));
                        return None;
                    }
                    if dotted && !inside.implicit {
                        self.refuse(Wrong::Twice, key, Some(first));
                        return None;
                    }
                    inside.dotted |= dotted;
                    id
                }
                Some((first, What::List(_) | What::Scalar(..))) => {
                    self.refuse(Wrong::NoTable, key, Some(first));
                    return None;
                }
            };
        }
        Some(table)
    }

    /// Opens the table of a header `[path.key]`.
    pub(super) fn header(&mut self, path: &[TomlKey], key: TomlKey, range: Range<usize>) -> Option<Id> {
        let parent = self.descend((ROOT, false), path, false)?;
        let known = self.find(parent, &key.name).map(|entry| (entry.key.span.clone(), &entry.value.what));
        let (first, id) = match known {
            Some((first, What::Table(id))) => (Some(first), Some(*id)),
            known => (known.map(|(first, _)| first), None),
        };
        let id = id.unwrap_or_else(|| self.add(Table::default()));
        let is_new = self.tables[id].implicit && !self.tables[id].dotted;
        if first.is_some() && !is_new {
            self.refuse(Wrong::Twice, &key, first);
        }
        (self.tables[id].implicit, self.tables[id].dotted) = (false, false);
        let value = TomlValue { range, what: What::Table(id) };
        match self.find(parent, &key.name) {
            Some(entry) => *entry = TableEntry { key, value },
            None => self.insert(parent, key, value),
        }
        Some(id)
    }

    /// Opens the table of a header `[[path.key]]`.
    pub(super) fn item(&mut self, path: &[TomlKey], key: TomlKey, range: Range<usize>) -> Option<Id> {
        let parent = self.descend((ROOT, false), path, false)?;
        let id = self.add(Table::default());
        match self.find(parent, &key.name).map(|entry| (entry.key.span.clone(), &mut entry.value.what)) {
            Some((_, What::Tables(tables))) => tables.push((range, id)),
            Some((first, _)) => self.refuse(Wrong::Twice, &key, Some(first)),
            None => {
                let what = What::Tables(vec![(range.clone(), id)]);
                self.insert(parent, key, TomlValue { range, what });
            }
        }
        Some(id)
    }
}
