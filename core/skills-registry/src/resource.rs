//! A file of a skill: its path, its bytes and its properties.

use crate::layout::file;
use crate::list::Rows;
use crate::tables::Tables;
use skills_text::{hex, lower_bound};

/// A file of a skill. A cheap handle: copy it.
#[derive(Clone, Copy)]
pub struct Resource<'a> {
    tables: &'a Tables,
    at: u32,
}

impl<'a> Resource<'a> {
    pub(crate) fn new(tables: &'a Tables, at: u32) -> Self {
        Self { tables, at }
    }

    /// Returns the path below the skill, with `/` between its parts.
    pub fn path(self) -> &'a str {
        self.tables.text(self.field(file::PATH))
    }

    /// Returns the size of the file in bytes, without reading it.
    pub fn size(self) -> u32 {
        self.tables.content_size(self.field(file::CONTENT))
    }

    /// Returns the reason if the file is on a server and could not be read. Then its bytes are empty.
    pub fn fault(self) -> Option<&'a str> {
        self.tables.content_fault(self.field(file::CONTENT))
    }

    /// Returns the bytes of the file.
    pub fn bytes(self) -> &'a [u8] {
        self.tables.content(self.field(file::CONTENT))
    }

    /// Returns the text of the file, or `None` if it is not UTF-8.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()).ok()
    }

    /// Returns `true` if the file is executable: by its mode, or because it starts with `#!`.
    pub fn is_executable(self) -> bool {
        self.tables.word(self.field(file::FLAGS)) & file::EXECUTABLE != 0
    }

    /// Returns the SHA-256 digest of the bytes. It was computed at build time, or is computed on first use
    /// for a skill on disk.
    pub fn sha256(self) -> &'a [u8; 32] {
        self.tables.digest(self.at)
    }

    /// Returns the SHA-256 digest as 64 lower-case hexadecimal digits.
    pub fn sha256_hex(self) -> String {
        hex(self.sha256())
    }

    fn field(self, field: u32) -> u32 {
        self.at.saturating_add(field)
    }
}

impl std::fmt::Debug for Resource<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Resource").field(&self.path()).finish()
    }
}

/// Files of a skill, sorted by path.
#[derive(Clone, Debug)]
pub struct Resources<'a> {
    rows: Rows<'a>,
    all: bool,
}

impl<'a> Resources<'a> {
    /// Iterates over the files of these rows: all of them, or all except `SKILL.md` and `skill.json`.
    pub(crate) fn new(rows: Rows<'a>, all: bool) -> Self {
        Self { rows, all }
    }

    /// Finds a file by its path below the skill.
    pub(crate) fn find(&self, path: &str) -> Option<Resource<'a>> {
        let row = lower_bound(self.rows.left, |row| self.row(row).path() < path);
        (row < self.rows.left).then(|| self.row(row)).filter(|found| found.path() == path)
    }

    fn row(&self, row: u32) -> Resource<'a> {
        Resource::new(self.rows.tables, self.rows.at.saturating_add(row.saturating_mul(file::WIDTH)))
    }
}

impl<'a> Iterator for Resources<'a> {
    type Item = Resource<'a>;

    fn next(&mut self) -> Option<Resource<'a>> {
        let (tables, all) = (self.rows.tables, self.all);
        self.rows.by_ref().map(|at| Resource::new(tables, at)).find(|found| all || is_resource(found.path()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len();
        // Finds the files that are not resources by name, without iterating.
        let hidden = |path| usize::from(!self.all && self.find(path).is_some());
        let shown = left.saturating_sub(hidden("SKILL.md") + hidden("skill.json"));
        (shown, Some(shown))
    }
}

impl ExactSizeIterator for Resources<'_> {}

/// How many files of a skill every client of the MCP Skills extension accepts (SEP-2640, Limits).
pub const MAX_FILES: usize = 512;

/// The maximum total size of these files in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// Returns `true` if a file is a resource: every file except `SKILL.md` and `skill.json`.
pub(crate) fn is_resource(path: &str) -> bool {
    path != "SKILL.md" && path != "skill.json"
}
