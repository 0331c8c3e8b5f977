//! The definition of a tool, the digest that pins it, and the difference between two definitions.

use std::fmt;

use serde_json::{Value, json};
use skills_registry::Skill;
use skills_text::{cut, hex, hidden_runs};

/// The dialect that the protocol specifies for schemas without `$schema`.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// How many changes are listed, and how many characters of a value are shown.
const LISTED: usize = 20;
const SHOWN: usize = 300;

/// The maximum size of a definition as JSON, in bytes.
const LARGEST: usize = 256 * 1024;

/// The parts of a tool's definition that a model reads or that decide which values are valid.
///
/// Different spellings of the same definition are equal: a schema without `$schema` has the dialect of the
/// protocol, a missing description is replaced with a fixed sentence, and a tool without an output schema
/// returns text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name of the tool.
    pub name: String,
    /// The description.
    pub description: String,
    /// The JSON Schema of the input.
    pub input: Value,
    /// The JSON Schema of the output.
    pub output: Value,
    /// The title for people, if the server gives one.
    pub title: Option<String>,
    /// The server's hints about the effects of the tool, such as `destructiveHint`; null if there are none.
    pub annotations: Value,
    /// Whether the output schema comes from the server, so that answers have structured content.
    pub is_structured: bool,
}

impl ToolDefinition {
    /// Reads a tool of `tools/list`. Returns `None` if it has no name, or if a schema is not an object.
    pub fn from_json(tool: &Value) -> Option<Self> {
        let output = read_schema("outputSchema", tool);
        Some(Self::new(
            tool.get("name")?.as_str()?,
            tool.get("description").and_then(Value::as_str),
            read_schema("inputSchema", tool).cloned().unwrap_or_else(|| json!({"type": "object"})),
            output.cloned(),
        ))
        .map(|definition| definition.with_hints(tool))
        .filter(|tool| tool.input.is_object() && tool.output.is_object())
    }

    /// Creates a definition of its parts.
    pub fn new(name: &str, description: Option<&str>, input: Value, output: Option<Value>) -> Self {
        let description = description.map(str::trim).filter(|text| !text.is_empty());
        Self {
            name: name.to_owned(),
            description: description.map_or_else(|| format!("Calls the tool `{name}`."), str::to_owned),
            input: with_dialect(input),
            is_structured: output.is_some(),
            output: with_dialect(output.unwrap_or_else(text_output)),
            title: None,
            annotations: Value::Null,
        }
    }

    /// Adds the `title` and the `annotations` of an object: a tool of `tools/list`, or the `mcp` of a `skill.json`.
    #[must_use]
    pub fn with_hints(mut self, object: &Value) -> Self {
        self.title = object.get("title").and_then(Value::as_str).map(str::to_owned);
        self.annotations =
            object.get("annotations").filter(|hints| hints.is_object()).cloned().unwrap_or_default();
        if let Value::Object(hints) = &mut self.annotations {
            hints.retain(|_, hint| !hint.is_null());
            if hints.is_empty() {
                self.annotations = Value::Null;
            }
        }
        self
    }

    /// Returns the tool in the form of `tools/list`.
    pub fn to_json(&self) -> Value {
        let mut tool = json!({"name": self.name, "description": self.description, "inputSchema": self.input});
        if self.is_structured {
            tool["outputSchema"] = self.output.clone();
        }
        for (key, value) in self.hints() {
            tool[key] = value;
        }
        tool
    }

    /// Returns the title and the annotations that exist, by their keys.
    pub fn hints(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let title = self.title.clone().map(Value::String);
        let annotations = Some(self.annotations.clone()).filter(|hints| !hints.is_null());
        [("title", title), ("annotations", annotations)]
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
    }

    /// Returns the definition that a skill of mode `mcp` has. It differs from the pinned one if its author
    /// edited the description or a schema.
    pub fn of_skill(skill: Skill<'_>) -> Option<Self> {
        let (input, output) = (parse_schema(skill.input_schema())?, parse_schema(skill.output_schema())?);
        let own = Self::new(skill.pinned_tool()?.tool, Some(skill.description()), input, Some(output));
        let manifest =
            skill.file("skill.json").map(|file| serde_json::from_slice(file.bytes()).unwrap_or(Value::Null));
        Some(
            own.with_hints(
                manifest.as_ref().and_then(|manifest| manifest.get("mcp")).unwrap_or(&Value::Null),
            ),
        )
    }

    /// Returns the digest for a `skill.json`: `sha256:` and the hexadecimal SHA-256 of the parts as canonical
    /// JSON.
    pub fn digest(&self) -> String {
        let mut parts = json!({
            "name": self.name, "description": self.description, "input": self.input, "output": self.output,
        });
        // A tool without them has the digest that it had before they were part of it.
        for (key, value) in self.hints() {
            parts[key] = value;
        }
        // serde_json keeps the source order if any crate of the program enables `preserve_order`.
        parts.sort_all_objects();
        format!("sha256:{}", hex(&hmac_sha256::Hash::hash(parts.to_string().as_bytes())))
    }

