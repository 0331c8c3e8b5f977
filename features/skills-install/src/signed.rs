//! Skills are installed only when a key has signed them: the very bytes that are about to be written.

use skills_registry::{Registry, Skill};
use skills_sign::{Contents, Difference, PublicKey, Refused, SIGNATURE_FILE, Signed};

use super::error::InstallError;
use super::options::InstallOptions;

/// Checks the skills that are meant.
///
/// # Errors
/// One is not signed, or not as it was signed.
pub(super) fn check(registry: &Registry, options: &InstallOptions) -> Result<(), InstallError> {
    let Some(key) = &options.signature else { return Ok(()) };
    let meant = registry.iter().filter(|skill| options.selects(skill.name()));
    for skill in meant {
        verify(skill, key).map_err(|refused| InstallError::Unsigned {
            skill: skill.name().to_owned(),
            reason: refused.to_string(),
        })?;
    }
    Ok(())
}

fn verify(skill: Skill<'_>, key: &PublicKey) -> Result<(), Refused> {
    let signature = skill.file(SIGNATURE_FILE).ok_or(Refused::Unsigned)?;
    let text = signature.text().ok_or_else(|| Refused::Damaged("it is no text".to_owned()))?;
    let signed = Signed::read(text, key)?;
    let files = skill.files().filter(|file| file.path() != SIGNATURE_FILE);
    let found = Contents::of(files.map(|file| (file.path().to_owned(), *file.sha256())));
    let mut difference = Difference::between(signed.contents(), &found);
    // A hidden file is never part of a bundle (SPEC 1.3), so it is not missed.
    difference.removed.retain(|path| !path.split('/').any(|part| part.starts_with('.')));
    if difference.is_empty() { Ok(()) } else { Err(Refused::Differs(difference)) }
}
