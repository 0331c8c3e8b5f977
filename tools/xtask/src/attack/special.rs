//! Attack: a project whose files are devices, pipes or very large, or name such files. No command hangs, or reads them.

use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

use super::Target;

/// The maximum CPU time of a check.
const LONGEST: Duration = Duration::from_secs(5);

pub(super) fn attack(victim: &Target, _: usize) -> Result<String, String> {
    let mut count = 0;
    for value in ["/dev/zero", "zero", "fifo", "large", "/proc/self/environ", "../outside", "link"] {
        for file in ["", "skills.toml", "skills.lock", "Cargo.toml"] {
            victim.clear("p");
            victim.write("outside", "hunter2")?;
            victim.write("p/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\n`acme x`\n")?;
            let error = |error: std::io::Error| error.to_string();
            symlink("/dev/zero", victim.path("p/zero")).map_err(error)?;
            symlink("../outside", victim.path("p/link")).map_err(error)?;
            let large = std::fs::File::create(victim.path("p/large")).map_err(error)?;
            large.set_len(3_000_000_000).map_err(error)?;
            let made = Command::new("mkfifo").arg(victim.path("p/fifo")).status().map_err(error)?;
            if !made.success() {
                return Err("mkfifo failed".to_owned());
            }
            match file {
                "" => victim.write("p/skills.toml", &format!("commands = [\"{value}\"]\n"))?,
                _ if matches!(value, "fifo" | "large") => {
                    std::fs::rename(victim.path("p").join(value), victim.path("p").join(file))
                        .map_err(error)?;
                }
                _ => symlink(value, victim.path("p").join(file)).map_err(error)?,
            }
            let output = victim.run(&["check", "p/skills"])?;
            let text = [output.stdout, output.stderr].concat();
            if String::from_utf8_lossy(&text).contains("hunter2") {
                return Err(format!("{value} as {file} was read"));
            }
            let time = victim.time(&["check", "p/skills"])?;
            if time > LONGEST {
                return Err(format!("{value} as {file} took {:.1} s", time.as_secs_f64()));
            }
            count += 1;
        }
    }
    Ok(format!("{count} special files are not read"))
}
