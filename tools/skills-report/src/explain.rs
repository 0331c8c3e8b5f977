//! Formats a rule as the text of `skills explain CODE`.

use skills_core::level::Level;
use skills_core::print::{visible, wrap};
use skills_core::rule::{self, Example, Rule, RuleText, groups};

/// The column at which text is wrapped.
const WIDTH: usize = 80;

/// Formats a rule: its code, levels, source and explanation, and both examples.
pub fn print(text: &RuleText) -> String {
    let rule = text.rule;
    let mut out = format!("skills::{}\n\n", rule.code);
    out.push_str(&wrapped(&levels(rule)));
    out.push_str(&wrapped(&source(rule)));
    out.push('\n');
    out.push_str(&wrapped(text.explain));
    examples(text, list, &mut out);
    out
}

/// Formats a list of all rules by group, each with its level in a bundle, a star if the level can be set, and
/// the first sentence of its explanation.
pub fn overview() -> String {
    let mut out = String::new();
    for (about, group) in groups() {
        out.push_str(&format!("{about}\n"));
        for rule in group {
            let level = match rule.bundle {
                Level::Allow => "-",
                level => level.as_str(),
            };
            let star = if rule.lint { "*" } else { " " };
            let first = rule::text(rule).first_sentence();
            out.push_str(&format!("  {:26} {level:7}{star} {first}\n", rule.code));
        }
        out.push('\n');
    }
    out.push_str("The levels apply to a bundle; a star marks lints, whose level can be set.\n`skills explain RULE` prints the explanation of a rule with a bad and a good example.\n");
    out
}

/// Describes the level of the rule in each profile.
pub(crate) fn levels(rule: &Rule) -> String {
    let word = |level| match level {
        Level::Allow => "not reported",
        Level::Warning => "a warning",
        Level::Error => "an error",
    };
    let [bundle, disk, standard] = [rule.bundle, rule.disk, rule.standard].map(word);
    format!("In a bundle {bundle}; on disk at run time {disk}; by the open standard {standard}.")
}

/// Describes the source of the rule, and whether its level can be set.
pub(crate) fn source(rule: &Rule) -> String {
    let kind =
        if rule.lint { "A lint: its level can be set." } else { "Not a lint: its level cannot be lowered." };
    format!("SPEC {}. {kind}", rule.spec)
}

/// Adds both examples of a rule; `list` formats one of them.
pub(crate) fn examples(text: &RuleText, list: fn(Example, &mut String), out: &mut String) {
    for (heading, example) in [("Wrong", text.bad), ("Right", text.good)] {
        out.push_str(&format!("\n{heading}:\n"));
        list(example, out);
    }
}

/// Adds the files of an example, each below its name.
fn list(example: Example, out: &mut String) {
    for (path, text) in example {
        out.push_str(&format!("\n    {}\n", visible(path)));
        for line in shown(text) {
            out.push_str(format!("    | {line}").trim_end());
            out.push('\n');
        }
    }
}

/// Returns the lines of an example: only a line feed ends a line, and an empty text has no lines.
pub(crate) fn shown(text: &str) -> impl Iterator<Item = String> {
    text.split_inclusive('\n').map(|line| visible(line.strip_suffix('\n').unwrap_or(line)))
}

/// Wraps text at the ends of words.
fn wrapped(text: &str) -> String {
    wrap(&visible(text), Some(WIDTH), 0) + "\n"
}
