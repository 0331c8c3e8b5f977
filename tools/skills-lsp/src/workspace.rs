//! The open documents, and the directories that contain them; an opened file adds its directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use skills_core::read::{Overlaid, Overlay, PROJECT_SKILLS, may_execute};
use skills_core::span::Span;

use crate::client::ClientOptions;
use crate::definition::{Named, references};
use crate::index::IndexedSkill;
use crate::root::Root;

/// The documents and the directories.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) over: Overlay,
    pub(crate) roots: BTreeMap<PathBuf, Root>,
    /// The folders of the client. Directories of skills may be created in them later.
    folders: Vec<PathBuf>,
    /// The URIs of the client for open documents, by their real paths.
    uris: BTreeMap<PathBuf, Uri>,
    /// The versions of open documents, by the URIs of the client.
    pub(crate) versions: BTreeMap<Uri, i32>,
    /// Whether there are results that were not published.
    pub(crate) changed: bool,
    pub(crate) client: ClientOptions,
}

/// The directory of projects in a folder.
const PROJECTS: &str = "projects";

impl Workspace {
    /// Adds the common directories of skills and projects in a folder.
    pub(crate) fn add_folder(&mut self, folder: &Path) {
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.to_owned());
        }
        for below in ["skills", PROJECTS].into_iter().chain(PROJECT_SKILLS) {
            let Ok(path) = folder.join(below).canonicalize() else { continue };
            if path.is_dir() && (below != PROJECTS || skills_core::projects::are_in(&path)) {
                self.add(path, below == PROJECTS);
            }
        }
    }

    /// Removes the directories of a folder, except directories of open documents.
    pub(crate) fn remove_folder(&mut self, folder: &Path) {
        self.folders.retain(|known| known != folder);
        let (folder, uris) = (real(folder), &self.uris);
        self.roots
            .retain(|path, _| !path.starts_with(&folder) || uris.keys().any(|open| open.starts_with(path)));
    }

    fn add(&mut self, path: PathBuf, is_projects: bool) {
        let over = &self.over;
        self.changed = true;
        let root = self.roots.entry(path.clone()).or_insert_with(|| Root::new(path, is_projects, over));
        (root.encoding, root.rules) = (self.client.encoding, self.client.rules.clone());
        let open = self.uris.iter().filter(|(path, _)| path.starts_with(&root.path));
        root.uris = open.map(|(path, uri)| (path.clone(), uri.clone())).collect();
    }

    /// Puts the text of an open document into the overlay.
    pub(crate) fn set_text(&mut self, uri: &Uri, path: &Path, text: String, version: i32) {
        let real = real(path);
        self.versions.insert(uri.clone(), version);
        self.uris.insert(real.clone(), uri.clone());
        let executable = matches!(self.over.get(&real), Some(Some(file)) if file.executable)
            || real.metadata().is_ok_and(|found| may_execute(&found).unwrap_or(false));
        self.over.insert(real.clone(), Overlaid { bytes: text.into_bytes(), executable });
        if is_config(&real) {
            self.roots.values_mut().for_each(|root| root.configure(&self.over));
        }
        if self.root_of(&real).is_none()
            && let Some((root, is_projects)) = guess(&real, self.folder_of(&real).as_deref())
        {
            self.add(root, is_projects);
        }
        for (_, root) in self.roots.iter_mut().filter(|(path, _)| real.starts_with(path)) {
            root.touch_text(&real);
            root.uris.insert(real.clone(), uri.clone());
        }
    }

    /// Returns the real path of the innermost folder of the client that a path lies in.
    fn folder_of(&self, path: &Path) -> Option<PathBuf> {
        let folders =
            self.folders.iter().map(|folder| real(folder)).filter(|folder| path.starts_with(folder));
        folders.max_by_key(|folder| folder.as_os_str().len())
    }

    /// Removes the text of a document from the overlay, so that the disk is used again.
    pub(crate) fn close(&mut self, uri: &Uri, path: &Path) {
        let real = real(path);
        self.over.clear(&real);
        self.uris.remove(&real);
        self.versions.remove(uri);
        for root in self.roots.values_mut() {
            root.uris.remove(&real);
        }
        self.update(&real);
    }

    /// Checks everything that has changed; returns `true` if there was a change.
    pub(crate) fn refresh(&mut self) -> bool {
        let gone: Vec<PathBuf> = self.roots.keys().filter(|path| !self.is_there(path)).cloned().collect();
        let mut has_changed = std::mem::take(&mut self.changed) || !gone.is_empty();
        gone.iter().for_each(|path| drop(self.roots.remove(path)));
        for root in self.roots.values_mut() {
            has_changed |= root.refresh(&self.over);
        }
        has_changed
    }

    /// Returns `true` if a directory exists on disk, or contains an open document.
    fn is_there(&self, root: &Path) -> bool {
        root.is_dir() || self.uris.keys().any(|open| open.starts_with(root))
    }

    /// Records a change on disk for the directory that contains a path.
    pub(crate) fn update(&mut self, path: &Path) {
        for (root, state) in &mut self.roots {
            if is_config(path) || state.has_commands(path) {
                state.configure(&self.over);
            } else if path.starts_with(root) || root.starts_with(path) {
                state.touch();
            }
        }
        // There may be a new directory of skills.
        for folder in self.folders.clone() {
            if self.root_of(path).is_none() && path.starts_with(real(&folder)) {
                self.add_folder(&folder);
            }
        }
    }

    /// Groups the edits of a document, with the client's version if it is open.
    pub(crate) fn document(&self, uri: Uri, edits: Vec<TextEdit>) -> DocumentChangeOperation {
        let version = self.versions.get(&uri).copied();
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits })
    }

    /// Returns the innermost directory that contains a path.
    pub(crate) fn root_of(&self, path: &Path) -> Option<&Root> {
        self.roots
            .values()
            .filter(|root| path.starts_with(&root.path))
            .max_by_key(|root| root.path.as_os_str().len())
    }

    /// Returns the names of all skills, each with its description.
    pub(crate) fn skills(&self) -> Vec<(String, String)> {
        let skills = self.roots.values().flat_map(|root| root.skills());
        let mut named: Vec<(String, String)> =
            skills.map(|skill| (skill.name.clone(), skill.description.clone())).collect();
        named.sort();
        named.dedup_by(|a, b| a.0 == b.0);
        named
    }

    /// Finds a skill by its name, with its directory.
    pub(crate) fn find(&self, name: &str) -> Option<(&Root, &IndexedSkill)> {
        self.roots.values().find_map(|root| Some((root, root.find(name)?)))
    }

    /// Returns all places that name the same skill, step or input property, including places in projects for a
    /// skill.
    pub(crate) fn places<'w>(&'w self, root: &'w Root, named: &Named<'_>) -> Vec<(&'w Root, Span)> {
        let mut places: Vec<_> = references(root, named).into_iter().map(|span| (root, span)).collect();
        if let Named::Skill(skill) = named {
            for other in self.roots.values().filter(|other| other.session().is_none()) {
                let uses = other.uses().iter().filter(|found| found.name == skill.name);
                places.extend(uses.map(|found| (other, found.span)));
            }
        }
        places
    }

    /// Returns the text of a document: from the editor, or else from the disk.
    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        match self.over.get(path) {
            Some(file) => String::from_utf8(file?.bytes.clone()).ok(),
            None => skills_core::read::read_text(path, skills_core::read::MAX_PROJECT_FILE).ok(),
        }
    }
}

