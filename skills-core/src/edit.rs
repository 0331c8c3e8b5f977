//! What a problem's fix changes: said where the fault is found, in spans; `fix` makes texts and files of it (SPEC 17.1).

use crate::span::Span;
use crate::tree::text;

/// How sure a fix is, as rustc has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// It says what run time reads already.
    Safe,
    /// It is probably what was meant, and wants to be looked at.
    Unsafe,
}

impl Applicability {
    /// Names it, as reports in JSON do.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// What mends a problem: all of its changes, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How sure it is.
    pub applicability: Applicability,
    /// What is changed.
    pub changes: Vec<Change>,
}

/// One change of a text or a file. Line feeds in texts become the line ends of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Puts a text in the place of another; of an empty span, inserts it.
    Replace {
        /// What goes.
        span: Span,
        /// What comes.
        text: String,
    },
    /// Deletes all lines that a span touches.
    DeleteLines(Span),
    /// Writes lines above the one that a span starts in.
    InsertAbove {
        /// The place.
        at: Span,
        /// The lines, without a final line feed.
        text: String,
    },
    /// Writes lines below the one that a span ends in.
    InsertBelow {
        /// The place.
        at: Span,
        /// The lines, without a final line feed.
        text: String,
    },
    /// Deletes a member or an item of JSON, with its comma.
    DeleteMember(Span),
    /// Adds a member or an item of JSON beside another, laid out as that is.
    InsertMember {
        /// The other one, key and value.
        beside: Span,
        /// Whether it comes before the other, not behind it.
        is_before: bool,
        /// The member.
        text: String,
    },
    /// Adds a member or an item at the end of an object or array of JSON.
    AddMember {
        /// The object or array, brackets included.
        to: Span,
        /// The member.
        text: String,
    },
    /// Renames the file at a place; its directory stays.
    Rename {
        /// A place in the file.
        file: Span,
        /// Its new name.
        to: String,
    },
    /// Gives a file the executable bit.
    Executable {
        /// Its path below the root.
        path: String,
    },
    /// Writes a file that is not there, or is no text.
    Write {
        /// Its path below the root.
        path: String,
        /// Its text.
        text: String,
    },
    /// Adds a line to a file, which is made when it is not there.
    AddLine {
        /// Its path below the root.
        path: String,
        /// The line, without a line feed.
        line: String,
    },
}

impl Change {
    pub(crate) fn replace(span: Span, text: impl Into<String>) -> Self {
        Self::Replace { span, text: text.into() }
    }

    /// Writes a JSON string in the place of another.
    pub(crate) fn string(span: Span, value: &str) -> Self {
        Self::replace(span, text::quote(value))
    }

    pub(crate) fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// Says that this is what run time reads already.
    pub(crate) fn safe(self) -> Fix {
        Fix { applicability: Applicability::Safe, changes: vec![self] }
    }

    /// Says that this wants to be looked at.
    pub(crate) fn looked_at(self) -> Fix {
        Fix { applicability: Applicability::Unsafe, changes: vec![self] }
    }
}

impl Fix {
    /// Makes a fix that wants to be looked at.
    pub(crate) fn of(changes: Vec<Change>) -> Self {
        Self { applicability: Applicability::Unsafe, changes }
    }
}
