//! Adds learned permissions to the files of a skill, as the fix of a problem.

use std::path::Path;
use std::process::ExitCode;

use skills_commands::output::versioned;
use skills_commands::{failure, terminal};
use skills_core::edit::Applicability;
use skills_core::load_over;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_core::rule::permissions::PERMISSION_MISSING;
use skills_learn::{Observed, print};
use skills_report::fix;
use skills_report::observed::Observations;

/// Adds the rights that a skill used but does not request. Rights that its sandbox refused are not added.
pub(super) fn permissions(directory: &Path, observed: &Observed) -> Result<(), ExitCode> {
    let mut used = observed.clone();
    used.denied.clear();
    let text = versioned([("skills", print(std::slice::from_ref(&used)))]);
    let observations = Observations::parse(&text).map_err(failure::error)?;
    let options = Options::default();
    let label = directory.to_string_lossy();
    let check = |over: &Overlay| {
        let mut loaded = load_over(directory, &label, &options, over);
        observations.check(&mut loaded, &options);
        // Only problems of permissions are fixed here; `skills check --fix` fixes the others.
        loaded.report.diagnostics.retain(|found| found.rule.code == PERMISSION_MISSING.code);
        loaded
    };
    if !observations.unknown(&check(&Overlay::default())).is_empty() {
        return Err(failure::error(format!(
            "`{}` has errors: run `skills check {label}` first",
            observed.skill
        )));
    }
    let unwritten = |problem| failure::error(format!("the permissions were not added: {problem}"));
    let fixed = fix::fix(directory, Overlay::default(), Applicability::Unsafe, check).map_err(unwritten)?;
    fix::write(directory, &fixed.over, &fixed.renamed, &fixed.found).map_err(unwritten)?;
    for left in &fixed.checked.report.diagnostics {
        terminal::warning(format_args!("{}: {}", left.title, left.help));
    }
    terminal::status(match (fixed.solved, fixed.checked.report.diagnostics.is_empty()) {
        (0, true) => "the skill already requests all permissions that it used",
        (0, false) => "nothing was added",
        _ => "the missing permissions were added",
    });
    Ok(())
}
