//! A directory is removed with all that is in it, however deep a program that has ended made it (SPEC 13.10).

use std::fs;
use std::path::Path;

/// Removes a directory and all that is in it, as far as the system lets; no link is followed.
///
/// What lies deep is lifted to the top first: neither the stack nor the descriptors grow with the depth, and no path becomes
/// longer than the system takes. Directories that were closed to their owner are opened.
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

/// Empties a directory: its files go, its directories go to the top.
fn lift(directory: &Path, top: &Path, lifted: &mut u64) {
    open(directory);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // A directory that goes elsewhere is written in, since it names the one above it.
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
        // Deeper than a path can say, and than a stack of a thread takes with a frame for each.
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
