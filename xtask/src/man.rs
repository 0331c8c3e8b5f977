//! The arguments of the command become manual pages in `target/man`, one for each command.

use std::path::Path;

/// Writes the pages.
///
/// # Errors
/// A page cannot be written.
pub(crate) fn run() -> Result<(), String> {
    let dir = Path::new("target/man");
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    clap_mangen::generate_to(skills_cli::command(), dir)
        .map_err(|error| format!("{}: {error}", dir.display()))?;
    println!("the manual pages are in {}", dir.display());
    Ok(())
}
