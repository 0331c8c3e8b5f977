//! Builds a Debian package with `dpkg-deb`, if it is installed.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::copy;
use super::program::Program;
use crate::command::{at, stdout_of, write};

/// Builds the package. Returns `None`, with a note, if `dpkg-deb` is missing.
pub(super) fn pack(program: &Program, out: &Path) -> Result<Option<PathBuf>, String> {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("no Debian package: `dpkg-deb` is not installed");
        return Ok(None);
    }
    let architecture = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let stem = format!("skills-bundle_{}_{architecture}", program.version);
    let tree = out.join("deb").join(&stem);
    let needs = program.depends();
    let control = format!(
        "Package: skills-bundle\nVersion: {}\nArchitecture: {architecture}\nMaintainer: skills-bundle <nobody@localhost>\n\
         Section: devel\nPriority: optional\n{needs}Description: checks, shows and runs agent skills\n \
         The command checks directories of agent skills, fixes their problems,\n shows them as a model would see \
         them, and runs their programs.\n",
        program.version
    );
    write(&tree.join("DEBIAN/control"), control)?;
    let bin = tree.join("usr/bin");
    fs::create_dir_all(&bin).map_err(at(&bin))?;
    fs::copy(&program.path, bin.join("skills")).map_err(at(&bin))?;
    #[cfg(unix)]
    std::os::unix::fs::symlink("skills", bin.join("cargo-skills")).map_err(at(&bin))?;
    let share = tree.join("usr/share");
    copy(&program.share, &share)?;
    // Debian has another directory for zsh, and its policy requires compressed manual pages.
    let zsh = share.join("zsh");
    fs::rename(zsh.join("site-functions"), zsh.join("vendor-completions")).map_err(at(&zsh))?;
    for entry in fs::read_dir(share.join("man/man1")).map_err(at(&share))? {
        stdout_of(Command::new("gzip").arg("-9n").arg(entry.map_err(at(&share))?.path()))?;
    }
    let licence = fs::read_to_string("LICENSE-MIT").map_err(|error| error.to_string())?;
    write(
        &share.join("doc/skills-bundle/copyright"),
        format!(
            "MIT or Apache-2.0 (see /usr/share/common-licenses/Apache-2.0), at your option.\n\n{licence}"
        ),
    )?;
    let package = out.join(format!("{stem}.deb"));
    stdout_of(
        Command::new("dpkg-deb").args(["--root-owner-group", "-Zxz", "--build"]).arg(&tree).arg(&package),
    )?;
    Ok(Some(package))
}
