//! What a path of a template reads: the part of a schema of the skill, or of a step's skill, that says it (SPEC 5.5).

use skills_core::tree::{Node, Value};

use crate::index::Skill;
use crate::root::Root;

/// A part of a schema, the schema it lies in, and whose that is.
pub(crate) struct Part<'n> {
    schema: &'n Node,
    pub(crate) node: &'n Node,
    pub(crate) whose: String,
    /// Whether the text of the schema is broken, so that its places say nothing.
    pub(crate) is_drafted: bool,
}

impl<'n> Part<'n> {
    pub(crate) fn new(schema: &'n Node, whose: String) -> Self {
        Self { schema, node: schema, whose, is_drafted: false }.resolved()
    }

    fn new_in(schema: &'n Node, node: &'n Node) -> Self {
        Self { schema, node, whose: String::new(), is_drafted: false }
    }

    /// Follows references into the schema itself, up to a bound.
    fn resolved(mut self) -> Self {
        for _ in 0..32 {
            let Some(target) = self.node.get("$ref").and_then(Node::as_string) else { break };
            let Some(pointer) = target.strip_prefix('#') else { break };
            let mut node = self.schema;
            let mut is_there = true;
            for key in pointer.split('/').skip(1) {
                let key = key.replace("~1", "/").replace("~0", "~");
                match node.get(&key) {
                    Some(next) => node = next,
                    None => is_there = false,
                }
            }
            if !is_there {
                break;
            }
            self.node = node;
        }
        self
    }

    /// Returns the part of a property, or of the items of an array for a number.
    fn member(&self, key: &str) -> Option<Self> {
        let node = match self.node.get("properties").and_then(|properties| properties.get(key)) {
            Some(node) => node,
            None => self.node.get("items").filter(|_| key.parse::<usize>().is_ok())?,
        };
        let (schema, whose, is_drafted) = (self.schema, self.whose.clone(), self.is_drafted);
        Some(Self { schema, node, whose, is_drafted }.resolved())
    }

    /// Returns the properties, each with its part.
    pub(crate) fn members(&self) -> Vec<(String, Self)> {
        let entries = self.node.get("properties").and_then(Node::as_map).unwrap_or_default();
        entries.iter().filter_map(|entry| Some((entry.key.clone(), self.member(&entry.key)?))).collect()
    }

    /// Says in a word or two what values it takes.
    pub(crate) fn kind(&self) -> String {
        let list = |node: &Node| match &node.value {
            Value::List(items) => items
                .iter()
                .filter_map(|item| Some(item.as_scalar()?.text.clone()))
                .collect::<Vec<_>>()
                .join(" | "),
            _ => node.as_scalar().map(|scalar| scalar.text.clone()).unwrap_or_default(),
        };
        if let Some(values) = self.node.get("enum") {
            return list(values);
        }
        match self.node.get("type").map(list).as_deref() {
            Some("array") => match self.node.get("items") {
                Some(items) => format!("array of {}", Self::new_in(self.schema, items).resolved().kind()),
                None => "array".to_owned(),
            },
            Some(kind) if !kind.is_empty() => kind.to_owned(),
            _ => "any".to_owned(),
        }
    }

    /// Returns what its schema says about it.
    pub(crate) fn description(&self) -> &str {
        self.node.get("description").and_then(Node::as_string).unwrap_or_default()
    }
}

/// Finds what a path reads in the templates of a skill; an empty path is nothing.
pub(crate) fn read<'r>(root: &'r Root, skill: &'r Skill, path: &[String]) -> Option<Part<'r>> {
    let manifest = skill.manifest.as_ref()?;
    let (first, mut rest) = path.split_first()?;
    let mut is_drafted = skill.is_drafted;
    let mut part = match first.as_str() {
        "input" => Part::new(manifest.get("input")?, format!("the input of `{}`", skill.name)),
        "steps" => {
            let (step, after) = rest.split_first()?;
            rest = after;
            let called = step_of(skill, step)?.get("skill")?.as_string()?;
            let other = root.index.find(&root.judged, called)?;
            is_drafted |= other.is_drafted;
            Part::new(other.manifest.as_ref()?.get("output")?, format!("the output of `{called}`"))
        }
        _ => return None,
    };
    part.is_drafted = is_drafted;
    for key in rest {
        part = part.member(key)?;
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