/// Returns the real path of a file, which may not exist yet.
pub(crate) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let above = path.parent().and_then(|above| above.canonicalize().ok());
        above.and_then(|above| Some(above.join(path.file_name()?))).unwrap_or_else(|| path.to_owned())
    })
}

/// Creates an edit of several documents, which a client applies in order.
pub(crate) fn workspace_edit(operations: Vec<DocumentChangeOperation>) -> WorkspaceEdit {
    let changes = Some(DocumentChanges::Operations(operations));
    WorkspaceEdit { document_changes: changes, ..WorkspaceEdit::default() }
}

fn is_config(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == skills_core::read::SETTINGS_FILE)
}

/// Guesses the directory of skills, or of projects, to which a file belongs. Directories above the folder that the
/// client has opened are not considered. If the opened folder is a skill itself, it is checked alone. If a skill is
/// opened without a folder, it is also checked alone, unless it lies below a directory named `skills`.
fn guess(path: &Path, folder: Option<&Path>) -> Option<(PathBuf, bool)> {
    if path.file_name()? == "ROLE.md" {
        let projects = path.parent()?.parent()?;
        let is_projects = is_within(projects, folder) || (folder.is_none() && projects.ends_with("projects"));
        return is_projects.then(|| (projects.to_owned(), true));
    }
    let above = path.ancestors().skip(1).take_while(|dir| folder.is_none() || is_within(dir, folder));
    let skills = above.filter(|dir| {
        ["SKILL.md", "skill.json"].iter().any(|name| dir.join(name).is_file()) || is_entry(path, dir)
    });
    // The root of the file system cannot be a skill: all files of the machine would belong to it.
    let skill = skills.filter(|dir| dir.parent().is_some()).last()?;
    // Folders between the skill and `skills` are categories.
    let named = skill.ancestors().skip(1).find(|dir| dir.ends_with("skills"));
    let parent = skill.parent().filter(|parent| is_within(parent, folder));
    let root = named.filter(|named| folder.is_none() || is_within(named, folder)).or(parent).unwrap_or(skill);
    Some((root.to_owned(), false))
}

/// Returns `true` if a directory lies in the folder that the client has opened.
fn is_within(directory: &Path, folder: Option<&Path>) -> bool {
    folder.is_some_and(|folder| directory.starts_with(folder))
}

/// Returns `true` if a path is a file that makes its directory a skill, saved or not.
fn is_entry(path: &Path, dir: &Path) -> bool {
    path.parent() == Some(dir)
        && path.file_name().is_some_and(|name| name == "SKILL.md" || name == "skill.json")
}
