//! Selects skills by their tags, category, mode or text.

use crate::backend::Mode;
use crate::skill::Skill;
use skills_text::fold;

/// A filter for skills. The default matches every skill.
///
/// Comparisons ignore letter case.
///
/// ```
/// use skills_registry::{Facts, Filter, Layout, CompiledSkill, Registry, write};
/// let skill = |name: &str, description: &str| {
///     CompiledSkill::from(Facts { name: name.to_owned(), description: description.to_owned(), ..Facts::default() })
/// };
/// let skills = [skill("pdf", "Reads PDF files."), skill("csv", "Profiles tables.")];
/// let registry = Registry::new(write(&skills, Layout::Joined, 8_000)?.into_tables());
/// let filter = Filter { words: vec!["read pdf".to_owned()], ..Filter::default() };
/// let found: Vec<&str> = registry.iter().filter(|skill| filter.matches(*skill)).map(|skill| skill.name()).collect();
/// assert_eq!(found, ["pdf"]);
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The skill has all of these tags.
    pub tags: Vec<String>,
    /// The skill is in one of these categories. An empty list matches every skill, with or without a
    /// category.
    pub categories: Vec<String>,
    /// The skill has one of these modes. An empty list matches every skill, with or without a mode.
    pub modes: Vec<Mode>,
    /// Each word occurs in the name, the description or a tag. A text with spaces is split into words.
    pub words: Vec<String>,
}

impl Filter {
    /// Returns `true` if the filter matches every skill.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the filter matches a skill.
    pub fn matches(&self, skill: Skill<'_>) -> bool {
        self.has_mode(skill) && self.has_category(skill) && self.has_tags(skill) && self.has_words(skill)
    }

    fn has_mode(&self, skill: Skill<'_>) -> bool {
        self.modes.is_empty() || skill.mode().is_some_and(|mode| self.modes.contains(&mode))
    }

    fn has_category(&self, skill: Skill<'_>) -> bool {
        if self.categories.is_empty() {
            return true;
        }
        let Some(category) = skill.category().map(fold) else { return false };
        self.categories.iter().any(|wanted| fold(wanted) == category)
    }

    fn has_tags(&self, skill: Skill<'_>) -> bool {
        self.tags.iter().map(|tag| fold(tag)).all(|wanted| skill.tags().any(|tag| fold(tag) == wanted))
    }

    fn has_words(&self, skill: Skill<'_>) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let mut texts = vec![fold(skill.name()), fold(skill.description())];
        texts.extend(skill.tags().map(fold));
        let mut words = self.words.iter().flat_map(|words| words.split_whitespace()).map(fold);
        words.all(|word| texts.iter().any(|text| text.contains(&*word)))
    }
}
