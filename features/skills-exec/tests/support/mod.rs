//! Scripts written for a test, the requests that run them, and a look at the processes that carry a run's id.

#![allow(dead_code, reason = "each test binary uses its part")]

#[cfg(target_os = "linux")]
pub(crate) mod confined;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use skills_exec::{Environment, Request, RunId};

/// A temporary directory, removed when dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        let name = format!("skills-test-{}", RunId::fresh());
        let path = fs::canonicalize(std::env::temp_dir()).expect("a temporary directory").join(name);
        fs::create_dir(&path).expect("a directory of the test's own");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file with the given mode.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside the directory")).expect("a directory");
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("its mode");
        path
    }

    /// Writes a shell script and returns the request that runs it.
    pub(crate) fn script(&self, text: &str) -> Request {
        let path = self.file("run", format!("#!/bin/sh\n{text}\n"), 0o755);
        self.request(path)
    }

    pub(crate) fn request(&self, program: PathBuf) -> Request {
        let mut request = Request::new("n", "1.2.3", &self.0, program);
        request.environment = Environment::from_variables(std::env::vars_os(), []);
        request.timeout = Duration::from_secs(60);
        request
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The living processes that carry `text` in their environment or command line.
pub(crate) fn carriers(text: &str) -> Vec<i32> {
    let listing = fs::read_dir("/proc").expect("processes are found in /proc").flatten();
    let pids = listing.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).expect("a process number");
    pids.filter(|pid| *pid != own)
        .filter(|pid| {
            ["environ", "cmdline"].iter().any(|file| {
                let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
                bytes.windows(text.len()).any(|window| window == text.as_bytes())
            })
        })
        .filter(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X'])
        })
        .collect()
}

/// Waits until `done`, at most 20 seconds.
pub(crate) fn eventually(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if done() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    done()
}
