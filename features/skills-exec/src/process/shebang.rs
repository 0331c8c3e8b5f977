//! Checks the first line of a script, which names its interpreter. `command` checks it before the start,
//! because the kernel reports every fault of that line as a bare "no such file".

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use skills_registry::is_on_path;
use skills_text::{has_crlf_shebang, shebang};

/// The interpreter of a script, and its only argument in the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shebang {
    pub(super) interpreter: PathBuf,
    pub(super) argument: Option<OsString>,
    ends_in_crlf: bool,
}

/// A fault in the first line of a script: the exit code that a shell would return, and the reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StartFault {
    pub(super) exit_code: i32,
    pub(super) reason: String,
}

/// How far a first line is read: kernels stop earlier (Linux at 256 bytes).
const LONGEST: u64 = 4096;

impl Shebang {
    /// Reads the first line of `program`. Returns `None` if the program is not a script.
    pub(super) fn read(program: &Path) -> io::Result<Option<Self>> {
        Ok(Self::parse(&read_start(program, LONGEST)?))
    }

    fn parse(start: &[u8]) -> Option<Self> {
        let (interpreter, argument) = shebang(start)?;
        Some(Self {
            interpreter: PathBuf::from(OsString::from_vec(interpreter.to_vec())),
            argument: (!argument.is_empty()).then(|| OsString::from_vec(argument.to_vec())),
            ends_in_crlf: has_crlf_shebang(start),
        })
    }

    /// Checks that the interpreter exists. If the line uses `env`, looks it up on `path`.
    pub(super) fn check(&self, script: &str, path: Option<&OsStr>) -> Result<(), StartFault> {
        if self.ends_in_crlf {
            let reason =
                format!("{script} has Windows line endings (CRLF) after its `#!` line: save it with LF");
            return refuse(126, reason);
        }
        if self.interpreter.as_os_str().is_empty() {
            return refuse(126, format!("{script} names no interpreter after `#!`"));
        }
        if !self.interpreter.is_file() {
            let shown = self.interpreter.display();
            return refuse(127, format!("{script} needs `{shown}`, which does not exist"));
        }
        match &self.argument {
            Some(argument) if self.interpreter.file_name() == Some(OsStr::new("env")) => {
                check_env(script, argument.as_bytes(), path)
            }
            _ => Ok(()),
        }
    }
}

/// Returns the first bytes of a file. Does not wait: another process may have replaced the file by a named pipe.
pub(super) fn read_start(program: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut start = Vec::new();
    File::from(rustix::fs::open(program, flags, Mode::empty())?).take(most).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns an error with the exit code and the reason why a script cannot be started.
pub(super) fn refuse<T>(exit_code: i32, reason: String) -> Result<T, StartFault> {
    Err(StartFault { exit_code, reason })
}

/// Checks `#!/usr/bin/env NAME`, for which the kernel does not notice a missing program.
fn check_env(script: &str, argument: &[u8], path: Option<&OsStr>) -> Result<(), StartFault> {
    let mut words = argument.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let name = if first == b"-S" {
        words.find(|word| !word.contains(&b'='))
    } else if first.starts_with(b"-") || first.contains(&b'=') {
        None
    } else {
        if cfg!(target_os = "linux") && words.next().is_some() {
            let argument = String::from_utf8_lossy(argument);
            let reason = format!(
                "{script} asks `env` for a program named `{argument}`: write `#!/usr/bin/env -S {argument}`"
            );
            return refuse(127, reason);
        }
        Some(first)
    };
    // Other options are left to `env`, which reports its errors on stderr.
    match name.filter(|name| !name.starts_with(b"-")).map(OsStr::from_bytes) {
        Some(name) if !is_there(name, path) => {
            refuse(127, format!("{script} needs `{}`, which is not on PATH", Path::new(name).display()))
        }
        _ => Ok(()),
    }
}

/// Returns `true` if the program of this name or path exists.
fn is_there(name: &OsStr, path: Option<&OsStr>) -> bool {
    if name.as_bytes().contains(&b'/') {
        return Path::new(name).exists();
    }
    is_on_path(name, path.unwrap_or(OsStr::new("/bin:/usr/bin")))
}

#[cfg(test)]
mod tests {
    use super::{Shebang, StartFault};
    use std::ffi::OsStr;

    fn parsed(line: &str) -> Shebang {
        Shebang::parse(line.as_bytes()).expect("a `#!` line")
    }

    fn reason(line: &str) -> Option<String> {
        parsed(line)
            .check("x.py", Some(OsStr::new("/nowhere:/bin:/usr/bin")))
            .err()
            .map(|StartFault { reason, .. }| reason)
    }

    // SPEC 7.2: a spawn failure gives its reason
    #[test]
    fn the_line_is_split_as_the_kernel_splits_it() {
        let line = parsed("#! \t/bin/sh  -e -u \n exit");
        assert_eq!(line.interpreter.as_os_str(), "/bin/sh");
        assert_eq!(line.argument.as_deref(), Some(OsStr::new("-e -u")));
        assert_eq!(parsed("#!/bin/sh").argument, None);
        for text in ["", "#", "# !/bin/sh", "\u{feff}#!/bin/sh", "\x7fELF"] {
            assert_eq!(Shebang::parse(text.as_bytes()), None, "{text:?}");
        }
    }

    // SPEC 7.2: no time limit applies while a program is read
    #[test]
    fn reading_a_program_waits_for_no_writer_of_a_named_pipe() {
        let directory = tempfile::tempdir().expect("a directory");
        let pipe = directory.path().join("run");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("started");
        assert!(made.success());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(Shebang::read(&pipe).ok().flatten()));
        assert_eq!(receiver.recv_timeout(std::time::Duration::from_secs(20)), Ok(None));
    }

    // SPEC 7.2: a spawn failure gives its reason
    #[test]
    fn every_fault_of_the_line_has_its_own_message() {
        assert_eq!(reason("#!/bin/sh\n"), None);
        assert_eq!(reason("#!/usr/bin/env sh\n"), None);
        assert_eq!(reason("#!/usr/bin/env -S A=1 sh -e\n"), None);
        assert_eq!(
            reason("#!/usr/bin/env /tmp\n"),
            None,
            "the file exists, so `env` reports why it cannot run"
        );
        assert_eq!(reason("#!/usr/bin/env -i sh\n"), None, "other options are left to `env`");
        let message = |line: &str| reason(line).expect("a fault");
        assert_eq!(message("#!/usr/bin/env nopython3\n"), "x.py needs `nopython3`, which is not on PATH");
        assert_eq!(
            message("#!/usr/bin/env -S nopython3 -u\n"),
            "x.py needs `nopython3`, which is not on PATH"
        );
        assert_eq!(message("#!/opt/no/python3\n"), "x.py needs `/opt/no/python3`, which does not exist");
        assert!(message("#!/bin/sh\r\nexit\r\n").contains("CRLF"));
        assert!(message("#!/usr/bin/env sh\r\n").contains("CRLF"));
        assert!(message("#!\n").contains("no interpreter"));
        if cfg!(target_os = "linux") {
            assert!(message("#!/usr/bin/env sh -e\n").ends_with("write `#!/usr/bin/env -S sh -e`"));
        }
    }
}
