//! Reads where the skills of a directory came from: the entries of the nearest `skills.lock`.

use std::path::{Path, PathBuf};

use skills_text::Places;

use super::ignore::git::up_to_repository;
use super::path::LOCK_FILE;
use super::project_file::read_text_below;
use crate::report::Report;
use crate::span::SourceMap;
use crate::tree::{Node, toml};

/// The largest lock file that is read, in bytes.
const MAX_LOCK_SIZE: u64 = 64 << 20;

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

/// The entries of a lock file. A missing or damaged file has none; `skills sync --locked` reports a damaged one.
#[derive(Debug, Default)]
pub(super) struct Origins {
    project: PathBuf,
    places: Places,
    origins: Vec<SkillOrigin>,
}

impl Origins {
    /// Reads the nearest lock file.
    pub(super) fn nearest(directory: &Path) -> Self {
        let mut found = Self::default();
        let Some(path) = lock_above(directory) else { return found };
        found.project = path.parent().unwrap_or(directory).to_owned();
        let text = read_text_below(&found.project, &path, MAX_LOCK_SIZE).ok();
        found.parse(text.unwrap_or_default());
        found
    }

    fn parse(&mut self, text: String) {
        let (mut sources, mut faults) = (SourceMap::new(""), Report::default());
        let file = sources.add(LOCK_FILE.to_owned(), text, None);
        let source = sources.file(file);
        let (tree, _) = toml::parse(source, 0..source.text.len(), &mut faults);
        let version = tree.get("version").and_then(Node::as_scalar);
        if !faults.diagnostics.is_empty() || version.is_none_or(|version| version.text != "1") {
            return;
        }
        for entry in tree.get("skill").and_then(Node::as_list).unwrap_or_default() {
            if let (Some(directory), Some(source)) = (text_of(entry, "directory"), text_of(entry, "source")) {
                self.places.insert(directory, self.origins.len());
                self.origins.push(SkillOrigin {
                    source,
                    revision: text_of(entry, "revision"),
                    license: text_of(entry, "license"),
                });
            }
        }
    }

    /// Returns the origin of the skill in a directory, given by its real path.
    pub(super) fn find(&self, directory: &Path) -> Option<&SkillOrigin> {
        let below = directory.strip_prefix(&self.project).ok()?.to_str()?.replace('\\', "/");
        self.origins.get(self.places.get(&below)?)
    }
}

fn text_of(entry: &Node, key: &str) -> Option<String> {
    entry.get(key).and_then(Node::as_string).map(str::to_owned)
}
