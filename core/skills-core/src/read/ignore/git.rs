//! Reads the `.gitignore` files above the root up to the root of its repository, with the rules of git.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::index::{self, Repository};
use super::{IgnoreFiles, Ignores, Layer};
use crate::patterns::Patterns;
use crate::read::inside::RealRoot;

/// The name of the file.
pub(in crate::read) const NAME: &str = ".gitignore";

/// The maximum size of such a file, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

impl Ignores {
    /// Reads the files above a root. Adds nothing if the root is not in a repository. Adds nothing if the
    /// root itself is ignored, because the user named it explicitly.
    pub(in crate::read) fn repository(&mut self, root: &Path) -> IgnoreFiles {
        let Some(top) = repository_of(root) else { return IgnoreFiles::default() };
        let inside = RealRoot::new(top.to_owned());
        let mut ignore_files = self.enter(top);
        // The `info/exclude` of a clone has a lower precedence than the `.gitignore` files.
        if let Some((_, shared)) = index::directories(top) {
            let shared = RealRoot::new(shared);
            ignore_files = self.above(ignore_files, &shared, &shared.join("info/exclude"), top, root);
        }
        let parts: Vec<&Path> = root.ancestors().take_while(|above| *above != top).collect();
        for below in parts.into_iter().rev() {
            let directory = below.parent().unwrap_or(top);
            ignore_files = self.above(ignore_files, &inside, &directory.join(NAME), directory, root);
            if self.holds_out(ignore_files, below, root) {
                return IgnoreFiles::default();
            }
        }
        ignore_files
    }

    /// Returns the files that apply at the top of a repository, in which the `.gitignore` files of other repositories do not apply.
    pub(in crate::read) fn enter(&mut self, top: &Path) -> IgnoreFiles {
        self.repositories.push(Repository::new(top.to_owned()));
        IgnoreFiles { repository: Some(self.repositories.len() - 1), ..IgnoreFiles::default() }
    }

    /// Adds the file of a directory above the root, if there is one.
    fn above(
        &mut self,
        ignore_files: IgnoreFiles,
        inside: &RealRoot,
        file: &Path,
        directory: &Path,
        root: &Path,
    ) -> IgnoreFiles {
        let prefix = root.strip_prefix(directory).ok().and_then(Path::to_str);
        match prefix.zip(patterns_of(inside, file)) {
            Some((prefix, text)) => self.add_git(ignore_files, "", prefix, &text),
            _ => ignore_files,
        }
    }

    /// Returns `true` if a directory above the root, or the root itself, is ignored.
    fn holds_out(&self, ignore_files: IgnoreFiles, directory: &Path, root: &Path) -> bool {
        let mut next = ignore_files.git;
        while let Some(layer) = next.and_then(|at| self.layers.get(at)) {
            // The number of parts in the prefix is the number of levels from the layer's directory down to
            // the root.
            let depth = skills_text::path_names(&layer.prefix).len();
            let own = root.ancestors().nth(depth);
            let below = own.and_then(|own| directory.strip_prefix(own).ok()).and_then(Path::to_str);
            match below
                .filter(|below| !below.is_empty())
                .and_then(|below| layer.lines.decide(below, true, &self.left))
            {
                Some(negated) => return !negated,
                None => next = layer.above,
            }
        }
        false
    }

    /// Adds a `.gitignore`. `base` is its directory relative to the root, if it is below the root; `prefix`
    /// is the path from its directory to the root, if it is above.
    pub(in crate::read) fn add_git(
        &mut self,
        ignore_files: IgnoreFiles,
        base: &str,
        prefix: &str,
        text: &str,
    ) -> IgnoreFiles {
        let text = text.trim_start_matches('\u{feff}').lines();
        let lines = Patterns::new(text.map(|line| line.trim_end_matches('\r')));
        let (base, prefix) = (base.to_owned(), prefix.to_owned());
        self.layers.push(Layer { above: ignore_files.git, base, prefix, lines, is_config: false });
        IgnoreFiles { git: Some(self.layers.len() - 1), ..ignore_files }
    }

    /// Returns `true` if git ignores a path below the root.
    pub(in crate::read) fn is_ignored(&self, ignore_files: IgnoreFiles, path: &str, directory: bool) -> bool {
        ignore_files.is_ignored || matches!(self.decide(ignore_files.git, path, directory), Some((false, _)))
    }

