//! Compares one skill of the bundle with its lock entries and its directory, and returns states, steps and
//! lock entries.

use std::io;

use skills_files::Dir;
use skills_text::{path_below, sort};

use super::adopt::{Claim, claim};
use super::error::InstallError;
use super::found::{Found, files_below, holds_only};
use super::lock::{Installed, LockEntry};
use super::request::Request;
use super::step::{Action, FileStatus, Reason, SkillStatus, State, Step};
use super::verdict::{Hold, Verdict, decide, intended, settled};
use super::wanted::{Files, Wanted};

/// The result of the comparison of a skill: its state and the necessary steps.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    pub(super) status: SkillStatus,
    pub(super) steps: Vec<Step>,
    pub(super) work: Work<'a>,
    pub(super) intended: Vec<(String, LockEntry)>,
    pub(super) settled: Vec<(String, LockEntry)>,
    /// Whether the user deleted it, and it stays deleted.
    pub(super) deleted: bool,
}

/// The changes to one skill.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) skill: String,
    /// Whether the whole directory is new.
    pub(super) fresh: bool,
    /// The changes to apply. Removals come first, so that a directory can replace a file.
    pub(super) changes: Vec<Change<'a>>,
}

/// The change to one file.
#[derive(Debug)]
pub(super) struct Change<'a> {
    pub(super) path: String,
    pub(super) action: Action,
    /// The content that was found at the path.
    pub(super) found: Found,
    /// The file to write, if any.
    pub(super) wanted: Option<Wanted<'a>>,
}

impl Change<'_> {
    /// Returns `true` if nothing exists at the path of the file yet.
    pub(super) fn is_new(&self) -> bool {
        self.action == Action::Create
    }
}

/// A file of the bundle, the lock and the target.
struct Sides<'a> {
    path: String,
    want: Option<Wanted<'a>>,
    entry: Option<LockEntry>,
    found: Found,
    hold: Hold,
    /// Whether the file is taken over although the bundle did not write it.
    claim: Claim,
}

/// The new location of the skill's directory.
enum Place {
    Missing,
    Blocked,
    There(Dir),
}

/// Compares a skill. `version` is `None` if the bundle does not have the skill. If it is retired, all files in its
/// directory are considered.
pub(super) fn compare<'a>(
    request: &Request<'_>,
    skills: Option<&Dir>,
    (name, is_retired): (&str, bool),
    version: Option<&str>,
    files: &Files<'a>,
    installed: Option<&Installed>,
) -> Result<Comparison<'a>, InstallError> {
    let at = request.path().join(name);
    let place = match skills.map(|skills| skills.open_dir(name.as_ref())) {
        None => Place::Missing,
        Some(Ok(dir)) => Place::There(dir),
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Place::Missing,
        Some(Err(error)) if error.kind() == io::ErrorKind::NotADirectory => Place::Blocked,
        Some(Err(error)) => return Err(InstallError::at("open", &at)(error)),
    };
    let look = |path: &str| match &place {
        Place::Missing => Ok(Found::Missing),
        Place::Blocked => Ok(Found::Unreachable),
        Place::There(dir) => Found::below(dir, path).map_err(InstallError::at("read", at.join(path))),
    };
    // There is no list of the files that an earlier release installed, so all files are considered.
    let old = match &place {
        Place::There(dir) if is_retired => files_below(dir).map_err(InstallError::at("read", &at))?,
        _ => Vec::new(),
    };
    let mut all = see(files, installed, &old, look)?;
    make_way(&mut all, &place, &at)?;
    let options = &request.options;
    make_claims(&mut all, &place, name, request).map_err(InstallError::at("read", &at))?;
    let ours = all.iter().any(|file| !file.hold.is_none());
    let foreign = !ours && version.is_some() && is_foreign(&all, &place, look)?;
    let restore = options.restores(name);
    let deleted = ours
        && version.is_some()
        && !restore
        && all.iter().all(|file| file.hold.is_none() || file.hold == Hold::Gone);
    let mut compared = Comparison {
        status: SkillStatus {
            name: name.to_owned(),
            state: State::Current,
            owner: installed.map(|installed| installed.bundle.clone()),
            installed: installed.map(|installed| installed.version.clone()),
            files: Vec::new(),
        },
        steps: Vec::new(),
        work: Work { skill: name.to_owned(), fresh: matches!(place, Place::Missing), changes: Vec::new() },
        intended: Vec::new(),
        settled: Vec::new(),
        deleted,
    };
    for file in all {
        let is_free = |path: &String| files.get(path).is_none() && is_free(&place, &file.path, path);
        let backup = || backups(&file.path).find(is_free).unwrap_or_default();
        let (state, verdict) = match &file.want {
            _ if deleted && file.hold != Hold::Gone => continue,
            Some(_) if foreign && file.found == Found::Missing => continue,
            Some(want) if foreign => {
                (State::Foreign, Verdict::Do(Action::Keep(foreignness(want, &file.found))))
            }
            want => {
                let how = (file.claim, options.force, restore);
                decide(want.as_ref(), file.hold, &file.found, how, backup)
            }
        };
        compared.add(file, state, verdict, request.registry.is_none());
    }
    compared.sum_up(version.is_some(), foreign, ours);
    Ok(compared)
}

