//! A path that a skill asks for is read: where it begins, and what follows (SPEC 13.2).

use crate::leads_up;

/// A path of [`Permissions`](crate::Permissions), by where it begins. What is held is the rest, with `/`; it may be
/// empty, has no `..`, and begins with no `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedPath<'a> {
    /// Below the directory of the skill: `data`, or `.` for all of it.
    Skill(&'a str),
    /// Below the workspace: `$WORKSPACE`, `$WORKSPACE/out`.
    Workspace(&'a str),
    /// Below the directory for temporary files that the run has for itself: `$TMPDIR`.
    Tmpdir(&'a str),
    /// Below the home directory of the user: `~`, `~/.cache`.
    Home(&'a str),
    /// From the root of the file system: `/`, `/srv/models`.
    Root(&'a str),
}

/// Why a text is no such path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFault {
    /// Nothing is written.
    Empty,
    /// It has a part `..`.
    Parent,
    /// It has a character that looks like a pattern (`*`, `?`), a `\`, or a control character.
    Character(char),
    /// It begins with, or has, a variable other than the two there are; or `~` stands before a name.
    Variable,
}

impl<'a> AskedPath<'a> {
    /// Reads a path.
    ///
    /// ```
    /// use skills_registry::{AskedFault, AskedPath};
    /// assert_eq!(AskedPath::parse("$WORKSPACE/src"), Ok(AskedPath::Workspace("src")));
    /// assert_eq!(AskedPath::parse("data"), Ok(AskedPath::Skill("data")));
    /// assert_eq!(AskedPath::parse("../data"), Err(AskedFault::Parent));
    /// assert_eq!(AskedPath::parse("$HOME"), Err(AskedFault::Variable));
    /// ```
    ///
    /// # Errors
    /// [`AskedFault`] says what is wrong with it.
    pub fn parse(text: &'a str) -> Result<Self, AskedFault> {
        if text.is_empty() {
            return Err(AskedFault::Empty);
        }
        if let Some(c) = text.chars().find(|c| matches!(c, '*' | '?' | '\\') || c.is_control()) {
            return Err(AskedFault::Character(c));
        }
        if leads_up(text) {
            return Err(AskedFault::Parent);
        }
        let (first, rest) = text.split_once('/').unwrap_or((text, ""));
        let rest = rest.trim_start_matches('/');
        if rest.contains('$') {
            return Err(AskedFault::Variable);
        }
        match first {
            "" => Ok(Self::Root(rest)),
            "~" => Ok(Self::Home(rest)),
            "$WORKSPACE" => Ok(Self::Workspace(rest)),
            "$TMPDIR" => Ok(Self::Tmpdir(rest)),
            _ if first.starts_with('~') || first.contains('$') => Err(AskedFault::Variable),
            _ => Ok(Self::Skill(text)),
        }
    }
}
