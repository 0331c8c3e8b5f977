//! The file of trusted directories: JSON, replaced atomically.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use skills_schema::json::make::{array, boolean, number, object, string};
use skills_schema::json::{self, Node};
use skills_sign::{Contents, unhex};
use skills_text::hex;

use super::followed::{FollowedDirectory, Identity};

use skills_files::{Locked, create_private_dir, open_locked, private_options};

/// A trusted directory.
#[derive(Debug)]
pub struct Entry {
    /// The real path of a directory, or the URI of a skill of a server.
    pub(super) path: PathBuf,
    /// The address of the server.
    pub(super) server: Option<String>,
    pub(super) contents: Contents,
    /// The permissions of the skills that list any, as JSON, by the names of the skills.
    pub(super) permissions: BTreeMap<String, String>,
}

/// The contents of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    /// The directories and the skills of servers that were trusted as they were, sorted.
    pub(super) entries: Vec<Arc<Entry>>,
    /// The directories whose edits are followed, sorted by path.
    pub(super) followed: Vec<Arc<FollowedDirectory>>,
    /// The directories in followed ones whose edits are not followed, by real paths, sorted.
    pub(super) excluded: Vec<PathBuf>,
}

impl Records {
    /// Stops following edits at a real path and everything below it. Returns `true` if a followed directory contains it, and
    /// it was not excluded before.
    pub(super) fn exclude(&mut self, path: &Path) -> bool {
        self.followed.retain(|followed| !followed.path.starts_with(path));
        let is_new = self.followed.iter().any(|followed| path.starts_with(&followed.path))
            && !self.excluded.iter().any(|excluded| excluded == path);
        if is_new {
            self.excluded.push(path.to_owned());
        }
        is_new
    }
}

const VERSION: &str = "1";

/// The maximum size of the file.
const MAX_SIZE: u64 = 256 << 20;

/// Returns the user's configuration directory.
pub(super) fn config() -> Option<PathBuf> {
    if let Some(given) = absolute_dir("XDG_CONFIG_HOME") {
        return Some(given);
    }
    if cfg!(windows) {
        return absolute_dir("APPDATA");
    }
    let home = std::env::home_dir().filter(|home| home.is_absolute())?;
    Some(if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        home.join(".config")
    })
}

fn absolute_dir(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Reads the file. Returns `None` if it does not exist.
pub(super) fn text(path: &Path) -> Result<Option<String>, String> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error.to_string()),
    };
    if !metadata.is_file() || metadata.len() > MAX_SIZE {
        return Err("it is not a file, or it is too large".to_owned());
    }
    #[cfg(unix)]
    if let Some(fault) = whose(path, &metadata) {
        return Err(fault.to_owned());
    }
    fs::read_to_string(path).map(Some).map_err(|error| error.to_string())
}

/// Returns the reason if another user could have written the file.
#[cfg(unix)]
fn whose(path: &Path, metadata: &fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    if metadata.mode() & 0o022 != 0 {
        return Some("others may write to it");
    }
    let user = rustix::process::geteuid();
    if !user.is_root() && metadata.uid() != user.as_raw() && metadata.uid() != 0 {
        return Some("it belongs to another user");
    }
    // A user who can write to the directory can replace the file; in a sticky directory, only with their own
    // file.
    let above = fs::metadata(path.parent()?).ok()?;
    (above.mode() & 0o1002 == 0o002).then_some("others may write to its directory")
}

pub(super) fn parse(text: &str) -> Option<Records> {
    let document = json::parse(text).ok()?;
    let is_known =
        matches!(&document.get("version")?.kind, json::Kind::Number(version) if version == VERSION);
    let followed = document.get("followed").map(Node::items).unwrap_or_default().iter().map(parse_followed);
    let followed = followed.collect::<Option<Vec<_>>>()?;
    let excluded = document.get("excluded").map(Node::items).unwrap_or_default().iter();
    let excluded = excluded.map(|path| path.as_str().map(PathBuf::from).filter(|path| path.is_absolute()));
    let excluded = excluded.collect::<Option<Vec<_>>>()?;
    let entries = document.get("trusted").filter(|_| is_known)?.items().iter().map(|entry| {
        let files = entry.get("files")?.members().iter();
        let files: Option<Vec<_>> =
            files.map(|file| Some((file.key.clone(), unhex(file.value.as_str()?)?))).collect();
        let path = PathBuf::from(entry.get("path")?.as_str()?);
        let contents = Contents::from_files(files?);
        // A file that was edited by hand must not be trusted in part.
        let is_whole = unhex(entry.get("digest")?.as_str()?)? == contents.whole();
        // Files of older versions have no permissions.
        let members = entry.get("permissions").map(Node::members).unwrap_or_default().iter();
        let permissions = members.map(|member| (member.key.clone(), member.value.to_string())).collect();
        let server = entry.get("server").and_then(Node::as_str).map(str::to_owned);
        let is_place = path.is_absolute() != server.is_some();
        (is_whole && is_place).then(|| Arc::new(Entry { path, server, contents, permissions }))
    });
    Some(Records { entries: entries.collect::<Option<_>>()?, followed, excluded })
}

