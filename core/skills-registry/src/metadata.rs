//! The keys of a frontmatter that this library does not know. Programs can give them a meaning.

use crate::rows::Pairs;

/// The value of a key in a frontmatter, or below `metadata`. It is read as the type that the program asks for.
#[derive(Clone, Debug)]
pub struct Metadata<'a> {
    rest: Pairs<'a>,
    key: &'a str,
    first: &'a str,
}

impl<'a> Metadata<'a> {
    /// Finds the first pair with a key. The other items of a list follow it.
    pub(crate) fn find(mut pairs: Pairs<'a>, key: &str) -> Option<Self> {
        let (key, first) = pairs.find(|(found, _)| *found == key)?;
        Some(Self { rest: pairs, key, first })
    }

    /// Returns the text of a scalar, or of the first item of a list.
    pub fn text(&self) -> &'a str {
        self.first
    }

    /// Returns the value as `true` or `false`. `None` for any other text.
    pub fn flag(&self) -> Option<bool> {
        self.first.parse().ok()
    }

    /// Returns the value as a number of any type that Rust parses. `None` for any other text.
    ///
    /// ```
    /// # use skills_registry::{Facts, Layout, Registry, write};
    /// # let own = vec![("activation.max_tokens".to_owned(), "2000".to_owned())];
    /// # let pdf = Facts { name: "pdf".to_owned(), own, ..Facts::default() };
    /// # let registry = Registry::new(write(&[pdf.into()], Layout::Joined, 8_000)?.into_tables());
    /// // activation:
    /// //   max_tokens: 2000
    /// let skill = registry.get("pdf").ok_or("no such skill")?;
    /// assert_eq!(skill.metadata("activation.max_tokens").and_then(|value| value.number::<u32>()), Some(2000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn number<N: std::str::FromStr>(&self) -> Option<N> {
        self.first.parse().ok()
    }

    /// Returns the items of a list; a scalar is a list with one item.
    pub fn items(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let key = self.key;
        let rest = self.rest.clone().take_while(move |(other, _)| *other == key);
        std::iter::once(self.first).chain(rest.map(|(_, value)| value))
    }
}
