//! Decides the trust of each skill in a directory, when it is read.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_registry::Skill;
use skills_sign::{Difference, PublicKey, SIGNATURE_FILE, Signed, verify};

use super::file::Entry;
use super::followed::FollowedDirectory;
use super::store::{TrustStatus, TrustStore};
use super::{Place, Trust, TrustReason};
use crate::remote_skill::RemoteSkill;

/// Returns `true` if a skill of a workspace is trusted.
pub(crate) type Predicate = Arc<dyn Fn(&Place<'_>) -> bool + Send + Sync>;

/// The trust of a skill, and the data on which it is based.
#[derive(Clone, Debug)]
pub(crate) struct TrustDecision {
    pub(crate) trust: Trust,
    /// The trusted directory, for a skill that the user trusted.
    pub(super) entry: Option<Arc<Entry>>,
    /// The directory whose edits are followed, for a skill that the user writes.
    followed: Option<Arc<FollowedDirectory>>,
    /// The directory that must be signed, and the key.
    pub(super) signed: Option<Arc<(PathBuf, PublicKey)>>,
    /// The reason if it is not trusted.
    pub(crate) why: TrustReason,
}

impl TrustDecision {
    pub(crate) fn new(trust: Trust) -> Self {
        Self { trust, entry: None, followed: None, signed: None, why: TrustReason::Undecided }
    }

    /// Creates the decision for an untrusted skill.
    pub(crate) fn refused(why: TrustReason) -> Self {
        Self { why, ..Self::new(Trust::Untrusted) }
    }

    /// Checks again that the directory of a skill that the user writes is the recorded one. Its program runs where it is,
    /// so this is called right before.
    pub(crate) fn check_followed(&self) -> Result<(), TrustReason> {
        let Some(followed) = &self.followed else { return Ok(()) };
        followed.check().map_err(|fault| TrustReason::Changed(followed.lost(&fault)))
    }
}

/// A trusted directory that has changed since.
#[derive(Clone, Debug)]
pub(crate) struct ChangedDirectory {
    /// How it has changed.
    pub(crate) why: String,
    /// The directories of its skills when they were trusted.
    skills: Vec<PathBuf>,
}

impl ChangedDirectory {
    pub(crate) fn find(&self, name: &str) -> Option<&PathBuf> {
        self.skills.iter().find(|skill| skill.file_name().is_some_and(|found| found == name))
    }
}

/// Decides the trust of the skills of one load. Each trusted directory is checked once.
pub(crate) struct TrustChecker<'p> {
    predicate: Option<&'p Predicate>,
    store: TrustStore,
    /// The real paths of directories that belong to the user or were named.
    own: Vec<(PathBuf, Trust)>,
    seen: HashMap<PathBuf, Option<String>>,
    /// Why the edits of each followed directory are not followed any more, or `None`.
    seen_followed: HashMap<PathBuf, Option<String>>,
    /// The verified signature of each directory.
    signatures: HashMap<PathBuf, Result<Signed, String>>,
}

impl<'p> TrustChecker<'p> {
    pub(crate) fn new(
        predicate: Option<&'p Predicate>,
        store: TrustStore,
        own: Vec<(PathBuf, Trust)>,
    ) -> Self {
        Self {
            predicate,
            store,
            own,
            seen: HashMap::new(),
            seen_followed: HashMap::new(),
            signatures: HashMap::new(),
        }
    }

    /// Decides the trust of a workspace's skill, which is given by the root and its directory below the root. `source` is
    /// the project that it comes from, if `skills.lock` names one.
    pub(crate) fn decide(
        &mut self,
        root: &Path,
        name: &str,
        below: &str,
        source: Option<&str>,
    ) -> TrustDecision {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        if let Some((_, trust)) = self.own.iter().find(|(own, _)| real.starts_with(own)) {
            return TrustDecision::new(*trust);
        }
        let directory = if below.is_empty() { real.clone() } else { real.join(below) };
        if let Some(predicate) = self.predicate {
            let is_trusted = predicate(&Place { name, root: &real, directory: &directory });
            return TrustDecision::new(if is_trusted { Trust::Approved } else { Trust::Untrusted });
        }
        let mut why = TrustReason::Undecided;
        for entry in self.store.around(&directory) {
            let standing = self.seen.entry(entry.path().to_owned()).or_insert_with(|| match entry.status() {
                TrustStatus::Same => None,
                other => Some(other.to_string()),
            });
            match standing {
                None => {
                    return TrustDecision {
                        entry: Some(Arc::clone(entry)),
                        ..TrustDecision::new(Trust::Approved)
                    };
                }
                Some(difference) => why = TrustReason::Changed(difference.clone()),
            }
        }
        match self.decide_followed(&directory, source) {
            Some(Ok(decision)) => decision,
            Some(Err(lost)) if why == TrustReason::Undecided => TrustDecision::refused(lost),
            _ => TrustDecision::refused(why),
        }
    }

