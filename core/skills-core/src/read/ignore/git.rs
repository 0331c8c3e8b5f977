//! Reads the `.gitignore` files above the root up to the root of its repository, with the rules of git.

use std::path::Path;

use super::index::{self, Repository};
use super::lines::Lines;
use super::{Ignores, Layer, Scope};
use crate::read::inside::Root;

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
        let mut scope = self.enter(top);
        // The `info/exclude` of a clone has a lower precedence than the `.gitignore` files.
        if let Some((_, shared)) = index::directories(top) {
            let shared = Root::new(shared);
            scope = self.above(scope, &shared, &shared.join("info/exclude"), top, root);
        }
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

    /// Returns the scope at the top of a repository, in which the `.gitignore` files of other repositories do not apply.
    pub(in crate::read) fn enter(&mut self, top: &Path) -> Scope {
        self.repositories.push(Repository::new(top.to_owned()));
        Scope { repository: Some(self.repositories.len() - 1), ..Scope::default() }
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

    /// Returns whether git ignores a file that is not tracked, given by its path below the root and its real path. A
    /// tracked file is not ignored, whatever a `.gitignore` says. If the index cannot be read, returns the reason.
    pub(in crate::read) fn is_left_out(
        &self,
        scope: Scope,
        path: &str,
        real: &Path,
    ) -> Option<Result<(), &str>> {
        let repository = self.repositories.get(scope.repository?)?;
        if !self.is_ignored(scope, path, false) {
            return None;
        }
        match repository.tracks(real) {
            Ok(true) => None,
            Ok(false) => Some(Ok(())),
            Err(why) => Some(Err(why)),
        }
    }

    /// Returns the scope below a directory: everything in an ignored directory is ignored, whatever other
    /// lines say.
    pub(in crate::read) fn below(&self, scope: Scope, path: &str) -> Scope {
        let is_ignored = scope.repository.is_some() && self.is_ignored(scope, path, true);
        Scope { is_ignored, ..scope }
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

/// Returns `true` if git ignores a whole directory and no file of it is committed.
pub(crate) fn is_ignored(directory: &Path) -> bool {
    let Ok(real) = directory.canonicalize() else { return false };
    let Some(top) = repository_of(&real) else { return false };
    let is_ignored = Ignores::default().repository(&real).repository.is_none();
    is_ignored && !Repository::new(top.to_owned()).tracks_below(&real)
}
