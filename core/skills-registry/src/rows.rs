//! The rows of the tables. Each kind of row is declared once, by [`row!`], as a list of columns with their names
//! and types. Its struct, its writer and the positions that the handles read follow from this list.
//!
//! The rows are little-endian 32-bit words. The first row is the [`Header`], which has the positions of the
//! sections; a section is an array of rows of one kind, and of nothing else.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::marker::PhantomData;

use skills_text::ToolFormat;

use crate::tables::Tables;

/// The offset of a text, or the piece of a content, that is absent.
pub(crate) const NONE: u32 = u32::MAX;

/// A type that a column can have: the words that a value takes, and how they are written and read.
pub(crate) trait Cell {
    /// The number of words.
    const WIDTH: u32;
    /// The type of the value in a handle.
    type Value<'t>;

    /// Appends the words of a value to a row, and its texts and lists to the tables.
    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge>;

    /// Appends the words of a row that is absent as a whole.
    fn write_absent(row: &mut Vec<u32>) {
        row.extend((0..Self::WIDTH).map(|_| 0));
    }

    /// Reads the value whose words begin at `at`.
    fn read(tables: &Tables, at: u32) -> Self::Value<'_>;
}

/// The position of a column in its row.
pub(crate) struct Column<T> {
    offset: u32,
    cell: PhantomData<fn() -> T>,
}

impl<T: Cell> Column<T> {
    /// Returns the column that begins at `end`, and moves `end` behind it.
    pub(crate) const fn next(end: &mut u32) -> Self {
        let offset = *end;
        *end += T::WIDTH;
        Self { offset, cell: PhantomData }
    }

    /// Returns the position of the value in a row that begins at `row`.
    pub(crate) const fn position(&self, row: u32) -> u32 {
        row.saturating_add(self.offset)
    }
}

/// Returns a hash (FNV-1a) of the columns of a row, each with its name and its width.
pub(crate) const fn hash_columns(mut columns: &[(&str, u32)]) -> u32 {
    let mut hash = hash_numbers(&[]);
    while let [(name, width), rest @ ..] = columns {
        let mut bytes = name.as_bytes();
        while let [byte, left @ ..] = bytes {
            hash = add_to_hash(hash, *byte as u32);
            bytes = left;
        }
        hash = add_to_hash(hash, *width);
        columns = rest;
    }
    hash
}

/// Returns a hash of numbers.
pub(crate) const fn hash_numbers(mut numbers: &[u32]) -> u32 {
    let mut hash = 0x811c_9dc5;
    while let [number, rest @ ..] = numbers {
        hash = add_to_hash(hash, *number);
        numbers = rest;
    }
    hash
}

const fn add_to_hash(hash: u32, number: u32) -> u32 {
    (hash ^ number).wrapping_mul(0x0100_0193)
}

