//! Parses a case of `evals.json` or a trigger query in the format of the standard.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Map, Value};
use skills_registry::evals::{EXPECTED_OUTPUT, FILES, ID, INPUT, PROMPT, QUERY, SHOULD_TRIGGER, ask_fault};
use skills_text::path_fault;

use super::Check;
use super::check::CaseFault;

/// A case: a request, and the checks of the answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Its `id`, a number or text. The default is its position in the file, from 1.
    pub id: String,
    /// The request.
    pub ask: Ask,
    /// A description of success in prose; may be empty.
    pub expected: String,
    /// The checks, in file order.
    pub checks: Vec<Check>,
}

/// The request of a case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ask {
    /// A message of a user to an agent that has the skills.
    Prompt {
        /// The message.
        text: String,
        /// Files for the task, as the case names them.
        files: Vec<PathBuf>,
    },
    /// A call of the skill as a function.
    Input(Value),
}

/// A message that should, or should not, make a model choose the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The message.
    pub text: String,
    /// Whether the skill is the right one for the message.
    pub should_trigger: bool,
    /// The file that contains the query, below `evals`.
    pub file: String,
}

/// The reason why an item of a file cannot be used.
#[derive(Debug)]
pub(super) enum ItemFault {
    /// The `id` of the case at this position is neither a number nor a text.
    Id(usize),
    /// `should_trigger` of the item at this position is neither `true` nor `false`.
    ShouldTrigger(usize),
    /// The item at this position has no `query`.
    NoQuery(usize),
    /// The case with this `id` is not valid.
    Case(String, CaseFault),
}

impl fmt::Display for ItemFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(place) => write!(f, "the `id` of case {place} is neither a number nor a text"),
            Self::ShouldTrigger(place) => {
                write!(f, "`should_trigger` of item {place} is neither `true` nor `false`")
            }
            Self::NoQuery(place) => write!(f, "item {place} has no `query`"),
            Self::Case(id, fault) => write!(f, "case {id}: {fault}"),
        }
    }
}

impl Case {
    /// Reads a case. Returns `None` for an item that is only a trigger query.
    pub(super) fn read(item: &Map<String, Value>, place: usize) -> Result<Option<Self>, ItemFault> {
        let id = match item.get(ID.name) {
            None | Some(Value::Null) => place.to_string(),
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            Some(_) => return Err(ItemFault::Id(place)),
        };
        match Self::read_parts(item, &id) {
            Ok(case) => Ok(case),
            Err(fault) => Err(ItemFault::Case(id, fault)),
        }
    }

    fn read_parts(item: &Map<String, Value>, id: &str) -> Result<Option<Self>, CaseFault> {
        if let Some(fault) = ask_fault(&|key| item.contains_key(key)) {
            return Err(CaseFault::Request(fault));
        }
        let ask = match (item.get(INPUT.name), item.get(PROMPT.name)) {
            (Some(input), None) => Ask::Input(input.clone()),
            (None, Some(Value::String(text))) => {
                Ask::Prompt { text: text.clone(), files: files(item.get(FILES.name))? }
            }
            _ => return Err(CaseFault::NotText(PROMPT.name)),
        };
        let expected = match item.get(EXPECTED_OUTPUT.name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.trim().to_owned(),
            // In the standard, this is prose. Any other value is shown to the judge as JSON.
            Some(other) => other.to_string(),
        };
        let mut checks = Check::read(item)?;
        if checks.is_empty() && !expected.is_empty() {
            checks.push(Check::Expected(expected.clone()));
        }
        // A query without checks of the answer is not a case.
        let is_query = checks.is_empty() && item.contains_key(SHOULD_TRIGGER.name);
        Ok((!is_query).then_some(Self { id: id.to_owned(), ask, expected, checks }))
    }
}

impl Query {
    /// Parses a query. Returns `None` for an item without `should_trigger`.
    pub(super) fn read(
        item: &Map<String, Value>,
        place: usize,
        file: &str,
    ) -> Result<Option<Self>, ItemFault> {
        let Some(should_trigger) = item.get(SHOULD_TRIGGER.name) else { return Ok(None) };
        let Value::Bool(should_trigger) = *should_trigger else {
            return Err(ItemFault::ShouldTrigger(place));
        };
        match item.get(QUERY.name).or_else(|| item.get(PROMPT.name)) {
            Some(Value::String(text)) => {
                Ok(Some(Self { text: text.clone(), should_trigger, file: file.to_owned() }))
            }
            _ => Err(ItemFault::NoQuery(place)),
        }
    }
}

/// Parses the list of files, which are paths below the directory of the skill.
fn files(value: Option<&Value>) -> Result<Vec<PathBuf>, CaseFault> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let Value::Array(items) = value else { return Err(CaseFault::FilesNotList) };
    items
        .iter()
        .map(|item| {
            let path = item.as_str().ok_or(CaseFault::FileNotText)?;
            match path_fault(path) {
                None => Ok(PathBuf::from(path)),
                Some(fault) => Err(CaseFault::FileOutside(path.to_owned(), fault)),
            }
        })
        .collect()
}
