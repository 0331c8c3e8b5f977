//! Reads where the skills of a directory came from: the entries of the nearest `skills.lock`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use skills_text::is_exact_path;

use super::ignore::git::up_to_repository;
use super::path::LOCK_FILE;
use super::project_file::read_text_below;
use crate::report::Report;
use crate::span::SourceMap;
use crate::tree::{Node, json, toml};

/// The largest lock file that is read, in bytes.
const MAX_LOCK_SIZE: u64 = 64 << 20;

/// The largest manifest of a plugin that is read, in bytes.
const MAX_MANIFEST_SIZE: u64 = 1 << 20;

/// The place that a skill of another project came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillOrigin {
    /// The source, such as `acme/skills@v1` or `crate:NAME`.
    pub source: String,
    /// The commit, or the version of the package. `None` for a directory.
    pub revision: Option<String>,
    /// The license of the skill, or of the whole source.
    pub license: Option<String>,
}

/// Finds the nearest lock file, from a directory up to the root of its repository.
pub fn lock_above(directory: &Path) -> Option<PathBuf> {
    let real = directory.canonicalize().ok()?;
    up_to_repository(&real).map(|above| above.join(LOCK_FILE)).find(|path| path.is_file())
}

/// Returns `true` if a file at the top of a skill or of its source holds the license, by its name.
pub fn is_license(path: &str) -> bool {
    const NAMES: [&str; 4] = ["license", "licence", "copying", "unlicense"];
    let path = path.to_lowercase();
    !path.contains('/') && NAMES.iter().any(|name| path.starts_with(name))
}

/// The entries of a lock file, by the real paths of the directories that they name.
#[derive(Debug, Default)]
pub struct Origins(BTreeMap<PathBuf, SkillOrigin>);

impl Origins {
    /// Reads the nearest lock file. A missing or damaged file has no entries; `skills sync --locked` reports a damaged one.
    pub(super) fn nearest(directory: &Path) -> Self {
        lock_above(directory).and_then(|path| Self::read(&path).ok()).unwrap_or_default()
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// It cannot be read, it is damaged, or it has another version.
    pub fn read(path: &Path) -> io::Result<Self> {
        let project = path.parent().unwrap_or(Path::new(""));
        let text = read_text_below(project, path, MAX_LOCK_SIZE)?;
        Self::parse(project, text).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "it is damaged, or has another version")
        })
    }

    fn parse(project: &Path, text: String) -> Option<Self> {
        let (mut sources, mut faults) = (SourceMap::new(""), Report::default());
        let file = sources.add(LOCK_FILE.to_owned(), text, None);
        let source = sources.file(file);
        let (tree, _) = toml::parse(source, 0..source.text.len(), &mut faults);
        let version = tree.get("version").and_then(Node::as_scalar);
        if !faults.diagnostics.is_empty() || version.is_none_or(|version| version.text != "1") {
            return None;
        }
        let mut origins = BTreeMap::new();
        for entry in tree.get("skill").and_then(Node::as_list).unwrap_or_default() {
            let directory = text_of(entry, "directory").filter(|directory| is_exact_path(directory))?;
            let origin = SkillOrigin {
                source: text_of(entry, "source")?,
                revision: text_of(entry, "revision"),
                license: text_of(entry, "license"),
            };
            // A folder of the project may be a link to another one.
            let path = project.join(directory.split('/').collect::<PathBuf>());
            origins.insert(path.canonicalize().unwrap_or(path), origin);
        }
        Some(Self(origins))
    }

    /// Returns the origin of the skill that contains a directory, given by its real path.
    pub fn find(&self, directory: &Path) -> Option<&SkillOrigin> {
        directory.ancestors().find_map(|above| self.0.get(above))
    }
}

/// Returns the owner on GitHub that the manifest of a plugin names, for a skill in its directory `skills`.
pub(super) fn owner_of_plugin(root: &Path, skill: &Path) -> Option<String> {
    let plugin = skill.parent()?.parent()?.join(".claude-plugin/plugin.json");
    let text = read_text_below(root, &plugin, MAX_MANIFEST_SIZE).ok()?;
    let mut sources = SourceMap::new("");
    let file = sources.add("plugin.json".to_owned(), text, None);
    let tree = json::parse(sources.file(file), &mut Report::default())?;
    ["homepage", "repository"].iter().find_map(|key| owner_on_github(&text_of(&tree, key)?))
}

/// Returns the owner of a repository, a page or a file on GitHub.
pub(crate) fn owner_on_github(address: &str) -> Option<String> {
    const HOSTS: [&str; 2] = ["https://github.com/", "https://raw.githubusercontent.com/"];
    let path = HOSTS.iter().find_map(|host| address.trim().strip_prefix(host))?;
    let owner = path.split('/').next().unwrap_or_default().to_lowercase();
    (!owner.is_empty()).then_some(owner)
}

fn text_of(entry: &Node, key: &str) -> Option<String> {
    entry.get(key).and_then(Node::as_string).map(str::to_owned)
}
