//! Builds the book as its readers get it. Tests run the examples in its chapters.

use std::process::Command;

use crate::tools::tool;
use crate::workspace::Workspace;

/// Builds the book into `book` of the target directory, and prints its path.
pub(crate) fn run() -> Result<(), String> {
    // The server and search features take longer to build than the rest.
    let mdbook = tool("mdbook", &["--no-default-features", "--debug"]).ok_or("mdbook is missing")?;
    let out = Workspace::target()?.join("book");
    let output = Command::new(mdbook).args(["build", "docs/book", "--dest-dir"]).arg(&out).output();
    let output = output.map_err(|error| format!("mdbook cannot be started: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !out.join("introduction.html").is_file() {
        return Err(told.into_owned());
    }
    // Tests check the links and the code, so a warning of mdBook about a page is shown and fails nothing.
    print!("{told}");
    println!("{}", out.join("index.html").display());
    Ok(())
}
