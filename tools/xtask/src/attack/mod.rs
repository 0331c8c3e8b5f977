//! Attacks the built command: hostile files, requests, collectors and programs, exchanged directories, and kills.
//!
//! The number of rounds is fixed, and everything is deterministic except for scheduling. A successful attack
//! is reported as an error.

mod approvals;
mod bodies;
mod budgets;
mod clones;
mod collectors;
mod crowd;
mod exchange;
mod growth;
mod kills;
mod lies;
mod memory;
#[cfg(target_os = "linux")]
mod orphans;
mod overwrite;
mod served;
#[cfg(unix)]
mod special;
mod starts;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command::{self, at, cargo, run};
use crate::workspace::Workspace;

/// Runs an attack for some rounds. Returns the results, or a description of a successful attack.
type Attack = fn(&Target, usize) -> Result<String, String>;

/// Builds the command, and runs each attack whose name contains `part` for `rounds` rounds.
pub(crate) fn on_fresh(rounds: &str, part: &str) -> Result<(), String> {
    run(cargo().args(["build", "--quiet", "--package", "cargo-skills"]))?;
    on_built(rounds, part)
}

/// Attacks the command as it was built last, such as by the tests.
pub(crate) fn on_built(rounds: &str, part: &str) -> Result<(), String> {
    let rounds: usize = rounds.parse().map_err(|_| format!("`{rounds}` is not a whole number"))?;
    let skills = Workspace::built("skills")?;
    let top = Workspace::target()?.join("attack");
    let attacks: &[(&str, Attack)] = &[
        ("a crowd of long runs", crowd::attack),
        ("inputs that grow", growth::attack),
        ("request bodies with many violations", bodies::attack),
        ("many large bodies at once", memory::attack),
        ("false locks and names", lies::attack),
        ("servers of a clone", approvals::attack),
        ("two trust decisions at once", words::attack),
        ("exchanges during reads", exchange::attack),
        ("exchanges during writes", overwrite::attack),
        ("exchanges during starts", starts::attack),
        ("kills at any moment", kills::attack),
        ("clones that act or hide", clones::attack),
        ("slow and endless collectors", collectors::attack),
        ("servers that send without end", budgets::attack),
        #[cfg(unix)]
        ("special files of a project", special::attack),
        #[cfg(target_os = "linux")]
        ("processes left behind", orphans::attack),
    ];
    if !attacks.iter().any(|(name, _)| name.contains(part)) {
        let names: Vec<&str> = attacks.iter().map(|(name, _)| *name).collect();
        return Err(format!("no attack has `{part}` in its name; there are: {}", names.join(", ")));
    }
    for &(name, attack) in attacks.iter().filter(|(name, _)| name.contains(part)) {
        let begin = Instant::now();
        let _: std::io::Result<()> = fs::remove_dir_all(&top);
        fs::create_dir_all(&top).map_err(at(&top))?;
        let result = attack(&Target { skills: skills.clone(), top: top.clone() }, rounds)
            .map_err(|fell| format!("{name}: {fell}"))?;
        println!("{name}: {result} ({:.1} s)", begin.elapsed().as_secs_f64());
    }
    fs::remove_dir_all(&top).map_err(at(&top))
}

/// The command, and the directory in which it is attacked.
struct Target {
    skills: PathBuf,
    top: PathBuf,
}

impl Target {
    fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    fn write(&self, path: impl AsRef<Path>, text: &str) -> Result<(), String> {
        command::write(&self.top.join(path), text)
    }

    fn clear(&self, path: &str) {
        // The path may not exist.
        let _: std::io::Result<()> = fs::remove_dir_all(self.path(path));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.skills);
        command.args(arguments).current_dir(&self.top).env("HOME", &self.top);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the command. Returns an error if it panics or is killed by a signal.
    fn run(&self, arguments: &[&str]) -> Result<Output, String> {
        let output = self.command(arguments).output().map_err(|error| error.to_string())?;
        match output.status.code() {
            Some(0..=2) => Ok(output),
            code => Err(format!(
                "`skills {}` ended with {code:?}: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// Runs the command, and returns its CPU time, which other load on this machine does not affect.
    fn time(&self, arguments: &[&str]) -> Result<Duration, String> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "\"$@\" >&2; code=$?; times; exit $code", "sh"]).arg(&self.skills).args(arguments);
        shell.current_dir(&self.top).env("HOME", &self.top).stdin(Stdio::null()).stderr(Stdio::null());
        let output = shell.output().map_err(|error| error.to_string())?;
        if !matches!(output.status.code(), Some(0..=2)) {
            return Err(format!("`skills {}` ended with {}", arguments.join(" "), output.status));
        }
        // The last line has the times of the shell's children, such as `0m1.20s 0m0.30s`.
        let printed = String::from_utf8_lossy(&output.stdout);
        let seconds = |time: &str| {
            let (minutes, rest) = time.trim_end_matches('s').split_once('m')?;
            Some(minutes.parse::<f64>().ok()? * 60.0 + rest.parse::<f64>().ok()?)
        };
        let line = printed.lines().next_back().unwrap_or_default();
        let times: Option<Vec<f64>> = line.split_ascii_whitespace().map(seconds).collect();
        let times = times.filter(|times| times.len() == 2);
        let times = times.ok_or_else(|| format!("no times: {printed}"))?;
        Ok(Duration::from_secs_f64(times.iter().sum()))
    }
}
