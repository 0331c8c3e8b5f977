//! A root becomes the list of its skill directories, sorted by path; `read` calls it (SPEC 1.1, 1.4).
//!
//! Plain directories first, links to directories after them: so the place that a skill really has wins over the
//! links that lead to it, whatever their names.

use std::path::{Path, PathBuf};

use skills_registry::sort;

use super::ignore::{self, Scope};
use super::junk;
use super::links::{self, Reached, Waiting};
use super::listing::{Kind, ListedEntry, Listing, find};
use super::open::{self, Opening};
use super::problem::Problem;
use super::reader::{Reader, join};
use crate::rule::files;

/// A directory that holds `SKILL.md` or `skill.json`, not read yet.
#[derive(Debug)]
pub(super) struct Found {
    /// Path below the root; empty for the root.
    pub(super) path: String,
    /// The real path.
    pub(super) real: PathBuf,
    pub(super) listing: Listing,
    /// The `.skillignore` files above it.
    pub(super) scope: Scope,
}

/// What a root holds.
#[derive(Debug, Default)]
pub(super) struct Discovery {
    /// The skill directories, sorted by path.
    pub(super) skills: Vec<Found>,
    /// Files that are nearly `SKILL.md` or `skill.json`, sorted.
    pub(super) misspelt: Vec<String>,
    /// `Cargo.toml` files in directories above skills, sorted.
    pub(super) manifests: Vec<String>,
}

/// Finds the skill directories of a root, which was listed already; `scope` is what is left out of all of it.
pub(super) fn find_skills(reader: &mut Reader, listing: Listing, scope: Scope) -> Discovery {
    let root = reader.root.to_path_buf();
    let mut walk = Walk {
        reached: Reached::new(root.clone()),
        reader,
        stack: Vec::new(),
        links: Waiting::new(),
        is_linked: false,
        discovery: Discovery::default(),
    };
    walk.enter(Directory { path: String::new(), real: root, scope }, listing);
    loop {
        while let Some(directory) = walk.stack.pop() {
            walk.visit(directory);
        }
        let Some((path, link)) = walk.links.pop() else { break };
        walk.is_linked = true;
        walk.follow(path, link);
    }
    let mut discovery = walk.discovery;
    sort(&mut discovery.skills, &|a, b| a.path.cmp(&b.path));
    sort(&mut discovery.misspelt, &|a, b| a.cmp(b));
    let skills = &discovery.skills;
    discovery.manifests.retain(|path| {
        let directory = path.trim_end_matches(MANIFEST);
        skills.iter().any(|skill| skill.path.starts_with(directory))
    });
    sort(&mut discovery.manifests, &|a, b| a.cmp(b));
    discovery
}

/// The file at which `cargo package` leaves a directory out.
pub(super) const MANIFEST: &str = "Cargo.toml";

/// The files that make a directory a skill.
pub(super) const ENTRIES: [&str; 2] = ["SKILL.md", "skill.json"];

struct Directory {
    path: String,
    real: PathBuf,
    scope: Scope,
}

struct Link {
    parent: PathBuf,
    entry: ListedEntry,
    scope: Scope,
}

struct Walk<'r, 'a> {
    reader: &'r mut Reader<'a>,
    stack: Vec<Directory>,
    links: Waiting<Link>,
    /// Whether links are being followed: all plain directories were visited.
    is_linked: bool,
    reached: Reached,
    discovery: Discovery,
}

impl Walk<'_, '_> {
    fn visit(&mut self, directory: Directory) {
        if !self.is_linked {
            self.reached.note(&directory.real);
        } else if !self.reached.enter(&directory.real) {
            let problem = links::repeated(&self.reader.root, &directory.real, &directory.path);
            return self.reader.report(&directory.path, None, problem);
        }
        match self.reader.over.list(&self.reader.root, &directory.real) {
            Ok(listing) => self.enter(directory, listing),
            Err(error) => {
                let problem = Problem::unreadable(&error, "the directory");
                self.reader.report(&directory.path, None, problem);
            }
        }
    }

    /// Takes a directory as a skill, or looks below it for skills.
    fn enter(&mut self, directory: Directory, listing: Listing) {
        let Directory { path, real, scope } = directory;
        if ENTRIES.iter().any(|name| find(&listing.entries, name).is_some()) {
            self.discovery.skills.push(Found { path, real, listing, scope });
            return;
        }
        let scope = match find(&listing.entries, ignore::NAME) {
            Some(entry) => self.reader.ignore(scope, &path, &real, entry, None),
            None => scope,
        };
        let scope = self.reader.git_ignore(scope, &path, &real, &listing);
        for entry in listing.foreign.iter().filter(|entry| entry.kind != Kind::File) {
            self.reader.report_foreign(&path, entry, None);
        }
        for entry in listing.entries {
            self.sort(&path, &real, scope, entry);
        }
    }

    fn sort(&mut self, above: &str, real: &Path, scope: Scope, entry: ListedEntry) {
        if junk::is_closed(&entry.name) {
            return;
        }
        let path = join(above, &entry.name);
        match entry.kind {
            Kind::Directory if !self.reader.ignores.is_out(scope, &path, true) => {
                let scope = self.reader.ignores.below(scope, &path);
                self.stack.push(Directory { path, real: real.join(&entry.name), scope });
            }
            Kind::Link if !self.reader.ignores.is_out(scope, &path, false) => {
                self.note(above, &path, &entry);
                self.links.push(path, Link { parent: real.to_owned(), entry, scope });
            }
            Kind::File if !self.reader.ignores.is_out(scope, &path, false) => self.note(above, &path, &entry),
            _ => {}
        }
    }

    /// Notes a file in a directory that is no skill.
    fn note(&mut self, above: &str, path: &str, entry: &ListedEntry) {
        if let Some(right) = misspelt(&entry.name, &ENTRIES) {
            self.reader.report(path, None, file_name_case(&entry.name, right));
            self.discovery.misspelt.push(path.to_owned());
        }
        // The root may be the directory of the user's own crate.
        if entry.name == MANIFEST && !above.is_empty() {
            self.discovery.manifests.push(path.to_owned());
        }
    }

    fn follow(&mut self, path: String, link: Link) {
        match open::look(&self.reader.root, &link.parent, &link.entry) {
            Ok(Opening::Directory(real)) => {
                if !self.reader.ignores.is_out(link.scope, &path, true) {
                    self.stack.push(Directory { path, real, scope: link.scope });
                }
            }
            // A file outside any skill is nobody's.
            Ok(Opening::File(_)) => {}
            Err(problem) => self.reader.report(&path, None, problem),
        }
    }
}

/// Finds the file name that a name differs from in letter case only.
pub(super) fn misspelt(name: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|right| name != *right && name.eq_ignore_ascii_case(right))
}

/// A file that only a file system without letter case would find.
pub(super) fn file_name_case(name: &str, right: &str) -> Problem {
    Problem::new(
        &files::FILE_NAME_CASE,
        format!("`{name}` is not `{right}`"),
        format!("rename it: `git mv {name} {right}`"),
    )
    .label("the name is matched exactly, so this file is not read as one")
    .rename(right)
}