/// Declares a row: `struct Row, ROW: Columns { name: Type, … }`. `ROW` has the [`Column`] of each name. The
/// fields in brackets belong to the struct, and have no column. [`FORMAT`](crate::FORMAT) has the `LAYOUT` of each row.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $vis:vis struct $Row:ident, $ROW:ident: $Columns:ident {
            $([$($(#[$own_attribute:meta])* $own:ident: $own_type:ty,)+])?
            $($(#[$column_attribute:meta])* $column:ident: $type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        $vis struct $Row {
            $($($(#[$own_attribute])* pub $own: $own_type,)+)?
            $($(#[$column_attribute])* pub $column: $type,)+
        }

        pub(crate) struct $Columns {
            $(pub(crate) $column: $crate::rows::Column<$type>,)+
        }

        pub(crate) const $ROW: $Columns = {
            let mut end = 0;
            $Columns { $($column: $crate::rows::Column::next(&mut end),)+ }
        };

        impl $Row {
            /// A number that is another one if the columns, their order or their widths are.
            pub(crate) const LAYOUT: u32 = $crate::rows::hash_columns(&[
                $((stringify!($column), <$type as $crate::rows::Cell>::WIDTH),)+
            ]);
        }

        impl $crate::rows::Cell for $Row {
            const WIDTH: u32 = 0 $(+ <$type as $crate::rows::Cell>::WIDTH)+;
            type Value<'t> = $crate::rows::Row<'t>;

            fn write(
                &self,
                writer: &mut $crate::rows::TableWriter,
                row: &mut Vec<u32>,
            ) -> Result<(), $crate::rows::TooLarge> {
                $(self.$column.write(writer, row)?;)+
                Ok(())
            }

            fn write_absent(row: &mut Vec<u32>) {
                $(<$type as $crate::rows::Cell>::write_absent(row);)+
            }

            fn read(tables: &$crate::Tables, at: u32) -> $crate::rows::Row<'_> {
                $crate::rows::Row::new(tables, at)
            }
        }
    };
}
pub(crate) use row;

row! {
    /// The first row.
    pub(crate) struct Header, HEADER: HeaderColumns {
        /// The format version; see [`FORMAT`](crate::FORMAT).
        format: u32,
        /// The number of skills.
        count: u32,
        /// Whether any skill requires a capability of the host.
        has_capabilities: bool,
        /// The positions of the sections, in words. Names lie apart from the skills, so that a look-up touches
        /// little memory.
        names: u32,
        skills: u32,
        files: u32,
        texts: u32,
        servers: u32,
        search: u32,
        /// The terms of the search index.
        search_terms: TextPlace,
        /// The catalogs that were rendered at build time.
        prompt_skills: TextPlace,
        prompt_agent_skills: TextPlace,
        /// Their budget in tokens.
        budget: u32,
        /// The definitions of all tools that require no capability, for each [`ToolFormat`](crate::ToolFormat).
        tools: ToolPlaces,
        /// The digest of the bundle. Zero if it was not computed.
        digest: [u8; 32],
        /// The version of the program that has the skills, and the command that prints them.
        program_version: TextPlace,
        stub: TextPlace,
    }
}

row! {
    /// The row of a skill, before its [`Facts`](crate::Facts): the places of its other texts, and of its files.
    pub(crate) struct SkillRow, SKILL: SkillColumns {
        location: TextPlace,
        /// Whether the skill is in a directory, and not part of a program.
        is_on_disk: bool,
        is_remote: bool,
        body: ContentPlace,
        prompt: ContentPlace,
        input_schema: TextPlace,
        output_schema: TextPlace,
        /// The compiled checker of its program's input: numbers, text.
        checker_numbers: TextPlace,
        checker_text: TextPlace,
        /// Its tool definitions, absent where the API would refuse them.
        tools: ToolPlaces,
        files: RowRange,
        /// Zero if it was not computed.
        digest: [u8; 32],
    }
}

row! {
    /// The row of a file.
    pub(crate) struct FileRow, FILE: FileColumns {
        path: TextPlace,
        content: ContentPlace,
        executable: bool,
        sha256: [u8; 32],
    }
}

/// A row in tables.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    tables: &'t Tables,
    at: u32,
}

impl<'t> Row<'t> {
    pub(crate) const fn new(tables: &'t Tables, at: u32) -> Self {
        Self { tables, at }
    }

    pub(crate) fn header(tables: &'t Tables) -> Self {
        Self::new(tables, 0)
    }

    /// Reads the value of a column.
    pub(crate) fn get<T: Cell>(self, column: Column<T>) -> T::Value<'t> {
        T::read(self.tables, column.position(self.at))
    }

    pub(crate) fn tables(self) -> &'t Tables {
        self.tables
    }

    pub(crate) fn position(self) -> u32 {
        self.at
    }
}

/// The place of a text in the first piece: its offset and its length.
#[derive(Clone, Copy)]
pub(crate) struct TextPlace(pub(crate) [u32; 2]);

impl TextPlace {
    pub(crate) const ABSENT: Self = Self([NONE, 0]);
}

/// The place of a definition for each [`ToolFormat`](crate::ToolFormat).
pub(crate) type ToolPlaces = [TextPlace; ToolFormat::ALL.len()];

/// The place of a content: its piece, its offset and its length.
#[derive(Clone, Copy)]
pub(crate) struct ContentPlace(pub(crate) [u32; 3]);

impl ContentPlace {
    pub(crate) const ABSENT: Self = Self([NONE, 0, 0]);
    pub(crate) const EMPTY: Self = Self([0; 3]);
}

/// Rows of a section: the number of the first, and how many there are.
#[derive(Clone, Copy)]
pub(crate) struct RowRange(pub(crate) [u32; 2]);

impl Cell for bool {
    const WIDTH: u32 = 1;
    type Value<'t> = bool;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.push(u32::from(*self));
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> bool {
        tables.word(at) != 0
    }
}

impl Cell for u32 {
    const WIDTH: u32 = 1;
    type Value<'t> = u32;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.push(*self);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> u32 {
        tables.word(at)
    }
}

impl Cell for u8 {
    const WIDTH: u32 = 1;
    type Value<'t> = u8;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.push(u32::from(*self));
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> u8 {
        tables.word(at).to_le_bytes()[0]
    }
}

/// The words are 1, the low and the high word of the number.
impl Cell for Option<u64> {
    const WIDTH: u32 = 3;
    type Value<'t> = Option<u64>;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        let [a, b, c, d, e, f, g, h] = self.unwrap_or_default().to_le_bytes();
        row.extend([
            u32::from(self.is_some()),
            u32::from_le_bytes([a, b, c, d]),
            u32::from_le_bytes([e, f, g, h]),
        ]);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Option<u64> {
        let [is_some, low, high] = [0, 1, 2].map(|word| u64::from(tables.word(at.saturating_add(word))));
        (is_some != 0).then_some(low | high << 32)
    }
}

impl Cell for [u8; 32] {
    const WIDTH: u32 = 8;
    type Value<'t> = &'t [u8; 32];

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        let (words, _) = self.as_chunks();
        row.extend(words.iter().map(|word| u32::from_le_bytes(*word)));
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> &'_ [u8; 32] {
        tables.words(at).unwrap_or(&[0; 32])
    }
}

impl Cell for RowRange {
    const WIDTH: u32 = 2;
    type Value<'t> = Self;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(self.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Self {
        Self([tables.word(at), tables.word(at.saturating_add(1))])
    }
}

impl Cell for TextPlace {
    const WIDTH: u32 = 2;
    type Value<'t> = Option<&'t str>;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(self.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Option<&'_ str> {
        tables.optional_text(at)
    }
}

impl Cell for ToolPlaces {
    const WIDTH: u32 = TextPlace::WIDTH * ToolFormat::ALL.len() as u32;
    type Value<'t> = u32;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(self.iter().flat_map(|place| place.0));
        Ok(())
    }

    fn read(_: &Tables, at: u32) -> u32 {
        at
    }
}

