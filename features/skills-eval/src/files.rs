//! Reads a file in `evals` as cases or trigger queries, depending on its content.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skills_registry::evals::{EVALS, QUERY, SKILL_NAME};

use super::{Case, Query};

/// The reason why a file of cases, a cassette or an earlier report cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unread {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for Unread {}

impl Unread {
    pub(super) fn new(path: &Path, reason: impl fmt::Display) -> Self {
        Self { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// The contents of a file.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// The name of the skill, if the file has it.
    pub(super) skill: Option<String>,
    pub(super) cases: Vec<Case>,
    pub(super) queries: Vec<Query>,
}

/// Parses one file. Returns `None` for JSON that contains neither cases nor queries.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Option<Read>, Unread> {
    let text = std::str::from_utf8(bytes).map_err(|error| Unread::new(path, error))?;
    // Editors of some systems begin a file so.
    let text = skills_text::unmarked(text);
    let value: Value = serde_json::from_str(text).map_err(|error| Unread::new(path, error))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (skill, items, is_list) = match &value {
        Value::Array(items) if items.iter().all(|item| item.get(QUERY.name).is_some()) => (None, items, true),
        Value::Object(members) => match members.get(EVALS.name) {
            Some(Value::Array(items)) => {
                (members.get(SKILL_NAME.name).and_then(Value::as_str).map(str::to_owned), items, false)
            }
            Some(_) => return Err(Unread::new(path, "`evals` is not a list")),
            None if name == "evals.json" => return Err(Unread::new(path, "there is no list `evals`")),
            None => return Ok(None),
        },
        _ if name == "evals.json" => return Err(Unread::new(path, "there is no list `evals`")),
        _ => return Ok(None),
    };
    let mut read = Read { skill, ..Read::default() };
    for (item, place) in items.iter().zip(1..) {
        let Value::Object(item) = item else {
            return Err(Unread::new(path, format!("item {place} is not an object")));
        };
        let query = Query::read(item, place, &name).map_err(|reason| Unread::new(path, reason))?;
        if is_list && query.is_none() {
            return Err(Unread::new(path, format!("item {place} has no `should_trigger`")));
        }
        let is_query = query.is_some();
        read.queries.extend(query);
        let is_query_alone = is_list || (is_query && item.contains_key(QUERY.name));
        if !is_query_alone {
            read.cases.extend(Case::read(item, place).map_err(|reason| Unread::new(path, reason))?);
        }
    }
    Ok(Some(read))
}
