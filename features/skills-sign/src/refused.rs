//! The error of a verification: the directory does not match its signature, or the signature is not
//! acceptable.

use std::fmt;
use std::io;

use crate::contents::Unfit;
use crate::difference::Difference;

/// The reason why a directory is refused. `Display` is for people, and may have several lines.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The signature is missing.
    Unsigned,
    /// The signature cannot be read.
    Unreadable(io::Error),
    /// The signature is damaged.
    Damaged(String),
    /// The signature has an unsupported form.
    Form(String),
    /// The signature was made with another key.
    OtherKey,
    /// The signature names the key, but the key did not make it: the signature was changed.
    Forged,
    /// The files cannot be compared.
    Unfit(Unfit),
    /// The files differ from the signed ones.
    Differs(Difference),
    /// The signature belongs to another directory: not one file matches.
    Other {
        /// The name of the signed directory.
        name: String,
    },
}

impl Refused {
    /// Returns the machine-readable code: `unsigned`, `signature_damaged`, `other_key`, `unfit` or `differs`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Unreadable(_) | Self::Damaged(_) | Self::Form(_) | Self::Forged => "signature_damaged",
            Self::OtherKey => "other_key",
            Self::Unfit(_) => "unfit",
            Self::Differs(_) | Self::Other { .. } => "differs",
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => f.write_str("it is not signed: there is no skill.oms.sig"),
            Self::Unreadable(error) => write!(f, "the signature cannot be read: {error}"),
            Self::Damaged(what) => write!(f, "the signature is damaged: {what}"),
            Self::Form(what) => write!(f, "the signature has an unsupported form: {what}"),
            Self::OtherKey => f.write_str("it was signed with another key"),
            Self::Forged => {
                f.write_str("the key that the signature names did not make it: the signature was changed")
            }
            Self::Unfit(unfit) => unfit.fmt(f),
            Self::Differs(difference) => write!(f, "it is not what was signed\n{difference}"),
            Self::Other { name } => {
                write!(f, "the signature belongs to another directory, `{name}`: not one file matches")
            }
        }
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Unfit(unfit) => Some(unfit),
            _ => None,
        }
    }
}

impl From<Unfit> for Refused {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}
