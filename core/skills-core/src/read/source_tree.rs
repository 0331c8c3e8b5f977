//! The result of reading, and its options: directories of skills with their files.

use super::origins::SkillOrigin;
use super::path::join;
use crate::report::Report;
use crate::span::{FileId, SourceMap};
use crate::tree::Node;

/// A directory of skills after reading.
#[derive(Clone, Debug, Default)]
pub struct SourceTree {
    /// All texts, and all paths with problems.
    pub sources: SourceMap,
    /// The skill directories, sorted by their skills folder and path.
    pub skills: Vec<SkillDir>,
    /// Paths below the root of files that do not belong to a skill, sorted; texts may name them.
    pub others: Vec<String>,
    /// Paths that look like skills but were not read as such, sorted.
    pub passed_over: Vec<PassedOver>,
    /// Whether some files were reached by symbolic links, so that the same file may be read under several
    /// paths.
    pub has_links: bool,
}

/// A path that looks like a skill but was not read as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassedOver {
    /// The reason, such as `below node_modules`.
    pub reason: String,
    /// Its path below the root.
    pub path: String,
}

/// One skill directory.
#[derive(Clone, Debug, Default)]
pub struct SkillDir {
    /// Path below the root with `/` between its parts; empty when the root itself is the skill.
    pub path: String,
    /// The last part of the path. For the root, this is the real name of the directory, or the name of its
    /// Cargo package.
    pub name: String,
    /// The path below the root of its folder of skills, the unit that a client loads. For all skills of a
    /// bundle this is the root, "".
    pub folder: String,
    /// Whether a crate may bundle that folder.
    pub in_crate: bool,
    /// Whether it is the directory of a Cargo package. The name of such a directory need not match the skill.
    pub is_package: bool,
    /// Whether the skill is the file `PATH.md` instead of a directory.
    pub is_flat: bool,
    /// The path below the root of the real file, if `SKILL.md` is a link. The file may have another name.
    pub source: Option<String>,
    /// The project from which the skill was added, if it is from another project.
    pub origin: Option<SkillOrigin>,
    /// The owner on GitHub of the home page of its plugin, if the text of the skill has a download.
    pub owner: Option<String>,
    /// Its files, sorted by path: `SKILL.md`, `skill.json`, `prompt.md` and everything else that is bundled.
    pub files: Vec<File>,
    /// The texts of the JSON files in `evals`, if the options request them. They are not bundled.
    pub evals: Vec<FileId>,
    /// The paths of all files in `evals`, under the same condition.
    pub eval_files: Vec<String>,
}

/// One file of a skill.
#[derive(Clone, Debug)]
pub struct File {
    /// Path below the skill directory, with `/` between its parts.
    pub path: String,
    /// Its contents.
    pub content: Content,
    /// Whether it may be executed: by its mode, or because it starts with `#!`.
    pub executable: bool,
    /// Whether its mode has the executable bit.
    pub mode_executable: bool,
    /// Whether its `#!` line ends in CR LF. No system finds an interpreter named in such a line.
    pub crlf_shebang: bool,
}

/// The contents of a file.
#[derive(Clone, Debug)]
pub enum Content {
    /// A text in the [`SourceMap`], byte for byte.
    Text(FileId),
    /// Bytes.
    Bytes(Vec<u8>),
    /// The file was not read, because the options request only names.
    Unread,
}

impl SkillDir {
    /// Finds a file by its path below the skill.
    pub fn file(&self, path: &str) -> Option<&File> {
        File::find(&self.files, path)
    }

    /// Converts a path below the skill to a path below the root.
    pub fn below(&self, path: &str) -> String {
        join(&self.path, path)
    }

    /// Returns the directory of the real file if `SKILL.md` is a link.
    pub(crate) fn source_directory(&self) -> Option<&str> {
        self.source.as_deref().map(|source| source.rsplit_once('/').map_or("", |(above, _)| above))
    }

    /// Finds a text by its path below the skill.
    pub fn text(&self, path: &str) -> Option<FileId> {
        self.file(path)?.text()
    }
}

