//! Replaces a trusted skill with a link to another one, back and forth, while its program starts: no file of the
//! other may run.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

use super::Target;

#[cfg(not(unix))]
pub(super) fn attack(_: &Target, _: usize) -> Result<String, String> {
    Ok("no program runs here".to_owned())
}

#[cfg(unix)]
pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let document = "---\nname: it\ndescription: It runs. Use to run.\nexec: run\n---\nBody.\n";
    let program = "#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\n";
    for (place, word) in [("repo/.claude/skills/it", "inside"), ("elsewhere", "elsewhere")] {
        victim.write(format!("{place}/SKILL.md"), document)?;
        victim.write(format!("{place}/run"), program)?;
        victim.write(format!("{place}/lib.sh"), &format!("echo {word}\n"))?;
        let run = victim.path(&format!("{place}/run"));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(run, executable).map_err(|error| error.to_string())?;
    }
    let trusted = victim.run(&["trust", "repo"])?;
    if !trusted.status.success() {
        return Err(String::from_utf8_lossy(&trusted.stderr).into_owned());
    }
    let (place, away, link) =
        (victim.path("repo/.claude/skills/it"), victim.path("away"), victim.path("link"));
    symlink(victim.path("elsewhere"), &link).map_err(|error| error.to_string())?;
    let (stop, mut other, mut ran) = (AtomicBool::new(false), 0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| super::exchange::exchange(&stop, &place, &away, &link));
        let outcome = (0..rounds).try_for_each(|_| {
            let mut command = victim.command(&["exec", "it"]);
            let output =
                command.current_dir(victim.path("repo")).output().map_err(|error| error.to_string())?;
            let printed = String::from_utf8_lossy(&output.stdout);
            ran += usize::from(printed.contains("inside\\n"));
            other += usize::from(printed.contains("elsewhere\\n"));
            Ok::<(), String>(())
        });
        stop.store(true, Ordering::Relaxed);
        outcome
    })?;
    if other > 0 {
        return Err(format!("{other} of {rounds} runs executed a file that was not trusted"));
    }
    Ok(format!("0 of {rounds} runs executed a file that was not trusted, {ran} ran"))
}
