//! Reads one skill directory into a [`SkillDir`]: its files with their bytes, sorted by path.

use std::path::{Path, PathBuf};

use skills_registry::{is_material, is_never_material};
use skills_text::{has_crlf_shebang, sort};

use super::caps::Caps;
use super::ignore::{IgnoreFiles, IgnoreVerdict};
use super::in_package::{InPackage, package_name};
use super::junk;
use super::links::{self, OpenableFile, Opening, Reached, Waiting};
use super::listing::{EntryType, ListedEntry, Listing, find};
use super::names::{self, Places};
use super::open::{self, Opened, Want};
use super::path::{CARGO_MANIFEST, ENTRIES, OPENAI, TEXTS, join, misspelt};
use super::problem::UnplacedProblem;
use super::reader::DirectoryReader;
use super::source_tree::{Content, DirectoryKind, File, SkillDir};
use super::walk::{self, FoundSkill, Listings};
use crate::known::FUNCTION_KEYS;
use crate::span::FileId;

/// The directory with the tests of a skill. It is excluded by default, because only the skill's author needs
/// the tests.
const EVALS: &str = "evals";

/// The maximum nesting of directories in `evals`.
const DEEPEST: usize = 8;

/// Reads a skill, which gets the number `index` in the tree; `None`, with a report, if neither `SKILL.md` nor
/// `skill.json` could be read.
pub(super) fn read_skill<'a>(
    reader: &mut DirectoryReader<'a>,
    found: FoundSkill,
    listings: &mut Listings,
    caps: &mut Caps<'a>,
    places: &mut Places,
    index: usize,
) -> Option<SkillDir> {
    let FoundSkill { path, real, listing, ignore_files, folder, in_crate, above, is_package, flat } = found;
    caps.begin_skill(&folder);
    let root = reader.root.clone();
    let named = ENTRIES.iter().filter_map(|name| find(&listing.entries, name));
    let entries: Vec<_> = named.chain(flat.iter()).map(|entry| (entry, reader.open(&real, entry))).collect();
    let link = entries.iter().find(|(entry, _)| entry.kind == EntryType::Link && entry.name == ENTRIES[0]);
    let source = link.and_then(|(entry, _)| {
        let target = std::fs::canonicalize(real.join(&entry.name)).ok()?;
        target.strip_prefix(&root.path).ok()?.to_str().map(str::to_owned)
    });
    let index = entries.iter().any(|(_, opened)| opened.is_ok()).then_some(index);
    reader.has_links |= entries.iter().any(|(entry, _)| entry.kind == EntryType::Link);
    if let Some(above) = above.filter(|_| reader.options.scope == DirectoryKind::Bundle) {
        reader.report(&path, index, names::nested(&path, &above));
    }
    for (place, problem) in places.add(&path) {
        let skill = index.filter(|_| place == path);
        reader.report(&place, skill, problem);
    }
    let name = match path.rsplit('/').next() {
        None | Some("") => root.file_name().map(|name| name.display().to_string()).unwrap_or_default(),
        Some(name) => name.to_owned(),
    };
    let manifest = find(&listing.entries, CARGO_MANIFEST).filter(|_| is_package);
    let manifest = manifest.and_then(|entry| reader.open(&real, entry).ok());
    let package = manifest.and_then(|opened| package_name(String::from_utf8(opened.bytes).ok()?));
    let name = package.unwrap_or(name);
    let mut skill = Skill {
        reader,
        listings,
        caps,
        path,
        index,
        reached: Reached::new(real.clone()),
        links: Waiting::new(),
        is_linked: false,
        stack: Vec::new(),
        files: Vec::new(),
        evals: Vec::new(),
        eval_files: Vec::new(),
        full: false,
        in_package: None,
        is_flat: flat.is_some(),
    };
    let mut refused = Vec::new();
    for (entry, opened) in entries {
        match opened {
            Ok(opened) if skill.is_flat => skill.keep(ENTRIES[0], opened, Want::Whole),
            Ok(opened) => skill.keep(&entry.name, opened, Want::Whole),
            Err(problem) => {
                refused.push((join(&skill.path, &entry.name), problem.reason()));
                skill.report(&entry.name, problem);
            }
        }
    }
    let kept = index.is_some();
    if !kept {
        refused.iter().for_each(|(place, reason)| skill.reader.pass_over(place, reason));
    } else if flat.is_none() {
        if is_package {
            let document = skill.files.iter().find(|file| file.path == ENTRIES[0]);
            skill.in_package =
                Some(InPackage::from_document(document.and_then(File::text), &skill.reader.sources));
        }
        skill.read_all(real, listing, ignore_files);
    }
    let Skill { caps, path, mut files, evals, eval_files, full, .. } = skill;
    caps.end_skill(kept && !full);
    sort(&mut files, &|a, b| a.path.cmp(&b.path));
    kept.then_some(SkillDir {
        path,
        name,
        folder,
        in_crate,
        is_package,
        is_flat: flat.is_some(),
        source,
        origin: None,
        owner: None,
        files,
        evals,
        eval_files,
    })
}

