//! One access of a program that needs a permission.

use crate::place::Place;

/// A key of `permissions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// A path is read.
    Read,
    /// A path is written.
    Write,
    /// A host is connected to.
    Net,
    /// A variable of the environment is read.
    Env,
}

impl Right {
    /// Returns the key in `permissions`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Net => "net",
            Self::Env => "env",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Path(Place),
    /// A host with its port, a variable, or `all` for a connection that needs every host.
    Named(String),
}

/// The first access of a run to an object.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) right: Right,
    pub(crate) object: Object,
    /// Whether the path is a directory that stands for everything below it.
    pub(crate) is_directory: bool,
    /// Whether the input of the run names the path.
    pub(crate) is_input: bool,
    /// Whether the sandbox of the run refused it.
    pub(crate) is_denied: bool,
    /// The call and the process.
    pub(crate) cause: Cause,
}

/// The circumstances of an access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The accessed path, host or line itself, before folding.
    pub(crate) first: String,
    /// The system call, or `proxy` or `text`.
    pub(crate) call: String,
    /// The process: its program and script.
    pub(crate) process: String,
    pub(crate) run: String,
}
