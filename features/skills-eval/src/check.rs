//! What is looked for in an answer, and what became of it: by code where code can tell, else by a judge (SPEC 16.12).

use std::sync::Arc;

use serde_json::{Map, Value};
use skills_schema::lower::{Level, Options, lower};
use skills_schema::validate_str;
use skills_template::{Limits, Scope, Tree, holds, parse_condition};

use skills_runtime::typed::Checker;
use skills_registry::cut;

/// Something that is looked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Check {
    /// A statement about the answer that a judge grades: an assertion of the standard, or a line of a rubric.
    Statement(String),
    /// The `expected_output` of a case without assertions, which a judge grades as one statement.
    Expected(String),
    /// The output is this JSON value.
    Output(Value),
    /// The output fits this JSON Schema.
    Schema(Value, Arc<Checker>),
    /// The condition of a template holds (`docs/GRAMMAR.md`), over `input`, `output`, `text`, `tools` and `files`.
    Condition(String, Arc<Tree>),
    /// The answer is this text, but for blanks around it.
    Text(String),
    /// The call fails, with an error of this kind, as `invalid_input`.
    Error(String),
}

/// What became of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// Nobody could tell: there is no judge.
    Ungraded,
}

/// A check and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// What was looked for.
    pub text: String,
    /// What became of it.
    pub verdict: Verdict,
    /// What shows it, quoting the answer where it can.
    pub evidence: String,
}

/// What came of one run: what checks look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answered {
    /// The last text of the model; the output of a function as JSON, a string without its quotes.
    pub(super) text: String,
    /// The output of a function, or the JSON in a text.
    pub(super) output: Option<Value>,
    /// The tools that were called, in order: `name`, and for what loads a skill `name(skill)`.
    pub(super) tools: Vec<String>,
    /// What lies in the working directory afterwards.
    pub(super) files: Vec<String>,
    /// The kind of failure, and its text.
    pub(super) error: Option<(String, String)>,
}

impl Mark {
    pub(super) fn new(check: &Check, verdict: Verdict, evidence: impl Into<String>) -> Self {
        Self { text: check.text(), verdict, evidence: evidence.into() }
    }
}

impl Check {
    /// Reads the checks of a case: code first, then what a judge grades.
    pub(super) fn read(item: &Map<String, Value>) -> Result<Vec<Self>, String> {
        let mut checks = Vec::new();
        if let Some(output) = item.get("output") {
            checks.push(Self::Output(output.clone()));
        }
        if let Some(schema) = item.get("schema") {
            let lowered = lower(&schema.to_string(), &Options::default());
            if let Some(problem) = lowered.problems.iter().find(|problem| problem.level() == Level::Error) {
                return Err(format!("`schema` is none: {}", problem.kind));
            }
            checks.push(Self::Schema(schema.clone(), Arc::new(lowered.tables)));
        }
        for text in texts(item, "condition")? {
            let tree = parse_condition(&text).into_result().map_err(|errors| {
                let first = errors.first().map(|error| error.to_string()).unwrap_or_default();
                format!("the condition `{text}` is none: {first}")
            })?;
            checks.push(Self::Condition(text, Arc::new(tree)));
        }
        checks.extend(texts(item, "text")?.into_iter().map(Self::Text));
        checks.extend(texts(item, "error")?.into_iter().map(Self::Error));
        // `expectations` is the word of the tool that the standard names for the same list.
        for key in ["assertions", "expectations", "rubric"] {
            checks.extend(texts(item, key)?.into_iter().map(Self::Statement));
        }
        Ok(checks)
    }

    /// Returns what is looked for, as reports show it.
    pub fn text(&self) -> String {
        match self {
            Self::Statement(text) | Self::Expected(text) => text.clone(),
            Self::Output(value) => format!("the output is {value}"),
            Self::Schema(value, _) => format!("the output fits {value}"),
            Self::Condition(text, _) => format!("the condition {text}"),
            Self::Text(text) => format!("the answer is {text:?}"),
            Self::Error(kind) => format!("the call fails as {kind}"),
        }
    }

    /// Tells whether only a judge can tell.
    pub fn is_prose(&self) -> bool {
        matches!(self, Self::Statement(_) | Self::Expected(_))
    }

    /// Judges by code; nothing for prose.
    pub(super) fn mark(&self, input: &Value, answered: &Answered) -> Option<Mark> {
        let mark = |is_met, evidence: String| {
            Some(Mark::new(self, if is_met { Verdict::Passed } else { Verdict::Failed }, evidence))
        };
        if let (Self::Output(_) | Self::Schema(..) | Self::Condition(..) | Self::Text(_), Some((_, error))) =
            (self, &answered.error)
        {
            return mark(false, error.clone());
        }
        match self {
            Self::Statement(_) | Self::Expected(_) => None,
            Self::Error(kind) => match &answered.error {
                Some((found, text)) => mark(found == kind, format!("{found}: {text}")),
                None => mark(false, "the call did not fail".to_owned()),
            },
            Self::Text(text) => mark(answered.text.trim() == text.trim(), quote(&answered.text)),
            Self::Output(_) | Self::Schema(..) if answered.output.is_none() => {
                mark(false, format!("the answer is no JSON: {}", quote(&answered.text)))
            }
            Self::Output(value) => {
                let found = answered.output.as_ref();
                mark(found.is_some_and(|found| same(found, value)), quote(&answered.text))
            }
            Self::Schema(_, tables) => {
                let found = answered.output.as_ref().map(Value::to_string).unwrap_or_default();
                match validate_str(tables, &found) {
                    Ok(()) => mark(true, quote(&found)),
                    Err(invalid) => mark(false, invalid.to_string()),
                }
            }
            Self::Condition(_, tree) => {
                let output = answered.output.clone().unwrap_or_default();
                let text = Value::String(answered.text.clone());
                let (tools, files) = (list(&answered.tools), list(&answered.files));
                let scope = Scope::default()
                    .with_json("input", input)
                    .with_json("output", &output)
                    .with_json("text", &text)
                    .with_json("tools", &tools)
                    .with_json("files", &files);
                match holds(tree.root(), &scope, Limits::default()) {
                    Ok(holds) => mark(holds, quote(&answered.text)),
                    Err(error) => mark(false, error.to_string()),
                }
            }
        }
    }
}

/// Compares two values as JSON Schema does: 1 is 1.0.
fn same(found: &Value, wanted: &Value) -> bool {
    let schema = format!(r#"{{"const": {wanted}}}"#);
    validate_str(&lower(&schema, &Options::default()).tables, &found.to_string()).is_ok()
}

fn list(items: &[String]) -> Value {
    items.iter().map(String::as_str).collect()
}

/// Returns the beginning of a text, as evidence.
pub(super) fn quote(text: &str) -> String {
    cut(text, 300)
}

/// Reads a key that is a text, or a list of them.
fn texts(item: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is no text"));
    match item.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(value) => Ok(vec![text(value)?]),
    }
}
