//! Caches files of servers on disk, by server, skill and digest. Only this user can read them, and their
//! digests are computed again whenever they are used.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use skills_files::{Dir, create_private_dir};
use skills_text::hex;

/// How many bytes of one server are kept, by default.
const DEFAULT_SIZE: u64 = 256 << 20;

/// The maximum size of a list of skills, in bytes.
const MAX_LIST: u64 = 32 << 20;

/// The cache of verified files.
#[derive(Clone, Debug)]
pub struct Cache {
    /// `None` without a cache directory; then every use reads from the server.
    root: Option<PathBuf>,
    max_bytes: u64,
}

impl Cache {
    /// Creates the cache of this user: `skills/mcp` below `$XDG_CACHE_HOME`, which is `~/.cache` by default, and
    /// `~/Library/Caches` on macOS. No loader searches this directory for skills.
    pub fn of_user() -> Self {
        let caches = if cfg!(target_vendor = "apple") { "Library/Caches" } else { ".cache" };
        let set = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let base = set
            .or_else(|| std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(caches)));
        Self { root: base.map(|base| base.join("skills").join("mcp")), max_bytes: DEFAULT_SIZE }
    }

    /// Creates a cache in a directory.
    pub fn in_directory(root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), max_bytes: DEFAULT_SIZE }
    }

    /// Sets how many bytes of each server are kept. The files that were written first are removed first.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Returns the file with a digest, if it is there and whole.
    pub(crate) fn get(&self, server: &str, uri: &str, sha256: &[u8; 32], size: u32) -> Option<Vec<u8>> {
        let directory = self.open(&[&key(server), &key(uri)], false).ok()?;
        let bytes = directory.read(OsStr::new(&hex(sha256)), u64::from(size)).ok()?;
        (hmac_sha256::Hash::hash(&bytes) == *sha256).then_some(bytes)
    }

    /// Keeps a file that was verified. A cache that cannot be written is not an error.
    pub(crate) fn keep(&self, server: &str, uri: &str, sha256: &[u8; 32], bytes: &[u8]) {
        let directory = self.open(&[&key(server), &key(uri)], true);
        let kept = directory.and_then(|directory| directory.replace(OsStr::new(&hex(sha256)), bytes, None));
        if kept.is_ok() {
            drop(self.shrink(server));
        }
    }

    /// Returns the last list of a server.
    pub(crate) fn list(&self, server: &str) -> Option<Vec<u8>> {
        self.open(&[&key(server)], false).ok()?.read(OsStr::new("list.json"), MAX_LIST).ok()
    }

    /// Keeps the list of a server, and its address. An unchanged list is not written again, because waiting for the
    /// disk would be the slowest part of a start.
    pub(crate) fn put_list(&self, server: &str, list: &[u8]) {
        if self.list(server).is_some_and(|kept| kept == list) {
            return;
        }
        drop(self.write_list(server, list));
    }

    fn write_list(&self, server: &str, list: &[u8]) -> io::Result<()> {
        let directory = self.open(&[&key(server)], true)?;
        directory.replace(OsStr::new("server"), server.as_bytes(), None)?;
        directory.replace(OsStr::new("list.json"), list, None)
    }

    /// Removes everything of a server.
    ///
    /// # Errors
    /// The errors of the system.
    pub fn remove(&self, server: &str) -> io::Result<()> {
        let removed = self.open(&[], false).and_then(|root| root.remove_tree(OsStr::new(&key(server))));
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Opens a directory of the cache by its descriptor, without following a link.
    fn open(&self, below: &[&str], creates: bool) -> io::Result<Dir> {
        let root = self.root.as_deref().ok_or(io::ErrorKind::NotFound)?;
        if creates {
            create_private_dir(&below.iter().fold(root.to_owned(), |path, part| path.join(part)))?;
        }
        is_private(root)?;
        below.iter().try_fold(Dir::open(root)?, |dir, part| dir.open_dir(OsStr::new(part)))
    }

    /// Removes the oldest files of a server until the rest is within the bound.
    fn shrink(&self, server: &str) -> io::Result<()> {
        let Some(root) = &self.root else { return Ok(()) };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for skill in
            fs::read_dir(root.join(key(server)))?.flatten().filter(|skill| is_directory(&skill.path()))
        {
            for file in fs::read_dir(skill.path())?.flatten() {
                let metadata = file.metadata()?;
                files.push((metadata.modified()?, metadata.len(), file.path()));
            }
        }
        let mut total: u64 = files.iter().map(|(_, size, _)| *size).sum();
        files.sort();
        for (_, size, path) in files {
            if total <= self.max_bytes {
                break;
            }
            fs::remove_file(path)?;
            total = total.saturating_sub(size);
        }
        Ok(())
    }
}

fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Refuses a cache that other users could write to.
fn is_private(root: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(root)?;
    #[cfg(unix)]
    let is_open = std::os::unix::fs::MetadataExt::mode(&metadata) & 0o022 != 0;
    #[cfg(not(unix))]
    let is_open = false;
    if is_open || !metadata.is_dir() { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
}

/// Returns the name of a directory for a server or a skill: readable letters, and a digest that tells them apart.
fn key(text: &str) -> String {
    let readable: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect::<String>()
        .trim_matches('-')
        .chars()
        .take(40)
        .collect();
    let digest = hex(&hmac_sha256::Hash::hash(text.as_bytes()));
    format!("{readable}-{}", digest.get(..32).unwrap_or_default())
}
