//! A thread gives up rights, for itself and all that it starts: files by Landlock, the rest by filters of system calls, and
//! root its capabilities (SPEC 13.7, 13.8, 13.12).

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::filter;
use super::granted::{self, Fault};
use crate::{Request, Sandbox};

/// The oldest Landlock that holds what is promised: before its third version a file could be truncated.
const NEEDED: ABI = ABI::V3;

/// Says why this kernel confines nothing; nothing when it does.
pub(crate) fn lack() -> Option<String> {
    static LACK: OnceLock<Option<String>> = OnceLock::new();
    let probe = || {
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(NEEDED));
        rules.and_then(Ruleset::create).err().map(|error| error.to_string())
    };
    LACK.get_or_init(probe).clone()
}

/// What a confined thread has for the programs that it starts.
pub(super) struct Confined {
    /// The rules for files, which a program takes on itself: its keeper reads `/proc`.
    rules: OwnedFd,
    /// Whether processes of the thread can signal nobody but each other.
    pub(super) scoped: bool,
    /// What tells of connections that are asked for, where hosts are named.
    pub(super) asked: Option<OwnedFd>,
}

/// Confines this thread as `sandbox` says, but for the rules for files; `scratch` is the directory for temporary files that
/// the run has for itself. An error may come when part of it is done: the thread is then of no use.
pub(super) fn confine(
    request: &Request,
    sandbox: &Sandbox,
    scratch: Option<OwnedFd>,
) -> Result<Confined, Fault> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        // Signals, abstract sockets, and control of devices: where the kernel can.
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .scope(Scope::from_all(ABI::V6))?;
    if sandbox.net != skills_registry::Net::All {
        // A second lock behind the filter of system calls: no rule lets a connection through.
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

/// Lets this thread and what it starts signal nobody else, where the kernel can (Linux 6.12); returns whether it does.
fn scope() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal);
    let status = rules.and_then(Ruleset::create).and_then(RulesetCreated::restrict_self);
    status.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}

impl Confined {
    /// Has the program that `command` starts take on the rules for files.
    pub(super) fn put_on(&self, command: &mut Command) -> io::Result<()> {
        let rules = self.rules.try_clone()?;
        let restrict = move || {
            // SAFETY: the call takes two numbers; rights are lost by it, never gained.
            #[expect(unsafe_code, reason = "the crate's own call takes memory")]
            let outcome = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
            if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        };
        // SAFETY: between fork and exec it makes a system call and nothing else: it takes no lock and no memory.
        #[expect(unsafe_code, reason = "the keeper, which is forked before, is not confined to files")]
        unsafe {
            command.pre_exec(restrict);
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<OwnedFd, Fault> {
    let opened = PathFd::new(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(std::os::fd::AsFd::as_fd(&opened).try_clone_to_owned()?)
}

fn allow(rules: RulesetCreated, opened: OwnedFd, writes: bool) -> Result<RulesetCreated, Fault> {
    let access = if writes { AccessFs::from_all(NEEDED) } else { AccessFs::from_read(NEEDED) };
    // The rights of a directory, such as listing it, mean nothing for a file and are refused there.
    let is_directory = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode).is_dir();
    let access = if is_directory { access } else { access & AccessFs::from_file(NEEDED) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}

/// Leaves root what it needs for files of other owners that are granted, and nothing else: no rule of Landlock is about
/// clocks, modules or the network's set-up. What a thread has lost its programs cannot gain.
fn give_up_capabilities() -> Result<(), Fault> {
    let held = capabilities(None)?;
    if held.permitted.is_empty() {
        return Ok(());
    }
    let kept = held.permitted & CapabilitySet::DAC_OVERRIDE;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    Ok(set_capabilities(None, sets)?)
}
