//! The error of a failed look-up, and its four texts.

use skills_text::nearest;

/// The error when no skill has the given name.
///
/// Its `Display` is for people: `skill not found: X`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// The name that was looked up.
    pub name: String,
    /// The available names, sorted.
    pub available: Vec<String>,
    /// The name that the caller probably meant.
    pub nearest: Option<String>,
}

impl NotFound {
    /// Creates the error for `name`, which is not in `available`.
    pub fn new<'a>(name: &str, available: impl Iterator<Item = &'a str>) -> Self {
        let available: Vec<String> = available.map(str::to_owned).collect();
        let nearest = nearest(name, available.iter().map(String::as_str)).map(str::to_owned);
        Self { name: name.to_owned(), available, nearest }
    }

    /// Returns the error text of the tool `skill`: `Error: skill 'X' not found. Available skills: a, b.`
    pub fn skill_tool_text(&self) -> String {
        format!("Error: skill '{}' not found. Available skills: {}.", self.name, self.names())
    }

    /// Returns the error text of the tool `load_skill`: `Skill "X" not found. Available skills: a, b`
    pub fn load_skill_text(&self) -> String {
        format!("Skill \"{}\" not found. Available skills: {}", self.name, self.names())
    }

    /// Returns the error text of a call: `Skill "X" not found in registry`
    pub fn call_text(&self) -> String {
        format!("Skill \"{}\" not found in registry", self.name)
    }

    fn names(&self) -> String {
        if self.available.is_empty() { "none".to_owned() } else { self.available.join(", ") }
    }
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "skill not found: {}", self.name)
    }
}

impl std::error::Error for NotFound {}

#[cfg(test)]
mod tests {
    use super::NotFound;

    #[test]
    fn the_texts_follow_the_contract() {
        // SPEC 8.3
        let error = NotFound::new("pfd", ["code-review", "pdf"].into_iter());
        assert_eq!(error.to_string(), "skill not found: pfd");
        assert_eq!(
            error.skill_tool_text(),
            "Error: skill 'pfd' not found. Available skills: code-review, pdf."
        );
        assert_eq!(error.load_skill_text(), "Skill \"pfd\" not found. Available skills: code-review, pdf");
        assert_eq!(error.call_text(), "Skill \"pfd\" not found in registry");
        assert_eq!(error.nearest.as_deref(), Some("pdf"));

        let empty = NotFound::new("x", [].into_iter());
        assert_eq!(empty.skill_tool_text(), "Error: skill 'x' not found. Available skills: none.");
        assert_eq!(empty.load_skill_text(), "Skill \"x\" not found. Available skills: none");
        assert_eq!(empty.nearest, None);
    }
}
