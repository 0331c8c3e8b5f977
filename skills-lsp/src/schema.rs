//! What a path of a template reads: the part of a schema of the skill, or of a step's skill, that says it (SPEC 5.5); and
//! what the schema of `skill.json` says of a path there.

use skills_core::meta;
use skills_core::tree::Node;
use skills_schema::Part as Schema;

use crate::index::Skill;
use crate::root::Root;

/// A part of a schema, and whose that is.
pub(crate) struct Part<'n> {
    /// What it is, behind its references.
    pub(crate) schema: Schema<'n>,
    /// The directory of the skill that has it.
    pub(crate) dir: &'n str,
    pub(crate) whose: String,
    /// Whether the text of the schema is broken, so that its places say nothing.
    pub(crate) is_drafted: bool,
}

impl<'n> Part<'n> {
    fn of(root: &'n Root, skill: &'n Skill, key: &str) -> Option<Self> {
        let schema = resolved(skill.schema(root.session(), key)?);
        let whose = format!("the {key} of `{}`", skill.name);
        Some(Self { schema, dir: &skill.dir, whose, is_drafted: skill.is_drafted })
    }
}

/// Follows references, up to a bound.
pub(crate) fn resolved(mut schema: Schema<'_>) -> Schema<'_> {
    for _ in 0..32 {
        let Some(target) = schema.reference() else { break };
        schema = target;
    }
    schema
}

/// Returns the schema of a property, or of the items of an array for a number.
fn member<'n>(schema: Schema<'n>, key: &str) -> Option<Schema<'n>> {
    let property = schema.get("properties").and_then(|properties| properties.get(key));
    property.or_else(|| schema.get("items").filter(|_| key.parse::<usize>().is_ok()))
}

/// Returns what the schema of `skill.json` says of the value at a path; what is written beside a reference is its own.
pub(crate) fn of_manifest(path: &[&str]) -> Option<Schema<'static>> {
    path.iter().try_fold(meta::skill().root(), |schema, key| member(resolved(schema), key))
}

/// Returns the properties, each with its schema.
pub(crate) fn members(schema: Schema<'_>) -> Vec<(&str, Schema<'_>)> {
    let members = schema.members_of("properties").into_iter();
    members.map(|member| (member.key, resolved(member.value))).collect()
}

/// Says in a word or two what values a schema takes.
pub(crate) fn kind(schema: Schema<'_>) -> String {
    let values = schema.items_of("enum");
    if !values.is_empty() {
        let written = values.iter().map(|value| value.as_str().unwrap_or(value.text()));
        return written.collect::<Vec<_>>().join(" | ");
    }
    match (schema.types().as_slice(), schema.get("items")) {
        ([], _) => "any".to_owned(),
        (["array"], Some(items)) => format!("array of {}", kind(resolved(items))),
        (types, _) => types.join(" | "),
    }
}

/// Returns what a schema says about itself.
pub(crate) fn description<'n>(schema: Schema<'n>) -> &'n str {
    schema.get("description").and_then(Schema::as_str).unwrap_or_default()
}

/// Finds what a path reads in the templates of a skill; an empty path is nothing.
pub(crate) fn read<'r>(root: &'r Root, skill: &'r Skill, path: &[String]) -> Option<Part<'r>> {
    let (first, mut rest) = path.split_first()?;
    let mut part = match first.as_str() {
        "input" => Part::of(root, skill, "input")?,
        "steps" => {
            let (step, after) = rest.split_first()?;
            rest = after;
            let called = step_of(skill, step)?.get("skill")?.as_string()?;
            Part::of(root, root.find(called)?, "output")?
        }
        _ => return None,
    };
    part.is_drafted |= skill.is_drafted;
    for key in rest {
        part.schema = resolved(member(part.schema, key)?);
    }
    Some(part)
}

/// Finds a step of a skill by its name.
pub(crate) fn step_of<'s>(skill: &'s Skill, name: &str) -> Option<&'s Node> {
    steps(skill).iter().find(|step| step.get("step").and_then(Node::as_string) == Some(name))
}

/// Returns the steps of a skill.
pub(crate) fn steps(skill: &Skill) -> &[Node] {
    let pipeline = skill.manifest.as_ref().and_then(|manifest| manifest.get("pipeline"));
    pipeline.and_then(Node::as_list).unwrap_or_default()
}
