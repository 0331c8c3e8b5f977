//! Inserts the arguments that a user typed into the body of a skill. The result is sent to a model.
//!
//! | In the body | Replacement |
//! |---|---|
//! | `$ARGUMENTS` | everything that was typed, unchanged |
//! | `$ARGUMENTS[n]`, `$n` | one argument, counted from 0, without its quotes; unchanged if it was not given |
//! | `$name` | the argument with this name in the frontmatter key `arguments`, or nothing |
//! | `\$` before one of these | a literal `$` |
//! | `${CLAUDE_SKILL_DIR}`, `{baseDir}` | the directory that paths in the body are relative to |
//! | `${CLAUDE_SESSION_ID}` | the id of the session, if the host provides one |
//!
//! Everything else stays unchanged, including `$HOME`, since bodies are full of shell and `awk`. Inserted
//! text is not scanned again. `` !`cmd` `` is ordinary text: no command is ever run.

use std::borrow::Cow;

use crate::skill::Skill;
use skills_text::{is_digits, split_words};

const ALL: &str = "ARGUMENTS";

/// The placeholders that clients use for the directory of a skill in its body.
const DIR: [&str; 2] = ["${CLAUDE_SKILL_DIR}", "{baseDir}"];
const SESSION: &str = "${CLAUDE_SESSION_ID}";

impl<'a> Skill<'a> {
    /// Returns the body for a model that loads the skill itself: the unchanged body, except that the skill's
    /// directory is inserted.
    pub fn loaded_body(self) -> Cow<'a, str> {
        self.body_in(self.base(), None, None)
    }

    /// Returns the body for a directory and a session. Paths in the body are relative to `dir`; `session` is
    /// the id of the session. Without `arguments`, the placeholders for arguments stay unchanged. If the body has no
    /// placeholder for given arguments, they are appended as `ARGUMENTS: …`.
    pub fn body_in(self, dir: &str, session: Option<&str>, arguments: Option<&str>) -> Cow<'a, str> {
        let names: Vec<&str> = self.arguments().collect();
        let shown = if arguments.is_none() { self.shown_body() } else { Cow::Borrowed(self.body()) };
        let fill = Fill { arguments, names: &names, dir: Some(dir), session };
        let (filled, placed) = match fill.fill(&shown) {
            (Cow::Owned(filled), placed) => (Some(filled), placed),
            (Cow::Borrowed(_), placed) => (None, placed),
        };
        let left = arguments.filter(|typed| !placed && !typed.trim().is_empty());
        let text = filled.map_or(shown, Cow::Owned);
        match left {
            Some(typed) => Cow::Owned(format!("{}\n\n{ALL}: {typed}", text.trim_end())),
            None => text,
        }
    }
}

/// Puts arguments into a text in one pass. The text is borrowed if it has no placeholders.
///
/// `arguments` are split like a POSIX shell splits them, or at whitespace if a quote is not closed. `names`
/// are the declared argument names, in order. The longest matching name wins; if a letter, a digit or `_`
/// follows it, it does not match.
///
/// ```
/// use skills_registry::fill_arguments;
/// let text = r"Move $ARGUMENTS[0] to $target for \$1. All: $ARGUMENTS";
/// assert_eq!(
///     fill_arguments(text, r#"a.txt "my files""#, &["source", "target"]),
///     r#"Move a.txt to my files for $1. All: a.txt "my files""#
/// );
/// ```
pub fn fill<'t>(text: &'t str, arguments: &str, names: &[&str]) -> Cow<'t, str> {
    Fill { arguments: Some(arguments), names, dir: None, session: None }.fill(text).0
}

/// The values that are put into a text.
struct Fill<'t> {
    arguments: Option<&'t str>,
    names: &'t [&'t str],
    dir: Option<&'t str>,
    session: Option<&'t str>,
}

