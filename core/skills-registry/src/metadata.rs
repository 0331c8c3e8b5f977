//! The keys of a frontmatter that this library does not know. Programs can give them a meaning.

use crate::layout::skill;
use crate::list::Texts;
use crate::skill::Skill;

/// The value of a key in a frontmatter, or below `metadata`. It is read as the type that the program asks for.
#[derive(Clone, Debug)]
pub struct Metadata<'a> {
    rest: Texts<'a>,
    key: &'a str,
    first: &'a str,
}

impl<'a> Metadata<'a> {
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
        let (key, mut rest) = (self.key, self.rest.clone());
        std::iter::once(self.first)
            .chain(std::iter::from_fn(move || if rest.next()? == key { rest.next() } else { None }))
    }
}

impl<'a> Skill<'a> {
    /// Finds the value of a key that belongs to the program, below `metadata` or else in the frontmatter itself.
    /// The keys of nested maps are joined with a dot: `activation.keywords`. Keys that this library knows have
    /// their own methods.
    pub fn metadata(self, key: &str) -> Option<Metadata<'a>> {
        let mut rest = self.texts(skill::OWN);
        loop {
            let (found, first) = (rest.next()?, rest.next()?);
            if found == key {
                return Some(Metadata { rest, key: found, first });
            }
        }
    }

    /// Returns the keys that [`metadata`](Self::metadata) finds, each once, in the order of the file.
    pub fn metadata_keys(self) -> impl Iterator<Item = &'a str> {
        let (mut rest, mut last) = (self.texts(skill::OWN), None);
        std::iter::from_fn(move || {
            loop {
                let (key, _) = (rest.next()?, rest.next()?);
                if last.replace(key) != Some(key) {
                    return Some(key);
                }
            }
        })
    }
}
