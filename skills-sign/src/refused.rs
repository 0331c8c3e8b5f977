//! Why a directory is not what its signature says, or a signature not what it should be, in one type (SPEC 14.4).

use std::fmt;
use std::io;

use crate::contents::Unfit;
use crate::difference::Difference;

/// Why a directory is refused. `Display` is a text for a person, which may have several lines.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// There is no signature.
    Unsigned,
    /// The signature cannot be read.
    Unreadable(io::Error),
    /// The signature is damaged.
    Damaged(String),
    /// The signature has another form than those that are read.
    Form(String),
    /// Another key has signed.
    OtherKey,
    /// The signature names the key, and is not of it: it was changed.
    Forged,
    /// The files cannot be compared.
    Unfit(Unfit),
    /// The files are not those that were signed.
    Differs(Difference),
    /// These files are of a directory in which others were signed: not one is among them.
    Other {
        /// The name of the directory that was signed.
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
            Self::Form(what) => write!(f, "the signature has another form: {what}"),
            Self::OtherKey => f.write_str("it was signed with another key"),
            Self::Forged => f.write_str("the signature is not of the key that it names: it was changed"),
            Self::Unfit(unfit) => unfit.fmt(f),
            Self::Differs(difference) => write!(f, "it is not what was signed\n{difference}"),
            Self::Other { name } => {
                write!(f, "the signature is of another directory, `{name}`: not one file is as it says")
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
