//! The options that a user can set, in the macro or in the build script.

use skills_core::level::Level;
use skills_core::options::{FormatPolicy, Options as CheckOptions};
use skills_text::sort;

/// Options, as given. The last value of an option counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct BundleOptions {
    levels: Vec<(String, Level)>,
    limits: Vec<(&'static str, u64)>,
    formats: Option<FormatPolicy>,
    /// Whether files `NAME.md` are skills.
    pub(crate) flat: bool,
    /// Whether the Rust blocks of the texts are documentation tests.
    pub(crate) doctest: bool,
}

/// The options that set a level.
pub(crate) const LEVELS: [(&str, Level); 3] =
    [("deny", Level::Error), ("warn", Level::Warning), ("allow", Level::Allow)];

/// The option that sets whether `format` in a schema is asserted.
pub(crate) const FORMATS: &str = "formats";

/// The option that accepts files `NAME.md` as skills.
pub(crate) const FLAT: &str = "flat";

/// The option that makes the Rust blocks of the texts documentation tests.
pub(crate) const DOCTEST: &str = "doctest";

/// The values of [`FORMATS`]: the word in the macro, the variant in the build script.
pub(crate) const FORMAT_POLICIES: [(&str, &str, FormatPolicy); 2] =
    [("assert", "Assert", FormatPolicy::Assert), ("ignore", "Ignore", FormatPolicy::Ignore)];

/// The options with a number as their value, each with the function that sets it.
pub(crate) const LIMITS: [(&str, SetLimit); 4] = [
    ("catalog_budget", |to, tokens| to.catalog_budget = Some(usize::try_from(tokens).unwrap_or(usize::MAX))),
    ("file_cap", |to, bytes| to.read.file_cap = Some(bytes)),
    ("skill_cap", |to, bytes| to.read.skill_cap = Some(bytes)),
    ("bundle_cap", |to, bytes| to.read.bundle_cap = Some(bytes)),
];
type SetLimit = fn(&mut CheckOptions, u64);

impl BundleOptions {
    pub(crate) fn set_level(&mut self, rule: &str, level: Level) {
        let rule = rule.replace('_', "-");
        self.levels.retain(|(other, _)| *other != rule);
        self.levels.push((rule, level));
    }

    /// Sets a limit of [`LIMITS`].
    pub(crate) fn set_limit(&mut self, name: &'static str, value: u64) {
        self.limits.retain(|(other, _)| *other != name);
        self.limits.push((name, value));
    }

    /// Sets whether `format` in a schema is asserted.
    pub(crate) fn set_formats(&mut self, policy: FormatPolicy) {
        // The default is not stored, so it equals an unset option.
        self.formats = (policy != FormatPolicy::default()).then_some(policy);
    }

    /// Returns the options for checking the skills. Fails if rules are unknown or their level cannot be lowered;
    /// the error names all of them.
    pub(crate) fn check_options(&self) -> Result<CheckOptions, Vec<String>> {
        let mut options = CheckOptions::default();
        let wrong = self.add_to(&mut options);
        if wrong.is_empty() { Ok(options) } else { Err(wrong) }
    }

    /// Sets the options for checking the skills that are not set yet. Returns an error for each rule that is unknown or
    /// cannot be lowered.
    pub(crate) fn add_to(&self, options: &mut CheckOptions) -> Vec<String> {
        let mut own = CheckOptions::default();
        let wrong: Vec<String> = self
            .levels
            .iter()
            .filter_map(|(rule, level)| Some(own.levels.set(rule, *level).err()?.to_string()))
            .collect();
        for (_, set, value) in self.set_limits() {
            set(&mut own, value);
        }
        options.levels.put_all(&own.levels);
        options.catalog_budget = options.catalog_budget.or(own.catalog_budget);
        let read = &mut options.read;
        read.file_cap = read.file_cap.or(own.read.file_cap);
        read.skill_cap = read.skill_cap.or(own.read.skill_cap);
        read.bundle_cap = read.bundle_cap.or(own.read.bundle_cap);
        options.formats = self.formats.unwrap_or_default();
        options.read.flat = self.flat;
        options.doctest = self.doctest;
        wrong
    }

    /// Returns `true` if no option was set.
    pub(crate) fn is_empty(&self) -> bool {
        self.levels.is_empty()
            && self.limits.is_empty()
            && self.formats.is_none()
            && !self.flat
            && !self.doctest
    }

    /// Returns the options in the syntax of the macro: `deny(a, b), file_cap(1)`. Equal options give equal
    /// texts.
    pub(crate) fn in_macro(&self) -> String {
        let mut parts = Vec::new();
        for (word, rules) in self.rules() {
            parts.push(format!("{word}({})", rules.join(", ")));
        }
        parts.extend(self.set_limits().map(|(name, _, value)| format!("{name}({value})")));
        if let Some((word, _)) = self.policy() {
            parts.push(format!("{FORMATS}({word})"));
        }
        parts.extend(self.words().map(str::to_owned));
        parts.join(", ")
    }

