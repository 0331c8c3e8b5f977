//! Checks a trusted or signed skill right before its program runs, on a private copy of its files.

#[cfg(unix)]
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use skills_sign::{Contents, Unfit, UnfitReason};
#[cfg(unix)]
use skills_sign::{CopyTo, Links, Rules};

use super::store::{TrustStatus, contents};
use super::{TrustDecision, TrustReason};
use skills_runtime::trust::CheckFault;

impl TrustDecision {
    /// Returns `true` if the files of the skill must be the files that were trusted or signed.
    pub(crate) fn is_fixed(&self) -> bool {
        self.signed.is_some() || self.entry.is_some()
    }

    /// Copies the files that were trusted or signed into an empty directory, and checks the copy. Returns the
    /// directory of the skill in the copy.
    ///
    /// If the directory was signed, the copy contains all of it. If the directory was only trusted, the copy
    /// does not contain the other skills, whose files are checked where they are.
    #[cfg(unix)]
    pub(crate) fn copy(&self, skill: &Path, to: &Path) -> Result<PathBuf, CheckFault> {
        let covered = self.covered().map_err(CheckFault::Trust)?;
        let own = fs::canonicalize(skill).ok();
        let own = own.as_deref().and_then(|own| own.strip_prefix(&covered).ok()).ok_or_else(|| {
            let gone = format!("{} is not in {} any more", skill.display(), covered.display());
            CheckFault::Trust(TrustReason::Changed(gone))
        })?;
        let others = self.others(&covered, own);

        let mut rules = Rules::new(Links::Record);
        if self.entry.is_none() {
            rules = rules.ignore(".git");
        }
        let to_copy =
            CopyTo { path: to, wanted: &|path| path != ".git" && !others.contains(Path::new(path)) };
        let found = Contents::copy(&covered, &rules, &to_copy);
        self.check(&covered, to, found)?;
        Ok(to.join(own))
    }

    /// Checks the files where they are, on a system that does not run programs itself.
    #[cfg(not(unix))]
    pub(crate) fn check_in_place(&self) -> Result<(), CheckFault> {
        let covered = self.covered().map_err(CheckFault::Trust)?;
        self.check(&covered, &covered, contents(&covered))
    }

    /// Checks the directory `covered`, which was copied to `at`. `found` are the digests that were computed
    /// while it was copied.
    fn check(&self, covered: &Path, at: &Path, found: Result<Contents, Unfit>) -> Result<(), CheckFault> {
        let is_whole = self.entry.as_ref().is_some_and(|entry| entry.path() == covered);
        let found = match found {
            Err(unfit) if matches!(unfit.reason, UnfitReason::Uncopied(_)) => {
                return Err(CheckFault::Copy(unfit.to_string()));
            }
            Err(unfit) if !is_whole => {
                return Err(CheckFault::Trust(TrustReason::Unsigned(unfit.to_string())));
            }
            found => found,
        };
        if let Some(signed) = &self.signed {
            let directory = moved(&self.signed_directory().map_err(CheckFault::Trust)?, &covered, at);
            skills_sign::verify(&directory, &signed.1)
                .map_err(|refused| CheckFault::Trust(TrustReason::Unsigned(refused.to_string())))?;
        }
        let Some(entry) = &self.entry else { return Ok(()) };
        let status =
            entry.compare(|| if is_whole { found } else { contents(&moved(entry.path(), &covered, at)) });
        match status {
            TrustStatus::Same => Ok(()),
            other => Err(CheckFault::Trust(TrustReason::Changed(other.to_string()))),
        }
    }

    /// Returns the real path of the directory that contains all files that were trusted or signed.
    fn covered(&self) -> Result<PathBuf, TrustReason> {
        let trusted = self.entry.as_ref().map(|entry| entry.path().to_owned());
        if self.signed.is_some() {
            // Both directories contain the skill, so one of them contains the other.
            let signed = self.signed_directory()?;
            return Ok(trusted.filter(|trusted| signed.starts_with(trusted)).unwrap_or(signed));
        }
        Ok(trusted.unwrap_or_default())
    }

    /// Returns the real path of the directory that must be signed.
    fn signed_directory(&self) -> Result<PathBuf, TrustReason> {
        let signed = self.signed.as_ref().map(|signed| signed.0.clone()).unwrap_or_default();
        fs::canonicalize(&signed)
            .map_err(|error| TrustReason::Unsigned(format!("{}: {error}", signed.display())))
    }

    /// Returns the paths of the other skills below the directory, unless a signature covers them too.
    #[cfg(unix)]
    fn others(&self, covered: &Path, own: &Path) -> BTreeSet<PathBuf> {
        if self.signed.is_some() {
            return BTreeSet::new();
        }
        let skills = self.entry.iter().flat_map(|entry| entry.skills());
        let below = skills.filter_map(|skill| skill.strip_prefix(covered).map(Path::to_owned).ok());
        below.filter(|other| !own.starts_with(other) && !other.starts_with(own)).collect()
    }
}

fn moved(path: &Path, covered: &&Path, at: &Path) -> PathBuf {
    path.strip_prefix(*covered).map_or_else(|_| path.to_owned(), |rest| at.join(rest))
}
