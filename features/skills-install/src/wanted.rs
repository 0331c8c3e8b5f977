//! Lists the files that the directory of a bundled skill should contain.

use std::borrow::Cow;

use skills_registry::Skill;
use skills_registry::document::document;

use super::compare::File;
use super::error::{Fallible, InstallError};
use super::found::Digest;
use super::name::{is_safe_name, is_safe_path};
use super::options::InstallOptions;

/// A file of the bundle.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) digest: Digest,
    pub(super) executable: bool,
}

/// Lists the files of a skill with their paths below it. With `documents`, the last one is a `SKILL.md` if the skill
/// has none, or if other clients could not read its own.
///
/// # Errors
/// If its name or a path cannot be written below the target.
pub(super) fn wanted<'a>(skill: Skill<'a>, options: &InstallOptions) -> Fallible<Vec<File<'a>>> {
    let mut files = Vec::new();
    if !is_safe_name(skill.name()) {
        return Err(Box::new(InstallError::UnsafeName { name: skill.name().to_owned() }));
    }
    for file in skill.files() {
        if !is_safe_path(file.path()) {
            let (skill, path) = (skill.name().to_owned(), file.path().to_owned());
            return Err(Box::new(InstallError::UnsafePath { skill, path }));
        }
        let wanted = Wanted {
            bytes: Cow::Borrowed(file.bytes()),
            digest: *file.sha256(),
            executable: file.is_executable(),
        };
        files.push(File::new(file.path(), Some(wanted), None));
    }
    if options.documents
        && let Some(document) = document(skill, options.standard)
    {
        let bytes = document.into_bytes();
        let digest = hmac_sha256::Hash::hash(&bytes);
        let wanted = Wanted { bytes: Cow::Owned(bytes), digest, executable: false };
        files.push(File::new("SKILL.md", Some(wanted), None));
    }
    Ok(files)
}
