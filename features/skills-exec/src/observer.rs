//! The hook by which `skills-learn` sees the system calls of a confined program. Without the feature `observe`
//! nothing can set an observer.

use std::fmt;
use std::path::Path;

use super::Request;

/// A system call of a program. The program waits until the observer returns, and then the kernel does the call.
#[derive(Debug)]
pub struct Call<'a> {
    /// The id of the calling thread.
    pub thread: u32,
    /// The number of the call.
    pub number: i64,
    /// The arguments. A pointer points into the memory of the program, which other threads of it may change.
    pub arguments: [u64; 6],
    /// Returns `true` while the thread still waits. Its id then belongs to the same thread.
    pub(crate) waiting: &'a WaitCheck<'a>,
}

/// A check whether a thread still waits for the answer to its call.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports calls"))]
pub(crate) struct WaitCheck<'a>(pub(crate) &'a dyn Fn() -> bool);

impl fmt::Debug for WaitCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WaitCheck")
    }
}

impl Call<'_> {
    /// Returns `true` if the thread still waits. If so, all data that was read from it before this call belongs to
    /// this thread.
    pub fn is_waiting(&self) -> bool {
        (self.waiting.0)()
    }
}

/// Observes the system calls of one run. Only Linux reports them, and only for a run with a sandbox.
///
/// An observer decides nothing: the sandbox confines the program as it does without one. It may miss calls, because a
/// program can change its memory between the report and the call.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Returns the numbers of the calls to report.
    fn calls(&self) -> &[i64];

    /// Receives the request before its program starts, and the directory for temporary files.
    fn starts(&self, request: &Request, scratch: Option<&Path>);

    /// Receives a call. It may also come from the processes that start the program.
    fn call(&self, call: &Call<'_>);

    /// Receives a host that the program asked its proxy for, and whether it may reach it.
    fn host(&self, host: &str, port: u16, is_allowed: bool);
}
