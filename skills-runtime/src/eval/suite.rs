//! The evaluation files of skills, found in their directories `evals`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files::{self, Unread};
use super::{Case, Query};
use crate::call::Library;

/// The tests of some skills, sorted by skill name.
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
    /// bundles do not contain tests. The name of a skill comes from its file, or else from its directory.
    ///
    /// # Errors
    /// If a directory or file cannot be read, or contains an invalid case.
    pub fn read(directory: &Path) -> Result<Self, Unread> {
        let mut suite = Self::default();
        for place in std::iter::once(directory.to_owned()).chain(entries(directory)?) {
            let own = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            suite.add(&place, |said| said.unwrap_or(own))?;
        }
        suite.skills.sort_by(|a, b| a.skill.cmp(&b.skill));
        Ok(suite)
    }

    /// Reads the tests of a library's skills that are on disk.
    ///
    /// # Errors
    /// See [`Suite::read`].
    pub fn of(library: &dyn Library) -> Result<Self, Unread> {
        let mut suite = Self::default();
        for skill in library.skills() {
            let Some(directory) = library.directory(skill) else { continue };
            let name = skill.name();
            let other = suite.add(&directory, |_| name.to_owned())?;
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

    /// Adds the tests in a directory. Returns the skill name in its files.
    fn add(
        &mut self,
        directory: &Path,
        name: impl FnOnce(Option<String>) -> String,
    ) -> Result<Option<String>, Unread> {
        let evals = directory.join("evals");
        if !evals.is_dir() {
            return Ok(None);
        }
        let is_json =
            |path: &PathBuf| path.extension().is_some_and(|found| found == "json") && path.is_file();
        let (mut said, mut cases, mut queries) = (None, Vec::new(), Vec::new());
        for path in entries(&evals)?.into_iter().filter(is_json) {
            let Some(read) = files::read(&path)? else { continue };
            said = said.or(read.skill);
            cases.extend(read.cases);
            queries.extend(read.queries);
        }
        distinct(&mut cases);
        if !(cases.is_empty() && queries.is_empty()) {
            let skill = name(said.clone());
            self.skills.push(Tests { skill, directory: directory.to_owned(), cases, queries });
        }
        Ok(said)
    }
}

/// Lists the entries of a directory, sorted.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, Unread> {
    let wrong = |error: std::io::Error| Unread::new(directory, error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(wrong)? {
        paths.push(entry.map_err(wrong)?.path());
    }
    paths.sort();
    Ok(paths)
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
