//! Reads the `ROLE.md` files of a directory of projects.
//!
//! Links follow the same rules as in skills: a link that leaves the directory is never read.

use std::path::{Path, PathBuf};

use skills_text::sort;

use super::junk;
use super::links::{self, Opening, Reached};
use super::listing::{EntryType, ListedEntry, find};
use super::open;
use super::overlay::Overlay;
use super::path::{join, misspelt};
use super::reader::DirectoryReader;
use super::root;
use super::source_tree::ReadOptions;
use super::walk;
use crate::report::Report;
use crate::span::{FileId, SourceMap};

/// The file that makes a directory a project.
pub(crate) const ROLE: &str = "ROLE.md";

/// A directory of projects after reading.
#[derive(Debug)]
pub(crate) struct Roles {
    /// All texts, and all paths with problems.
    pub(crate) sources: SourceMap,
    /// The directories, sorted by name.
    pub(crate) found: Vec<Role>,
    /// Whether the directory could be listed.
    pub(crate) is_listed: bool,
}

/// One directory that may be a project.
#[derive(Debug)]
pub(crate) struct Role {
    /// The name of the directory.
    pub(crate) name: String,
    /// Its `ROLE.md`, if that is a text.
    pub(crate) file: Option<FileId>,
    /// Whether the file does not exist; an unreadable file was reported.
    pub(crate) is_missing: bool,
}

/// Reads the `ROLE.md` of every directory of a root, one level deep, in sorted order; hidden directories are
/// skipped.
pub(crate) fn read(
    root: &Path,
    label: &str,
    options: &ReadOptions,
    over: &Overlay,
    report: &mut Report,
) -> Roles {
    let mut sources = SourceMap::new(label);
    let (real, listing) = match root::open(root, label, "projects", over) {
        Ok(opened) => opened,
        Err(problem) => {
            let span = sources.add_path(".", None);
            report.push(problem.into_diagnostic(span, "."));
            return Roles { sources, found: Vec::new(), is_listed: false };
        }
    };
    let mut reader = DirectoryReader::new(real, options, over, sources, report);
    for entry in &listing.not_utf8 {
        reader.report_not_utf8_name("", entry, None);
    }
    let mut reached = Reached::new(reader.root.to_path_buf());
    let mut found = Vec::new();
    // Real directories come first, so that the real path of a project has precedence over links to it.
    let entries: Vec<_> = listing.entries.iter().filter(|entry| !junk::is_hidden(&entry.name)).collect();
    for entry in entries.iter().filter(|entry| entry.kind == EntryType::Directory) {
        let real = reader.root.join(&entry.name);
        reached.note(&real);
        found.extend(role(&mut reader, entry, &real));
    }
    for entry in entries.iter().filter(|entry| entry.kind == EntryType::Link) {
        if let Some(real) = follow(&mut reader, entry, &mut reached) {
            found.extend(role(&mut reader, entry, &real));
        }
    }
    sort(&mut found, &|a, b| a.name.cmp(&b.name));
    Roles { sources: reader.sources, found, is_listed: true }
}

/// Follows a link to a directory that was not read yet; a file beside the projects is ignored.
fn follow(reader: &mut DirectoryReader, entry: &ListedEntry, reached: &mut Reached) -> Option<PathBuf> {
    let opening = open::look(&reader.root, &reader.root, entry);
    let Opening::Directory(real) = reader.ok_or_report(&entry.name, None, opening)? else { return None };
    if reached.enter(&real) {
        return Some(real);
    }
    let problem = links::repeated(&reader.root, &real, &entry.name);
    reader.report(&entry.name, None, problem);
    None
}

fn role(reader: &mut DirectoryReader, entry: &ListedEntry, real: &Path) -> Option<Role> {
    let name = entry.name.clone();
    let listing = reader.list(real, None);
    let listing = reader.ok_or_report(&name, None, listing)?;
    for entry in &listing.entries {
        if let Some(right) = misspelt(&entry.name, &[ROLE]) {
            reader.report(&join(&name, &entry.name), None, walk::file_name_case(&entry.name, right));
        }
    }
    let Some(entry) = find(&listing.entries, ROLE) else {
        return Some(Role { name, file: None, is_missing: true });
    };
    let path = join(&name, ROLE);
    let opened = reader.open(real, entry);
    let opened = reader.ok_or_report(&path, None, opened);
    let file = opened.and_then(|opened| reader.add_text(path, opened.bytes, None).ok());
    Some(Role { name, file, is_missing: false })
}
