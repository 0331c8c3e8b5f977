//! Creates bundles from short descriptions, and temporary directories, and reads their contents.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use skills_registry::{CompiledFile, CompiledSkill, Facts, Layout, Registry, write};

use crate::{InstallOptions, Report, SkillStatus, Target, install, status};

/// A skill of a test: its name, and its files by path. A file that starts with `#!` is executable.
pub(super) type Sketch<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// Creates a registry of skills with one version, each in a category.
pub(super) fn bundle(version: &str, skills: &[Sketch<'_>]) -> Registry {
    let compiled: Vec<CompiledSkill<'_>> = skills
        .iter()
        .map(|(name, files)| {
            let mut files: Vec<CompiledFile<'_>> = files
                .iter()
                .map(|(path, text)| CompiledFile {
                    path,
                    bytes: text.as_bytes(),
                    executable: text.starts_with("#!"),
                    sha256: hmac_sha256::Hash::hash(text.as_bytes()),
                })
                .collect();
            files.sort_by_key(|file| file.path);
            let body = files.iter().any(|file| file.path == "SKILL.md").then_some(0..0);
            let facts = Facts {
                name: (*name).to_owned(),
                dir: format!("category/{name}"),
                version: version.to_owned(),
                body,
                description: "Does it.".to_owned(),
                ..Facts::default()
            };
            CompiledSkill { files, ..facts.into() }
        })
        .collect();
    Registry::new(write(&compiled, Layout::Joined, 8_000).unwrap().into_tables())
}

/// A temporary directory for one test.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Self {
        Self::within(&std::env::temp_dir())
    }

    /// Creates one in memory if the system can, for tests that write thousands of files.
    pub(super) fn quick() -> Self {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Self::within(memory) } else { Self::new() }
    }

    fn within(parent: &Path) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("skills-install-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = parent.join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl From<&Scratch> for Target {
    fn from(scratch: &Scratch) -> Self {
        Self::from(&scratch.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Reads a directory: the text of each file by its path, with `*` before that of an executable one, and the targets
/// of links.
pub(super) fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    walk(root, "", &mut found);
    found
}

fn walk(root: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let path = if below.is_empty() { String::new() } else { format!("{below}/") }
            + entry.file_name().to_str().unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() {
            found.insert(format!("{path}/"), String::new());
            walk(root, &path, found);
        } else if metadata.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            found.insert(path, format!("-> {}", target.display()));
        } else if metadata.is_file() {
            let mark = if is_executable(&metadata) { "*" } else { "" };
            found.insert(path, format!("{mark}{}", fs::read_to_string(entry.path()).unwrap()));
        } else {
            found.insert(path, "special".to_owned());
        }
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// Returns the files of the skills, without the installer's own files and without directories.
pub(super) fn files(target: &Path) -> BTreeMap<String, String> {
    let mut found = tree(&target.join("skills"));
    found.retain(|path, _| !path.starts_with(".skills-") && !path.ends_with('/'));
    found
}

/// The same from a list.
pub(super) fn listed(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

pub(super) fn options() -> InstallOptions {
    InstallOptions::new("agent")
}

pub(super) fn put(target: &Path, path: &str, text: &str) {
    let path = target.join("skills").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(super) fn delete(target: &Path, path: &str) {
    let path = target.join("skills").join(path);
    if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
}

pub(super) fn run(registry: &Registry, target: &Path, options: &InstallOptions) -> Report {
    install(registry, target, options).unwrap()
}

/// Returns the lines of a report.
pub(super) fn lines(report: &Report) -> Vec<String> {
    report.to_string().lines().map(str::to_owned).collect()
}

/// Returns every skill and file with its state, as lines.
pub(super) fn states(registry: &Registry, target: &Path, options: &InstallOptions) -> Vec<String> {
    let line = |status: &SkillStatus| {
        let files = status.files.iter().map(|file| format!("{}/{}: {}", status.name, file.path, file.state));
        [format!("{}: {}", status.name, status.state)].into_iter().chain(files).collect::<Vec<_>>()
    };
    status(registry, target, options).unwrap().iter().flat_map(line).collect()
}
