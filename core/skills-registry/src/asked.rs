//! Parses a path in a skill's permissions: the root it starts from, and the rest.

use skills_text::{leads_up, path_names};

/// A path of [`Permissions`](crate::Permissions), by the root it starts from. The value is the rest of the
/// path, with `/` as separator; it may be empty, has no `..`, and does not begin with `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedPath<'a> {
    /// Below the directory of the skill: `data`, or `.` for all of it.
    Skill(&'a str),
    /// Below the workspace: `$WORKSPACE`, `$WORKSPACE/out`.
    Workspace(&'a str),
    /// Below the run's private directory for temporary files: `$TMPDIR`.
    Tmpdir(&'a str),
    /// Below the home directory of the user: `~`, `~/.cache`.
    Home(&'a str),
    /// From the root of the file system: `/`, `/srv/models`.
    Root(&'a str),
}

/// The reason why a text is not a valid permission path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFault {
    /// The text is empty.
    Empty,
    /// A component is `..`.
    Parent,
    /// The text has a pattern character (`*`, `?`), a `\`, or a control character.
    Character(char),
    /// The text has a variable other than `$WORKSPACE` or `$TMPDIR` at the start, or `~` followed by a name.
    Variable,
}

impl<'a> AskedPath<'a> {
    /// Parses a path.
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
    /// [`AskedFault`] if the path is not valid.
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

    /// Returns `true` if this path includes the other one.
    ///
    /// ```
    /// use skills_registry::AskedPath;
    /// let path = |text| AskedPath::parse(text).unwrap();
    /// assert!(path("~/.config").covers(path("~/.config/gh")));
    /// assert!(!path("~/.config").covers(path("~/.config2")));
    /// ```
    pub fn covers(self, other: AskedPath<'_>) -> bool {
        let (above, path) = match (self, other) {
            (Self::Skill(above), AskedPath::Skill(path))
            | (Self::Workspace(above), AskedPath::Workspace(path))
            | (Self::Tmpdir(above), AskedPath::Tmpdir(path))
            | (Self::Home(above), AskedPath::Home(path))
            | (Self::Root(above), AskedPath::Root(path)) => (above, path),
            _ => return false,
        };
        path_names(path).starts_with(&path_names(above))
    }
}
