//! Builds a cache entry if it is missing. Before each use, compares it with the plan and repairs the
//! differences.

use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::process::geteuid;
use skills_files::{ScratchDir, create_private_dir, sweep};

use super::File;
use super::plan::{DirectoryPlan, PlanEntry};

/// The maximum number of repair rounds. After that, another process is assumed to keep changing the entry.
const ROUNDS: usize = 16;

/// An entry under repair.
#[derive(Debug)]
pub(super) struct CacheEntry<'a> {
    root: &'a Path,
    staging: Option<ScratchDir>,
    repaired: bool,
}

impl CacheEntry<'_> {
    /// Returns the directory `key` below `root`. It holds exactly the planned files.
    pub(super) fn settle(root: &Path, key: &str, plan: &DirectoryPlan<'_>) -> io::Result<PathBuf> {
        let root = &own_root(root)?;
        let path = root.join(key);
        for _ in 0..ROUNDS {
            match settle_once(root, &path, plan) {
                Ok(true) => return Ok(path),
                Ok(false) => {}
                // Another process is changing the same entry.
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("others keep changing the cache entry"))
    }

    fn settle_directory(
        &mut self,
        directory: &Path,
        metadata: &Metadata,
        plan: &DirectoryPlan<'_>,
    ) -> io::Result<()> {
        if metadata.mode() & 0o7777 != 0o700 {
            fs::set_permissions(directory, Permissions::from_mode(0o700))?;
            self.repaired = true;
        }
        for found in fs::read_dir(directory)? {
            let found = found?;
            if !plan.has(&found.file_name()) {
                remove(&found.path(), &found.metadata()?)?;
                self.repaired = true;
            }
        }
        for (name, node) in plan.nodes() {
            let path = directory.join(name);
            match (node, metadata_of(&path)?) {
                (PlanEntry::Directory(plan), Some(metadata)) if is_own_directory(&metadata) => {
                    self.settle_directory(&path, &metadata, plan)?;
                }
                (PlanEntry::Directory(plan), metadata) => {
                    self.clear(&path, metadata)?;
                    DirBuilder::new().mode(0o700).create(&path)?;
                    self.settle_directory(&path, &fs::symlink_metadata(&path)?, plan)?;
                }
                (PlanEntry::File(file), Some(metadata)) if is_whole(&path, &metadata, file)? => {}
                (PlanEntry::File(file), metadata) => {
                    if metadata.as_ref().is_some_and(Metadata::is_dir) {
                        self.clear(&path, metadata)?;
                    }
                    self.replace(&path, file)?;
                }
            }
        }
        Ok(())
    }

    fn clear(&mut self, path: &Path, metadata: Option<Metadata>) -> io::Result<()> {
        self.repaired = true;
        metadata.map_or(Ok(()), |metadata| remove(path, &metadata))
    }

    /// Replaces a file by an atomic rename, so a running program keeps the old file.
    fn replace(&mut self, path: &Path, file: &File<'_>) -> io::Result<()> {
        self.repaired = true;
        let staging = match self.staging.take() {
            Some(staging) => staging,
            None => staging(self.root)?,
        };
        let aside = self.staging.insert(staging).path().join("file");
        write(&aside, file)?;
        fs::rename(&aside, path)
    }
}

/// Builds or repairs the entry at `path`. Returns `true` if the entry was already correct.
fn settle_once(root: &Path, path: &Path, plan: &DirectoryPlan<'_>) -> io::Result<bool> {
    match metadata_of(path)? {
        Some(metadata) if is_own_directory(&metadata) => {
            let mut entry = CacheEntry { root, staging: None, repaired: false };
            entry.settle_directory(path, &metadata, plan)?;
            Ok(!entry.repaired)
        }
        Some(metadata) => remove(path, &metadata).map(|()| false),
        None => build(root, path, plan).map(|()| false),
    }
}

/// Returns the metadata of a path, or `None` if it does not exist.
fn metadata_of(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        metadata => metadata.map(Some),
    }
}

/// Returns the error for a directory that must not be used.
fn refuse<T>(path: &Path, why: &str) -> io::Result<T> {
    Err(io::Error::other(format!("{} {why}", path.display())))
}

/// Creates the root if it is missing. Rejects a root that other users could change.
fn own_root(root: &Path) -> io::Result<PathBuf> {
    create_private_dir(root)?;
    let metadata = fs::symlink_metadata(root)?;
    if !is_own_directory(&metadata) {
        return refuse(root, "is a link or not the user's own");
    }
    if metadata.mode() & 0o022 != 0 {
        return refuse(root, "can be written by others");
    }
    let root = fs::canonicalize(root)?;
    for above in root.ancestors().skip(1) {
        let metadata = fs::metadata(above)?;
        let strangers = metadata.uid() != 0 && metadata.uid() != geteuid().as_raw();
        if strangers || metadata.mode() & 0o1002 == 0o002 {
            return refuse(above, "can be changed by others");
        }
    }
    Ok(root)
}

