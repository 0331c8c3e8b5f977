//! Packs a release binary for distribution: a wheel, npm packages and a Debian package, each with manual
//! pages and completions.
//!
//! `cargo xtask dist` writes them to `channels` in the target directory; `--check` installs each in an empty
//! directory and runs it; `--binary FILE` uses an existing program. `cargo xtask ci` only runs [`manifests`].

mod check;
mod deb;
mod npm;
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{at, said};
use crate::workspace::Workspace;
use program::Program;

/// The size limits of SPEC 18.10, in bytes.
const PROGRAM: u64 = 8_000_000;
const WHEEL: u64 = 4_000_000;

/// Packs all channels. With `--check`, also installs them.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (mut binary, mut checks, mut words) = (None, false, arguments.iter());
    while let Some(word) = words.next() {
        match *word {
            "--check" => checks = true,
            "--binary" => binary = Some(PathBuf::from(words.next().ok_or("`--binary` needs a file")?)),
            other => return Err(format!("`{other}` is not an argument")),
        }
    }
    let out = Workspace::target()?.join("channels");
    if out.exists() {
        fs::remove_dir_all(&out).map_err(at(&out))?;
    }
    fs::create_dir_all(&out).map_err(at(&out))?;
    let is_ours = binary.is_none();
    let program = Program::of(binary, &out)?;
    println!("{}", program.told());
    let wheel = wheel(&program, &out)?;
    let npm = npm::pack(&program, &out)?;
    let deb = deb::pack(&program, &out)?;
    for path in [&program.path, &wheel].into_iter().chain(&npm).chain(&deb) {
        println!("{:>10} {}", size(path)?, path.display());
    }
    if is_ours {
        is_small(size(&program.path)?, size(&wheel)?)?;
    }
    if checks { check::run(&out, &wheel, &npm, deb.as_deref()) } else { Ok(()) }
}

/// Checks the sizes of the program and the wheel.
fn is_small(program: u64, wheel: u64) -> Result<(), String> {
    match program < PROGRAM && wheel < WHEEL {
        true => Ok(()),
        false => Err(format!("the program must have less than {PROGRAM} bytes, the wheel less than {WHEEL}")),
    }
}

/// Packs the wheel.
fn wheel(program: &Program, out: &Path) -> Result<PathBuf, String> {
    let mut python = Command::new("python3");
    python.arg("packaging/wheel.py").arg(out).args([&program.version, &program.wheel_tag()]);
    python.arg(&program.path).arg(&program.share).arg("README.md");
    said(&mut python).map(|path| PathBuf::from(path.trim()))
}

/// Checks that the channel files in the repository name the version of the workspace.
pub(crate) fn manifests() -> Result<(), String> {
    let version = program::version()?;
    let needed = [
        ("pyproject.toml", format!("\nversion = \"{version}\"\n")),
        ("pyproject.toml", format!("\"skills-bundle=={version}\"")),
        ("action.yml", format!("    default: {version}\n")),
        (".pre-commit-hooks.yaml", "- id: skills-check\n".to_owned()),
    ];
    for (path, text) in needed {
        let read = fs::read_to_string(path).map_err(at(Path::new(path)))?;
        if !read.contains(&text) {
            return Err(format!("{path} does not say `{}`", text.trim()));
        }
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64, String> {
    fs::metadata(path).map(|found| found.len()).map_err(at(path))
}

/// Copies a directory recursively.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(at(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_small;

    // SPEC 18.10
    #[test]
    fn the_bounds_themselves_are_too_large() {
        assert!(is_small(7_999_999, 3_999_999).is_ok());
        assert!(is_small(8_000_000, 1).is_err() && is_small(1, 4_000_000).is_err());
    }
}
