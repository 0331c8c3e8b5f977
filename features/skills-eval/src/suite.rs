//! The evaluation files of skills, found in their directories `evals`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use skills_files::{FileKind, Root};

use super::files::{self, Unread};
use super::{Case, Query};
use skills_call::Layers;

/// The maximum size of a file of tests in bytes.
const LARGEST: u64 = 64 << 20;

/// The tests of some skills, in the order of their names.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Suite {
    /// The tests of each skill that has any.
    pub skills: Vec<Tests>,
    /// Notes for the user, such as about a file that names another skill.
    pub notes: Vec<String>,
}

/// The tests of one skill.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tests {
    /// The name of the skill.
    pub skill: String,
    /// Its directory, which contains the `files` of cases.
    pub directory: PathBuf,
    /// The cases.
    pub cases: Vec<Case>,
    /// The trigger queries.
    pub queries: Vec<Query>,
}

impl Suite {
    /// Reads the tests in a directory of skills, or of one skill, such as the source of a bundle, since
    /// bundles do not contain tests. The name of a skill comes from the files of tests, or else from its `skill.json`, or else
    /// from its directory.
    ///
    /// # Errors
    /// If a directory or file cannot be read, or contains an invalid case.
    pub fn read(directory: &Path) -> Result<Self, Unread> {
        let mut suite = Self::default();
        let root = Root::open(directory).map_err(|error| Unread::new(directory, error))?;
        let own = directory.file_name().unwrap_or_default();
        suite.add(&root, directory, |named| named.unwrap_or_else(|| name_of(&root, own)))?;
        for name in root.dir().names().map_err(|error| Unread::new(directory, error))? {
            let place = directory.join(&name);
            let below = match root.below(Path::new(&name)) {
                Err(error) if is_no_directory(&error) => continue,
                below => below.map_err(|error| Unread::new(&place, error))?,
            };
            suite.add(&below, &place, |named| named.unwrap_or_else(|| name_of(&below, &name)))?;
        }
        suite.skills.sort_by(|a, b| a.skill.cmp(&b.skill));
        Ok(suite)
    }

    /// Reads the tests of a set of skills that are on disk.
    ///
    /// # Errors
    /// See [`Suite::read`].
    pub fn from_layers(layers: &Layers) -> Result<Self, Unread> {
        let mut suite = Self::default();
        for skill in layers.iter() {
            let Some(directory) = layers.directory(skill) else { continue };
            let name = skill.name();
            let root = match Root::open(&directory) {
                Err(error) if is_no_directory(&error) => continue,
                root => root.map_err(|error| Unread::new(&directory, error))?,
            };
            let other = suite.add(&root, &directory, |_| name.to_owned())?;
            if let Some(other) = other.filter(|other| other != name) {
                suite.notes.push(format!("the tests of `{name}` say that they belong to `{other}`"));
            }
        }
        Ok(suite)
    }

    /// Keeps only the tests of some skills.
    pub fn retain(&mut self, wanted: impl Fn(&Tests) -> bool) {
        self.skills.retain(wanted);
    }

    /// Returns `true` if there are no tests.
    pub fn is_empty(&self) -> bool {
        self.skills.iter().all(|tests| tests.cases.is_empty() && tests.queries.is_empty())
    }

    /// Adds the tests in the directory of one skill. Returns the name of the skill that its files contain.
    fn add(
        &mut self,
        root: &Root,
        directory: &Path,
        name: impl FnOnce(Option<String>) -> String,
    ) -> Result<Option<String>, Unread> {
        let at = directory.join("evals");
        let evals = match root.open_dir(Path::new("evals")) {
            Err(error) if is_no_directory(&error) => return Ok(None),
            evals => evals.map_err(|error| Unread::new(&at, error))?,
        };
        let (mut named, mut cases, mut queries) = (None, Vec::new(), Vec::new());
        for name in evals.names().map_err(|error| Unread::new(&at, error))? {
            let path = at.join(&name);
            let kind =
                evals.metadata(&name).map_err(|error| Unread::new(&path, error))?.map(|found| found.kind);
            if Path::new(&name).extension() != Some(OsStr::new("json")) || kind == Some(FileKind::Directory) {
                continue;
            }
            let bytes = root.read(&Path::new("evals").join(&name), LARGEST);
            let bytes = bytes.map_err(|error| Unread::new(&path, error))?;
            let Some(read) = files::parse(&path, &bytes)? else { continue };
            named = named.or(read.skill);
            cases.extend(read.cases);
            queries.extend(read.queries);
        }
        distinct(&mut cases);
        if !(cases.is_empty() && queries.is_empty()) {
            let skill = name(named.clone());
            self.skills.push(Tests { skill, directory: directory.to_owned(), cases, queries });
        }
        Ok(named)
    }
}

/// Returns the name in `skill.json`, which can differ from the name of the directory, or else the name of the
/// directory.
fn name_of(root: &Root, directory: &OsStr) -> String {
    let manifest = root.read(Path::new("skill.json"), LARGEST).ok();
    let manifest: Option<serde_json::Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let name = manifest.as_ref().and_then(|manifest| manifest.get("name")?.as_str());
    name.map_or_else(|| directory.to_string_lossy().into_owned(), str::to_owned)
}

/// Returns `true` if an error means that there is no directory.
fn is_no_directory(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Renames cases with equal ids: `1`, `1~2`, `1~3`.
fn distinct(cases: &mut [Case]) {
    let mut taken = BTreeSet::new();
    for case in cases {
        let id = case.id.clone();
        let mut count = 1;
        while !taken.insert(case.id.clone()) {
            count += 1;
            case.id = format!("{id}~{count}");
        }
    }
}
