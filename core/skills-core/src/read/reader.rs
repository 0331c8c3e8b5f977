//! The shared state of all parts of `read`: the root, the options, the texts and the problems.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use skills_text::shell_word;

use super::ignore::{IgnoreFiles, Ignores, git};
use super::inside::RealRoot;
use super::junk;
use super::links::Opening;
use super::listing::{EntryType, ListedEntry, Listing, find};
use super::open::{self, Opened, Want};
use super::overlay::Overlay;
use super::path::{ENTRIES, SKILLIGNORE, join, misspelt};
use super::problem::{DIRECTORY, UnplacedProblem};
use super::source_tree::{PassedOver, ReadOptions};
use crate::frontmatter::decode_windows_1252;
use crate::report::Report;
use crate::rule::files;
use crate::span::{FileId, SourceMap};

/// The state while a root is read.
#[derive(Debug)]
pub(super) struct DirectoryReader<'a> {
    /// The root, by its real path.
    pub(super) root: RealRoot,
    pub(super) options: &'a ReadOptions,
    /// Files that replace those on disk.
    pub(super) over: &'a Overlay,
    pub(super) sources: SourceMap,
    pub(super) report: &'a mut Report,
    pub(super) ignores: Ignores,
    /// The real paths of skills inside other skills.
    pub(super) nested_skills: HashSet<PathBuf>,
    /// Files that do not belong to a skill.
    pub(super) others: Vec<String>,
    pub(super) passed_over: Vec<PassedOver>,
    /// Whether there may be skills behind links that are not followed, or skills of other projects. A root with only such
    /// skills is not reported as empty.
    pub(super) has_others: bool,
    /// Whether some of it was reached by a symbolic link.
    pub(super) has_links: bool,
}

impl<'a> DirectoryReader<'a> {
    pub(super) fn new(
        root: RealRoot,
        options: &'a ReadOptions,
        over: &'a Overlay,
        sources: SourceMap,
        report: &'a mut Report,
    ) -> Self {
        Self {
            root,
            options,
            over,
            sources,
            report,
            ignores: Ignores::default(),
            nested_skills: HashSet::new(),
            others: Vec::new(),
            passed_over: Vec::new(),
            has_others: false,
            has_links: false,
        }
    }
}

