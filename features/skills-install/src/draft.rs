//! Computes a draft from a bundle, a lock and the content of the target: every step and both locks.
//!
//! All decisions are made here. `apply` executes the draft; `plan` and `status` show it.

use std::borrow::Cow;

use skills_files::Dir;
use skills_registry::{NotFound, Skill, standard_name};
use skills_text::{order, sort};

use super::compare::{Observe, Work, compare, last_part};
use super::error::{Fallible, InstallError};
use super::lock::{self, Installed, Lock, LockText};
use super::options::InstallOptions;
use super::request::Request;
use super::step::{Action, Reason, Step};
use super::wanted::is_safe_name;

/// The changes to apply, and their reasons.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) steps: Vec<Step>,
    pub(super) work: Vec<Work<'a>>,
    /// The text of the lock file while the changes are applied.
    pub(super) intended: String,
    /// The text of the lock file after the changes.
    pub(super) settled: String,
    /// Whether a damaged lock file must be set aside.
    pub(super) damaged: bool,
    /// Whether the lock file has to be written.
    pub(super) moves_lock: bool,
}

impl Draft<'_> {
    /// Returns `true` if nothing has to be written.
    pub(super) fn is_empty(&self) -> bool {
        self.work.is_empty() && !self.moves_lock && !self.damaged
    }
}

/// A name of a directory, with the skill of the bundle and the installed skill.
pub(super) struct Subject<'s, 'a> {
    pub(super) name: Cow<'s, str>,
    /// Its skill, if the bundle has one and it is requested.
    pub(super) skill: Option<Skill<'a>>,
    pub(super) installed: Option<&'s Installed>,
    /// Whether to remove the files that earlier releases installed, although no lock file lists them.
    pub(super) is_retired: bool,
    /// Whether to restore files that the user deleted.
    pub(super) is_restored: bool,
}

/// The text of the lock file while the changes are applied, and after them.
#[derive(Default)]
pub(super) struct LockTexts {
    pub(super) intended: LockText,
    pub(super) settled: LockText,
}

/// Compares and decides. Writes nothing. With `verifies`, checks the signatures of the skills to install.
pub(super) fn draft<'a>(
    request: &Request<'a>,
    skills: Option<&Dir>,
    verifies: bool,
    observe: Observe<'_>,
) -> Fallible<Draft<'a>> {
    let (mut draft, mut lock) = (Draft::default(), Lock::default());
    if let Some(skills) = skills {
        match lock::load(skills, &request.path()) {
            Ok(found) => lock = found,
            // Without the lock file, an installation can start again, but a removal does not know which files to
            // remove.
            Err(error) => {
                let is_damaged = matches!(*error, InstallError::Damaged { .. });
                if !is_damaged || !request.options.force || request.registry.is_none() {
                    return Err(error);
                }
                error.discard();
                draft.damaged = true;
            }
        }
    }
    let named = resolved(request, &lock);
    let (mut texts, mut before) = (LockTexts::default(), LockText::default());
    for subject in subjects(request, &named, &lock, verifies)? {
        let installed = subject.installed;
        let is_own = installed.is_none_or(|installed| request.options.is_own(&installed.bundle));
        let has_source = subject.skill.is_some() || subject.is_retired;
        let is_left_out = request.options.partial
            && request.registry.is_some()
            && !has_source
            && selects(&named, &subject.name);
        if let Some(installed) = installed {
            before.copy(installed);
            if !is_own || is_left_out || !has_source && !selects(&named, &subject.name) {
                texts.intended.copy(installed);
                texts.settled.copy(installed);
                if has_source || is_own && is_left_out {
                    let reason = match is_own {
                        true => Reason::LeftOut,
                        false => Reason::Owned { bundle: installed.bundle.clone() },
                    };
                    let action = Action::Keep(reason);
                    draft.steps.push(Step { skill: installed.name.clone(), path: None, action });
                    observe(&subject, None);
                }
                continue;
            }
        }
        compare(request, skills, &subject, &mut draft, &mut texts, observe)?;
    }
    (draft.intended, draft.settled) = (texts.intended.finish(), texts.settled.finish());
    draft.moves_lock = before.finish() != draft.settled;
    Ok(draft)
}

