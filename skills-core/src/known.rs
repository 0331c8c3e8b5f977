//! The keys of a frontmatter that have a meaning (SPEC 2.5): `check` reads them, and mending YAML asks what is one.

use std::borrow::Cow;

/// What the value of a key must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One scalar; its text is the value.
    Text,
    /// A list of scalars, or one scalar.
    List,
    /// `true` or `false`; the value that restricts is the one named here (SPEC 8.12).
    Flag(bool),
    /// A map, or a JSON object in a string.
    Map,
    /// A time limit: milliseconds, or a duration.
    Timeout,
    /// A list of tools, or text with one tool after the other.
    Tools,
    /// Not looked at.
    Any,
}

/// One known key.
#[derive(Debug)]
pub(crate) struct Known {
    /// The key, spelled with `-`.
    pub(crate) key: &'static str,
    /// What its value must be.
    pub(crate) shape: Shape,
    /// What it means, in a sentence; editors show it.
    #[cfg_attr(not(feature = "reports"), expect(dead_code, reason = "the macro has no readers of it"))]
    pub(crate) meaning: &'static str,
    /// Whether the open Agent Skills standard has it.
    pub(crate) standard: bool,
}

const fn standard(key: &'static str, shape: Shape, meaning: &'static str) -> Known {
    Known { key, shape, meaning, standard: true }
}

const fn ours(key: &'static str, shape: Shape, meaning: &'static str) -> Known {
    Known { key, shape, meaning, standard: false }
}

/// All known keys.
pub(crate) static KEYS: &[Known] = &[
    standard(
        "name",
        Shape::Text,
        "The name of the skill: lowercase words joined by `-` or `_`, equal to the directory's (SPEC 2.6).",
    ),
    standard(
        "description",
        Shape::Text,
        "What the skill does and when to use it: a model chooses by this text of 1 to 1,024 characters.",
    ),
    standard("license", Shape::Text, "The licence of the skill."),
    standard(
        "compatibility",
        Shape::Text,
        "What the skill needs of its surroundings, in 1 to 500 characters.",
    ),
    standard("metadata", Shape::Map, "A map for keys of your own."),
    standard(
        "allowed-tools",
        Shape::Tools,
        "The tools that a client may run without asking, separated by blanks: `Read Bash(git:*)`.",
    ),
    ours("version", Shape::Text, "The version of the skill; 0.1.0 when absent."),
    ours(
        "exec",
        Shape::Text,
        "The program of the skill, a path below the skill or below its `bin/` (SPEC 4.2).",
    ),
    ours("schema", Shape::Text, "The JSON Schema of the program's input, a file of the skill (SPEC 4.3)."),
    ours(
        "requires",
        Shape::List,
        "The programs that must be on PATH; `cap:NAME` asks the host for a capability (SPEC 2.9).",
    ),
    ours(
        "timeout",
        Shape::Timeout,
        "The time limit of the program: milliseconds, or a duration such as `5m` (SPEC 7.1).",
    ),
    ours("homepage", Shape::Text, "Where the skill is at home."),
    ours("trigger", Shape::Text, "Keywords at which the skill is brought up, separated by `|` (SPEC 8.4)."),
    ours("mcp", Shape::Any, "MCP servers: a map from names to `command`, `args` and `env` (SPEC 2.10)."),
    ours("argument-hint", Shape::Any, "What a client shows for the arguments of the skill."),
    ours("arguments", Shape::Any, "The names of arguments, which `$name` in the body stands for (SPEC 8.5)."),
    ours(
        "disable-model-invocation",
        Shape::Flag(true),
        "Whether the skill is kept from models: only users call it.",
    ),
    ours(
        "user-invocable",
        Shape::Flag(false),
        "Whether users can call the skill; false keeps it out of their menus.",
    ),
    ours(
        "default-enabled",
        Shape::Flag(false),
        "Whether clients offer the skill before a user has turned it on.",
    ),
    ours("when-to-use", Shape::Text, "When to use the skill; some clients show it behind the description."),
    ours("model", Shape::Text, "The model that some clients run the skill with."),
    ours("effort", Shape::Text, "How much effort some clients let a model make with the skill."),
    ours("context", Shape::Text, "The context that some clients run the skill in, such as `fork`."),
    ours("agent", Shape::Text, "The agent that some clients run the skill with."),
    ours("shell", Shape::Text, "The shell in which some clients run the commands of the skill."),
    ours("display-name", Shape::Text, "A title for people."),
    ours("paths", Shape::Tools, "Patterns of the files at which some clients bring the skill up."),
    ours(
        "disallowed-tools",
        Shape::Tools,
        "The tools that a client keeps from a model while the skill is in use.",
    ),
    ours("background", Shape::Any, "Whether some clients run the skill beside the conversation."),
    ours("fallback", Shape::Any, "What some clients do where the skill cannot be used."),
    ours("hooks", Shape::Any, "Commands that some clients run at events while the skill is in use."),
    ours("author", Shape::Any, "Who wrote the skill."),
    ours("tags", Shape::List, "Words for search and filters; `internal` keeps the skill out of lists."),
    ours("category", Shape::Text, "The group the skill belongs to."),
    ours("title", Shape::Text, "A title for people."),
];

/// Finds a key, `-` and `_` being the same and letter case not (SPEC 2.5).
pub(crate) fn find(key: &str) -> Option<&'static Known> {
    of(&fold(key))
}

/// Finds a key as [`fold`] spells it.
pub(crate) fn of(folded: &str) -> Option<&'static Known> {
    KEYS.iter().find(|known| known.key == folded)
}

/// Spells a key with `-`; the camel case of a known key too, such as `allowedTools` (SPEC 2.5, 8.8).
pub(crate) fn fold(key: &str) -> Cow<'_, str> {
    if !is_camel(key) && !key.contains('_') {
        return Cow::Borrowed(key);
    }
    let dashed = key.replace('_', "-");
    let camel = camel(&dashed);
    Cow::Owned(if camel.len() > dashed.len() && of(&camel).is_some() { camel } else { dashed })
}

/// Tells whether a key is in camel case, which the standard has nowhere.
pub(crate) fn is_camel(key: &str) -> bool {
    key.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn camel(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 2);
    let mut last = '-';
    for character in key.chars() {
        if character.is_ascii_uppercase() && last.is_ascii_lowercase() {
            out.push('-');
            out.push(character.to_ascii_lowercase());
        } else {
            out.push(character);
        }
        last = character;
    }
    out
}
