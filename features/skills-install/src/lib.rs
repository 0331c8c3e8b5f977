//! Installs the skills of a registry into directories that agents read, updates them, and removes them.
//!
//! ```text
//! Registry, lock file, found files -> Draft -> Plan, SkillStatus -> apply -> Report
//! ```
//!
//! A skill is written to `TARGET/skills/NAME`, without its category. The lock file `TARGET/skills/.skills-lock.json`
//! contains the digest of every written file, so that
//!
//! - a file that the user did not change is updated, and removed if the bundle no longer has it;
//! - a file that the user edited is kept and reported;
//! - a file or skill that the user deleted stays deleted unless it is requested;
//! - a file without a lock entry is not overwritten, unless [`Adopt`] says that it belongs to the program. A skill of
//!   another bundle is never overwritten. A directory without lock entries that has a `SKILL.md` or a file of the
//!   bundle is foreign as a whole.
//!
//! Links below the target are not followed: a link in place of `skills`, of the lock file or of a directory is
//! refused or kept, and a link in place of a file counts as an edit. Links in the path of the target itself are
//! followed. The executable bit comes from the bundle; a changed bit does not count as an edit.
//!
//! All new files are written to `.skills-tmp` beside the skills and renamed from there. They are synchronized to the
//! disk before the first rename, so that after a loss of power every file is either the old or the new one.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod adopt;
mod agent;
mod apply;
mod bundle_method;
mod clients;
mod compare;
mod draft;
mod error;
mod flat;
mod found;
mod lock;
mod options;
mod plan;
mod request;
mod status;
mod step;
mod stub;
mod target;
mod verdict;
mod wanted;

#[cfg(test)]
mod tests;

use std::path::Path;

use skills_files::Dir;
use skills_registry::Registry;

pub use adopt::{Adopt, OldFile};
pub use agent::{Agent, Scope};
pub use clients::Client;
pub use error::InstallError;
pub use flat::{Migration, NotMigrated, migrate_flat_skills};
pub use options::InstallOptions;
pub use plan::{Plan, Report};
use request::Request;
pub use step::{Action, FileStatus, Reason, SkillStatus, State, Step};
#[doc(hidden)]
pub use stub::COMMANDS;
pub use stub::Stub;
pub use target::Target;

/// Plans the installation of a registry below `target`; writes nothing.
///
/// # Errors
/// If the lock file is damaged, a name is unknown or unsafe, a skill lacks a required signature, or the target cannot
/// be read.
pub fn plan<'a>(
    registry: &'a Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Plan<'a>, InstallError> {
    Plan::new(Some(registry), target.into(), options.clone())
}

/// Installs or updates the skills of a registry below `target`, and returns the executed steps.
///
/// Two processes can run at once: the second waits, and then finds everything installed.
///
/// ```
/// use skills_registry::{Facts, Layout, Registry, write};
/// use skills_install::{InstallOptions, install};
/// # let target = std::env::temp_dir().join(format!("skills-example-{}", std::process::id()));
/// let pdf = Facts { name: "pdf".to_owned(), ..Facts::default() };
/// let registry = Registry::new(write(&[pdf.into()], Layout::Joined, 8_000)?.into_tables());
/// let report = install(&registry, &target, &InstallOptions::new("my-agent"))?;
/// print!("{report}");
/// # std::fs::remove_dir_all(&target).ok();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`plan`]; also if the system refuses to write. Every file is then complete, old or new, and the next run
/// continues.
pub fn install(
    registry: &Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Report, InstallError> {
    apply_all(&Request { registry: Some(registry), target: &target.into(), options, is_status: false })
}

/// Returns the state at `target` of every skill of the registry, and of the skills that the bundle installed
/// before.
///
/// # Errors
/// See [`plan`].
pub fn status(
    registry: &Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Vec<SkillStatus>, InstallError> {
    let request = Request { registry: Some(registry), target: &target.into(), options, is_status: true };
    status::statuses(&request).map_err(|error| *error)
}

/// Plans the removal of the skills that the bundle installed below `target`; writes nothing.
///
/// Files that the user edited are kept and then belong to the user; with `force` they are renamed to `.bak`.
///
/// # Errors
/// If the lock file is damaged, a named skill was not installed by this bundle, or the target cannot be read.
pub fn plan_removal(
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Plan<'static>, InstallError> {
    Plan::new(None, target.into(), options.clone())
}

/// Removes only files that the bundle installed below `target`.
///
/// # Errors
/// See [`plan_removal`]; also if the system refuses to remove a file.
pub fn uninstall(target: impl Into<Target>, options: &InstallOptions) -> Result<Report, InstallError> {
    apply_all(&Request { registry: None, target: &target.into(), options, is_status: false })
}

/// Returns `true` if the directory of a skill is a copy that [`install`] wrote and that nobody has edited since. `false` if
/// the lock file beside it cannot be read.
pub fn is_untouched(skill: &Path) -> bool {
    let (Some(skills), Some(name)) = (skill.parent(), skill.file_name().and_then(|name| name.to_str()))
    else {
        return false;
    };
    let Ok(dir) = Dir::open(skills) else { return false };
    let Ok(lock) = lock::load(&dir, skills) else { return false };
    let Some(installed) = lock.get(name) else { return false };
    let Ok(own) = dir.open_dir(name.as_ref()) else { return false };
    let Ok(files) = found::files_below(&own) else { return false };
    files.len() == installed.files.len()
        && installed.files.iter().all(|(path, entry)| match found::Found::below(&own, path) {
            Ok(found::Found::File { digest, .. }) => entry.next.is_none() && entry.digest == Some(digest),
            _ => false,
        })
}

fn apply_all(request: &Request<'_>) -> Result<Report, InstallError> {
    Ok(Report { steps: apply::apply(request, None).map_err(|error| *error)? })
}
