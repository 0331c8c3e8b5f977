//! The arguments of the command become manual pages in `man` of the target directory, one for each command.

/// Writes the pages.
///
/// # Errors
/// A page cannot be written.
#[cfg(feature = "man")]
pub(crate) fn run() -> Result<(), String> {
    let dir = crate::workspace::Workspace::target()?.join("man");
    std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    clap_mangen::generate_to(skills_cli::command(), &dir)
        .map_err(|error| format!("{}: {error}", dir.display()))?;
    println!("the manual pages are in {}", dir.display());
    Ok(())
}

/// Builds this program with the command in it, which writes the pages.
///
/// # Errors
/// It cannot be built, or a page cannot be written.
#[cfg(not(feature = "man"))]
pub(crate) fn run() -> Result<(), String> {
    let arguments = ["run", "--quiet", "--package", "xtask", "--features", "man", "--", "man"];
    let status = crate::workspace::cargo().args(arguments).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("cargo ended with {status}")),
    }
}
