//! Decides the state of a file and the action for it from the bundle, the lock entry and the file on disk.

use super::adopt::Claim;
use super::found::{Digest, Found};
use super::lock::{LockEntry, Next};
use super::step::{Action, Reason, State};
use super::wanted::Wanted;

/// The state of a file, derived from its lock entry and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// The bundle never wrote the file.
    None,
    /// The file has the content that the bundle wrote, with this executable bit.
    Untouched { executable: bool },
    /// The file has a content that the bundle did not write.
    Edited,
    /// The file was deleted.
    Gone,
    /// A killed run removed the file, but perhaps not the directories that are empty without it.
    Removed,
}

impl Hold {
    /// Returns `true` if the file does not belong to the bundle in any way. Edited and deleted files of the
    /// bundle belong to it.
    pub(super) fn is_none(self) -> bool {
        matches!(self, Self::None | Self::Removed)
    }

    /// Compares a file with its lock entry. The entry of a killed run matches the old and the new content.
    pub(super) fn decide(entry: Option<&LockEntry>, found: &Found) -> Self {
        let Some(entry) = entry else {
            return Self::None;
        };
        match (found, entry.next) {
            // The killed run removed the file. A directory may have taken its place since.
            (Found::Missing | Found::Other | Found::Unreachable, Some(Next::Remove)) => Self::Removed,
            // The killed run did not write the file that it was about to create or to replace.
            (Found::Missing, _) if entry.digest.is_none() => Self::None,
            (Found::Missing, _) => Self::Gone,
            (Found::File { digest, executable }, Some(Next::Write(next))) if *digest == next => {
                Self::Untouched { executable: executable.unwrap_or(entry.executable) }
            }
            (Found::File { digest, .. }, _) if Some(*digest) == entry.digest => {
                Self::Untouched { executable: entry.executable }
            }
            _ => Self::Edited,
        }
    }
}

/// The action for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// None: the file is up to date.
    Fine,
    /// No action, but the lock entry is removed: the user deleted the file, and the bundle no longer has it.
    Forget,
    Do(Action),
}

/// Decides the state of a file and the action for it. `claim` says whether a foreign file is taken over, `force`
/// replaces edited files, `restore` restores deleted ones, and `backup` returns a free name for the user's version.
pub(super) fn decide(
    want: Option<&Wanted<'_>>,
    hold: Hold,
    found: &Found,
    (claim, force, restore): (Claim, bool, bool),
    backup: &dyn Fn() -> String,
) -> (State, Verdict) {
    let Some(want) = want else {
        return match hold {
            Hold::None if claim == Claim::Earlier => (State::Foreign, Verdict::Do(Action::Remove)),
            Hold::None if claim == Claim::Unsure => {
                (State::Foreign, Verdict::Do(Action::SetAside { backup: backup() }))
            }
            Hold::None | Hold::Gone => (State::Missing, Verdict::Forget),
            Hold::Untouched { .. } | Hold::Removed => (State::Orphaned, Verdict::Do(Action::Remove)),
            Hold::Edited if *found == Found::Unreachable => keep_file(State::Modified, Reason::Unreachable),
            Hold::Edited if force => (State::Modified, Verdict::Do(Action::SetAside { backup: backup() })),
            Hold::Edited => keep_file(State::Modified, Reason::EditedOrphan),
        };
    };
    match hold {
        Hold::None | Hold::Removed if *found == Found::Missing => {
            (State::Missing, Verdict::Do(Action::Create))
        }
        Hold::None | Hold::Removed if *found == Found::Unreachable => {
            keep_file(State::Foreign, Reason::Unreachable)
        }
        Hold::None | Hold::Removed if claim == Claim::Same && has_mode(found, want.executable) => {
            (State::Foreign, Verdict::Do(Action::Adopt))
        }
        Hold::None | Hold::Removed if matches!(claim, Claim::Same | Claim::Earlier) => {
            (State::Foreign, Verdict::Do(Action::TakeOver { backup: None }))
        }
        Hold::None | Hold::Removed if claim == Claim::Unsure => {
            (State::Foreign, Verdict::Do(Action::TakeOver { backup: Some(backup()) }))
        }
        Hold::None | Hold::Removed if is_found(&want.digest, &found) => {
            keep_file(State::Foreign, Reason::ForeignSame)
        }
        Hold::None | Hold::Removed => keep_file(State::Foreign, Reason::Foreign),
        Hold::Gone if restore => (State::Missing, Verdict::Do(Action::Create)),
        Hold::Gone => keep_file(State::Missing, Reason::Deleted),
        Hold::Untouched { executable } if is_found(&want.digest, &found) && executable == want.executable => {
            (State::Current, Verdict::Fine)
        }
        Hold::Untouched { .. } => (State::Outdated, Verdict::Do(Action::Update)),
        // The user's edit equals the new version of the bundle.
        Hold::Edited if is_found(&want.digest, &found) => (State::Current, Verdict::Fine),
        Hold::Edited if *found == Found::Unreachable => keep_file(State::Modified, Reason::Unreachable),
        Hold::Edited if force => (State::Modified, Verdict::Do(Action::Replace { backup: backup() })),
        Hold::Edited => keep_file(State::Modified, Reason::Edited),
    }
}

