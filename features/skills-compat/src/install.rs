//! The two functions with which omega-skills fills its data directory, based on the installer.

use std::path::Path;

use skills_registry::Registry;

use skills_install::{self, InstallError, InstallOptions, Migration, Report};
use skills_load::expand;

/// The name of the bundle in the lock file of these programs.
const BUNDLE: &str = "bundled";

/// Writes the skills of a bundle to `DATA_DIR/skills/NAME/…` (omega-skills `install_bundled_skills`).
///
/// Files that the user edited, deleted or added are never overwritten. All other files are updated. A leading
/// `~/` is the home directory. Call [`migrate_flat_skills`] first.
///
/// # Errors
/// See [`install`](skills_install::install()).
pub fn install_bundled_skills(bundle: &Registry, data_dir: impl AsRef<Path>) -> Result<Report, InstallError> {
    skills_install::install(bundle, expand(data_dir.as_ref()), &InstallOptions::new(BUNDLE))
}

/// Moves `DATA_DIR/skills/foo.md` to `DATA_DIR/skills/foo/SKILL.md`, unless `foo/` exists (omega-skills
/// `migrate_flat_skills`). A leading `~/` is the home directory.
///
/// # Errors
/// See [`migrate_flat_skills`](skills_install::migrate_flat_skills).
pub fn migrate_flat_skills(data_dir: impl AsRef<Path>) -> Result<Migration, InstallError> {
    skills_install::migrate_flat_skills(&expand(data_dir.as_ref()))
}