/// A directory of a skill, not listed yet.
struct Directory {
    /// The path below the skill.
    path: String,
    real: PathBuf,
    /// The inode number from the listing of the parent directory.
    inode: Option<u64>,
    ignore_files: IgnoreFiles,
    hidden: Hidden,
}

/// The treatment of the hidden files of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hidden {
    LeftOut,
    /// They are kept: a line with `!` names the directory.
    Kept,
    /// The directory itself is hidden and left out, except for files that a line with `!` names.
    Searched,
}

struct Skill<'s, 'a> {
    reader: &'s mut DirectoryReader<'a>,
    /// Listings from the search for skills.
    listings: &'s mut Listings,
    caps: &'s mut Caps<'a>,
    path: String,
    index: Option<usize>,
    reached: Reached,
    /// Links to directories, which are followed after all real directories were read.
    links: Waiting<(PathBuf, IgnoreFiles, Hidden)>,
    is_linked: bool,
    /// Directories to read.
    stack: Vec<Directory>,
    files: Vec<File>,
    evals: Vec<FileId>,
    eval_files: Vec<String>,
    /// Whether a limit was reached, so that the rest is not read.
    full: bool,
    /// The files that belong to the skill, if the rest of its directory is a Cargo package.
    in_package: Option<InPackage>,
    /// Whether it is the file `PATH.md`.
    is_flat: bool,
}

impl Skill<'_, '_> {
    fn report(&mut self, path: &str, problem: UnplacedProblem) {
        let path = join(&self.path, path);
        let problem = problem.below(&self.path);
        self.reader.report(&path, self.index, problem);
    }

    fn read_all(&mut self, real: PathBuf, listing: Listing, ignore_files: IgnoreFiles) {
        self.enter("", &real, listing, ignore_files, Hidden::LeftOut);
        while !self.full {
            if let Some(directory) = self.stack.pop() {
                self.visit(directory);
            } else if let Some((path, (real, ignore_files, hidden))) = self.links.pop() {
                self.is_linked = true;
                self.visit(Directory { path, real, inode: None, ignore_files, hidden });
            } else {
                break;
            }
        }
    }

    fn visit(&mut self, Directory { path, real, inode, ignore_files, hidden }: Directory) {
        if !self.is_linked {
            self.reached.note(&real);
        } else if !self.reached.enter(&real) {
            let problem = links::repeated(&self.reader.root, &real, &path);
            return self.report(&path, problem);
        }
        // The directory belongs to another skill, which contains these files.
        if self.reader.nested_skills.contains(&real) {
            return;
        }
        let listed = self.listings.remove(real.as_os_str());
        match listed.map_or_else(|| self.reader.list(&real, inode), Ok) {
            Ok(listing) => self.enter(&path, &real, listing, ignore_files, hidden),
            Err(problem) => self.report(&path, problem),
        }
    }

    fn enter(
        &mut self,
        path: &str,
        real: &Path,
        listing: Listing,
        ignore_files: IgnoreFiles,
        hidden: Hidden,
    ) {
        let directory = join_below(&self.path, path);
        let ignore_files = self.reader.ignore(ignore_files, &directory, real, &listing, self.index);
        for entry in &listing.not_utf8 {
            self.reader.report_not_utf8_name(&directory, entry, self.index);
        }
        let texts: &[_] = if find(&listing.entries, "skill.json").is_some() { &TEXTS } else { &ENTRIES };
        let mut kept = Vec::with_capacity(listing.entries.len());
        for entry in &listing.entries {
            if self.full {
                return;
            }
            if self.classify(path, real, ignore_files, hidden, entry) {
                kept.push(entry.name.as_str());
            }
        }
        for name in kept.iter().filter(|_| path.is_empty()) {
            let right = misspelt(name, texts).filter(|right| find(&listing.entries, right).is_none());
            if let Some(right) =
                right.filter(|right| *right != "skill.json" || self.is_function(real, &listing, name))
            {
                self.report(name, walk::file_name_case(name, right));
            }
        }
        for (later, first) in names::collisions(&kept) {
            let other = join_below(&self.path, &join(path, first));
            self.report(&join(path, later), names::same_but_case(later, &other));
        }
    }