    /// Returns the options in the syntax of the build script: `.deny("a").deny("b").file_cap(1)`.
    pub(crate) fn in_build_script(&self) -> String {
        let mut text = String::new();
        for (word, rules) in self.rules() {
            for rule in rules {
                text.push_str(&format!(".{word}({rule:?})"));
            }
        }
        for (name, _, value) in self.set_limits() {
            text.push_str(&format!(".{name}({value})"));
        }
        if let Some((_, variant)) = self.policy() {
            text.push_str(&format!(".{FORMATS}(skills_build::FormatPolicy::{variant})"));
        }
        for word in self.words() {
            text.push_str(&format!(".{word}()"));
        }
        text
    }

    /// Returns the options without a value.
    fn words(&self) -> impl Iterator<Item = &'static str> {
        [(FLAT, self.flat), (DOCTEST, self.doctest)]
            .into_iter()
            .filter_map(|(word, is_set)| is_set.then_some(word))
    }

    fn policy(&self) -> Option<(&'static str, &'static str)> {
        let mut known = FORMAT_POLICIES.iter();
        known.find(|(.., policy)| self.formats == Some(*policy)).map(|(word, variant, _)| (*word, *variant))
    }

    fn rules(&self) -> impl Iterator<Item = (&'static str, Vec<&str>)> {
        LEVELS.iter().filter_map(|(word, level)| {
            let mut rules: Vec<&str> =
                self.levels.iter().filter(|(_, set)| set == level).map(|(rule, _)| rule.as_str()).collect();
            sort(&mut rules, &|a, b| a.cmp(b));
            (!rules.is_empty()).then_some((*word, rules))
        })
    }

    /// Returns the limits that were set, in the order of [`LIMITS`].
    fn set_limits(&self) -> impl Iterator<Item = (&'static str, SetLimit, u64)> {
        LIMITS.into_iter().filter_map(|(name, set)| {
            let (_, value) = self.limits.iter().find(|(known, _)| *known == name)?;
            Some((name, set, *value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_one_way() {
        let mut options = BundleOptions::default();
        assert!(options.is_empty() && options.in_macro().is_empty());
        options.set_limit("file_cap", 7);
        options.set_level("name_mismatch", Level::Error);
        options.set_level("long-body", Level::Error);
        options.set_level("long_body", Level::Allow);
        options.set_level("body", Level::Error);
        assert_eq!(options.in_macro(), "deny(body, name-mismatch), allow(long-body), file_cap(7)");
        assert_eq!(
            options.in_build_script(),
            r#".deny("body").deny("name-mismatch").allow("long-body").file_cap(7)"#
        );
        assert_eq!(options.check_options().unwrap_err().len(), 1, "`body` is not a rule");
    }

    // SPEC 6.1
    #[test]
    fn formats_are_written_one_way() {
        for (word, variant, policy) in FORMAT_POLICIES {
            let mut options = BundleOptions::default();
            options.set_formats(policy);
            assert!(!options.is_empty());
            assert_eq!(options.check_options().unwrap().formats, policy);
            assert_eq!(options.in_macro(), format!("formats({word})"));
            let written = format!(".formats(skills_build::FormatPolicy::{variant})");
            assert_eq!(options.in_build_script(), written);
            options.set_formats(FormatPolicy::AsDraft);
            assert!(options.is_empty(), "the default is the same as an unset option");
        }
    }

    // SPEC 17.6: an option that is written has precedence over `skills.toml`, even if its value is the default
    #[test]
    fn a_written_default_has_precedence_over_the_file() {
        let file = "catalog-budget = 1\nfile-cap = 2\nskill-cap = 3\nbundle-cap = 4\n\
                    [rules]\nname-mismatch = \"deny\"\nlong-body = \"allow\"\n";
        let values = |options: &CheckOptions| {
            let read = &options.read;
            let caps = [read.file_cap, read.skill_cap, read.bundle_cap];
            [options.catalog_budget.map(|tokens| tokens as u64), caps[0], caps[1], caps[2]]
        };
        let applied = |options: &BundleOptions| {
            let mut options = options.check_options().unwrap();
            skills_core::config::parse("skills.toml", file.to_owned()).apply(&mut options);
            options
        };
        assert_eq!(values(&applied(&BundleOptions::default())), [1, 2, 3, 4].map(Some));
        let defaults = [8_000, 10 << 20, 50 << 20, 200 << 20];
        let mut written = BundleOptions::default();
        for ((name, _), value) in LIMITS.into_iter().zip(defaults) {
            written.set_limit(name, value);
        }
        for rule in ["name-mismatch", "long-body"] {
            written.set_level(rule, skills_core::rule::find(rule).unwrap().bundle);
        }
        let applied = applied(&written);
        assert_eq!(values(&applied), defaults.map(Some));
        let mut plain = CheckOptions::default();
        for rule in ["name-mismatch", "long-body"] {
            plain.levels.set(rule, skills_core::rule::find(rule).unwrap().bundle).unwrap();
        }
        assert_eq!(applied.levels, plain.levels);
        // The macro reads the same options.
        let tokens: proc_macro2::TokenStream = format!("\"skills\", {}", written.in_macro()).parse().unwrap();
        let arguments = crate::expand::macro_options(tokens);
        assert_eq!(arguments.in_macro(), written.in_macro());
    }

    #[test]
    fn every_limit_has_a_field() {
        for (name, _) in LIMITS {
            let mut options = BundleOptions::default();
            options.set_limit(name, 7);
            assert_ne!(options.check_options().unwrap(), CheckOptions::default(), "{name}");
        }
    }
}