fn is_found(digest: &Digest, found: &&Found) -> bool {
    matches!(found, Found::File { digest: found, .. } if found == digest)
}

fn keep_file(state: State, reason: Reason) -> (State, Verdict) {
    (state, Verdict::Do(Action::Keep(reason)))
}

/// Returns `true` if the executable bit of a file is right, or if the system has no such bit.
fn has_mode(found: &Found, wanted: bool) -> bool {
    !matches!(found, Found::File { executable: Some(executable), .. } if *executable != wanted)
}

/// Returns the lock entry of the file after the action.
pub(super) fn settled(
    verdict: &Verdict,
    want: Option<&Wanted<'_>>,
    entry: Option<&LockEntry>,
) -> Option<LockEntry> {
    let as_wanted =
        want.map(|want| LockEntry { digest: Some(want.digest), executable: want.executable, next: None });
    match verdict {
        Verdict::Fine => as_wanted,
        Verdict::Forget | Verdict::Do(Action::Remove | Action::SetAside { .. }) => None,
        Verdict::Do(Action::Keep(Reason::Foreign | Reason::ForeignSame | Reason::Owned { .. })) => None,
        Verdict::Do(Action::Keep(_)) => entry.map(|entry| LockEntry {
            digest: own_digest(entry, &as_wanted),
            executable: entry.executable,
            next: None,
        }),
        Verdict::Do(_) => as_wanted,
    }
}

/// The user replaced a file that a killed run did not finish. It counts as an edited file of this version.
fn own_digest(entry: &LockEntry, as_wanted: &Option<LockEntry>) -> Option<[u8; 32]> {
    entry.digest.or(as_wanted.and_then(|wanted| wanted.digest))
}

/// Returns the lock entry of the file while the action is executed: it contains the current and the future
/// content.
pub(super) fn intended(
    verdict: &Verdict,
    want: Option<&Wanted<'_>>,
    entry: Option<&LockEntry>,
    found: &Found,
) -> Option<LockEntry> {
    let next = want.map(|want| Next::Write(want.digest));
    // A killed run may have left a file whose content does not match the first digest of the entry.
    let digest = match found {
        Found::File { digest, .. } => Some(*digest),
        _ => None,
    };
    match verdict {
        Verdict::Do(Action::Create | Action::Replace { .. } | Action::TakeOver { backup: Some(_) }) => {
            Some(LockEntry { digest: None, executable: want.is_some_and(|want| want.executable), next })
        }
        // If this run is killed, the next run finds either the content of an earlier release or the content
        // of this run.
        Verdict::Do(Action::TakeOver { backup: None }) => {
            Some(LockEntry { digest, executable: want.is_some_and(|want| want.executable), next })
        }
        Verdict::Do(Action::Update) => entry.map(|entry| LockEntry { digest, next, ..*entry }),
        Verdict::Do(Action::Remove) => {
            entry.map(|entry| LockEntry { digest, next: Some(Next::Remove), ..*entry })
        }
        Verdict::Do(Action::SetAside { .. }) => {
            entry.map(|entry| LockEntry { next: Some(Next::Remove), ..*entry })
        }
        _ => settled(verdict, want, entry),
    }
}
