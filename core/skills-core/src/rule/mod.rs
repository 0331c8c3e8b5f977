//! The rule table: every rule is one entry, with its levels, its explanation and its examples. A diagnostic names its entry.
//!
//! Only `skills explain`, the page of all rules and the tests use the texts, so they are in statics of their own: a
//! program that does not ask for [`text`] does not contain them.

use skills_text::sort;

pub use commands::EXAMPLE_COMMANDS;
pub use entry::{Example, Group, Rule, RuleError, RuleText};

#[macro_use]
mod entry;
#[macro_use]
mod example;

pub mod claims;
pub mod commands;
pub mod evals;
pub mod fields;
pub mod files;
pub mod frontmatter;
pub mod lints;
pub mod manifest;
pub mod modes;
pub mod packages;
pub mod permissions;
pub mod pipelines;
pub mod plugins;
pub mod projects;
pub mod schemas;
pub mod templates;

/// Returns all rules by group, in the order in which users are likely to encounter them.
pub fn groups() -> impl Iterator<Item = Group> {
    let files = [
        files::GROUPS,
        packages::GROUPS,
        frontmatter::GROUPS,
        fields::GROUPS,
        lints::GROUPS,
        claims::GROUPS,
        commands::GROUPS,
        manifest::GROUPS,
        modes::GROUPS,
        schemas::GROUPS,
        templates::GROUPS,
        pipelines::GROUPS,
        permissions::GROUPS,
        evals::GROUPS,
        plugins::GROUPS,
        projects::GROUPS,
    ];
    files.into_iter().flatten().copied()
}

/// Returns the explanation and the examples of a rule.
pub fn text(rule: &Rule) -> &'static RuleText {
    texts().find(|text| text.rule.code == rule.code).expect("each entry of the table has its texts")
}

/// Returns the texts of all rules, in no particular order.
pub fn texts() -> impl Iterator<Item = &'static RuleText> {
    let files = [
        claims::TEXTS,
        commands::TEXTS,
        evals::TEXTS,
        fields::TEXTS,
        files::TEXTS,
        frontmatter::TEXTS,
        lints::TEXTS,
        manifest::TEXTS,
        modes::TEXTS,
        packages::TEXTS,
        permissions::TEXTS,
        pipelines::TEXTS,
        plugins::TEXTS,
        projects::TEXTS,
        schemas::TEXTS,
        templates::TEXTS,
    ];
    files.into_iter().flatten()
}

/// Returns all rules, sorted by code.
pub fn all() -> Vec<&'static Rule> {
    let mut rules = Vec::new();
    for (_, group) in groups() {
        rules.extend_from_slice(group);
    }
    sort(&mut rules, &|a, b| a.code.cmp(b.code));
    rules
}

/// Finds a rule by its code.
pub fn find(code: &str) -> Option<&'static Rule> {
    let rules = all();
    let at = rules.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
    rules.get(at).copied()
}

/// Finds a rule by its name in one of three spellings: `long-body`, `long_body` or, as in reports,
/// `skills::long-body`.
///
/// # Errors
/// Returns an error with the most similar code if no rule has the name.
pub fn named(name: &str) -> Result<&'static Rule, RuleError> {
    let code = name.strip_prefix("skills::").unwrap_or(name).replace('_', "-");
    find(&code).ok_or_else(|| RuleError::Unknown { name: name.to_owned(), nearest: nearest(&code) })
}

/// Returns the code that is most similar to a mistyped one.
pub fn nearest(code: &str) -> Option<&'static str> {
    skills_text::nearest(code, all().iter().map(|rule| rule.code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_kebab_case() {
        let rules = all();
        for pair in rules.windows(2) {
            assert_ne!(pair[0].code, pair[1].code);
        }
        for rule in rules {
            let is_kebab = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            assert!(rule.code.bytes().all(is_kebab), "{}", rule.code);
        }
    }

    #[test]
    fn each_rule_is_explained_with_both_examples() {
        for rule in all() {
            let text = text(rule);
            assert!(text.explain.len() > 80, "`{}` explains too little", rule.code);
            assert!(!text.bad.is_empty() && !text.good.is_empty(), "`{}` has no examples", rule.code);
        }
    }
}
