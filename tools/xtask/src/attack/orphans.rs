//! Attack: programs leave processes behind. No such process may use resources of the host after the run,
//! outlive it, or stay uncounted.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::Target;
use crate::command::{at, run};

const PROGRAM: &str = include_str!("orphans/run.c");
const SKILL: &str = "---\nname: it\ndescription: It leaves.\nexec: run\nmetadata:\n  permissions: '{\"write\":[\"$WORKSPACE\"]}'\n---\nx\n";

/// How long a process may remain after the command has ended.
const DEATH: Duration = Duration::from_millis(100);

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let source = victim.path("run.c");
    victim.write("run.c", PROGRAM)?;
    let program = victim.path("run");
    run(Command::new("cc").args(["-w", "-O1", "-o"]).arg(&program).arg(&source))?;
    let mut lines = Vec::new();
    for user in [None, Some("65534")] {
        let id = Command::new("id").arg("-u").output().map_err(|error| error.to_string())?;
        let is_root = id.stdout.starts_with(b"0\n");
        let user = match user {
            // Only root can switch to another user.
            Some(_) if !is_root => continue,
            user => user,
        };
        let place = Place::new(victim, &program, user)?;
        let name = match (user, is_root) {
            (Some(_), _) => "nobody",
            (None, true) => "root",
            (None, false) => "this user",
        };
        let problem = |text: String| format!("as {name}: {text}");
        place.exchange(rounds).map_err(problem)?;
        place.hop(rounds.div_ceil(8)).map_err(problem)?;
        place.bomb().map_err(problem)?;
        lines.push(name);
    }
    Ok(format!("{rounds} runs each as {}: 0 deleted, 0 read, 0 left alive", lines.join(" and ")))
}

/// A directory that every user may read and write, with the command and its skill.
struct Place {
    top: PathBuf,
    user: Option<&'static str>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _: std::io::Result<()> = fs::remove_dir_all(&self.top);
    }
}

impl Place {
    fn new(victim: &Target, program: &Path, user: Option<&'static str>) -> Result<Self, String> {
        let name = format!("skills-attack-{}-{}", std::process::id(), user.unwrap_or("own"));
        let place = Self { top: std::env::temp_dir().join(name), user };
        for directory in ["s/it", "work", "tmp", "home", "victim"] {
            fs::create_dir_all(place.path(directory)).map_err(at(&place.top))?;
        }
        for (from, to) in [(victim.skills.as_path(), "skills"), (program, "s/it/run")] {
            fs::copy(from, place.path(to)).map_err(at(from))?;
        }
        fs::write(place.path("s/it/SKILL.md"), SKILL).map_err(at(&place.top))?;
        for directory in ["work", "tmp", "home"] {
            let mode = fs::Permissions::from_mode(0o777);
            fs::set_permissions(place.path(directory), mode).map_err(at(&place.top))?;
        }
        Ok(place)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    /// Runs the program. Fails if processes of the program remain after the run.
    fn run(&self, input: &str, arguments: &[&str]) -> Result<Output, String> {
        let mut command = Command::new(if self.user.is_some() { "setpriv" } else { "env" });
        if let Some(user) = self.user {
            command.args([format!("--reuid={user}"), format!("--regid={user}")]);
            command.args(["--clear-groups", "--inh-caps=-all"]);
        }
        command.arg(self.path("skills")).args(["exec", "it", "--dir", "s", "--workspace", "work"]);
        command.args(arguments).args(["--input", input]);
        command.current_dir(&self.top).env("TMPDIR", self.path("tmp")).env("HOME", self.path("home"));
        let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if self.left() > 0 {
            std::thread::sleep(DEATH);
            let left = self.left();
            if left > 0 {
                return Err(format!("{left} processes are left {} ms after `{input}`", DEATH.as_millis()));
            }
        }
        Ok(output)
    }

    /// Counts the processes of the program.
    fn left(&self) -> usize {
        let program = self.path("s/it/run");
        let listing = fs::read_dir("/proc").into_iter().flatten().flatten();
        listing
            .filter(|entry| fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program))
            .count()
    }

    /// Replaces directories by links to the victim while they are removed.
    fn exchange(&self, rounds: usize) -> Result<(), String> {
        let victim = self.path("victim");
        let (secret, inner) = (victim.join("secret"), victim.join("sub/inner"));
        fs::create_dir_all(victim.join("sub")).map_err(at(&victim))?;
        for file in [&secret, &inner] {
            fs::write(file, "secret").map_err(at(file))?;
        }
        if let Some(user) = self.user {
            // The program owns these files, so only the sandbox protects them.
            run(Command::new("chown").args(["-R", user]).arg(&victim))?;
        }
        let input = format!("exchange {}", victim.display());
        for round in 0..rounds {
            let output = self.run(&input, &["--sandbox", "require"])?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let mode = fs::metadata(&victim).map_err(at(&victim))?.permissions().mode() & 0o777;
            if !secret.exists() || !inner.exists() || mode != 0o755 {
                return Err(format!("round {round}: the victim was changed: {printed}"));
            }
            if self.path("work/stolen").exists() {
                return Err(format!("round {round}: the victim was read: {printed}"));
            }
            if !printed.contains("\"exit_code\":0")
                || fs::read_dir(self.path("tmp")).map_err(at(&self.top))?.count() > 0
            {
                return Err(format!("round {round}: it did not run, or something was left: {printed}"));
            }
        }
        Ok(())
    }

    /// Starts a process that changes its process id all the time.
    fn hop(&self, rounds: usize) -> Result<(), String> {
        for round in 0..rounds.max(2) {
            let sandbox = ["require", "off"][round % 2];
            let output = self.run(&format!("hop {}", [0, 200, 1000][round % 3]), &["--sandbox", sandbox])?;
            let printed = String::from_utf8_lossy(&output.stdout);
            if !printed.contains("\"exit_code\":0") {
                return Err(format!("it did not run: {printed}"));
            }
        }
        Ok(())
    }

    /// Starts 300 processes under a limit of 16.
    fn bomb(&self) -> Result<(), String> {
        for sandbox in ["require", "off"] {
            let output = self.run("bomb 300", &["--sandbox", sandbox, "--resource-limit", "processes=16"])?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let is_ended = printed.contains("more than 16 processes at once");
            // The kernel counts the processes of every user except root. The thread that started the program
            // has ended since then.
            let made =
                printed.split_once("made ").and_then(|(_, made)| made.split_once('\\')?.0.parse().ok());
            if !is_ended && made.is_none_or(|made: u64| made > 17) {
                return Err(format!("under a limit of 16 processes: {printed}"));
            }
        }
        Ok(())
    }
}
