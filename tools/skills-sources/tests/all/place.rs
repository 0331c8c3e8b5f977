//! A project and a directory of skills beside it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use skills_core::options::Options;
use skills_sources::{Change, Offer, Project, Source, SourceError, add, apply, check, fetch};

/// Two directories, `project` and `source`, which are removed on drop.
pub(crate) struct Place {
    top: tempfile::TempDir,
}

/// Returns the text of a skill with a license.
pub(crate) fn skill(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Reads {name} files. Use for {name}.\nlicense: MIT\n---\n# {name}\n\n{body}\n"
    )
}

impl Place {
    /// Writes files of the source, each as path and text.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let place = Self { top: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.path("project")).unwrap();
        fs::create_dir_all(place.path("source")).unwrap();
        files.iter().for_each(|(path, text)| place.write(&format!("source/{path}"), text));
        place
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join(path)
    }

    /// Writes one file; a text with `#!` is a program.
    pub(crate) fn write(&self, path: &str, text: &str) {
        write(&self.path(path), text);
    }

    pub(crate) fn project(&self) -> Project {
        Project::open(&self.path("project")).unwrap()
    }

    /// Fetches and checks a source.
    pub(crate) fn offer(&self, source: &str) -> Result<Offer, SourceError> {
        let project = self.project();
        check(&fetch(&Source::parse(source)?, &project, None)?, &Options::default())
    }

    /// Plans to add skills of a source.
    pub(crate) fn plan(&self, source: &str, names: &[&str]) -> Result<Change, SourceError> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let state = self.project().state(Some("skills"))?;
        add(&[self.offer(source)?], &names, "skills", &state)
    }

    /// Adds skills of a source.
    pub(crate) fn add(&self, source: &str, names: &[&str]) -> Result<Vec<String>, SourceError> {
        apply(&self.plan(source, names)?, &self.project())
    }

    /// Returns the files of the project with their texts, without the lock file.
    pub(crate) fn files(&self) -> BTreeMap<String, String> {
        let mut files = files(&self.path("project"));
        files.remove("skills.lock");
        files
    }

    /// Returns the disagreements of tree, lock and sources.
    pub(crate) fn verify(&self) -> Vec<String> {
        skills_sources::verify(&self.project()).unwrap()
    }
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns the files below a directory with their texts.
pub(crate) fn files(top: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut directories = vec![top.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                directories.push(path);
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
            found.insert(path.strip_prefix(top).unwrap().to_str().unwrap().to_owned(), text);
        }
    }
    found
}
