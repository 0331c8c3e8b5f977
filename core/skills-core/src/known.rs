//! The known keys of a frontmatter, for checks and for corrections of YAML, and the keys of a `skill.json`.

use std::borrow::Cow;

use KeyType::{Any, Flag, List, Map, Text, Timeout, Tools};

/// The type of a key's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyType {
    /// One scalar; its text is the value.
    Text,
    /// A list of scalars, or one scalar.
    List,
    /// `true` or `false`. One of the two values hides the skill.
    Flag {
        /// The value that hides it.
        hides_if: bool,
        /// For whom it is hidden.
        from: Audience,
    },
    /// A map, or a JSON object in a string.
    Map,
    /// A time limit: milliseconds, or a duration.
    Timeout,
    /// A list of tools, or a text with several tools.
    Tools,
    /// Any value; not checked.
    Any,
}

/// Those from whom a key can hide a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Models.
    Models,
    /// Users.
    Users,
}

/// One known key.
#[derive(Debug)]
pub struct Known {
    /// The key, spelled with `-`.
    pub key: &'static str,
    /// The type of its value.
    pub(crate) shape: KeyType,
    /// Its meaning, in one sentence; editors show it.
    pub meaning: &'static str,
    /// Whether the open Agent Skills standard defines it.
    pub standard: bool,
}

impl Known {
    /// Returns `true` if the value of the key is `true` or `false`.
    pub fn is_flag(&self) -> bool {
        matches!(self.shape, Flag { .. })
    }
}

const fn standard(key: &'static str, shape: KeyType, meaning: &'static str) -> Known {
    Known { key, shape, meaning, standard: true }
}

const fn ours(key: &'static str, shape: KeyType, meaning: &'static str) -> Known {
    Known { key, shape, meaning, standard: false }
}

/// All known keys.
pub static KEYS: &[Known] = &[
    standard(
        "name",
        Text,
        "The name of the skill: lowercase words joined by `-` or `_`, equal to the name of its directory.",
    ),
    standard(
        "description",
        Text,
        "What the skill does and when to use it: a model chooses by this text of 1 to 1,024 characters.",
    ),
    standard("license", Text, "The license of the skill."),
    standard("compatibility", Text, "The environment that the skill needs, in 1 to 500 characters."),
    standard("metadata", Map, "A map for custom keys."),
    standard(
        "allowed-tools",
        Tools,
        "The tools that a client may run without asking, separated by spaces: `Read Bash(git:*)`.",
    ),
    ours("version", Text, "The version of the skill; 0.1.0 by default."),
    ours("exec", Text, "The program of the skill, a path below the skill or below its `bin/`."),
    ours("schema", Text, "The JSON Schema of the program's input, a file of the skill."),
    ours(
        "requires",
        List,
        "The programs that must be on PATH, each with the minimum version if the texts need one (`acme >= 0.4`); `cap:NAME` \
         asks the host for a capability.",
    ),
    ours("timeout", Timeout, "The time limit of the program: milliseconds, or a duration such as `5m`."),
    ours("homepage", Text, "The web page of the skill."),
    ours("trigger", Text, "Keywords that activate the skill, separated by `|`."),
    ours("mcp", Any, "MCP servers: a map from names to `command`, `args` and `env`."),
    ours("argument-hint", Any, "The hint that a client shows for the arguments of the skill."),
    ours("arguments", Any, "The names of the arguments that replace `$name` in the body."),
    ours(
        "disable-model-invocation",
        Flag { hides_if: true, from: Audience::Models },
        "Whether the skill is hidden from models, so that only users can call it.",
    ),
    ours(
        "user-invocable",
        Flag { hides_if: false, from: Audience::Users },
        "Whether users can call the skill; false keeps it out of their menus.",
    ),
    ours(
        "default-enabled",
        Flag { hides_if: false, from: Audience::Models },
        "Whether clients offer the skill before a user has enabled it.",
    ),
    ours("when-to-use", Text, "When to use the skill; some clients show it after the description."),
    ours("read-when", Any, "The situations in which OpenClaw reads the skill."),
    ours("model", Text, "The model that some clients run the skill with."),
    ours("effort", Text, "The effort level that some clients set for the model with the skill."),
    ours("context", Text, "The context that some clients run the skill in, such as `fork`."),
    ours("agent", Text, "The agent that some clients run the skill with."),
    ours("isolation", Text, "Where some clients run the agent of the skill, such as `worktree`."),
    ours("cowork", Any, "The category and the icon with which Microsoft Copilot Cowork shows the skill."),
    ours("shell", Text, "The shell in which some clients run the commands of the skill."),
    ours("display-name", Text, "The title shown to users."),
    ours("paths", Tools, "Patterns of the files for which some clients activate the skill."),
    ours("globs", Any, "Patterns of the files for which Cursor activates a rule."),
    ours("disallowed-tools", Tools, "The tools that a model may not use while the skill is active."),
    ours("background", Any, "Whether some clients run the skill in the background."),
    ours("fallback", Any, "The fallback of some clients if the skill cannot be used."),
    ours("hooks", Any, "Commands that some clients run on events while the skill is active."),
    ours("author", Any, "The author of the skill."),
    ours("tags", List, "Words for search and filters; `internal` keeps the skill out of lists."),
    ours("category", Text, "The group the skill belongs to."),
    ours("title", Text, "The title shown to users."),
];

