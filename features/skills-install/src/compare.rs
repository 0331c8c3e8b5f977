//! Compares one skill of the bundle with its lock entries and its directory, and adds steps and lock entries to the
//! draft.

use std::io;
use std::path::Path;

use skills_files::{Dir, is};
use skills_text::{path_below, sort};

use super::adopt::{Claim, claim};
use super::draft::{Draft, LockTexts, Subject};
use super::error::{Fallible, InstallError};
use super::found::{Found, files_below, holds_only};
use super::lock::LockEntry;
use super::request::Request;
use super::step::{Action, Reason, State, Step};
use super::stub::{DOCUMENT, Stub};
use super::verdict::{Hold, Verdict, decide, intended, settled};
use super::wanted::{Wanted, wanted};

/// The changes to one skill.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) skill: String,
    /// Whether the whole directory is new.
    pub(super) fresh: bool,
    /// The files to change. Removals come first, so that a directory can replace a file.
    pub(super) files: Vec<File<'a>>,
}

/// A file of the bundle, the lock and the target.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) path: String,
    /// The file of the bundle, if any.
    pub(super) want: Option<Wanted<'a>>,
    pub(super) entry: Option<LockEntry>,
    /// The content that was found at the path.
    pub(super) found: Found,
    pub(super) hold: Hold,
    /// Whether the file is taken over although the bundle did not write it.
    pub(super) claim: Claim,
    /// The state and the verdict. `None` if the file is passed over.
    pub(super) decided: Option<(State, Verdict)>,
}

impl<'a> File<'a> {
    #[inline(never)]
    pub(super) fn new(path: &str, want: Option<Wanted<'a>>, entry: Option<LockEntry>) -> Self {
        let (found, hold, claim) = (Found::Missing, Hold::None, Claim::No);
        Self { path: path.to_owned(), want, entry, found, hold, claim, decided: None }
    }

    /// Returns the action for the file, unless it stays as it is.
    pub(super) fn action(&self) -> Option<&Action> {
        match &self.decided {
            Some((_, Verdict::Do(action))) => {
                Some(action).filter(|action| !matches!(action, Action::Keep(_)))
            }
            _ => None,
        }
    }

    /// Returns the reason why the file is kept, if it is.
    pub(super) fn reason(&self) -> Option<&Reason> {
        match &self.decided {
            Some((_, Verdict::Do(Action::Keep(reason)))) => Some(reason),
            _ => None,
        }
    }

    /// Returns `true` if nothing exists at the path of the file yet.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.action(), Some(Action::Create))
    }

    /// Returns `true` if the file is a `SKILL.md` with a content that neither the bundle wrote nor wants.
    fn is_edited_document(&self) -> bool {
        let is_wanted = self
            .want
            .as_ref()
            .is_some_and(|want| matches!(self.found, Found::File { digest, .. } if digest == want.digest));
        self.path == DOCUMENT && self.hold == Hold::Edited && !is_wanted
    }

    fn is_removal(&self) -> bool {
        matches!(self.action(), Some(Action::Remove | Action::SetAside { .. }))
    }
}

/// The files of a compared skill, and the decisions about the whole skill.
pub(super) struct Compared<'f, 'a> {
    pub(super) files: &'f [File<'a>],
    /// Whether this bundle installed any of its files.
    pub(super) ours: bool,
    /// Whether the directory was not written by this bundle.
    pub(super) foreign: bool,
    /// Whether the user deleted the skill, and it stays deleted.
    pub(super) deleted: bool,
}

/// A function that is called for each skill, with `None` for a skill of another bundle. Only `status` passes one that
/// does anything, so that the code for it is in no program that only installs.
pub(super) type Observe<'o> = &'o mut dyn FnMut(&Subject<'_, '_>, Option<&Compared<'_, '_>>);

/// The new location of the skill's directory.
enum Place {
    Missing,
    Blocked,
    There(Dir),
}

