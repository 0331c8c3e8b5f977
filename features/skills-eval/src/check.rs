//! The checks of an answer and their results: by code where possible, otherwise by a judge model.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};
use skills_registry::evals::{ASSERTIONS, CONDITION, ERROR, EXPECTATIONS, OUTPUT, RUBRIC, SCHEMA, TEXT};
use skills_schema::lower::{DocumentOptions, SchemaLevel, lower};
use skills_schema::validate_str;
use skills_template::render::{RenderLimits, Scope, holds};
use skills_template::{Tree, parse_condition};

use skills_runtime::typed::Checker;
use skills_text::cut;

/// A check of an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Check {
    /// A statement about the answer for a judge to grade: an assertion of the standard, or a line of a
    /// rubric.
    Statement(String),
    /// The `expected_output` of a case without assertions, which a judge grades like a statement.
    Expected(String),
    /// The output is this JSON value.
    Output(Value),
    /// The output fits this JSON Schema.
    Schema(Value, Arc<Checker>),
    /// A template condition (`docs/GRAMMAR.md`) over `input`, `output`, `text`, `tools` and `files` is true.
    Condition(String, Arc<Tree>),
    /// The answer is this text, ignoring whitespace at both ends.
    Text(String),
    /// The call fails with an error of this kind, such as `invalid_input`.
    Error(String),
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The check passed.
    Passed,
    /// The check failed.
    Failed,
    /// The check was not graded, since a judge is missing.
    Ungraded,
}

/// A check with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// The text of the check.
    pub text: String,
    /// The result.
    pub verdict: Verdict,
    /// The reason for the result, quoting the answer where possible.
    pub evidence: String,
}

/// The results of a run. Checks read them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answered {
    /// The last text of the model, or the output of a function as JSON (a string without its quotes).
    pub(super) text: String,
    /// The output of a function, or the JSON in a text.
    pub(super) output: Option<Value>,
    /// The called tools, in order: `name`, or `name(skill)` for a tool that loads a skill.
    pub(super) tools: Vec<String>,
    /// The files in the working directory after the run.
    pub(super) files: Vec<String>,
    /// The kind of failure, and its text.
    pub(super) error: Option<(String, String)>,
}

impl Mark {
    pub(super) fn new(check: &Check, verdict: Verdict, evidence: impl Into<String>) -> Self {
        Self { text: check.text(), verdict, evidence: evidence.into() }
    }
}

/// The part of a case that is not valid.
#[derive(Debug)]
pub(super) enum CaseFault {
    /// The keys of the request.
    Request(&'static str),
    /// The value of this key is not a text.
    NotText(&'static str),
    /// `files` is not a list.
    FilesNotList,
    /// An entry of `files` is not a text.
    FileNotText,
    /// A file is not below the skill, and why.
    FileOutside(String, &'static str),
    /// The schema, and why.
    Schema(String),
    /// A condition, and why.
    Condition(String, String),
}

impl fmt::Display for CaseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(fault) => f.write_str(fault),
            Self::NotText(key) => write!(f, "`{key}` is not a text"),
            Self::FilesNotList => f.write_str("`files` is not a list"),
            Self::FileNotText => f.write_str("an entry of `files` is not a text"),
            Self::FileOutside(path, fault) => {
                write!(f, "the file `{path}` is not below the skill: it {fault}")
            }
            Self::Schema(fault) => write!(f, "`schema` is not valid: {fault}"),
            Self::Condition(text, fault) => write!(f, "the condition `{text}` is not valid: {fault}"),
        }
    }
}

impl Check {
    /// Parses the checks of a case: first those by code, then those for a judge.
    pub(super) fn read(item: &Map<String, Value>) -> Result<Vec<Self>, CaseFault> {
        let mut checks = Vec::new();
        if let Some(output) = item.get(OUTPUT.name) {
            checks.push(Self::Output(output.clone()));
        }
        if let Some(schema) = item.get(SCHEMA.name) {
            let lowered = lower(&schema.to_string(), &DocumentOptions::default());
            if let Some(problem) =
                lowered.problems.iter().find(|problem| problem.level() == SchemaLevel::Error)
            {
                return Err(CaseFault::Schema(problem.kind.to_string()));
            }
            checks.push(Self::Schema(schema.clone(), Arc::new(lowered.tables)));
        }
        for text in texts(item, CONDITION.name)? {
            let tree = parse_condition(&text).into_result().map_err(|errors| {
                let first = errors.first().map(|error| error.to_string()).unwrap_or_default();
                CaseFault::Condition(text.clone(), first)
            })?;
            checks.push(Self::Condition(text, Arc::new(tree)));
        }
        checks.extend(texts(item, TEXT.name)?.into_iter().map(Self::Text));
        checks.extend(texts(item, ERROR.name)?.into_iter().map(Self::Error));
        // `expectations` is another name for the same list, used by the tool that the standard mentions.
        for key in [ASSERTIONS, EXPECTATIONS, RUBRIC] {
            checks.extend(texts(item, key.name)?.into_iter().map(Self::Statement));
        }
        Ok(checks)
    }

