//! Makes the pictures of the book from the built command, in a browser and a terminal.

use std::path::Path;
use std::process::Command;

use crate::command::{cargo, run};
use crate::workspace::Workspace;

/// Writes the pictures into `docs/book/text/pictures`. Needs Node, npm, Chromium, Neovim and `script`.
pub(crate) fn make() -> Result<(), String> {
    run(cargo().args(["build", "--package", "cargo-skills", "--package", "mytool", "--bins"]))?;
    let scripts = test_bed::packages(Path::new("docs/book/pictures"), &Workspace::target()?);
    let browser = std::env::var("CHROME").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let mut node = Command::new("node");
    node.arg(scripts.join("pictures.mjs")).arg(Workspace::built("skills")?).arg(browser);
    run(node.args(["docs/book/desk/skills", "docs/book/text/pictures"]))
}
