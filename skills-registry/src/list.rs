//! Lists of a skill: texts, and the MCP servers it brings.

use crate::layout::{server, text};
use crate::tables::Tables;

/// A list of texts.
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    tables: &'a Tables,
    at: u32,
    left: u32,
}

impl<'a> Texts<'a> {
    /// Reads the list whose first row and count stand at `at`.
    pub(crate) fn new(tables: &'a Tables, at: u32, section: u32) -> Self {
        let (at, left) = section_rows(tables, at, section, text::WIDTH);
        Self { tables, at, left }
    }
}

impl<'a> Iterator for Texts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.left = self.left.checked_sub(1)?;
        let found = self.tables.text(self.at);
        self.at = self.at.saturating_add(text::WIDTH);
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Texts<'_> {}

/// Returns where the rows of a list begin, and how many of them lie inside the tables.
pub(crate) fn section_rows(tables: &Tables, at: u32, section: u32, width: u32) -> (u32, u32) {
    let first = tables.word(section).saturating_add(tables.word(at).saturating_mul(width));
    let room = tables.len().saturating_sub(first) / width;
    (first, tables.word(at.saturating_add(1)).min(room))
}

/// The MCP servers of a skill, in file order.
#[derive(Clone, Debug)]
pub struct McpServers<'a> {
    tables: &'a Tables,
    at: u32,
    left: u32,
}

impl<'a> McpServers<'a> {
    pub(crate) fn new(tables: &'a Tables, at: u32, section: u32) -> Self {
        let (at, left) = section_rows(tables, at, section, server::WIDTH);
        Self { tables, at, left }
    }
}

impl<'a> Iterator for McpServers<'a> {
    type Item = McpServer<'a>;

    fn next(&mut self) -> Option<McpServer<'a>> {
        self.left = self.left.checked_sub(1)?;
        let found = McpServer { tables: self.tables, at: self.at };
        self.at = self.at.saturating_add(server::WIDTH);
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for McpServers<'_> {}

/// An MCP server that a skill brings (SPEC 2.10).
#[derive(Clone, Copy)]
pub struct McpServer<'a> {
    tables: &'a Tables,
    at: u32,
}

impl<'a> McpServer<'a> {
    /// Returns the name of the server.
    pub fn name(self) -> &'a str {
        self.tables.text(self.at.saturating_add(server::NAME))
    }

    /// Returns the program to start.
    pub fn command(self) -> &'a str {
        self.tables.text(self.at.saturating_add(server::COMMAND))
    }

    /// Returns the arguments of the program.
    pub fn args(self) -> Texts<'a> {
        self.texts(server::ARGS)
    }

    /// Returns what is added to the environment of the program, in file order.
    pub fn env(self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        let mut texts = self.texts(server::ENV);
        // Names and values take turns.
        let mut next = move || texts.next().unwrap_or_default();
        (0..self.texts(server::ENV).len() / 2).map(move |_| (next(), next()))
    }

    fn texts(self, field: u32) -> Texts<'a> {
        Texts::new(self.tables, self.at.saturating_add(field), crate::layout::header::AT_TEXTS)
    }
}

impl std::fmt::Debug for McpServer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("McpServer").field(&self.name()).finish()
    }
}
