//! Reads one file, within a size limit and never from outside the root. Used by `files` and `ignore`.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::caps;
use super::inside::RealRoot;
use super::links::{self, OpenableFile, Opening};
use super::listing::{EntryType, ListedEntry};
use super::overlay::Overlay;
use super::problem::UnplacedProblem;
use crate::rule::files;

/// A file that was read completely, or only its head.
#[derive(Debug)]
pub(super) struct Opened {
    /// All bytes, or only the first ones if only the head was requested.
    pub(super) bytes: Vec<u8>,
    /// The size of the file in bytes.
    pub(super) size: u64,
    /// Whether its mode allows anyone to execute it.
    pub(super) mode_executable: bool,
    /// The number of hard links to the file.
    pub(super) links: u64,
}

/// The requested part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Whole,
    Head,
}

/// Enough bytes for `#!` and for the first line of a key file after comments.
const HEAD: u64 = 1024;

/// Determines the type of an entry in a directory given by its real path. Fails if it is a link that is not
/// followed, or neither file nor directory.
pub(super) fn look(root: &RealRoot, parent: &Path, entry: &ListedEntry) -> Result<Opening, UnplacedProblem> {
    let real = parent.join(&entry.name);
    match entry.kind {
        EntryType::File => Ok(Opening::File(OpenableFile { real, inode: entry.inode })),
        EntryType::Directory => Ok(Opening::Directory(real)),
        EntryType::Special(what) => Err(links::special(what)),
        EntryType::Link => links::resolve(root, &real),
    }
}

/// Opens the required file of an entry and reads at most `cap` bytes. Fails if it is not a file, cannot be
/// read, or is larger than the limit.
pub(super) fn read_entry(
    root: &RealRoot,
    over: &Overlay,
    parent: &Path,
    entry: &ListedEntry,
    cap: u64,
) -> Result<Opened, UnplacedProblem> {
    match look(root, parent, entry)? {
        Opening::File(source) => read(root, over, &source, &entry.name, cap, Want::Whole),
        Opening::Directory(_) => Err(UnplacedProblem::new(
            &files::SPECIAL_FILE,
            format!("`{}` is a directory", entry.name),
            format!("replace it with a file: only a file may have the name `{}`", entry.name),
        )
        .label("expected a file")),
    }
}

/// Reads a file; `name` is for messages. Fails if the file cannot be read, was replaced by a file outside the
/// root, or is larger than `cap` bytes.
pub(super) fn read(
    root: &RealRoot,
    over: &Overlay,
    source: &OpenableFile,
    name: &str,
    cap: u64,
    want: Want,
) -> Result<Opened, UnplacedProblem> {
    if let Some(Some(file)) = over.get(&source.real) {
        let size = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
        if size > cap {
            return Err(caps::file_too_large(name, Some(size), cap));
        }
        return Ok(Opened { bytes: file.bytes.clone(), size, mode_executable: file.executable, links: 1 });
    }
    let (file, metadata) = root.open_listed(&source.real, source.inode).map_err(report_unreadable)?;
    if let EntryType::Special(what) = EntryType::from_file_type(metadata.file_type()) {
        return Err(links::special(what));
    }
    if !root.is_located {
        confirm(root, source, &metadata)?;
    }
    if metadata.len() > cap {
        return Err(caps::file_too_large(name, Some(metadata.len()), cap));
    }
    let mode_executable = may_execute(&metadata).unwrap_or(false);
    // The size at opening is known, so no second read is needed to detect the end. Some systems report no
    // size.
    let limit = match (want, metadata.len()) {
        (Want::Head, _) => HEAD,
        (Want::Whole, 0) => cap.saturating_add(1),
        (Want::Whole, size) => size,
    };
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0));
    file.take(limit).read_to_end(&mut bytes).map_err(report_unreadable)?;
    let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if want == Want::Whole && read > cap {
        return Err(caps::file_too_large(name, None, cap));
    }
    let size = if want == Want::Whole { read } else { metadata.len() };
    Ok(Opened { bytes, size, mode_executable, links: links(&metadata) })
}

