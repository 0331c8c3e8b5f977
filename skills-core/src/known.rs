//! The keys of a frontmatter that have a meaning (SPEC 2.5): `check` reads them, and mending YAML asks what is one.

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
    /// Whether the open Agent Skills standard has it.
    pub(crate) standard: bool,
}

const fn standard(key: &'static str, shape: Shape) -> Known {
    Known { key, shape, standard: true }
}

const fn ours(key: &'static str, shape: Shape) -> Known {
    Known { key, shape, standard: false }
}

/// All known keys.
pub(crate) static KEYS: &[Known] = &[
    standard("name", Shape::Text),
    standard("description", Shape::Text),
    standard("license", Shape::Text),
    standard("compatibility", Shape::Text),
    standard("metadata", Shape::Map),
    standard("allowed-tools", Shape::Tools),
    ours("version", Shape::Text),
    ours("exec", Shape::Text),
    ours("schema", Shape::Text),
    ours("requires", Shape::List),
    ours("timeout", Shape::Timeout),
    ours("homepage", Shape::Text),
    ours("trigger", Shape::Text),
    ours("mcp", Shape::Any),
    ours("argument-hint", Shape::Any),
    ours("arguments", Shape::Any),
    ours("disable-model-invocation", Shape::Flag(true)),
    ours("user-invocable", Shape::Flag(false)),
    ours("default-enabled", Shape::Flag(false)),
    ours("when-to-use", Shape::Text),
    ours("model", Shape::Text),
    ours("effort", Shape::Text),
    ours("context", Shape::Text),
    ours("agent", Shape::Text),
    ours("shell", Shape::Text),
    ours("display-name", Shape::Text),
    ours("paths", Shape::Tools),
    ours("disallowed-tools", Shape::Tools),
    ours("background", Shape::Any),
    ours("fallback", Shape::Any),
    ours("hooks", Shape::Any),
    ours("author", Shape::Any),
    ours("tags", Shape::List),
    ours("category", Shape::Text),
    ours("title", Shape::Text),
];

/// Finds a key, `-` and `_` being the same and letter case not (SPEC 2.5).
pub(crate) fn find(key: &str) -> Option<&'static Known> {
    let folded = fold(key);
    KEYS.iter().find(|known| known.key == folded)
}

/// Spells a key with `-`; the camel case of a known key too, such as `allowedTools` (SPEC 2.5, 8.8).
pub(crate) fn fold(key: &str) -> String {
    let dashed = key.replace('_', "-");
    let camel = camel(&dashed);
    if camel.len() > dashed.len() && KEYS.iter().any(|known| known.key == camel) { camel } else { dashed }
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
