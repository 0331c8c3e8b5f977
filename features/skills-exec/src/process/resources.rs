//! The resources of a confined run, except its processes. They are released when all processes have ended.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use skills_registry::AskedPath;

#[cfg(target_os = "linux")]
use super::proxy::{Proxy, broker};
use crate::Request;
use skills_files::{ScratchDir, sweep};

/// The directory for temporary files and the proxy of a run. Dropping this removes the directory and stops
/// the proxy.
#[derive(Debug, Default)]
pub(super) struct RunResources {
    scratch: Option<ScratchDir>,
    #[cfg(target_os = "linux")]
    proxy: Option<Proxy>,
}

impl RunResources {
    /// Creates the resources for the sandbox of a request. Without a sandbox, there are none.
    ///
    /// # Errors
    /// If a resource cannot be created.
    pub(super) fn create(request: &Request) -> io::Result<Self> {
        let Some(sandbox) = &request.sandbox else { return Ok(Self::default()) };
        let scratch = sandbox.granted.as_ref().map(|_| scratch()).transpose();
        Ok(Self {
            scratch: scratch.map_err(|error| without("directory for temporary files", &error))?,
            #[cfg(target_os = "linux")]
            proxy: Proxy::for_net(&sandbox.net).map_err(|error| without("proxy", &error))?,
        })
    }

    /// Returns the directory for temporary files.
    pub(super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_ref().map(ScratchDir::path)
    }

    /// Opens the directory for temporary files by its name in its parent directory. Follows no link.
    pub(super) fn open_scratch(&self) -> io::Result<Option<OwnedFd>> {
        self.scratch.as_ref().map(ScratchDir::open).transpose()
    }

    /// Keeps the directory for temporary files on disk, and returns its path.
    pub(super) fn leave(&mut self) -> Option<PathBuf> {
        self.scratch.take().map(ScratchDir::leave)
    }

    /// Starts a thread that answers the `connect` calls of the program, if they lead to a proxy. If the thread
    /// cannot be started, these calls fail.
    pub(super) fn answer(&self, asked: Receiver<OwnedFd>) {
        #[cfg(target_os = "linux")]
        if let Some(proxy) = &self.proxy {
            broker::start(asked, proxy.address());
        }
        #[cfg(not(target_os = "linux"))]
        drop(asked);
    }

    /// Passes the directory and the proxy to a program in its environment. `HOME` is the directory for
    /// temporary files, unless the program was granted a path below `~`. So files that programs look for in
    /// `HOME` are missing instead of forbidden.
    pub(super) fn say(&self, command: &mut Command, request: &Request) {
        if let Some(path) = self.scratch() {
            command.env("TMPDIR", path);
            let granted = request.sandbox.as_ref().and_then(|sandbox| sandbox.granted.as_ref());
            let paths = granted.into_iter().flat_map(|granted| granted.read.iter().chain(&granted.write));
            if !paths.into_iter().any(|path| matches!(AskedPath::parse(path), Ok(AskedPath::Home(_)))) {
                command.env("HOME", path);
            }
        }
        #[cfg(target_os = "linux")]
        if let Some(proxy) = &self.proxy {
            for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
                command.env(name, proxy.url());
            }
            // Node reads these variables only if its own variable is set.
            command.env("NODE_USE_ENV_PROXY", "1");
            for name in ["NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"] {
                command.env_remove(name);
            }
        }
    }
}

/// Adds to an error that a resource cannot be created.
fn without(resource: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("no {resource}: {error}"))
}

/// Creates a directory for temporary files, and removes the directories of hosts that were killed.
fn scratch() -> io::Result<ScratchDir> {
    const PREFIX: &str = "skills-run-";
    /// The minimum age at which an unlocked directory is removed.
    const YOUNG: Duration = Duration::from_secs(600);
    static SWEPT: Once = Once::new();
    let base = std::env::temp_dir();
    let base = base.canonicalize().unwrap_or(base);
    SWEPT.call_once(|| sweep(&base, PREFIX, YOUNG));
    ScratchDir::new(&base, PREFIX)
}
