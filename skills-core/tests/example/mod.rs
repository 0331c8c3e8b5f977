//! An example of the rule table becomes a directory on disk: the notation documented at `rule::Example`.
//!
//! Marks beside those: ` (unreadable)`, ` (latin-1 name)`, `. (file)` for a root that is a file, `. (missing)`.

#![expect(
    clippy::panic,
    clippy::print_stderr,
    reason = "a wrong example fails its test; what is skipped is said"
)]

use std::fs;
use std::path::{Path, PathBuf};

use skills_core::rule::Example;

/// Writes an example into a directory of its own, with nothing beside it, and returns that directory.
///
/// `name` must be unique among all tests. Nothing is returned, and a line printed, when this system cannot hold the
/// example: whoever runs as root can read every file.
pub(crate) fn write(name: &str, example: Example) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules").join(name).join("root");
    match fs::symlink_metadata(&root) {
        Ok(found) if found.is_dir() => {
            fs::remove_dir_all(&root).expect("the last run's directory can be removed")
        }
        Ok(_) => fs::remove_file(&root).expect("the last run's file can be removed"),
        Err(_) => {}
    }
    fs::create_dir_all(&root).expect("a directory can be made");
    for (notation, text) in example {
        if !write_entry(&root, notation, text) {
            eprintln!("SKIPPED: this system cannot hold `{notation}` of the example `{name}`");
            return None;
        }
    }
    Some(root)
}

/// Writes one entry and tells whether it is what the notation says.
fn write_entry(root: &Path, notation: &str, text: &str) -> bool {
    if let Some((path, target)) = notation.split_once(" -> ") {
        assert!(text.is_empty(), "`{notation}`: a link has no text");
        link(target, &place(root, path));
        return true;
    }
    let Some((name, mark)) = notation.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) else {
        file(&place(root, notation), text.as_bytes());
        return true;
    };
    let path = place(root, name);
    match mark {
        "fifo" => fifo(&path),
        "executable" => {
            file(&path, text.as_bytes());
            set_mode(&path, 0o755);
        }
        "unreadable" => {
            file(&path, text.as_bytes());
            set_mode(&path, 0o000);
            return fs::File::open(&path).is_err();
        }
        "missing" | "file" => {
            assert_eq!(name, ".", "`{notation}`: only the root is marked so");
            fs::remove_dir(root).expect("the root is empty");
            if mark == "file" {
                file(root, text.as_bytes());
            }
        }
        "latin-1" => file(&path, &latin_1(text, notation)),
        "latin-1 name" => file(&latin_1_name(&path, notation), text.as_bytes()),
        mark => {
            let size = mark.strip_suffix(" bytes").and_then(|size| size.parse().ok());
            let size: usize = size.unwrap_or_else(|| panic!("`{notation}`: unknown mark `({mark})`"));
            repeated(&path, text, size);
        }
    }
    true
}

/// Returns the place of a path, whose directories exist then. A path that ends in `/` is an empty directory.
fn place(root: &Path, path: &str) -> PathBuf {
    let place = root.join(path);
    let directory = if path.ends_with('/') { Some(place.as_path()) } else { place.parent() };
    fs::create_dir_all(directory.expect("a path below the root has a parent"))
        .expect("a directory can be made");
    place
}

fn file(path: &Path, bytes: &[u8]) {
    if !path.is_dir() {
        fs::write(path, bytes).expect("a file can be written");
    }
}

/// Writes a text again and again up to a size. Zeros take no room on the disk.
fn repeated(path: &Path, text: &str, size: usize) {
    assert!(!text.is_empty(), "{}: there is no text to repeat", path.display());
    if text == "\0" {
        let file = fs::File::create(path).expect("a file can be made");
        file.set_len(u64::try_from(size).expect("a size fits")).expect("a file can be lengthened");
    } else {
        file(path, &text.bytes().cycle().take(size).collect::<Vec<u8>>());
    }
}

fn latin_1(text: &str, notation: &str) -> Vec<u8> {
    let byte = |c| u8::try_from(c).unwrap_or_else(|_| panic!("`{notation}`: {c:?} is not in Latin-1"));
    text.chars().map(byte).collect()
}

#[cfg(unix)]
fn latin_1_name(path: &Path, notation: &str) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let name = path.file_name().and_then(|name| name.to_str()).expect("a path has a name");
    path.with_file_name(std::ffi::OsStr::from_bytes(&latin_1(name, notation)))
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link can be made");
}

#[cfg(unix)]
fn fifo(path: &Path) {
    let status = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(status.success(), "mkfifo fails");
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode can be set");
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};

    use super::*;

    #[test]
    fn every_notation_is_written() {
        let root = write(
            "notation",
            &[
                ("a/plain.md", "x\n"),
                ("a/link -> plain.md", ""),
                ("a/pipe (fifo)", ""),
                ("a/run.sh (executable)", "#!/bin/sh\n"),
                ("a/old.md (latin-1)", "é"),
                ("a/big (7 bytes)", "abc"),
                ("a/sparse (5 bytes)", "\0"),
                ("a/caf\u{e9} (latin-1 name)", "x"),
                ("empty/", ""),
            ],
        )
        .expect("every system can hold this");
        let at = |path: &str| root.join("a").join(path);
        assert_eq!(fs::read(at("plain.md")).expect("a file"), b"x\n");
        assert_eq!(fs::read_link(at("link")).expect("a link"), Path::new("plain.md"));
        assert_eq!(fs::read(at("old.md")).expect("a file"), b"\xe9");
        assert_eq!(fs::read(at("big")).expect("a file"), b"abcabca");
        assert_eq!(fs::read(at("sparse")).expect("a file"), [0; 5]);
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
        assert_eq!(fs::read(root.join("a").join(name)).expect("a file"), b"x");
        assert!(root.join("empty").is_dir());
        let file = write("notation-file", &[(". (file)", "x")]).expect("every system can hold this");
        assert_eq!(fs::read(file).expect("a file"), b"x");
        assert!(
            !write("notation-missing", &[(". (missing)", "")]).expect("every system can hold this").exists()
        );
        assert!(fs::metadata(at("pipe")).expect("a pipe").file_type().is_fifo());
        assert_eq!(fs::metadata(at("run.sh")).expect("a file").permissions().mode() & 0o111, 0o111);
        assert_eq!(fs::metadata(at("plain.md")).expect("a file").permissions().mode() & 0o111, 0);
    }
}