    /// Returns whether git ignores a file that is not tracked, given by its path below the root and its real path. A
    /// tracked file is not ignored, whatever a `.gitignore` says. If the index cannot be read, returns the reason.
    pub(in crate::read) fn is_left_out(
        &self,
        ignore_files: IgnoreFiles,
        path: &str,
        real: &Path,
    ) -> Option<Result<(), &str>> {
        let repository = self.repositories.get(ignore_files.repository?)?;
        if !self.is_ignored(ignore_files, path, false) {
            return None;
        }
        match repository.tracks(real) {
            Ok(true) => None,
            Ok(false) => Some(Ok(())),
            Err(why) => Some(Err(why)),
        }
    }

    /// Returns `true` if git ignores a directory, given by its path below the root and its real path, and the directory has
    /// no tracked file and is not a repository itself.
    fn leaves_out_directory(&self, ignore_files: IgnoreFiles, path: &str, real: &Path) -> bool {
        let Some(repository) = ignore_files.repository.and_then(|at| self.repositories.get(at)) else {
            return false;
        };
        self.is_ignored(ignore_files, path, true)
            && !index::is_top(real)
            && repository.tracks(real) == Ok(false)
            && !repository.tracks_below(real)
    }

    /// Returns the files that apply below a directory: everything in an ignored directory is ignored, whatever other
    /// lines say.
    pub(in crate::read) fn below(&self, ignore_files: IgnoreFiles, path: &str) -> IgnoreFiles {
        let is_ignored = ignore_files.repository.is_some() && self.is_ignored(ignore_files, path, true);
        IgnoreFiles { is_ignored, ..ignore_files }
    }
}

/// Reads a file of patterns. Returns `None` if it is missing, or is not a regular file.
fn patterns_of(inside: &RealRoot, file: &Path) -> Option<String> {
    use std::io::Read;
    let mut text = Vec::new();
    let (file, _) = inside.open_listed(file, None).ok().filter(|(_, metadata)| metadata.is_file())?;
    file.take(MAX_FILE_SIZE).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The maximum nesting depth of the directories in which [`git_ignored`] looks.
const MAX_DEPTH: usize = 64;

/// Returns everything below the top of a repository that is not part of it, as paths below the top: the directories `.git`,
/// special files, and what git ignores. A directory stands for everything in it. A tracked file is never in the list,
/// whatever a `.gitignore` says, and neither is an ignored file if the index cannot be read. The paths in `kept` and
/// everything below them are not in the list either.
///
/// A change of the repository, such as `git pull` brings, cannot change what is in the list.
pub fn git_ignored(top: &Path, kept: &BTreeSet<String>) -> Vec<String> {
    let Ok(top) = top.canonicalize() else { return Vec::new() };
    let mut search = Search { ignores: Ignores::default(), kept, found: Vec::new() };
    let ignore_files = search.ignores.repository(&top);
    search.directory(&top, "", ignore_files, 0);
    search.found
}

struct Search<'k> {
    ignores: Ignores,
    kept: &'k BTreeSet<String>,
    found: Vec<String>,
}

impl Search<'_> {
    fn directory(&mut self, directory: &Path, below: &str, ignore_files: IgnoreFiles, depth: usize) {
        // Another repository in this one, such as a submodule, has its own rules and its own index.
        let ignore_files = match below.is_empty() || !index::is_top(directory) {
            true => ignore_files,
            false => self.ignores.enter(directory),
        };
        let inside = RealRoot::new(directory.to_owned());
        let text = patterns_of(&inside, &directory.join(NAME)).filter(|_| ignore_files.is_in_repository());
        let ignore_files =
            text.map_or(ignore_files, |text| self.ignores.add_git(ignore_files, below, "", &text));
        // Whoever reads the files reports a directory that cannot be read.
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let real = directory.join(&name);
            let below_ignored = IgnoreFiles { is_ignored: true, ..ignore_files };
            if name == ".git" || !(kind.is_dir() || kind.is_file() || kind.is_symlink()) {
                self.leave_out(&real, path, below_ignored, depth);
            } else if self.ignores.is_ignored(ignore_files, &path, kind.is_dir()) && self.kept.contains(&path)
            {
                // It counts with everything in it.
            } else if !kind.is_dir() {
                if matches!(self.ignores.is_left_out(ignore_files, &path, &real), Some(Ok(()))) {
                    self.found.push(path);
                }
            } else if self.ignores.leaves_out_directory(ignore_files, &path, &real) {
                self.leave_out(&real, path, below_ignored, depth);
            } else if depth < MAX_DEPTH {
                let ignore_files = self.ignores.below(ignore_files, &path);
                self.directory(&real, &path, ignore_files, depth + 1);
            }
        }
    }

    /// Adds a file, or a directory in which nothing is kept.
    fn leave_out(&mut self, real: &Path, path: String, ignore_files: IgnoreFiles, depth: usize) {
        if self.kept.contains(&path) {
            return;
        }
        let start = format!("{path}/");
        let has_kept = self.kept.range(start.clone()..).next().is_some_and(|kept| kept.starts_with(&start));
        if has_kept && depth < MAX_DEPTH {
            self.directory(real, &path, ignore_files, depth + 1);
        } else {
            self.found.push(path);
        }
    }
}

