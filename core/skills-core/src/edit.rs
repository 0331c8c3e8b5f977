//! The changes of a fix as spans, created where the fault is found; `fix` applies them to texts and files.

use skills_text::push_quoted;

use crate::span::{Span, path_at};

/// How safe a fix is, with the terms of rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// It does not change how the skill is read at run time.
    Safe,
    /// It is probably intended, but a person should review it.
    Unsafe,
}

skills_text::__named!(Applicability, "kind of fix", { Safe = "safe", Unsafe = "unsafe" });

/// The fix of a problem: all of its changes are applied, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How safe it is.
    pub applicability: Applicability,
    /// The changes.
    pub changes: Vec<Change>,
    /// The place of another line or member with the same words as the deleted line or member.
    pub repeated: Option<Span>,
}

/// One change of a text or a file. Line feeds in texts are written as the line ends of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replaces a text; for an empty span, inserts it.
    Replace {
        /// The replaced text.
        span: Span,
        /// The new text.
        text: String,
    },
    /// Deletes all lines that a span touches.
    DeleteLines(Span),
    /// Writes lines above the line in which a span starts.
    InsertAbove {
        /// The place.
        at: Span,
        /// The lines, without a final line feed.
        text: String,
    },
    /// Writes lines below the line in which a span ends.
    InsertBelow {
        /// The place.
        at: Span,
        /// The lines, without a final line feed.
        text: String,
    },
    /// Deletes a member or an item of JSON, with its comma.
    DeleteMember(Span),
    /// Adds a member or an item of JSON next to another, in the same layout.
    InsertMember {
        /// The existing one, key and value.
        beside: Span,
        /// Whether to insert it before the existing one instead of after it.
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
    /// Renames the file at a place within its directory.
    Rename {
        /// A place in the file.
        file: Span,
        /// Its new name.
        to: String,
    },
    /// Renames a directory with all files in it.
    RenameDirectory {
        /// Its path below the root.
        path: String,
        /// Its new name.
        to: String,
    },
    /// Gives a file the executable bit.
    Executable {
        /// Its path below the root.
        path: String,
    },
    /// Writes a file that does not exist, or is not text.
    Write {
        /// Its path below the root.
        path: String,
        /// Its text.
        text: String,
    },
    /// Adds a line to a file, which is created if it does not exist.
    AddLine {
        /// Its path below the root.
        path: String,
        /// The line, without a line feed.
        line: String,
    },
}

impl Change {
    /// Returns the place of the change, if it is in a text.
    pub(crate) fn span(&self) -> Option<Span> {
        self.clone().span_mut().copied()
    }

    fn span_mut(&mut self) -> Option<&mut Span> {
        match self {
            Self::Replace { span, .. } | Self::DeleteLines(span) | Self::DeleteMember(span) => Some(span),
            Self::InsertAbove { at, .. } | Self::InsertBelow { at, .. } => Some(at),
            Self::InsertMember { beside, .. } => Some(beside),
            Self::AddMember { to, .. } => Some(to),
            Self::Rename { file, .. } => Some(file),
            Self::RenameDirectory { .. }
            | Self::Executable { .. }
            | Self::Write { .. }
            | Self::AddLine { .. } => None,
        }
    }

    /// Moves the place by a distance, or the path to below a directory.
    fn relocate(&mut self, distance: u32, below: &str) {
        match self {
            Self::RenameDirectory { path, .. }
            | Self::Executable { path }
            | Self::Write { path, .. }
            | Self::AddLine { path, .. } => {
                *path = path_at(below, path);
            }
            _ => self.span_mut().into_iter().for_each(|span| *span = span.moved(distance)),
        }
    }

    pub(crate) fn replace(span: Span, text: impl Into<String>) -> Self {
        Self::Replace { span, text: text.into() }
    }

    /// Replaces a JSON string with another.
    pub(crate) fn string(span: Span, value: &str) -> Self {
        let mut text = String::new();
        push_quoted(&mut text, value);
        Self::replace(span, text)
    }

    pub(crate) fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// Makes a safe fix of this change.
    pub(crate) fn safe_fix(self) -> Fix {
        Fix { applicability: Applicability::Safe, ..Fix::from_changes(vec![self]) }
    }

    /// Makes a fix of this change that a person should review.
    pub(crate) fn unsafe_fix(self) -> Fix {
        Fix::from_changes(vec![self])
    }
}

impl Fix {
    /// Makes a fix of several changes that a person should review.
    pub(crate) fn from_changes(changes: Vec<Change>) -> Self {
        Self { applicability: Applicability::Unsafe, changes, repeated: None }
    }

    /// Moves all places by a distance, and all paths to below a directory.
    pub(crate) fn relocate(&mut self, distance: u32, below: &str) {
        for change in &mut self.changes {
            change.relocate(distance, below);
        }
        self.repeated = self.repeated.map(|span| span.moved(distance));
    }

    /// Sets the place that repeats the deleted line or member. If the words of the two differ, the fix is
    /// dropped.
    pub(crate) fn repeats(self, place: Span) -> Self {
        Self { repeated: Some(place), ..self }
    }
}
