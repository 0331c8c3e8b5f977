//! Serves the skills of an agent to MCP clients on standard input and output: tools, prompts and documents of
//! one bundle.
//!
//! `find_notes` is a function of this program. `tell` needs a model, so it is not a tool without one. `brief`
//! is a pipeline that calls both, and fails at the step `tell`.

use skills::{Context, Failure};
use skills_mcp::Server;

skills::skills!("../../examples/skills");

/// The data of this program. A real one would use a database.
struct Desk;

const NOTES: [(&str, &str); 2] =
    [("Garden", "the roses want water twice a week"), ("Kitchen", "the oven runs hot")];

impl Host for Desk {
    async fn find_notes(
        &self,
        input: find_notes::Input,
        _context: &Context,
    ) -> Result<find_notes::Output, Failure> {
        let limit = usize::try_from(input.limit)?;
        let found = NOTES.iter().filter(|(_, text)| text.contains(&input.topic)).take(limit);
        let notes = found.map(|(title, text)| find_notes::Note {
            title: (*title).to_owned(),
            text: (*text).to_owned(),
            pinned: false,
        });
        Ok(find_notes::Output { notes: notes.collect() })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    skills_mcp::stdio(Server::new(SKILLS.with(Desk)).identity("notes", env!("CARGO_PKG_VERSION"))).await
}
