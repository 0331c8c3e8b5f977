//! Defines the states of files at a target and the actions for them, with their texts. `draft` creates them, and the
//! commands print them.

use std::fmt;

/// The state of a skill or a file at the target, compared with the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// It is missing: it was not installed yet, or the user deleted it.
    Missing,
    /// It equals the version of the bundle.
    Current,
    /// It was installed unchanged, and the bundle has another version now.
    Outdated,
    /// The user changed it.
    Modified,
    /// It was not written by this bundle.
    Foreign,
    /// It was installed unchanged, and the bundle no longer has it.
    Orphaned,
    /// It is installed, and was left out of the bundle this time; see [`partial`](crate::InstallOptions::partial).
    LeftOut,
}

skills_text::__named!(State, "state", {
    Missing = "missing",
    Current = "current",
    Outdated = "outdated",
    Modified = "modified",
    Foreign = "foreign",
    Orphaned = "orphaned",
    LeftOut = "left-out",
});

/// The reason why a file is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The user edited it; `force` replaces it.
    Edited,
    /// The user edited it, and the bundle no longer has it; `force` sets it aside.
    EditedOrphan,
    /// The user deleted it; the option `restore` restores it.
    Deleted,
    /// It was not written by this bundle.
    Foreign,
    /// It was not written by this bundle, although its bytes are equal; `adopt` takes it over.
    ForeignSame,
    /// Another bundle installed the skill.
    Owned {
        /// The other bundle.
        bundle: String,
    },
    /// A parent of the path is a link, or another entry that is not a directory.
    Unreachable,
    /// It was left out of the bundle this time; see [`partial`](crate::InstallOptions::partial).
    LeftOut,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Edited => "edited here",
            Self::EditedOrphan => "edited here, and no longer part of the bundle",
            Self::Deleted => "deleted here",
            Self::Foreign => "not installed by this program",
            Self::ForeignSame => "not installed by this program, but equal",
            Self::Owned { bundle } => return write!(formatter, "installed by `{bundle}`"),
            Self::Unreachable => "a link or a file stands in place of a directory",
            Self::LeftOut => "left out of the bundle this time",
        })
    }
}

/// The action for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// It is created.
    Create,
    /// It is replaced; the user had not changed it.
    Update,
    /// It is replaced, and the user's version is kept as `backup`.
    Replace {
        /// The path of the copy, below the skill.
        backup: String,
    },
    /// The bundle no longer has the file. The version that the user edited is renamed to `backup`.
    SetAside {
        /// The new path, below the skill.
        backup: String,
    },
    /// It is removed; the user had not changed it.
    Remove,
    /// It is recorded as installed, since it has the bytes of the bundle.
    Adopt,
    /// It is replaced, although this bundle did not write it.
    TakeOver {
        /// The path of the copy below the skill. `None` for a file of an earlier release.
        backup: Option<String>,
    },
    /// It is kept.
    Keep(Reason),
}

skills_text::__named!(Action);

impl Action {
    /// Returns the name of the action in a plan.
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

    /// Returns the new path of the user's file below the skill, if the action moves it.
    #[must_use]
    pub fn backup(&self) -> Option<&str> {
        match self {
            Self::Replace { backup } | Self::SetAside { backup } => Some(backup),
            Self::TakeOver { backup } => backup.as_deref(),
            _ => None,
        }
    }

    /// Returns the reason if a file is kept, or if a changed file is replaced or removed.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Replace { .. } | Self::SetAside { .. } => Some("edited here".to_owned()),
            Self::TakeOver { backup: Some(_) } => Some("not installed by this program".to_owned()),
            Self::TakeOver { backup: None } => Some("installed by an earlier release".to_owned()),
            Self::Keep(reason) => Some(reason.to_string()),
            _ => None,
        }
    }
}

/// A line of a plan: the action for a file, or for a whole skill that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The skill.
    pub skill: String,
    /// The file below the skill. `None` if the step is about the whole skill.
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
        write!(formatter, "{:7} {}", self.action, self.full_path())?;
        match (self.action.reason(), self.action.backup()) {
            (Some(reason), Some(backup)) => write!(formatter, " ({reason}; kept as {}/{backup})", self.skill),
            (Some(reason), None) => write!(formatter, " ({reason})"),
            (None, _) => Ok(()),
        }
    }
}

/// The status of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillStatus {
    /// Its name.
    pub name: String,
    /// Its state: the worst of its files; `Foreign` and `Orphaned` apply to the whole skill.
    pub state: State,
    /// The bundle that installed it, if any.
    pub owner: Option<String>,
    /// The version of the skill that was installed, or for a stub the version of the program that wrote it.
    pub installed: Option<String>,
    /// The command that the installed stub names. `None` if the skill was installed as a copy.
    pub stub: Option<String>,
    /// Whether the bundle has other files now than when it installed the skill.
    pub has_changed: bool,
    /// Its files, sorted by path; empty for a skill of another bundle.
    pub files: Vec<FileStatus>,
}

/// The status of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileStatus {
    /// Its path below the skill.
    pub path: String,
    /// Its state.
    pub state: State,
    /// The reason why an installation would keep it.
    pub reason: Option<Reason>,
}