/// A handle gets the position of the words, which [`Tables::content`] takes.
impl Cell for ContentPlace {
    const WIDTH: u32 = 3;
    type Value<'t> = Option<u32>;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(self.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Option<u32> {
        (tables.word(at) != NONE).then_some(at)
    }
}

impl Cell for String {
    const WIDTH: u32 = 2;
    type Value<'t> = &'t str;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(writer.shared(self)?.0);
        Ok(())
    }

    fn write_absent(row: &mut Vec<u32>) {
        row.extend(TextPlace::ABSENT.0);
    }

    fn read(tables: &Tables, at: u32) -> &'_ str {
        tables.text(at)
    }
}

impl Cell for Option<String> {
    const WIDTH: u32 = 2;
    type Value<'t> = Option<&'t str>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(writer.optional(self.as_deref())?.0);
        Ok(())
    }

    fn write_absent(row: &mut Vec<u32>) {
        row.extend(TextPlace::ABSENT.0);
    }

    fn read(tables: &Tables, at: u32) -> Option<&'_ str> {
        tables.optional_text(at)
    }
}

impl Cell for Vec<String> {
    const WIDTH: u32 = 2;
    type Value<'t> = Texts<'t>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(writer.list(self)?.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Texts<'_> {
        Texts::read(tables, at)
    }
}

/// Names and values alternate in one list.
impl Cell for Vec<(String, String)> {
    const WIDTH: u32 = 2;
    type Value<'t> = Pairs<'t>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(writer.list(self.iter().flat_map(|(name, value)| [name, value]))?.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Pairs<'_> {
        Pairs(Texts::read(tables, at))
    }
}

/// The remaining rows of a list.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'t> {
    tables: &'t Tables,
    at: u32,
    left: u32,
    width: u32,
}

impl<'t> Rows<'t> {
    /// Reads a list of rows of the type `T`, limited to the size of the tables. `section` is the position of their section.
    pub(crate) fn new<T: Cell>(
        tables: &'t Tables,
        section: Column<u32>,
        RowRange([first, count]): RowRange,
    ) -> Self {
        let width = T::WIDTH;
        let at = Row::header(tables).get(section).saturating_add(first.saturating_mul(width));
        let room = tables.len().saturating_sub(at) / width;
        Self { tables, at, left: count.min(room), width }
    }

    /// Returns the number of rows that are left.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// Returns one of the rows that are left.
    pub(crate) fn row(&self, number: u32) -> Row<'t> {
        Row::new(self.tables, self.at.saturating_add(number.saturating_mul(self.width)))
    }
}

impl<'t> Iterator for Rows<'t> {
    type Item = Row<'t>;

