//! Servers and workers as processes that are killed.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Finds the program of a server, and installs it where it is not there; nothing, and a skip, where that fails.
///
/// `target` is `CARGO_TARGET_TMPDIR`. Tests of one program ask at once: the first installs while the others wait, and a half that a killed one left is no program.
pub fn install(
    target: &str,
    name: &str,
    found: impl Fn(&Path) -> PathBuf,
    commands: &[&[&str]],
) -> Option<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(target).parent()?.join("servers").join(name);
    let whole = root.join("whole");
    if !whole.exists() {
        for command in commands {
            let words: Vec<String> =
                command.iter().map(|word| word.replace("ROOT", &root.display().to_string())).collect();
            let done = Command::new(&words[0]).args(&words[1..]).status();
            if !done.as_ref().is_ok_and(std::process::ExitStatus::success) {
                skip(&format!("{} fails, so there is no server: {done:?}", words.join(" ")));
                return None;
            }
        }
        fs::write(whole, "").expect("a mark");
    }
    Some(found(&root))
}

/// Says that a test proves nothing here, and why; `cargo xtask ci` counts the lines of the file that `SKILLS_SKIPS` names.
pub fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
    if let Some(path) = std::env::var_os("SKILLS_SKIPS") {
        let mut file = OpenOptions::new().create(true).append(true).open(path).expect("the list of skips");
        file.write_all(format!("engine: {why}\n").as_bytes()).expect("one write");
    }
}

/// Finds ports that are free.
pub fn ports<const N: usize>() -> [u16; N] {
    let open: Vec<std::net::TcpListener> =
        (0..N).map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    std::array::from_fn(|at| open[at].local_addr().expect("a port").port())
}

/// The memory that a process has, in MB, and the processor time that it took, in ms.
pub fn cost(id: u32) -> (u64, u64) {
    let read = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    let status = read("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory =
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let stat = read("stat");
    // The words behind the name of the process, which is in parentheses: the state is the first, the times of this process
    // the twelfth and the one after; a tick is 10 ms.
    let words: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let ticks = ticks(11) + ticks(12);
    (memory, ticks * 10)
}

/// A process that is killed and begun again; dropped, it is killed.
#[derive(Debug)]
pub struct Process {
    command: Command,
    child: Option<Child>,
}

impl Process {
    /// Takes a command that is not begun yet.
    pub fn new(command: Command) -> Self {
        Self { command, child: None }
    }

    /// Takes this test program as a worker, which its test `the_worker` is: `settings` are variables, of which
    /// `SKILLS_TEST_PLACE` is the directory, and `SKILLS_TEST_ONLY` the skills that it serves, with commas.
    pub fn worker(place: &Path, only: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "the_worker", "--test-threads=1"]).stdout(Stdio::null());
        let log = OpenOptions::new().create(true).append(true).open(place.join("worker.err"));
        command.stderr(log.expect("a log")).env("SKILLS_TEST_PLACE", place);
        command.env("SKILLS_TEST_ONLY", only.join(",")).envs(settings.iter().copied());
        Self::new(command)
    }

    /// Sets a variable, for the next time that it begins.
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

    pub fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
