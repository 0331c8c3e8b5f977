//! The states of files at a target and the actions for them, as text. `draft` creates them, the shells show
//! them.

use std::fmt;

/// How a skill or a file at the target stands to the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It is not there: not yet, or the user deleted it.
    Missing,
    /// It is what the bundle has.
    Current,
    /// It is what was installed, and the bundle has something else by now.
    Outdated,
    /// The user changed it.
    Modified,
    /// It was not written by this bundle.
    Foreign,
    /// It is what was installed, and the bundle no longer has it.
    Orphaned,
}

impl State {
    /// Returns the word for the state.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Current => "current",
            Self::Outdated => "outdated",
            Self::Modified => "modified",
            Self::Foreign => "foreign",
            Self::Orphaned => "orphaned",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Why something is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The user edited it; `force` replaces it.
    Edited,
    /// The user edited it, and the bundle no longer has it; `force` sets it aside.
    EditedOrphan,
    /// The user deleted it; `restore` brings it back.
    Deleted,
    /// It was not written by this bundle.
    Foreign,
    /// It was not written by this bundle, though the bytes are the same; `adopt` takes it over.
    ForeignSame,
    /// Another bundle installed the skill.
    Owned {
        /// That bundle.
        bundle: String,
    },
    /// A parent of the path is a link, or another entry that is not a directory.
    Unreachable,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Edited => "edited here",
            Self::EditedOrphan => "edited here, and no longer part of the bundle",
            Self::Deleted => "deleted here",
            Self::Foreign => "not installed by this program",
            Self::ForeignSame => "not installed by this program, though the same",
            Self::Owned { bundle } => return write!(formatter, "installed by `{bundle}`"),
            Self::Unreachable => "a link or a file stands in place of a directory",
        })
    }
}

/// The action for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// It is written; nothing was there.
    Create,
    /// It is replaced; the user had not touched it.
    Update,
    /// It is replaced, and what the user made of it stays as `backup`.
    Replace {
        /// The path of the copy, below the skill.
        backup: String,
    },
    /// The bundle no longer has the file. The version that the user edited is renamed to `backup`.
    SetAside {
        /// The new path, below the skill.
        backup: String,
    },
    /// It is removed; the user had not touched it.
    Remove,
    /// It is recorded as installed; its bytes are the bundle's.
    Adopt,
    /// It is replaced, although this bundle did not write it.
    TakeOver {
        /// The path of the copy, below the skill; none for a file that an earlier release wrote.
        backup: Option<String>,
    },
    /// It is left as it is.
    Keep(Reason),
}

impl Action {
    /// Returns the word of a plan for the action.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace { .. } | Self::TakeOver { .. } => "replace",
            Self::SetAside { .. } | Self::Remove => "remove",
            Self::Adopt => "adopt",
            Self::Keep(_) => "keep",
        }
    }

    /// Returns the path below the skill where the user's file is afterwards, if the action moves it.
    #[must_use]
    pub fn backup(&self) -> Option<&str> {
        match self {
            Self::Replace { backup } | Self::SetAside { backup } => Some(backup),
            Self::TakeOver { backup } => backup.as_deref(),
            _ => None,
        }
    }

    /// Returns why a file is kept, or why one is replaced or removed that is not as it was installed.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Replace { .. } | Self::SetAside { .. } => Some("edited here".to_owned()),
            Self::TakeOver { backup: Some(_) } => Some("not installed by this program".to_owned()),
            Self::TakeOver { backup: None } => Some("of an earlier release".to_owned()),
            Self::Keep(reason) => Some(reason.to_string()),
            _ => None,
        }
    }
}

/// A line of a plan: a file, or a whole skill that is left alone, and what is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The skill.
    pub skill: String,
    /// The file below the skill; none when the step is about the whole skill.
    pub path: Option<String>,
    /// The action.
    pub action: Action,
}

impl Step {
    /// Returns `true` if the step changes anything.
    #[must_use]
    pub fn is_change(&self) -> bool {
        !matches!(self.action, Action::Keep(_))
    }

    /// Returns the path below `skills`, with `/`.
    #[must_use]
    pub fn full_path(&self) -> String {
        match &self.path {
            Some(path) => format!("{}/{path}", self.skill),
            None => self.skill.clone(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:7} {}", self.action.as_str(), self.full_path())?;
        match (self.action.reason(), self.action.backup()) {
            (Some(reason), Some(backup)) => write!(formatter, " ({reason}; kept as {}/{backup})", self.skill),
            (Some(reason), None) => write!(formatter, " ({reason})"),
            (None, _) => Ok(()),
        }
    }
}

/// How a skill stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillStatus {
    /// Its name.
    pub name: String,
    /// Its state: the worst of its files, `Foreign` and `Orphaned` for the whole.
    pub state: State,
    /// The bundle that installed it, when one did.
    pub owner: Option<String>,
    /// The version that was installed.
    pub installed: Option<String>,
    /// Its files, sorted by path; none for a skill of another bundle.
    pub files: Vec<FileStatus>,
}

/// How a file stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStatus {
    /// Its path below the skill.
    pub path: String,
    /// Its state.
    pub state: State,
    /// Why an installation would leave it as it is.
    pub reason: Option<Reason>,
}
