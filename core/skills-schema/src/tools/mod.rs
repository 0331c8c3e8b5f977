//! Defines functions with JSON Schemas as tools for the APIs of model providers.
//!
//! Both the code generator and the runtime call [`define`]. The APIs support different parts of JSON Schema.
//! If an API supports less, the definition is less strict than the schema but never contradicts it, and
//! inputs from models are checked against the schema itself.

mod copy;
mod explicit;
mod gemini;
mod merge;
mod root;
mod strict;
mod tree;

use std::fmt;

use skills_text::ToolFormat;

use crate::Document;
use crate::json::make::{self, boolean, object, string};
use crate::json::{self, Node};
use explicit::explicit;
use root::RootKeywords;

/// A tool to define.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'t> {
    /// The name that the model calls.
    pub name: &'t str,
    /// The description: what the tool does and when to use it.
    pub description: &'t str,
    /// The schema of the input. Other documents that it refers to are copied in.
    pub input: &'t Document,
    /// The schema of the output. Only MCP shows it.
    pub output: Option<&'t Document>,
}

/// The reason why a skill cannot be a tool of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// The API refuses the name: it takes 1 to 64 letters, digits, `_` and `-`.
    Name,
    /// Gemini refuses the name: it must begin with a letter or `_`.
    NameStart,
    /// The input schema does not accept any object, but models call tools with objects.
    Input,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "the name of a tool has 1 to 64 letters, digits, `_` and `-`",
            Self::NameStart => "the name of a Gemini tool begins with a letter or `_`",
            Self::Input => "the input of a tool is an object, and this schema accepts none",
        })
    }
}

impl std::error::Error for Unfit {}

/// A tool definition for an API.
pub type Definition = Node;

/// Defines a tool for an API. Keys have a fixed order; keys of the schema keep their order.
///
/// # Errors
/// [`Unfit`] if the API would refuse the tool.
///
/// ```
/// use skills_schema::Document;
/// use skills_schema::lower::DocumentOptions;
/// use skills_text::ToolFormat;
/// use skills_schema::tools::{Tool, define};
///
/// let input = r#"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#;
/// let input = Document::read(input, &DocumentOptions::default());
/// let tool = Tool { name: "add", description: "Adds.", input: &input, output: None };
/// assert_eq!(
///     define(&tool, ToolFormat::OpenAiResponses)?.to_string(),
///     r#"{"type":"function","name":"add","description":"Adds.","parameters":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},"strict":true}"#
/// );
/// # Ok::<(), skills_schema::tools::Unfit>(())
/// ```
pub fn define(tool: &Tool<'_>, format: ToolFormat) -> Result<Definition, Unfit> {
    check_name(tool.name, format)?;
    let input = root::object(tool.input, root_of(format)).ok_or(Unfit::Input)?;
    Ok(shape(tool, format, input))
}

/// Defines a tool for every API like [`define`], in the order of [`ToolFormat::ALL`].
pub fn define_all(tool: &Tool<'_>) -> [Result<Definition, Unfit>; ToolFormat::ALL.len()] {
    let flat = root::object(tool.input, RootKeywords::Flat);
    ToolFormat::ALL.map(|format| {
        check_name(tool.name, format)?;
        let input = match root_of(format) {
            RootKeywords::Flat => flat.clone(),
            other => root::object(tool.input, other),
        };
        Ok(shape(tool, format, input.ok_or(Unfit::Input)?))
    })
}

/// Returns the keywords that the API accepts at the root of a schema.
fn root_of(format: ToolFormat) -> RootKeywords {
    match format {
        ToolFormat::Mcp => RootKeywords::Any,
        ToolFormat::Gemini => RootKeywords::Followed,
        ToolFormat::OpenAi | ToolFormat::OpenAiResponses | ToolFormat::Anthropic => RootKeywords::Flat,
    }
}

/// Assembles a definition in the form of the API.
fn shape(tool: &Tool<'_>, format: ToolFormat, input: Node) -> Definition {
    let named = [("name", string(tool.name)), ("description", string(tool.description))];
    let mut root = match format {
        ToolFormat::OpenAi => {
            let parameters = ("parameters", explicit(plain(input, tool.input)));
            let function = object(named.into_iter().chain([parameters]));
            object([("type", string("function")), ("function", function)])
        }
        ToolFormat::OpenAiResponses => {
            let strict = strict::strict(&input, tool.input.draft());
            let is_strict = boolean(strict.is_some());
            let parameters = explicit(strict.unwrap_or_else(|| plain(input, tool.input)));
            let rest = [("parameters", parameters), ("strict", is_strict)];
            object([("type", string("function"))].into_iter().chain(named).chain(rest))
        }
        ToolFormat::Anthropic => {
            object(named.into_iter().chain([("input_schema", plain(input, tool.input))]))
        }
        ToolFormat::Mcp => {
            let input = [("inputSchema", dialect(input, tool.input))];
            let output = tool
                .output
                .filter(|output| root::is_object(output))
                .and_then(|output| root::object(output, RootKeywords::Any).map(|node| dialect(node, output)));
            object(named.into_iter().chain(input).chain(output.map(|node| ("outputSchema", node))))
        }
        ToolFormat::Gemini => {
            let parameters = gemini::parameters(&input, tool.input);
            object(named.into_iter().chain(parameters.map(|node| ("parameters", node))))
        }
    };
    tree::clean(&mut root);
    root
}

/// Checks a name against the rules of every API and the additional rule of Gemini.
fn check_name(name: &str, format: ToolFormat) -> Result<(), Unfit> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if name.is_empty() || name.len() > 64 || !is_plain {
        return Err(Unfit::Name);
    }
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if format == ToolFormat::Gemini && !starts { Err(Unfit::NameStart) } else { Ok(()) }
}

/// Removes keys that models do not need: `$schema`, and `$id` if no reference needs it.
fn plain(mut schema: Node, of: &Document) -> Node {
    schema.remove("$schema");
    if !of.needs_uri() {
        schema.remove("$id");
    }
    schema
}

/// Returns the schema with its draft, since MCP reads a schema without `$schema` as 2020-12.
fn dialect(schema: Node, of: &Document) -> Node {
    let mut schema = plain(schema, of);
    if let json::Kind::Object(members) = &mut schema.kind {
        members.insert(0, make::member("$schema", string(of.draft().uri())));
    }
    schema
}
