//! Decides the trust of each skill in a directory, when it is read.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::read::{LOCK_FILE, Origins};
use skills_registry::Skill;
use skills_sign::{Difference, PublicKey, SIGNATURE_FILE, Signed, verify};

use super::file::Entry;
use super::followed::{FollowFault, FollowedDirectory, find_repository, shown};
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
    /// The directory whose edits are followed, for a skill that the user writes, and the real path of the skill in it.
    followed: Option<(Arc<FollowedDirectory>, PathBuf)>,
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

    /// Checks again that a skill that the user writes is in the recorded directory. Its program runs where it is, so this is
    /// called right before.
    pub(crate) fn check_followed(&self) -> Result<(), TrustReason> {
        let Some((followed, skill)) = &self.followed else { return Ok(()) };
        let checked = followed.check().and_then(|()| match fs::canonicalize(skill) {
            Ok(real) if real.starts_with(followed.path()) => Ok(()),
            Ok(real) => Err(FollowFault::Linked(real)),
            Err(error) => Err(FollowFault::Unreadable(skill.clone(), error)),
        });
        checked.map_err(|fault| TrustReason::NotFollowed(followed.lost(&fault)))
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
    /// The lock file of each directory, if it has one, or why it cannot be read.
    locks: HashMap<PathBuf, Option<Result<Origins, String>>>,
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
            locks: HashMap::new(),
            signatures: HashMap::new(),
        }
    }

    /// Decides the trust of a workspace's skill, which is given by the real path of the root and its directory below the root.
    pub(crate) fn decide(&mut self, root: &Path, name: &str, below: &str) -> TrustDecision {
        if let Some((_, trust)) = self.own.iter().find(|(own, _)| root.starts_with(own)) {
            return TrustDecision::new(*trust);
        }
        let directory = if below.is_empty() { root.to_owned() } else { root.join(below) };
        if let Some(predicate) = self.predicate {
            let is_trusted = predicate(&Place { name, root, directory: &directory });
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
        match self.decide_followed(&directory) {
            Some(Ok(decision)) => decision,
            Some(Err(lost)) if why == TrustReason::Undecided => TrustDecision::refused(lost),
            _ => TrustDecision::refused(why),
        }
    }

    /// Decides the trust of a skill in a directory whose edits are followed. Returns `None` if it is in none.
    fn decide_followed(&mut self, directory: &Path) -> Option<Result<TrustDecision, TrustReason>> {
        self.store.followed_around(directory).next()?;
        let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        // The user has written neither the skills of other projects nor another repository.
        if let Some(foreign) = self.find_lock(&real) {
            return Some(Err(foreign));
        }
        let mut lost = None;
        for followed in self.store.followed_around(directory) {
            let standing = self.seen_followed.entry(followed.path().to_owned());
            let standing =
                standing.or_insert_with(|| followed.check().err().map(|fault| followed.lost(&fault)));
            let mut below = real.ancestors().take_while(|above| *above != followed.path());
            lost = Some(if let Some(reason) = standing {
                TrustReason::NotFollowed(reason.clone())
            } else if !real.starts_with(followed.path()) {
                TrustReason::NotFollowed(followed.lost(&FollowFault::Linked(real.clone())))
            } else if self.store.is_excluded(followed, &real) {
                TrustReason::Excluded
            } else if let Some(repository) = below.find(|at| find_repository(at).is_some()) {
                TrustReason::Added { source: shown(repository) }
            } else {
                let followed = Some((Arc::clone(followed), real));
                return Some(Ok(TrustDecision { followed, ..TrustDecision::new(Trust::Followed) }));
            });
        }
        lost.map(Err)
    }

    /// Returns the reason if a lock file above a directory says that its skill comes from another project, or if one cannot
    /// be read and could say so.
    fn find_lock(&mut self, directory: &Path) -> Option<TrustReason> {
        for above in directory.ancestors() {
            match self.locks.entry(above.to_owned()).or_insert_with(|| read_lock(above)) {
                Some(Ok(origins)) => {
                    if let Some(origin) = origins.find(directory) {
                        return Some(TrustReason::Added { source: origin.source.clone() });
                    }
                }
                Some(Err(fault)) => return Some(TrustReason::NotFollowed(fault.clone())),
                None => {}
            }
        }
        None
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

/// Reads the lock file of a directory, if it has one. A file of another user says nothing: in a directory such as `/tmp`,
/// everybody could turn off the skills below it.
fn read_lock(directory: &Path) -> Option<Result<Origins, String>> {
    let path = directory.join(LOCK_FILE);
    let metadata = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        metadata => metadata,
    };
    if metadata.as_ref().is_ok_and(is_of_another_user) {
        return None;
    }
    Some(metadata.and_then(|_| Origins::read(&path)).map_err(|error| {
        format!(
            "{} cannot be read ({error}), so it is not known which skills come from other projects; repair it first",
            shown(&path)
        )
    }))
}

#[cfg(unix)]
fn is_of_another_user(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() != 0 && metadata.uid() != rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_of_another_user(_: &fs::Metadata) -> bool {
    false
}

/// The real path of a directory that is read, to notice if another directory takes its place meanwhile.
#[derive(Debug)]
pub(crate) struct ReadRoot {
    path: PathBuf,
    #[cfg(unix)]
    number: (u64, u64),
}

impl ReadRoot {
    /// Resolves a path. Returns `None` if nothing is there.
    pub(crate) fn open(path: &Path) -> Option<Self> {
        let path = fs::canonicalize(path).ok()?;
        #[cfg(unix)]
        let number = number(&path)?;
        Some(Self {
            path,
            #[cfg(unix)]
            number,
        })
    }

    /// Returns the real path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the same directory is still at the path.
    pub(crate) fn is_same(&self) -> bool {
        #[cfg(unix)]
        if number(&self.path) != Some(self.number) {
            return false;
        }
        fs::canonicalize(&self.path).is_ok_and(|real| real == self.path)
    }
}

/// Returns the numbers of the file system and of the file at a path.
#[cfg(unix)]
fn number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
