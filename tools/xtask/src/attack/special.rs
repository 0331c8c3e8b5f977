//! Attack: a project whose files are devices, pipes or very large, or name such files. No command hangs, or reads them.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::Target;

/// The maximum CPU time of a command.
const LONGEST: Duration = Duration::from_secs(10);

/// The files that are made special, each with a command that opens it.
const FILES: [(&str, &str); 14] = [
    ("skills.toml", "check skills"),
    ("skills.lock", "check skills"),
    ("skills.lock", "sync --locked"),
    ("Cargo.toml", "check skills"),
    ("Cargo.toml", "sync --dependencies --dry-run"),
    ("Cargo.lock", "sync --dependencies --dry-run"),
    ("member/Cargo.toml", "sync --dependencies --dry-run"),
    ("skills/pdf/SKILL.md", "sync --locked"),
    ("copy/pdf/SKILL.md", "vendor skills copy"),
    ("copy/.skills-source", "vendor --ci skills copy"),
    (".gitignore", "check skills"),
    ("skills/.skillignore", "check skills"),
    ("plugin.json", "plugin check ."),
    ("skills/pdf/evals/evals.json", "eval skills"),
];

const SKILL: &str = "---\nname: pdf\ndescription: Reads.\n---\n`acme x`\n";

pub(super) fn attack(victim: &Target, _: usize) -> Result<String, String> {
    let mut count = 0;
    for value in ["/dev/zero", "zero", "fifo", "large", "/proc/self/environ", "../outside", "link"] {
        make_project(victim)?;
        victim.write("p/skills.toml", &format!("commands = [\"{value}\"]\n"))?;
        check(victim, "check skills", &format!("{value} as a file of commands"))?;
        for (file, line) in FILES {
            make_project(victim)?;
            let path = victim.path("p").join(file);
            // The file may not exist.
            let _: std::io::Result<()> = std::fs::remove_file(&path);
            let above = path.parent().unwrap_or(&path);
            std::fs::create_dir_all(above).map_err(|error| error.to_string())?;
            let made = match value {
                "fifo" | "large" => std::fs::rename(victim.path("p").join(value), &path),
                "zero" | "link" => symlink(victim.path("p").join(value), &path),
                _ => symlink(value, &path),
            };
            made.map_err(|error| error.to_string())?;
            check(victim, line, &format!("{value} as {file} of `skills {line}`"))?;
            count += 1;
        }
    }
    Ok(format!("{count} special files are not read"))
}

fn make_project(victim: &Target) -> Result<(), String> {
    victim.clear("p");
    victim.write("outside", "hunter2")?;
    for (path, text) in [
        ("p/skills/pdf/SKILL.md", SKILL),
        ("p/copy/pdf/SKILL.md", SKILL),
        (
            "p/Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"1.0.0\"\n[workspace]\nmembers = [\"member\"]\n",
        ),
        ("p/Cargo.lock", "version = 4\n"),
        ("p/src/lib.rs", ""),
    ] {
        victim.write(path, text)?;
    }
    let digest = "0".repeat(64);
    let lock = format!(
        "version = 1\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"./shared\"\npath = \"pdf\"\n\
         [skill.files]\n\"SKILL.md\" = \"{digest}\"\n"
    );
    victim.write("p/skills.lock", &lock)?;
    let error = |error: std::io::Error| error.to_string();
    symlink("/dev/zero", victim.path("p/zero")).map_err(error)?;
    symlink("../outside", victim.path("p/link")).map_err(error)?;
    let large = std::fs::File::create(victim.path("p/large")).map_err(error)?;
    large.set_len(3_000_000_000).map_err(error)?;
    match Command::new("mkfifo").arg(victim.path("p/fifo")).status().map_err(error)?.success() {
        true => Ok(()),
        false => Err("mkfifo failed".to_owned()),
    }
}

/// Runs a command in the project with less memory than the large file has, and with a limit of CPU time.
fn check(victim: &Target, line: &str, what: &str) -> Result<(), String> {
    let limits = format!("ulimit -S -v 2000000; ulimit -S -t {}; exec \"$0\" \"$@\"", LONGEST.as_secs());
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &limits]).arg(&victim.skills).args(line.split(' '));
    shell.current_dir(victim.path("p")).env("HOME", &victim.top).stdin(Stdio::null());
    let output = shell.output().map_err(|error| error.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    if !matches!(output.status.code(), Some(0..=2)) || text.contains("panicked") {
        return Err(format!("{what} ended with {}: {text}", output.status));
    }
    if text.contains("hunter2") || text.contains("HOME=") {
        return Err(format!("{what} was read"));
    }
    Ok(())
}
