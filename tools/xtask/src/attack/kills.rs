//! Sends `kill -9` at random times: the next installation completes an interrupted one, and a command leaves
//! no process behind.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::Target;
use crate::mutate::Mutator;

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let mut mutator = Mutator::new(9);
    for skill in 0..8 {
        let document = format!("---\nname: it{skill}\ndescription: It is killed.\n---\nBody.\n");
        victim.write(format!("s/it{skill}/SKILL.md"), &document)?;
        for at in 0..20 {
            victim.write(format!("s/it{skill}/{at}.txt"), &"x".repeat(5_000))?;
        }
    }
    for round in 0..rounds {
        if round % 4 == 0 {
            victim.clear("t");
        }
        kill_after(victim, &["install", "--dir", "s", "--to", "t"], pause(&mut mutator, 40))?;
        victim.run(&["install", "--dir", "s", "--to", "t"])?;
        for skill in 0..8 {
            let read = |at| std::fs::metadata(victim.path(&format!("t/skills/it{skill}/{at}.txt")));
            if !(0..20).all(|at| read(at).is_ok_and(|file| file.len() == 5_000)) {
                return Err(format!("round {round}: `it{skill}` is not whole after the next run"));
            }
        }
        if victim.path("t/skills/.skills-tmp").exists() {
            return Err(format!("round {round}: files or processes were left behind"));
        }
    }
    let left = if cfg!(target_os = "linux") { leave(victim, rounds.div_ceil(4), &mut mutator)? } else { 0 };
    Ok(format!("{rounds} installations, whole after the next run; {left} programs, nothing left of them"))
}

pub(super) fn pause(mutator: &mut Mutator, most: usize) -> Duration {
    Duration::from_millis(u64::try_from(mutator.below(most)).unwrap_or(0))
}

pub(super) fn kill_after(victim: &Target, arguments: &[&str], pause: Duration) -> Result<(), String> {
    let message = |error: std::io::Error| error.to_string();
    let mut child =
        victim.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(message)?;
    std::thread::sleep(pause);
    child.kill().map_err(message)?;
    child.wait().map(drop).map_err(message)
}

/// Kills commands whose programs start processes in their own sessions and without an environment.
fn leave(victim: &Target, rounds: usize, mutator: &mut Mutator) -> Result<usize, String> {
    for round in 0..rounds {
        let word = format!("7{}{round}", std::process::id());
        let script = format!(
            "#!/bin/sh\n(env -i setsid sh -c 'sleep {word}1; :' >/dev/null 2>&1 </dev/null &)\nenv -i sh -c 'setsid sleep \
             {word}2; :' &\nsleep {word}3\n"
        );
        victim.write("p/it/SKILL.md", "---\nname: it\ndescription: It leaves.\nexec: run\n---\nBody.\n")?;
        victim.write("p/it/run", &script)?;
        // This is much longer than the keeper needs to notice an orphan.
        let pause = Duration::from_millis(1_500) + pause(mutator, 100);
        kill_after(victim, &["exec", "it", "--dir", "p"], pause)?;
        let left = |_: &u32| {
            std::thread::sleep(Duration::from_millis(250));
            Command::new("pgrep").args(["-f", &word]).output().is_ok_and(|found| !found.stdout.is_empty())
        };
        if (0..80).take_while(left).count() == 80 {
            return Err(format!("processes with `{word}` in their command lines are left"));
        }
    }
    Ok(rounds)
}
