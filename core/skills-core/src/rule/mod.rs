//! The rule table: every rule is one entry, and a diagnostic names its entry.
//!
//! The printers and the golden tests walk this table. The explanations and the examples of the rules are in `skills-report`,
//! because a build does not need them.

use skills_text::sort;

use crate::level::Level;

/// Declares the rules of several modules, and collects the rules of each module in its `ALL`, so that no rule is
/// missing from the table.
macro_rules! rules {
    ($($(#[$about:meta])* $vis:vis mod $group:ident {
        $($(#[$doc:meta])* $name:ident = $kind:ident($code:literal, $spec:literal, [$($level:ident),*])$(.$hides:ident())?;)*
    })*) => {
        $($(#[$about])* $vis mod $group {
            use $crate::level::Level;
            use $crate::rule::Rule;

            $($(#[$doc])* pub static $name: Rule = Rule::$kind($code, $spec, [$(Level::$level),*])$(.$hides())?;)*

            pub(in crate::rule) static ALL: &[&Rule] = &[$(&$name),*];
        })*
    };
}

mod function;
mod project;
mod skill;

pub use function::{evals, json, manifest, modes, permissions, pipelines, schemas, templates};
pub use project::{config, packages, plugins, projects};
pub use skill::{claims, commands, fields, files, frontmatter, lints};

use skill::{links, names, roots, sizes, texts};

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The name of the rule in kebab case; it never changes.
    pub code: &'static str,
    /// The numbers of the specification's rules that this rule implements.
    pub spec: &'static str,
    /// Whether users may lower its level.
    pub lint: bool,
    /// Whether a problem of this rule hides other problems until it is fixed. Fixes of such a rule are
    /// applied before the fixes of other rules.
    pub hides: bool,
    /// Its level when skills are bundled at build time.
    pub bundle: Level,
    /// Its level for skills on disk at run time.
    pub disk: Level,
    /// Its level when only the open Agent Skills standard counts.
    pub standard: Level,
}

impl Rule {
    /// Returns a rule that users cannot lower: its code, its source, its levels.
    const fn error(code: &'static str, spec: &'static str, [bundle, disk, standard]: [Level; 3]) -> Self {
        Self { code, spec, lint: false, hides: false, bundle, disk, standard }
    }

    /// Returns a rule whose level users may set.
    const fn lint(code: &'static str, spec: &'static str, levels: [Level; 3]) -> Self {
        Self { lint: true, ..Self::error(code, spec, levels) }
    }

    /// Sets that a problem of this rule hides others.
    const fn hides(self) -> Self {
        Self { hides: true, ..self }
    }
}

/// A group of rules with its title.
type Group = (&'static str, &'static [&'static Rule]);

/// Returns all rules by group, in the order in which users are likely to encounter them.
pub fn groups() -> [Group; 22] {
    [
        ("Directories", roots::ALL),
        ("Names of files", names::ALL),
        ("Texts of files", texts::ALL),
        ("Packages", packages::ALL),
        ("Sizes", sizes::ALL),
        ("Symbolic links", links::ALL),
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
        }
    }
}
