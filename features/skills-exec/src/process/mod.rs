//! Runs a request on the calling thread, from its start to its outcome.

mod command;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod granted;
mod inherited;
#[cfg(target_os = "linux")]
mod landlock;
mod limit;
#[cfg(target_os = "linux")]
mod proxy;
mod pump;
#[cfg(target_os = "linux")]
mod raw;
mod resources;
mod shebang;
mod tree;

use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use skills_text::write_timeout;

pub(super) use self::command::unavailable as confinement_unavailable;
use self::pump::Pump;
pub(super) use self::tree::ProcessTree;
use self::tree::{Census, Patience, Survivors, can_count};
use super::{Outcome, Request};

/// The time between SIGTERM and SIGKILL in which a process that reached its limit may clean up.
const GRACE: Duration = Duration::from_millis(200);

/// The time in which background processes may still write after the program has exited.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);

/// The time for which the pipes are read after all processes were killed.
const DRAIN: Duration = Duration::from_millis(100);

/// The reason why the wait for a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Exited,
    Limit,
    Dropped,
    /// The run had more processes than allowed.
    Crowd,
}

/// Runs `request`. Ends it early if the other end of `cancel` is closed.
pub(super) fn drive(request: &Request, cancel: Option<&PipeReader>) -> Outcome {
    let start = Instant::now();
    let cancel = cancel.map(AsFd::as_fd);
    if cancel.is_some_and(is_closed) {
        return Outcome::cancelled(&request.name, Duration::ZERO);
    }
    if (cfg!(target_os = "linux") || request.sandbox.is_some())
        && request.limits.processes.is_some()
        && rustix::process::getuid().is_root()
        && !can_count()
    {
        let reason = "this system cannot limit the processes of root".to_owned();
        return Outcome::refused(&request.name, 126, reason);
    }
    // If the clock cannot represent the end of the time limit, there is no limit.
    let patience = Patience { limit: start.checked_add(request.timeout), cancel };
    let mut outcome = match ProcessTree::start(request, patience) {
        Ok(mut tree) => follow(request, &mut tree, patience).unwrap_or_else(|error| {
            Outcome::refused(&request.name, 126, format!("cannot follow the process: {error}"))
        }),
        Err(fault) => Outcome::refused(&request.name, fault.exit_code, fault.reason),
    };
    outcome.duration = start.elapsed();
    outcome
}

fn follow(
    request: &Request,
    tree: &mut ProcessTree,
    Patience { limit, cancel }: Patience<'_>,
) -> io::Result<Outcome> {
    let mut pump = Pump::start(tree.take_pipes(), request)?;
    // The kernel counts processes for all users except root.
    let most = request.limits.processes.filter(|_| rustix::process::getuid().is_root());
    let mut census = most.map(|most| tree.census(most));
    let mut run = Run { tree, cancel, census: census.as_mut() };
    let end = run.until(&mut pump, limit, |tree, _| tree.has_exited())?;
    pump.stop_feeding();
    match end {
        End::Exited => {
            run.until(&mut pump, Instant::now().checked_add(OUTPUT_GRACE), |_, pump| pump.is_drained())?;
        }
        End::Limit => {
            tree.ask();
            let mut run = Run { tree, cancel, census: None };
            run.until(&mut pump, Instant::now().checked_add(GRACE), |tree, _| tree.has_exited())?;
        }
        End::Dropped | End::Crowd => {}
    }
    let left = tree.end();
    let mut run = Run { tree, cancel: None, census: None };
    run.until(&mut pump, Instant::now().checked_add(DRAIN), |_, pump| pump.is_drained())?;
    let status = tree.reap()?;
    Ok(report(request, end, status, pump, &left))
}

struct Run<'a> {
    tree: &'a ProcessTree,
    cancel: Option<BorrowedFd<'a>>,
    census: Option<&'a mut Census>,
}

impl Run<'_> {
    /// Moves data until `done` is ready, the time `limit` is reached, or the handle is dropped.
    fn until(
        &mut self,
        pump: &mut Pump<'_>,
        limit: Option<Instant>,
        done: impl Fn(&ProcessTree, &Pump<'_>) -> bool,
    ) -> io::Result<End> {
        let exited = self.tree.has_exited();
        let exit = (!exited).then(|| self.tree.exit());
        let signals: Vec<BorrowedFd<'_>> = exit.into_iter().chain(self.cancel).collect();
        loop {
            if done(self.tree, pump) {
                return Ok(End::Exited);
            }
            if self.cancel.is_some_and(is_closed) {
                return Ok(End::Dropped);
            }
            let rest = limit.map_or(Duration::MAX, |limit| limit.saturating_duration_since(Instant::now()));
            if rest.is_zero() {
                return Ok(End::Limit);
            }
            let mut step = rest;
            if let Some(census) = &mut self.census {
                if census.is_over() {
                    return Ok(End::Crowd);
                }
                step = step.min(census.pause());
            }
            pump.turn(&signals, step)?;
        }
    }
}