impl Fill<'_> {
    /// Fills a text in one pass. The `bool` is `true` if a placeholder for an argument was found.
    fn fill<'t>(&self, text: &'t str) -> (Cow<'t, str>, bool) {
        let mut words: Option<Vec<String>> = None;
        let mut out = String::new();
        let (mut copied, mut at, mut placed) = (0, 0, false);
        while let Some(found) = text.get(at..).and_then(|rest| rest.find(['$', '{'])) {
            let start = at + found;
            let (before, rest) = text.split_at(start);
            at = start + 1;
            if let Some((value, length)) = self.variable(before, rest) {
                out.push_str(&text[copied..start]);
                out.push_str(value);
                at = start + length;
                copied = at;
                continue;
            }
            let Some(arguments) = self.arguments.filter(|_| rest.starts_with('$')) else { continue };
            let Some((place, length)) = place(&rest[1..], self.names) else { continue };
            let words = words.get_or_insert_with(|| split(arguments));
            let end = at + length;
            if before.ends_with('\\') && !before.ends_with("\\\\") {
                out.push_str(&text[copied..start - 1]);
                copied = start;
                at = end;
                continue;
            }
            let value = match place {
                Place::All => Some(arguments),
                Place::Named(index) => Some(words.get(index).map_or("", String::as_str)),
                Place::Counted(index) => words.get(index).map(String::as_str),
            };
            at = end;
            let Some(value) = value else { continue };
            out.push_str(&text[copied..start]);
            out.push_str(value);
            copied = end;
            placed = true;
        }
        if copied == 0 {
            return (Cow::Borrowed(text), placed);
        }
        out.push_str(&text[copied..]);
        (Cow::Owned(out), placed)
    }

    /// Reads the name of the directory or session variable, and its length. `{{baseDir}}` belongs to another
    /// template language and is left alone.
    fn variable(&self, before: &str, rest: &str) -> Option<(&str, usize)> {
        let dir = DIR.into_iter().find(|name| rest.starts_with(name)).filter(|name| {
            name.starts_with('$') || !(before.ends_with(['{', '$']) || rest[name.len()..].starts_with('}'))
        });
        match (dir, self.dir, self.session) {
            (Some(name), Some(dir), _) => Some((dir, name.len())),
            (None, _, Some(session)) if rest.starts_with(SESSION) => Some((session, SESSION.len())),
            _ => None,
        }
    }
}

enum Place {
    All,
    Counted(usize),
    Named(usize),
}