    /// Decides the trust of a skill in a directory whose edits are followed. Returns `None` if it is in none.
    fn decide_followed(
        &mut self,
        directory: &Path,
        source: Option<&str>,
    ) -> Option<Result<TrustDecision, TrustReason>> {
        let mut lost = None;
        for followed in self.store.followed_around(directory) {
            // The user has written neither the skills of other projects nor another repository.
            if let Some(source) = source {
                lost = Some(TrustReason::Added { source: source.to_owned() });
                continue;
            }
            let mut below = directory.ancestors().take_while(|above| *above != followed.path());
            if let Some(repository) = below.find(|at| is_repository(at)) {
                lost = Some(TrustReason::Added { source: repository.to_string_lossy().into_owned() });
                continue;
            }
            let standing = self.seen_followed.entry(followed.path().to_owned());
            match standing.or_insert_with(|| followed.check().err().map(|fault| followed.lost(&fault))) {
                None => {
                    let followed = Some(Arc::clone(followed));
                    return Some(Ok(TrustDecision { followed, ..TrustDecision::new(Trust::Followed) }));
                }
                Some(reason) => lost = Some(TrustReason::Changed(reason.clone())),
            }
        }
        lost.map(Err)
    }

    /// Decides the trust of a skill of a server: the user must have approved exactly its files.
    pub(crate) fn remote(&self, server: &str, skill: &RemoteSkill) -> TrustDecision {
        let found = skill.contents();
        let changed = match self.store.approved(server, &skill.uri) {
            Some(approved) if *approved == found => return TrustDecision::new(Trust::Approved),
            Some(approved) => Some(Difference::between(approved, &found).to_string()),
            None => None,
        };
        TrustDecision::refused(TrustReason::Unapproved { server: server.to_owned(), changed })
    }

    /// Returns the trusted directory with the path of a workspace's root, if it has changed. Compares the path and not the
    /// real directory, because a link may have replaced the directory.
    pub(crate) fn lost(&self, root: &Path) -> Option<ChangedDirectory> {
        if self.predicate.is_some() {
            return None;
        }
        let places: Vec<PathBuf> = root
            .ancestors()
            .filter_map(|above| Some(fs::canonicalize(above).ok()?.join(root.strip_prefix(above).ok()?)))
            .collect();
        self.store
            .entries()
            .filter(|entry| {
                places.iter().any(|place| place.starts_with(entry.path()) || entry.path().starts_with(place))
            })
            .find_map(|entry| {
                let is_below = !places.iter().any(|place| place.starts_with(entry.path()));
                match entry.status() {
                    TrustStatus::Same => None,
                    // The user may have removed a skill that was trusted by itself.
                    TrustStatus::Changed(_) | TrustStatus::Unknown(_) if is_below => None,
                    changed => {
                        // A directory that had no trusted skills has lost none.
                        let skills: Vec<PathBuf> = entry
                            .skills()
                            .filter(|skill| places.iter().any(|place| skill.starts_with(place)))
                            .collect();
                        let is_lost = !skills.is_empty();
                        is_lost.then(|| ChangedDirectory { why: changed.to_string(), skills })
                    }
                }
            })
    }

    /// Requires a signature of a skill on disk, or of its directory of skills. A skill without one is not trusted.
    pub(crate) fn signed(
        &mut self,
        decision: TrustDecision,
        root: &Path,
        skill: Skill<'_>,
        key: &PublicKey,
    ) -> TrustDecision {
        let own = if skill.dir().is_empty() { root.to_owned() } else { root.join(skill.dir()) };
        let is_own = own.join(SIGNATURE_FILE).symlink_metadata().is_ok();
        let is_root = !is_own && root.join(SIGNATURE_FILE).symlink_metadata().is_ok();
        let of = if is_root { root.to_owned() } else { own };
        let verified = self.signatures.entry(of.clone());
        let verified = verified.or_insert_with(|| verify(&of, key).map_err(|refused| refused.to_string()));
        match verified {
            Err(refused) => refuse_unsigned(refused.clone()),
            Ok(signed) => {
                // The signature must cover all files that were read, and they must be unchanged.
                let mut files = skill
                    .files()
                    .filter(|file| !(file.path() == SIGNATURE_FILE && (is_own || skill.dir().is_empty())));
                let prefix = match skill.dir() {
                    dir if is_root && !dir.is_empty() => format!("{dir}/"),
                    _ => String::new(),
                };
                match files.find(|file| !signed.covers(&format!("{prefix}{}", file.path()), file.bytes())) {
                    Some(file) => refuse_unsigned(format!("the signature does not cover {}", file.path())),
                    None => TrustDecision { signed: Some(Arc::new((of, key.clone()))), ..decision },
                }
            }
        }
    }
}

fn refuse_unsigned(why: String) -> TrustDecision {
    TrustDecision::refused(TrustReason::Unsigned(why))
}

/// Returns `true` if a directory is the root of a git repository or of a submodule.
fn is_repository(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}
