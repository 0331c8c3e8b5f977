//! A directory of files and the built command, for the tests of this crate.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory below the system's temporary one, removed on drop.
pub(crate) struct Place {
    pub(crate) top: PathBuf,
}

/// The output and the exit code of a run of the command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// Writes files, each as path and text.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // The path is a part of the text whose tokens `weigh` counts, so its length must not depend on the process or on the
        // order of the tests.
        let process = std::process::id() % 1_000_000;
        let name = format!("skills-cli-{process:06}-{:04}", COUNT.fetch_add(1, Ordering::Relaxed));
        let top = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
        fs::create_dir_all(&top).unwrap();
        let place = Self { top };
        for (path, text) in files {
            place.write(path, text);
        }
        place
    }

    /// Writes one file.
    pub(crate) fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Returns the command, to be run in the directory.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skills"));
        command.args(arguments);
        self.at_home(&mut command);
        command
    }

    /// Lets a command run in the directory, with a home beside it: a test neither reads nor changes the files of
    /// the user who runs it.
    pub(crate) fn at_home(&self, command: &mut Command) {
        command.current_dir(&self.top).stdin(Stdio::null()).env("HOME", self.home());
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
    }

    /// Returns the home of the command, which is beside the directory.
    pub(crate) fn home(&self) -> PathBuf {
        self.top.with_extension("home")
    }

    /// Runs the command in the directory.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Returns a path in the directory, as text.
    pub(crate) fn path(&self, path: &str) -> String {
        self.top.join(path).to_str().unwrap().to_owned()
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.top).ok();
        fs::remove_dir_all(self.home()).ok();
        fs::remove_file(self.top.with_extension("block")).ok();
    }
}
