//! The files of a source at one revision, in memory or in the directory where a package manager put them.

use std::path::{Path, PathBuf};

#[cfg(unix)]
use skills_files::{ScratchDir, sweep};

use skills_core::read::{Overlaid, Overlay};

use crate::git::{Checkout, RemoteRepository, is_commit};
use crate::{Project, Source, SourceError, installed};

/// The files of a source at one revision.
#[derive(Debug)]
pub struct Fetched {
    pub(crate) source: Source,
    pub(crate) revision: Option<String>,
    /// The license of the whole source: the license that a package names, or the license file of a
    /// repository.
    pub(crate) license: Option<String>,
    /// The directories of skills, each with its location and its path in the source.
    pub(crate) roots: Vec<(PathBuf, String)>,
    /// The files of a repository. They are only in memory.
    pub(crate) files: Overlay,
    /// Paths of the source that were left out, with the reason.
    pub(crate) refused: Vec<(String, &'static str)>,
}

impl Fetched {
    /// Returns the commit, or the version of the package. `None` for a directory.
    pub fn revision(&self) -> Option<&str> {
        self.revision.as_deref()
    }
}

/// Fetches a source at its newest revision or at the revision of a lock file.
///
/// # Errors
/// Returns an error if the source or the revision does not exist, or breaks a limit.
pub fn fetch(source: &Source, project: &Project, pinned: Option<&str>) -> Result<Fetched, SourceError> {
    let source = source.clone();
    match &source {
        Source::Git { rev, path, .. } => {
            let (checkout, root) = with_remote(&source, project, |remote, scratch| {
                let commit = match pinned.filter(|commit| is_commit(commit)) {
                    Some(commit) => commit.to_owned(),
                    None => remote.resolve(scratch)?,
                };
                let fetched = remote.fetch(scratch, &commit);
                let fetched =
                    fetched.map_err(|error| moved(error, remote, scratch, rev.as_deref(), &commit))?;
                // A path in a private temporary directory. It does not exist on disk: all files are in the overlay.
                Ok((fetched, scratch.join("tree")))
            })?;
            Ok(in_memory(source.clone(), path.as_deref(), checkout, root))
        }
        Source::Directory(path) => {
            let root = project.path().join(path);
            if !root.is_dir() {
                return Err(SourceError::Missing(format!("{path} is not a directory")));
            }
            Ok(on_disk(source.clone(), None, None, vec![(root, String::new())]))
        }
        Source::Package { kind, name, version } => {
            let package = installed::find(project, *kind, name, version.as_deref())?;
            if let Some(pinned) = pinned.filter(|pinned| **pinned != package.version) {
                return Err(SourceError::Refused(format!(
                    "{source} is installed as {}, but skills.lock has {pinned}: `skills update` changes to the installed version",
                    package.version
                )));
            }
            if package.skills.is_empty() {
                return Err(SourceError::Missing(format!("{source} ({}) has no skills", package.version)));
            }
            let roots = package.skills.iter().map(|path| (package.root.join(path), path.clone())).collect();
            Ok(on_disk(source.clone(), Some(package.version), package.license, roots))
        }
    }
}

/// Returns the newest revision of a source; `None` for a directory.
///
/// # Errors
/// Returns an error if the source does not exist.
pub fn current(source: &Source, project: &Project) -> Result<Option<String>, SourceError> {
    match source {
        Source::Directory(_) => Ok(None),
        Source::Git { .. } => {
            with_remote(source, project, |remote, scratch| remote.resolve(scratch)).map(Some)
        }
        Source::Package { kind, name, version } => {
            installed::find(project, *kind, name, version.as_deref()).map(|package| Some(package.version))
        }
    }
}

/// Calls a function with a repository and an empty private directory.
fn with_remote<T>(
    source: &Source,
    project: &Project,
    run: impl FnOnce(&RemoteRepository<'_>, &Path) -> Result<T, SourceError>,
) -> Result<T, SourceError> {
    let Source::Git { url, rev, path } = source else {
        return Err(SourceError::Usage(format!("{source} is not a git repository")));
    };
    let is_path = url.starts_with(['.', '/', '~']);
    let real = if is_path {
        let real = project.path().join(url).canonicalize().map_err(SourceError::io(url.clone()))?;
        real.to_string_lossy().into_owned()
    } else {
        url.clone()
    };
    let remote = RemoteRepository {
        url: &real,
        rev: rev.as_deref(),
        path: path.as_deref(),
        is_local: source.is_local_git(),
    };
    private(|scratch| {
        remote.prepare(scratch)?;
        run(&remote, scratch)
    })
}

#[cfg(unix)]
fn private<T>(run: impl FnOnce(&Path) -> Result<T, SourceError>) -> Result<T, SourceError> {
    const PREFIX: &str = "skills-fetch-";
    /// Directories of killed processes are removed after this time.
    const LEFT: std::time::Duration = std::time::Duration::from_secs(3600);
    let base = std::env::temp_dir();
    sweep(&base, PREFIX, LEFT);
    let scratch = ScratchDir::new(&base, PREFIX).map_err(SourceError::io(base.display().to_string()))?;
    run(scratch.path())
}

#[cfg(not(unix))]
fn private<T>(_: impl FnOnce(&Path) -> Result<T, SourceError>) -> Result<T, SourceError> {
    Err(SourceError::Program("repositories are fetched on Unix systems only".to_owned()))
}

/// Adds to an error that the revision now names another commit.
fn moved(
    error: SourceError,
    remote: &RemoteRepository<'_>,
    scratch: &Path,
    rev: Option<&str>,
    commit: &str,
) -> SourceError {
    match (error, remote.resolve(scratch)) {
        (SourceError::Program(text), Ok(now)) if now != commit => {
            let name = rev.unwrap_or("the default branch");
            SourceError::Missing(format!(
                "{text}; `{name}` is {now} now, `skills update` shows the difference"
            ))
        }
        (error, _) => error,
    }
}

fn in_memory(source: Source, path: Option<&str>, checkout: Checkout, root: PathBuf) -> Fetched {
    let mut files = Overlay::default();
    let mut sorted = checkout.files;
    sorted.sort_by(|a, b| Path::new(&a.path).cmp(Path::new(&b.path)));
    for file in sorted {
        files.insert(root.join(file.path), Overlaid { bytes: file.bytes, executable: file.executable });
    }
    let name = path.unwrap_or(&checkout.base).to_owned();
    Fetched {
        source,
        revision: Some(checkout.commit),
        license: checkout.license,
        roots: vec![(root, name)],
        files,
        refused: checkout.refused,
    }
}

fn on_disk(
    source: Source,
    revision: Option<String>,
    license: Option<String>,
    roots: Vec<(PathBuf, String)>,
) -> Fetched {
    Fetched { source, revision, license, roots, files: Overlay::default(), refused: Vec::new() }
}
