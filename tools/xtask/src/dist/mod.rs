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

use crate::command::{at, stdout_of};
use crate::workspace::Workspace;
use program::Program;

/// The size limits, in bytes.
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
    println!("{}", program.requirement());
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
    python.args(["-I", "packaging/wheel.py"]).arg(out).args([&program.version, &program.wheel_tag()]);
    python.arg(&program.path).arg(&program.share).arg("README.md");
    stdout_of(&mut python).map(|path| PathBuf::from(path.trim()))
}

/// Text that the files of a channel must not contain: packages with these names are not registered, so anyone
/// could register them.
const UNREGISTERED: [&str; 4] = [
    "dependencies = [\"",
    "pip install skills-bundle",
    "npm install -g skills-bundle",
    "install cargo-skills --version",
];

/// Checks the files of channels in the repository: they name the version of the workspace and no package of a
/// registry, and they pin each external action by its digest.
pub(crate) fn manifests() -> Result<(), String> {
    let version = program::version()?;
    let needed = [
        ("pyproject.toml", format!("\nversion = \"{version}\"\n")),
        ("pyproject.toml", "\ndependencies = []\n".to_owned()),
        (".pre-commit-hooks.yaml", "- id: skills-check\n".to_owned()),
        ("action.yml", "bash \"$GITHUB_ACTION_PATH/packaging/action.sh\" install\n".to_owned()),
        ("packaging/action.sh", "unset GITHUB_TOKEN GH_TOKEN ".to_owned()),
    ];
    for (path, text) in needed {
        if !read(path)?.contains(&text) {
            return Err(format!("{path} does not say `{}`", text.trim()));
        }
    }
    for path in
        ["action.yml", ".pre-commit-hooks.yaml", "pyproject.toml", "packaging/action.sh", "packaging/hook.py"]
    {
        if let Some(named) =
            UNREGISTERED.iter().find(|named| read(path).is_ok_and(|text| text.contains(**named)))
        {
            return Err(format!("{path} says `{named}`"));
        }
    }
    for path in ["action.yml", ".github/workflows/ci.yml"] {
        for action in
            read(path)?.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, action)| action)
        {
            if !is_pinned(action) {
                return Err(format!("{path}: `{action}` is not named by its digest"));
            }
        }
    }
    Ok(())
}

/// Returns `true` if an action is pinned by the digest of a commit, which nobody can replace.
fn is_pinned(action: &str) -> bool {
    let digest = action.split_once('@').and_then(|(_, rest)| rest.split(' ').next());
    digest.is_some_and(|digest| digest.len() == 40 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(at(Path::new(path)))
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
    use super::{is_pinned, is_small};

    // SPEC 18.11
    #[test]
    fn a_tag_is_not_a_digest() {
        assert!(is_pinned("actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2"));
        assert!(!is_pinned("actions/checkout@v4") && !is_pinned("./local") && !is_pinned("a/b@11bd719"));
    }

    // SPEC 18.10
    #[test]
    fn the_bounds_themselves_are_too_large() {
        assert!(is_small(7_999_999, 3_999_999).is_ok());
        assert!(is_small(8_000_000, 1).is_err() && is_small(1, 4_000_000).is_err());
    }
}
