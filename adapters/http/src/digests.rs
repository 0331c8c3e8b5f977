//! The archives of skills and their digests.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use skills_call::Published;
use skills_registry::Skill;

use crate::archive::{ZipEntry, zip};

/// The file name of a skill's text, which is sent in its published form.
pub(crate) const FILE: &str = "SKILL.md";

/// The digests of archives, by the digest of their contents. An archive is only created again when it is
/// downloaded.
#[derive(Debug, Default)]
pub(crate) struct Digests(Mutex<BTreeMap<[u8; 32], [u8; 32]>>);

/// The maximum number of entries. Skills on disk that change leave old entries.
const KEPT: usize = 10_000;

impl Digests {
    /// Returns the digest of the archive of a skill.
    pub(crate) fn compute(&self, skill: Skill<'_>, published: &Published<'_>) -> Option<[u8; 32]> {
        let mut hash = hmac_sha256::Hash::new();
        for file in skill.files() {
            let sha256 = if file.path() == FILE { published.sha256() } else { *file.sha256() };
            hash.update(file.path().as_bytes());
            hash.update([0, u8::from(file.is_executable())]);
            hash.update(sha256);
        }
        let key = hash.finalize();
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(*known);
        }
        let digest = hmac_sha256::Hash::hash(&packed(skill, published)?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, digest);
        Some(digest)
    }
}

/// Packs the files of a skill. Returns `None` if they are too large for an archive.
pub(crate) fn packed(skill: Skill<'_>, published: &Published<'_>) -> Option<Vec<u8>> {
    zip(skill.files().map(|file| ZipEntry {
        path: file.path(),
        bytes: if file.path() == FILE { published.bytes() } else { file.bytes() },
        executable: file.is_executable() && file.path() != FILE,
    }))
}
