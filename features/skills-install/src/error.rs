//! The error type of all functions of `install`.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use skills_registry::{NotFound, standard_name};

/// The form of the lock file that this version reads and writes.
pub(super) const FORMAT: &str = "1";

/// The reason why an operation failed, wholly or in part.
///
/// Every file is complete after each of these errors, and the next run completes the work.
#[derive(Debug)]
#[non_exhaustive]
pub enum InstallError {
    /// The operating system refused: permission denied, disk full, …
    Io {
        /// The operation that failed: `write`, `read`, …
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A symbolic link or another entry is in the place of a directory or file of the installer.
    InTheWay {
        /// Its path.
        path: PathBuf,
        /// The real path of a link's target.
        leads_to: Option<PathBuf>,
    },
    /// A link leads the target out of the directory that must contain it.
    LeadsOut {
        /// The target.
        target: PathBuf,
        /// The directory that [`within`](super::InstallOptions::within) named.
        within: PathBuf,
    },
    /// The lock file cannot be read; with `force` it is set aside as `.bak`, and all files count as foreign.
    Damaged {
        /// The lock file.
        path: PathBuf,
        /// The line of the fault, from 1.
        line: usize,
        /// The column of the fault in characters, from 1.
        column: usize,
        /// The reason.
        reason: String,
    },
    /// The lock file was written by a later version, in a form that this one does not know.
    Newer {
        /// The lock file.
        path: PathBuf,
        /// The format it states.
        format: String,
    },
    /// The name of a skill is not a valid name of a directory: it is empty, hidden, or contains a separator.
    UnsafeName {
        /// The name.
        name: String,
    },
    /// The path of a file leaves its skill, or is not a plain relative path.
    UnsafePath {
        /// The skill.
        skill: String,
        /// The path.
        path: String,
    },
    /// Two skills would have the same directory: the standard has no `_`, or some file systems do not distinguish
    /// `A` and `a`.
    Clash {
        /// The name that sorts first.
        first: String,
        /// The other one.
        second: String,
    },
    /// A skill is not signed with the required key.
    Unsigned {
        /// The skill.
        skill: String,
        /// The reason, in one or more lines.
        reason: String,
    },
    /// The bundle does not have the requested name.
    Unknown(NotFound),
    /// A skill cannot be removed, because this bundle did not install it.
    NotInstalled {
        /// The name.
        name: String,
        /// The bundle that installed it, if any.
        owner: Option<String>,
    },
    /// The target has changed since the plan was made, and more changes than planned would be necessary.
    Changed {
        /// The file that the plan does not mention, below `skills`.
        path: String,
    },
}

/// The result of an inner function. An error is boxed, because its moves and drops would make programs larger.
pub(super) type Fallible<T> = Result<T, Box<InstallError>>;

impl InstallError {
    /// Drops the error: one function, because a copy in each caller would make programs larger.
    #[cold]
    #[inline(never)]
    #[allow(clippy::boxed_local)] // The callers have boxes.
    pub(super) fn discard(self: Box<Self>) {}

    /// Adds to an error of the system the operation and the path. The path is `base`, followed by the parts
    /// in `below`.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(doing: &'static str, base: &Path, below: &[&str], source: io::Error) -> Box<Self> {
        let mut path = base.to_owned();
        path.extend(below);
        Box::new(match source.kind() {
            // `skills_files` refuses links with one of these two kinds of error.
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
                let leads_to = path.is_symlink().then(|| path.canonicalize().ok()).flatten();
                Self::InTheWay { path, leads_to }
            }
            _ => Self::Io { doing, path, source },
        })
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, path, source } => {
                write!(formatter, "cannot {doing} `{}`: {source}", path.display())
            }
            Self::InTheWay { path, leads_to } => {
                write!(
                    formatter,
                    "`{}` is a link or has the wrong type; links are not followed here",
                    path.display()
                )?;
                match leads_to {
                    Some(real) => write!(formatter, "; install where it leads: `{}`", real.display()),
                    None => Ok(()),
                }
            }
            Self::LeadsOut { target, within } => write!(
                formatter,
                "a link leads `{}` out of `{}`; to install there, name the directory itself",
                target.display(),
                within.display()
            ),
            Self::Damaged { path, line, column, reason } => {
                write!(formatter, "{}:{line}:{column}: the lock file is damaged: {reason}", path.display())
            }
            Self::Newer { path, format } => write!(
                formatter,
                "`{}` has format {format}, this version reads {}: update the program",
                path.display(),
                FORMAT
            ),
            Self::UnsafeName { name } => {
                write!(formatter, "{name:?} cannot be the name of a skill's directory")
            }
            Self::UnsafePath { skill, path } => {
                write!(formatter, "{path:?} in skill `{skill}` is not a path below the skill")
            }
            Self::Clash { first, second } if !first.eq_ignore_ascii_case(second) => {
                let directory = standard_name(first, true);
                write!(
                    formatter,
                    "skills `{first}` and `{second}` would both lie in `{directory}`: the standard has no `_`"
                )
            }
            Self::Clash { first, second } => {
                write!(formatter, "skills `{first}` and `{second}` differ only in the case of letters")
            }
            Self::Unsigned { skill, reason } => write!(formatter, "`{skill}` is not installed: {reason}"),
            Self::Unknown(missing) => missing.fmt(formatter),
            Self::NotInstalled { name, owner: Some(owner) } => {
                write!(formatter, "skill `{name}` was installed by `{owner}`")
            }
            Self::NotInstalled { name, owner: None } => {
                write!(formatter, "skill `{name}` is not installed here")
            }
            Self::Changed { path } => {
                write!(formatter, "`{path}` changed since the plan was made: make a new plan")
            }
        }
    }
}

impl std::error::Error for InstallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InstallError;

    // SPEC 1.4, 9.7
    #[test]
    fn two_skills_of_one_directory_are_refused_with_the_rule() {
        let text = |first: &str, second: &str| {
            InstallError::Clash { first: first.to_owned(), second: second.to_owned() }.to_string()
        };
        assert_eq!(
            text("a_b", "a__b"),
            "skills `a_b` and `a__b` would both lie in `a-b`: the standard has no `_`"
        );
        assert_eq!(text("PDF", "pdf"), "skills `PDF` and `pdf` differ only in the case of letters");
    }
}
