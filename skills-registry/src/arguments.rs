//! The body of a skill and what was typed behind its name become the text a model is sent (SPEC 8.5).
//!
//! | in the body | becomes |
//! |---|---|
//! | `$ARGUMENTS` | all that was typed, as it was typed |
//! | `$ARGUMENTS[n]` | one argument, counted from 0, its quotes removed |
//! | `$name` | the argument that the frontmatter key `arguments` names at this place |
//!
//! An argument that was not given is empty. Everything else stays as it is, `$1` and `$HOME` too: bodies are full of
//! shell and `awk`. Text that was put in is never looked at again, and `` !`cmd` `` is text like any other: nothing is
//! ever run.

use std::borrow::Cow;

use crate::skill::Skill;
use crate::words::split_words;

const ALL: &str = "ARGUMENTS";

impl<'a> Skill<'a> {
    /// Returns the body with arguments put in: what a model is sent when a user calls the skill with them (SPEC 8.5).
    ///
    /// Arguments that the body has no place for are not lost: they follow it, as `ARGUMENTS: …`.
    pub fn body_with(self, arguments: &str) -> Cow<'a, str> {
        let names: Vec<&str> = self.arguments().collect();
        let filled = fill(self.body(), arguments, &names);
        match filled {
            Cow::Borrowed(body) if !arguments.trim().is_empty() => {
                Cow::Owned(format!("{}\n\n{ALL}: {arguments}", body.trim_end()))
            }
            filled => filled,
        }
    }
}

/// Puts arguments into a text, in one pass; the text is borrowed when it has no place for any (SPEC 8.5).
///
/// `arguments` are split as a shell does, and at blanks when a quote in them stays open. `names` are the declared ones,
/// in order; the longest that fits is meant, and a letter, a digit or `_` behind it means another name.
///
/// ```
/// use skills_registry::fill_arguments;
/// let text = "Move $ARGUMENTS[0] to $target. All: $ARGUMENTS";
/// assert_eq!(
///     fill_arguments(text, r#"a.txt "my files""#, &["source", "target"]),
///     r#"Move a.txt to my files. All: a.txt "my files""#
/// );
/// ```
pub fn fill<'t>(text: &'t str, arguments: &str, names: &[&str]) -> Cow<'t, str> {
    let mut words: Option<Vec<String>> = None;
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('$')) {
        let start = at + found;
        let Some((place, length)) = place(&text[start + 1..], names) else {
            at = start + 1;
            continue;
        };
        out.push_str(&text[copied..start]);
        match place {
            Place::All => out.push_str(arguments),
            Place::One(index) => {
                let words = words.get_or_insert_with(|| split(arguments));
                out.push_str(words.get(index).map_or("", String::as_str));
            }
        }
        at = start + 1 + length;
        copied = at;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

enum Place {
    All,
    One(usize),
}

/// Reads the place behind a `$`, and how long it is.
fn place(rest: &str, names: &[&str]) -> Option<(Place, usize)> {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if let Some(behind) = rest.strip_prefix(ALL).filter(|behind| ends(behind)) {
        return Some(match index(behind) {
            Some((index, length)) => (Place::One(index), ALL.len() + length),
            None => (Place::All, ALL.len()),
        });
    }
    let named = names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty() && rest.strip_prefix(**name).is_some_and(ends));
    // The first of equal names, so that a name given twice is its first argument.
    named.rev().max_by_key(|(_, name)| name.len()).map(|(at, name)| (Place::One(at), name.len()))
}

/// Reads `[n]`.
fn index(text: &str) -> Option<(usize, usize)> {
    let (digits, _) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large to count is an argument nobody gave.
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
    fn each_place_takes_what_belongs_there() {
        let names = ["issue", "issue-type", "branch"];
        let fill = |text| fill(text, "7 'a bug' main", &names).into_owned();
        assert_eq!(fill("$ARGUMENTS"), "7 'a bug' main");
        assert_eq!(fill("[$ARGUMENTS[0]] [$ARGUMENTS[1]] [$ARGUMENTS[9]]"), "[7] [a bug] []");
        assert_eq!(fill("$issue, $issue-type, $branch."), "7, a bug, main.");
        assert_eq!(fill("$issue-9 $issue$branch"), "7-9 7main", "the longest name that fits");
        assert_eq!(fill("$issue修复"), "7修复");
        for text in ["$issues", "$branch_2", "$ARGUMENTS2", "$arguments", "$1 $HOME $ $$", "\\", "$other"] {
            assert_eq!(fill(text), text);
        }
        assert_eq!(
            fill("$ARGUMENTS[x] $ARGUMENTS[ $ARGUMENTS[]"),
            "7 'a bug' main[x] 7 'a bug' main[ 7 'a bug' main[]"
        );
        assert_eq!(fill("$ARGUMENTS[99999999999999999999999]."), ".");
        assert_eq!(fill("$$issue"), "$7");
    }

    // SPEC 8.5
    #[test]
    fn what_was_put_in_is_never_expanded_again() {
        assert_eq!(fill("$a $b", "$b $ARGUMENTS", &["a", "b"]), "$b $ARGUMENTS");
        assert_eq!(fill("$ARGUMENTS", "$ARGUMENTS $ARGUMENTS[0]", &[]), "$ARGUMENTS $ARGUMENTS[0]");
        assert_eq!(fill("$a$b", "$ARGU MENTS", &["a", "b"]), "$ARGUMENTS", "nor what both make together");
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
        assert_eq!(fill("$ARGUMENTS|$ARGUMENTS[0]", "", &[]), "|");
        assert_eq!(fill("$ARGUMENTS[1]", "a\0b \u{1F600}", &[]), "\u{1F600}");
        assert_eq!(fill("$ $x", "v w", &["x", "x", ""]), "$ v");
        assert_eq!(fill("é$", "v", &["é"]), "é$");
        assert_eq!(fill("$é!", "v", &["é"]), "v!");
        let many = "$ARGUMENTS ".repeat(10_000);
        assert_eq!(fill(&many, "x", &[]).len(), 20_000);
    }
}