    fn next(&mut self) -> Option<Row<'t>> {
        let left = self.left.checked_sub(1)?;
        let found = self.row(0);
        *self = Self { at: self.row(1).at, left, ..*self };
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Rows<'_> {}

/// A list of texts.
#[derive(Clone, Debug)]
pub struct Texts<'t>(Rows<'t>);

impl<'t> Texts<'t> {
    fn read(tables: &'t Tables, at: u32) -> Self {
        Self(Rows::new::<TextPlace>(tables, HEADER.texts, RowRange::read(tables, at)))
    }
}

impl<'t> Iterator for Texts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        self.0.next().map(|row| row.tables.text(row.at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Texts<'_> {}

/// A list of names with their values.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<'t>(Texts<'t>);

impl<'t> Iterator for Pairs<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.0.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() / 2;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Pairs<'_> {}

/// The texts, lists and servers that rows refer to, while tables are written.
#[derive(Default)]
pub(crate) struct TableWriter {
    /// The bytes of all texts.
    pub(crate) bytes: Vec<u8>,
    /// The rows of the section of texts.
    pub(crate) texts: Vec<u32>,
    /// The rows of the section of servers.
    pub(crate) servers: Vec<u32>,
    /// The places of texts that may occur again, by hash.
    known: HashMap<u64, TextPlace>,
}

impl TableWriter {
    /// Adds the rows of servers.
    pub(crate) fn servers<T: Cell>(&mut self, servers: &[T]) -> Result<RowRange, TooLarge> {
        let first = size(self.servers.len())? / T::WIDTH;
        for server in servers {
            let mut words = Vec::new();
            server.write(self, &mut words)?;
            self.servers.append(&mut words);
        }
        Ok(RowRange([first, size(servers.len())?]))
    }

    /// Adds the texts of a list.
    pub(crate) fn list<'t>(
        &mut self,
        items: impl IntoIterator<Item = &'t String>,
    ) -> Result<RowRange, TooLarge> {
        let first = size(self.texts.len())? / TextPlace::WIDTH;
        for item in items {
            let item = self.shared(item)?;
            self.texts.extend(item.0);
        }
        Ok(RowRange([first, size(self.texts.len())? / TextPlace::WIDTH - first]))
    }

    /// Adds a text that may be absent.
    pub(crate) fn optional(&mut self, text: Option<&str>) -> Result<TextPlace, TooLarge> {
        text.map_or(Ok(TextPlace::ABSENT), |text| self.shared(text))
    }

    /// Adds a text, unless the tables have it already.
    pub(crate) fn shared(&mut self, text: &str) -> Result<TextPlace, TooLarge> {
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        let hash = hasher.finish();
        if let Some(place) = self.known.get(&hash) {
            let [start, len] = place.0.map(|word| word as usize);
            if self.bytes[start..start + len] == *text.as_bytes() {
                return Ok(*place);
            }
        }
        let place = self.text(text)?;
        self.known.insert(hash, place);
        Ok(place)
    }

    /// Adds a text that occurs once.
    pub(crate) fn text(&mut self, text: &str) -> Result<TextPlace, TooLarge> {
        self.bytes(text.as_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<TextPlace, TooLarge> {
        let start = size(self.bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(TextPlace([start, size(bytes.len())?]))
    }
}

/// The error for a bundle of more than 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the skills are too large for one bundle: over 4 GiB")
    }
}

impl std::error::Error for TooLarge {}

/// Appends words to the rows.
pub(crate) fn push_words(rows: &mut Vec<u8>, words: &[u32]) {
    let start = rows.len();
    rows.resize(start + words.len() * 4, 0);
    let (places, _) = rows[start..].as_chunks_mut();
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}

/// Returns a size as a word of a row.
pub(crate) fn size(size: usize) -> Result<u32, TooLarge> {
    u32::try_from(size).map_err(|_| TooLarge)
}

#[cfg(test)]
mod tests {
    use super::{FileRow, hash_columns};

    // Tables that an earlier version wrote would be read with the columns of this one.
    #[test]
    fn other_columns_give_another_format() {
        let columns = [("path", 2), ("content", 3), ("executable", 1), ("sha256", 8)];
        assert_eq!(FileRow::LAYOUT, hash_columns(&columns));
        for others in [
            &[("path", 2), ("content", 3), ("executable", 1)][..],
            &[("content", 3), ("path", 2), ("executable", 1), ("sha256", 8)],
            &[("path", 2), ("content", 3), ("is_program", 1), ("sha256", 8)],
            &[("path", 2), ("content", 3), ("executable", 3), ("sha256", 8)],
        ] {
            assert_ne!(FileRow::LAYOUT, hash_columns(others), "{others:?}");
        }
    }
}
