//! Builds two npm packages: the package that users install, and the package with the program for this
//! platform.

use std::env::consts::{ARCH, EXE_SUFFIX, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use skills_schema::json::Node;
use skills_schema::json::make::{object, string};

use super::copy;
use super::program::Program;
use crate::command::{at, stdout_of, write};

/// Packs both; the one with the program is first.
pub(super) fn pack(program: &Program, out: &Path) -> Result<Vec<PathBuf>, String> {
    let os = match OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let cpu = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let platform = format!("skills-bundle-{os}-{cpu}");
    let list = |text: &str| skills_schema::json::make::array(vec![string(text)]);

    let place = out.join("npm").join(&platform);
    let bin = place.join(format!("bin/skills{EXE_SUFFIX}"));
    write(&bin, fs::read(&program.path).map_err(at(&program.path))?)?;
    executable(&bin)?;
    let mut members = head(&platform, &program.version, "The program of skills-bundle for one platform");
    members.extend([("os", list(os)), ("cpu", list(cpu)), ("files", list("bin"))]);
    if program.glibc.is_some() {
        members.push(("libc", list("glibc")));
    }
    let first = finish(&place, members, out)?;

    let place = out.join("npm/skills-bundle");
    write(&place.join("bin/skills.js"), fs::read("packaging/skills.js").map_err(|error| error.to_string())?)?;
    executable(&place.join("bin/skills.js"))?;
    copy(&program.share, &place.join("share"))?;
    let mut pages: Vec<String> = Vec::new();
    for entry in fs::read_dir(program.share.join("man/man1")).map_err(at(&program.share))? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        pages.push(format!("./share/man/man1/{}", name.to_string_lossy()));
    }
    pages.sort();
    let mut members = head("skills-bundle", &program.version, "Checks, shows and runs agent skills");
    let bin = || string("bin/skills.js");
    members.extend([
        // `npx skills-bundle` runs the program with the name of the package.
        ("bin", object(vec![("skills", bin()), ("skills-bundle", bin())])),
        ("man", skills_schema::json::make::array(pages.iter().map(string))),
        ("files", skills_schema::json::make::array(vec![string("bin"), string("share")])),
        ("engines", object(vec![("node", string(">=18"))])),
        ("optionalDependencies", object(vec![(platform.as_str(), string(&program.version))])),
    ]);
    Ok(vec![first, finish(&place, members, out)?])
}

fn head<'a>(name: &str, version: &str, description: &str) -> Vec<(&'a str, Node)> {
    vec![
        ("name", string(name)),
        ("version", string(version)),
        ("description", string(description)),
        ("license", string("MIT OR Apache-2.0")),
    ]
}

/// Writes the manifest and packs the directory with npm.
fn finish(place: &Path, members: Vec<(&str, Node)>, out: &Path) -> Result<PathBuf, String> {
    write(&place.join("package.json"), object(members).to_string())?;
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(file, place.join(file)).map_err(at(Path::new(file)))?;
    }
    let printed = stdout_of(
        Command::new("npm").args(["pack", "--silent", "--pack-destination"]).arg(out).current_dir(place),
    )?;
    printed.lines().last().map(|name| out.join(name.trim())).ok_or("npm names no package".to_owned())
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(at(path))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<(), String> {
    Ok(())
}
