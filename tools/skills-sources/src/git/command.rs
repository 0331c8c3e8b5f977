//! Runs `git` so that neither a repository nor the user's configuration makes it run anything else.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use skills_exec::{Budget, Exhausted, Limits, Meter};

use super::MAX_FILES;
use crate::SourceError;
use crate::program::{self, Ran};

/// What a remote repository may send in all, and how long all runs of git for it may take. The items are its files.
pub(super) const BUDGET: Budget =
    Budget { bytes: 1 << 30, items: MAX_FILES as u64, time: Duration::from_secs(600), ..Budget::UNLIMITED };
/// How long a remote repository may send nothing.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// The memory, the CPU time and the size of a file that each process of git may use. A pack of a few kilobytes can name
/// objects of many gigabytes.
const MAX_MEMORY: u64 = 1 << 30;
const MAX_CPU: Duration = Duration::from_secs(60);
/// The largest object that git holds in memory. Larger files are streamed to the disk.
const MAX_OBJECT: &str = "64m";
/// The largest file that git reads as a whole.
const MAX_WHOLE: &str = "core.bigFileThreshold=16m";

/// `git` on one private repository.
pub(super) struct Git<'a> {
    /// The repository.
    directory: &'a Path,
    /// The URL, or the absolute path of a local repository. Its name is [`SOURCE`].
    url: &'a str,
    /// Whether the remote is a repository of this machine, which is read by file access.
    is_local: bool,
    meter: Meter,
    max_silence: Duration,
}

/// The name of the remote repository in the private one.
pub(super) const SOURCE: &str = "source";

impl<'a> Git<'a> {
    pub(super) fn new(directory: &'a Path, url: &'a str, is_local: bool) -> Self {
        Self { directory, url, is_local, meter: Meter::new(BUDGET), max_silence: MAX_SILENCE }
    }

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
            "http.emptyAuth=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "fetch.recurseSubmodules=false",
            "submodule.recurse=false",
            // Objects stay packed, so that no object is written that is larger than what was sent.
            "fetch.unpackLimit=1",
            "fetch.negotiationAlgorithm=noop",
            "pack.threads=1",
            "core.packedGitWindowSize=16m",
            "core.packedGitLimit=128m",
            MAX_WHOLE,
            // A partial clone: git lacks the files that were not asked for, and does not mind.
            "remote.source.promisor=true",
            "remote.source.partialCloneFilter=blob:none",
        ];
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", nothing)
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOC_LIMIT", MAX_OBJECT)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_SSH_COMMAND", "ssh -a -x -oBatchMode=yes -oClearAllForwardings=yes")
            .env("LC_ALL", "C")
            .arg("-c")
            .arg(format!("core.hooksPath={nothing}"));
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        if self.url.starts_with("https:") {
            // Otherwise the passwords in the user's `.netrc` are sent. ssh needs its own files of the user.
            command.env("HOME", self.directory);
        }
        command.arg("-c").arg(format!("remote.{SOURCE}.url={}", self.url));
        command.arg("--git-dir").arg(self.directory).current_dir(std::env::temp_dir());
        command
    }

    /// Runs git, and returns at most `most` bytes of its output. All processes of git end with this call.
    ///
    /// # Errors
    /// Returns an error if git is missing, fails, prints more, takes too long, waits too long for the remote
    /// repository, or fetches too much.
    pub(super) fn run(&self, arguments: &[&str], input: &[u8], most: u64) -> Result<Vec<u8>, SourceError> {
        let mut command = self.command();
        command.args(arguments);
        let mut limits = Limits::default();
        (limits.memory, limits.cpu) = (Some(MAX_MEMORY), Some(MAX_CPU));
        limits.file_size = Some(BUDGET.bytes);
        let (mut before, mut since) = (0, Instant::now());
        let check = |printed| self.check(printed, &mut before, &mut since);
        let ran = program::run(command, input, most, &limits, check).map_err(|error| {
            SourceError::Program(format!("git, which fetches repositories, cannot be started: {error}"))
        })?;
        let name = arguments.first().copied().unwrap_or_default();
        if let Some(stopped) = ran.stopped {
            return Err(SourceError::Refused(format!(
                "`git {name}` {stopped} while it waited for {}, and was stopped",
                self.url
            )));
        }
        let Ran { output, errors, status, .. } = ran;
        if output.len() as u64 > most {
            return Err(SourceError::Refused(format!("`git {name}` lists more than {} MiB", most >> 20)));
        }
        match status {
            Some(status) if status.success() => Ok(output),
            // It exceeded a limit of the kernel, so it could not say why.
            Some(status) if status.code().is_none() => Err(SourceError::Refused(format!(
                "`git {name}` needed more than {} MiB of memory or {} s of CPU time for {}, and was stopped",
                MAX_MEMORY >> 20,
                MAX_CPU.as_secs(),
                self.url
            ))),
            _ => Err(SourceError::Program(format!(
                "`git {name}` failed: {}",
                String::from_utf8_lossy(&errors).trim()
            ))),
        }
    }

    /// Checks what a running git has fetched and printed, and how long it has been silent.
    ///
    /// # Errors
    /// Returns what git did too long or too much.
    fn check(&self, printed: u64, before: &mut u64, since: &mut Instant) -> Result<(), String> {
        let fetched = fetched(self.directory);
        if fetched > BUDGET.bytes {
            return Err(format!("fetched {}", Exhausted::Bytes(BUDGET.bytes)));
        }
        self.meter.time_left().map_err(|limit| format!("took {limit}"))?;
        let now = fetched.saturating_add(printed);
        if now != *before {
            (*before, *since) = (now, Instant::now());
        } else if since.elapsed() > self.max_silence {
            return Err(format!("received nothing for {} s", self.max_silence.as_secs()));
        }
        Ok(())
    }
}

/// Returns the size of the packs of a repository, complete or not.
fn fetched(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory.join("objects/pack")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::Git;

    // SPEC 21.4: `.netrc` is in the directory that git takes for that of the user
    #[test]
    #[ignore = "needs git"]
    fn git_finds_no_passwords_of_the_user() {
        let scratch = tempfile::tempdir().expect("a directory");
        let git = Git::new(scratch.path(), "https://host.example/a", false);
        let netrc = git.run(&["config", "--type=path", "--default=~/.netrc", "no.key"], b"", 1000);
        let wanted = format!("{}\n", scratch.path().join(".netrc").display());
        assert_eq!(netrc.map(|path| String::from_utf8_lossy(&path).into_owned()).ok(), Some(wanted));
    }

    // SPEC 21.4: the helper of git, which holds its pipes, ends as well
    #[test]
    #[ignore = "needs git"]
    fn a_host_that_stalls_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("https://{}/a/b", listener.local_addr().expect("an address"));
        let scratch = tempfile::tempdir().expect("a directory");
        let git = Git { max_silence: Duration::from_secs(1), ..Git::new(scratch.path(), &url, false) };
        git.run(&["init", "--quiet", "--bare", "--template="], b"", 100).expect("a repository");
        let error = git.run(&["ls-remote", super::SOURCE, "HEAD"], b"", 100).expect_err("it sends nothing");
        let wanted =
            format!("`git ls-remote` received nothing for 1 s while it waited for {url}, and was stopped");
        assert_eq!(error.to_string(), wanted);
    }
}
