//! A thread gives up rights, for itself and all that it starts: files by Landlock, sockets by a system call filter.

use std::error::Error;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};

use crate::exec::{Request, Sandbox};

/// The oldest Landlock that holds what is promised: before its third version a file could be truncated.
const NEEDED: ABI = ABI::V3;

/// Confines this thread as `sandbox` says. An error may come when part of it is done: the thread is then of no use.
pub(super) fn confine(request: &Request, sandbox: &Sandbox) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        // Signals and abstract sockets: where the kernel can.
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(ABI::V6))?
        .set_compatibility(CompatLevel::HardRequirement)
        .create()?;
    for path in sandbox.readable.iter().chain([&request.directory]) {
        rules = allow(rules, path, AccessFs::from_read(NEEDED))?;
    }
    for path in sandbox.writable.iter().chain(&request.workspace) {
        rules = allow(rules, path, AccessFs::from_all(NEEDED))?;
    }
    if rules.restrict_self()?.ruleset == RulesetStatus::NotEnforced {
        return Err("the kernel enforces no rules".into());
    }
    if !sandbox.network {
        apply_filter(&without_sockets()?)?;
    }
    Ok(())
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Box<dyn Error + Send + Sync>> {
    let opened = PathFd::new(path).map_err(|error| format!("{}: {error}", path.display()))?;
    // The rights of a directory, such as listing it, mean nothing for a file and are refused there.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEEDED) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}

/// A filter under which no socket can be made, by whichever call. (A pair of connected ones still can.)
fn without_sockets() -> Result<BpfProgram, Box<dyn Error + Send + Sync>> {
    /// On x86-64 the same calls can be made by other numbers, those of its ABI with 32-bit pointers.
    const X32: i64 = 0x4000_0000;
    let calls = [libc::SYS_socket, libc::SYS_io_uring_setup].into_iter().flat_map(|call| {
        let other = cfg!(target_arch = "x86_64").then_some(call | X32);
        [Some(call), other].into_iter().flatten()
    });
    let denied = u32::try_from(libc::EACCES)?;
    let filter = SeccompFilter::new(
        calls.map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(denied),
        TargetArch::try_from(std::env::consts::ARCH)?,
    )?;
    Ok(filter.try_into()?)
}
