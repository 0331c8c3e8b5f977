//! The main loop of the keeper: reaps exited processes, and kills the rest if the host asks for it or is
//! gone.
//!
//! Only the keeper can reap its children, so their pids stay valid until then, and no signal reaches another
//! process. All code here makes only system calls, and none by the C library. It allocates no memory and cannot
//! panic.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, wait, waitid,
};

use super::children::Children;
#[cfg(target_os = "linux")]
use crate::process::raw;

/// Sent by the host: the program was started.
pub(super) const STARTED: u8 = b's';

/// Sent by the host: send SIGTERM to the process group of the program.
pub(super) const TERMINATE: u8 = b't';

/// Sent by the host: end the run. The host then closes its pipe, but a process that it forked without exec may hold the
/// pipe open.
pub(super) const END: u8 = b'e';

/// The kind of a report to the host: the first of its two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Word {
    /// The program has exited. The second number is its wait status.
    Exited = 1,
    /// A process is left that may not be killed. The second number is its pid.
    Survivors = 2,
    /// No process of the run is left.
    Gone = 3,
    /// The program has called exec, or was killed before.
    Started = 4,
    /// The program could not be started. The second number is the error number.
    Failed = 5,
}

impl Word {
    pub(super) fn from_number(number: i32) -> Option<Self> {
        [Self::Exited, Self::Survivors, Self::Gone, Self::Started, Self::Failed]
            .into_iter()
            .find(|word| *word as i32 == number)
    }
}

/// The maximum sleep of the keeper on systems that do not report exits: 10 ms.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// The maximum sleep while killed processes exit: 1 ms.
const DYING: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

/// The number of rounds of [`DYING`] after which killed processes are waited for with longer sleeps: they hang, or cannot
/// be found.
const HANGING: u32 = 5_000;

/// The maximum sleep while processes hang: 1 s.
const LONG: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// The number of consecutive rounds that must find only processes that may not be killed.
const REFUSALS: u32 = 20;

/// How many ticks to wait for the message that the program was started, if the program has already exited.
#[cfg(not(target_os = "linux"))]
const AHEAD: u32 = 10;

pub(super) struct Reaper {
    /// The program, until it is reaped. Until then, its pid is also the id of its process group.
    program: Option<Pid>,
    has_exited: bool,
    #[cfg_attr(
        target_os = "linux",
        allow(dead_code, reason = "on Linux the kernel reports the remaining processes")
    )]
    has_started: bool,
    #[cfg(not(target_os = "linux"))]
    ticks: u32,
    scoped: bool,
    report: BorrowedFd<'static>,
    /// Ends when the program has called exec, and holds an error number before if that failed. `None` if the host does not
    /// wait for it, or when it was reported.
    starts: Option<BorrowedFd<'static>>,
    children: Children,
    exits: Option<OwnedFd>,
}

impl Reaper {
    /// Creates the reaper of this process, which has one child.
    pub(super) fn new(
        program: Pid,
        report: BorrowedFd<'static>,
        starts: Option<BorrowedFd<'static>>,
        scoped: bool,
    ) -> Self {
        Self {
            program: Some(program),
            has_exited: false,
            has_started: false,
            #[cfg(not(target_os = "linux"))]
            ticks: 0,
            scoped,
            report,
            starts,
            children: Children::of_this(),
            exits: exits(),
        }
    }

    /// Runs until no process is left, or only processes that cannot be killed. Then ends this process. Nothing is
    /// dropped before, because the C library would close the descriptors.
    pub(super) fn keep(mut self, host_pipe: BorrowedFd<'_>, host: Option<Pid>) -> ! {
        if self.watch(host_pipe, host) || self.end() {
            self.send_report(Word::Gone, 0);
        }
        exit()
    }

    /// Reaps exited processes. Returns `true` if no process is left, and `false` if the host closes its pipe
    /// or is gone.
    fn watch(&mut self, host_pipe: BorrowedFd<'_>, host: Option<Pid>) -> bool {
        // The pipe alone is not enough: a process that the host forked without exec may also hold its other end.
        let host = ManuallyDrop::new(host.and_then(handle));
        loop {
            if self.reap() {
                return true;
            }
            let exits = self.exits.as_ref().map(AsFd::as_fd);
            let host_end = host.as_ref().map_or(host_pipe, AsFd::as_fd);
            let mut polled =
                [host_pipe, exits.unwrap_or(host_pipe), host_end, self.starts.unwrap_or(host_pipe)]
                    .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
            let _ = poll(&mut polled, if exits.is_none() { Some(&TICK) } else { None });
            let [has_word, has_exit, is_over, has_start] = polled.map(|polled| !polled.revents().is_empty());
            if has_start {
                self.look_at_start();
            }
            if has_exit {
                self.drain();
            }
            if is_over && host.is_some() {
                return false;
            }
            if has_word && !self.obey(host_pipe) {
                return false;
            }
        }
    }

    /// Executes a command of the host. Returns `false` if the host asks to end the run.
    fn obey(&mut self, host_pipe: BorrowedFd<'_>) -> bool {
        let mut byte = [0];
        match (rustix::io::read(host_pipe, &mut byte), self.program) {
            (Ok(0), _) => return false,
            (Ok(_), _) if byte == [END] => return false,
            (Ok(_), Some(program)) if byte == [TERMINATE] => {
                // This fails only if the group has no process left.
                let _ = kill_process_group(program, Signal::TERM);
            }
            (Ok(_), _) if byte == [STARTED] => self.has_started = true,
            _ => {}
        }
        true
    }

