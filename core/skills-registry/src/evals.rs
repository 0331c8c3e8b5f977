//! The keys of the files in `evals`: `skills-eval` reads them, and `skills-core` and editors check and
//! complete them.

/// A key of a file in `evals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalKey {
    /// The key.
    pub name: &'static str,
    /// Its meaning, in one sentence; editors show it.
    pub meaning: &'static str,
}

/// Declares the keys.
macro_rules! keys {
    ($($key:ident = $name:literal: $meaning:literal;)+) => {
        $(#[doc = $meaning] pub const $key: EvalKey = EvalKey { name: $name, meaning: $meaning };)+
    };
}

keys! {
    SKILL_NAME = "skill_name": "The name of the skill that the cases belong to.";
    EVALS = "evals": "The list of cases.";
    ID = "id": "The identifier of the case: a number or text; the default is its position.";
    PROMPT = "prompt": "The message of a user to an agent that has the skills.";
    INPUT = "input": "The input of a call of the skill as a function.";
    FILES = "files": "Files for the task, as paths below the skill.";
    EXPECTED_OUTPUT = "expected_output": "A description of success in prose, for a judge.";
    OUTPUT = "output": "The JSON value that the output must be.";
    SCHEMA = "schema": "The JSON Schema that the output must fit.";
    CONDITION = "condition": "A template condition, or several, over `input`, `output`, `text`, `tools` and `files`.";
    TEXT = "text": "The exact text of the answer.";
    ERROR = "error": "The kind of error with which the call must fail, such as `invalid_input`.";
    ASSERTIONS = "assertions": "Statements about the answer, for a judge.";
    EXPECTATIONS = "expectations": "Another name of `assertions`.";
    RUBRIC = "rubric": "The lines of a rubric, for a judge.";
    QUERY = "query": "A message that should, or should not, make a model choose the skill.";
    SHOULD_TRIGGER = "should_trigger": "Whether the skill is the right one for the message.";
}

/// The keys of a file with cases.
pub const SUITE_KEYS: [EvalKey; 2] = [SKILL_NAME, EVALS];

/// The keys of a case.
pub const CASE_KEYS: [EvalKey; 15] = [
    ID,
    PROMPT,
    INPUT,
    FILES,
    EXPECTED_OUTPUT,
    OUTPUT,
    SCHEMA,
    CONDITION,
    TEXT,
    ERROR,
    ASSERTIONS,
    EXPECTATIONS,
    RUBRIC,
    QUERY,
    SHOULD_TRIGGER,
];

/// The keys of a trigger query.
pub const QUERY_KEYS: [EvalKey; 3] = [QUERY, PROMPT, SHOULD_TRIGGER];

/// The values of [`ERROR`]: the kinds of errors of a call, and too many turns of a conversation.
pub const ERROR_KINDS: [&str; 9] = [
    "not_found",
    "not_trusted",
    "invalid_input",
    "timeout",
    "no_model",
    "no_host",
    "cancelled",
    "call_failed",
    "turns",
];

/// Returns the reason why these keys do not form a case: it must have exactly one question. Returns `None` if
/// they do.
///
/// ```
/// use skills_registry::evals::ask_fault;
/// assert_eq!(ask_fault(&|key| key == "prompt"), None);
/// assert!(ask_fault(&|_| false).is_some());
/// ```
pub fn ask_fault(has: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    match (has(INPUT.name), has(PROMPT.name)) {
        (true, true) => Some("`prompt` and `input` exclude each other"),
        (false, false) => Some("it has neither a `prompt` nor an `input`"),
        _ => None,
    }
}
