//! The directories in which the user writes skills: an edit keeps their trust. Each is bound to the identity of the
//! directory, so that nothing that takes its place is trusted.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use skills_text::{shell_path, visible};

/// A directory whose edits keep its trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedDirectory {
    /// The real path of the directory.
    pub(super) path: PathBuf,
    pub(super) identity: Identity,
    /// Whether the directory was the root of a repository when it was recorded.
    pub(super) is_repository: bool,
}

/// The facts by which a directory differs from any other one that was ever at its path. An inode number alone is used
/// again after its directory was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The number of the file system.
    pub(super) device: u64,
    pub(super) inode: u64,
    /// When the directory was created, in nanoseconds since 1970.
    pub(super) created: u64,
    /// The number of the user who owns it.
    pub(super) owner: u32,
}

/// The reason why edits in a directory are not followed.
#[derive(Debug)]
#[non_exhaustive]
pub enum FollowFault {
    /// This system or file system does not tell a directory from another one at the same path.
    NoIdentity,
    /// The directory, or a directory above it, was replaced by a link that leads to this path.
    Linked(PathBuf),
    /// Another directory is at the path now.
    Replaced,
    /// The directory is now the root of a repository, which has this file or directory.
    Repository(PathBuf),
    /// This file or directory belongs to another user.
    Owner(PathBuf),
    /// Other users may write to this file or directory.
    Writable(PathBuf),
    /// Another directory or file is mounted at this path.
    Mounted(PathBuf),
    /// This link leads out of the directory.
    Outside(PathBuf),
    /// The directory has more than 100,000 files.
    TooMany,
    /// This path cannot be read.
    Unreadable(PathBuf, io::Error),
}

/// The maximum number of files and directories in a followed directory.
#[cfg(unix)]
const MAX_ENTRIES: usize = 100_000;

impl FollowedDirectory {
    /// Describes the directory that is at a real path now. It must belong to the user, like everything in it.
    pub(super) fn open(path: PathBuf) -> Result<Self, FollowFault> {
        let identity = identity(&path)?;
        check_files(&path, identity.owner)?;
        let is_repository = find_repository(&path).is_some();
        Ok(Self { path, identity, is_repository })
    }

    /// Returns the real path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the directory is the recorded one, and that only its owner can have changed its files.
    ///
    /// # Errors
    /// The reason why its edits are not followed any more.
    pub fn check(&self) -> Result<(), FollowFault> {
        let real = std::fs::canonicalize(&self.path)
            .map_err(|error| FollowFault::Unreadable(self.path.clone(), error))?;
        if real != self.path {
            return Err(FollowFault::Linked(real));
        }
        if identity(&self.path)? != self.identity {
            return Err(FollowFault::Replaced);
        }
        if let Some(marker) = find_repository(&self.path).filter(|_| !self.is_repository) {
            return Err(FollowFault::Repository(marker));
        }
        check_files(&self.path, self.identity.owner)
    }

    /// Returns the reason for a person, with what to do. If another directory is there, this is the command that follows its
    /// edits.
    pub(super) fn lost(&self, fault: &FollowFault) -> String {
        let path = visible(&shell_path(&self.path));
        match fault {
            FollowFault::Linked(real) => {
                let real = visible(&shell_path(real));
                format!("{path}: {fault}; if it is yours, run `skills trust --follow-edits {real}`")
            }
            FollowFault::Replaced | FollowFault::Repository(_) => {
                format!("{path}: {fault}; if it is yours, run `skills trust --follow-edits {path}`")
            }
            fault => format!(
                "{fault}; repair that, and edits are followed again, or run `skills trust {path}` to trust the files \
                 as they are"
            ),
        }
    }
}

/// Returns the file or directory by which a directory is the root of a repository.
pub(super) fn find_repository(directory: &Path) -> Option<PathBuf> {
    let markers = [".git", ".hg", ".jj", ".svn"].map(|marker| directory.join(marker));
    markers.into_iter().find(|marker| marker.symlink_metadata().is_ok())
}

