//! The rules for names of skills and steps, for `check`, editors and `skills new`, and the keywords of Rust, which
//! generated modules and fields cannot have as names.

use skills_registry::is_standard_name;
use skills_template::{Expr, TemplateNode, parse_template};

/// The maximum number of characters in a name.
pub(crate) const LONGEST: usize = 64;

/// The rules that a name follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The open standard: `^[a-z0-9]+(-[a-z0-9]+)*$`.
    Standard,
    /// The `name` in a `SKILL.md`, which may also contain `_`.
    Skill,
    /// The `name` in a `skill.json`: `^[a-z][a-z0-9_]*$`.
    Function,
    /// A step, whose name must work in `steps.NAME`.
    Step,
}

impl Spelling {
    /// Describes the characters of a valid name.
    pub fn form(self) -> &'static str {
        match self {
            Self::Standard => "lowercase letters and digits, joined by single `-`, at most 64 characters",
            Self::Skill => "lowercase letters and digits, joined by single `-` or `_`, at most 64 characters",
            Self::Function => "`^[a-z][a-z0-9_]*$`, at most 64 characters",
            Self::Step => "letters and digits, joined by `-` or `_`",
        }
    }
}

/// Returns the reason why a name is not valid; `None` if it is.
///
/// ```
/// use skills_core::name::{Spelling, fault};
/// assert_eq!(fault("add-all", Spelling::Skill), None);
/// assert_eq!(fault("a--b", Spelling::Skill).as_deref(), Some("`a--b` is not a valid name"));
/// assert!(fault("add-all", Spelling::Function).is_some());
/// ```
pub fn fault(name: &str, spelling: Spelling) -> Option<String> {
    if is_legal(name, spelling) {
        return None;
    }
    let shown = name.escape_debug();
    Some(match spelling {
        Spelling::Step => {
            format!("`{shown}` is not a valid name of a step, because `steps.{shown}` cannot be read")
        }
        _ if is_long(name, spelling) => {
            format!("the name has {} characters, but at most {LONGEST} are allowed", name.chars().count())
        }
        Spelling::Function => format!("`{shown}` is not a valid name for a skill with a `skill.json`"),
        Spelling::Standard | Spelling::Skill => format!("`{shown}` is not a valid name"),
    })
}

/// Returns the Windows device with this name, with any file extension: no file or directory can have such a
/// name.
///
/// ```
/// use skills_core::name::device;
/// assert_eq!(device("aux.txt"), Some("AUX"));
/// assert_eq!(device("auxiliary"), None);
/// ```
pub fn device(name: &str) -> Option<&'static str> {
    const DEVICES: [&str; 32] = [
        "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "COM0", "COM1", "COM2", "COM3", "COM4", "COM5",
        "COM6", "COM7", "COM8", "COM9", "COM¹", "COM²", "COM³", "LPT0", "LPT1", "LPT2", "LPT3", "LPT4",
        "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "LPT¹", "LPT²", "LPT³",
    ];
    // Most names are decided by their first letters.
    let begin = name.as_bytes().first_chunk()?.map(|byte: u8| byte.to_ascii_uppercase());
    if !matches!(&begin, b"CON" | b"PRN" | b"AUX" | b"NUL" | b"COM" | b"LPT") {
        return None;
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    DEVICES.into_iter().find(|device| device.eq_ignore_ascii_case(stem))
}

/// Returns `true` if a name is valid.
pub(crate) fn is_legal(name: &str, spelling: Spelling) -> bool {
    match spelling {
        Spelling::Standard => is_standard_name(name),
        Spelling::Skill => is_standard_name(&name.replace('_', "-")),
        Spelling::Function => {
            name.len() <= LONGEST
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        }
        Spelling::Step => is_read(name),
    }
}

/// Returns `true` if a name is valid except for its length.
fn is_long(name: &str, spelling: Spelling) -> bool {
    let part =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.len() > LONGEST
        && match spelling {
            Spelling::Standard => name.split('-').all(part),
            Spelling::Skill => name.split(['-', '_']).all(part),
            Spelling::Function => name.get(..LONGEST).is_some_and(|start| is_legal(start, spelling)),
            Spelling::Step => false,
        }
}

/// Returns `true` if the template parser can read the step with this name.
fn is_read(name: &str) -> bool {
    let parsed = parse_template(&format!("{{{{steps.{name}}}}}"));
    let Some(tree) = parsed.tree.as_ref().filter(|_| parsed.errors.is_empty()) else { return false };
    matches!(tree.root().expr(), Expr::Path(keys) if keys.map(TemplateNode::text).eq(["steps", name]))
}

/// Keywords of all Rust editions, sorted.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Returns `true` if a text is a keyword of any Rust edition.
pub fn is_keyword(text: &str) -> bool {
    KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 2.6
    #[test]
    fn names_are_lowercase_words() {
        for name in ["pdf", "a-b", "a_b", "3d", "constructor", "self", "type", "a-b_c", "0"] {
            assert!(is_legal(name, Spelling::Skill), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "a-_b", "A", "é", "a b", "a.b", "技能", "a\u{2011}b"] {
            assert!(!is_legal(name, Spelling::Skill), "{name}");
        }
        let long = "a".repeat(65);
        assert!(is_legal(&long[1..], Spelling::Skill) && !is_legal("a_b", Spelling::Standard));
        for spelling in [Spelling::Standard, Spelling::Skill, Spelling::Function] {
            let found = fault(&long, spelling);
            assert_eq!(found.as_deref(), Some("the name has 65 characters, but at most 64 are allowed"));
        }
    }

    // SPEC 3.1, 5.5
    #[test]
    fn functions_and_steps_have_names() {
        for name in ["a", "a__b", "g_1"] {
            assert!(is_legal(name, Spelling::Function), "{name}");
        }
        for name in ["", "G", "a-b", "_a", "1a", "é"] {
            assert!(!is_legal(name, Spelling::Function), "{name}");
        }
        for name in ["one", "a-b", "__", "2", "Zwei"] {
            assert!(is_legal(name, Spelling::Step), "{name}");
        }
        for name in ["", "-", "a b", "a.b", "a | size", "a}} {{b", "a['b']", " a"] {
            assert!(!is_legal(name, Spelling::Step), "{name}");
        }
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }
}
