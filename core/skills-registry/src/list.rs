//! Lists in a skill: texts and MCP servers.

use crate::layout::{header, server, text};
use crate::tables::Tables;

/// The remaining rows of a list, each given by its position.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) at: u32,
    pub(crate) left: u32,
    width: u32,
}

impl<'a> Rows<'a> {
    /// Reads the list whose first row and count are at `at`, limited to the tables' size.
    pub(crate) fn new(tables: &'a Tables, at: u32, section: u32, width: u32) -> Self {
        let first = tables.word(section).saturating_add(tables.word(at).saturating_mul(width));
        let room = tables.len().saturating_sub(first) / width;
        Self { tables, at: first, left: tables.word(at.saturating_add(1)).min(room), width }
    }
}

impl Iterator for Rows<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let found = self.at;
        self.at = found.saturating_add(self.width);
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
pub struct Texts<'a>(Rows<'a>);

impl<'a> Texts<'a> {
    pub(crate) fn new(tables: &'a Tables, at: u32) -> Self {
        Self(Rows::new(tables, at, header::AT_TEXTS, text::WIDTH))
    }
}

impl<'a> Iterator for Texts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next().map(|at| self.0.tables.text(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Texts<'_> {}

/// The MCP servers that a skill declares, in file order.
#[derive(Clone, Debug)]
pub struct McpServers<'a>(Rows<'a>);

impl<'a> McpServers<'a> {
    pub(crate) fn new(tables: &'a Tables, at: u32) -> Self {
        Self(Rows::new(tables, at, header::AT_SERVERS, server::WIDTH))
    }
}

impl<'a> Iterator for McpServers<'a> {
    type Item = McpServer<'a>;

    fn next(&mut self) -> Option<McpServer<'a>> {
        self.0.next().map(|at| McpServer { tables: self.0.tables, at })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for McpServers<'_> {}

/// An MCP server that a skill declares.
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

    /// Returns the additional environment variables of the program, in file order.
    pub fn env(self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        let mut texts = self.texts(server::ENV);
        // Names and values alternate.
        let mut next = move || texts.next().unwrap_or_default();
        (0..self.texts(server::ENV).len() / 2).map(move |_| (next(), next()))
    }

    fn texts(self, field: u32) -> Texts<'a> {
        Texts::new(self.tables, self.at.saturating_add(field))
    }
}

impl std::fmt::Debug for McpServer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("McpServer").field(&self.name()).finish()
    }
}