/// Converts the requested names to names of directories.
fn resolved(request: &Request<'_>, lock: &Lock) -> Vec<String> {
    let mut names = request.options.names.clone();
    for name in &mut names {
        let skill = request.registry.and_then(|registry| registry.get(name));
        let directory = match skill {
            Some(skill) => directory(skill, request.options),
            None => standard_name(name, true),
        };
        if skill.is_some() || (lock.get(name).is_none() && lock.get(&directory).is_some()) {
            *name = directory.into_owned();
        }
    }
    names
}

/// Returns `true` if the name of a directory is requested.
fn selects(named: &[String], name: &str) -> bool {
    named.is_empty() || is_named(named, name)
}

fn is_named(named: &[String], name: &str) -> bool {
    named.iter().any(|named| named == name)
}

/// Returns the name of the directory of a skill.
fn directory<'a>(skill: Skill<'a>, options: &InstallOptions) -> Cow<'a, str> {
    match last_part(skill.dir()) {
        last if options.by_directory && !last.is_empty() => Cow::Borrowed(last),
        _ if options.documents => skill.standard_name(),
        _ => Cow::Borrowed(skill.name()),
    }
}

/// Lists the directories to compare by name: of the requested skills of the bundle, of the retired skills, and of all
/// installed ones.
fn subjects<'s, 'a: 's>(
    request: &Request<'a>,
    named: &[String],
    lock: &'s Lock,
    verifies: bool,
) -> Fallible<Vec<Subject<'s, 'a>>> {
    let options = request.options;
    let subject = |name: Cow<'s, str>, skill, installed, is_retired| {
        let is_restored = options.restore || is_named(named, &name);
        Subject { name, skill, installed, is_retired, is_restored }
    };
    let (mut subjects, mut folded) = (Vec::new(), Vec::new());
    for skill in request.registry.into_iter().flatten() {
        let name = directory(skill, options);
        if !selects(named, &name) {
            continue;
        }
        if let (Some(key), true) = (&options.signature, verifies)
            && let Err(reason) = key.verify(skill)
        {
            return Err(Box::new(InstallError::Unsigned { skill: skill.name().to_owned(), reason }));
        }
        folded.push((name.to_ascii_lowercase(), skill.name()));
        subjects.push(subject(name, Some(skill), None, false));
    }
    let order = order(folded.len(), &|a, b| folded[a].0.cmp(&folded[b].0));
    for pair in order.windows(2) {
        let (first, second) = (&folded[pair[0]], &folded[pair[1]]);
        if first.0 == second.0 {
            let (first, second) = (first.1.to_owned(), second.1.to_owned());
            return Err(Box::new(InstallError::Clash { first, second }));
        }
    }
    check_names(request, named, lock, &subjects)?;
    if request.registry.is_some() {
        for name in options.retired.iter().filter(|name| selects(named, name)) {
            if !is_safe_name(name) {
                return Err(Box::new(InstallError::UnsafeName { name: name.clone() }));
            }
            subjects.push(subject(Cow::Borrowed(name), None, None, true));
        }
    }
    for installed in &lock.skills {
        subjects.push(subject(Cow::Borrowed(&installed.name), None, Some(installed), false));
    }
    sort(&mut subjects, &|a, b| a.name.cmp(&b.name));
    // The sort is stable, so among entries with the same name, the skill of the bundle is first.
    subjects.dedup_by(|later, first| {
        let is_same = later.name == first.name;
        if is_same {
            first.installed = first.installed.or(later.installed);
        }
        is_same
    });
    Ok(subjects)
}

/// Checks that the bundle has the requested names, or installed them before.
fn check_names(
    request: &Request<'_>,
    named: &[String],
    lock: &Lock,
    bundle: &[Subject<'_, '_>],
) -> Fallible<()> {
    for name in named {
        let owner = lock.get(name).map(|skill| &skill.bundle);
        if owner.is_some_and(|owner| request.options.is_own(owner))
            || bundle.iter().any(|subject| subject.name == *name)
        {
            continue;
        }
        return Err(Box::new(match request.registry {
            Some(registry) => {
                let names = registry.iter().map(|skill| skill.name());
                InstallError::Unknown(NotFound::new(name, names))
            }
            None => InstallError::NotInstalled { name: name.clone(), owner: owner.cloned() },
        }));
    }
    Ok(())
}
