//! Skills become the JSON that lists show: the same on a terminal and over HTTP (SPEC 11.1, 11.2).

use skills_registry::{Resource, Skill};
use skills_schema::json::make::{array, boolean, null, number, object, string};
use skills_schema::json::{self, Node};

/// One skill of a list, and what the list knows of it besides.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Whether a capability it needs is refused; only complete lists hold such skills (SPEC 2.9).
    pub is_gated: bool,
    /// The path of the skill that hides it; only complete lists hold such skills (SPEC 1.6).
    pub shadowed_by: Option<String>,
}

impl<'a> Listed<'a> {
    /// Lists a skill that is neither gated nor hidden.
    pub fn new(skill: Skill<'a>) -> Self {
        Self { skill, is_gated: false, shadowed_by: None }
    }

    /// Returns the record of the skill, an object with the keys of SPEC 11.1 in their order.
    pub fn record(&self) -> Node {
        object(self.members())
    }

    /// Returns all there is to know of the skill: its record, then frontmatter, body, resources, input and output
    /// (SPEC 11.2).
    ///
    /// The input is the schema of `skill.json`, else the one of the skill's program (SPEC 4.3). `rest` is what else the
    /// caller knows of it.
    pub fn detail(&self, rest: impl IntoIterator<Item = (&'static str, Node)>) -> Node {
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
        members.extend(rest);
        object(members)
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
