//! Computes a draft from a bundle, a lock and the content of the target: every state, every step and both
//! locks.
//!
//! All decisions are made here. `apply` executes the draft; `plan` and `status` show it.

use std::borrow::Cow;

use skills_files::Dir;
use skills_registry::{NotFound, Skill, same_directory, standard_name};
use skills_text::sort;

use super::by_name::ByName;
use super::compare::{Comparison, Work, compare};
use super::error::InstallError;
use super::lock::{self, Installed, Lock};
use super::name::is_safe_name;
use super::options::InstallOptions;
use super::request::Request;
use super::step::{Action, Reason, SkillStatus, State, Step};
use super::wanted::{Files, wanted};

/// The changes to apply, and their reasons.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) steps: Vec<Step>,
    pub(super) statuses: Vec<SkillStatus>,
    pub(super) work: Vec<Work<'a>>,
    /// The lock while the changes are applied.
    pub(super) intended: Lock,
    /// The lock after the changes.
    pub(super) settled: Lock,
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

/// Compares and decides. Writes nothing.
pub(super) fn draft<'a>(request: &Request<'a>, skills: Option<&Dir>) -> Result<Draft<'a>, InstallError> {
    let (found, damaged) = match skills.map(|skills| lock::load(skills, &request.path())).transpose() {
        // Without the lock file, an installation can start again, but a removal does not know which files to
        // remove.
        Err(InstallError::Damaged { .. }) if request.options.force && request.registry.is_some() => {
            (Lock::default(), true)
        }
        found => (found?.unwrap_or_default(), false),
    };
    let mut draft = Draft {
        steps: Vec::new(),
        statuses: Vec::new(),
        work: Vec::new(),
        intended: found.clone(),
        settled: found.clone(),
        damaged,
        moves_lock: false,
    };
    let request = &resolved(request, &found);
    let bundle = bundle(request)?;
    let (no_files, mut intended, mut settled) = (Files::default(), Vec::new(), Vec::new());
    for name in names(request, &found, &bundle)? {
        let (version, files) =
            bundle.get(&name).map_or((None, &no_files), |(version, files)| (Some(*version), files));
        let installed = found.skills.get(&name);
        if let Some(other) = installed.filter(|installed| !request.options.is_own(&installed.bundle)) {
            draft.leave_to_owner(name, other);
            continue;
        }
        let is_retired = version.is_none() && request.options.retired.contains(&name);
        let compared = compare(request, skills, (&name, is_retired), version, files, installed)?;
        let [before, after] = draft.add(request, version, compared, installed);
        intended.push((name.clone(), before));
        settled.push((name, after));
    }
    draft.intended.skills.update(intended);
    draft.settled.skills.update(settled);
    draft.moves_lock = found != draft.settled;
    Ok(draft)
}

/// The version and the files of each skill, by the name of its directory.
type Bundle<'a> = ByName<(&'a str, Files<'a>)>;

/// Converts the requested names to names of directories.
fn resolved<'a>(request: &Request<'a>, lock: &Lock) -> Request<'a> {
    let mut resolved = request.clone();
    for name in &mut resolved.options.names {
        let skill = request.registry.and_then(|registry| registry.get(name));
        let directory = match skill {
            Some(skill) => directory(skill, &request.options).into_owned(),
            None => standard_name(name, true).into_owned(),
        };
        if skill.is_some() || (lock.skills.get(name).is_none() && lock.skills.get(&directory).is_some()) {
            *name = directory;
        }
    }
    resolved
}

/// Returns the name of the directory of a skill.
fn directory<'a>(skill: Skill<'a>, options: &InstallOptions) -> Cow<'a, str> {
    let last = skill.dir().rsplit('/').next().filter(|last| options.by_directory && !last.is_empty());
    match last {
        Some(last) => Cow::Borrowed(last),
        None if options.documents => skill.standard_name(),
        None => Cow::Borrowed(skill.name()),
    }
}