fn report_unreadable(error: io::Error) -> UnplacedProblem {
    UnplacedProblem::unreadable(&error, "the file")
}

/// Checks, before it is read, that an open file is the listed file. This is for systems that do not report the path
/// of an open file. The listing contains the inode number of each file, so the check is free unless a file was
/// replaced or the file system uses other numbers in listings. The target of a link is always resolved again.
#[cfg(unix)]
fn confirm(root: &Path, source: &OpenableFile, opened: &Metadata) -> Result<(), UnplacedProblem> {
    use std::os::unix::fs::MetadataExt;
    if source.inode == Some(opened.ino()) {
        return Ok(());
    }
    let real = fs::canonicalize(&source.real).map_err(report_unreadable)?;
    let now = fs::symlink_metadata(&real).map_err(report_unreadable)?;
    if real.starts_with(root) && (now.dev(), now.ino()) == (opened.dev(), opened.ino()) {
        return Ok(());
    }
    Err(report_unreadable(io::Error::other("it was replaced while it was being read")))
}

#[cfg(not(unix))]
fn confirm(root: &Path, source: &OpenableFile, _: &Metadata) -> Result<(), UnplacedProblem> {
    if source.inode.is_none() {
        return Ok(());
    }
    let real = fs::canonicalize(&source.real).map_err(report_unreadable)?;
    if real.starts_with(root) { Ok(()) } else { Err(report_unreadable(io::Error::other("it was replaced"))) }
}

/// Returns `true` if anyone may execute a file; `None` on a system without such a bit.
#[cfg(unix)]
pub fn may_execute(metadata: &Metadata) -> Option<bool> {
    Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0)
}

/// Returns `true` if anyone may execute a file; `None` on a system without such a bit.
#[cfg(not(unix))]
pub fn may_execute(_: &Metadata) -> Option<bool> {
    None
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    // SPEC 1.4; SPEC 12.3: files outside the root are never read
    #[test]
    fn a_file_exchanged_after_the_listing_is_not_read_from_outside() {
        let top = std::env::temp_dir().join(format!("skills-core-exchange-{}", std::process::id()));
        fs::create_dir_all(top.join("root")).unwrap();
        let root = RealRoot::new(fs::canonicalize(top.join("root")).unwrap());
        let unlocated = RealRoot { is_located: false, ..root.clone() };
        fs::write(top.join("secret"), "secret").unwrap();
        fs::write(root.join("plain"), "plain").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        let listed = |name: &str| OpenableFile { real: root.join(name), inode: Some(1) };
        let over = Overlay::default();
        let read = |root: &RealRoot, name: &str| read(root, &over, &listed(name), name, 100, Want::Whole);
        // If the number is that of the listing, the path is not checked: a link that replaced the file would
        // have another number.
        let number = std::os::unix::fs::MetadataExt::ino(&fs::metadata(root.join("plain")).unwrap());
        assert!(root.open_listed(&root.join("plain"), Some(number)).is_ok());
        assert!(root.open_listed(&root.join("link"), Some(number)).is_err());
        let outcomes = [&root, &unlocated].map(|root| (read(root, "plain"), read(root, "link")));
        fs::remove_dir_all(&top).unwrap();
        for (plain, link) in outcomes {
            assert_eq!(plain.unwrap().bytes, b"plain", "a listing may number files in its own way");
            assert!(link.is_err());
        }
    }

    // SPEC 1.3
    #[test]
    fn the_bit_is_read_in_one_place() {
        fn readers(dir: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    readers(&path, found);
                } else if fs::read_to_string(&path).unwrap().contains(") & 0o111") {
                    found.push(path.file_name().unwrap().to_string_lossy().into_owned());
                }
            }
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for dir in [own.join("src"), own.join("../../tools/skills-lsp/src")].iter().filter(|dir| dir.is_dir())
        {
            readers(dir, &mut found);
        }
        assert_eq!(found, ["open.rs"]);
    }
}
