//! Confines a thread and all processes that it starts: files by Landlock, everything else by filters of
//! system calls. Root also gives up its capabilities.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::{CWD, Mode, openat};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::filter;
use super::granted::{self, Fault};
use crate::{Request, Sandbox};

/// The oldest supported Landlock version. Versions before 3 did not prevent the truncation of files.
const NEEDED: ABI = ABI::V3;

/// Returns the reason why this kernel cannot confine programs, or `None` if it can.
pub(crate) fn unavailable() -> Option<String> {
    static LACK: OnceLock<Option<String>> = OnceLock::new();
    LACK.get_or_init(|| {
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(NEEDED));
        rules.and_then(Ruleset::create).err().map(|error| error.to_string())
    })
    .clone()
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
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        // Restrict signals, abstract sockets, and control of devices if the kernel supports it.
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .scope(Scope::from_all(ABI::V6))?;
    if sandbox.net != skills_registry::Net::All {
        // This is a second protection besides the filter of system calls: no rule allows a connection.
        rules = rules.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let mut rules = rules.set_compatibility(CompatLevel::HardRequirement).create()?;
    for path in &sandbox.readable {
        rules = allow(rules, open(path)?, false)?;
    }
    rules = allow(rules, granted::skill(request)?, false)?;
    for path in &sandbox.writable {
        rules = allow(rules, open(path)?, true)?;
    }
    match &sandbox.granted {
        None => {
            if let Some(path) = &request.workspace {
                rules = allow(rules, granted::workspace(path)?, true)?;
            }
        }
        Some(granted) => {
            for (opened, writes) in granted::open(request, granted)? {
                rules = allow(rules, opened, writes)?;
            }
        }
    }
    if let Some(opened) = scratch {
        rules = allow(rules, opened, true)?;
    }
    let rules: Option<OwnedFd> = rules.into();
    let rules = rules.ok_or("the kernel enforces no rules")?;
    let scoped = scope();
    let asked = filter::apply(&sandbox.net)?;
    give_up_capabilities()?;
    Ok(Confined { rules, scoped, asked })
}

/// Stops this thread and its child processes from signalling other processes (Linux 6.12). Returns `true` if
/// the kernel supports it.
fn scope() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal);
    let status = rules.and_then(Ruleset::create).and_then(RulesetCreated::restrict_self);
    status.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}

impl Confined {
    /// Makes the program that `command` starts apply the rules for files.
    pub(super) fn put_on(&self, command: &mut Command) -> io::Result<()> {
        let rules = self.rules.try_clone()?;
        let restrict = move || {
            // SAFETY: the call takes two numbers. It only removes rights.
            #[expect(unsafe_code, reason = "the function of the crate allocates memory")]
            let outcome = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
            if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        };
        // SAFETY: between fork and exec it only makes a system call. It takes no lock and allocates no
        // memory.
        #[expect(
            unsafe_code,
            reason = "the keeper is forked earlier, and its access to files must not be restricted"
        )]
        unsafe {
            command.pre_exec(restrict);
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<OwnedFd, Fault> {
    let opened = openat(CWD, path, granted::FLAGS, Mode::empty());
    opened.map_err(|error| format!("{}: {error}", path.display()).into())
}

fn allow(rules: RulesetCreated, opened: OwnedFd, writes: bool) -> Result<RulesetCreated, Fault> {
    let access = if writes { AccessFs::from_all(NEEDED) } else { AccessFs::from_read(NEEDED) };
    // Rights for directories, such as listing, are invalid for a file and are rejected.
    let is_directory = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode).is_dir();
    let access = if is_directory { access } else { access & AccessFs::from_file(NEEDED) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}

/// Drops all capabilities of root except the ones that it needs for granted files of other owners. Landlock
/// has no rules for clocks, kernel modules or the network configuration. Programs cannot regain a capability
/// that the thread dropped.
fn give_up_capabilities() -> Result<(), Fault> {
    let held = capabilities(None)?;
    if held.permitted.is_empty() {
        return Ok(());
    }
    let kept = held.permitted & CapabilitySet::DAC_OVERRIDE;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    Ok(set_capabilities(None, sets)?)
}
