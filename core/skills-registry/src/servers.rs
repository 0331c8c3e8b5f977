//! The MCP servers that a skill declares: as facts, and as handles.

use crate::rows::{Cell, HEADER, Row, RowRange, Rows, TableWriter, Texts, TooLarge, row};
use crate::tables::Tables;

row! {
    /// An MCP server that a skill declares.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ServerFacts, SERVER: ServerColumns {
        /// The name of the server.
        name: String,
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment, in file order.
        env: Vec<(String, String)>,
    }
}

impl Cell for Vec<ServerFacts> {
    const WIDTH: u32 = RowRange::WIDTH;
    type Value<'t> = McpServers<'t>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.extend(writer.servers(self)?.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> McpServers<'_> {
        McpServers(Rows::new::<ServerFacts>(tables, HEADER.servers, RowRange::read(tables, at)))
    }
}

/// The MCP servers that a skill declares, in file order.
#[derive(Clone, Debug)]
pub struct McpServers<'a>(Rows<'a>);

impl<'a> Iterator for McpServers<'a> {
    type Item = McpServer<'a>;

    fn next(&mut self) -> Option<McpServer<'a>> {
        self.0.next().map(McpServer)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for McpServers<'_> {}

/// An MCP server that a skill declares.
#[derive(Clone, Copy)]
pub struct McpServer<'a>(Row<'a>);

impl<'a> McpServer<'a> {
    /// Returns the name of the server.
    pub fn name(self) -> &'a str {
        self.0.get(SERVER.name)
    }

    /// Returns the program to start.
    pub fn command(self) -> &'a str {
        self.0.get(SERVER.command)
    }

    /// Returns the arguments of the program.
    pub fn args(self) -> Texts<'a> {
        self.0.get(SERVER.args)
    }

    /// Returns the additional environment variables of the program, in file order.
    pub fn env(self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        self.0.get(SERVER.env)
    }
}

impl std::fmt::Debug for McpServer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("McpServer").field(&self.name()).finish()
    }
}