/// Lists the requested skills of the bundle by name, with their versions and files.
fn bundle<'a>(request: &Request<'a>) -> Result<Bundle<'a>, InstallError> {
    let (mut skills, mut folded) = (Vec::new(), Vec::new());
    for skill in request.registry.into_iter().flatten() {
        let name = directory(skill, &request.options);
        if !request.options.selects(&name) {
            continue;
        }
        folded.push((same_directory(&name), skill.name()));
        skills.push((name.into_owned(), (skill.version(), wanted(skill, &request.options)?)));
    }
    sort(&mut folded, &|a, b| a.0.cmp(&b.0));
    let clash = folded.windows(2).find(|pair| pair[0].0 == pair[1].0);
    match clash {
        Some(pair) => Err(InstallError::Clash { first: pair[0].1.to_owned(), second: pair[1].1.to_owned() }),
        None => Ok(skills.into()),
    }
}

/// Lists the requested skills: the skills of the bundle, and the skills that it installed before.
fn names(request: &Request<'_>, lock: &Lock, bundle: &Bundle<'_>) -> Result<Vec<String>, InstallError> {
    let options = &request.options;
    let owned = |name: &String| lock.skills.get(name).is_some_and(|skill| options.is_own(&skill.bundle));
    for name in &options.names {
        match request.registry {
            Some(registry) if bundle.get(name).is_none() && !owned(name) => {
                let names = registry.iter().map(|skill| skill.name());
                return Err(InstallError::Unknown(NotFound::new(name, names)));
            }
            None if !owned(name) => {
                let owner = lock.skills.get(name).map(|skill| skill.bundle.clone());
                return Err(InstallError::NotInstalled { name: name.clone(), owner });
            }
            _ => {}
        }
    }
    let installed = lock.skills.names().filter(|name| owned(name) && options.selects(name)).cloned();
    let retired = options.retired.iter().filter(|name| request.registry.is_some() && options.selects(name));
    let retired = retired.map(|name| match is_safe_name(name) {
        true => Ok(name.clone()),
        false => Err(InstallError::UnsafeName { name: name.clone() }),
    });
    let known = bundle.names().cloned().chain(installed);
    let mut names = known.map(Ok).chain(retired).collect::<Result<Vec<String>, _>>()?;
    sort(&mut names, &|a, b| a.cmp(b));
    names.dedup();
    Ok(names)
}

impl<'a> Draft<'a> {
    /// Records a skill that another bundle installed.
    fn leave_to_owner(&mut self, name: String, installed: &Installed) {
        let reason = Reason::Owned { bundle: installed.bundle.clone() };
        self.steps.push(Step { skill: name.clone(), path: None, action: Action::Keep(reason) });
        self.statuses.push(SkillStatus {
            name,
            state: State::Foreign,
            owner: Some(installed.bundle.clone()),
            installed: Some(installed.version.clone()),
            files: Vec::new(),
        });
    }

    /// Records the result of a comparison. Returns the lock entries of the skill during and after the changes.
    fn add(
        &mut self,
        request: &Request<'_>,
        version: Option<&str>,
        compared: Comparison<'a>,
        installed: Option<&Installed>,
    ) -> [Option<Installed>; 2] {
        let Comparison { status, steps, work, .. } = compared;
        let in_bundle = version.is_some();
        let version = match (version, installed) {
            (Some(version), _) if !compared.deleted => version,
            (_, Some(installed)) => &installed.version,
            (version, None) => version.unwrap_or_default(),
        };
        let entries = [compared.intended, compared.settled].map(|files| {
            let bundle = request.options.bundle.clone();
            let installed = Installed { bundle, version: version.to_owned(), files: files.into() };
            (!installed.files.is_empty()).then_some(installed)
        });
        self.steps.extend(steps);
        if in_bundle || !status.files.is_empty() {
            self.statuses.push(status);
        }
        if !work.changes.is_empty() {
            self.work.push(work);
        }
        entries
    }
}
