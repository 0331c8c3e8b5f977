//! An agent that serves its skills to MCP clients: tools, prompts and documents of one bundle, on standard input and
//! output.
//!
//! `find_notes` is a function of this program. `tell` needs a model and is no tool without one; `brief` is a pipeline over
//! both, and fails where it comes to `tell`.

use skills::{Context, Failure};
use skills_mcp::Server;

skills::skills!("../../examples/skills");

/// What this program knows; a real one would hold a database here.
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
