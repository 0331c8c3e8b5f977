//! A directory for one run, with the files of its case: each run begins with a clean one (SPEC 16.11).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::run_id::RunId;

/// How much of a text file a model is shown, in bytes.
const SHOWN: usize = 64 * 1024;

/// How many files of a run are named.
const NAMED: usize = 200;

/// A directory below that of the system for temporary files; it is removed on drop.
pub(super) struct Scratch {
    pub(super) path: PathBuf,
}

impl Scratch {
    /// Makes one, and copies files of a skill into it.
    pub(super) fn new(skill: &Path, files: &[PathBuf]) -> io::Result<Self> {
        let top = fs::canonicalize(std::env::temp_dir())?;
        let scratch = Self { path: top.join(format!("skills-eval-{}", RunId::fresh())) };
        fs::create_dir_all(&scratch.path)?;
        for file in files {
            let to = scratch.path.join(file);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            let from = skill.join(file);
            let is_below = fs::canonicalize(&from)?.starts_with(fs::canonicalize(skill)?);
            if !is_below {
                return Err(io::Error::other(format!("{} leads out of the skill", file.display())));
            }
            fs::copy(&from, &to)?;
        }
        Ok(scratch)
    }

    /// Lists what lies in it now, sorted.
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

    /// Returns the message of a user, with the files that it is about: a model that has no tool to read them sees texts.
    pub(super) fn message(&self, text: &str, files: &[PathBuf]) -> String {
        let mut message = text.to_owned();
        for file in files {
            let name = file.display();
            message.push_str(&format!("\n\nInput file: {name}"));
            let bytes = fs::read(self.path.join(file)).unwrap_or_default();
            match std::str::from_utf8(&bytes) {
                Ok(text) if text.len() <= SHOWN => {
                    message.push_str(&format!("\n<file path=\"{name}\">\n{text}\n</file>"))
                }
                Ok(text) => message.push_str(&format!(" ({} bytes, not shown)", text.len())),
                Err(_) => message.push_str(&format!(" ({} bytes, no text)", bytes.len())),
            }
        }
        message
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        #[cfg(unix)]
        crate::remove::remove_tree(&self.path);
        #[cfg(not(unix))]
        let _: std::io::Result<()> = fs::remove_dir_all(&self.path);
    }
}