/// Returns a directory, given by its absolute path, and the directories above it up to the root of its repository.
pub(crate) fn up_to_repository(directory: &Path) -> impl Iterator<Item = &Path> {
    let mut is_below = true;
    directory.ancestors().take_while(move |above| std::mem::replace(&mut is_below, !index::is_top(above)))
}

/// Returns the root of the repository that contains a directory, given by its absolute path.
pub(crate) fn repository_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|above| index::is_top(above))
}

/// Returns the root of the repository that contains a directory. A submodule belongs to the repository around it. A directory
/// that git ignores, with no tracked file, belongs to no repository.
pub fn repository_root(directory: &Path) -> Option<PathBuf> {
    let real = directory.canonicalize().ok()?;
    let mut top = repository_of(&real)?;
    let is_untracked = Repository::new(top.to_owned()).tracks(&real) == Ok(false);
    if real != top && is_untracked && is_ignored(&real) {
        return None;
    }
    while let Some(around) = top.parent().and_then(repository_of) {
        if Repository::new(around.to_owned()).tracks(top) == Ok(false) {
            break;
        }
        top = around;
    }
    Some(top.to_owned())
}

/// Returns `true` if git ignores a whole directory and no file of it is committed.
pub(crate) fn is_ignored(directory: &Path) -> bool {
    let Ok(real) = directory.canonicalize() else { return false };
    let Some(top) = repository_of(&real) else { return false };
    let is_ignored = Ignores::default().repository(&real).repository.is_none();
    is_ignored && !Repository::new(top.to_owned()).tracks_below(&real)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    // SPEC 22.11
    #[test]
    fn what_git_ignores_is_listed_unless_it_is_kept() {
        let top = tempfile::tempdir().expect("a directory");
        let write = |path: &str, text: &str| {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("made");
            fs::write(path, text).expect("written");
        };
        let listed = |kept: &[&str]| {
            let kept = kept.iter().map(|path| (*path).to_owned()).collect();
            let mut found = git_ignored(top.path(), &kept);
            found.sort();
            found.join(" ")
        };
        let root = |path: &str| repository_root(&top.path().join(path));
        for path in [
            "a.log",
            "b",
            "target/a",
            "target/b/c",
            "sub/d.log",
            "sub/target/e",
            "nested/.git/x",
            "nested/f.log",
        ] {
            write(path, "");
        }
        write(".gitignore", "target/\n*.log\n");
        assert_eq!(listed(&[]), "nested/.git", "without a repository, everything counts");
        write(".git/HEAD", "");
        let real = top.path().canonicalize().ok();
        assert_eq!([root("sub"), root(""), root("target/b")], [real.clone(), real, None]);
        write("sub/.gitignore", "!d.log\n");
        assert_eq!(listed(&[]), ".git a.log nested/.git sub/target target");
        assert_eq!(listed(&["a.log", "target", "sub", "b"]), ".git nested/.git sub/target");
        assert_eq!(listed(&["target/b", ".git/HEAD"]), "a.log nested/.git sub/target target/a");
        write("nested/.gitignore", "*.log\n");
        assert_eq!(listed(&[]), ".git a.log nested/.git nested/f.log sub/target target");
        write(".git/index", "damaged");
        assert_eq!(listed(&[]), ".git nested/.git nested/f.log", "the index may have any file");
    }
}
