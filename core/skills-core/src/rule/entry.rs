//! One entry of the rule table: a rule with its texts, and the macro that declares entries.

use std::fmt;

use super::example;
use crate::level::Level;

/// Declares the rules of a file, in groups with titles, and lists them in `GROUPS` and their texts in `TEXTS`, so that
/// no rule is missing from the table.
macro_rules! rules {
    ($($title:literal: $(
        $name:ident = $kind:ident($code:literal, $spec:literal, [$($level:ident),*])$(.$hides:ident())? {
            explain: $explain:literal,
            $($field:ident: $value:expr,)+
        }
    )*)*) => {
        $($(
            // The explanation is printed in terminals, too, so its URLs have no marks of Markdown.
            #[allow(rustdoc::bare_urls)]
            #[doc = $explain]
            pub static $name: $crate::rule::entry::Rule = {
                use $crate::level::Level;
                $crate::rule::entry::Rule::$kind($code, $spec, [$(Level::$level),*])$(.$hides())?
            };
        )*)*

        pub(super) static GROUPS: &[$crate::rule::entry::Group] = &[$(($title, &[$(&$name),*])),*];

        pub(super) static TEXTS: &[$crate::rule::entry::RuleText] = &[$($($crate::rule::entry::RuleText {
            explain: $explain,
            $($field: $value,)+
            ..$crate::rule::entry::RuleText::new(&$name)
        }),*),*];
    };
}

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
    pub(super) const fn error(
        code: &'static str,
        spec: &'static str,
        [bundle, disk, standard]: [Level; 3],
    ) -> Self {
        Self { code, spec, lint: false, hides: false, bundle, disk, standard }
    }

    /// Returns a rule whose level users may set.
    pub(super) const fn lint(code: &'static str, spec: &'static str, levels: [Level; 3]) -> Self {
        Self { lint: true, ..Self::error(code, spec, levels) }
    }

    /// Sets that a problem of this rule hides others.
    pub(super) const fn hides(self) -> Self {
        Self { hides: true, ..self }
    }
}

/// The reason why a name is not that of a rule, or why the level of a rule cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleError {
    /// No rule has the name.
    Unknown {
        /// The name.
        name: String,
        /// The code that is most similar to it.
        nearest: Option<&'static str>,
    },
    /// The rule is not a lint, so its level cannot be lowered.
    NotLint {
        /// The code of the rule.
        code: &'static str,
        /// The level.
        level: Level,
    },
}

impl std::error::Error for RuleError {}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest: None } => write!(f, "unknown rule `{name}`"),
            Self::Unknown { name, nearest: Some(near) } => {
                write!(f, "unknown rule `{name}`; did you mean `{near}`?")
            }
            Self::NotLint { code, level } => {
                write!(f, "`{code}` is an error, not a lint: it cannot be set to `{}`", level.as_str())
            }
        }
    }
}

/// A group of rules with its title.
pub type Group = (&'static str, &'static [&'static Rule]);

/// The texts of one rule, for `skills explain`, the page of all rules, SARIF and editors.
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
    pub(super) const fn new(rule: &'static Rule) -> Self {
        Self { rule, explain: "", bad: &[], good: &[example::PDF] }
    }

    /// Returns the first sentence of the explanation.
    pub fn first_sentence(&self) -> &'static str {
        self.explain.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }
}
