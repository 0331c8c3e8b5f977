//! Servers and workers as child processes that tests kill.

use std::fs::{self, OpenOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Finds the program of a server, and installs it if it is missing.
///
/// `target` is `CARGO_TARGET_TMPDIR`. If several tests of one program call this, the first one installs while
/// the others wait. If an installing process is killed, its partial installation is not used.
pub fn install(target: &str, name: &str, found: impl Fn(&Path) -> PathBuf, commands: &[&[&str]]) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let root =
        Path::new(target).parent().expect("a directory in the target directory").join("servers").join(name);
    let whole = root.join("whole");
    if !whole.exists() {
        for command in commands {
            let words: Vec<String> =
                command.iter().map(|word| word.replace("ROOT", &root.display().to_string())).collect();
            let done = Command::new(&words[0]).args(&words[1..]).status();
            let installed = done.as_ref().is_ok_and(std::process::ExitStatus::success);
            assert!(installed, "{} fails, so there is no server: {done:?}", words.join(" "));
        }
        fs::write(whole, "").expect("a mark");
    }
    found(&root)
}

/// Finds free ports, different ones at each call.
///
/// By default, Linux gives ports from 32,768 on to connections and to programs that bind any port. A server binds
/// its port a moment after this call; until then, another program could get such a port, and a test could talk to
/// the server of another test. So these ports are below, and processes with different numbers try different ones.
pub fn ports<const N: usize>() -> [u16; N] {
    const FIRST: u32 = 12_000;
    const PORTS_PER_PROCESS: u32 = 128;
    const SHARES: u32 = 160;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = FIRST + std::process::id() % SHARES * PORTS_PER_PROCESS;
    std::array::from_fn(|_| {
        loop {
            let port = start + NEXT.fetch_add(1, Ordering::Relaxed) % PORTS_PER_PROCESS;
            let port = u16::try_from(port).expect("below 32,768");
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                return port;
            }
        }
    })
}

/// Returns the memory of a process in MB, and its processor time in ms.
pub fn cost(id: u32) -> (u64, u64) {
    let read = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    let status = read("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory =
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let stat = read("stat");
    // The fields after the process name, which is in parentheses: the first is the state, the twelfth and
    // thirteenth are the processor times. A tick is 10 ms.
    let words: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let ticks = ticks(11) + ticks(12);
    (memory, ticks * 10)
}

/// A process that can be killed and restarted. It is killed on drop.
#[derive(Debug)]
pub struct Process {
    command: Command,
    child: Option<Child>,
}

impl Process {
    /// Wraps a command that is not started yet.
    pub fn new(command: Command) -> Self {
        Self { command, child: None }
    }

    /// Returns this test program as a worker, which runs its test `the_worker`. `settings` are environment
    /// variables; `SKILLS_TEST_PLACE` is the directory, and `SKILLS_TEST_ONLY` the skills to serve, separated
    /// by commas.
    pub fn worker(place: &Path, only: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command
            .args(["--exact", "the_worker", "--include-ignored", "--test-threads=1"])
            .stdout(Stdio::null());
        let log = OpenOptions::new().create(true).append(true).open(place.join("worker.err"));
        command.stderr(log.expect("a log")).env("SKILLS_TEST_PLACE", place);
        command.env("SKILLS_TEST_ONLY", only.join(",")).envs(settings.iter().copied());
        Self::new(command)
    }

    /// Sets an environment variable for the next start.
    pub fn set(&mut self, name: &str, value: &str) {
        self.command.env(name, value);
    }

    pub fn begin(&mut self) {
        self.child = Some(self.command.spawn().expect("it starts"));
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("a child");
        }
    }

    /// Whether the process was started and has not ended.
    pub fn is_running(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    pub fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
