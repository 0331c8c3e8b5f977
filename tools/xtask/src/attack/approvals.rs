//! A clone names programs and addresses of MCP servers in every place where it can. Nothing of it may act before the user
//! has approved it, an approval of one project must not hold for another, and it ends if a file that a program could run
//! changes.

use std::net::TcpListener;
use std::process::Command;

use super::Target;

/// Commands that a user may type in a clone. No command among them is an approval.
const COMMANDS: [&str; 16] = [
    "pin --check",
    "pin --update --dry-run",
    "pin program --dry-run",
    "pin address --dry-run",
    "list --mcp program",
    "list --mcp address",
    "search --mcp program x",
    "search --mcp address x",
    "show x --mcp program",
    "trust --mcp program",
    "trust --mcp address",
    "trust skills",
    "call tool --dir skills --input {}",
    "call named --dir skills --input {}",
    "call remote --dir skills --input {}",
    "call tool --dir skills --input {} --sandbox auto",
];

pub(super) fn attack(victim: &Target, _: usize) -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let mark = victim.path("acted");
    for project in ["own", "clone"] {
        write_project(victim, project, port)?;
    }
    let approved = run(victim, "own", "trust --mcp program --yes")?;
    if !mark.exists() {
        return Err(format!("the approved server did not start: {approved}"));
    }
    for command in COMMANDS {
        let _: std::io::Result<()> = std::fs::remove_file(&mark);
        let printed = run(victim, "clone", command)?;
        if mark.exists() {
            return Err(format!("`skills {command}` started a program of the clone"));
        }
        if listener.accept().is_ok() {
            return Err(format!("`skills {command}` connected to an address of the clone"));
        }
        if printed.contains("sesame") {
            return Err(format!("`skills {command}` printed a variable"));
        }
    }
    let lines = run_changed_files(victim)?;
    Ok(format!(
        "0 of {} commands started or sent anything, 0 of {lines} command lines ran a changed file",
        COMMANDS.len()
    ))
}

/// Command lines that lead to `tools/lib.sh` without a word that is its path.
#[cfg(unix)]
const LINES: [&[&str]; 12] = [
    &["sh", "tools/mcp.sh"],
    &["sh", "-c", "exec sh \"$PWD/tools/mcp.sh\""],
    &["sh", "-c", "exec sh t*/m*.sh"],
    &["sh", "-c", "eval \"$(printf 'exec sh too%s/mcp.sh' ls)\""],
    &["env", "-S", "sh tools/mcp.sh"],
    &["env", "-C", "tools", "sh", "mcp.sh"],
    &["find", ".", "-name", "mcp.sh", "-exec", "sh", "{}", ";"],
    &["make", "-s", "serve"],
    &["make", "-sC", "sub", "serve"],
    &["./link"],
    &["./tools/script"],
    &["nice", "./tools/script"],
];

/// Approves each command line, changes a file that it runs, and returns an error if the changed file runs.
#[cfg(unix)]
fn run_changed_files(victim: &Target) -> Result<usize, String> {
    let mark = victim.path("acted");
    let script = format!("[ -d tools ] || cd ..\n. tools/lib.sh\necho x >> '{}'\n", mark.display());
    for (at, line) in LINES.iter().enumerate() {
        let project = format!("line{at}");
        let library = format!("{project}/tools/lib.sh");
        victim.write(format!("{project}/tools/mcp.sh"), &script)?;
        victim.write(format!("{project}/tools/script"), &format!("#!/bin/sh\n{script}"))?;
        victim.write(&library, "true\n")?;
        victim.write(format!("{project}/Makefile"), "serve:\n\tsh tools/mcp.sh\n")?;
        victim.write(format!("{project}/sub/Makefile"), "serve:\n\tcd .. && sh tools/mcp.sh\n")?;
        victim.write(format!("{project}/skills.toml"), &format!("[mcp.program]\ncommand = {line:?}\n"))?;
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(victim.path(&format!("{project}/tools/script")), executable)
            .and_then(|()| {
                std::os::unix::fs::symlink("tools/script", victim.path(&format!("{project}/link")))
            })
            .map_err(|error| error.to_string())?;
        for command in ["trust --mcp program --yes", "list --mcp program"] {
            let _: std::io::Result<()> = std::fs::remove_file(&mark);
            let printed = run(victim, &project, command)?;
            if !mark.exists() {
                return Err(format!(
                    "{line:?} is approved, and `skills {command}` did not start it: {printed}"
                ));
            }
        }
        let _: std::io::Result<()> = std::fs::remove_file(&mark);
        victim.write(&library, "false\n")?;
        run(victim, &project, "list --mcp program")?;
        if mark.exists() {
            return Err(format!("{line:?} ran a file that had changed after the approval"));
        }
    }
    Ok(LINES.len())
}

#[cfg(not(unix))]
fn run_changed_files(_: &Target) -> Result<usize, String> {
    Ok(0)
}

/// Writes a project whose files are the same wherever it is.
fn write_project(victim: &Target, project: &str, port: u16) -> Result<(), String> {
    let mark = victim.path("acted");
    victim.write(
        format!("{project}/tools/mcp.sh"),
        &format!("echo \"$AN_API_KEY\" >> '{}'\n", mark.display()),
    )?;
    victim.write(
        format!("{project}/skills.toml"),
        &format!(
            "[mcp.program]\ncommand = [\"sh\", \"tools/mcp.sh\"]\nenv = [\"AN_API_KEY\"]\n\
             [mcp.address]\nurl = \"http://127.0.0.1:{port}/mcp\"\ntoken = \"AN_API_KEY\"\n"
        ),
    )?;
    let url = format!("http://127.0.0.1:{port}/mcp");
    for (name, server) in [("tool", "sh tools/mcp.sh"), ("named", "program"), ("remote", url.as_str())] {
        victim.write(
            format!("{project}/skills/{name}/skill.json"),
            &format!(
                r#"{{"name": "{name}", "description": "A tool. Use for tests.", "category": "test", "mode": "mcp",
                "input": {{"type": "object"}}, "output": {{"type": "object"}}, "permissions": {{"net": "none"}},
                "mcp": {{"server": "{server}", "tool": "{name}", "digest": "sha256:{}"}}}}"#,
                "0".repeat(64)
            ),
        )?;
    }
    Ok(())
}

fn run(victim: &Target, project: &str, line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split(' ').collect();
    let mut command: Command = victim.command(&words);
    let command =
        command.current_dir(victim.path(project)).env("AN_API_KEY", "sesame").env_remove("XDG_CONFIG_HOME");
    let output = command.output().map_err(|error| error.to_string())?;
    Ok(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}