impl File {
    /// Finds a file in a list that is sorted by path.
    pub(crate) fn find<'f>(files: &'f [Self], path: &str) -> Option<&'f Self> {
        files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &files[at])
    }

    /// Returns the text, if the file was read as one.
    pub(crate) fn text(&self) -> Option<FileId> {
        match self.content {
            Content::Text(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the bytes of the file; empty for an unread one.
    pub fn bytes<'a>(&'a self, sources: &'a SourceMap) -> &'a [u8] {
        match &self.content {
            Content::Text(id) => sources.file(*id).text.as_bytes(),
            Content::Bytes(bytes) => bytes,
            Content::Unread => &[],
        }
    }
}

/// The files to read, and their size limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether files other than `SKILL.md`, `skill.json` and `prompt.md` are read, or only listed.
    pub contents: bool,
    /// The check of the JSON files in the directories `evals` (default none). Without a check, these files are not
    /// read, because no bundle contains them.
    pub evals: Option<EvalCheck>,
    /// Whether to report files that git ignores, by the `.gitignore` files of the repository, including those
    /// above the root (default true).
    pub git: bool,
    /// The largest file, in bytes (default 10 MiB).
    pub file_cap: Option<u64>,
    /// The largest skill, in bytes (default 50 MiB).
    pub skill_cap: Option<u64>,
    /// The largest bundle, in bytes (default 200 MiB).
    pub bundle_cap: Option<u64>,
    /// Paths to leave out, as lines of a `.skillignore` in the root.
    pub exclude: Vec<String>,
    /// The kind of the directory (default: a bundle).
    pub scope: DirectoryKind,
    /// Whether skills of a repository count whose author is not at work on them: in test data, templates and backups, and
    /// copies from other projects (default false).
    pub set_aside: bool,
    /// Whether a file `NAME.md` with a frontmatter is a skill, too (default false).
    pub flat: bool,
}

/// A check of a file in `evals`. Two are equal if they are the same function.
#[derive(Clone, Copy, Debug)]
pub struct EvalCheck(pub fn(&EvalFile<'_>, &mut Report));

/// A file in `evals`, for its check.
#[derive(Debug)]
pub struct EvalFile<'f> {
    /// Its contents.
    pub tree: &'f Node,
    /// Its path.
    pub path: &'f str,
    /// The name of its skill.
    pub skill: &'f str,
    /// The directory of its skill, with the names of all files.
    pub dir: &'f SkillDir,
}

impl EvalFile<'_> {
    /// Returns `true` if the skill has a file or directory at a path below the skill or below `evals`.
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./").trim_end_matches('/');
        let below = join("evals", path);
        let files = self.dir.files.iter().map(|file| &file.path).chain(&self.dir.eval_files);
        let mut files = files.into_iter();
        files.any(|file| {
            skills_text::path_below(file, path).is_some() || skills_text::path_below(file, &below).is_some()
        })
    }
}

impl PartialEq for EvalCheck {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for EvalCheck {}

/// The kind of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DirectoryKind {
    /// One set of skills. Hidden directories and directories below a skill contain none.
    #[default]
    Bundle,
    /// All directories in which any client may find skills: each folder of skills is a separate set.
    Repository,
}

const MIB: u64 = 1024 * 1024;

/// An option that is unset has its default; only these functions know it.
impl ReadOptions {
    pub(crate) fn largest_file(&self) -> u64 {
        self.file_cap.unwrap_or(10 * MIB)
    }

    pub(crate) fn largest_skill(&self) -> u64 {
        self.skill_cap.unwrap_or(50 * MIB)
    }

    pub(crate) fn largest_bundle(&self) -> u64 {
        self.bundle_cap.unwrap_or(200 * MIB)
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            contents: true,
            evals: None,
            git: true,
            file_cap: None,
            skill_cap: None,
            bundle_cap: None,
            exclude: Vec::new(),
            scope: DirectoryKind::Bundle,
            set_aside: false,
            flat: false,
        }
    }
}