    /// Returns the text of the check for reports.
    pub fn text(&self) -> String {
        match self {
            Self::Statement(text) | Self::Expected(text) => text.clone(),
            Self::Output(value) => format!("expects the output {value}"),
            Self::Schema(value, _) => format!("expects an output that fits {value}"),
            Self::Condition(text, _) => format!("expects the condition {text}"),
            Self::Text(text) => format!("expects the answer {text:?}"),
            Self::Error(kind) => format!("expects the call to fail as {kind}"),
        }
    }

    /// Returns `true` if only a judge can grade the check.
    pub fn is_prose(&self) -> bool {
        matches!(self, Self::Statement(_) | Self::Expected(_))
    }

    fn give_mark(&self, is_met: bool, evidence: String) -> Option<Mark> {
        Some(Mark::new(self, if is_met { Verdict::Passed } else { Verdict::Failed }, evidence))
    }

    /// Grades by code, or returns `None` for prose.
    pub(super) fn mark(&self, input: &Value, answered: &Answered) -> Option<Mark> {
        if let (Self::Output(_) | Self::Schema(..) | Self::Condition(..) | Self::Text(_), Some((_, error))) =
            (self, &answered.error)
        {
            return self.give_mark(false, error.clone());
        }
        match self {
            Self::Statement(_) | Self::Expected(_) => None,
            Self::Error(kind) => match &answered.error {
                Some((found, text)) => self.give_mark(found == kind, format!("it failed as {found}: {text}")),
                None => self.give_mark(false, "it did not fail".to_owned()),
            },
            Self::Text(text) => self.give_mark(answered.text.trim() == text.trim(), found(&answered.text)),
            Self::Output(_) | Self::Schema(..) if answered.output.is_none() => {
                self.give_mark(false, format!("the answer is not JSON: {}", quote(&answered.text)))
            }
            Self::Output(value) => {
                let is_same = answered.output.as_ref().is_some_and(|found| is_equal(found, value));
                self.give_mark(is_same, found(&answered.text))
            }
            Self::Schema(_, tables) => {
                let output = answered.output.as_ref().map(Value::to_string).unwrap_or_default();
                match validate_str(tables, &output) {
                    Ok(()) => self.give_mark(true, found(&output)),
                    Err(invalid) => self.give_mark(false, invalid.to_string()),
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
                match holds(tree.root(), &scope, RenderLimits::default()) {
                    Ok(holds) => self.give_mark(holds, found(&answered.text)),
                    Err(error) => self.give_mark(false, error.to_string()),
                }
            }
        }
    }
}

/// Compares two values like JSON Schema: 1 equals 1.0.
fn is_equal(found: &Value, wanted: &Value) -> bool {
    let schema = format!(r#"{{"const": {wanted}}}"#);
    validate_str(&lower(&schema, &DocumentOptions::default()).tables, &found.to_string()).is_ok()
}

fn list(items: &[String]) -> Value {
    items.iter().map(String::as_str).collect()
}

/// Returns the beginning of the answer that was found, as evidence.
fn found(text: &str) -> String {
    format!("found {}", quote(text))
}

/// Returns the beginning of a text, as evidence.
pub(super) fn quote(text: &str) -> String {
    cut(text, 300)
}

/// Reads a key whose value is a text or a list of texts.
fn texts(item: &Map<String, Value>, key: &'static str) -> Result<Vec<String>, CaseFault> {
    match item.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(|value| read_text(value, key)).collect(),
        Some(value) => Ok(vec![read_text(value, key)?]),
    }
}

fn read_text(value: &Value, key: &'static str) -> Result<String, CaseFault> {
    value.as_str().map(str::to_owned).ok_or(CaseFault::NotText(key))
}

/// The overall result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// All checks passed.
    Passed,
    /// A check failed.
    Failed,
    /// At least one check was not graded, and none failed.
    Ungraded,
    /// The run could not be made.
    #[default]
    Error,
}

// From the one to look at first to the best one.
skills_text::__named!(State, "result of a run", {
    Failed = "failed",
    Error = "error",
    Ungraded = "ungraded",
    Passed = "passed",
});

impl State {
    /// Returns the result in words, for people.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Ungraded => "not graded",
            Self::Error => "not tried",
        }
    }

    /// Returns the overall result of checks. A run without checks is ungraded.
    pub(super) fn from_marks(marks: &[Mark]) -> Self {
        if has_verdict(Verdict::Failed, marks) {
            Self::Failed
        } else if marks.is_empty() || has_verdict(Verdict::Ungraded, marks) {
            Self::Ungraded
        } else {
            Self::Passed
        }
    }
}

fn has_verdict(verdict: Verdict, marks: &[Mark]) -> bool {
    marks.iter().any(|mark| mark.verdict == verdict)
}
