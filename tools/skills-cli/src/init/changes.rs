//! The changes that `init` makes: new files and edits of existing files. All are shown before the first one
//! is written.

use std::fs;
use std::path::{Path, PathBuf};

use skills_commands::failure::CommandError;
use skills_core::load;
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, Overlaid, Overlay, ReadOptions};
use skills_files::Root;
use skills_report::fix;

/// The largest file that is edited, in bytes.
const LARGEST: u64 = 10 << 20;

/// Changed and new files on top of the files of a directory.
pub(super) struct SetupChanges {
    root: PathBuf,
    over: Overlay,
    notes: Vec<String>,
}

impl SetupChanges {
    /// Starts without changes.
    pub(super) fn new(dir: &Path) -> Result<Self, CommandError> {
        // A directory that does not exist is created when the changes are written.
        let root = match dir.canonicalize() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => std::path::absolute(dir),
            found => found,
        };
        let root = root.map_err(|error| CommandError::unreadable(dir, error))?;
        if root.exists() && !root.is_dir() {
            return Err(format!("{} is not a directory", dir.display()).into());
        }
        Ok(Self { root, over: Overlay::default(), notes: Vec::new() })
    }

    /// Returns the name of the directory. New things are named after it.
    pub(super) fn name(&self) -> String {
        self.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Returns `true` if a path exists.
    pub(super) fn is_there(&self, path: &str) -> bool {
        fs::symlink_metadata(self.root.join(path)).is_ok()
    }

    /// Returns a file with the changes applied, or `None` if the file does not exist.
    pub(super) fn read(&self, path: &str) -> Result<Option<String>, CommandError> {
        let at = self.root.join(path);
        if let Some(file) = self.over.get(&at) {
            return Ok(file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()));
        }
        match Root::open(&self.root).and_then(|root| root.read(Path::new(path), LARGEST)) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(error) => Err(CommandError::unreadable(path.as_ref(), error)),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CommandError::unreadable(path.as_ref(), error)),
        }
    }

    /// Adds a file. An existing file stays unchanged.
    pub(super) fn create(&mut self, path: &str, text: impl Into<String>) {
        if !self.is_there(path) {
            self.replace(path, text.into());
        }
    }

    /// Adds a part to a file unless a marker shows that the file already has it. Edits an existing file, or
    /// creates a new one. Tells the user to make the change if the file cannot be edited.
    pub(super) fn edit(
        &mut self,
        path: &str,
        sign: &str,
        fresh: String,
        edit: fn(&str) -> Option<String>,
        by_hand: &str,
    ) -> Result<(), CommandError> {
        let edited = match self.read(path)? {
            None => Some(fresh),
            Some(text) if text.contains(sign) => return Ok(()),
            Some(text) => edit(&text),
        };
        match edited {
            Some(text) => self.replace(path, text),
            None => self.add_note(format!("{path} was not edited: {by_hand}")),
        }
        Ok(())
    }

    /// Replaces the text of an existing file with an edited version.
    pub(super) fn replace(&mut self, path: &str, text: String) {
        self.over.insert(self.root.join(path), Overlaid { bytes: text.into_bytes(), executable: false });
    }

    /// Records a step that the user must do by hand.
    pub(super) fn add_note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Returns the steps that the user must do by hand.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns `true` if nothing would be written.
    pub(super) fn is_empty(&self) -> bool {
        self.over.is_empty()
    }

    /// Returns `true` if there are skills: in `skills` for a package, anywhere for a repository.
    pub(super) fn holds_skills(&self, is_package: bool) -> bool {
        let scope = if is_package { DirectoryKind::Bundle } else { DirectoryKind::Repository };
        let read = ReadOptions { contents: false, scope, ..ReadOptions::default() };
        let place = if is_package { self.root.join("skills") } else { self.root.clone() };
        let loaded = load(&place, "skills", &Options { read, ..Options::default() });
        !loaded.catalog.skills().is_empty() || (is_package && fs::symlink_metadata(place).is_ok())
    }

    /// Returns the changes as a diff that `git apply` accepts.
    pub(super) fn diff(&self, label: &Path) -> Vec<u8> {
        fix::diff(&self.root, label, &self.over, &[])
    }

    /// Writes the changes, each file by a rename.
    pub(super) fn write(&self) -> Result<(), CommandError> {
        fs::create_dir_all(&self.root).map_err(|error| CommandError::unwritable(&self.root, error))?;
        fix::write(&self.root, &self.over, &[], &fix::Found::new()).map_err(CommandError::new)
    }
}
