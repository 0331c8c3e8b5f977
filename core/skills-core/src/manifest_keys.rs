//! The keys of a `skill.json`.

/// The keys that every `skill.json` has, each with an example of its value.
pub(crate) const REQUIRED: [(&str, &str); 6] = [
    ("name", "\"my_skill\""),
    ("description", "\"what it does, and when to use it\""),
    ("category", "\"general\""),
    ("input", "{ \"type\": \"object\", \"properties\": {} }"),
    ("output", "{ \"type\": \"object\", \"properties\": {} }"),
    ("mode", "\"code\", \"llm\", \"composite\" or \"mcp\""),
];

/// The keys that may be left out.
const OPTIONAL: [&str; 12] = [
    "calls",
    "mcp",
    "pipeline",
    "outputMapping",
    "version",
    "tags",
    "author",
    "timeout",
    "retry",
    "permissions",
    "pure",
    "$schema",
];

/// The keys that only a function of this project has. Other systems also use the remaining keys in files with
/// the same name.
pub(crate) const FUNCTION: [&str; 6] = ["mode", "input", "output", "calls", "pipeline", "outputMapping"];

/// Returns all keys, first the required ones.
pub(crate) fn known() -> impl Iterator<Item = &'static str> {
    REQUIRED.into_iter().map(|(key, _)| key).chain(OPTIONAL)
}
