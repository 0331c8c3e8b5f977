//! Confines a thread and all processes that it starts: files by Landlock, everything else by filters of
//! system calls. Root also gives up its capabilities.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use rustix::fs::{CWD, Mode, openat};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::filter;
use super::granted::{self, Fault};
use super::landlock::{self, Rules};
use super::raw;
use crate::{Request, Sandbox};

/// Returns the reason why this kernel cannot confine programs, or `None` if it can.
pub(crate) fn unavailable() -> Option<String> {
    static LACK: OnceLock<Option<String>> = OnceLock::new();
    LACK.get_or_init(|| Rules::create(true).err().map(|error| error.to_string())).clone()
}

/// The state of a confined thread for the programs that it starts.
pub(super) struct Confined {
    /// The rules for files. Only the program applies them, because its keeper must read `/proc`.
    rules: OwnedFd,
    /// Whether processes of the thread can signal only each other.
    pub(super) scoped: bool,
    /// The descriptor that reports calls, if the sandbox names hosts.
    pub(super) asked: Option<OwnedFd>,
}

/// Confines this thread by `sandbox`, except for the rules for files. `scratch` is the run's own directory
/// for temporary files. After an error the thread may be partly confined, so it must not be used any more.
pub(super) fn confine(
    request: &Request,
    sandbox: &Sandbox,
    scratch: Option<OwnedFd>,
) -> Result<Confined, Fault> {
    // Against connections, this is a second protection besides the filter of system calls.
    let rules = Rules::create(sandbox.net == skills_registry::Net::All)?;
    for path in &sandbox.readable {
        rules.allow(&open(path)?, false)?;
    }
    rules.allow(&granted::skill(request)?, false)?;
    for path in &sandbox.writable {
        rules.allow(&open(path)?, true)?;
    }
    match &sandbox.granted {
        None => {
            if let Some(path) = &request.workspace {
                rules.allow(&granted::workspace(path)?, true)?;
            }
        }
        Some(granted) => {
            for (opened, writes) in granted::open(request, granted)? {
                rules.allow(&opened, writes)?;
            }
        }
    }
    if let Some(opened) = scratch {
        rules.allow(&opened, true)?;
    }
    let scoped = landlock::scope_signals();
    let asked = filter::apply(&sandbox.net)?;
    Ok(Confined { rules: rules.into_descriptor()?, scoped, asked })
}

impl Confined {
    /// Returns the rules for files.
    pub(super) fn rules(&self) -> BorrowedFd<'_> {
        self.rules.as_fd()
    }

    /// Makes the program that `command` starts apply the rules for files, and give up its capabilities.
    pub(super) fn put_on(&self, command: &mut Command) -> io::Result<()> {
        let rules = self.rules.try_clone()?;
        // SAFETY: between fork and exec it only makes system calls. It takes no lock and allocates no
        // memory.
        #[expect(
            unsafe_code,
            reason = "the keeper is forked earlier, and its access to files must not be restricted"
        )]
        unsafe {
            command.pre_exec(move || {
                raw::restrict_self(rules.as_fd())?;
                Ok(give_up_capabilities()?)
            });
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<OwnedFd, Fault> {
    let opened = openat(CWD, path, granted::FLAGS, Mode::empty());
    opened.map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Drops all capabilities of this process, which is about to become the program, except those that root needs for granted
/// files of other owners. Landlock has no rules for clocks, kernel modules or the network configuration. A program cannot
/// regain a capability. Its keeper keeps them: the kernel lets a process read the memory of another only if that has no
/// more capabilities, and the keeper may have the memory of the host.
pub(super) fn give_up_capabilities() -> rustix::io::Result<()> {
    let held = capabilities(None)?;
    if held.permitted.is_empty() {
        return Ok(());
    }
    let kept = held.permitted & CapabilitySet::DAC_OVERRIDE;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets)
}
