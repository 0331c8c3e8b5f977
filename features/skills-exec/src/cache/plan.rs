//! Builds the directory tree of a cache entry from a list of files, and checks every path.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use skills_text::is_exact_path;

use super::{CacheError, File};

/// One directory of the tree: its entries, by name.
#[derive(Debug, Default)]
pub(super) struct DirectoryPlan<'a> {
    nodes: BTreeMap<&'a str, PlanEntry<'a>>,
}

/// An entry of a directory.
#[derive(Debug)]
pub(super) enum PlanEntry<'a> {
    Directory(DirectoryPlan<'a>),
    File(&'a File<'a>),
}

impl<'a> DirectoryPlan<'a> {
    pub(super) fn from_files(files: &'a [File<'a>]) -> Result<Self, CacheError> {
        let mut plan = Self::default();
        for file in files {
            if !is_exact_path(file.path) {
                return Err(CacheError::Path { path: file.path.to_owned() });
            }
            if !plan.place(file.path, file) {
                return Err(CacheError::Collision { path: file.path.to_owned() });
            }
        }
        Ok(plan)
    }

    /// Adds a file to the tree. Returns `false` if its path is already taken.
    fn place(&mut self, path: &'a str, file: &'a File<'a>) -> bool {
        let Some((first, rest)) = path.split_once('/') else {
            return self.nodes.insert(path, PlanEntry::File(file)).is_none();
        };
        match self.nodes.entry(first).or_insert_with(|| PlanEntry::Directory(Self::default())) {
            PlanEntry::Directory(plan) => plan.place(rest, file),
            PlanEntry::File(_) => false,
        }
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (&'a str, &PlanEntry<'a>)> {
        self.nodes.iter().map(|(name, node)| (*name, node))
    }

    pub(super) fn has(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| self.nodes.contains_key(name))
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheError, DirectoryPlan, File};

    fn planned(paths: &[&str]) -> Result<(), CacheError> {
        let files: Vec<File<'_>> =
            paths.iter().map(|path| File { path, bytes: b"", executable: false, sha256: [0; 32] }).collect();
        DirectoryPlan::from_files(&files).map(|_| ())
    }

    // SPEC 12.3
    #[test]
    fn paths_stay_in_the_directory_and_are_unique() {
        assert_eq!(planned(&["a", "b/c", "b/d/e", "..a"]), Ok(()));
        for path in ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.", "b\\..\\c", "a\0"] {
            assert_eq!(planned(&["ok", path]), Err(CacheError::Path { path: path.to_owned() }));
        }
        for paths in [["a", "a"], ["a", "a/b"], ["a/b", "a"]] {
            assert_eq!(planned(&paths), Err(CacheError::Collision { path: paths[1].to_owned() }));
        }
    }
}
