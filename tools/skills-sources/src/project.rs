//! The directory of the project, with its lock file and its locked skills.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use skills_files::Root;

use crate::installed::InstalledPackage;
use crate::{LOCK_FILE, Lock, SourceError, Tree, journal};

/// The largest lock file that is read, in bytes.
pub(crate) const LOCK_BYTES: u64 = 64 << 20;

/// The directory of a project, which holds `skills.lock`. Nothing outside of it is written.
#[derive(Debug)]
pub struct Project {
    pub(crate) root: Root,
    /// The crates of the Cargo workspace, listed on first use.
    pub(crate) crates: OnceLock<Vec<InstalledPackage>>,
}

/// The locked skills of a project and their files, all read at the same time.
#[derive(Debug)]
pub struct ProjectState {
    /// The lock file.
    pub lock: Lock,
    /// The files of the locked skills.
    pub tree: Tree,
}

impl Project {
    /// Opens a directory.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let root = Root::open(path).map_err(SourceError::io(path.display().to_string()))?;
        Ok(Self { root, crates: OnceLock::new() })
    }

    /// Returns the real path of the directory.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Reads the lock file; a missing one is empty.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn lock(&self) -> Result<Lock, SourceError> {
        Ok(self.read(LOCK_FILE)?.unwrap_or_default())
    }

    /// Reads the lock file with a name, if it exists.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Lock>, SourceError> {
        match self.root.dir().read(name.as_ref(), LOCK_BYTES) {
            Ok(bytes) => {
                let text =
                    String::from_utf8(bytes).map_err(|_| SourceError::Lock("it is not UTF-8".to_owned()))?;
                Lock::parse(&text).map(Some)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(SourceError::Io(name.to_owned(), error)),
        }
    }

    /// Reads the lock file and the folders of the locked skills, and one more folder.
    ///
    /// # Errors
    /// As [`lock`](Self::lock).
    pub fn state(&self, folder: Option<&str>) -> Result<ProjectState, SourceError> {
        let lock = self.lock()?;
        let folders: BTreeSet<&str> = lock.skills().map(|locked| locked.folder()).chain(folder).collect();
        let tree = Tree::read(self, &folders);
        Ok(ProjectState { lock, tree })
    }

    /// Returns the directories of the skills that the next change writes to complete an interrupted one.
    ///
    /// # Errors
    /// Returns an error if the record of that change is damaged.
    pub fn interrupted(&self) -> Result<Vec<PathBuf>, SourceError> {
        let next = self.read(journal::JOURNAL)?.unwrap_or_default();
        Ok(next.skills().map(|locked| self.path().join(&locked.directory)).collect())
    }

    /// Returns `true` if a process was killed while it changed the skills, so that the next change or `sync`
    /// completes that change.
    pub fn is_interrupted(&self) -> bool {
        self.path().join(journal::JOURNAL).symlink_metadata().is_ok()
    }
}
