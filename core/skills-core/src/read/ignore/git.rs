//! Reads the `.gitignore` files above the root up to the root of its repository, with the rules of git.

use std::path::Path;

use super::lines::Lines;
use super::{Ignores, Layer, Scope};
use crate::read::inside::Root;

/// The maximum size of the list of committed files, in bytes.
const LARGEST_INDEX: u64 = 64 << 20;

/// The name of the file.
pub(in crate::read) const NAME: &str = ".gitignore";

/// The maximum size of such a file, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

impl Ignores {
    /// Reads the files above a root. Adds nothing if the root is not in a repository. Adds nothing if the
    /// root itself is ignored, because the user named it explicitly.
    pub(in crate::read) fn repository(&mut self, root: &Path) -> Scope {
        let Some(top) = repository_of(root) else { return Scope::default() };
        let inside = Root::new(top.to_owned());
        let mut scope = Scope { in_repository: true, ..Scope::default() };
        // The `info/exclude` of a clone has a lower precedence than the `.gitignore` files.
        scope = self.above(scope, &inside, &top.join(".git/info/exclude"), top, root);
        let parts: Vec<&Path> = root.ancestors().take_while(|above| *above != top).collect();
        for below in parts.into_iter().rev() {
            let directory = below.parent().unwrap_or(top);
            scope = self.above(scope, &inside, &directory.join(NAME), directory, root);
            if self.holds_out(scope, below, root) {
                return Scope::default();
            }
        }
        scope
    }

    /// Adds the file of a directory above the root, if there is one.
    fn above(&mut self, scope: Scope, inside: &Root, file: &Path, directory: &Path, root: &Path) -> Scope {
        use std::io::Read;
        let mut text = Vec::new();
        let opened = inside.open_listed(file, None).ok().filter(|(_, metadata)| metadata.is_file());
        let read = opened.is_some_and(|(file, _)| file.take(MAX_FILE_SIZE).read_to_end(&mut text).is_ok());
        let prefix = root.strip_prefix(directory).ok().and_then(Path::to_str);
        match prefix {
            Some(prefix) if read => self.add_git(scope, "", prefix, &String::from_utf8_lossy(&text)),
            _ => scope,
        }
    }

    /// Returns `true` if a directory above the root, or the root itself, is ignored.
    fn holds_out(&self, scope: Scope, directory: &Path, root: &Path) -> bool {
        let mut next = scope.git;
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
    pub(in crate::read) fn add_git(&mut self, scope: Scope, base: &str, prefix: &str, text: &str) -> Scope {
        let text = text.trim_start_matches('\u{feff}').lines();
        let lines = Lines::of_valid(text.map(|line| line.trim_end_matches('\r')));
        let (base, prefix) = (base.to_owned(), prefix.to_owned());
        self.layers.push(Layer { above: scope.git, base, prefix, lines, is_config: false });
        Scope { git: Some(self.layers.len() - 1), ..scope }
    }

    /// Returns `true` if git ignores a path below the root.
    pub(in crate::read) fn is_ignored(&self, scope: Scope, path: &str, directory: bool) -> bool {
        scope.is_ignored || matches!(self.decide(scope.git, path, directory), Some((false, _)))
    }

    /// Returns the scope below a directory: everything in an ignored directory is ignored, whatever other
    /// lines say.
    pub(in crate::read) fn below(&self, scope: Scope, path: &str) -> Scope {
        let is_ignored = scope.in_repository && self.is_ignored(scope, path, true);
        Scope { is_ignored, ..scope }
    }
}

/// Returns a directory, given by its absolute path, and the directories above it up to the root of its repository.
pub(crate) fn up_to_repository(directory: &Path) -> impl Iterator<Item = &Path> {
    let mut is_below = true;
    directory
        .ancestors()
        .take_while(move |above| std::mem::replace(&mut is_below, !above.join(".git").exists()))
}

/// Returns the root of the repository that contains a directory, given by its absolute path.
pub(crate) fn repository_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|above| above.join(".git").exists())
}

/// Returns `true` if git ignores a whole directory and no file of it is committed.
pub(crate) fn is_ignored(directory: &Path) -> bool {
    let Ok(real) = directory.canonicalize() else { return false };
    let Some(top) = repository_of(&real) else { return false };
    !Ignores::default().repository(&real).in_repository && !is_committed(top, &real)
}

/// Returns `true` if the index of a repository names a file below a directory. Version 4 of the index format
/// abbreviates paths, so nothing is found in such an index.
fn is_committed(top: &Path, directory: &Path) -> bool {
    use std::io::Read;
    let Some(below) = directory.strip_prefix(top).ok().and_then(Path::to_str) else { return false };
    let mut index = Vec::new();
    let opened = std::fs::File::open(top.join(".git/index"));
    let read = opened.and_then(|file| file.take(LARGEST_INDEX).read_to_end(&mut index));
    let path = format!("{below}/").replace('\\', "/");
    read.is_ok() && index.windows(path.len()).any(|bytes| bytes == path.as_bytes())
}