/// Looks at every file that the bundle or the lock names, in the order of their paths.
fn see<'a>(
    files: &Files<'a>,
    installed: Option<&Installed>,
    old: &[String],
    look: impl Fn(&str) -> Result<Found, InstallError>,
) -> Result<Vec<Sides<'a>>, InstallError> {
    let recorded = installed.into_iter().flat_map(|installed| installed.files.names());
    let mut paths: Vec<&str> = files.names().chain(recorded).chain(old).map(String::as_str).collect();
    sort(&mut paths, &|a, b| a.cmp(b));
    paths.dedup();
    let side = |path: &str| {
        let found = look(path)?;
        let entry = installed.and_then(|installed| installed.files.get(path)).copied();
        let hold = Hold::of(entry.as_ref(), &found);
        let want = files.get(path).cloned();
        Ok(Sides { path: path.to_owned(), want, entry, found, hold, claim: Claim::No })
    };
    paths.into_iter().map(side).collect()
}

impl<'a> Comparison<'a> {
    fn add(&mut self, file: Sides<'a>, state: State, verdict: Verdict, is_removal: bool) {
        let (want, entry) = (file.want.as_ref(), file.entry.as_ref());
        // If a file is left after a removal, it belongs to the user.
        let is_let_go = is_removal && matches!(verdict, Verdict::Do(Action::Keep(_)));
        for (is_left_out, entries, entry) in [
            (is_let_go, &mut self.intended, intended(&verdict, want, entry, &file.found)),
            (is_removal, &mut self.settled, settled(&verdict, want, entry)),
        ] {
            entries.extend(entry.filter(|_| !is_left_out).map(|entry| (file.path.clone(), entry)));
        }
        if verdict == Verdict::Forget {
            return;
        }
        let mut reason = None;
        if let Verdict::Do(action) = verdict {
            let (skill, path) = (self.work.skill.clone(), Some(file.path.clone()));
            self.steps.push(Step { skill, path, action: action.clone() });
            match action {
                Action::Keep(why) => reason = Some(why),
                action => self.work.changes.push(Change {
                    path: file.path.clone(),
                    action,
                    found: file.found,
                    wanted: file.want,
                }),
            }
        }
        self.status.files.push(FileStatus { path: file.path, state, reason });
    }

    /// Derives the state of the skill from its files, and replaces steps that apply to all files with one step.
    fn sum_up(&mut self, in_bundle: bool, foreign: bool, ours: bool) {
        let Work { skill, fresh, changes } = &mut self.work;
        *fresh &= changes.iter().all(Change::is_new);
        let files = &self.status.files;
        let any = |state| files.iter().any(|file| file.state == state);
        let removed_by_user = files.iter().any(|file| file.reason == Some(Reason::Deleted));
        self.status.state = if foreign {
            State::Foreign
        } else if !in_bundle {
            State::Orphaned
        } else if !ours && any(State::Foreign) {
            State::Foreign
        } else if !ours || self.deleted {
            State::Missing
        } else if any(State::Modified) || any(State::Foreign) || removed_by_user {
            State::Modified
        } else if any(State::Outdated) || any(State::Orphaned) || any(State::Missing) {
            State::Outdated
        } else {
            State::Current
        };
        let whole = if self.deleted {
            Some(Reason::Deleted)
        } else if foreign {
            let same = files.iter().all(|file| file.reason == Some(Reason::ForeignSame));
            Some(if same && !files.is_empty() { Reason::ForeignSame } else { Reason::Foreign })
        } else {
            None
        };
        if let Some(reason) = whole {
            self.steps = vec![Step { skill: skill.clone(), path: None, action: Action::Keep(reason) }];
        }
        let stays = |change: &Change<'_>| !matches!(change.action, Action::Remove | Action::SetAside { .. });
        sort(changes, &|a, b| stays(a).cmp(&stays(b)).then_with(|| a.path.cmp(&b.path)));
    }
}

