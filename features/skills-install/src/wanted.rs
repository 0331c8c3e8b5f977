//! Lists the files that the directory of a bundled skill should contain.

use std::borrow::Cow;

use skills_registry::Skill;

use super::by_name::ByName;
use super::error::InstallError;
use super::found::Digest;
use super::name::{is_safe_name, is_safe_path};
use super::options::InstallOptions;
use crate::document::document;

/// A file of the bundle.
#[derive(Clone, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) digest: Digest,
    pub(super) executable: bool,
}

/// The files of a skill by their path below it.
pub(super) type Files<'a> = ByName<Wanted<'a>>;

/// Lists the files of a skill. With `documents`, this includes a generated `SKILL.md` if the skill has none,
/// or if other clients could not read the skill's own.
///
/// # Errors
/// If its name or a path cannot be written below the target.
pub(super) fn wanted<'a>(skill: Skill<'a>, options: &InstallOptions) -> Result<Files<'a>, InstallError> {
    if !is_safe_name(skill.name()) {
        return Err(InstallError::UnsafeName { name: skill.name().to_owned() });
    }
    let mut files = Vec::new();
    for file in skill.files() {
        if !is_safe_path(file.path()) {
            return Err(InstallError::UnsafePath {
                skill: skill.name().to_owned(),
                path: file.path().to_owned(),
            });
        }
        let wanted = Wanted {
            bytes: Cow::Borrowed(file.bytes()),
            digest: *file.sha256(),
            executable: file.is_executable(),
        };
        files.push((file.path().to_owned(), wanted));
    }
    if let Some(document) = options.documents.then(|| document(skill, options.standard)).flatten() {
        let bytes = document.into_bytes();
        let digest = hmac_sha256::Hash::hash(&bytes);
        files.push(("SKILL.md".to_owned(), Wanted { bytes: Cow::Owned(bytes), digest, executable: false }));
    }
    Ok(files.into())
}
