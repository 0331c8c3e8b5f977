//! Formats a rule as a page in Markdown, for the book and for the links of the language server.

use skills_core::rule::{Example, RuleText};

use super::explain;

/// Prints the page of a rule.
pub fn print(text: &RuleText) -> String {
    let rule = text.rule;
    let (levels, source) = (explain::levels(rule), explain::source(rule));
    let mut out = format!("# {}\n\n{levels}\n{source}\n\n{}\n", rule.code, text.explain);
    explain::examples(text, list, &mut out);
    out
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