fn is_closed(cancel: BorrowedFd<'_>) -> bool {
    let mut polled = [PollFd::from_borrowed_fd(cancel, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// Builds the outcome.
fn report(
    request: &Request,
    end: End,
    status: Option<ExitStatus>,
    pump: Pump<'_>,
    left: &Survivors,
) -> Outcome {
    let [(stdout, stdout_dropped), (stderr, stderr_dropped)] = pump.finish();
    let mut errors: Vec<String> = Vec::new();
    let exit_code =
        match (end, status.and_then(|status| status.code()), status.and_then(|status| status.signal())) {
            (End::Limit, ..) => {
                let limit = u64::try_from(request.timeout.as_millis()).unwrap_or(u64::MAX);
                errors.push(format!("timeout after {}", write_timeout(limit)));
                124
            }
            (End::Crowd, ..) => {
                let most = request.limits.processes.unwrap_or_default();
                errors.push(format!("ended, since it had more than {most} processes at once"));
                137
            }
            (_, Some(code), _) => code,
            (_, None, Some(signal)) => {
                errors.push(format!("killed by {}", signal_name(signal)));
                128 + signal
            }
            (_, None, None) => {
                errors.push("the process left no exit status".to_owned());
                126
            }
        };
    let streams =
        [("stdout", request.caps.stdout, stdout_dropped), ("stderr", request.caps.stderr, stderr_dropped)];
    for (name, cap, dropped) in streams.into_iter().filter(|(.., dropped)| *dropped > 0) {
        errors.push(format!("{name} was cut at {cap} bytes, {dropped} more were dropped"));
    }
    if !left.processes.is_empty() {
        let left: Vec<String> = left.processes.iter().map(i32::to_string).collect();
        errors.push(format!("processes could not be ended: {}", left.join(", ")));
    }
    if left.unknown {
        errors.push("the process that ends all others was killed or hangs, so some may be left".to_owned());
    }
    if let Some(scratch) = &left.scratch {
        errors.push(format!(
            "the temporary directory {} was kept, since these processes may use it",
            scratch.display()
        ));
    }
    Outcome {
        name: request.name.clone(),
        exit_code,
        stdout,
        stderr,
        duration: Duration::ZERO,
        error: errors.join("; "),
        timed_out: end == End::Limit,
        stdout_dropped,
        stderr_dropped,
    }
}

/// Returns the name of signal `number` on this system: `SIGKILL`, or `signal 34` if it has no name.
fn signal_name(number: i32) -> String {
    SIGNAL_NAMES
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

/// The names of the signals that all systems have.
const SIGNAL_NAMES: [(Signal, &str); 29] = [
    (Signal::HUP, "SIGHUP"),
    (Signal::INT, "SIGINT"),
    (Signal::QUIT, "SIGQUIT"),
    (Signal::ILL, "SIGILL"),
    (Signal::TRAP, "SIGTRAP"),
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::KILL, "SIGKILL"),
    (Signal::USR1, "SIGUSR1"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::USR2, "SIGUSR2"),
    (Signal::PIPE, "SIGPIPE"),
    (Signal::ALARM, "SIGALRM"),
    (Signal::TERM, "SIGTERM"),
    (Signal::CHILD, "SIGCHLD"),
    (Signal::CONT, "SIGCONT"),
    (Signal::STOP, "SIGSTOP"),
    (Signal::TSTP, "SIGTSTP"),
    (Signal::TTIN, "SIGTTIN"),
    (Signal::TTOU, "SIGTTOU"),
    (Signal::URG, "SIGURG"),
    (Signal::XCPU, "SIGXCPU"),
    (Signal::XFSZ, "SIGXFSZ"),
    (Signal::VTALARM, "SIGVTALRM"),
    (Signal::PROF, "SIGPROF"),
    (Signal::WINCH, "SIGWINCH"),
    (Signal::IO, "SIGIO"),
    (Signal::SYS, "SIGSYS"),
];
