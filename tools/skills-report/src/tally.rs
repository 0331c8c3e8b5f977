//! Prints the number of checked skills and the paths that were passed over: the last line of each report
//! format.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use skills_core::Tally;
use skills_core::edit::Applicability;
use skills_core::level::Level;
use skills_core::print::visible;
use skills_core::read::PassedOver;
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_schema::json::Node;
use skills_schema::json::make::{array, number, object, string};

use super::fix::offered;

/// The maximum number of paths listed for one reason.
const SHOWN: usize = 3;

/// Formats the tally as one line of text.
pub fn line(tally: &Tally) -> String {
    let passed_over = passed_over(&tally.passed_over, "check").map(|passed_over| format!("; {passed_over}"));
    format!("{} checked{}", tally.checked, passed_over.unwrap_or_default())
}

/// Formats the paths that were passed over, with the reasons, as one line of text. Returns `None` if there are
/// no such paths. `command` reads the skills if it is given their directory.
pub fn passed_over(paths: &[PassedOver], command: &str) -> Option<String> {
    if paths.is_empty() {
        return None;
    }
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for passed in paths {
        reasons.entry(&passed.reason).or_default().push(&passed.path);
    }
    let mut line = format!("{} passed over: ", paths.len());
    let parts = reasons.into_iter().map(|(reason, paths)| {
        let shown = paths.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = match paths.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} {reason} ({shown}{more})", paths.len())
    });
    line.push_str(&parts.collect::<Vec<_>>().join(", "));
    line.push_str(&format!("; to {command} one, name its directory: `skills {command} DIR`"));
    Some(visible(&line))
}

/// Summarizes a report: `Found 12 problems in 3 of 40 skills ([*] 5 fixable with --fix, 2 more with --unsafe-fixes)`.
/// `what` is the noun for a skill or project. `[*]` is the mark of problems with a safe fix.
pub fn summary(report: &Report, sources: &SourceMap, what: &str, tally: Option<&Tally>) -> String {
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let problems = &report.diagnostics;
    let skills: BTreeSet<usize> =
        problems.iter().filter_map(|problem| sources.file_of(problem.span).skill).collect();
    let place = match (skills.len(), tally) {
        (0, Some(tally)) if tally.checked > 0 => {
            format!(", outside of the {}", counted(tally.checked, what))
        }
        (0, _) => String::new(),
        (count, Some(tally)) => format!(" in {count} of {}", counted(tally.checked, what)),
        (count, None) => format!(" in {}", counted(count, what)),
    };
    let fixable = |kind: Applicability| {
        problems
            .iter()
            .filter_map(|problem| offered(problem, sources))
            .filter(|fix| fix.applicability == kind)
            .count()
    };
    let fixable = match (fixable(Applicability::Safe), fixable(Applicability::Unsafe)) {
        (0, 0) => String::new(),
        (safe, 0) => format!(" ([*] {safe} fixable with --fix)"),
        (0, risky) => format!(" ({risky} fixable with --fix --unsafe-fixes)"),
        (safe, risky) => format!(" ([*] {safe} fixable with --fix, {risky} more with --unsafe-fixes)"),
    };
    format!("Found {}{place}{fixable}", counted(problems.len(), "problem"))
}

/// Formats the tally as one JSON object: `{"format_version": V, "checked": N, "passed_over": [{"path", "reason"}]}`.
pub fn json(tally: &Tally, format_version: u32) -> String {
    let version = ("format_version", number(format_version));
    object([version].into_iter().chain(members(tally, "passed_over"))).to_string()
}

/// Formats a table of results: one line per skill, with its path and `ok` or its number of errors.
pub fn verdicts(tally: &Tally, report: &Report, sources: &SourceMap) -> String {
    let mut errors: HashMap<usize, usize> = HashMap::new();
    for problem in report.diagnostics.iter().filter(|problem| problem.level == Level::Error) {
        if let Some(skill) = sources.file_of(problem.span).skill {
            *errors.entry(skill).or_default() += 1;
        }
    }
    let mut rows: Vec<(&str, String)> = Vec::new();
    for (at, path) in &tally.skills {
        let verdict = match errors.get(at) {
            None => "ok".to_owned(),
            Some(1) => "1 error".to_owned(),
            Some(count) => format!("{count} errors"),
        };
        rows.push((if path.is_empty() { "." } else { path }, verdict));
    }
    rows.sort();
    let width = rows.iter().map(|(path, _)| path.chars().count()).max().unwrap_or(0);
    let line =
        |(path, verdict): &(&str, String)| format!("{}  {verdict}\n", visible(&format!("{path:width$}")));
    rows.iter().map(line).collect()
}

/// Formats the tally as the members of an object, with the name of the one for the paths passed over.
pub(crate) fn members<'k>(tally: &Tally, passed_over: &'k str) -> [(&'k str, Node); 2] {
    let paths = tally
        .passed_over
        .iter()
        .map(|passed| object([("path", string(&passed.path)), ("reason", string(&passed.reason))]));
    [("checked", number(tally.checked)), (passed_over, array(paths))]
}
