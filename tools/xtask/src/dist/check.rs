//! Installs each channel in an empty directory, as a new user would. The installed command must find an error
//! in a skill within ten seconds of the first command; on a busy machine, within ten seconds of CPU time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::command::{at, stdout_of, write};
use crate::steps::children;

/// The error that every channel must find.
const FAULT: &str = "yaml-unquoted-colon";

/// The maximum time from an empty directory to the report.
const BOUND: Duration = Duration::from_secs(10);

/// Installs and runs all channels.
pub(super) fn run(out: &Path, wheel: &Path, npm: &[PathBuf], deb: Option<&Path>) -> Result<(), String> {
    let top = std::env::temp_dir().join(format!("skills-channels-{}", std::process::id()));
    let outcome = all(&top, out, wheel, npm, deb);
    fs::remove_dir_all(&top).map_err(at(&top))?;
    outcome
}

fn all(top: &Path, out: &Path, wheel: &Path, npm: &[PathBuf], deb: Option<&Path>) -> Result<(), String> {
    let tools = tools(top)?;
    let pip = format!("pip install --quiet --no-index {}", quoted(wheel));
    let new = format!("python3 -m venv .venv && .venv/bin/{pip}");
    channel(top, "wheel, in a new environment", &[&new], ".venv/bin/skills check .", &[])?;
    let cache = top.join("uv").to_string_lossy().into_owned();
    let uvx = format!("{}/uvx --from {} skills check .", quoted(&tools.join("bin")), quoted(wheel));
    channel(top, "uvx", &[], &uvx, &[("UV_CACHE_DIR", &cache)])?;
    let packages: Vec<String> = npm.iter().map(|path| quoted(path)).collect();
    let install = format!("npm install --silent --no-audit --no-fund {}", packages.join(" "));
    channel(top, "npm", &[&install], "npx --no-install skills check .", &[])?;
    let npx: Vec<String> = packages.iter().map(|path| format!("--package={path}")).collect();
    channel(top, "npx", &[], &format!("npx --yes {} skills check .", npx.join(" ")), &[])?;
    if let Some(deb) = deb {
        let place = channel(
            top,
            "deb",
            &[&format!("dpkg-deb -x {} root", quoted(deb))],
            "root/usr/bin/skills check .",
            &[],
        )?;
        let there =
            ["bin/cargo-skills", "share/man/man1/skills.1.gz", "share/bash-completion/completions/skills"];
        if let Some(missing) = there.iter().find(|path| !place.join("root/usr").join(path).exists()) {
            return Err(format!("the Debian package has no {missing}"));
        }
    }
    hooks(top, out, wheel, &tools)?;
    // This channel is the last, because the other channels would find the program that it installs.
    let bin = quoted(&tools.join("bin"));
    let (known, check) = (format!("{bin}/{pip}"), format!("{bin}/skills check ."));
    channel(top, "wheel, in an existing environment", &[&known], &check, &[]).map(drop)
}

/// Creates the environment that a Python user already has: a virtual environment with uv and pre-commit.
fn tools(top: &Path) -> Result<PathBuf, String> {
    let tools = top.join("tools");
    let prepare = format!("python3 -m venv {0} && {0}/bin/pip install --quiet pre-commit uv", quoted(&tools));
    stdout_of(Command::new("bash").args(["-ec", &prepare]))?;
    Ok(tools)
}

/// Tests a hook from a clone, and the action.
fn hooks(top: &Path, out: &Path, wheel: &Path, tools: &Path) -> Result<(), String> {
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    let clone = top.join("clone");
    stdout_of(Command::new("git").args(["clone", "--quiet"]).arg(&root).arg(&clone))?;
    let bin = tools.join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(bin.clone()).chain(std::env::split_paths(&path)))
        .map_err(|error| error.to_string())?;
    let path = path.to_string_lossy().into_owned();
    let home = top.join("pre-commit").to_string_lossy().into_owned();
    // Without this, cargo takes minutes to build the program of the hook.
    let program = out.join(format!("skills{}", std::env::consts::EXE_SUFFIX)).to_string_lossy().into_owned();
    let environment = [("PATH", path.as_str()), ("PRE_COMMIT_HOME", &home), ("SKILLS_PROGRAM", &program)];
    let begin = ["git init --quiet .", "git add ."];
    let try_repo = format!("pre-commit try-repo {} skills-check --all-files --verbose", quoted(&clone));
    channel(top, "pre-commit", &begin, &try_repo, &environment)?;
    let action = format!(
        "{} -I {} {} wheel={} sha256={} sarif=true",
        quoted(&bin.join("python")),
        quoted(&root.join("packaging/run_action.py")),
        quoted(&root.join("action.yml")),
        quoted(wheel),
        sha256(wheel)?
    );
    let place = channel(top, "action", &[], &action, &environment)?;
    let printed = fs::read_to_string(place.join("told")).map_err(at(&place))?;
    for needed in ["::error file=", "upload-sarif", "skills.sarif"] {
        if !printed.contains(needed) {
            return Err(format!("the action did not say `{needed}`: {printed}"));
        }
    }
    Ok(())
}

/// Returns the SHA-256 of a file, computed by coreutils.
fn sha256(path: &Path) -> Result<String, String> {
    let printed = stdout_of(Command::new("sha256sum").arg(path))?;
    printed.split(' ').next().map(str::to_owned).ok_or_else(|| format!("no digest: {printed}"))
}

/// Installs in an empty directory with one skill, runs the check, and returns the directory.
fn channel(
    top: &Path,
    name: &str,
    install: &[&str],
    check: &str,
    environment: &[(&str, &str)],
) -> Result<PathBuf, String> {
    let place = top.join(name);
    write(
        &place.join("skills/pdf/SKILL.md"),
        "---\nname: pdf\ndescription: Use when: reviewing\n---\n# PDF\n",
    )?;
    let (begin, before) = (Instant::now(), children());
    for line in install {
        stdout_of(&mut bash(line, &place, environment))?;
    }
    let installed = begin.elapsed();
    let output = bash(check, &place, environment).output().map_err(|error| format!("{name}: {error}"))?;
    let took = begin.elapsed();
    let cpu = children().zip(before).map_or(took, |(after, before)| after.saturating_sub(before));
    let printed =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    write(&place.join("told"), &printed)?;
    if output.status.code() != Some(1) || !printed.contains(FAULT) {
        return Err(format!(
            "{name}: `{check}` ended with {} and did not find the fault:\n{printed}",
            output.status
        ));
    }
    println!(
        "{name}: found the fault {:.1} s after the first command, installed after {:.1} s; {:.1} s of CPU",
        took.as_secs_f64(),
        installed.as_secs_f64(),
        cpu.as_secs_f64()
    );
    if took.min(cpu) > BOUND { Err(format!("{name}: more than {} s", BOUND.as_secs())) } else { Ok(place) }
}

fn bash(line: &str, place: &Path, environment: &[(&str, &str)]) -> Command {
    let mut bash = Command::new("bash");
    bash.args(["-ec", line]).current_dir(place).envs(environment.iter().copied());
    bash
}

/// Quotes a path for the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
