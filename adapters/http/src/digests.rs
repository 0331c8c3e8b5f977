//! The archives of skills and their digests (SPEC 11.21).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use skills_registry::Skill;
use skills_call::Published;

use crate::archive::{Entry, zip};

/// The text of a skill, which others read as it is published.
pub(crate) const FILE: &str = "SKILL.md";

/// The digests of archives, by the digest of what is in them: an archive is made again only for who wants its bytes.
#[derive(Debug, Default)]
pub(crate) struct Digests(Mutex<BTreeMap<[u8; 32], [u8; 32]>>);

/// How many are kept. Skills on disk that change leave the digests of what they were.
const KEPT: usize = 10_000;

impl Digests {
    /// Returns the digest of the archive of a skill.
    pub(crate) fn of(&self, skill: Skill<'_>, published: &Published<'_>) -> Option<[u8; 32]> {
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

/// Packs the files of a skill; nothing where they are too large for an archive.
pub(crate) fn packed(skill: Skill<'_>, published: &Published<'_>) -> Option<Vec<u8>> {
    zip(skill.files().map(|file| Entry {
        path: file.path(),
        bytes: if file.path() == FILE { published.bytes() } else { file.bytes() },
        executable: file.is_executable() && file.path() != FILE,
    }))
}