    /// Reaps all exited children. Reaps the program only if it is the last child. Returns `true` if no child
    /// is left. Without a list of children, reaps none, because the process group is only known until the program is reaped.
    #[cfg(target_os = "linux")]
    fn reap(&mut self) -> bool {
        let is_listed = self.children.read();
        self.look();
        if !is_listed {
            return false;
        }
        let mut is_last = true;
        for child in self.children.iter().filter(|child| Some(*child) != self.program) {
            let exit = waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            is_last &= !matches!(exit, Ok(None));
        }
        self.has_exited && is_last && self.take()
    }

    /// Checks whether the program has exited. Returns `true` if it could not be started.
    #[cfg(not(target_os = "linux"))]
    fn reap(&mut self) -> bool {
        self.look();
        if self.has_exited && !self.has_started {
            self.ticks += 1;
        }
        self.ticks > AHEAD && self.take()
    }

    /// Reports the exit of the program to the host, but does not reap the program.
    fn look(&mut self) {
        let Some(program) = self.program.filter(|_| !self.has_exited) else { return };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // A program that asks to be traced also reports its stops to its keeper.
        if let Ok(Some(exit)) = waitid(WaitId::Pid(program), options)
            && (exit.exited() || exit.killed() || exit.dumped())
        {
            // The format of `wait`: the signal in the low byte, the exit code in the next byte.
            let code = exit.exit_status().map(|code| (code & 0xff) << 8);
            self.exited(code.or_else(|| exit.terminating_signal()).unwrap_or_default());
        }
    }

    /// Reports whether the program has been started, if that is known by now.
    fn look_at_start(&mut self) {
        let Some(starts) = self.starts else { return };
        let mut number = [0; 4];
        match rustix::io::read(starts, &mut number) {
            Ok(0) => self.send_report(Word::Started, 0),
            Ok(_) => self.send_report(Word::Failed, i32::from_ne_bytes(number)),
            Err(_) => return,
        }
        self.starts = None;
    }

    fn exited(&mut self, status: i32) {
        // The host waits for the start first.
        self.look_at_start();
        if !std::mem::replace(&mut self.has_exited, true) {
            self.send_report(Word::Exited, status);
        }
    }

    /// Reaps all exited children. Returns `true` if no child is left.
    fn take(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((_, status))) if !status.exited() && !status.signaled() => {}
                Ok(Some((child, status))) if Some(child) == self.program => {
                    self.program = None;
                    self.exited(status.as_raw());
                }
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Kills all processes of the run. Returns `true` if none is left.
    ///
    /// A killed process starts no other process, and this process adopts its children. So each round has
    /// fewer processes to kill, unless new ones start faster than this loop runs. With a scope, one signal to
    /// all processes is enough: the kernel sends it while no process can be started.
    fn end(&mut self) -> bool {
        if self.scoped {
            kill_scope();
        } else if let Some(program) = self.program {
            // This fails only if the group has no process left.
            let _ = kill_process_group(program, Signal::KILL);
        }
        let (mut refusals, mut rounds) = (0, 0_u32);
        while !self.take() {
            refusals = if self.kill() { refusals + 1 } else { 0 };
            if refusals == REFUSALS {
                self.children.iter().for_each(|child| self.send_report(Word::Survivors, child.as_raw_pid()));
                return false;
            }
            let mut polled = self.exits.as_ref().map(|exits| PollFd::new(exits, PollFlags::IN));
            rounds = rounds.saturating_add(1);
            let _ = poll(polled.as_mut_slice(), Some(if rounds < HANGING { &DYING } else { &LONG }));
            self.drain();
        }
        true
    }

    /// Kills the children. Returns `true` if there are children but none of them may be killed.
    fn kill(&mut self) -> bool {
        if self.scoped || !self.children.read() {
            return false;
        }
        let (mut killed, mut refused) = (false, false);
        for child in self.children.iter() {
            match kill_process(child, Signal::KILL) {
                Err(Errno::PERM) => refused = true,
                _ => killed = true,
            }
        }
        refused && !killed
    }

    fn drain(&self) {
        let mut read = [0; 1024];
        if let Some(exits) = &self.exits {
            let _ = rustix::io::read(exits, &mut read);
        }
    }

    fn send_report(&self, word: Word, number: i32) {
        send(self.report, word, number);
    }
}

/// Sends a report to the host.
pub(super) fn send(report: BorrowedFd<'_>, word: Word, number: i32) {
    let mut bytes = [0; 8];
    let (first, second) = bytes.split_at_mut(4);
    first.copy_from_slice(&(word as i32).to_ne_bytes());
    second.copy_from_slice(&number.to_ne_bytes());
    // The write fails if the host is gone, which is harmless.
    let _ = rustix::io::write(report, &bytes);
}

/// Kills every process that this one may signal, except itself. With a scope, these are the processes of the
/// run.
fn kill_scope() {
    #[cfg(target_os = "linux")]
    raw::kill_all();
}

/// Ends this process without the exit handlers of the host.
fn exit() -> ! {
    #[cfg(target_os = "linux")]
    raw::exit(0);
    // SAFETY: the call ends this process immediately.
    #[cfg(not(target_os = "linux"))]
    #[expect(unsafe_code, reason = "the keeper must not run the exit handlers of the host")]
    unsafe {
        libc::_exit(0)
    }
}

/// Returns a descriptor that is readable when a child has exited. All signals are blocked.
fn exits() -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    return raw::exits();
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns a descriptor that is readable when a process has ended, independent of its threads and
/// descriptors.
#[cfg(target_os = "linux")]
pub(super) fn handle(process: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn handle(_: Pid) -> Option<OwnedFd> {
    None
}