/// Returns the identity of a directory that belongs to this user.
#[cfg(unix)]
fn identity(path: &Path) -> Result<Identity, FollowFault> {
    use std::os::unix::fs::MetadataExt;
    use std::time::UNIX_EPOCH;
    let metadata = read_metadata(path)?;
    let owner = metadata.uid();
    if owner != rustix::process::geteuid().as_raw() {
        return Err(FollowFault::Owner(path.to_owned()));
    }
    let created = metadata.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let created = created.and_then(|time| u64::try_from(time.as_nanos()).ok()).unwrap_or_default();
    if created == 0 || !metadata.is_dir() {
        return Err(FollowFault::NoIdentity);
    }
    // Some file systems get another device number at each start of the system, but keep their own number.
    let file_system = rustix::fs::statvfs(path);
    let file_system = file_system.map_err(|error| FollowFault::Unreadable(path.to_owned(), error.into()))?;
    let device = if file_system.f_fsid == 0 { metadata.dev() } else { file_system.f_fsid };
    Ok(Identity { device, inode: metadata.ino(), created, owner })
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Result<Identity, FollowFault> {
    Err(FollowFault::NoIdentity)
}

/// Checks that a directory and everything in it belongs to the owner and is in this directory, and that nobody else can
/// write to it or exchange it.
#[cfg(unix)]
fn check_files(root: &Path, owner: u32) -> Result<(), FollowFault> {
    match walk_files(root, owner) {
        // A program removes or renames a directory meanwhile.
        Err(FollowFault::Unreadable(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            walk_files(root, owner)
        }
        walked => walked,
    }
}

#[cfg(unix)]
fn walk_files(root: &Path, owner: u32) -> Result<(), FollowFault> {
    use std::os::unix::fs::MetadataExt;
    for above in root.ancestors().skip(1) {
        check_above(above, owner)?;
    }
    let device = check_writers(root, owner)?.dev();
    let mut waiting = vec![root.to_owned()];
    let mut count = 0;
    while let Some(directory) = waiting.pop() {
        let entries = std::fs::read_dir(&directory);
        for entry in entries.map_err(|error| FollowFault::Unreadable(directory.clone(), error))? {
            let path = entry.map_err(|error| FollowFault::Unreadable(directory.clone(), error))?.path();
            count += 1;
            if count > MAX_ENTRIES {
                return Err(FollowFault::TooMany);
            }
            let metadata = match check_writers(&path, owner) {
                // An editor or a program may remove a file meanwhile.
                Err(FollowFault::Unreadable(_, error)) if error.kind() == io::ErrorKind::NotFound => continue,
                metadata => metadata?,
            };
            if metadata.dev() != device || is_mounted(&path) {
                return Err(FollowFault::Mounted(path));
            }
            if metadata.is_symlink() {
                check_link(root, path)?;
            } else if metadata.is_dir() {
                waiting.push(path);
            }
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_files(_: &Path, _: u32) -> Result<(), FollowFault> {
    Err(FollowFault::NoIdentity)
}

/// Checks that nobody but the owner and the system can exchange what is in a directory above a followed one. Everybody may
/// write to a sticky directory, such as `/tmp`, but exchanges only their own files there.
#[cfg(unix)]
fn check_above(directory: &Path, owner: u32) -> Result<(), FollowFault> {
    use std::os::unix::fs::MetadataExt;
    let metadata = read_metadata(directory)?;
    if metadata.uid() != owner && metadata.uid() != 0 {
        return Err(FollowFault::Owner(directory.to_owned()));
    }
    let is_sticky = metadata.mode() & 0o1000 != 0;
    if !is_sticky && may_others_write(directory, &metadata) {
        return Err(FollowFault::Writable(directory.to_owned()));
    }
    Ok(())
}

/// Checks that a file or directory belongs to the owner, and that nobody else can write to it.
#[cfg(unix)]
fn check_writers(path: &Path, owner: u32) -> Result<std::fs::Metadata, FollowFault> {
    use std::os::unix::fs::MetadataExt;
    let metadata = read_metadata(path)?;
    if metadata.uid() != owner {
        return Err(FollowFault::Owner(path.to_owned()));
    }
    // The mode of a link has no effect.
    if !metadata.is_symlink() && may_others_write(path, &metadata) {
        return Err(FollowFault::Writable(path.to_owned()));
    }
    Ok(metadata)
}

/// Returns `true` if other users than the owner of a file may write to it. Several systems give each user a group of their
/// own with the same number, and let it write by default. With an access list, the bits of the group are the maximum of the
/// whole list.
#[cfg(unix)]
fn may_others_write(path: &Path, metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    if metadata.mode() & 0o020 != 0 && (metadata.gid() != metadata.uid() || has_access_list(path)) {
        return true;
    }
    metadata.mode() & 0o002 != 0
}

#[cfg(unix)]
fn read_metadata(path: &Path) -> Result<std::fs::Metadata, FollowFault> {
    std::fs::symlink_metadata(path).map_err(|error| FollowFault::Unreadable(path.to_owned(), error))
}

/// Returns `true` if a file or directory has an access list, or if that cannot be known.
#[cfg(target_os = "linux")]
fn has_access_list(path: &Path) -> bool {
    use rustix::io::Errno;
    let size = rustix::fs::lgetxattr_query(path, c"system.posix_acl_access");
    !matches!(size, Err(Errno::NODATA | Errno::NOTSUP))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn has_access_list(_: &Path) -> bool {
    false
}

/// Returns `true` if something is mounted at a path, which may be in the same file system.
#[cfg(target_os = "linux")]
fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::TYPE);
    found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Checks that a link leads to a file of the directory. A link that leads nowhere has no files.
#[cfg(unix)]
fn check_link(root: &Path, link: PathBuf) -> Result<(), FollowFault> {
    match std::fs::canonicalize(&link) {
        Ok(real) if real.starts_with(root) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(_) => Err(FollowFault::Outside(link)),
        Err(error) => Err(FollowFault::Unreadable(link, error)),
    }
}

impl fmt::Display for FollowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIdentity => f.write_str(
                "edits cannot be followed here: the file system does not record when a directory was created",
            ),
            Self::Linked(real) => write!(f, "a link to {} has taken its place", shown(real)),
            Self::Replaced => f.write_str("it was replaced by another directory"),
            Self::Repository(marker) => {
                write!(f, "it has become the root of a repository, by {}", shown(marker))
            }
            Self::Owner(path) => write!(f, "{} belongs to another user", shown(path)),
            Self::Writable(path) => write!(f, "other users may write to {}", shown(path)),
            Self::Mounted(path) => write!(f, "something is mounted at {}", shown(path)),
            Self::Outside(path) => write!(f, "the link {} leads out of the directory", shown(path)),
            Self::TooMany => f.write_str("it has more than 100,000 files"),
            Self::Unreadable(path, error) => write!(f, "{}: {error}", shown(path)),
        }
    }
}

impl std::error::Error for FollowFault {}

/// Returns a path without control characters.
pub(super) fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}
