//! Lists the files that the directory of a bundled skill should contain.

use std::borrow::Cow;

use skills_registry::Skill;
use skills_registry::document::document;
use skills_text::{is_exact_path, is_hidden};

use super::compare::File;
use super::error::{Fallible, InstallError};
use super::found::Digest;
use super::options::InstallOptions;
use super::stub::{DOCUMENT, Stub};

/// A file of the bundle.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) digest: Digest,
    pub(super) executable: bool,
}

/// Lists the files of a skill with their paths below it, or the only file of its stub. With `documents`, the last one is a `SKILL.md` if the skill
/// has none, or if other clients could not read its own.
///
/// # Errors
/// If its name or a path cannot be written below the target.
pub(super) fn wanted<'a>(
    skill: Skill<'a>,
    stub: Option<&Stub>,
    options: &InstallOptions,
) -> Fallible<Vec<File<'a>>> {
    let mut files = Vec::new();
    if !is_safe_name(skill.name()) {
        return Err(Box::new(InstallError::UnsafeName { name: skill.name().to_owned() }));
    }
    if let Some(stub) = stub {
        files.push(written(stub.document(skill)));
        return Ok(files);
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
        files.push(written(document));
    }
    Ok(files)
}

/// Returns a `SKILL.md` that is not a file of the bundle.
fn written<'a>(document: String) -> File<'a> {
    let bytes = document.into_bytes();
    let digest = hmac_sha256::Hash::hash(&bytes);
    let wanted = Wanted { bytes: Cow::Owned(bytes), digest, executable: false };
    File::new(DOCUMENT, Some(wanted), None)
}

/// The longest allowed name in bytes.
const LONGEST_PATH: usize = 1024;

/// Returns `true` if the name of a skill is valid for a directory: a single path component that is not
/// hidden.
///
/// Hidden names are reserved for the installer.
pub(super) fn is_safe_name(name: &str) -> bool {
    is_safe_path(name) && !name.contains('/') && !name.starts_with('.')
}

/// Returns `true` if a path stays below the skill, and is safe to show to terminals and models.
pub(super) fn is_safe_path(path: &str) -> bool {
    path.len() <= LONGEST_PATH && is_exact_path(path) && !path.contains(is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_below_the_target() {
        // SPEC 12.3
        for path in ["a", "a/b.c", ".a/b", "é/ü", "..a", "a b"] {
            assert!(is_safe_path(path), "{path}");
        }
        for path in [
            "",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/../b",
            "./a",
            "a\\b",
            "a\0",
            "a\u{1b}[2J",
            "a\u{202e}b",
            "a\nb",
            &"a/".repeat(2000),
        ] {
            assert!(!is_safe_path(path), "{path}");
        }
        assert!(is_safe_name("a-b_c") && is_safe_name("constructor"));
        for name in ["", ".", "..", ".a", "a/b", "/", "a\\b", "a\u{9b}", "a\u{e0041}"] {
            assert!(!is_safe_name(name), "{name}");
        }
    }
}
