//! Finds the schema of the value that a template path reads, and the schema of a path in `skill.json`.

use skills_core::meta;
use skills_core::tree::Node;
use skills_schema::Part as Schema;

use crate::index::IndexedSkill;
use crate::root::Root;

/// A part of a schema, with its owner.
pub(crate) struct OwnedPart<'n> {
    /// The part, with its references resolved.
    pub(crate) schema: Schema<'n>,
    /// The directory of the skill that owns it.
    pub(crate) dir: &'n str,
    pub(crate) whose: String,
    /// Whether the text of the schema is incomplete, so that its spans are meaningless.
    pub(crate) is_drafted: bool,
}

impl<'n> OwnedPart<'n> {
    fn new(root: &'n Root, skill: &'n IndexedSkill, key: &str) -> Option<Self> {
        let schema = resolved(skill.schema(root.session(), key)?);
        let whose = format!("the {key} of `{}`", skill.name);
        Some(Self { schema, dir: &skill.dir, whose, is_drafted: skill.is_drafted })
    }
}

/// Follows references, up to a limit.
pub(crate) fn resolved(mut schema: Schema<'_>) -> Schema<'_> {
    for _ in 0..32 {
        let Some(target) = schema.reference() else { break };
        schema = target;
    }
    schema
}

/// Returns the schema of a property, or, for a number, of the items of an array.
fn member<'n>(schema: Schema<'n>, key: &str) -> Option<Schema<'n>> {
    let property = schema.get("properties").and_then(|properties| properties.get(key));
    property.or_else(|| schema.get("items").filter(|_| key.parse::<usize>().is_ok()))
}

/// Returns the schema of the value at a path of `skill.json`; keywords beside a reference have precedence.
pub(crate) fn of_manifest(path: &[&str]) -> Option<Schema<'static>> {
    path.iter().try_fold(meta::skill().root(), |schema, key| member(resolved(schema), key))
}

/// Returns the properties, each with its schema.
pub(crate) fn members(schema: Schema<'_>) -> Vec<(&str, Schema<'_>)> {
    let members = schema.members_of("properties").into_iter();
    members.map(|member| (member.key, resolved(member.value))).collect()
}

/// Describes the type of a schema's values in a few words.
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

/// Returns the description in a schema.
pub(crate) fn description<'n>(schema: Schema<'n>) -> &'n str {
    schema.get("description").and_then(Schema::as_str).unwrap_or_default()
}

/// Finds the value that a path reads in the templates of a skill; `None` for an empty path.
pub(crate) fn read<'r>(root: &'r Root, skill: &'r IndexedSkill, path: &[String]) -> Option<OwnedPart<'r>> {
    let (first, mut rest) = path.split_first()?;
    let mut part = match first.as_str() {
        "input" => OwnedPart::new(root, skill, "input")?,
        "steps" => {
            let (step, after) = rest.split_first()?;
            rest = after;
            let called = step_of(skill, step)?.get("skill")?.as_string()?;
            OwnedPart::new(root, root.find(called)?, "output")?
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
pub(crate) fn step_of<'s>(skill: &'s IndexedSkill, name: &str) -> Option<&'s Node> {
    steps(skill).iter().find(|step| step.get("step").and_then(Node::as_string) == Some(name))
}

/// Returns the steps of a skill.
pub(crate) fn steps(skill: &IndexedSkill) -> &[Node] {
    let pipeline = skill.manifest.as_ref().and_then(|manifest| manifest.get("pipeline"));
    pipeline.and_then(Node::as_list).unwrap_or_default()
}
