//! Installs the skills of a registry into directories that agents read, updates them, and removes them.
//!
//! ```text
//! Registry, lock file, what is found -> Draft -> Plan, SkillStatus -> apply -> Report
//! ```
//!
//! A skill is written to `TARGET/skills/NAME`, whatever category it lies in. The lock file
//! `TARGET/skills/.skills-lock.json` holds the digest of every file that was written, so that
//!
//! - a file the user did not touch is updated, and removed when the bundle no longer has it;
//! - a file the user edited is kept, and the report says so;
//! - a file or skill the user deleted does not come back unless asked for;
//! - a file that no entry covers is not written, unless [`Adopt`] says that it is the program's own, and a skill that
//!   another bundle installed never is. A directory with a `SKILL.md` or a file of the bundle in it that the lock file
//!   does not know is somebody else's as a whole.
//!
//! No link is followed below the target: a link in place of `skills`, of the lock file or of a directory is
//! refused or left alone, and a link in place of a file counts as an edit. Links in the path of the target
//! itself are the caller's. The executable bit is set as the bundle has it; that a user changed it is no
//! edit.
//!
//! Everything new is written to `.skills-tmp` beside the skills and renamed from there. All of it is brought
//! to the disk in one go before the first file is renamed, so that after a loss of power a file is the old or
//! the new one.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod adopt;
mod agent;
mod apply;
mod bundle_method;
mod by_name;
mod clients;
mod compare;
mod document;
mod draft;
mod error;
mod flat;
mod found;
mod lock;
mod name;
mod options;
mod plan;
mod request;
mod step;
mod target;
mod verdict;
mod wanted;

#[cfg(test)]
mod tests;

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
pub use target::Target;

/// Plans the installation of a registry below `target`; writes nothing.
///
/// # Errors
/// When the lock file is damaged, a name is unknown or unsafe, or the target cannot be read.
pub fn plan<'a>(
    registry: &'a Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Plan<'a>, InstallError> {
    options.check_signatures(registry)?;
    Plan::new(request(Some(registry), target, options))
}

/// Installs or updates the skills of a registry below `target`, and returns what was done.
///
/// Two processes at once are safe: the second waits, and then finds the work done.
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
/// As [`plan`], and when the system refuses to write: every file is then whole, old or new, and the next run
/// goes on.
pub fn install(
    registry: &Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Report, InstallError> {
    options.check_signatures(registry)?;
    Ok(Report { steps: apply::apply(&request(Some(registry), target, options), None)? })
}

/// Returns the state at `target` of every skill of the registry, and of the skills that the bundle installed
/// before.
///
/// # Errors
/// As [`plan`].
pub fn status(
    registry: &Registry,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Vec<SkillStatus>, InstallError> {
    let request = request(Some(registry), target, options);
    let skills = request.open()?;
    Ok(draft::draft(&request, skills.as_ref())?.statuses)
}

/// Plans the removal of what the bundle installed below `target`; writes nothing.
///
/// Files that the user edited are kept and are the user's from then on; with `force` they are renamed to
/// `.bak`.
///
/// # Errors
/// When the lock file is damaged, a named skill was not installed by this bundle, or the target cannot be
/// read.
pub fn plan_removal(
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Result<Plan<'static>, InstallError> {
    Plan::new(request(None, target, options))
}

/// Removes what the bundle installed below `target`, and nothing else.
///
/// # Errors
/// As [`plan_removal`], and when the system refuses to remove a file.
pub fn uninstall(target: impl Into<Target>, options: &InstallOptions) -> Result<Report, InstallError> {
    Ok(Report { steps: apply::apply(&request(None, target, options), None)? })
}

fn request<'a>(
    registry: Option<&'a Registry>,
    target: impl Into<Target>,
    options: &InstallOptions,
) -> Request<'a> {
    Request { registry, target: target.into(), options: options.clone() }
}
