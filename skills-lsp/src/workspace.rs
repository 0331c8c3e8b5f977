//! What the editor has open, and the directories it belongs to: an opened file brings its directory in (SPEC 17.10).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skills_core::read::{Overlaid, Overlay};

use crate::root::Root;

/// The documents and the directories.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) over: Overlay,
    pub(crate) roots: BTreeMap<PathBuf, Root>,
}

impl Workspace {
    /// Takes in the directories of skills and projects that a folder usually has.
    pub(crate) fn add_folder(&mut self, folder: &Path) {
        for below in ["skills", ".claude/skills", ".agents/skills", "projects"] {
            let Ok(path) = folder.join(below).canonicalize() else { continue };
            if path.is_dir() && (below != "projects" || skills_core::projects::are_in(&path)) {
                self.add(path, below == "projects");
            }
        }
    }

    fn add(&mut self, path: PathBuf, is_projects: bool) {
        let over = &self.over;
        self.roots.entry(path.clone()).or_insert_with(|| Root::new(path, is_projects, over));
    }

    /// Puts the text of an open document over the disk.
    pub(crate) fn put(&mut self, path: &Path, text: String) {
        let real = real(path);
        let executable =
            matches!(self.over.get(&real), Some(Some(file)) if file.executable) || is_executable(&real);
        self.over.put(real.clone(), Overlaid { bytes: text.into_bytes(), executable });
        if self.root_of(&real).is_none()
            && let Some((root, is_projects)) = guess(&real)
        {
            self.add(root, is_projects);
        }
        for (_, root) in self.roots.iter_mut().filter(|(path, _)| real.starts_with(path)) {
            root.edit(&real, &self.over);
        }
    }

    /// Shows the disk again in the place of a document.
    pub(crate) fn close(&mut self, path: &Path) {
        let real = real(path);
        self.over.clear(&real);
        self.update(&real);
    }

    /// Judges again what a path belongs to.
    pub(crate) fn update(&mut self, path: &Path) {
        let is_config = path.file_name().is_some_and(|name| name == skills_core::config::NAME);
        for (root, state) in &mut self.roots {
            if is_config {
                state.configure();
            }
            if is_config || path.starts_with(root) {
                state.update(&self.over);
            }
        }
    }

    /// Returns the innermost directory that a path lies in.
    pub(crate) fn root_of(&self, path: &Path) -> Option<&Root> {
        self.roots
            .values()
            .filter(|root| path.starts_with(&root.path))
            .max_by_key(|root| root.path.as_os_str().len())
    }

    /// Returns the text of a document: the editor's, else the disk's.
    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        match self.over.get(path) {
            Some(file) => String::from_utf8(file?.bytes.clone()).ok(),
            None => std::fs::read_to_string(path).ok(),
        }
    }
}

/// Returns the real path of a file, which may not be there yet.
pub(crate) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let above = path.parent().and_then(|above| above.canonicalize().ok());
        above.and_then(|above| Some(above.join(path.file_name()?))).unwrap_or_else(|| path.to_owned())
    })
}

/// Guesses the directory of skills, or of projects, that a file belongs to.
fn guess(path: &Path) -> Option<(PathBuf, bool)> {
    if path.file_name()? == "ROLE.md" {
        return Some((path.parent()?.parent()?.to_owned(), true));
    }
    let is_skill = |dir: &&Path| {
        ["SKILL.md", "skill.json"].iter().any(|name| dir.join(name).is_file()) || is_entry(path, dir)
    };
    let skill = path.ancestors().skip(1).filter(is_skill).last()?;
    let above = skill.parent()?;
    // Folders between the skill and `skills` are categories.
    let named = above.ancestors().find(|dir| dir.file_name().is_some_and(|name| name == "skills"));
    Some((named.unwrap_or(above).to_owned(), false))
}

/// Tells whether a path is what makes its directory a skill, saved or not.
fn is_entry(path: &Path, dir: &Path) -> bool {
    path.parent() == Some(dir)
        && path.file_name().is_some_and(|name| name == "SKILL.md" || name == "skill.json")
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    let mode = |found: std::fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&found.permissions());
    std::fs::metadata(path).is_ok_and(|found| mode(found) & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}
