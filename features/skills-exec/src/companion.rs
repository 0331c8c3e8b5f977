//! A program that exchanges messages with this process through its pipes while it runs, such as an MCP
//! server.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};

use crate::Limits;
#[cfg(unix)]
use crate::process::ProcessTree;

/// A program that runs beside this process. It ends with all processes that it started when this value is
/// dropped, and on Unix also when this process is killed.
///
/// It is not confined: this is for programs that the user starts, not for skills.
#[derive(Debug)]
pub struct Companion {
    #[cfg(unix)]
    tree: ProcessTree,
    #[cfg(not(unix))]
    child: std::sync::Mutex<std::process::Child>,
}

impl Companion {
    /// Starts a command with three pipes. The limits hold for each of its processes. They have no effect on other
    /// systems than Unix.
    ///
    /// # Errors
    /// The errors of starting a process.
    pub fn start(
        command: Command,
        limits: &Limits,
    ) -> io::Result<(Self, ChildStdin, ChildStdout, ChildStderr)> {
        #[cfg(unix)]
        {
            let mut tree = ProcessTree::start_command(command, limits)?;
            let [Some(stdin), Some(stdout), Some(stderr)] = tree.take_pipes() else {
                return Err(io::ErrorKind::BrokenPipe.into());
            };
            Ok((Self { tree }, stdin.into(), stdout.into(), stderr.into()))
        }
        #[cfg(not(unix))]
        {
            use std::process::Stdio;
            let (_, mut command) = (limits, command);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn()?;
            let (Some(stdin), Some(stdout), Some(stderr)) =
                (child.stdin.take(), child.stdout.take(), child.stderr.take())
            else {
                return Err(io::ErrorKind::BrokenPipe.into());
            };
            Ok((Self { child: child.into() }, stdin, stdout, stderr))
        }
    }

    /// Returns `true` if the program has exited.
    pub fn has_exited(&self) -> bool {
        #[cfg(unix)]
        return self.tree.has_exited();
        #[cfg(not(unix))]
        return self.child.lock().is_ok_and(|mut child| !matches!(child.try_wait(), Ok(None)));
    }

    /// Ends the program with all processes that it has started. Returns its exit status, if it is known.
    pub fn finish(self) -> Option<ExitStatus> {
        #[cfg(unix)]
        let Self { mut tree } = self;
        #[cfg(unix)]
        return tree.finish();
        #[cfg(not(unix))]
        return self.child.lock().ok().and_then(|mut child| {
            drop(child.kill());
            child.wait().ok()
        });
    }

    /// Asks the program to exit, with SIGTERM.
    pub fn terminate(&mut self) {
        #[cfg(unix)]
        self.tree.ask();
    }
}

#[cfg(not(unix))]
impl Drop for Companion {
    fn drop(&mut self) {
        if let Ok(child) = self.child.get_mut() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}
