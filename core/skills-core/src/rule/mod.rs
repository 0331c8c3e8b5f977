//! The rule table: every rule is one entry, and a diagnostic names its entry.
//!
//! The printers, `skills explain`, the documentation page and the golden tests walk this table.

use skills_text::sort;

use crate::level::Level;

/// Declares the rules of a module and collects them in its `ALL`, so that none is missing from the table.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $kind:ident($($head:expr),+) { $($field:ident: $value:expr,)+ })*) => {
        $($(#[$doc])* pub static $name: $crate::rule::Rule =
            $crate::rule::Rule { $($field: $value,)+ ..$crate::rule::Rule::$kind($($head),+) };)*

        pub(in crate::rule) static ALL: &[&$crate::rule::Rule] = &[$(&$name),*];
    };
}

#[macro_use]
mod example;
pub mod claims;
pub mod commands;
pub mod config;
pub mod evals;
pub mod fields;
pub mod files;
pub mod frontmatter;
pub mod json;
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

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The name of the rule in kebab case; it never changes.
    pub code: &'static str,
    /// The numbers of the rules in the specification that it implements.
    pub spec: &'static str,
    /// Whether users may lower its level.
    pub lint: bool,
    /// Whether a problem of this rule hides others, which are found only after it is fixed. Its fixes are
    /// applied before the fixes of other rules.
    pub hides: bool,
    /// Its level when skills are bundled at build time.
    pub bundle: Level,
    /// Its level for skills on disk at run time.
    pub disk: Level,
    /// Its level when only the open Agent Skills standard counts.
    pub standard: Level,
    /// The explanation: the cause and the reason for the rule, in one paragraph.
    pub explain: &'static str,
    /// The files of a directory that breaks the rule.
    pub bad: Example,
    /// The same directory, fixed.
    pub good: Example,
}

impl Rule {
    /// Returns a rule that users cannot lower: its code, its source, its levels. The default fixed example is
    /// the skill `pdf`.
    const fn error(code: &'static str, spec: &'static str, [bundle, disk, standard]: [Level; 3]) -> Self {
        Self {
            code,
            spec,
            lint: false,
            hides: false,
            bundle,
            disk,
            standard,
            explain: "",
            bad: &[],
            good: &[example::PDF],
        }
    }

    /// Returns a rule whose level users may set.
    const fn lint(code: &'static str, spec: &'static str, levels: [Level; 3]) -> Self {
        Self { lint: true, ..Self::error(code, spec, levels) }
    }
}

/// The files of an example: path and text.
///
/// A path may end in ` -> TARGET` (a symbolic link), ` (fifo)`, ` (executable)`, ` (linked)` (a hard link to
/// a file outside), ` (unreadable)` (without any permission), ` (latin-1)` (the text is written in that
/// encoding), ` (latin-1 name)` (the path is) or ` (N bytes)` (the text is repeated to that size). The path
/// `.` is the root: `. (missing)` is a missing root, `. (file)` a file at its path.
pub type Example = &'static [(&'static str, &'static str)];

/// A group of rules with its title.
type Group = (&'static str, &'static [&'static Rule]);

/// Returns all rules by group, in the order in which people meet them.
pub fn groups() -> [Group; 22] {
    [
        ("Directories", files::roots::ALL),
        ("Names of files", files::names::ALL),
        ("Texts of files", files::texts::ALL),
        ("Packages", packages::ALL),
        ("Sizes", files::sizes::ALL),
        ("Symbolic links", files::links::ALL),
        ("Frontmatter", frontmatter::ALL),
        ("Keys of the frontmatter", fields::ALL),
        ("Quality", lints::ALL),
        ("Statements of texts", claims::ALL),
        ("Commands", commands::ALL),
        ("JSON", json::ALL),
        ("skill.json", manifest::ALL),
        ("Modes and programs", modes::ALL),
        ("Schemas", schemas::ALL),
        ("Templates", templates::ALL),
        ("Pipelines", pipelines::ALL),
        ("Permissions", permissions::ALL),
        ("Evals", evals::ALL),
        ("Plugins", plugins::ALL),
        ("Projects", projects::ALL),
        ("skills.toml", config::ALL),
    ]
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
/// Returns a message with the most similar code if no rule has the name.
pub fn named(name: &str) -> Result<&'static Rule, String> {
    let code = name.strip_prefix("skills::").unwrap_or(name).replace('_', "-");
    find(&code).ok_or_else(|| match nearest(&code) {
        Some(near) => format!("unknown rule `{name}`; did you mean `{near}`?"),
        None => format!("unknown rule `{name}`"),
    })
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
            assert!(rule.explain.len() > 80, "`{}` explains too little", rule.code);
            assert!(!rule.bad.is_empty() && !rule.good.is_empty(), "`{}` has no examples", rule.code);
        }
    }
}
