//! The explanation and the examples of each rule, for `skills explain`, the page of all rules, SARIF and editors.
//!
//! A build does not print these texts, so they are not in the table of `skills-core`.

#[macro_use]
mod example;
mod claims;
mod commands;
mod config;
mod evals;
mod fields;
mod files {
    pub(super) mod links;
    pub(super) mod names;
    pub(super) mod roots;
    pub(super) mod sizes;
    pub(super) mod texts;
}
mod frontmatter;
mod json;
mod lints;
mod manifest;
mod modes;
mod packages;
mod permissions;
mod pipelines;
mod plugins;
mod projects;
mod schemas;
mod templates;

use skills_core::rule::Rule;

pub use commands::EXAMPLE as EXAMPLE_COMMANDS;

/// The texts of one rule.
#[derive(Debug)]
pub struct RuleText {
    /// The rule.
    pub rule: &'static Rule,
    /// The explanation: the cause and the reason for the rule, in one paragraph.
    pub explain: &'static str,
    /// The files of a directory that breaks the rule.
    pub bad: Example,
    /// The same directory, fixed.
    pub good: Example,
}

/// The files of an example: path and text.
///
/// A path may end in ` -> TARGET` (a symbolic link), ` (fifo)`, ` (executable)`, ` (linked)` (a hard link to
/// a file outside), ` (unreadable)` (without any permission), ` (latin-1)` (the text is written in that
/// encoding), ` (latin-1 name)` (the path is written in that encoding) or ` (N bytes)` (the text is repeated
/// to that size). The path `.` is the root: `. (missing)` is a missing root, `. (file)` a file at its path.
pub type Example = &'static [(&'static str, &'static str)];

impl RuleText {
    /// Returns a text without an explanation; the default fixed example is the skill `pdf`.
    const fn of(rule: &'static Rule) -> Self {
        Self { rule, explain: "", bad: &[], good: &[example::PDF] }
    }

    /// Returns the first sentence of the explanation.
    pub fn first_sentence(&self) -> &'static str {
        self.explain.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }
}

/// Returns the texts of all rules, in no particular order.
pub fn all() -> impl Iterator<Item = &'static RuleText> {
    let groups = [
        files::roots::TEXTS,
        files::names::TEXTS,
        files::texts::TEXTS,
        files::sizes::TEXTS,
        files::links::TEXTS,
        packages::TEXTS,
        frontmatter::TEXTS,
        fields::TEXTS,
        lints::TEXTS,
        claims::TEXTS,
        commands::TEXTS,
        json::TEXTS,
        manifest::TEXTS,
        modes::TEXTS,
        schemas::TEXTS,
        templates::TEXTS,
        pipelines::TEXTS,
        permissions::TEXTS,
        evals::TEXTS,
        plugins::TEXTS,
        projects::TEXTS,
        config::TEXTS,
    ];
    groups.into_iter().flatten()
}

/// Returns the texts of a rule.
pub fn text(rule: &Rule) -> &'static RuleText {
    all().find(|text| text.rule.code == rule.code).expect("a test asserts that each rule has texts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_explained_once_with_both_examples() {
        for rule in skills_core::rule::all() {
            let texts: Vec<_> = all().filter(|text| text.rule.code == rule.code).collect();
            let [text] = texts[..] else { panic!("`{}` has {} texts", rule.code, texts.len()) };
            assert!(text.explain.len() > 80, "`{}` explains too little", rule.code);
            assert!(!text.bad.is_empty() && !text.good.is_empty(), "`{}` has no examples", rule.code);
        }
    }
}
