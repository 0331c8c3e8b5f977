//! Resolves a symbolic link, or reports why it is not followed. Used by `walk` and `files`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use skills_text::shell_word;

use super::listing::EntryType;
use super::problem::{FILE, UnplacedProblem, say};

use crate::link_paths::relative;
use crate::rule::files;

/// A file that may be opened, with its checked real path.
#[derive(Debug)]
pub(super) struct OpenableFile {
    pub(super) real: PathBuf,
    /// The inode number from the listing; `None` for the target of a link.
    pub(super) inode: Option<u64>,
}

/// The type of an entry after following links.
#[derive(Debug)]
pub(super) enum Opening {
    File(OpenableFile),
    Directory(PathBuf),
}

/// Follows a link to its final target, whose path has no links and is inside the root. Fails, without reading
/// the target, if it is missing, is outside the root, or is neither file nor directory.
pub(super) fn resolve(root: &Path, link: &Path) -> Result<Opening, UnplacedProblem> {
    let real = fs::canonicalize(link).map_err(|error| broken(root, link, &error))?;
    if !real.starts_with(root) {
        return Err(outside(link));
    }
    let kind = fs::symlink_metadata(&real).map_err(|error| broken(root, link, &error))?.file_type();
    match EntryType::from_file_type(kind) {
        EntryType::File => Ok(Opening::File(OpenableFile { real, inode: None })),
        EntryType::Directory => Ok(Opening::Directory(real)),
        EntryType::Special(what) => Err(special(what)),
        // The last part of the path was replaced by a link after the real path was resolved.
        EntryType::Link => Err(outside(link)),
    }
}

/// Links to directories, which are followed after all real directories were read.
#[derive(Debug)]
pub(super) struct Waiting<T> {
    paths: BinaryHeap<Reverse<(String, usize)>>,
    links: Vec<Option<T>>,
}

impl<T> Waiting<T> {
    pub(super) fn new() -> Self {
        Self { paths: BinaryHeap::new(), links: Vec::new() }
    }

    /// Adds a link with its path.
    pub(super) fn push(&mut self, path: String, link: T) {
        self.paths.push(Reverse((path, self.links.len())));
        self.links.push(Some(link));
    }

    /// Removes and returns the link with the first path.
    pub(super) fn pop(&mut self) -> Option<(String, T)> {
        let Reverse((path, at)) = self.paths.pop()?;
        Some((path, self.links.get_mut(at)?.take()?))
    }
}

/// The real paths of the directories that were read, so that none is read twice.
#[derive(Debug)]
pub(super) struct Reached {
    top: PathBuf,
    /// Directories reached without a link. Each is unique, so they are added to the set only when the first
    /// link is checked.
    plain: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
}

impl Reached {
    /// Starts with a directory, which counts as reached together with all directories above it.
    pub(super) fn new(top: PathBuf) -> Self {
        Self { top, plain: Vec::new(), seen: HashSet::new() }
    }

    /// Records a directory reached without a link, by its real path.
    pub(super) fn note(&mut self, real: &Path) {
        self.plain.push(real.to_owned());
    }

    /// Records a directory reached by a link, or below such a directory; returns `false` if it was reached
    /// before.
    pub(super) fn enter(&mut self, real: &Path) -> bool {
        self.seen.extend(self.plain.drain(..));
        !self.top.starts_with(real) && self.seen.insert(real.to_owned())
    }
}

/// Reports a link to a directory that is read elsewhere.
pub(super) fn repeated(root: &Path, real: &Path, path: &str) -> UnplacedProblem {
    let name = path.rsplit('/').next().unwrap_or(path);
    let place = real.strip_prefix(root).ok().and_then(Path::to_str).filter(|place| !place.is_empty());
    UnplacedProblem::new(
        &files::LINK_REPEATED,
        "the link leads to a directory that is already read",
        format!("delete the link `{name}`"),
    )
    .label(format!("leads to `{}`", place.unwrap_or(".")))
}

/// Reports an entry that is neither file nor directory.
pub(super) fn special(what: &str) -> UnplacedProblem {
    UnplacedProblem::new(
        &files::SPECIAL_FILE,
        "neither a file nor a directory",
        "replace it with a regular file",
    )
    .label(format!("{what}; it is not opened"))
}

