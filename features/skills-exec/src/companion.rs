//! A program that exchanges messages with this process through its pipes while it runs, such as an MCP
//! server.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};

#[cfg(unix)]
use crate::process::Tree;

/// A program that runs beside this process. It ends with all processes that it started when this value is
/// dropped, and on Unix also when this process is killed.
///
/// It is not confined: this is for programs that the user starts, not for skills.
#[derive(Debug)]
pub struct Companion {
    #[cfg(unix)]
    tree: Tree,
    #[cfg(not(unix))]
    child: std::sync::Mutex<std::process::Child>,
}

impl Companion {
    /// Starts a command with three pipes.
    ///
    /// # Errors
    /// The errors of starting a process.
    pub fn start(command: &mut Command) -> io::Result<(Self, ChildStdin, ChildStdout, ChildStderr)> {
        use std::process::Stdio;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        let mut tree = Tree::start_command(command)?;
        #[cfg(unix)]
        let child = tree.child();
        #[cfg(not(unix))]
        let mut started = command.spawn()?;
        #[cfg(not(unix))]
        let child = &mut started;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        #[cfg(unix)]
        let companion = Self { tree };
        #[cfg(not(unix))]
        let companion = Self { child: started.into() };
        Ok((companion, stdin, stdout, stderr))
    }

    /// Returns `true` if the program has exited.
    pub fn has_exited(&self) -> bool {
        #[cfg(unix)]
        return self.tree.has_exited();
        #[cfg(not(unix))]
        return self.child.lock().is_ok_and(|mut child| !matches!(child.try_wait(), Ok(None)));
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
