//! Clones that want to act or to hide: a configuration of cargo and a toolchain file that name programs, texts in
//! other encodings, a tool with the name of a device, and `update` that is killed at any moment.

use std::fs;

use super::Target;
use super::kills::{kill_after, pause};
use crate::mutate::Mutator;

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let acted = cargo(victim)?;
    let hidden = hide(victim)?;
    pin_devices(victim)?;
    let rounds = rounds.div_ceil(2);
    update(victim, rounds)?;
    Ok(format!(
        "{acted} projects made cargo run nothing, {hidden} encodings hid nothing, {rounds} updates were whole after the next run"
    ))
}

/// Lists the dependencies of projects that name a program for cargo to run.
fn cargo(victim: &Target) -> Result<usize, String> {
    let place = victim.path("clone").display().to_string();
    let attempts = [
        (".cargo/config.toml", format!("[build]\nrustc-wrapper = \"{place}/act\"\n")),
        (".cargo/config", format!("[build]\nrustc = \"{place}/act\"\n")),
        (".cargo/config.toml", format!("[env]\nRUSTC = {{ value = \"{place}/act\", force = true }}\n")),
        ("rust-toolchain.toml", format!("[toolchain]\npath = \"{place}/toolchain\"\n")),
        ("rust-toolchain", format!("[toolchain]\npath = \"{place}/toolchain\"\n")),
    ];
    for (path, text) in &attempts {
        victim.clear("clone");
        victim.write("clone/Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[workspace]\n")?;
        victim.write("clone/src/lib.rs", "")?;
        victim
            .write("clone/Cargo.lock", "version = 3\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n")?;
        for program in ["act", "toolchain/bin/cargo", "toolchain/bin/rustc"] {
            victim
                .write(format!("clone/{program}"), &format!("#!/bin/sh\necho >'{place}/acted'\nexit 1\n"))?;
            make_executable(&victim.path(&format!("clone/{program}")))?;
        }
        victim.write(format!("clone/{path}"), text)?;
        for arguments in [&["add", "crate:app", "--dry-run"][..], &["sync", "--dependencies", "--dry-run"]] {
            let ran = run_in(victim, "clone", arguments)?;
            if arguments.first() == Some(&"sync") && !ran.status.success() {
                return Err(format!("cargo failed with {path}: {}", String::from_utf8_lossy(&ran.stderr)));
            }
            if victim.path("clone/acted").exists() {
                return Err(format!("`skills {}` ran a program that {path} names", arguments.join(" ")));
            }
        }
    }
    Ok(attempts.len())
}

/// Adds skills with hidden characters in texts that are not UTF-8.
fn hide(victim: &Target) -> Result<usize, String> {
    let text = "Safe.\n\u{e0041}\u{202e}\n";
    let units: Vec<u16> = text.encode_utf16().collect();
    let encodings: [Vec<u8>; 4] = [
        [text.as_bytes(), b"\xff"].concat(),
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        text.chars().flat_map(|sign| u32::from(sign).to_le_bytes()).collect(),
    ];
    for bytes in &encodings {
        victim.write("hidden/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n")?;
        victim.write("hidden/pdf/a.md", "")?;
        fs::write(victim.path("hidden/pdf/a.md"), bytes).map_err(|error| error.to_string())?;
        victim.write("own/empty", "")?;
        if run_in(victim, "own", &["add", "../hidden", "--yes"])?.status.success() {
            return Err(format!("hidden characters were added: {bytes:x?}"));
        }
    }
    Ok(encodings.len())
}

/// Pins a tool of a server whose name is a device.
fn pin_devices(victim: &Target) -> Result<(), String> {
    let server = r#"while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case $line in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}' ;;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"NUL","description":"Acts.","inputSchema":{"type":"object"}}]}}' ;;
esac
done
"#;
    victim.write("server.sh", server)?;
    let pinned = victim.run(&["pin", "sh server.sh", "--to", "pinned", "--yes"])?;
    let errors = String::from_utf8_lossy(&pinned.stderr);
    if victim.path("pinned/nul").exists() || !errors.contains("is a device") {
        return Err(format!("a tool with the name of a device was not refused: {errors}"));
    }
    Ok(())
}

/// Kills `update`: the next one completes it, and does not report edits of the user.
fn update(victim: &Target, rounds: usize) -> Result<(), String> {
    let mut mutator = Mutator::new(38);
    let source = |text: &str| -> Result<(), String> {
        for skill in 0..6 {
            let document = format!("---\nname: it{skill}\ndescription: It is updated.\n---\n{text}\n");
            victim.write(format!("source/it{skill}/SKILL.md"), &document)?;
            for at in 0..10 {
                victim.write(format!("source/it{skill}/{at}.txt"), text)?;
            }
        }
        Ok(())
    };
    source("0")?;
    victim.run(&["add", "./source", "--yes"])?;
    for round in 1..=rounds {
        source(&round.to_string())?;
        kill_after(victim, &["update", "--yes"], pause(&mut mutator, 300))?;
        let next = victim.run(&["update", "--yes"])?;
        if !next.status.success() {
            let errors = String::from_utf8_lossy(&next.stderr);
            return Err(format!("round {round}: the next update failed: {errors}"));
        }
        let checked = victim.run(&["sync", "--locked"])?;
        let read =
            |at: usize| fs::read_to_string(victim.path(&format!("skills/it{}/{}.txt", at / 10, at % 10)));
        let is_whole = (0..60).all(|at| read(at).is_ok_and(|text| text == round.to_string()));
        if !checked.status.success() || !is_whole {
            return Err(format!("round {round}: the skills are not whole after the next update"));
        }
    }
    Ok(())
}

fn run_in(victim: &Target, directory: &str, arguments: &[&str]) -> Result<std::process::Output, String> {
    let mut command = victim.command(arguments);
    // With these variables of the cargo that runs this, rustup would not look for a toolchain file.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command.current_dir(victim.path(directory)).output().map_err(|error| error.to_string())
}

#[cfg(unix)]
fn make_executable(path: &std::path::Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn make_executable(_: &std::path::Path) -> Result<(), String> {
    Ok(())
}
