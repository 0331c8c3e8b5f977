//! Files become a [`SourceTree`]: the only stage that touches the disk.
//!
//! AFTER THIS POINT: no path leaves the root, every skill directory is known, every text that later stages
//! look at is UTF-8 and lies in the [`SourceMap`].

use crate::span::{FileId, SourceMap};

/// A directory of skills, read.
#[derive(Debug, Default)]
pub struct SourceTree {
    /// All texts, and all paths that problems were found at.
    pub sources: SourceMap,
    /// The skill directories, sorted by path.
    pub skills: Vec<SkillDir>,
}

/// One skill directory.
#[derive(Debug)]
pub struct SkillDir {
    /// Path below the root with `/` between its parts; empty when the root itself is the skill.
    pub path: String,
    /// The last part of the path; for the root its real name.
    pub name: String,
    /// Its files, sorted by path: `SKILL.md`, `skill.json`, `prompt.md` and everything else that is bundled.
    pub files: Vec<File>,
}

/// One file of a skill.
#[derive(Debug)]
pub struct File {
    /// Path below the skill directory, with `/` between its parts.
    pub path: String,
    /// Its contents.
    pub content: Content,
    /// Whether it may be executed: by its mode, or because it starts with `#!` (SPEC 1.3).
    pub executable: bool,
    /// Whether its mode has the executable bit.
    pub mode_executable: bool,
}

/// Where the bytes of a file are.
#[derive(Debug)]
pub enum Content {
    /// A text in the [`SourceMap`], byte for byte as it was read.
    Text(FileId),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Not read: the options asked for names only.
    Unread,
}

impl SkillDir {
    /// Finds a file by its path below the skill.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }

    /// Finds a text by its path below the skill.
    pub fn text(&self, path: &str) -> Option<FileId> {
        match self.file(path)?.content {
            Content::Text(id) => Some(id),
            _ => None,
        }
    }
}

impl File {
    /// Returns the bytes of the file; nothing for an unread one.
    pub fn bytes<'a>(&'a self, sources: &'a SourceMap) -> &'a [u8] {
        match &self.content {
            Content::Text(id) => sources.file(*id).text.as_bytes(),
            Content::Bytes(bytes) => bytes,
            Content::Unread => &[],
        }
    }
}

/// What is read, and how much of it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether files other than `SKILL.md`, `skill.json` and `prompt.md` are read, or only listed.
    pub contents: bool,
    /// The largest file, in bytes (default 10 MiB).
    pub file_cap: u64,
    /// The largest skill, in bytes (default 50 MiB).
    pub skill_cap: u64,
    /// The largest bundle, in bytes (default 200 MiB).
    pub bundle_cap: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self { contents: true, file_cap: 10 * MIB, skill_cap: 50 * MIB, bundle_cap: 200 * MIB }
    }
}
