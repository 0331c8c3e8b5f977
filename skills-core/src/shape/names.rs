//! Names that are taken: a second use of one gets a longer name, in the order of the schema.

use std::collections::HashSet;

/// The names of one scope.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Takes the first name that is free: `name`, then `name` led by `parent`, then with a number.
    pub(super) fn take(&mut self, name: &str, parent: &str) -> String {
        let led = format!("{parent}{name}");
        let numbered = (2..).map(|number: u32| format!("{led}{number}"));
        let mut candidates = [name.to_owned(), led.clone()].into_iter().chain(numbered);
        // The chain has no end, so there is always a free one.
        let free = candidates.find(|candidate| !self.0.contains(candidate)).unwrap_or(led);
        self.0.insert(free.clone());
        free
    }

    /// Takes a field: `name`, then `name_2`, `name_3`, …
    pub(super) fn field(&mut self, name: &str) -> String {
        self.number(name, "_")
    }

    /// Takes a variant: `Name`, then `Name2`, `Name3`, …; behind a digit `N1_2`.
    pub(super) fn variant(&mut self, name: &str) -> String {
        let between = if name.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
        self.number(name, between)
    }

    fn number(&mut self, name: &str, between: &str) -> String {
        // `Self_` becomes `Self2`: the underscore was only there for want of the number.
        let stem = name.trim_end_matches('_');
        let numbered = (2..).map(|number: u32| format!("{stem}{between}{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let free = candidates.find(|candidate| !self.0.contains(candidate)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
