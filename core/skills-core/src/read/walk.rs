//! Finds the skill directories of a root, sorted by path.
//!
//! Real directories are visited first and links to directories afterwards, so that the real path of a skill
//! has precedence over links to it, whatever their names are.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use skills_text::sort;

use super::copies::Copies;
use super::ignore::IgnoreFiles;
use super::junk;
use super::links::{self, Opening, Reached, Waiting};
use super::listing::{EntryType, ListedEntry, Listing, find};
use super::open;
use super::path::{CARGO_MANIFEST, ENTRIES, join, misspelt};
use super::problem::{DIRECTORY, FILE, UnplacedProblem};
use super::reader::DirectoryReader;
use super::source_tree::DirectoryKind;
use crate::rule::files;

/// A directory with a `SKILL.md` or `skill.json`, not read yet.
#[derive(Debug, Default)]
pub(super) struct FoundSkill {
    /// Path below the root; empty for the root.
    pub(super) path: String,
    pub(super) real: PathBuf,
    pub(super) listing: Listing,
    /// The `.skillignore` files above it.
    pub(super) ignore_files: IgnoreFiles,
    /// The folder of skills to which it belongs.
    pub(super) folder: String,
    /// Whether a crate may bundle that folder.
    pub(super) in_crate: bool,
    /// The path of the skill in whose directory it lies.
    pub(super) above: Option<String>,
    /// Whether it is the root, and the directory of a Cargo package.
    pub(super) is_package: bool,
    /// For a skill that is a single file: the name of this file in the directory `real`.
    pub(super) flat: Option<ListedEntry>,
}

/// The directories and files found in a root.
#[derive(Debug, Default)]
pub(super) struct Discovery {
    /// The skill directories, sorted by path.
    pub(super) skills: Vec<FoundSkill>,
    /// Files with names that are almost `SKILL.md` or `skill.json`, sorted.
    pub(super) misspelt: Vec<String>,
    /// The `Cargo.toml` files outside skills.
    pub(super) crates: Vec<String>,
    pub(super) listings: Listings,
}

/// Listings of directories below skills, by their real paths. The paths are stored as `OsString`, because
/// hashing a `Path` hashes each part and is slower.
pub(super) type Listings = HashMap<OsString, Listing>;

/// Finds the skill directories of a root that was already listed; `ignore_files` has the patterns for the whole
/// root.
pub(super) fn find_skills(
    reader: &mut DirectoryReader,
    listing: Listing,
    ignore_files: IgnoreFiles,
) -> Discovery {
    let root = reader.root.to_path_buf();
    let mut walk = Walk {
        reached: Reached::new(root.clone()),
        reader,
        stack: Vec::new(),
        links: Waiting::new(),
        is_linked: false,
        is_index: false,
        copies: Copies::default(),
        discovery: Discovery::default(),
    };
    let index = walk.index(&root, &listing, ignore_files);
    walk.is_index = index.is_some();
    walk.enter(
        Directory { path: String::new(), real: root, inode: None, ignore_files, above: None },
        listing,
    );
    loop {
        while let Some(directory) = walk.stack.pop() {
            walk.visit(directory);
        }
        let Some((path, link)) = walk.links.pop() else { break };
        walk.is_linked = true;
        walk.follow(path, link);
    }
    let Walk { reader, mut discovery, .. } = walk;
    match index {
        Some(skill) if discovery.skills.is_empty() => discovery.skills.push(skill),
        Some(_) => reader.pass_over(ENTRIES[0], "an index without a frontmatter, with skills below it"),
        None => {}
    }
    sort(&mut discovery.skills, &|a, b| a.path.cmp(&b.path));
    sort(&mut discovery.misspelt, &|a, b| a.cmp(b));
    discovery
}

/// Returns `true` if a text begins with a frontmatter or has one of its fields.
fn has_fields(head: &str) -> bool {
    let first = skills_text::unmarked(head).lines().next().unwrap_or_default();
    skills_text::frontmatter_tag(first).is_some() || names_skill(head)
}

/// Returns `true` if a line of a text is the name or the description of a skill.
fn names_skill(head: &str) -> bool {
    let fields = ["name:", "name =", "description:", "description ="];
    head.lines().any(|line| fields.iter().any(|field| line.starts_with(field)))
}

