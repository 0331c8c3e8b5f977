//! Skills become the JSON that lists show: the same on a terminal and over HTTP (SPEC 11.1, 11.2).

use skills_registry::{Resource, Skill};
use skills_schema::json::make::{array, boolean, null, number, object, string};
use skills_schema::json::{self, Node};

/// One skill of a list, and what the list knows of it besides.
#[derive(Clone, Debug)]
#[must_use]
pub struct Listed<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Whether a capability it needs is refused; only complete lists hold such skills (SPEC 2.9).
    pub is_gated: bool,
    /// The path of the skill that hides it; only complete lists hold such skills (SPEC 1.6).
    pub shadowed_by: Option<String>,
    /// Whether it can be called with what is at hand, else why not (SPEC 6.2); nothing where nobody asked.
    pub callable: Option<Result<(), String>>,
    /// Whether nobody answers for the workspace it comes from, so that it does nothing (SPEC 14.10).
    pub is_untrusted: bool,
    /// The programs that it requires and that are not on this machine; none where nobody asked (SPEC 11.15).
    pub missing_requires: Vec<&'a str>,
    /// How well it fits what was searched for; nothing in a list that is none of a search (SPEC 16.7).
    pub score: Option<f32>,
}

impl<'a> Listed<'a> {
    /// Lists a skill that is neither gated nor hidden, and may run.
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

    /// Says how well it fits what was searched for: the last key of its record, with two decimals.
    pub fn score(self, score: f32) -> Self {
        Self { score: Some(score), ..self }
    }

    /// Says whether it can be called, by what [`at_hand::all`](crate::at_hand::all) says.
    pub fn way<W, M: std::fmt::Display>(self, way: Result<W, M>) -> Self {
        Self { callable: Some(way.map(|_| ()).map_err(|missing| missing.to_string())), ..self }
    }

    /// Returns the record of the skill, an object with the keys of SPEC 11.1 in their order.
    pub fn record(&self) -> Node {
        let mut members = self.members();
        // The record of a skill without a `skill.json` has the keys of every list of skills, and no other.
        if self.skill.mode().is_some() {
            members.extend(self.callable());
        }
        members.extend(self.score.map(|score| ("score", number(format!("{score:.2}")))));
        object(members)
    }

    /// Returns all there is to know of the skill: its record, then frontmatter, body, resources, input and output, and
    /// whether it can be called (SPEC 11.2), and what it misses on this machine (SPEC 11.15).
    ///
    /// The input is the schema of `skill.json`, else the one of the skill's program (SPEC 4.3).
    pub fn detail(&self) -> Node {
        let skill = self.skill;
        let resource = |file: Resource<'_>| {
            object([
                ("path", string(file.path())),
                ("bytes", number(file.bytes().len())),
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

    /// `callable`, and `missing` for a function that is not (SPEC 11.6).
    fn callable(&self) -> Vec<(&'static str, Node)> {
        let Some(callable) = &self.callable else { return Vec::new() };
        let mut members = vec![("callable", boolean(callable.is_ok()))];
        if let (Some(_), Err(missing)) = (self.skill.way(), callable) {
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
        if let Some(asked) = skill.permissions() {
            members.push(("permissions", json::parse(&asked.to_json()).unwrap_or_else(|_| null())));
        }
        members
    }
}

/// Writes skills as a JSON array, indented by two blanks; `[]` when there are none (SPEC 11.1).
///
/// ```
/// assert_eq!(skills_runtime::listing::listing([]), "[]");
/// ```
pub fn listing<'a>(skills: impl IntoIterator<Item = Listed<'a>>) -> String {
    array(skills.into_iter().map(|listed| listed.record())).indented(0)
}
