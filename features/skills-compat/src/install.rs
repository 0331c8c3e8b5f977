//! The two functions by which omega-skills fills its data directory, over the installer.

use std::path::Path;

use skills_registry::Registry;

use skills_install::{self, InstallError, InstallOptions, Migration, Report};
use skills_load::expand;

/// What the lock file calls the bundle of these programs.
const BUNDLE: &str = "bundled";

/// Writes the skills of a bundle to `DATA_DIR/skills/NAME/…` (omega-skills `install_bundled_skills`; SPEC 9.1).
///
/// What the user edited, deleted, or put there is never overwritten; what the user did not touch is brought up to date. A
/// leading `~/` is the home directory. Call [`migrate_flat_skills`] before.
///
/// # Errors
/// As [`install`](skills_install::install()).
pub fn install_bundled_skills(bundle: &Registry, data_dir: impl AsRef<Path>) -> Result<Report, InstallError> {
    skills_install::install(bundle, &expand(data_dir.as_ref()), &InstallOptions::new(BUNDLE))
}

/// Moves `DATA_DIR/skills/foo.md` to `DATA_DIR/skills/foo/SKILL.md`, unless `foo/` exists (omega-skills
/// `migrate_flat_skills`; SPEC 9.3). A leading `~/` is the home directory.
///
/// # Errors
/// As [`migrate_flat_skills`](skills_install::migrate_flat_skills).
pub fn migrate_flat_skills(data_dir: impl AsRef<Path>) -> Result<Migration, InstallError> {
    skills_install::migrate_flat_skills(&expand(data_dir.as_ref()))
}
