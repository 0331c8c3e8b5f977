//! What a case was answered, before it is graded.

use serde_json::Value;

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