/// Compares a skill. If it is retired, all files in its directory are considered.
pub(super) fn compare<'a>(
    request: &Request<'_>,
    skills: Option<&Dir>,
    subject: &Subject<'_, 'a>,
    draft: &mut Draft<'a>,
    texts: &mut LockTexts,
    observe: Observe<'_>,
) -> Fallible<()> {
    let (name, options, installed) = (&*subject.name, request.options, subject.installed);
    let path = request.path();
    let place = match skills.map(|skills| skills.open_dir(name.as_ref())) {
        None => Place::Missing,
        Some(Ok(dir)) => Place::There(dir),
        Some(Err(error)) if is(&error, io::ErrorKind::NotFound) => Place::Missing,
        Some(Err(error)) if is(&error, io::ErrorKind::NotADirectory) => Place::Blocked,
        Some(Err(error)) => return Err(InstallError::refused("open", &path, &[name], error)),
    };
    let mut stub = subject.skill.and_then(|skill| Stub::for_skill(request, skill, installed));
    let mut files = list(request, subject, stub.as_ref(), &place, &path)?;
    // An edited text may name the other files of the skill, so the skill stays a copy.
    let is_copy = installed.is_some_and(|installed| installed.stub.is_none());
    if stub.is_some() && is_copy && !options.force && files.iter().any(File::is_edited_document) {
        stub = None;
        files = list(request, subject, None, &place, &path)?;
    }
    make_way(&mut files, &place).map_err(|error| InstallError::refused("read", &path, &[name], error))?;
    make_claims(&mut files, &place, name, request)
        .map_err(|error| InstallError::refused("read", &path, &[name], error))?;
    let ours = files.iter().any(|file| !file.hold.is_none());
    let in_bundle = subject.skill.is_some();
    let foreign = !ours
        && in_bundle
        && is_foreign(&files, &place)
            .map_err(|error| InstallError::refused("read", &path, &[name], error))?;
    let deleted = ours
        && in_bundle
        && !subject.is_restored
        && files.iter().all(|file| file.hold.is_none() || file.hold == Hold::Gone);
    for at in 0..files.len() {
        let file = &files[at];
        let decided = match &file.want {
            _ if deleted && file.hold != Hold::Gone => None,
            Some(_) if foreign && file.found == Found::Missing => None,
            Some(want) if foreign => {
                Some((State::Foreign, Verdict::Do(Action::Keep(foreignness(want, &file.found)))))
            }
            want => {
                let how = (file.claim, options.force, subject.is_restored);
                let decided = decide(want.as_ref(), file.hold, &file.found, how, &|| {
                    free_backup(&files, &place, &file.path)
                });
                // Without the skills, nobody knows whether the bundle still has the file.
                Some(match decided {
                    (state, Verdict::Do(Action::Keep(Reason::EditedOrphan)))
                        if request.registry.is_none() =>
                    {
                        (state, Verdict::Do(Action::Keep(Reason::Edited)))
                    }
                    decided => decided,
                })
            }
        };
        files[at].decided = decided;
    }

    let installed_version = installed.map(|installed| &*installed.version);
    let installed_stub = installed.and_then(|installed| installed.stub.as_deref());
    let (version, stub) = match (subject.skill, &stub) {
        (Some(_), Some(stub)) if !deleted || installed.is_none() => (&*stub.version, Some(&*stub.command)),
        (Some(skill), None) if !deleted || installed.is_none() => (skill.version(), None),
        _ => (installed_version.unwrap_or_default(), installed_stub),
    };
    for text in [&mut texts.intended, &mut texts.settled] {
        text.skill(name, &options.bundle, version, stub);
    }
    observe(subject, Some(&Compared { files: &files, ours, foreign, deleted }));
    let whole = if deleted {
        Some(Reason::Deleted)
    } else if foreign {
        let mut reasons = files.iter().filter_map(File::reason).peekable();
        let same = reasons.peek().is_some() && reasons.all(|reason| *reason == Reason::ForeignSame);
        Some(if same { Reason::ForeignSame } else { Reason::Foreign })
    } else {
        None
    };
    let is_whole = whole.is_some();
    if let Some(reason) = whole {
        draft.steps.push(Step { skill: name.to_owned(), path: None, action: Action::Keep(reason) });
    }
    let mut work = Work { skill: name.to_owned(), fresh: matches!(place, Place::Missing), files: Vec::new() };
    for file in files {
        let Some((_, verdict)) = &file.decided else { continue };
        record(&file, verdict, request.registry.is_none(), texts);
        if let Verdict::Do(action) = verdict
            && !is_whole
        {
            let (skill, path) = (name.to_owned(), Some(file.path.clone()));
            draft.steps.push(Step { skill, path, action: action.clone() });
        }
        if file.action().is_some() {
            work.fresh &= file.is_new();
            work.files.push(file);
        }
    }
    sort(&mut work.files, &|a, b| b.is_removal().cmp(&a.is_removal()));
    if !work.files.is_empty() {
        draft.work.push(work);
    }
    Ok(())
}

/// Lists every file that the bundle or the lock names, in the order of their paths, with what is found there.
fn list<'a>(
    request: &Request<'_>,
    subject: &Subject<'_, 'a>,
    stub: Option<&Stub>,
    place: &Place,
    path: &Path,
) -> Fallible<Vec<File<'a>>> {
    let name = &*subject.name;
    let mut files = match subject.skill {
        Some(skill) => wanted(skill, stub, request.options)?,
        None => Vec::new(),
    };
    if let Some(installed) = subject.installed {
        for (path, entry) in &installed.files {
            files.push(File::new(path, None, Some(*entry)));
        }
    }
    if let Place::There(dir) = place
        && subject.is_retired
        && subject.skill.is_none()
    {
        // There is no list of the files that an earlier release installed, so all files are considered.
        let old = files_below(dir).map_err(|error| InstallError::refused("read", path, &[name], error))?;
        for path in &old {
            files.push(File::new(path, None, None));
        }
    }
    sort(&mut files, &|a, b| a.path.cmp(&b.path));
    let mut merged: Vec<File<'a>> = Vec::with_capacity(files.len());
    for file in files {
        match merged.last_mut() {
            Some(last) if last.path == file.path => {
                last.want = file.want.or(last.want.take());
                last.entry = file.entry.or(last.entry);
            }
            _ => merged.push(file),
        }
    }
    for file in &mut merged {
        file.found = place
            .look(&file.path)
            .map_err(|error| InstallError::refused("read", path, &[name, &file.path], error))?;
        file.hold = Hold::decide(file.entry.as_ref(), &file.found);
    }
    Ok(merged)
}

