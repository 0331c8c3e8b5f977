//! The digests of the files of one skill. The lock file stores them, and the tree is compared with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skills_core::lower::sha256;
use skills_sign::{Contents, Difference, Digest, unhex};
use skills_text::hex;

/// The state of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileState {
    /// The SHA-256 of its bytes.
    pub digest: Digest,
    /// Whether it may be executed, by its mode or because it begins with `#!`.
    pub executable: bool,
}

/// The largest file of a locked skill, and the largest locked skill, that is read, in bytes.
pub(crate) const MAX_FILE: u64 = 256 << 20;

const EXECUTABLE: &str = " executable";

impl FileState {
    /// The digest of a file that is larger than [`MAX_FILE`], which is not read.
    pub(crate) const TOO_LARGE: Digest = [0xff; 32];

    /// Computes the state of a file.
    pub fn new(bytes: &[u8], executable: bool) -> Self {
        Self { digest: sha256(bytes), executable }
    }
}

/// Returns the text that the lock file stores.
impl From<FileState> for String {
    fn from(state: FileState) -> Self {
        hex(&state.digest) + if state.executable { EXECUTABLE } else { "" }
    }
}

/// Parses the text of the lock file.
impl TryFrom<String> for FileState {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digest = text.strip_suffix(EXECUTABLE);
        let executable = digest.is_some();
        let digest = unhex(digest.unwrap_or(&text)).ok_or("invalid digest of a file")?;
        Ok(Self { digest, executable })
    }
}

/// The files of a skill by their paths below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Files(pub(crate) BTreeMap<String, FileState>);

impl Files {
    /// Returns the files, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &FileState)> {
        self.0.iter().map(|(path, state)| (path.as_str(), state))
    }

    /// Returns the state of a file.
    pub fn get(&self, path: &str) -> Option<&FileState> {
        self.0.get(path)
    }

    /// Compares the files that were found with these, which are expected.
    pub(crate) fn compare(&self, found: &Self) -> Changes {
        let contents = |files: &Self| {
            Contents::from_files(files.iter().map(|(path, state)| (path.to_owned(), state.digest)))
        };
        let mut difference = Difference::between(&contents(self), &contents(found));
        let turned = self.iter().filter(|(path, state)| {
            found
                .get(path)
                .is_some_and(|other| other.executable != state.executable && other.digest == state.digest)
        });
        difference.changed.extend(turned.map(|(path, _)| format!("{path} (executable bit)")));
        Changes(difference)
    }
}

/// The differences between the files of the lock and the files of the tree.
#[derive(Debug)]
pub(crate) struct Changes(pub(crate) Difference);

impl Changes {
    /// Returns `true` if the files are the same.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if files are missing and all others are equal.
    pub(crate) fn is_only_missing(&self) -> bool {
        let mut others = self.0.clone();
        others.removed.clear();
        others.is_empty()
    }
}