/// Reports a hard link, whose other names may be outside the root.
pub(super) fn hard_link(path: &str, links: u64) -> UnplacedProblem {
    let help = format!("replace it with a copy: `cp {FILE} {FILE}.copy && mv {FILE}.copy {FILE}`");
    UnplacedProblem::new(
        &files::HARD_LINK,
        format!("`{path}` is a hard link: the file has {links} names"),
        help,
    )
    .label("the other names may be outside the skills directory")
}

fn outside(link: &Path) -> UnplacedProblem {
    UnplacedProblem::new(
        &files::LINK_OUTSIDE,
        "the link leads out of the skills directory",
        format!("replace it with a copy of its target, or delete it: `rm {FILE}`"),
    )
    .label(format!("leads to `{}`; it is not read", written(link)))
}

fn broken(root: &Path, link: &Path, error: &io::Error) -> UnplacedProblem {
    let label = match error.kind() {
        io::ErrorKind::NotFound => format!("leads to `{}`, which does not exist", written(link)),
        _ => format!("leads to `{}`: {}", written(link), say(error)),
    };
    let is_absolute = fs::read_link(link).is_ok_and(|target| target.is_absolute());
    let (title, help) = match target_in_root(root, link) {
        Some(target) if link.starts_with(root.join(&target)) => {
            ("the link would lead to a directory that contains it", format!("delete it: `rm {FILE}`"))
        }
        Some(target) => {
            let from = link.parent().and_then(|parent| parent.strip_prefix(root).ok()?.to_str());
            let target = relative(from.unwrap_or_default(), &target);
            let command = format!("`ln -sfn {} {FILE}`", shell_word(&target));
            match is_absolute {
                true => (
                    "the link leads to a path of another computer, while its target is here",
                    format!("make it relative: {command}"),
                ),
                false => ("broken link", format!("change its target: {command}")),
            }
        }
        None if is_absolute => (
            "the link leads to a path of another computer",
            "copy the target here, and make the link relative".to_owned(),
        ),
        None => ("broken link", format!("change its target to an existing file, or delete it: `rm {FILE}`")),
    };
    UnplacedProblem::new(&files::LINK_BROKEN, title, help).label(label)
}

/// Returns the path below the root that the target of a link should have: the longest end of the target that exists in the
/// root, or for a relative target in a directory above the link. The name alone says too little for a relative target.
fn target_in_root(root: &Path, link: &Path) -> Option<String> {
    let target = fs::read_link(link).ok()?;
    let parts = target
        .components()
        .filter(|part| !matches!(part, Component::Prefix(_) | Component::RootDir | Component::CurDir));
    let names: Vec<&str> = parts.map(|name| name.as_os_str().to_str()).collect::<Option<_>>()?;
    let up = names.iter().take_while(|name| **name == "..").count();
    let names = if target.is_absolute() { &names[..] } else { &names[up..] };
    if names.contains(&"..") {
        return None;
    }
    let directory = link.parent()?.strip_prefix(root).ok()?;
    let above = directory.ancestors().filter(|_| target.is_relative()).chain([Path::new("")]);
    let shortest = if target.is_absolute() { 1 } else { 2 };
    let ends = (0..names.len()).filter(|at| names.len() - at >= shortest).map(|at| names[at..].join("/"));
    let found = above.flat_map(|above| ends.clone().map(|end| above.join(end)));
    let mut found = found.filter(|place| root.join(place) != link && root.join(place).exists());
    found.next()?.to_str().map(str::to_owned)
}

/// Returns the target if the contents of a file are those of a symbolic link: one relative or absolute path.
pub(crate) fn written_as_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes.get(..bytes.len().min(4096))?).ok()?.trim_end_matches(['\r', '\n']);
    let is_path =
        text.starts_with(['.', '/']) && text.contains('/') && text != "/" && !text.starts_with("//");
    let is_plain = !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>|\"*?".contains(c));
    (bytes.len() <= 4096 && is_path && is_plain).then_some(text)
}

/// Reports such a file.
pub(super) fn stub(target: &str) -> UnplacedProblem {
    UnplacedProblem::new(
        &files::LINK_BROKEN,
        "the file is a symbolic link that Git wrote as a text",
        "run `git config core.symlinks true`, and check the file out again",
    )
    .label(format!("should lead to `{target}`, so the skills there are not found here"))
}

/// Returns the target as written in the link.
fn written(link: &Path) -> String {
    fs::read_link(link).map(|target| target.display().to_string()).unwrap_or_default()
}
