//! Sends the schema of an answer in the form that a provider can enforce.
//!
//! Each answer is checked against the whole schema later, so the sent schema may be less strict, but must not
//! contradict it.

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatResponseFormat, JsonSpec};
use serde_json::{Value, json};
use skills_call::model::ResponseSchema;
use skills_registry::ToolFormat;
use skills_schema::Document;
use skills_schema::lower::DocumentOptions;
use skills_schema::tools::{Tool, define};

/// Adds the schema to the options, if the provider supports one that means the same.
pub(crate) fn apply(
    options: ChatOptions,
    wanted: &ResponseSchema,
    kind: AdapterKind,
    model: &str,
) -> ChatOptions {
    let spec = |schema: Value| JsonSpec::new(wanted.name.as_str(), schema);
    let is_object = wanted.schema.get("type").is_some_and(|kind| kind == "object");
    match kind {
        AdapterKind::Gemini | AdapterKind::Vertex => {
            options.with_response_format(spec(wanted.schema.clone()))
        }
        AdapterKind::Anthropic => match strict(wanted).filter(|_| has_structured_output(model)) {
            Some(schema) => options.with_response_format(spec(loosened(schema))),
            None => options,
        },
        AdapterKind::OpenAI
        | AdapterKind::OpenAIResp
        | AdapterKind::Fireworks
        | AdapterKind::Mistral
        | AdapterKind::OpenRouter
        | AdapterKind::Together
        | AdapterKind::Xai => match strict(wanted) {
            Some(schema) => options.with_response_format(spec(schema)),
            // In a response format, genai makes every schema strict and every property required. So this schema
            // is added to the body of the request directly. The API accepts only objects as the root.
            None if is_object => options.with_extra_body(optional(wanted, kind)),
            None => options,
        },
        AdapterKind::Ollama | AdapterKind::OllamaCloud if is_object => {
            options.with_response_format(ChatResponseFormat::JsonMode)
        }
        _ => options,
    }
}

/// Returns the schema in the subset that OpenAI enforces, or `None` if that would change its meaning.
fn strict(wanted: &ResponseSchema) -> Option<Value> {
    let input = Document::read(&wanted.schema.to_string(), &DocumentOptions::default());
    // An answer has the same subset as the arguments of a tool.
    let tool = Tool { name: "answer", description: "", input: &input, output: None };
    let definition = define(&tool, ToolFormat::OpenAiResponses).ok()?;
    let mut definition: Value = serde_json::from_str(&definition.to_string()).ok()?;
    (definition.get("strict")? == true).then(|| definition["parameters"].take())
}

/// Returns the part of a request's body that asks for a schema without enforcing every property.
fn optional(wanted: &ResponseSchema, kind: AdapterKind) -> Value {
    let ResponseSchema { name, schema } = wanted;
    if kind == AdapterKind::OpenAIResp {
        let format = json!({ "type": "json_schema", "name": name, "strict": false, "schema": schema });
        return json!({ "text": { "format": format } });
    }
    let named = json!({ "name": name, "strict": false, "schema": schema });
    json!({ "response_format": { "type": "json_schema", "json_schema": named } })
}

/// Removes keywords that Anthropic refuses. Without them, a schema allows at least the same values.
fn loosened(schema: Value) -> Value {
    const REFUSED: [&str; 8] = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "pattern",
    ];
    let Value::Object(members) = schema else { return schema };
    let kept = members.into_iter().filter(|(key, _)| !REFUSED.contains(&key.as_str()));
    let kept = kept.map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.into_iter().map(|(name, one)| (name, loosened(one))).collect()
            }
            ("anyOf", Value::Array(many)) => many.into_iter().map(loosened).collect(),
            ("items", one) => loosened(one),
            (_, other) => other,
        };
        (key, value)
    });
    kept.collect()
}

/// Returns `true` if a model of Anthropic accepts a schema. Models before Sonnet 4.5 and Opus 4.1 answer with
/// status 400.
fn has_structured_output(model: &str) -> bool {
    const WITHOUT: [&str; 8] = [
        "claude-1",
        "claude-2",
        "claude-3",
        "claude-instant",
        "claude-sonnet-4-0",
        "claude-sonnet-4-2",
        "claude-opus-4-0",
        "claude-opus-4-2",
    ];
    !WITHOUT.iter().any(|start| model.starts_with(start))
}
