//! Writes lists of skills as JSON, for the terminal and for HTTP.

use skills_registry::{Resource, Skill};
use skills_schema::json::make::{array, boolean, null, number, object, string};
use skills_schema::json::{self, Node};

/// A skill in a list, with additional facts.
#[derive(Clone, Debug)]
#[must_use]
pub struct Listed<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Whether a required capability is refused. Only complete lists contain such skills.
    pub is_gated: bool,
    /// The path of the skill that hides it. Only complete lists contain such skills.
    pub shadowed_by: Option<String>,
    /// Whether it can be called in this environment, or the reason why not. `None` if this was not checked.
    pub callable: Option<Result<(), String>>,
    /// Whether it is in a workspace that is not trusted, so that it is inactive.
    pub is_untrusted: bool,
    /// The required programs that are not installed. Empty if this was not checked.
    pub missing_requires: Vec<&'a str>,
    /// The search score. `None` in a list that is not a search result.
    pub score: Option<f32>,
}

impl<'a> Listed<'a> {
    /// Lists a skill that is neither gated nor hidden nor untrusted.
    pub fn new(skill: Skill<'a>) -> Self {
        Self {
            skill,
            is_gated: false,
            shadowed_by: None,
            callable: None,
            is_untrusted: false,
            missing_requires: Vec::new(),
            score: None,
        }
    }

    /// Sets the search score: the last key of the record, with two decimals.
    pub fn score(self, score: f32) -> Self {
        Self { score: Some(score), ..self }
    }

    /// Sets whether it can be called, from a result of [`backend_with_callees`](crate::capabilities::backend_with_callees).
    pub fn backend<W, M: std::fmt::Display>(self, backend: Result<W, M>) -> Self {
        Self { callable: Some(backend.map(|_| ()).map_err(|missing| missing.to_string())), ..self }
    }

    /// Returns the record of the skill: an object with fixed keys in a fixed order.
    pub fn record(&self) -> Node {
        let mut members = self.members();
        // Without a `skill.json`, the record has only the keys common to all lists of skills (SPEC 11.1).
        if self.skill.mode().is_some() {
            members.extend(self.callable());
        }
        members.extend(self.score.map(|score| ("score", number(format!("{score:.2}")))));
        object(members)
    }

    /// Returns all facts about the skill: its record, then frontmatter, body, resources, input and output,
    /// whether it can be called, and the required programs that are missing.
    ///
    /// The input is the schema of `skill.json`, or else the schema of the skill's program.
    pub fn detail(&self) -> Node {
        let skill = self.skill;
        let resource = |file: Resource<'_>| {
            object([
                ("path", string(file.path())),
                ("bytes", number(file.size())),
                ("executable", boolean(file.is_executable())),
                ("sha256", string(file.sha256_hex())),
            ])
        };
        let parsed = |text: &str| json::parse(text).ok();
        let schema = |text: Option<&str>| text.and_then(parsed).unwrap_or_else(null);
        let mut members = self.members();
        members.extend([
            ("frontmatter", parsed(skill.frontmatter()).unwrap_or_else(|| object([]))),
            ("body", string(skill.shown_body())),
            ("resources", array(skill.resources().map(resource))),
            ("input", schema(skill.input_document().map(|(_, text)| text))),
            ("output", schema(skill.output_schema())),
        ]);
        if let Some(pinned) = skill.pinned_tool() {
            let pinned = object([("server", string(pinned.server)), ("tool", string(pinned.tool))]);
            members.push(("mcp", pinned));
        }
        let mut inert = skill.inert_keys().peekable();
        if inert.peek().is_some() {
            members.push(("inert", array(inert.map(string))));
        }
        members.extend(self.callable());
        if !self.missing_requires.is_empty() {
            members.push(("missing_requires", array(self.missing_requires.iter().copied().map(string))));
        }
        object(members)
    }

    /// Returns `callable` and, for a function that is not callable, `missing`.
    fn callable(&self) -> Vec<(&'static str, Node)> {
        let Some(callable) = &self.callable else { return Vec::new() };
        let mut members = vec![("callable", boolean(callable.is_ok()))];
        if let (Some(_), Err(missing)) = (self.skill.backend(), callable) {
            members.push(("missing", string(missing.as_str())));
        }
        members
    }

    fn members(&self) -> Vec<(&'static str, Node)> {
        let skill = self.skill;
        let from = |tier, text: Option<&str>| text.filter(|_| skill.tier() >= tier).map_or_else(null, string);
        let mut members = vec![
            ("name", string(skill.name())),
            ("version", string(skill.version())),
            ("tier", number(skill.tier())),
            ("description", string(skill.description())),
            ("exec", from(2, skill.exec())),
            ("schema", from(3, skill.schema())),
            ("path", string(skill.base())),
            ("requires", array(skill.requires().map(string))),
        ];
        if self.is_gated {
            members.push(("gated", boolean(true)));
        }
        if self.is_untrusted {
            members.push(("trusted", boolean(false)));
        }
        if let Some(winner) = &self.shadowed_by {
            members.push(("shadowed_by", string(winner.as_str())));
        }
        if let Some(mode) = skill.mode() {
            members.push(("mode", string(mode.as_str())));
            members.push(("category", skill.category().map_or_else(null, string)));
            members.push(("tags", array(skill.tags().map(string))));
        }
        if let Some(source) = skill.source() {
            members.push(("source", string(source.name)));
            members.push(("revision", source.revision.map_or_else(null, string)));
        }
        if let Some(asked) = skill.permissions() {
            members.push(("permissions", asked.to_node()));
        }
        members
    }
}

/// Formats skills as a JSON array, indented by two spaces; `[]` for an empty list.
///
/// ```
/// assert_eq!(skills_runtime::listing::listing([]), "[]");
/// ```
pub fn listing<'a>(skills: impl IntoIterator<Item = Listed<'a>>) -> String {
    array(skills.into_iter().map(|listed| listed.record())).indented(0)
}