impl DirectoryReader<'_> {
    /// Opens the required file of an entry and reads at most `file_cap` bytes; see [`open::read_entry`].
    pub(super) fn open(&self, parent: &Path, entry: &ListedEntry) -> Result<Opened, UnplacedProblem> {
        open::read_entry(&self.root, self.over, parent, entry, self.options.largest_file())
    }

    /// Returns the beginning of a file as a text; `None` if it cannot be read.
    pub(super) fn head(&self, parent: &Path, entry: &ListedEntry) -> Option<String> {
        let Ok(Opening::File(source)) = open::look(&self.root, parent, entry) else { return None };
        let cap = self.options.largest_file();
        let opened = open::read(&self.root, self.over, &source, &entry.name, cap, Want::Head).ok()?;
        Some(String::from_utf8_lossy(&opened.bytes).into_owned())
    }

    /// Lists a directory with the overlay applied; `inode` is its number in the listing of its parent.
    pub(super) fn list(&self, directory: &Path, inode: Option<u64>) -> Result<Listing, UnplacedProblem> {
        let listing = self.over.list(&self.root, directory, inode);
        listing.map_err(|error| UnplacedProblem::unreadable(&error, "the directory"))
    }

    /// Records a path that looks like a skill but is not read as one.
    pub(super) fn pass_over(&mut self, path: &str, reason: &str) {
        self.passed_over.push(PassedOver { reason: reason.to_owned(), path: path.to_owned() });
    }

    /// Records all files below a directory that would define a skill, by their names only.
    pub(super) fn peek(&mut self, real: &Path, path: &str, reason: &str) {
        let mut stack = vec![(real.to_owned(), path.to_owned())];
        while let Some((real, path)) = stack.pop() {
            let Ok(listing) = self.list(&real, None) else { continue };
            for entry in listing.entries {
                let place = join(&path, &entry.name);
                let is_manifest = entry.name == ENTRIES[0] || misspelt(&entry.name, &ENTRIES[..1]).is_some();
                match entry.kind {
                    EntryType::Directory if !junk::is_history(&entry.name) => {
                        stack.push((real.join(&entry.name), place))
                    }
                    EntryType::File | EntryType::Link if is_manifest => {
                        self.others.push(place.clone());
                        self.pass_over(&place, reason);
                    }
                    // A text may link to test data. Nobody links to an installed package.
                    EntryType::File if !place.split('/').any(|part| junk::tool(part).is_some()) => {
                        self.others.push(place);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Records the files below a directory that is left out, so that links to them can be explained.
    pub(super) fn note_files(&mut self, real: &Path, path: &str) {
        const MOST: usize = 10_000;
        let most = self.others.len() + MOST;
        let mut stack = vec![(real.to_owned(), path.to_owned())];
        while let Some((real, path)) = stack.pop() {
            for entry in self.list(&real, None).unwrap_or_default().entries {
                let place = join(&path, &entry.name);
                let is_kept = !junk::is_history(&entry.name) && junk::tool(&entry.name).is_none();
                if entry.kind == EntryType::Directory && is_kept && self.others.len() < most {
                    stack.push((real.join(&entry.name), place.clone()));
                }
                self.others.push(place);
            }
        }
    }

    /// Reports a problem at a path below the root.
    pub(super) fn report(&mut self, path: &str, skill: Option<usize>, problem: UnplacedProblem) {
        let problem = problem.typed(&self.sources, path);
        let span = self.sources.add_path(if path.is_empty() { "." } else { path }, skill);
        self.report.push(problem.into_diagnostic(span, path));
    }

    /// Returns the value of a result, or reports its problem at a path below the root.
    pub(super) fn ok_or_report<T>(
        &mut self,
        path: &str,
        skill: Option<usize>,
        result: Result<T, UnplacedProblem>,
    ) -> Option<T> {
        result.map_err(|problem| self.report(path, skill, problem)).ok()
    }

    /// Reports an entry whose name is not UTF-8, unless it is hidden.
    pub(super) fn report_not_utf8_name(&mut self, above: &str, entry: &ListedEntry, skill: Option<usize>) {
        if entry.name.starts_with('.') {
            return;
        }
        let problem = UnplacedProblem::new(
            &files::PATH_NOT_UTF8,
            "the name is not UTF-8",
            format!("rename it: `convmv -f latin1 -t utf-8 --notest {DIRECTORY}*` converts all names of the directory"),
        )
        .label("it is not read");
        self.report(&join(above, &entry.name), skill, problem);
    }

    /// Adds a text; bytes that are not UTF-8 are reported at their place and returned.
    pub(super) fn add_text(
        &mut self,
        path: String,
        bytes: Vec<u8>,
        skill: Option<usize>,
    ) -> Result<FileId, Vec<u8>> {
        match String::from_utf8(bytes) {
            Ok(text) => Ok(self.sources.add(path, text, skill)),
            Err(error) => {
                let bytes = error.into_bytes();
                let id = self.sources.add(path, String::from_utf8_lossy(&bytes).into_owned(), skill);
                self.report_not_utf8(id, &bytes);
                Err(bytes)
            }
        }
    }

    /// Reports the first byte that is not UTF-8, in a text converted with replacement characters.
    fn report_not_utf8(&mut self, id: FileId, bytes: &[u8]) {
        let Err(error) = std::str::from_utf8(bytes) else { return };
        let at = error.valid_up_to();
        let file = self.sources.file(id);
        // The converted text equals the original up to that byte, and has a replacement character in its
        // place.
        let span = file.span(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
        let problem = not_utf8(&self.sources.display_path(span), bytes, at);
        self.report.push(problem.into_diagnostic(span, &file.path));
    }

    /// Reads the `.gitignore` of a directory in a repository; returns the files that apply below it. Invalid lines are
    /// ignored, as in git.
    fn git_ignore(
        &mut self,
        ignore_files: IgnoreFiles,
        directory: &str,
        real: &Path,
        listing: &Listing,
    ) -> IgnoreFiles {
        // A repository in the root, such as a submodule, has its own files and rules.
        let ignore_files = match find(&listing.entries, ".git") {
            Some(_) if self.options.git && !directory.is_empty() => {
                ignore_files.in_other(self.ignores.enter(real))
            }
            _ => ignore_files,
        };
        let Some(entry) = find(&listing.entries, git::NAME).filter(|_| ignore_files.is_in_repository())
        else {
            return ignore_files;
        };
        match self.open(real, entry) {
            Ok(opened) => {
                self.ignores.add_git(ignore_files, directory, "", &String::from_utf8_lossy(&opened.bytes))
            }
            Err(_) => ignore_files,
        }
    }

    /// Reads the `.gitignore` and the `.skillignore` of a directory of a skill; returns the files that apply below it.
    /// Problems are reported when the files of the skill are read.
    pub(super) fn ignore_quietly(
        &mut self,
        ignore_files: IgnoreFiles,
        directory: &str,
        real: &Path,
        listing: &Listing,
    ) -> IgnoreFiles {
        let ignore_files = self.git_ignore(ignore_files, directory, real, listing);
        let Some(entry) = find(&listing.entries, SKILLIGNORE) else { return ignore_files };
        match self.open(real, entry) {
            Ok(opened) => {
                self.ignores.add(ignore_files, directory, &String::from_utf8_lossy(&opened.bytes)).0
            }
            Err(_) => ignore_files,
        }
    }

    /// Reads the `.skillignore` and the `.gitignore` of a directory; returns the files that apply below it.
    pub(super) fn ignore(
        &mut self,
        ignore_files: IgnoreFiles,
        directory: &str,
        real: &Path,
        listing: &Listing,
        skill: Option<usize>,
    ) -> IgnoreFiles {
        let ignore_files = self.skillignore(ignore_files, directory, real, listing, skill);
        self.git_ignore(ignore_files, directory, real, listing)
    }

    fn skillignore(
        &mut self,
        above: IgnoreFiles,
        directory: &str,
        real: &Path,
        listing: &Listing,
        skill: Option<usize>,
    ) -> IgnoreFiles {
        let Some(entry) = find(&listing.entries, SKILLIGNORE) else { return above };
        let path = join(directory, &entry.name);
        let opened = self.open(real, entry);
        let Some(opened) = self.ok_or_report(&path, skill, opened) else { return above };
        let text = String::from_utf8_lossy(&opened.bytes).into_owned();
        let (ignore_files, faults) = self.ignores.add(above, directory, &text);
        if faults.is_empty() && std::str::from_utf8(&opened.bytes).is_ok() {
            return ignore_files;
        }
        let id = self.sources.add(path, text, skill);
        self.report_not_utf8(id, &opened.bytes);
        for (range, problem) in faults {
            let span = self.sources.file(id).span(range);
            self.report.push(problem.into_diagnostic(span, ""));
        }
        ignore_files
    }
}

/// Reports the invalid byte at `at`.
fn not_utf8(path: &str, bytes: &[u8], at: usize) -> UnplacedProblem {
    let (encoding, label) = match bytes {
        [0xff, 0xfe, ..] => ("UTF-16LE", "the file is UTF-16".to_owned()),
        [0xfe, 0xff, ..] => ("UTF-16BE", "the file is UTF-16".to_owned()),
        _ => {
            let byte = bytes.get(at).copied().unwrap_or_default();
            // 0x80 to 0x9f are letters and quotes in Windows-1252, but control characters in Latin-1.
            let windows = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
            let encoding = if windows { "WINDOWS-1252" } else { "LATIN1" };
            (encoding, format!("byte 0x{byte:02X} (offset {at}) is not part of a character"))
        }
    };
    let path = shell_word(path);
    let problem = UnplacedProblem::new(
        &files::NOT_UTF8,
        "the text is not UTF-8",
        format!("save it as UTF-8: `iconv -f {encoding} -t UTF-8 {path} > fixed && mv fixed {path}`"),
    )
    .label(label);
    match decode(encoding, bytes) {
        Some(text) => problem.rewrite(text),
        None => problem,
    }
}

/// Decodes bytes in an encoding; `None` if they are not valid in it.
fn decode(encoding: &str, bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match encoding {
        "UTF-16LE" => u16::from_le_bytes,
        "UTF-16BE" => u16::from_be_bytes,
        _ => return bytes.iter().map(|byte| decode_windows_1252(*byte)).collect(),
    };
    let (pairs, []) = bytes.get(2..)?.as_chunks() else { return None };
    String::from_utf16(&pairs.iter().map(|pair| unit(*pair)).collect::<Vec<u16>>()).ok()
}
