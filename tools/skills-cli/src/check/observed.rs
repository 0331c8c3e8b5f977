//! The `--observed` of `check`.

use std::path::Path;
use std::process::ExitCode;

use skills_commands::terminal;
use skills_report::observed::Observations;

/// Reads a file of observed runs.
pub(super) fn read(path: &Path) -> Result<Observations, ExitCode> {
    let wrong = |problem: String| terminal::usage(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|problem| wrong(problem.to_string()))?;
    let observed = Observations::parse(&text).map_err(wrong)?;
    if observed.is_empty() {
        terminal::warning(format_args!("{}: no program was observed", path.display()));
    }
    Ok(observed)
}