impl Place {
    fn look(&self, path: &str) -> io::Result<Found> {
        match self {
            Self::Missing => Ok(Found::Missing),
            Self::Blocked => Ok(Found::Unreachable),
            Self::There(dir) => Found::below(dir, path),
        }
    }
}

/// Adds the entries of a file to both texts of the lock file.
fn record(file: &File<'_>, verdict: &Verdict, is_removal: bool, texts: &mut LockTexts) {
    let (want, entry) = (file.want.as_ref(), file.entry.as_ref());
    // If a file is left after a removal, it belongs to the user.
    let is_let_go = is_removal && matches!(verdict, Verdict::Do(Action::Keep(_)));
    if let Some(entry) = intended(verdict, want, entry, &file.found).filter(|_| !is_let_go) {
        texts.intended.file(&file.path, &entry);
    }
    if let Some(entry) = settled(verdict, want, entry).filter(|_| !is_removal) {
        texts.settled.file(&file.path, &entry);
    }
}

/// If a new file or directory replaces one that will be removed, treats the old one as missing.
fn make_way(files: &mut [File<'_>], place: &Place) -> io::Result<()> {
    let going: Vec<String> = files
        .iter()
        .filter(|file| file.want.is_none() && matches!(file.hold, Hold::Untouched { .. } | Hold::Removed))
        .map(|file| file.path.clone())
        .collect();
    let Place::There(dir) = place else {
        return Ok(());
    };
    for file in files.iter_mut().filter(|file| file.want.is_some()) {
        // Whether the bundle ever wrote the file. A run that was killed may have recorded the file without
        // writing it.
        if file.entry.is_some_and(|entry| entry.digest.is_some()) {
            continue;
        }
        let gone = match file.found {
            Found::Unreachable => going.iter().any(|going| path_below(&file.path, going).is_some()),
            Found::Other if going.iter().any(|going| path_below(going, &file.path).is_some()) => {
                holds_only(dir, &file.path, &going)?
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
fn make_claims(files: &mut [File<'_>], place: &Place, skill: &str, request: &Request<'_>) -> io::Result<()> {
    let options = request.options;
    let Place::There(dir) = place else { return Ok(()) };
    if request.registry.is_none() {
        return Ok(());
    }
    for file in files {
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
fn is_foreign(files: &[File<'_>], place: &Place) -> io::Result<bool> {
    match place {
        Place::Missing => return Ok(false),
        Place::Blocked => return Ok(true),
        Place::There(_) => {}
    }
    let mut foreign = files.iter().any(|file| file.found != Found::Missing && file.claim == Claim::No);
    for document in ["SKILL.md", "skill.json"] {
        if !files.iter().any(|file| file.path == document) {
            foreign |= place.look(document)? != Found::Missing;
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

/// Returns a name for a backup of the user's version of a file: `PATH.bak` for the number 1, then `PATH.bak2`, …
pub(super) fn backup(path: &str, number: u32) -> String {
    let mut backup = path.to_owned() + ".bak";
    if number > 1 {
        backup.push_str(&number.to_string());
    }
    backup
}

/// Returns the first free path for a backup of a file.
fn free_backup(files: &[File<'_>], place: &Place, path: &str) -> String {
    let mut number = 1;
    loop {
        let backup = backup(path, number);
        let is_wanted = files.iter().any(|file| file.want.is_some() && file.path == backup);
        if !is_wanted && is_free(place, path, &backup) {
            return backup;
        }
        number += 1;
    }
}

/// Returns `true` if a path is free for a backup of a file: nothing exists there, or a killed run wrote the
/// same backup.
///
/// A path that cannot be read counts as free; if it is not free, writing the backup fails.
fn is_free(place: &Place, path: &str, backup: &str) -> bool {
    let Place::There(dir) = place else {
        return true;
    };
    match Found::below(dir, backup) {
        Err(_) | Ok(Found::Missing) => true,
        Ok(_) => dir
            .open_parent(Path::new(path), false)
            .and_then(|(parent, name)| parent.is_same(name, &parent, last_part(backup).as_ref()))
            .unwrap_or(false),
    }
}

pub(super) fn last_part(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}