/// Returns `true` if a text begins with a character that a name can have.
fn continues_word(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Reads the placeholder after a `$`, and its length.
fn place(rest: &str, names: &[&str]) -> Option<(Place, usize)> {
    if let Some(behind) = rest.strip_prefix(ALL).filter(|behind| !continues_word(behind)) {
        return Some(match index(behind) {
            Some((index, length)) => (Place::Counted(index), ALL.len() + length),
            None => (Place::All, ALL.len()),
        });
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && !continues_word(&rest[digits..]) {
        // An index too large for `usize` refers to an argument that cannot exist.
        return Some((Place::Counted(rest[..digits].parse().unwrap_or(usize::MAX)), digits));
    }
    let named = names.iter().enumerate().filter(|(_, name)| {
        !name.is_empty() && rest.strip_prefix(**name).is_some_and(|behind| !continues_word(behind))
    });
    // If a name is declared twice, the first declaration counts.
    named.rev().max_by_key(|(_, name)| name.len()).map(|(at, name)| (Place::Named(at), name.len()))
}

/// Reads `[n]`.
fn index(text: &str) -> Option<(usize, usize)> {
    let (digits, _) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !digits.is_empty() && is_digits(digits);
    // An index too large for `usize` refers to an argument that cannot exist.
    is_number.then(|| (digits.parse().unwrap_or(usize::MAX), digits.len() + 2))
}

fn split(arguments: &str) -> Vec<String> {
    split_words(arguments).unwrap_or_else(|| arguments.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::fill;

    // SPEC 8.5
    #[test]
    fn each_placeholder_gets_its_argument() {
        let names = ["issue", "issue-type", "branch"];
        let fill = |text| fill(text, "7 'a bug' main", &names).into_owned();
        assert_eq!(fill("$ARGUMENTS"), "7 'a bug' main");
        assert_eq!(fill("[$ARGUMENTS[0]] [$ARGUMENTS[1]] [$ARGUMENTS[9]]"), "[7] [a bug] [$ARGUMENTS[9]]");
        assert_eq!(fill("$issue, $issue-type, $branch."), "7, a bug, main.");
        assert_eq!(fill("$issue-9 $issue$branch"), "7-9 7main", "the longest name that fits");
        assert_eq!(fill("$issue修复"), "7修复");
        for text in ["$issues", "$branch_2", "$ARGUMENTS2", "$arguments", "$3 $HOME $ $$", "\\", "$other"] {
            assert_eq!(fill(text), text);
        }
        assert_eq!(
            fill("$ARGUMENTS[x] $ARGUMENTS[ $ARGUMENTS[]"),
            "7 'a bug' main[x] 7 'a bug' main[ 7 'a bug' main[]"
        );
        assert_eq!(fill("$ARGUMENTS[99999999999999999999999]."), "$ARGUMENTS[99999999999999999999999].");
        assert_eq!(fill("$$issue"), "$7");
    }

    // SPEC 8.9
    #[test]
    fn numbers_count_from_0_and_stay_without_an_argument() {
        let fill = |text| fill(text, "'my file' b", &["dest"]).into_owned();
        assert_eq!(fill("$0, $1, $2 and $1.00"), "my file, b, $2 and b.00");
        assert_eq!(fill("awk '{print $9}' $10 $1x $1_ $01"), "awk '{print $9}' $10 $1x $1_ b");
        assert_eq!(super::fill("costs $1 or $ARGUMENTS[0]", "", &[]), "costs $1 or $ARGUMENTS[0]");
        assert_eq!(fill(r"\$1.00 \$ARGUMENTS \$dest \$9 \$HOME \n"), r"$1.00 $ARGUMENTS $dest $9 \$HOME \n");
        assert_eq!(fill(r"\\$1 \\$dest"), r"\\b \\my file", "a doubled backslash escapes nothing");
        assert_eq!(super::fill("$1", "a $0 $1", &[]), "$0", "never expanded again");
    }

    // SPEC 8.5
    #[test]
    fn inserted_text_is_never_expanded_again() {
        assert_eq!(fill("$a $b", "$b $ARGUMENTS", &["a", "b"]), "$b $ARGUMENTS");
        assert_eq!(fill("$ARGUMENTS", "$ARGUMENTS $ARGUMENTS[0]", &[]), "$ARGUMENTS $ARGUMENTS[0]");
        assert_eq!(
            fill("$a$b", "$ARGU MENTS", &["a", "b"]),
            "$ARGUMENTS",
            "their concatenation is not a placeholder"
        );
    }

    // SPEC 8.5
    #[test]
    fn commands_in_a_body_stay_text() {
        let text = "!`touch ran` !`echo $ARGUMENTS`";
        assert_eq!(
            fill(text, "$(touch ran) `touch ran`", &[]),
            "!`touch ran` !`echo $(touch ran) `touch ran``"
        );
        assert!(!std::path::Path::new("ran").exists());
    }

    // SPEC 8.5, 12.1
    #[test]
    fn odd_arguments_and_names_do_no_harm() {
        assert_eq!(fill("$ARGUMENTS[0]|$ARGUMENTS[1]", "it's here", &[]), "it's|here", "an open quote");
        assert_eq!(fill("$ARGUMENTS|$ARGUMENTS[0]", "", &[]), "|$ARGUMENTS[0]");
        assert_eq!(fill("$ARGUMENTS[1]", "a\0b \u{1F600}", &[]), "\u{1F600}");
        assert_eq!(fill("$ $x", "v w", &["x", "x", ""]), "$ v");
        assert_eq!(fill("é$", "v", &["é"]), "é$");
        assert_eq!(fill("$é!", "v", &["é"]), "v!");
        let many = "$ARGUMENTS ".repeat(10_000);
        assert_eq!(fill(&many, "x", &[]).len(), 20_000);
    }
}