    /// Returns `true` if a JSON file has a key that only a function has. Other systems have a `SKILL.json`, too.
    fn is_function(&self, real: &Path, listing: &Listing, name: &str) -> bool {
        let head = find(&listing.entries, name).and_then(|entry| self.reader.head(real, entry));
        head.is_some_and(|text| FUNCTION_KEYS.iter().any(|key| text.contains(&format!("\"{key}\""))))
    }

    /// Decides what to do with an entry of a skill: read it now or later, or leave it out. Returns `true` if its name is
    /// bundled.
    fn classify(
        &mut self,
        above: &str,
        real: &Path,
        ignore_files: IgnoreFiles,
        hidden: Hidden,
        entry: &ListedEntry,
    ) -> bool {
        let name = entry.name.as_str();
        let path = join(above, name);
        let whole = join(&self.path, &path);
        if self.in_package.as_ref().is_some_and(|files| !files.holds(&path)) {
            self.reader.others.push(whole);
            return false;
        }
        if above.is_empty() && ENTRIES.contains(&name) {
            self.notice_git(&path, &whole, &real.join(name), ignore_files);
            return true;
        }
        let is_text = above.is_empty() && TEXTS.contains(&name);
        let verdict = match is_text {
            true => IgnoreVerdict::Silent,
            false => self.reader.ignores.verdict(ignore_files, &whole, entry.kind == EntryType::Directory),
        };
        if verdict == IgnoreVerdict::Out {
            self.reader.others.push(whole);
            return false;
        }
        let is_shipped = verdict == IgnoreVerdict::In && !junk::is_hidden(name);
        if let Some(what) =
            junk::secret_by_name(name).filter(|_| !is_shipped && entry.kind != EntryType::Directory)
        {
            self.report(&path, junk::secret(&path, what));
            self.reader.others.push(whole);
            return false;
        }
        let place = real.join(name);
        let is_wanted = verdict == IgnoreVerdict::In && !is_never_material(name);
        let keeps_hidden = is_material(&path) || hidden == Hidden::Kept && !is_never_material(name);
        if !is_wanted && (hidden == Hidden::Searched || junk::is_junk(name, entry.kind, keeps_hidden)) {
            let may_have_wanted = self.reader.ignores.may_include(ignore_files) && !junk::is_history(name);
            if may_have_wanted
                && entry.kind == EntryType::Directory
                && (hidden == Hidden::Searched || junk::is_hidden(name))
            {
                let ignore_files = self.reader.ignores.below(ignore_files, &whole);
                let hidden = Hidden::Searched;
                self.stack.push(Directory { path, real: place, inode: entry.inode, ignore_files, hidden });
                self.reader.others.push(whole);
            } else {
                self.leave_out(whole, &place, entry.kind);
            }
            return false;
        }
        if let Some(what) = junk::secret_by_hidden_name(name).filter(|_| entry.kind != EntryType::Directory) {
            self.report(&path, junk::secret(&path, what));
            self.reader.others.push(whole);
            return false;
        }
        let below = match hidden {
            _ if is_wanted && junk::is_hidden(name) => Hidden::Kept,
            Hidden::Searched => Hidden::LeftOut,
            hidden => hidden,
        };
        if above.is_empty() && name == EVALS {
            self.read_evals(real, entry);
            // `!evals/` in a `.skillignore` includes them.
            if verdict != IgnoreVerdict::In && entry.kind != EntryType::File {
                if entry.kind == EntryType::Directory {
                    self.reader.note_files(&real.join(name), &whole);
                }
                return false;
            }
        }
        self.reader.has_links |= entry.kind == EntryType::Link;
        match open::look(&self.reader.root, real, entry) {
            Err(problem) => {
                self.report(&path, problem);
                return false;
            }
            Ok(Opening::Directory(real)) if entry.kind == EntryType::Link => {
                if self.reader.ignores.is_out(ignore_files, &whole, true) {
                    return false;
                }
                self.links.push(path.clone(), (real, ignore_files, below));
            }
            Ok(Opening::Directory(real)) => {
                let ignore_files = self.reader.ignores.below(ignore_files, &whole);
                self.stack.push(Directory {
                    path: path.clone(),
                    real,
                    inode: entry.inode,
                    ignore_files,
                    hidden: below,
                });
            }
            Ok(Opening::File(source)) => {
                if !self.read(&path, &source, is_text, is_shipped) {
                    return false;
                }
                if verdict != IgnoreVerdict::In {
                    self.notice_git(&path, &whole, &place, ignore_files);
                }
            }
        }
        self.check_name(&path, name);
        true
    }

    /// Reports a bundled file that git ignores.
    fn notice_git(&mut self, path: &str, whole: &str, real: &Path, ignore_files: IgnoreFiles) {
        if let Some(found) = self.reader.ignores.is_left_out(ignore_files, whole, real) {
            let problem = names::git_ignored(path, found.err());
            self.report(path, problem);
        }
    }

