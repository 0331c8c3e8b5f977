//! Verifies a skill of a registry: the bytes that its tables hold.

use skills_registry::{Skill, SkillVerifier, is_material};

use super::{PublicKey, Signed};
use crate::{Contents, Difference, Refused, SIGNATURE_FILE};

impl SkillVerifier for PublicKey {
    fn verify(&self, skill: Skill<'_>) -> Result<(), String> {
        verify(skill, self).map_err(|refused| refused.to_string())
    }
}

fn verify(skill: Skill<'_>, key: &PublicKey) -> Result<(), Refused> {
    let signature = skill.file(SIGNATURE_FILE).ok_or(Refused::Unsigned)?;
    let text = signature.text().ok_or_else(|| Refused::Damaged("it is not text".to_owned()))?;
    let signed = Signed::read(text, key)?;
    let files = skill.files().filter(|file| file.path() != SIGNATURE_FILE);
    let found = Contents::from_files(files.map(|file| (file.path().to_owned(), *file.sha256())));
    let mut difference = Difference::between(signed.contents(), &found);
    // A bundle leaves out hidden files that are not material (SPEC 1.3), so their absence is not an error.
    let is_hidden = |path: &String| path.split('/').any(|part| part.starts_with('.'));
    difference.removed.retain(|path| !is_hidden(path) || is_material(path));
    if difference.is_empty() { Ok(()) } else { Err(Refused::Differs(difference)) }
}
