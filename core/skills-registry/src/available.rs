//! Finds out whether the programs that a skill requires are installed, without running anything.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Returns `true` if an entry of `requires` names a program that is not in `path`. A `cap:` entry does not
/// name a program.
pub(crate) fn is_missing(entry: &str, path: &OsStr) -> bool {
    !entry.starts_with("cap:") && !is_on_path(requirement(entry).0, path)
}

/// Splits an entry of `requires` into the program and its minimum version, if there is one: `acme >= 0.4`.
pub fn requirement(entry: &str) -> (&str, Option<&str>) {
    match entry.split_once(">=") {
        Some((program, version)) => (program.trim_end(), Some(version.trim_start())),
        None => (entry, None),
    }
}

/// Returns `true` if a program is an executable file in one of the directories of `path`, a list like `PATH`.
///
/// A program with a slash is treated as a path, and no directory is searched.
pub fn is_on_path(program: impl AsRef<OsStr>, path: &OsStr) -> bool {
    let program = program.as_ref();
    if program.is_empty() {
        return false;
    }
    if program.as_encoded_bytes().contains(&b'/') {
        return is_program(Path::new(program));
    }
    std::env::split_paths(path).any(|directory| is_program(&directory.join(program)))
}

/// Returns the given list of directories, or this process's `PATH` if none is given.
pub(crate) fn search_path(given: Option<&OsStr>) -> Cow<'_, OsStr> {
    given.map_or_else(|| Cow::Owned(std::env::var_os("PATH").unwrap_or_default()), Cow::Borrowed)
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    let name = path.as_os_str();
    ["", ".exe", ".cmd", ".bat", ".com"].into_iter().any(|ending| {
        let mut name = name.to_owned();
        name.push(ending);
        Path::new(&name).is_file()
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_program_is_an_executable_file_on_the_path() {
        // SPEC 2.9
        let root = std::env::temp_dir().join(format!("skills-available-{}", std::process::id()));
        let (first, second) = (root.join("first"), root.join("second"));
        std::fs::create_dir_all(first.join("dir")).unwrap();
        std::fs::create_dir_all(&second).unwrap();
        let program = |path: &Path, mode| {
            std::fs::write(path, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        };
        program(&second.join("tool"), 0o755);
        program(&first.join("data"), 0o644);
        let path = std::env::join_paths([&first, &second]).unwrap();

        assert!(is_on_path("tool", &path));
        assert!(!is_on_path("data", &path), "without the executable bit");
        assert!(!is_on_path("dir", &path), "a directory");
        assert!(!is_on_path("missing", &path));
        assert!(!is_on_path("", &path));
        assert!(!is_on_path("tool", OsStr::new("")));
        assert!(is_on_path(second.join("tool").to_str().unwrap(), OsStr::new("")), "a path");
        assert!(
            !is_missing("tool", &path) && !is_missing("cap:camera", &path) && is_missing("missing", &path)
        );
        assert!(!is_missing("tool >= 99", &path) && is_missing("missing>=1", &path), "only the name counts");
        std::fs::remove_dir_all(root).unwrap();
    }
}