    /// Records a file that is left out, so that links to it can be explained.
    fn leave_out(&mut self, path: String, real: &Path, kind: EntryType) {
        if kind == EntryType::Directory && junk::is_hidden(path.rsplit('/').next().unwrap_or_default()) {
            self.reader.note_files(real, &path);
        }
        self.reader.others.push(path);
    }

    /// Checks the name of a bundled file.
    fn check_name(&mut self, path: &str, name: &str) {
        for problem in names::reserved(name).into_iter().chain(names::hidden(name)) {
            self.report(path, problem);
        }
        if name == CARGO_MANIFEST && self.reader.options.scope == DirectoryKind::Bundle {
            self.report(path, names::cargo_toml());
        }
    }

    /// Reads a file and keeps it; returns `false`, with a report, if it is left out.
    fn read(&mut self, path: &str, source: &OpenableFile, is_text: bool, is_shipped: bool) -> bool {
        let whole = self.reader.options.contents || is_text || path == OPENAI;
        let want = if whole || junk::may_hold_key(path) { Want::Whole } else { Want::Head };
        let cap = self.reader.options.largest_file();
        let opened = match open::read(&self.reader.root, self.reader.over, source, path, cap, want) {
            Ok(opened) => opened,
            Err(problem) => {
                self.report(path, problem);
                return false;
            }
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(what) = junk::secret_by_content(name, &opened.bytes).filter(|_| !is_shipped) {
            self.report(path, junk::secret(path, what));
            return false;
        }
        if opened.links > 1 {
            self.report(path, links::hard_link(path, opened.links));
        }
        self.keep(path, opened, if whole { Want::Whole } else { Want::Head });
        true
    }

    fn keep(&mut self, path: &str, opened: Opened, want: Want) {
        if let Err(problem) = self.caps.add(path, opened.size) {
            self.full = !self.caps.is_lasting();
            self.report(path, problem);
            // `SKILL.md` and `skill.json` are kept, so that their faults are reported too.
            if self.full && !ENTRIES.contains(&path) {
                return;
            }
        }
        let whole = join(&self.path, path);
        // A skill is installed below the directory of a client, wherever the repository has it.
        if let Some(problem) = names::long(&join(self.path.rsplit('/').next().unwrap_or_default(), path)) {
            self.report(path, problem);
        }
        let executable = opened.mode_executable || opened.bytes.starts_with(b"#!");
        let crlf_shebang = has_crlf_shebang(&opened.bytes);
        let content = if TEXTS.contains(&path) {
            let shown = if self.is_flat { format!("{}.md", self.path) } else { whole };
            match self.reader.add_text(shown, opened.bytes, self.index) {
                Ok(id) => Content::Text(id),
                Err(bytes) => Content::Bytes(bytes),
            }
        } else if want == Want::Whole {
            Content::Bytes(opened.bytes)
        } else {
            Content::Unread
        };
        self.files.push(File {
            path: path.to_owned(),
            content,
            executable,
            mode_executable: opened.mode_executable,
            crlf_shebang,
        });
    }

    /// Reads the JSON files directly in the directory `evals` of a skill, if the options request it.
    fn read_evals(&mut self, real: &Path, directory: &ListedEntry) {
        if self.reader.options.evals.is_none() || directory.kind != EntryType::Directory {
            return;
        }
        let real = real.join(EVALS);
        let Ok(listing) = self.reader.list(&real, directory.inode) else { return };
        self.note_evals(&real, EVALS, &listing.entries, 0);
        let files = listing.entries.iter().filter(|entry| entry.kind == EntryType::File);
        for entry in files.filter(|entry| entry.name.ends_with(".json")) {
            let path = join(EVALS, &entry.name);
            match self.reader.open(&real, entry) {
                Ok(opened) => {
                    let whole = join(&self.path, &path);
                    self.evals.extend(self.reader.add_text(whole, opened.bytes, self.index));
                }
                Err(problem) => self.report(&path, problem),
            }
        }
    }

    /// Records the files of a directory and of those below it, because cases name them.
    fn note_evals(&mut self, real: &Path, path: &str, entries: &[ListedEntry], depth: usize) {
        for entry in entries {
            let path = join(path, &entry.name);
            let real = real.join(&entry.name);
            let below = (entry.kind == EntryType::Directory && depth < DEEPEST)
                .then(|| self.reader.list(&real, entry.inode).ok())
                .flatten();
            if let Some(listing) = below {
                self.note_evals(&real, &path, &listing.entries, depth + 1);
            }
            self.eval_files.push(path);
        }
    }
}

/// Joins two paths, either of which may be empty.
fn join_below(above: &str, path: &str) -> String {
    if path.is_empty() { above.to_owned() } else { join(above, path) }
}
