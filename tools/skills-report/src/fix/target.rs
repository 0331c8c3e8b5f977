//! The files to which fixes are applied: an overlay over the disk, never outside the root.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skills_core::read::{Overlaid, Overlay, may_execute, open_inside, read_opened};
use skills_core::span::{FileId, SourceMap};

use super::MAX_FIXED;
use super::place::{FixStep, TextEdit};

/// The limits of a directory that a fix renames.
const DEEPEST: usize = 16;
const MOST_FILES: usize = 1_000;

/// The files while fixes are applied.
pub(super) struct Target<'r> {
    root: &'r Path,
    pub(super) over: Overlay,
    pub(super) renamed: Vec<(PathBuf, PathBuf)>,
    /// The contents on disk when they were read, by path; `None` for a file that did not exist.
    pub(super) found: BTreeMap<PathBuf, Option<Vec<u8>>>,
    /// The files that were compared with the checked text, and whether they are equal.
    same: BTreeMap<FileId, bool>,
}

impl<'r> Target<'r> {
    /// Creates a target from the real path of the root and an overlay.
    pub(super) fn new(root: &'r Path, over: Overlay) -> Self {
        Self { root, over, renamed: Vec::new(), found: BTreeMap::new(), same: BTreeMap::new() }
    }

    /// Returns the real path of a file below the root; `None` for one outside, and for a link to a file of
    /// another name in another directory.
    fn real(&self, path: &str) -> Option<PathBuf> {
        let plain = self.root.join(path);
        if self.over.get(&plain).is_some() {
            return Some(plain);
        }
        if let Ok(real) = plain.canonicalize() {
            // `SKILL.md` may be a link to the file of an agent or a command elsewhere, in which other keys are right.
            let is_other = real.file_name() != plain.file_name()
                && fs::symlink_metadata(&plain).is_ok_and(|found| found.is_symlink())
                && !plain.parent()?.canonicalize().is_ok_and(|above| real.starts_with(above));
            return (real.starts_with(self.root) && !is_other).then_some(real);
        }
        // A file that does not exist yet, in a directory that exists.
        let real = plain.parent()?.canonicalize().ok()?.join(plain.file_name()?);
        real.starts_with(self.root).then_some(real)
    }

    /// Returns the current contents of a file.
    fn file(&self, real: &Path) -> io::Result<Overlaid> {
        match self.over.get(real) {
            Some(Some(file)) => return Ok(file.clone()),
            Some(None) => return Err(io::ErrorKind::NotFound.into()),
            None => {}
        }
        self.disk(real)
    }

    fn disk(&self, real: &Path) -> io::Result<Overlaid> {
        let (file, metadata) = open_inside(self.root, real)?;
        let bytes = read_opened(file, &metadata, MAX_FIXED)?;
        Ok(Overlaid { bytes, executable: may_execute(&metadata).unwrap_or(false) })
    }

    /// Records the contents on disk, unless the overlay already has the file.
    fn note(&mut self, real: &Path, found: impl FnOnce() -> Option<Vec<u8>>) {
        if self.over.get(real).is_none() {
            self.found.entry(real.to_owned()).or_insert_with(found);
        }
    }

    /// Puts a file into the overlay, and records the contents on disk.
    fn insert(&mut self, real: PathBuf, file: Overlaid) {
        if self.over.get(&real).is_none() && !self.found.contains_key(&real) {
            let found = self.disk(&real).ok().map(|found| found.bytes);
            self.note(&real, || found);
        }
        self.over.insert(real, file);
    }

    /// Returns `true` if a text to edit equals the checked text, byte for byte.
    pub(super) fn is_as_read(&mut self, edit: &TextEdit, sources: &SourceMap) -> bool {
        let (id, file) = (sources.id_of(edit.span), sources.file_of(edit.span));
        let known = self.same.get(&id).copied();
        let is_same = known.unwrap_or_else(|| {
            let bytes = self.real(&file.path).and_then(|real| self.file(&real).ok());
            bytes.is_some_and(|now| now.bytes == file.text.as_bytes())
        });
        self.same.insert(id, is_same);
        is_same && file.text.get(sources.range(edit.span)).is_some()
    }

