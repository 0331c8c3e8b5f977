//! Chooses the resource limits of each process of a run, and sets them right before exec.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Limits;

/// A limit of one resource: soft and hard.
#[derive(Debug)]
pub(super) struct ResourceLimit(Resource, u64, u64);

/// Returns the limits of each process of a run. A confined program also writes no core file.
pub(super) fn choose(limits: &Limits, confined: bool) -> Vec<ResourceLimit> {
    // The keeper of the run counts as one more process of the user.
    let processes = limits.processes.map(|count| count.saturating_add(running()).saturating_add(1));
    let values = [
        (Resource::As, limits.memory),
        (Resource::Fsize, limits.file_size),
        (Resource::Nproc, processes),
        (Resource::Core, confined.then_some(0)),
    ];
    let mut all: Vec<ResourceLimit> = values
        .into_iter()
        .filter_map(|(resource, value)| value.map(|value| ResourceLimit(resource, value, value)))
        .collect();
    if let Some(time) = limits.cpu {
        // The hard limit, which sends SIGKILL, is one second after the soft limit, which sends SIGXCPU.
        let seconds = time.as_secs() + u64::from(time > Duration::from_secs(time.as_secs()));
        all.push(ResourceLimit(Resource::Cpu, seconds, seconds.saturating_add(1)));
    }
    // A limit is never higher than the limit of this process.
    for ResourceLimit(resource, soft, hard) in &mut all {
        let most = getrlimit(*resource).maximum.unwrap_or(u64::MAX);
        (*soft, *hard) = ((*soft).min(most), (*hard).min(most));
    }
    all
}

/// Sets the limits of this process, with system calls only.
pub(super) fn apply(limits: &[ResourceLimit]) -> rustix::io::Result<()> {
    for ResourceLimit(resource, soft, hard) in limits {
        setrlimit(*resource, Rlimit { current: Some(*soft), maximum: Some(*hard) })?;
    }
    Ok(())
}

/// Makes `command` start its program with `limits`.
pub(super) fn set(command: &mut Command, limits: Vec<ResourceLimit>) {
    if limits.is_empty() {
        return;
    }
    // SAFETY: between fork and exec it makes system calls and nothing else: it takes no lock and no memory.
    #[expect(
        unsafe_code,
        reason = "limits that are set before the fork would apply to this process, and after exec only the program could set them"
    )]
    unsafe {
        command.pre_exec(move || Ok(apply(&limits)?));
    }
}

/// Returns the number of processes and threads of the user of this process, which the kernel counts for the
/// limit.
#[cfg(target_os = "linux")]
fn running() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::getuid().as_raw();
    let tasks = std::fs::read_dir("/proc").into_iter().flatten().flatten().filter(|entry| {
        entry.file_name().to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
            && entry.metadata().is_ok_and(|found| found.uid() == user)
    });
    let counts = tasks.map(|entry| std::fs::read_dir(entry.path().join("task")).map_or(0, Iterator::count));
    counts.sum::<usize>().try_into().unwrap_or(u64::MAX)
}

#[cfg(not(target_os = "linux"))]
fn running() -> u64 {
    0
}
