//! Removes a directory with everything in it, however deeply a program nested it.

use std::fs;
use std::path::Path;

/// Removes a directory and everything in it, as far as the system permits. Does not follow links.
///
/// Deep directories are first moved to the top: the stack and the open descriptors do not grow with the
/// depth, and every path stays short enough for the system. Directories that deny access to their owner are
/// made accessible.
pub fn remove_tree(top: &Path) {
    let mut lifted = 0_u64;
    loop {
        open(top);
        let mut is_less = false;
        for entry in fs::read_dir(top).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                lift(&path, top, &mut lifted);
                is_less |= fs::remove_dir(&path).is_ok();
            } else {
                is_less |= fs::remove_file(&path).is_ok();
            }
        }
        if fs::remove_dir(top).is_ok() || !is_less {
            return;
        }
    }
}

/// Empties a directory: files are deleted, and directories are moved to the top.
fn lift(directory: &Path, top: &Path, lifted: &mut u64) {
    open(directory);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // Moving a directory writes to it, since its `..` entry changes.
            open(&path);
            *lifted += 1;
            let _ = fs::rename(&path, top.join(format!(".lifted-{}-{lifted}", std::process::id())));
        } else {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(unix)]
fn open(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
}

#[cfg(not(unix))]
fn open(_: &Path) {}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    // SPEC 13.10
    #[test]
    fn neither_depth_nor_links_nor_modes_keep_it() {
        let base = std::env::temp_dir().join(format!("skills-registry-remove-{}", std::process::id()));
        let (top, kept) = (base.join("top"), base.join("kept"));
        fs::create_dir_all(&kept).expect("a directory");
        fs::write(kept.join("file"), "").expect("a file");
        fs::create_dir_all(top.join("a/b")).expect("a directory");
        fs::write(top.join("a/b/c"), "").expect("a file");
        symlink(&kept, top.join("a/link")).expect("a link");
        // Deeper than the longest path, and than a thread's stack allows with one frame per level.
        let mut above = top.join("a");
        for _ in 0..5_000 {
            let below = top.join("new");
            fs::create_dir(&below).expect("a directory");
            fs::rename(&above, below.join("d")).expect("it goes down");
            above = top.join("old");
            fs::rename(&below, &above).expect("it is the top now");
        }
        remove_tree(&top);
        assert!(!top.exists() && kept.join("file").exists());
        fs::remove_dir_all(&base).expect("it is empty");
    }
}
