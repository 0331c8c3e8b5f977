//! Formats the rule table as `docs/RULES.md`; a test of this crate checks that the file is current.

use skills_core::level::Level;
use skills_core::rule::{Example, RuleText};

use super::explain;

/// Prints the page: a table of all rules, then a section for each.
pub fn print(texts: &[&RuleText]) -> String {
    let mut out = String::from(OPENING);
    for text in texts {
        let rule = text.rule;
        let [bundle, disk, standard] = [rule.bundle, rule.disk, rule.standard].map(word);
        let lint = if rule.lint { "yes" } else { "" };
        let (code, spec) = (rule.code, rule.spec);
        out.push_str(&format!(
            "| [`{code}`](#{code}) | {spec} | {bundle} | {disk} | {standard} | {lint} |\n"
        ));
    }
    for text in texts {
        out.push('\n');
        out.push_str(&section(text));
    }
    out
}

/// Prints the section of one rule.
pub fn section(text: &RuleText) -> String {
    let rule = text.rule;
    let (levels, source) = (explain::levels(rule), explain::source(rule));
    let mut out = format!("## {}\n\n{levels}\n{source}\n\n{}\n", rule.code, text.explain);
    explain::examples(text, list, &mut out);
    out
}

const OPENING: &str = "\
# Rules

Every problem that `skills check`, the macro and the build script report names one of these rules.
`skills explain CODE` prints the same text. This page is generated from the rule table.

*Bundle* is the level when the skills are compiled into a program, *disk* the level when a program loads them at run
time, *standard* the level when only the open Agent Skills standard applies. The level of a *lint* can be set.

| rule | SPEC | bundle | disk | standard | lint |
|---|---|---|---|---|---|
";

fn word(level: Level) -> &'static str {
    match level {
        Level::Allow => "-",
        Level::Warning | Level::Error => level.as_str(),
    }
}

/// Adds the files of an example, each in a code block whose fence is longer than any fence in it.
fn list(example: Example, out: &mut String) {
    for (path, text) in example {
        out.push_str(&format!("\n`{path}`\n"));
        let lines: Vec<String> = explain::shown(text).collect();
        let Some(longest) = lines.iter().map(|line| ticks(line)).max() else { continue };
        let fence = "`".repeat((longest + 1).max(3));
        out.push_str(&format!("\n{fence}text\n{}\n{fence}\n", lines.join("\n")));
    }
}

/// Counts the backquotes at the start of a line.
pub(crate) fn ticks(line: &str) -> usize {
    let line = line.trim_start();
    line.len() - line.trim_start_matches('`').len()
}