/// Creates a directory that is only used by this process, below an existing or new root.
pub(super) fn scratch(root: &Path) -> io::Result<ScratchDir> {
    staging(&own_root(root)?)
}

/// Creates a staging directory. Removes the staging directories of processes that no longer run.
fn staging(root: &Path) -> io::Result<ScratchDir> {
    const PREFIX: &str = ".staging-";
    sweep(root, PREFIX, Duration::ZERO);
    ScratchDir::new(root, PREFIX)
}

/// Builds the entry in a staging directory and renames it into place. The rename fails if another process was
/// faster.
fn build(root: &Path, path: &Path, plan: &DirectoryPlan<'_>) -> io::Result<()> {
    let staging = staging(root)?;
    write_all(staging.path(), plan)?;
    fs::rename(staging.path(), path)
}

/// Writes all planned files and directories into an empty directory.
pub(super) fn write_all(directory: &Path, plan: &DirectoryPlan<'_>) -> io::Result<()> {
    fs::set_permissions(directory, Permissions::from_mode(0o700))?;
    for (name, node) in plan.nodes() {
        let path = directory.join(name);
        match node {
            PlanEntry::File(file) => write(&path, file)?,
            PlanEntry::Directory(plan) => {
                DirBuilder::new().mode(0o700).create(&path)?;
                write_all(&path, plan)?;
            }
        }
    }
    Ok(())
}

fn write(path: &Path, file: &File<'_>) -> io::Result<()> {
    let mut written = fs::File::options().write(true).create_new(true).mode(mode(file)).open(path)?;
    written.write_all(file.bytes)?;
    // The umask of the process may have removed permission bits.
    written.set_permissions(Permissions::from_mode(mode(file)))
}

fn mode(file: &File<'_>) -> u32 {
    if file.executable { 0o700 } else { 0o600 }
}

/// Compares a file on disk with the bundled one, byte by byte.
fn is_whole(path: &Path, metadata: &Metadata, file: &File<'_>) -> io::Result<bool> {
    let expected = (geteuid().as_raw(), mode(file), u64::try_from(file.bytes.len()).ok());
    if !metadata.is_file() || (metadata.uid(), metadata.mode() & 0o7777, Some(metadata.len())) != expected {
        return Ok(false);
    }
    let nofollow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let mut found = fs::File::options().read(true).custom_flags(nofollow).open(path)?;
    let mut rest = file.bytes;
    let mut buffer = vec![0; rest.len().clamp(1, 64 * 1024)];
    loop {
        let count = found.read(&mut buffer)?;
        if count == 0 {
            return Ok(rest.is_empty());
        }
        match rest.strip_prefix(&buffer[..count]) {
            Some(after) => rest = after,
            None => return Ok(false),
        }
    }
}

fn is_own_directory(metadata: &Metadata) -> bool {
    metadata.is_dir() && metadata.uid() == geteuid().as_raw()
}

/// Removes the entry at `path`. For a link, removes the link and keeps its target.
fn remove(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let removed = if metadata.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns `true` if another process working on the same entry can cause this error. The next round sees its
/// changes.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | IsADirectory | NotADirectory | NotFound)
}

/// Returns the name of the entry for `files`: 32 hexadecimal digits of FNV-1a over every path, mode and
/// SHA-256. The order of the files does not matter.
///
/// The name only distinguishes contents. A comparison of the bytes decides whether an entry is complete.
pub(super) fn key(files: &[File<'_>]) -> String {
    let mut files: Vec<&File<'_>> = files.iter().collect();
    files.sort_by_key(|file| file.path);
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for file in files {
        // Paths contain no NUL, so two different lists never produce the same bytes.
        let separated = [0, u8::from(file.executable)];
        for byte in file.path.as_bytes().iter().chain(&separated).chain(&file.sha256) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::{File, key};

    // SPEC 7.4, 12.5
    #[test]
    fn every_part_of_the_content_counts_and_the_order_does_not() {
        let a = File { path: "a", bytes: b"", executable: false, sha256: [1; 32] };
        let b = File { path: "b", bytes: b"", executable: true, sha256: [2; 32] };
        assert_eq!(key(&[a, b]), key(&[b, a]));
        assert_eq!(key(&[a]).len(), 32);
        let others = [
            vec![],
            vec![a],
            vec![b],
            vec![a, b],
            vec![File { path: "c", ..a }, b],
            vec![File { executable: true, ..a }, b],
            vec![File { sha256: [3; 32], ..a }, b],
        ];
        for (at, one) in others.iter().enumerate() {
            assert!(others.iter().skip(at + 1).all(|other| key(one) != key(other)));
        }
    }

    // The published test vector of 128-bit FNV-1a for an empty input is its offset basis.
    #[test]
    fn nothing_hashes_to_the_offset_basis() {
        assert_eq!(key(&[]), "6c62272e07bb014262b821756295c58d");
    }
}
