//! The keys of a frontmatter and what each means: for editors (SPEC 2.5).

use crate::known::{self, Shape};

/// A key of a frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key, spelled with `-`.
    pub key: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Whether the open Agent Skills standard has it.
    pub standard: bool,
    /// Whether its value is `true` or `false`.
    pub is_flag: bool,
}

/// Returns the keys that have a meaning in a frontmatter.
pub fn keys() -> impl Iterator<Item = Key> {
    known::KEYS.iter().map(|known| Key {
        key: known.key,
        meaning: meaning(known.key),
        standard: known.standard,
        is_flag: matches!(known.shape, Shape::Flag(_)),
    })
}

/// Finds a key, `-` and `_` being the same.
pub fn key(name: &str) -> Option<Key> {
    let known = known::find(name)?;
    keys().find(|key| key.key == known.key)
}

fn meaning(key: &str) -> &'static str {
    match key {
        "name" => {
            "The name of the skill: lowercase words joined by `-` or `_`, equal to the directory's (SPEC 2.6)."
        }
        "description" => {
            "What the skill does and when to use it: a model chooses by this text of 1 to 1,024 characters."
        }
        "license" => "The licence of the skill.",
        "compatibility" => "What the skill needs of its surroundings, in 1 to 500 characters.",
        "metadata" => "A map for keys of your own.",
        "allowed-tools" => {
            "The tools that a client may run without asking, separated by blanks: `Read Bash(git:*)`."
        }
        "version" => "The version of the skill; 0.1.0 when absent.",
        "exec" => "The program of the skill, a path below the skill or below its `bin/` (SPEC 4.2).",
        "schema" => "The JSON Schema of the program's input, a file of the skill (SPEC 4.3).",
        "requires" => {
            "The programs that must be on PATH; `cap:NAME` asks the host for a capability (SPEC 2.9)."
        }
        "timeout" => "The time limit of the program: milliseconds, or a duration such as `5m` (SPEC 7.1).",
        "homepage" => "Where the skill is at home.",
        "trigger" => "Keywords at which the skill is brought up, separated by `|` (SPEC 8.4).",
        "mcp" => "MCP servers: a map from names to `command`, `args` and `env` (SPEC 2.10).",
        "argument-hint" => "What a client shows for the arguments of the skill.",
        "arguments" => "The names of arguments, which `$name` in the body stands for (SPEC 8.5).",
        "disable-model-invocation" => "Whether the skill is kept from models: only users call it.",
        "user-invocable" => "Whether users can call the skill; false keeps it out of their menus.",
        "when-to-use" => "When to use the skill; some clients show it behind the description.",
        "model" => "The model that some clients run the skill with.",
        "context" => "The context that some clients run the skill in, such as `fork`.",
        "agent" => "The agent that some clients run the skill with.",
        "paths" => "Patterns of the files at which some clients bring the skill up.",
        "hooks" => "Commands that some clients run at events while the skill is in use.",
        "author" => "Who wrote the skill.",
        "tags" => "Words for search and filters; `internal` keeps the skill out of lists.",
        "category" => "The group the skill belongs to.",
        "title" | "display-name" => "A title for people.",
        "default-enabled" => "Whether clients offer the skill before a user has turned it on.",
        "effort" => "How much effort some clients let a model make with the skill.",
        "shell" => "The shell in which some clients run the commands of the skill.",
        "disallowed-tools" => "The tools that a client keeps from a model while the skill is in use.",
        "background" => "Whether some clients run the skill beside the conversation.",
        "fallback" => "What some clients do where the skill cannot be used.",
        _ => "A key that clients read.",
    }
}
