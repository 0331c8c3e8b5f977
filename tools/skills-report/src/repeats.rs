//! Merges problems that repeat, for people: each is shown once, with the number of its places.

use std::collections::HashMap;

use skills_core::diagnostic::Diagnostic;
use skills_core::report::Report;
use skills_core::rule::{claims, evals, fields, files, lints};
use skills_core::span::SourceMap;

/// Rules about sizes. All their problems in a run have one answer.
const SIZES: [&str; 2] = [files::PATH_LONG.code, lints::LONG_BODY.code];

/// Rules about names in texts. A template or a generator writes the same name into many files, and a person has one home.
const NAMES: [&str; 6] = [
    lints::BROKEN_LINK.code,
    lints::LINK_LEAVES_SKILL.code,
    claims::BROKEN_HEADING.code,
    evals::EVAL_KEY_UNKNOWN.code,
    lints::HOME_PATH.code,
    fields::NAME_INVALID.code,
];

/// From this number of files on, the same name is one problem.
const MANY: usize = 3;

/// Returns a report with one problem for all equal ones: of the same rule, title and level, at the same place of files of
/// the same name, as copies of a skill have them; or of the same rule and level about the same name in many files. The
/// problem at the first place stays.
pub fn merge(report: &Report, sources: &SourceMap) -> Report {
    let mut named: HashMap<String, usize> = HashMap::new();
    for name in report.diagnostics.iter().filter_map(|problem| name_key(problem, sources)) {
        *named.entry(name).or_default() += 1;
    }
    let mut merged = Report::default();
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    for problem in &report.diagnostics {
        let name =
            name_key(problem, sources).filter(|name| named.get(name).is_some_and(|count| *count >= MANY));
        let key = name.unwrap_or_else(|| place_key(problem, sources));
        let at = *first.entry(key).or_insert(counts.len());
        match counts.get_mut(at) {
            Some(count) => *count += 1,
            None => {
                counts.push(1);
                merged.diagnostics.push(problem.clone());
            }
        }
    }
    for (problem, count) in merged.diagnostics.iter_mut().zip(counts) {
        if count > 1 {
            problem.title.push_str(&format!(" (the first of {count}; `--all` shows them)"));
        }
    }
    merged
}

/// Returns a text that all problems about the same name have in common, whatever number of links their titles give. Symbolic
/// links of one folder that are broken in the same way count as one name.
fn name_key(problem: &Diagnostic, sources: &SourceMap) -> Option<String> {
    let code = problem.rule.code;
    if code == files::LINK_BROKEN.code {
        let path = &sources.file_of(problem.span).path;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        return Some(format!("{code} {} {folder} {}", problem.level.as_str(), problem.title));
    }
    let mut name = problem.title.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("`");
    if code == lints::LINK_LEAVES_SKILL.code {
        name.truncate(shared_folder(&name).len());
    }
    if code == fields::NAME_INVALID.code {
        // Authors who take names for titles do so in all skills.
        let kind = match name {
            _ if name.contains(' ') => "a title",
            _ if name.starts_with(char::is_uppercase) && !name.contains(':') => "a capital",
            _ => "",
        };
        name = kind.to_owned();
    }
    let is_name = NAMES.contains(&code) && !name.is_empty();
    is_name.then(|| format!("{code} {} `{name}`", problem.level.as_str()))
}

/// Returns the part of a path out of a skill that ends with the first folder there, such as `../../shared`. Skills that
/// link into one folder do so for one reason.
fn shared_folder(path: &str) -> &str {
    let below = path.trim_start_matches("../");
    let folder = below.split_once('/').map_or(below, |(folder, _)| folder);
    &path[..path.len() - below.len() + folder.len()]
}

/// Returns a text that equal problems at the same place have in common.
fn place_key(problem: &Diagnostic, sources: &SourceMap) -> String {
    let code = problem.rule.code;
    let level = problem.level.as_str();
    if SIZES.contains(&code) {
        return format!("{code} {level}");
    }
    let (start, _) = sources.positions(problem.span);
    let path = &sources.file_of(problem.span).path;
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{code} {level} {name}:{}:{} {}", start.line, start.column, problem.title)
}

#[cfg(test)]
mod tests {
    use super::shared_folder;

    // SPEC 11.38
    #[test]
    fn the_folder_of_a_link_out_of_a_skill_is_found() {
        for (path, folder) in
            [("../../shared/a/b.md", "../../shared"), ("../README.md", "../README.md"), ("../../", "../../")]
        {
            assert_eq!(shared_folder(path), folder);
        }
    }
}