    /// Returns the changes from this definition to another, at most 20.
    pub fn changes(&self, to: &Self) -> Vec<DefinitionChange> {
        let mut changes = Vec::new();
        compare("/name", &json!(self.name), &json!(to.name), &mut changes);
        compare("/description", &json!(self.description), &json!(to.description), &mut changes);
        compare("/input", &self.input, &to.input, &mut changes);
        compare("/output", &self.output, &to.output, &mut changes);
        compare("", &write_hints(self), &write_hints(to), &mut changes);
        changes
    }

    /// Returns the reason why no model should read the definition, even after a review: it has characters that a
    /// person does not see, a name that may look like another name, or too much text to review.
    pub fn fault(&self) -> Option<String> {
        let found = hidden(&self.name)
            .map(|first| ("name", first))
            .or_else(|| Some(("description", hidden(&self.description)?)))
            .or_else(|| Some(("input schema", hidden_in(&self.input)?)))
            .or_else(|| Some(("output schema", hidden_in(&self.output)?)))
            .or_else(|| Some(("title", hidden(self.title.as_deref()?)?)))
            .or_else(|| Some(("annotations", hidden_in(&self.annotations)?)));
        if let Some((part, first)) = found {
            return Some(format!("its {part} has the hidden character U+{:04X}", u32::from(first)));
        }
        if let Some(other) = self.name.chars().find(|c| !c.is_ascii()) {
            return Some(format!(
                "its name has the character `{other}` (U+{:04X}), which is not ASCII",
                u32::from(other)
            ));
        }
        let size = self.to_json().to_string().len();
        (size > LARGEST)
            .then(|| format!("its definition has {size} bytes; at most {LARGEST} can be reviewed"))
    }
}

fn write_hints(definition: &ToolDefinition) -> Value {
    let known = definition.hints().map(|(key, value)| (key.to_owned(), value));
    Value::Object(known.collect())
}

fn parse_schema(text: Option<&str>) -> Option<Value> {
    serde_json::from_str(text?).ok()
}

fn read_schema<'t>(key: &str, tool: &'t Value) -> Option<&'t Value> {
    tool.get(key).filter(|schema| !schema.is_null())
}

fn hidden(text: &str) -> Option<char> {
    hidden_runs(text).first().map(|(.., first)| *first)
}

/// Returns the first hidden character in the keys and texts of a value.
fn hidden_in(value: &Value) -> Option<char> {
    match value {
        Value::String(text) => hidden(text),
        Value::Array(items) => items.iter().find_map(hidden_in),
        Value::Object(members) => {
            members.iter().find_map(|(key, member)| hidden(key).or_else(|| hidden_in(member)))
        }
        _ => None,
    }
}

fn with_dialect(mut schema: Value) -> Value {
    if let Value::Object(members) = &mut schema {
        members.entry("$schema").or_insert_with(|| DIALECT.into());
    }
    schema
}

/// Returns the output schema for a tool without one.
fn text_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "The text of the answer."},
            "content": {
                "type": "array",
                "items": {"type": "object"},
                "description": "The other parts of the answer, such as images and links, as the protocol writes them.",
            },
        },
        "required": ["text"],
    })
}

/// A part of a definition that differs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DefinitionChange {
    /// The place, as a JSON pointer: `/description`, `/input/properties/path/type`.
    pub place: String,
    /// The value before; `None` if it was added.
    pub old: Option<Value>,
    /// The value now; `None` if it was removed.
    pub new: Option<Value>,
}

impl fmt::Display for DefinitionChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        for (sign, value) in [('-', &self.old), ('+', &self.new)] {
            if let Some(value) = value {
                // A changed text is shown to a person, so hidden characters must be visible in it.
                let text = value.to_string();
                let text = match hidden(&text) {
                    Some(_) => text.escape_default().to_string(),
                    None => text,
                };
                write!(f, "\n  {sign} {}", cut(&text, SHOWN))?;
            }
        }
        Ok(())
    }
}

fn compare(place: &str, old: &Value, new: &Value, changes: &mut Vec<DefinitionChange>) {
    if old == new || changes.len() >= LISTED {
        return;
    }
    let (Value::Object(before), Value::Object(now)) = (old, new) else {
        let (old, new) = (Some(old.clone()), Some(new.clone()));
        return changes.push(DefinitionChange { place: place.to_owned(), old, new });
    };
    let added = now.keys().filter(|key| !before.contains_key(*key));
    for key in before.keys().chain(added) {
        let place = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
        match (before.get(key), now.get(key)) {
            (Some(old), Some(new)) => compare(&place, old, new, changes),
            (old, new) if changes.len() < LISTED => {
                changes.push(DefinitionChange { place, old: old.cloned(), new: new.cloned() });
            }
            _ => return,
        }
    }
}
