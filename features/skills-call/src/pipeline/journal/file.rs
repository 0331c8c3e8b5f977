//! Stores finished steps in files: one directory for each run, one file for each step.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{RunLock, Saved, StepStore, digest};
use crate::host::{BoxFuture, Failure};
use skills_exec::RunId;
use skills_files::{Locked, create_private_dir, open_locked, private_options};

/// The name of the file of a run that is locked during a call.
const LOCK: &str = "lock";

/// The first words of an entry: its kind and format version.
const MAGIC: &str = "skills-step 1";

/// Keeps finished steps in files below a directory.
///
/// An entry is written to a temporary file and renamed into place, and it contains a digest of itself. If the
/// process is killed, the entry is either complete or missing. An entry that was damaged later is
/// [`Saved::Damaged`]. Only the owner can read entries. Only [`FileStore::forget`] removes entries.
///
/// A call holds its run by a lock on a file in the run's directory. The operating system releases the lock
/// when the process dies. A second call with the same key fails while the first is running, in this process
/// or another.
///
/// ```
/// use skills_call::{FileStore, Saved, StepStore};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// # let directory = tempfile::tempdir()?;
/// let store = FileStore::new(directory.path());
/// store.save("monday", "report/search", "{}").await?;
/// assert_eq!(store.load("monday", "report/search").await?, Saved::Output("{}".to_owned()));
/// assert_eq!(store.load("tuesday", "report/search").await?, Saved::Nothing);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FileStore {
    root: PathBuf,
}

impl FileStore {
    /// Creates a store below a directory. The directory is created when the first run begins.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { root: directory.into() }
    }

    /// Removes all entries of a run, for example after its output was saved.
    ///
    /// # Errors
    /// The directory of the run cannot be removed, or the run is in progress. It is not an error if the run
    /// does not exist.
    pub fn forget(&self, run: &str) -> io::Result<()> {
        let directory = self.directory(run);
        if directory.exists() {
            // The lock is released first, because some systems cannot remove open files.
            drop(self.lock(run)?);
        }
        match fs::remove_dir_all(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn directory(&self, run: &str) -> PathBuf {
        self.root.join(digest(run.as_bytes()))
    }

    /// Locks a run until the returned file is dropped.
    fn lock(&self, run: &str) -> io::Result<Locked> {
        let directory = self.directory(run);
        create_private_dir(&directory)?;
        let path = directory.join(LOCK);
        let Some(held) = open_locked(&path)? else {
            let by = fs::read_to_string(&path).ok().filter(|text| text.parse::<u32>().is_ok());
            let by = by.map(|process| format!(", of the process {process}")).unwrap_or_default();
            return Err(io::Error::other(format!("the run {run:?} is under way in another call{by}")));
        };
        // The lock file contains the process id of its holder, for the error of a second call.
        held.set_len(0)?;
        (&*held).write_all(std::process::id().to_string().as_bytes())?;
        Ok(held)
    }

    fn read(&self, run: &str, step: &str) -> io::Result<Saved> {
        let path = self.directory(run).join(digest(step.as_bytes()));
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Saved::Nothing),
            bytes => bytes?,
        };
        let output = std::str::from_utf8(&bytes).ok().and_then(|text| unseal(text, step));
        Ok(output.map_or_else(
            || Saved::Damaged(format!("{} was changed after it was written", path.display())),
            |output| Saved::Output(output.to_owned()),
        ))
    }

    fn write(&self, run: &str, step: &str, output: &str) -> io::Result<()> {
        let directory = self.directory(run);
        create_private_dir(&directory)?;
        let aside = directory.join(format!("new-{}", RunId::fresh()));
        let written = private_options()
            .create_new(true)
            .open(&aside)
            .and_then(|mut file| file.write_all(seal(step, output).as_bytes()))
            .and_then(|()| fs::rename(&aside, directory.join(digest(step.as_bytes()))));
        if written.is_err() {
            // Report the first error, and ignore errors of the clean-up.
            drop(fs::remove_file(&aside));
        }
        written
    }
}

impl StepStore for FileStore {
    fn lock_run<'a>(&'a self, run: &'a str) -> BoxFuture<'a, Result<RunLock, Failure>> {
        Box::pin(async move { self.lock(run).map(RunLock::by).map_err(|error| failure(&self.root, &error)) })
    }

    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Saved, Failure>> {
        Box::pin(async move { self.read(run, step).map_err(|error| failure(&self.root, &error)) })
    }

    fn save<'a>(
        &'a self,
        run: &'a str,
        step: &'a str,
        output: &'a str,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.write(run, step, output).map_err(|error| failure(&self.root, &error)) })
    }
}

fn failure(root: &Path, error: &io::Error) -> Failure {
    format!("{}: {error}", root.display()).into()
}

/// Returns an entry: its kind, the digest of the rest, the step, and the output.
fn seal(step: &str, output: &str) -> String {
    let rest = format!("{step}\n{output}");
    format!("{MAGIC} {}\n{rest}", digest(rest.as_bytes()))
}

/// Parses an entry and returns its output; returns `None` if the entry is damaged or belongs to another step.
fn unseal<'a>(text: &'a str, step: &str) -> Option<&'a str> {
    let (digested, rest) = text.strip_prefix(MAGIC)?.strip_prefix(' ')?.split_once('\n')?;
    let output = rest.strip_prefix(step)?.strip_prefix('\n')?;
    (digested == digest(rest.as_bytes())).then_some(output)
}
