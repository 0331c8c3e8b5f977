//! Runs git and cargo with limits on time, memory and output. Both read what a hostile repository has.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use skills_exec::{Companion, Limits};

/// How much of an error text is shown, in bytes.
const MAX_ERROR: u64 = 8 << 10;
/// The pause between two looks at a running program.
const PAUSE: Duration = Duration::from_millis(5);

/// The result of a program that has ended, or was ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Its output. If it has one byte more than was asked for, the program printed more.
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    pub(crate) status: Option<ExitStatus>,
    /// The reason why it was ended.
    pub(crate) stopped: Option<String>,
}

/// Runs a program, and reads at most `most` bytes of its output and one more. The program and all processes that it has
/// started end with this call. While it runs, `check` gets the number of bytes that it has printed, again and again;
/// the program is ended when that returns an error.
///
/// # Errors
/// Returns an error if the program cannot be started.
pub(crate) fn run(
    command: Command,
    input: &[u8],
    most: u64,
    limits: &Limits,
    mut check: impl FnMut(u64) -> Result<(), String>,
) -> io::Result<Ran> {
    let (program, mut stdin, stdout, stderr) = Companion::start(command, limits)?;
    let received = AtomicU64::new(0);
    let (output, errors, status, stopped) = thread::scope(|scope| {
        // A program that has ended reads no more.
        scope.spawn(move || stdin.write_all(input));
        let output = scope.spawn(|| bounded(stdout, most.saturating_add(1), &received));
        let errors = scope.spawn(|| bounded(stderr, MAX_ERROR, &received));
        let mut stopped = None;
        while !program.has_exited() && stopped.is_none() {
            stopped = check(received.load(Ordering::Relaxed)).err();
            thread::sleep(PAUSE);
        }
        // This ends the helpers of the program as well. They hold the pipes, on which the threads wait.
        let status = program.finish();
        (output.join(), errors.join(), status, stopped)
    });
    Ok(Ran { output: output.unwrap_or_default(), errors: errors.unwrap_or_default(), status, stopped })
}

/// Reads at most `most` bytes, and counts them. The rest is not read, so the writer ends with an error.
fn bounded(stream: impl Read, most: u64, received: &AtomicU64) -> Vec<u8> {
    let (mut stream, mut bytes, mut part) = (stream.take(most), Vec::new(), [0; 16 * 1024]);
    // An error is ignored here: the exit code reports it.
    while let Ok(count @ 1..) = stream.read(&mut part) {
        bytes.extend_from_slice(part.get(..count).unwrap_or_default());
        received.fetch_add(count as u64, Ordering::Relaxed);
    }
    bytes
}
