//! A directory is removed with all that is in it, however deep a program that has ended made it (SPEC 13.10).
//!
//! Everything is named below an open directory, and no link is followed: whoever exchanges a directory for a link, or moves
//! it, leads nobody elsewhere.

use std::ffi::{CStr, OsStr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fchmod, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

const FLAGS: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes a directory as [`remove_below`] does, below the one that its path is in now.
#[cfg_attr(
    not(any(test, feature = "eval")),
    allow(dead_code, reason = "runs and caches hold that directory")
)]
pub(crate) fn remove_tree(top: &Path) {
    let (Some(parent), Some(name)) = (top.parent(), top.file_name()) else { return };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    if let Ok(parent) = openat(CWD, parent, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        remove_below(parent.as_fd(), name);
    }
}

/// Removes the directory `name` of `parent` and all that is in it, as far as the system lets.
///
/// What lies deep is lifted to the top first: neither the stack nor the descriptors grow with the depth. Directories that
/// were closed to their owner are opened.
pub(crate) fn remove_below(parent: BorrowedFd<'_>, name: &OsStr) {
    let Some(top) = opened(parent, name) else { return };
    let mut lifted = 0;
    loop {
        let mut is_less = false;
        each(top.as_fd(), |name, is_directory| {
            if is_directory {
                lift(top.as_fd(), name, &mut lifted);
                is_less |= unlinkat(&top, name, AtFlags::REMOVEDIR).is_ok();
            } else {
                is_less |= unlinkat(&top, name, AtFlags::empty()).is_ok();
            }
        });
        if unlinkat(parent, name, AtFlags::REMOVEDIR).is_ok() || !is_less {
            return;
        }
    }
}

/// Empties the directory `name` of `top`: its files go, its directories go to the top.
fn lift(top: BorrowedFd<'_>, name: &CStr, lifted: &mut u64) {
    let Some(directory) = opened(top, name) else { return };
    each(directory.as_fd(), |name, is_directory| {
        if is_directory {
            // A directory that goes elsewhere is written in, since it names the one above it.
            drop(opened(directory.as_fd(), name));
            *lifted += 1;
            let _ = renameat(&directory, name, top, format!(".lifted-{}-{lifted}", std::process::id()));
        } else {
            let _ = unlinkat(&directory, name, AtFlags::empty());
        }
    });
}

/// Calls `act` with each entry of a directory, and whether it is a directory itself.
fn each(directory: BorrowedFd<'_>, mut act: impl FnMut(&CStr, bool)) {
    for entry in Dir::read_from(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode)),
            kind => kind,
        };
        act(name, kind == FileType::Directory);
    }
}

/// Opens a directory for its owner, and with it the descriptor that it is emptied by.
fn opened(parent: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy) -> Option<OwnedFd> {
    let read = || openat(parent, name, FLAGS | OFlags::RDONLY, Mode::empty());
    let directory = match read() {
        Err(Errno::ACCESS) => {
            unlock(parent, name);
            read()
        }
        directory => directory,
    };
    let directory = directory.ok()?;
    // Fails for a directory of somebody else, which may be empty.
    let _ = fchmod(&directory, Mode::RWXU);
    Some(directory)
}

/// Opens a directory that its owner may not read to its owner: by the descriptor, since the kernel changes the mode of no
/// name without following links before Linux 6.6.
#[cfg(target_os = "linux")]
fn unlock(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) {
    use std::os::fd::AsRawFd;
    if let Ok(found) = openat(parent, name, FLAGS | OFlags::PATH, Mode::empty()) {
        let _ = rustix::fs::chmod(format!("/proc/self/fd/{}", found.as_raw_fd()), Mode::RWXU);
    }
}

#[cfg(not(target_os = "linux"))]
fn unlock(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) {
    let _ = rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::Barrier;

    use rustix::fs::open;

    use super::*;

    // SPEC 13.10
    #[test]
    fn neither_depth_nor_links_nor_modes_keep_it() {
        let base = tempfile::tempdir().expect("a directory");
        let (top, kept) = (base.path().join("top"), base.path().join("kept"));
        fs::create_dir_all(&kept).expect("a directory");
        fs::write(kept.join("file"), "").expect("a file");
        fs::create_dir_all(top.join("a/b")).expect("a directory");
        fs::write(top.join("a/b/c"), "").expect("a file");
        fs::create_dir_all(top.join("closed/inner")).expect("a directory");
        fs::set_permissions(top.join("closed"), fs::Permissions::from_mode(0o000)).expect("a mode");
        symlink(&kept, top.join("a/link")).expect("a link");
        symlink(&kept, top.join("link")).expect("a link");
        // Deeper than a path can say, than a stack takes with a frame for each, and than descriptors can be open.
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
        assert_eq!(fs::metadata(&kept).expect("there").permissions().mode() & 0o777, 0o755);
    }

    // SPEC 13.10: what a name or a path has become meanwhile does not count
    #[test]
    fn no_link_leads_elsewhere() {
        let base = tempfile::tempdir().expect("a directory");
        let (parent, moved, victim) =
            (base.path().join("parent"), base.path().join("moved"), base.path().join("victim"));
        for directory in [parent.join("top/in"), victim.join("top/in")] {
            fs::create_dir_all(&directory).expect("a directory");
            fs::write(directory.join("file"), "").expect("a file");
        }
        let held = open(&parent, OFlags::DIRECTORY, Mode::empty()).expect("opened");
        fs::rename(&parent, &moved).expect("moved");
        symlink(&victim, &parent).expect("a link");
        remove_below(held.as_fd(), OsStr::new("top"));
        assert!(!moved.join("top").exists() && victim.join("top/in/file").exists());
        // In the place of the directory itself there is a link.
        symlink(victim.join("top"), moved.join("top")).expect("a link");
        remove_below(held.as_fd(), OsStr::new("top"));
        assert!(victim.join("top/in/file").exists());
    }

    // SPEC 13.10: even if somebody exchanges directories for links while it is removed
    #[test]
    fn nothing_that_is_exchanged_leads_elsewhere() {
        const COUNT: usize = 400;
        let base = tempfile::tempdir().expect("a directory");
        let victim = base.path().join("victim");
        fs::create_dir_all(victim.join("inner")).expect("a directory");
        fs::write(victim.join("secret"), "").expect("a file");
        let top = base.path().join("top");
        for round in 0..20 {
            (0..COUNT).for_each(|at| fs::create_dir_all(top.join(at.to_string())).expect("a directory"));
            let both = Barrier::new(2);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    both.wait();
                    for name in (0..COUNT).map(|at| top.join(at.to_string())) {
                        if fs::remove_dir(&name).is_ok() {
                            let _ = symlink(&victim, &name);
                        }
                    }
                });
                both.wait();
                remove_tree(&top);
            });
            remove_tree(&top);
            assert!(victim.join("secret").exists() && victim.join("inner").exists(), "round {round}");
            assert_eq!(fs::metadata(&victim).expect("there").permissions().mode() & 0o777, 0o755);
        }
    }
}
