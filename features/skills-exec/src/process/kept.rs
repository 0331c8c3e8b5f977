//! What a confined run holds besides its processes, and loses when they have ended (SPEC 13.8, 13.10).

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::Duration;

use skills_registry::AskedPath;

#[cfg(target_os = "linux")]
use super::proxy::Proxy;
use crate::Request;
use skills_files::{ScratchDir, sweep};

/// The directory for temporary files and the proxy of a run; dropped, both are gone.
#[derive(Debug, Default)]
pub(super) struct Kept {
    scratch: Option<ScratchDir>,
    #[cfg(target_os = "linux")]
    proxy: Option<Proxy>,
}

impl Kept {
    /// Makes what the sandbox of a request asks for: nothing without one.
    ///
    /// # Errors
    /// It cannot be had; the text says why.
    pub(super) fn of(request: &Request) -> Result<Self, String> {
        let Some(sandbox) = &request.sandbox else { return Ok(Self::default()) };
        let scratch = sandbox.granted.as_ref().map(|_| scratch()).transpose();
        Ok(Self {
            scratch: scratch.map_err(|error| format!("no directory for temporary files: {error}"))?,
            #[cfg(target_os = "linux")]
            proxy: match &sandbox.net {
                skills_registry::Net::Hosts(hosts) => {
                    Some(Proxy::start(hosts.clone()).map_err(|error| format!("no proxy: {error}"))?)
                }
                _ => None,
            },
        })
    }

    /// Returns the directory for temporary files.
    pub(super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_ref().map(ScratchDir::path)
    }

    /// Opens the directory for temporary files by its name in the directory that it was created in: no link is followed.
    pub(super) fn open_scratch(&self) -> io::Result<Option<OwnedFd>> {
        self.scratch.as_ref().map(ScratchDir::open).transpose()
    }

    /// Leaves the directory for temporary files where it is, and returns its path.
    pub(super) fn leave(&mut self) -> Option<PathBuf> {
        self.scratch.take().map(ScratchDir::leave)
    }

    /// Answers what connections the program asks for, where hosts are named. Where that cannot be had it makes none.
    pub(super) fn answer(&self, asked: Option<OwnedFd>) {
        #[cfg(target_os = "linux")]
        if let (Some(asked), Some(proxy)) = (asked, &self.proxy) {
            let _ = proxy.broker(asked);
        }
        #[cfg(not(target_os = "linux"))]
        drop(asked);
    }

    /// Says in the environment of a program where these are. Its home is the directory for temporary files, unless it was
    /// granted a path from `~`: what programs look for there is then absent, not forbidden.
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
            // Node asks for its own word before it looks at these.
            command.env("NODE_USE_ENV_PROXY", "1");
            for name in ["NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"] {
                command.env_remove(name);
            }
        }
    }
}

/// Makes a directory for temporary files, and removes those of hosts that were killed.
fn scratch() -> io::Result<ScratchDir> {
    const PREFIX: &str = "skills-run-";
    /// How long one is left alone that nobody holds.
    const YOUNG: Duration = Duration::from_secs(600);
    static SWEPT: Once = Once::new();
    let base = std::env::temp_dir();
    let base = base.canonicalize().unwrap_or(base);
    SWEPT.call_once(|| sweep(&base, PREFIX, YOUNG));
    ScratchDir::new(&base, PREFIX)
}
