//! What a user can set: the levels of rules, in the macro or in the build script.

use skills_core::diagnostic::{Level, Levels};

/// The levels that were set, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    set: Vec<(String, Level)>,
}

impl Options {
    /// Sets the level of a rule; what is said last holds.
    pub(crate) fn set(&mut self, rule: &str, level: Level) {
        let rule = rule.replace('_', "-");
        self.set.retain(|(other, _)| *other != rule);
        self.set.push((rule, level));
    }

    /// Returns the levels.
    ///
    /// # Errors
    /// A rule is unknown or cannot be lowered; all that are wrong are named.
    pub(crate) fn levels(&self) -> Result<Levels, Vec<String>> {
        let mut levels = Levels::default();
        let wrong: Vec<String> =
            self.set.iter().filter_map(|(rule, level)| levels.set(rule, *level).err()).collect();
        if wrong.is_empty() { Ok(levels) } else { Err(wrong) }
    }

    /// Tells whether nothing was set.
    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Returns the options as the macro writes them: `deny(a, b), allow(c)`; equal options are equal texts.
    pub(crate) fn in_macro(&self) -> String {
        self.groups(|word, rules| format!("{word}({})", rules.join(", ")), ", ")
    }

    /// Returns the options as the build script writes them: `.deny("a").deny("b").allow("c")`.
    pub(crate) fn in_build_script(&self) -> String {
        self.groups(|word, rules| rules.iter().map(|rule| format!(".{word}({rule:?})")).collect(), "")
    }

    fn groups(&self, group: impl Fn(&str, &[&str]) -> String, between: &str) -> String {
        let groups = WORDS.iter().filter_map(|(word, level)| {
            let mut rules: Vec<&str> =
                self.set.iter().filter(|(_, set)| set == level).map(|(rule, _)| rule.as_str()).collect();
            rules.sort_unstable();
            (!rules.is_empty()).then(|| group(word, &rules))
        });
        groups.collect::<Vec<_>>().join(between)
    }
}

/// The options by which a level is set.
pub(crate) const WORDS: [(&str, Level); 3] =
    [("deny", Level::Error), ("warn", Level::Warning), ("allow", Level::Allow)];
