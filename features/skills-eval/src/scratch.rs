//! A clean directory for each run, with the files of its case.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use skills_files::Root;

use skills_exec::RunId;

/// The largest size of all input files of a case together, in bytes.
const MAX_COPIED: u64 = 1 << 30;

/// How many bytes of a text file to show to a model.
const SHOWN: u64 = 64 * 1024;

/// The maximum number of files of a run to list.
const NAMED: usize = 200;

/// A temporary directory that is removed on drop.
pub(super) struct Scratch {
    pub(super) path: PathBuf,
}

impl Scratch {
    /// Creates the directory, and copies files of a skill into it.
    pub(super) fn new(skill: &Path, files: &[PathBuf]) -> io::Result<Self> {
        let top = fs::canonicalize(std::env::temp_dir())?;
        let scratch = Self { path: top.join(format!("skills-eval-{}", RunId::fresh())) };
        let (from, to) = (Root::open(skill)?, Root::create(&scratch.path)?);
        let mut left = MAX_COPIED;
        for file in files {
            let source = from.open_file(file).map_err(|error| name_file(file, &error))?;
            let metadata = source.metadata()?;
            left = left
                .checked_sub(metadata.len())
                .ok_or_else(|| name_file(file, &io::ErrorKind::FileTooLarge.into()))?;
            let (dir, name) = to.create_parent(file)?;
            let mut copy = dir.create_file(&name, false)?;
            io::copy(&mut source.take(metadata.len()), &mut copy)?;
            copy.set_permissions(metadata.permissions())?;
        }
        Ok(scratch)
    }

    /// Lists the files in it, sorted.
    pub(super) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.path.clone()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(entry.path()),
                    Ok(_) => {
                        let path = entry.path();
                        let name = path.strip_prefix(&self.path).unwrap_or(&path);
                        found.push(name.to_string_lossy().replace('\\', "/"));
                    }
                    Err(_) => {}
                }
            }
        }
        found.sort();
        found.truncate(NAMED);
        found
    }

    /// Returns the message of a user, with the contents of its text files for models without a tool to read
    /// files.
    pub(super) fn message(&self, text: &str, files: &[PathBuf]) -> String {
        let mut message = text.to_owned();
        for file in files {
            let name = file.display();
            message.push_str(&format!("\n\nInput file: {name}"));
            let path = self.path.join(file);
            let size = fs::metadata(&path).map_or(0, |found| found.len());
            let bytes = skills_files::read(&path, SHOWN);
            match bytes.map(String::from_utf8) {
                Ok(Ok(text)) => message.push_str(&format!("\n<file path=\"{name}\">\n{text}\n</file>")),
                Ok(Err(_)) => message.push_str(&format!(" ({size} bytes, not text)")),
                Err(_) => message.push_str(&format!(" ({size} bytes, not shown)")),
            }
        }
        message
    }
}

/// Adds the path of a file to an error.
fn name_file(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

impl Drop for Scratch {
    fn drop(&mut self) {
        #[cfg(unix)]
        let _ = skills_files::remove_tree(&self.path);
        #[cfg(not(unix))]
        let _: io::Result<()> = fs::remove_dir_all(&self.path);
    }
}