/// Returns the reason why a `SKILL.md` without a frontmatter is not a skill, by its beginning.
fn other_text(head: &str) -> Option<&'static str> {
    if has_fields(head) {
        return None;
    }
    let heading = head.lines().find(|line| line.starts_with("# ")).unwrap_or_default();
    if skills_text::unmarked(head).trim_start().starts_with("<!--") {
        Some("a part of another text, without a frontmatter")
    } else if heading.trim_end().eq_ignore_ascii_case("# moved") {
        Some("a note that the skill was moved")
    } else {
        None
    }
}

struct Directory {
    path: String,
    real: PathBuf,
    /// The inode number from the listing of the parent directory.
    inode: Option<u64>,
    ignore_files: IgnoreFiles,
    /// The path of the skill that contains it.
    above: Option<String>,
}

struct Link {
    parent: PathBuf,
    entry: ListedEntry,
    ignore_files: IgnoreFiles,
}

struct Walk<'r, 'a> {
    reader: &'r mut DirectoryReader<'a>,
    stack: Vec<Directory>,
    links: Waiting<Link>,
    /// Whether links are being followed, after all real directories were visited.
    is_linked: bool,
    /// Whether the `SKILL.md` in the root may be an index of the skills below it.
    is_index: bool,
    reached: Reached,
    copies: Copies,
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
        let listing = self.reader.list(&directory.real, directory.inode);
        if let Some(listing) = self.reader.ok_or_report(&directory.path, None, listing) {
            self.enter(directory, listing);
        }
    }

    /// Records a directory as a skill, or searches it for skills.
    fn enter(&mut self, directory: Directory, listing: Listing) {
        let Directory { path, real, ignore_files, above, .. } = directory;
        let mut is_skill = ENTRIES.iter().any(|name| find(&listing.entries, name).is_some());
        if self.is_index && path.is_empty() {
            is_skill = false;
        } else if let Some(reason) = self.other_text(&real, &listing) {
            self.reader.pass_over(&join(&path, ENTRIES[0]), reason);
            is_skill = false;
        }
        if self.judges_use() {
            self.copies.note(&self.reader.root, &path, &listing);
            let place = real.strip_prefix(&*self.reader.root).ok().and_then(Path::to_str).unwrap_or(&path);
            if is_skill && above.is_none() && !path.is_empty() && self.copies.has(place) {
                self.reader.has_others = true;
                return self.reader.peek(&real, &path, "copied from another project");
            }
        }
        if is_skill || above.is_some() {
            return self.enter_in_skill(
                Directory { path, real, ignore_files, above, ..directory },
                listing,
                is_skill,
            );
        }
        let ignore_files = self.reader.ignore(ignore_files, &path, &real, &listing, None);
        for entry in listing.not_utf8.iter().filter(|entry| entry.kind != EntryType::File) {
            self.reader.report_not_utf8_name(&path, entry, None);
        }
        for entry in listing.entries {
            self.classify(&path, &real, ignore_files, entry);
        }
    }

    /// Returns `true` if skills that nobody works on are passed over.
    fn judges_use(&self) -> bool {
        self.reader.options.scope == DirectoryKind::Repository && !self.reader.options.set_aside
    }

    /// Returns the reason why the only manifest of a directory in a repository, a `SKILL.md`, is not a skill.
    fn other_text(&self, real: &Path, listing: &Listing) -> Option<&'static str> {
        other_text(&self.head_alone(real, listing)?)
    }

    /// Returns the root of a repository as a skill if its `SKILL.md` has no frontmatter. If there are skills below it, it is
    /// an index of them for people.
    fn index(&self, real: &Path, listing: &Listing, ignore_files: IgnoreFiles) -> Option<FoundSkill> {
        self.head_alone(real, listing).filter(|head| !has_fields(head) && other_text(head).is_none())?;
        Some(FoundSkill {
            real: real.to_owned(),
            listing: listing.clone(),
            ignore_files,
            is_package: find(&listing.entries, CARGO_MANIFEST).is_some(),
            ..FoundSkill::default()
        })
    }

    /// Returns the beginning of the `SKILL.md` of a directory in a repository, if it has no `skill.json`.
    fn head_alone(&self, real: &Path, listing: &Listing) -> Option<String> {
        let [document, manifest] = ENTRIES.map(|name| find(&listing.entries, name));
        let is_survey = self.reader.options.scope == DirectoryKind::Repository;
        self.reader.head(real, document.filter(|_| is_survey && manifest.is_none())?)
    }

    /// Records a directory as a skill, or as part of one, and searches it for other skills.
    fn enter_in_skill(&mut self, directory: Directory, listing: Listing, is_skill: bool) {
        let Directory { path, real, ignore_files, above, .. } = directory;
        let below =
            |above: &str| path.get(above.len()..).unwrap_or_default().trim_start_matches('/').to_owned();
        let material = above.as_deref().and_then(|above| junk::material(&below(above)));
        let is_other = is_skill && material.is_none();
        let is_survey = self.reader.options.scope == DirectoryKind::Repository;
        let is_package = is_skill && path.is_empty() && find(&listing.entries, CARGO_MANIFEST).is_some();
        // A bundle of that skill contains no other files of the package, so they are not searched.
        if is_package && !is_survey {
            self.discovery.skills.push(FoundSkill {
                path,
                real,
                listing,
                ignore_files,
                is_package,
                ..FoundSkill::default()
            });
            return;
        }
        // The skill adds the lines of these files itself when its files are read.
        let inner = self.reader.ignore_quietly(ignore_files, &path, &real, &listing);
        for entry in &listing.entries {
            if entry.kind == EntryType::Directory && !junk::is_history(&entry.name) {
                let (real, place) = (real.join(&entry.name), join(&path, &entry.name));
                let kind = match junk::tool(&entry.name) {
                    None if !self.judges_use() || self.reader.ignores.is_out(inner, &place, true) => None,
                    // The root of a repository may be a skill beside directories of others. Elsewhere, a template is material.
                    None if path.is_empty() => self.unused(&real, entry),
                    None => self.set_aside(&real, entry),
                    tool => tool,
                };
                match kind {
                    Some(tool) if is_survey => self.reader.peek(&real, &place, &format!("below {tool}")),
                    Some(_) => {}
                    None if junk::is_hidden(&entry.name) && !is_survey => {}
                    None if self.reader.ignores.is_out(inner, &place, true) => {
                        let reason = self.reader.ignores.reason(inner, &place, true);
                        self.reader.peek(&real, &place, reason);
                    }
                    None => {
                        let above = if is_other { Some(path.clone()) } else { above.clone() };
                        let ignore_files = self.reader.ignores.below(inner, &place);
                        self.stack.push(Directory {
                            path: place,
                            real,
                            inode: entry.inode,
                            ignore_files,
                            above,
                        });
                    }
                }
            } else if is_skill && !is_other && ENTRIES.contains(&entry.name.as_str()) {
                let reason = format!("material of a skill, in its `{}`", material.unwrap_or_default());
                self.reader.pass_over(&join(&path, &entry.name), &reason);
            } else if !is_skill && misspelt(&entry.name, &ENTRIES[..1]).is_some() {
                self.reader.pass_over(&join(&path, &entry.name), "not named `SKILL.md`");
            }
        }
        if is_other && above.is_some() {
            self.reader.nested_skills.insert(real.clone());
        }
        match is_other {
            true => {
                let found = FoundSkill {
                    path,
                    real,
                    listing,
                    ignore_files,
                    above,
                    is_package,
                    ..FoundSkill::default()
                };
                self.discovery.skills.push(found);
            }
            false => drop(self.discovery.listings.insert(real.into_os_string(), listing)),
        }
    }

    /// Decides what to do with an entry of a directory that is not a skill: search it later, record it or pass over it.
    fn classify(&mut self, above: &str, real: &Path, ignore_files: IgnoreFiles, entry: ListedEntry) {
        let is_survey = self.reader.options.scope == DirectoryKind::Repository;
        if junk::is_history(&entry.name) || (junk::is_closed(&entry.name) && !is_survey) {
            return;
        }
        let path = join(above, &entry.name);
        let is_out = self.reader.ignores.is_out(ignore_files, &path, entry.kind == EntryType::Directory);
        match entry.kind {
            EntryType::Directory => {
                let real = real.join(&entry.name);
                // Kernel directories exist only directly below the root of the file system.
                if above.is_empty() && junk::is_kernel(&real) {
                    return;
                }
                let kind = match junk::tool(&entry.name) {
                    // What the user has left out is named with that reason.
                    None if self.judges_use() && !is_out => self.unused(&real, &entry),
                    tool => tool.filter(|_| is_survey),
                };
                match kind {
                    Some(tool) => {
                        let before = self.reader.passed_over.len();
                        self.reader.peek(&real, &path, &format!("below {tool}"));
                        let is_vendored = junk::vendored(&entry.name).is_some();
                        self.reader.has_others |= is_vendored && self.reader.passed_over.len() > before;
                    }
                    None if !is_out => {
                        let ignore_files = self.reader.ignores.below(ignore_files, &path);
                        self.stack.push(Directory {
                            path,
                            real,
                            inode: entry.inode,
                            ignore_files,
                            above: None,
                        });
                    }
                    None if is_survey => {
                        let reason = self.reader.ignores.reason(ignore_files, &path, true);
                        self.reader.peek(&real, &path, reason);
                    }
                    None => {}
                }
            }
            EntryType::Link if !is_out => {
                self.note(&path, real, &entry);
                self.reader.has_links = true;
                self.links.push(path, Link { parent: real.to_owned(), entry, ignore_files });
            }
            EntryType::File if !is_out => {
                self.note(&path, real, &entry);
                self.check_stub(&path, real, &entry);
                self.find_flat(path, real, entry);
            }
            EntryType::File | EntryType::Link if is_survey && misspelt(&entry.name, &ENTRIES).is_some() => {
                let reason = self.reader.ignores.reason(ignore_files, &path, false);
                self.reader.pass_over(&path, reason);
            }
            _ => {}
        }
    }

    /// Returns the kind of a directory with backups, old skills or skills of other projects. A skill or a plugin about
    /// backups has such a name, too, and a folder of skills may have skills about vendors.
    fn set_aside(&self, real: &Path, entry: &ListedEntry) -> Option<&'static str> {
        let is_in_skills = real.parent().is_some_and(|folder| folder.ends_with("skills"));
        let vendored = junk::vendored(&entry.name).filter(|_| !is_in_skills);
        let kind = junk::set_aside(&entry.name).or(vendored)?;
        let listing = self.reader.list(real, entry.inode).unwrap_or_default();
        if find(&listing.entries, ".claude-plugin").is_some() {
            return None;
        }
        // `pdf/backup` may be an older state of the skill `pdf`.
        let document = find(&listing.entries, ENTRIES[0]);
        let above = real.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        document.is_none_or(|document| self.names(real, document, &above)).then_some(kind)
    }

    /// Returns the kind of a directory with test data, with a template for skills, or that is set aside.
    fn unused(&self, real: &Path, entry: &ListedEntry) -> Option<&'static str> {
        if let Some(name) = junk::fixtures(&entry.name) {
            return Some(name);
        }
        let is_template = junk::is_template(&entry.name) && !self.is_about_templates(real, entry);
        if is_template { Some("a template") } else { self.set_aside(real, entry) }
    }

    /// Returns `true` if a directory with the name of a template is a plugin, or a skill of this name in a directory
    /// `skills`.
    fn is_about_templates(&self, real: &Path, entry: &ListedEntry) -> bool {
        let listing = self.reader.list(real, entry.inode).unwrap_or_default();
        if find(&listing.entries, ".claude-plugin").is_some() {
            return true;
        }
        let document = find(&listing.entries, ENTRIES[0]);
        let is_in_skills = real.parent().is_some_and(|folder| folder.ends_with("skills"));
        document.is_some_and(|document| is_in_skills && self.names(real, document, &entry.name))
    }

    /// Returns `true` if a `SKILL.md` has a name.
    fn names(&self, real: &Path, document: &ListedEntry, name: &str) -> bool {
        let head = self.reader.head(real, document).unwrap_or_default();
        let line = format!("name: {name}");
        head.lines().any(|other| other == line)
    }

    /// Returns `true` if a file `skill.md` of a repository is a page about something else: it has no frontmatter with a
    /// name or a description.
    fn is_page(&self, real: &Path, entry: &ListedEntry) -> bool {
        let is_survey = self.reader.options.scope == DirectoryKind::Repository;
        is_survey
            && entry.name == "skill.md"
            && self.reader.head(real, entry).is_some_and(|head| {
                let first = skills_text::unmarked(&head).lines().next().unwrap_or_default();
                let fields = head.split("\n---").next().unwrap_or_default();
                skills_text::frontmatter_tag(first).is_none() || !names_skill(fields)
            })
    }

    /// Records a file in a directory that is not a skill.
    fn note(&mut self, path: &str, real: &Path, entry: &ListedEntry) {
        let right = misspelt(&entry.name, &ENTRIES);
        if right.is_some() && self.is_page(real, entry) {
            self.reader.pass_over(path, "not named `SKILL.md`, and without the fields of a skill");
        } else if let Some(right) = right {
            self.reader.report(path, None, file_name_case(&entry.name, right));
            self.reader.pass_over(path, &format!("not named `{right}`"));
            self.discovery.misspelt.push(path.to_owned());
        }
        if entry.kind == EntryType::File {
            self.reader.others.push(path.to_owned());
        }
        // The root may be the directory of the user's own crate.
        if entry.name == CARGO_MANIFEST {
            self.discovery.crates.push(path.to_owned());
        }
    }

    /// Reports a file in place of a directory of skills that holds the text of a symbolic link: without symbolic links,
    /// Git writes the target into a file.
    fn check_stub(&mut self, path: &str, real: &Path, entry: &ListedEntry) {
        let is_candidate = real.ends_with("skills") || entry.name.starts_with("skills");
        if !is_candidate || entry.name.contains('.') {
            return;
        }
        let Ok(opened) = self.reader.open(real, entry) else { return };
        if let Some(target) = links::written_as_text(&opened.bytes) {
            self.reader.pass_over(path, "a symbolic link that Git wrote as a text");
            self.reader.report(path, None, links::stub(target));
        }
    }

    /// Records a file as a skill if it is named `NAME.md` and begins with a frontmatter.
    fn find_flat(&mut self, path: String, real: &Path, entry: ListedEntry) {
        let Some(stem) = path.strip_suffix(".md").filter(|_| self.reader.options.flat) else { return };
        if ENTRIES.iter().any(|name| name.eq_ignore_ascii_case(&entry.name)) {
            return;
        }
        let is_skill = self.reader.open(real, &entry).is_ok_and(|opened| {
            let text = String::from_utf8_lossy(&opened.bytes);
            let first = skills_text::unmarked(&text).lines().next().unwrap_or_default();
            skills_text::frontmatter_tag(first).is_some()
        });
        if is_skill {
            let (path, real, flat) = (stem.to_owned(), real.to_owned(), Some(entry));
            self.discovery.skills.push(FoundSkill { path, real, flat, ..FoundSkill::default() });
        }
    }

    fn follow(&mut self, path: String, link: Link) {
        match open::look(&self.reader.root, &link.parent, &link.entry) {
            Ok(Opening::Directory(real)) => {
                if !self.reader.ignores.is_out(link.ignore_files, &path, true) {
                    self.stack.push(Directory {
                        path,
                        real,
                        inode: None,
                        ignore_files: link.ignore_files,
                        above: None,
                    });
                }
            }
            // A file outside all skills is ignored.
            Ok(Opening::File(_)) => {}
            Err(problem) => {
                let is_survey = self.reader.options.scope == DirectoryKind::Repository;
                if is_survey {
                    // In a repository, only entries that may be skills are reported: a directory, or an entry
                    // of a folder of skills.
                    let place = link.parent.join(&link.entry.name);
                    let in_folder =
                        link.parent.ends_with("skills") || ENTRIES.contains(&link.entry.name.as_str());
                    if !in_folder && !place.is_dir() {
                        return;
                    }
                    self.reader.pass_over(&path, "below a link that is not followed");
                    self.reader.has_others = true;
                    // npm's `skills`, nix and dotfiles link single skills of a client's folder to another place.
                    if problem.is_outside() && place.join("SKILL.md").is_file() {
                        return;
                    }
                }
                self.reader.report(&path, None, problem);
            }
        }
    }
}

/// Reports a file name that only a case-insensitive file system would find.
pub(super) fn file_name_case(name: &str, right: &str) -> UnplacedProblem {
    UnplacedProblem::new(
        &files::FILE_NAME_CASE,
        format!("`{name}` is not `{right}`"),
        format!("rename it: `git mv {FILE} {DIRECTORY}{right}`"),
    )
    .label("the name must match exactly, so this file is ignored")
    .rename(right)
}