fn parse_followed(node: &Node) -> Option<Arc<FollowedDirectory>> {
    // Large numbers are strings, since many JSON parsers round them.
    fn parse<N: FromStr>(node: &Node, key: &str) -> Option<N> {
        node.get(key)?.as_str()?.parse().ok()
    }
    let path = PathBuf::from(node.get("path")?.as_str()?);
    let identity = Identity {
        device: parse(node, "device")?,
        inode: parse(node, "inode")?,
        created: parse(node, "created")?,
        owner: parse(node, "owner")?,
    };
    let repository = node.get("repository").map(|node| &node.kind);
    let is_repository = matches!(repository, Some(json::Kind::Bool(true)));
    path.is_absolute().then(|| Arc::new(FollowedDirectory { path, identity, is_repository }))
}

pub(super) fn print(records: &Records) -> String {
    let document = object([
        ("version", number(VERSION)),
        ("trusted", array(records.entries.iter().map(write_entry))),
        ("followed", array(records.followed.iter().map(|followed| print_followed(followed)))),
        ("excluded", array(records.excluded.iter().map(|path| string(path.to_string_lossy())))),
    ]);
    document.indented(0) + "\n"
}

fn write_entry(entry: &Arc<Entry>) -> Node {
    let files: Vec<(&str, Node)> =
        entry.contents.files().map(|(path, digest)| (path, string(hex(digest)))).collect();
    let permissions: Vec<(String, Node)> = entry
        .permissions
        .iter()
        .filter_map(|(name, text)| Some((name.clone(), json::parse(text).ok()?)))
        .collect();
    let mut members = vec![
        ("path", string(entry.path.to_string_lossy())),
        ("digest", string(hex(&entry.contents.whole()))),
        ("files", object(files)),
        ("permissions", object(permissions.iter().map(|(name, node)| (name.as_str(), node.clone())))),
    ];
    if let Some(server) = &entry.server {
        members.insert(0, ("server", string(server)));
    }
    object(members)
}

fn print_followed(followed: &FollowedDirectory) -> Node {
    let Identity { device, inode, created, owner } = followed.identity;
    let facts = [("device", device), ("inode", inode), ("created", created), ("owner", owner.into())];
    let facts = facts.map(|(key, value)| (key, string(value.to_string())));
    let path = ("path", string(followed.path.to_string_lossy()));
    let repository = ("repository", boolean(followed.is_repository));
    object([path].into_iter().chain(facts).chain([repository]))
}

/// Waits for exclusive write access, which lasts until the result is dropped. It locks a separate file, since
/// the file itself is replaced.
pub(super) fn turn(path: &Path) -> io::Result<Locked> {
    /// How long to wait for another process.
    const LONGEST: Duration = Duration::from_secs(20);
    let above = path.parent().unwrap_or(Path::new("."));
    create_private_dir(above)?;
    let begin = Instant::now();
    loop {
        if let Some(held) = open_locked(&above.join(".trust.json.lock"))? {
            return Ok(held);
        }
        if begin.elapsed() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "another process writes it"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Replaces the file atomically, readable and writable only by the user.
pub(super) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    // Under the lock no other process writes, so an existing temporary file is a leftover.
    let aside = path.with_file_name(".trust.json.new");
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write_new(&aside, &path, text).inspect_err(|_| {
        fs::remove_file(&aside).ok();
    })
}

fn write_new(aside: &Path, path: &&Path, text: &str) -> Result<(), io::Error> {
    let mut file = private_options().create_new(true).open(aside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(aside, *path)
}
