//! `check --baseline FILE`: records the current problems so that later runs do not report them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use skills_commands::failure::CommandError;
use skills_core::diagnostic::Diagnostic;
use skills_core::read::{MAX_PROJECT_FILE, read_text};
use skills_core::report::Report;
use skills_core::span::SourceMap;

const HEAD: &str =
    "# Problems that `skills check --baseline` does not report: rule, path, title, tab between them.\n";

/// Removes the problems that a file lists from a report, once for each line. If the file does not exist,
/// writes it with all problems of the report, or fails if nothing may be changed.
///
/// Line numbers in the skills are ignored, so a problem stays known after a change above it. Returns `true`
/// if the file was written.
pub(super) fn apply(
    path: &Path,
    keeps_files: bool,
    report: &mut Report,
    sources: &SourceMap,
) -> Result<bool, CommandError> {
    match read_text(path, MAX_PROJECT_FILE) {
        Ok(text) => {
            let mut known: BTreeMap<&str, usize> = BTreeMap::new();
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                *known.entry(line).or_default() += 1;
            }
            report.diagnostics.retain(|found| match known.get_mut(line(found, sources).as_str()) {
                Some(left @ 1..) => {
                    *left -= 1;
                    false
                }
                _ => true,
            });
            Ok(false)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && keeps_files => {
            let path = path.display();
            Err(format!("the baseline {path} does not exist: write it without `--ci`, and commit it").into())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut lines: Vec<String> =
                report.diagnostics.iter().map(|found| line(found, sources)).collect();
            lines.sort();
            let text = lines.iter().fold(HEAD.to_owned(), |text, line| text + line + "\n");
            fs::write(path, text).map_err(|error| CommandError::unwritable(path, error))?;
            Ok(true)
        }
        Err(error) => Err(CommandError::unreadable(path, error)),
    }
}

/// Returns the line of a problem in the file.
fn line(found: &Diagnostic, sources: &SourceMap) -> String {
    let parts = [found.rule.code, &sources.file_of(found.span).path, &found.title];
    parts.map(|part| part.replace(['\t', '\n', '\r'], " ")).join("\t")
}
