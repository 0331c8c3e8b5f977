//! The files of a skill as an `include_dir::Dir`, for programs that already use that type.

use std::collections::BTreeMap;

use include_dir::{Dir, DirEntry, File};
use skills_registry::Skill;

/// Views of skills as [`include_dir::Dir`], each created on first use and kept until the program ends.
///
/// ```
/// # use skills_runtime::{Dirs, Registry, Tables};
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
/// static DIRS: Dirs = Dirs::new();
///
/// for skill in SKILLS.iter() {
///     let dir = DIRS.skill_dir(skill);
///     assert!(dir.get_file("SKILL.md").is_some());
/// }
/// ```
#[derive(Debug, Default)]
pub struct Dirs(std::sync::Mutex<BTreeMap<Key, &'static Dir<'static>>>);

/// The address and text of the skill's name. The address distinguishes skills of the same name in two bundles.
type Key = (usize, &'static str);

impl Dirs {
    /// Makes an empty store of views.
    pub const fn new() -> Self {
        Self(std::sync::Mutex::new(BTreeMap::new()))
    }

    /// Returns the files of a skill; their paths are those below the skill.
    pub fn skill_dir(&self, skill: Skill<'static>) -> &'static Dir<'static> {
        let name = skill.name();
        let key = (name.as_ptr().addr(), name);
        let mut views = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        views.entry(key).or_insert_with(|| Box::leak(Box::new(view(skill))))
    }
}

/// Builds the tree of a skill; it lives as long as the program.
fn view(skill: Skill<'static>) -> Dir<'static> {
    let files: Vec<(&'static str, &'static [u8])> =
        skill.files().map(|file| (file.path(), file.bytes())).collect();
    Dir::new("", level("", &files))
}

/// Returns the entries of a directory; `files` are all files below it, sorted by path.
fn level(dir: &'static str, files: &[(&'static str, &'static [u8])]) -> &'static [DirEntry<'static>] {
    let mut below: BTreeMap<&'static str, Vec<(&'static str, &'static [u8])>> = BTreeMap::new();
    let mut entries = Vec::new();
    for (path, bytes) in files {
        let start = if dir.is_empty() { 0 } else { dir.len() + 1 };
        match path.get(start..).and_then(|rest| rest.find('/')).and_then(|at| path.get(..start + at)) {
            Some(child) => below.entry(child).or_default().push((path, bytes)),
            None => entries.push(DirEntry::File(File::new(path, bytes))),
        }
    }
    entries.extend(below.iter().map(|(child, files)| DirEntry::Dir(Dir::new(child, level(child, files)))));
    entries.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_registry::{CompiledFile, CompiledSkill, Facts, Layout, Registry, write};

    #[test]
    fn a_skill_is_a_tree_of_files() {
        let file = |path| CompiledFile { path, bytes: path.as_bytes(), executable: false, sha256: [0; 32] };
        let files = [("SKILL.md", 1), ("a/b/c.md", 2), ("a/d.md", 3), ("e.md", 4)]
            .map(|(path, digest)| CompiledFile { sha256: [digest; 32], ..file(path) });
        let facts = Facts { name: "tree".to_owned(), ..Facts::default() };
        let skill = CompiledSkill { files: files.to_vec(), ..facts.into() };
        let tables = write(&[skill], Layout::Joined, 8_000).unwrap().into_tables();
        let registry: &'static Registry = Box::leak(Box::new(Registry::new(tables)));
        let dirs = Dirs::new();
        let dir = dirs.skill_dir(registry.get("tree").unwrap());
        for (path, _) in [("SKILL.md", 1), ("a/b/c.md", 2), ("a/d.md", 3), ("e.md", 4)] {
            assert_eq!(dir.get_file(path).unwrap().contents(), path.as_bytes());
        }
        assert_eq!(dir.get_dir("a/b").unwrap().files().count(), 1);
        assert!(dir.get_file("b/c.md").is_none());
        assert!(std::ptr::eq(dir, dirs.skill_dir(registry.get("tree").unwrap())), "made once");
    }
}