    /// Applies edits that do not overlap.
    pub(super) fn edit(&mut self, mut edits: Vec<TextEdit>, sources: &SourceMap) {
        self.same.clear();
        edits.sort_by_key(|edit| edit.span);
        for edits in edits.chunk_by(|a, b| sources.id_of(a.span) == sources.id_of(b.span)) {
            let Some(first) = edits.first() else { continue };
            let Some(real) = self.real(&sources.file_of(first.span).path) else { continue };
            let Ok(file) = self.file(&real) else { continue };
            // Each byte is copied once, however many edits there are.
            let (mut bytes, mut from) = (Vec::with_capacity(file.bytes.len()), 0);
            for edit in edits {
                let range = sources.range(edit.span);
                if let Some(before) =
                    file.bytes.get(from..range.start).filter(|_| range.end <= file.bytes.len())
                {
                    bytes.extend_from_slice(before);
                    bytes.extend_from_slice(edit.text.as_bytes());
                    from = range.end;
                }
            }
            bytes.extend_from_slice(file.bytes.get(from..).unwrap_or_default());
            skills_text::work::count(bytes.len());
            self.note(&real, || Some(file.bytes.clone()));
            self.insert(real, Overlaid { bytes, executable: file.executable });
        }
    }

    /// Applies one file operation; an impossible one is skipped.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub(super) fn apply(&mut self, step: FixStep, sources: &SourceMap) -> io::Result<()> {
        match step {
            FixStep::Text(edit) => {
                if self.is_as_read(&edit, sources) {
                    self.edit(vec![edit], sources);
                }
            }
            FixStep::Rename(from, to) => {
                let plain = self.root.join(&from);
                let is_file = self.over.get(&plain).map_or_else(
                    || fs::symlink_metadata(&plain).is_ok_and(|found| found.is_file()),
                    |found| found.is_some(),
                );
                let (Some(old), Some(new)) = (self.real(&from), self.real(&to)) else { return Ok(()) };
                // On a case-insensitive file system both names may be the same file.
                let is_free =
                    matches!(self.over.get(&new), Some(None)) || !new.exists() || is_same_file(&old, &new);
                if is_file && is_free && old != new {
                    let file = self.file(&old)?;
                    self.note(&old, || Some(file.bytes.clone()));
                    self.insert(new.clone(), file);
                    self.over.hide(old.clone());
                    self.renamed.push((old, new));
                }
            }
            FixStep::RenameDirectory(from, to) => self.rename_directory(&from, &to),
            FixStep::Executable(path) => {
                if let Some(real) = self.real(&path) {
                    let mut file = self.file(&real)?;
                    file.executable = true;
                    self.insert(real, file);
                }
            }
            FixStep::Write(path, text) => {
                if let Some(real) = self.real(&path) {
                    let executable = self.file(&real).is_ok_and(|file| file.executable);
                    self.insert(real, Overlaid { bytes: text.into_bytes(), executable });
                }
            }
            FixStep::AddLine(path, line) => {
                let Some(real) = self.real(&path) else { return Ok(()) };
                let mut file = self.file(&real).unwrap_or_default();
                if !file.bytes.is_empty() && !file.bytes.ends_with(b"\n") {
                    file.bytes.push(b'\n');
                }
                file.bytes.extend_from_slice(format!("{line}\n").as_bytes());
                self.insert(real, file);
            }
        }
        Ok(())
    }

    /// Renames a directory if it has only regular files and directories, and the new name is free.
    fn rename_directory(&mut self, from: &str, to: &str) {
        let (old, new) = (self.root.join(from), self.root.join(to));
        let is_plain = old.canonicalize().is_ok_and(|real| real == old);
        let is_free = !new.exists() || is_same_file(&old, &new);
        let mut files = Vec::new();
        if !is_plain || !is_free || self.add_files(&old, 0, &mut files).is_none() {
            return;
        }
        for (path, file) in files {
            let Ok(below) = path.strip_prefix(&old) else { continue };
            let place = new.join(below);
            self.note(&path, || Some(file.bytes.clone()));
            if self.over.get(&place).is_none() && !self.found.contains_key(&place) {
                self.found.insert(place.clone(), None);
            }
            self.over.insert(place, file);
            self.over.hide(path);
        }
        self.renamed.push((old, new));
    }

    /// Adds the files of a directory; `None` if there are too many, or one that is not a regular file.
    fn add_files(&self, directory: &Path, depth: usize, files: &mut Vec<(PathBuf, Overlaid)>) -> Option<()> {
        for entry in fs::read_dir(directory).ok()? {
            let entry = entry.ok()?;
            let (path, kind) = (entry.path(), entry.file_type().ok()?);
            if kind.is_dir() && depth < DEEPEST {
                self.add_files(&path, depth + 1, files)?;
            } else if kind.is_file() && files.len() < MOST_FILES {
                match self.over.get(&path) {
                    Some(None) => {}
                    Some(Some(file)) => files.push((path, file.clone())),
                    None => files.push((path.clone(), self.disk(&path).ok()?)),
                }
            } else {
                return None;
            }
        }
        Some(())
    }
}

/// Returns `true` if two paths lead to the same file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