/// Treats files and directories that will be removed as missing if new ones replace them.
fn make_way(all: &mut [Sides<'_>], place: &Place, at: &std::path::Path) -> Result<(), InstallError> {
    let is_going = |file: &&Sides<'_>| {
        file.want.is_none() && matches!(file.hold, Hold::Untouched { .. } | Hold::Removed)
    };
    let going: Vec<String> = all.iter().filter(is_going).map(|file| file.path.clone()).collect();
    let Place::There(dir) = place else {
        return Ok(());
    };
    for file in all.iter_mut().filter(|file| file.want.is_some()) {
        // Whether the bundle ever wrote the file. If a run was killed, it may only have been about to write
        // it.
        if file.entry.is_some_and(|entry| entry.digest.is_some()) {
            continue;
        }
        let gone = match file.found {
            Found::Unreachable => going.iter().any(|going| path_below(&file.path, going).is_some()),
            Found::Other if going.iter().any(|going| path_below(going, &file.path).is_some()) => {
                holds_only(dir, &file.path, &going).map_err(InstallError::at("read", at.join(&file.path)))?
            }
            _ => false,
        };
        if gone {
            file.found = Found::Missing;
            file.hold = Hold::None;
        }
    }
    Ok(())
}

/// Decides which files are taken over. This concerns files that the bundle did not write, and files that a killed
/// run did not yet write for the first time.
fn make_claims(all: &mut [Sides<'_>], place: &Place, skill: &str, request: &Request<'_>) -> io::Result<()> {
    let options = &request.options;
    let Place::There(dir) = place else { return Ok(()) };
    if request.registry.is_none() {
        return Ok(());
    }
    for file in all {
        let is_unfinished =
            file.hold == Hold::Edited && file.entry.is_some_and(|entry| entry.digest.is_none());
        if file.hold.is_none() || is_unfinished {
            let wanted = file.want.as_ref().map(|want| &want.digest);
            file.claim = claim(&options.adopt, options.force, dir, (skill, &file.path), &file.found, wanted)?;
            if is_unfinished && file.claim != Claim::No {
                file.hold = Hold::None;
            }
        }
    }
    Ok(())
}

/// Returns `true` if a skill without a lock entry is foreign: one of its documents or bundled files already
/// exists. Files that are taken over do not count.
fn is_foreign(
    all: &[Sides<'_>],
    place: &Place,
    look: impl Fn(&str) -> Result<Found, InstallError>,
) -> Result<bool, InstallError> {
    match place {
        Place::Missing => return Ok(false),
        Place::Blocked => return Ok(true),
        Place::There(_) => {}
    }
    let mut foreign = all.iter().any(|file| file.found != Found::Missing && file.claim == Claim::No);
    for document in ["SKILL.md", "skill.json"] {
        if !all.iter().any(|file| file.path == document) {
            foreign |= look(document)? != Found::Missing;
        }
    }
    Ok(foreign)
}

fn foreignness(want: &Wanted<'_>, found: &Found) -> Reason {
    match found {
        Found::File { digest, .. } if *digest == want.digest => Reason::ForeignSame,
        Found::Unreachable => Reason::Unreachable,
        _ => Reason::Foreign,
    }
}

/// Returns the names for backups of the user's version of a file: `PATH.bak`, `PATH.bak2`, …
pub(super) fn backups(path: &str) -> impl Iterator<Item = String> {
    let number = |number: u32| if number == 1 { String::new() } else { number.to_string() };
    (1..u32::MAX).map(move |at| format!("{path}.bak{}", number(at)))
}

/// Returns `true` if a path is free for a backup of a file: nothing exists there, or a killed run wrote the
/// same backup.
///
/// A path that cannot be read counts as free; if it is not free, writing the backup fails.
fn is_free(place: &Place, path: &str, backup: &str) -> bool {
    let Place::There(dir) = place else {
        return true;
    };
    let is_copy = || {
        let (parent, name) = dir.open_parent(std::path::Path::new(path), false)?;
        parent.is_same(name, &parent, backup.rsplit('/').next().unwrap_or(backup).as_ref())
    };
    Found::below(dir, backup).map_or(true, |found| found == Found::Missing || is_copy().unwrap_or(false))
}
