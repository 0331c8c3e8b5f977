//! The book becomes pages, as its readers get them; what its chapters show is run by tests (SPEC 18.9).

use std::path::PathBuf;
use std::process::Command;

use crate::tools::tool;
use crate::workspace::Workspace;

/// Builds the book into `book` of the target directory and returns where; nothing where mdBook cannot be had.
pub(crate) fn run() -> Result<Option<PathBuf>, String> {
    // What serves and searches takes longer to build than the rest.
    let Some(mdbook) = tool("mdbook", &["--no-default-features", "--debug"]) else { return Ok(None) };
    let out = Workspace::target()?.join("book");
    let output = Command::new(mdbook).args(["build", "docs/book", "--dest-dir"]).arg(&out).output();
    let output = output.map_err(|error| format!("mdbook cannot be started: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || told.contains("WARN") || !out.join("start.html").is_file() {
        return Err(told.into_owned());
    }
    println!("{}", out.join("index.html").display());
    Ok(Some(out))
}
