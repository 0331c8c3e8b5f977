//! Runs `git` so that neither a repository nor the user's configuration makes it run anything else.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::SourceError;

/// The longest time that one run may take.
const MAX_TIME: Duration = Duration::from_secs(600);
/// The largest set of objects that is fetched, in bytes.
const MAX_FETCHED: u64 = 1 << 30;
/// How much of an error text is shown, in bytes.
const MAX_ERROR: u64 = 8 << 10;

/// `git` on one private repository.
pub(super) struct Git<'a> {
    /// The repository.
    pub(super) directory: &'a Path,
    /// Whether the remote is a repository of this machine, which is read by file access.
    pub(super) is_local: bool,
}

impl Git<'_> {
    /// Returns the command without its arguments.
    fn command(&self) -> Command {
        let mut command = Command::new("git");
        // These variables are removed: some, such as `GIT_DIR`, would lead to another repository, and others
        // start programs.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("GIT_")) {
                command.env_remove(name);
            }
        }
        let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
        let file = if self.is_local { "protocol.file.allow=always" } else { "protocol.file.allow=never" };
        let settings = [
            "protocol.allow=never",
            "protocol.https.allow=always",
            "protocol.ssh.allow=always",
            file,
            "protocol.version=2",
            "core.fsmonitor=false",
            "core.symlinks=false",
            "credential.helper=",
            "gc.auto=0",
            "maintenance.auto=false",
            "fetch.recurseSubmodules=false",
            "submodule.recurse=false",
        ];
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", nothing)
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
            .env("LC_ALL", "C")
            .arg("-c")
            .arg(format!("core.hooksPath={nothing}"));
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        command.arg("--git-dir").arg(self.directory).current_dir(std::env::temp_dir());
        command
    }

    /// Runs git, and returns at most `most` bytes of its output.
    ///
    /// # Errors
    /// Returns an error if git is missing, fails, prints more, takes too long, or fetches too much.
    pub(super) fn run(&self, arguments: &[&str], input: &[u8], most: u64) -> Result<Vec<u8>, SourceError> {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            SourceError::Program(format!("git, which fetches repositories, cannot be started: {error}"))
        })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut stopped = None;
        let (output, errors, status) = thread::scope(|scope| {
            // A program that has ended reads no more.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
            let output = scope.spawn(move || stdout.map(|stdout| bounded(stdout, most.saturating_add(1))));
            let errors = scope.spawn(move || stderr.map(|stderr| bounded(stderr, MAX_ERROR)));
            let start = Instant::now();
            let status = loop {
                match child.try_wait() {
                    Ok(None) => {}
                    ended => break ended,
                }
                if start.elapsed() > MAX_TIME {
                    stopped = Some(format!("took more than {} s", MAX_TIME.as_secs()));
                } else if fetched(self.directory) > MAX_FETCHED {
                    stopped = Some(format!("fetched more than {} MiB", MAX_FETCHED >> 20));
                }
                if stopped.is_some() {
                    // The error is ignored: the process may already have ended.
                    let _ = child.kill();
                    break child.wait().map(Some);
                }
                thread::sleep(Duration::from_millis(5));
            };
            (output.join(), errors.join(), status)
        });
        let output = output.ok().flatten().unwrap_or_default();
        let errors = errors.ok().flatten().unwrap_or_default();
        let name = arguments.first().copied().unwrap_or_default();
        if let Some(stopped) = stopped {
            return Err(SourceError::Refused(format!("`git {name}` {stopped}, and was stopped")));
        }
        if output.len() as u64 > most {
            return Err(SourceError::Refused(format!("`git {name}` lists more than {} MiB", most >> 20)));
        }
        match status {
            Ok(Some(status)) if status.success() => Ok(output),
            _ => Err(SourceError::Program(format!(
                "`git {name}` failed: {}",
                String::from_utf8_lossy(&errors).trim()
            ))),
        }
    }
}

/// Reads at most `most` bytes. The rest is not read, so the writer ends with an error.
fn bounded(stream: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // An error is ignored here: the exit code reports it.
    let _ = stream.take(most).read_to_end(&mut bytes);
    bytes
}

/// Returns the size of the packs of a repository, complete or not.
fn fetched(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory.join("objects/pack")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
}