/// Finds a key; `-` and `_` are equal, but letter case matters.
pub fn find(key: &str) -> Option<&'static Known> {
    find_folded(&fold(key))
}

/// Finds a key in the spelling of [`fold`].
pub(crate) fn find_folded(folded: &str) -> Option<&'static Known> {
    KEYS.iter().find(|known| known.key == folded)
}

/// Spells a key with `-`, also if it is a known key in camel case, such as `allowedTools`.
pub fn fold(key: &str) -> Cow<'_, str> {
    if !is_camel(key) && !key.contains('_') {
        return Cow::Borrowed(key);
    }
    let dashed = key.replace('_', "-");
    let camel = camel(&dashed);
    Cow::Owned(if camel.len() > dashed.len() && find(&camel).is_some() { camel } else { dashed })
}

/// Returns `true` if a key is in camel case, which the standard never uses.
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

/// Finds the known key that a misspelled key probably means. Never returns a key with another meaning.
pub fn correction(key: &str, keys: &[&'static str]) -> Option<&'static str> {
    let folded = fold(key).to_lowercase();
    // Keys of other programs that are words by themselves.
    if ["mode", "modes", "content", "contents", "task", "tasks"].contains(&folded.as_str()) {
        return None;
    }
    // In the files of agents, and in early skills, this key has the meaning of `allowed-tools`.
    if folded == "tools" {
        return keys.iter().copied().find(|known| *known == "allowed-tools");
    }
    let is_negated = ["dis", "un", "non"].iter().any(|begin| folded.starts_with(begin))
        || folded.split('-').any(|part| matches!(part, "no" | "not" | "non" | "un" | "disabled"));
    let near = skills_text::nearest(&folded, keys.iter().copied())?;
    // `disallowed-tools` is similar to `allowed-tools`, and `parent` to `agent`. So a key counts as a
    // misspelling only if its first letter is right, or if only its first letter is wrong.
    let is_same_start = folded.chars().next() == near.chars().next();
    let is_slip = folded.len().abs_diff(near.len()) <= 2
        && (is_same_start || near.len() > 5 && folded.ends_with(&near[1..]));
    (is_slip && is_negated == near.starts_with("dis")).then_some(near)
}

/// The keys that every `skill.json` has, each with an example of its value.
pub(crate) const REQUIRED_MANIFEST_KEYS: [(&str, &str); 6] = [
    ("name", "\"my_skill\""),
    ("description", "\"what it does, and when to use it\""),
    ("category", "\"general\""),
    ("input", "{ \"type\": \"object\", \"properties\": {} }"),
    ("output", "{ \"type\": \"object\", \"properties\": {} }"),
    ("mode", "\"code\", \"llm\", \"composite\" or \"mcp\""),
];

/// The keys that may be left out of a `skill.json`.
const OPTIONAL_MANIFEST_KEYS: [&str; 12] = [
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
pub(crate) const FUNCTION_KEYS: [&str; 6] = ["mode", "input", "output", "calls", "pipeline", "outputMapping"];

/// Returns all keys of a `skill.json`, first the required ones.
pub(crate) fn manifest_keys() -> impl Iterator<Item = &'static str> {
    REQUIRED_MANIFEST_KEYS.into_iter().map(|(key, _)| key).chain(OPTIONAL_MANIFEST_KEYS)
}

#[cfg(test)]
mod tests {
    use super::{KEYS, correction};

    // SPEC 2.14
    #[test]
    fn a_key_with_another_meaning_is_never_suggested() {
        let keys: Vec<&str> = KEYS.iter().map(|known| known.key).collect();
        for key in [
            "unallowed-tools",
            "when_not_to_use",
            "parent",
            "not-tags",
            "priority",
            "role",
            "agents-md",
            "mode",
            "content",
        ] {
            assert_eq!(correction(key, &keys), None, "{key}");
        }
        for (key, near) in [
            ("licence", "license"),
            ("descripton", "description"),
            ("allowed-tool", "allowed-tools"),
            ("Name", "name"),
            ("tag", "tags"),
            ("ersion", "version"),
            ("disable-model-invocaton", "disable-model-invocation"),
        ] {
            assert_eq!(correction(key, &keys), Some(near), "{key}");
        }
    }
}
