//! The program in all channels, built once, with the manual pages and completions that it prints.

use std::env::consts::{ARCH, EXE_SUFFIX, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{at, cargo, run, stdout_of, write};
use crate::workspace::{Workspace, text};

const MUSL: &str = "x86_64-unknown-linux-musl";

/// The program, with its additional files.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) version: String,
    /// Manual pages and completions, in the layout of `/usr/share`.
    pub(super) share: PathBuf,
    /// The required version of glibc. `None` if the program is static, or the system has another library.
    pub(super) glibc: Option<(u32, u32)>,
}

impl Program {
    /// Builds the program unless one is given, and lets it write the additional files.
    pub(super) fn of(given: Option<PathBuf>, out: &Path) -> Result<Self, String> {
        let built = match given {
            Some(path) => path,
            None => build()?,
        };
        let path = out.join(format!("skills{EXE_SUFFIX}"));
        fs::copy(&built, &path).map_err(at(&built))?;
        let bytes = fs::read(&path).map_err(at(&path))?;
        let share = out.join("share");
        stdout_of(Command::new(&path).args(["manual", "--to"]).arg(share.join("man/man1")))?;
        for (shell, file) in [
            ("bash", "bash-completion/completions/skills"),
            ("zsh", "zsh/site-functions/_skills"),
            ("fish", "fish/vendor_completions.d/skills.fish"),
        ] {
            write(&share.join(file), stdout_of(Command::new(&path).args(["completions", shell]))?)?;
        }
        Ok(Self { path, version: version()?, share, glibc: glibc(&bytes) })
    }

    /// Describes what the program needs.
    pub(super) fn requirement(&self) -> String {
        match self.glibc {
            Some((major, minor)) => format!(
                "the program needs glibc {major}.{minor} or later; it is static where the target {MUSL} is installed"
            ),
            None => format!("the program needs no glibc ({OS})"),
        }
    }

    /// Returns the dependency line of a Debian control file. Empty if the program is static.
    pub(super) fn depends(&self) -> String {
        let needs = |(major, minor)| format!("Depends: libc6 (>= {major}.{minor}), libgcc-s1\n");
        self.glibc.map(needs).unwrap_or_default()
    }

    /// Returns the wheel tag: any Python 3, no ABI, and the oldest supported system.
    pub(super) fn wheel_tag(&self) -> String {
        let platform = match (OS, self.glibc) {
            ("linux", Some((major, minor))) => format!("manylinux_{major}_{minor}_{ARCH}"),
            ("linux", None) => format!("manylinux_2_17_{ARCH}.musllinux_1_1_{ARCH}"),
            ("macos", _) if ARCH == "aarch64" => "macosx_11_0_arm64".to_owned(),
            ("macos", _) => "macosx_10_12_x86_64".to_owned(),
            _ if ARCH == "aarch64" => "win_arm64".to_owned(),
            _ => "win_amd64".to_owned(),
        };
        format!("py3-none-{platform}")
    }
}

/// Returns the version of the workspace.
pub(super) fn version() -> Result<String, String> {
    let workspace = Workspace::read()?;
    let package = workspace.packages().iter().find(|package| text(package, "name") == Some("cargo-skills"));
    package.and_then(|package| text(package, "version")).map(str::to_owned).ok_or("no version".to_owned())
}

/// Builds the command without models and servers, as a static binary if the target is installed.
fn build() -> Result<PathBuf, String> {
    let targets = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let has_musl = targets.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(MUSL));
    let words = "build --quiet --profile dist --package cargo-skills --bin skills --no-default-features";
    let mut arguments: Vec<&str> = words.split(' ').collect();
    let mut place = Workspace::target()?;
    if has_musl && OS == "linux" && ARCH == "x86_64" {
        arguments.extend(["--target", MUSL]);
        place.push(MUSL);
    }
    run(cargo().args(&arguments))?;
    Ok(place.join("dist").join(format!("skills{EXE_SUFFIX}")))
}

/// Finds the highest version of glibc in a program's table of needed versions, such as `GLIBC_2.34`.
fn glibc(program: &[u8]) -> Option<(u32, u32)> {
    const NAME: &[u8] = b"GLIBC_";
    let mut highest = None;
    for (at, _) in program.windows(NAME.len()).enumerate().filter(|(_, bytes)| *bytes == NAME) {
        // In the string table, entries are separated by zero bytes.
        let is_first = at > 0 && program.get(at - 1) == Some(&0);
        let rest = program.get(at + NAME.len()..).unwrap_or_default();
        let name = rest.split(|byte| *byte == 0).next().and_then(|name| std::str::from_utf8(name).ok());
        let numbers = name.filter(|name| is_first && name.len() < 12).map(|name| name.split('.'));
        let numbers: Option<Vec<u32>> =
            numbers.and_then(|parts| parts.map(|part| part.parse().ok()).collect());
        if let Some([major, minor, ..]) = numbers.as_deref() {
            highest = highest.max(Some((*major, *minor)));
        }
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::{Program, glibc};

    #[test]
    fn the_highest_version_counts() {
        assert_eq!(glibc(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0"), Some((2, 34)));
        assert_eq!(glibc(b"GLIBC_9.9\0 text GLIBC_3.1\0\0GLIBC_PRIVATE\0"), None);
    }

    // SPEC 18.11
    #[test]
    fn the_required_version_of_glibc_is_printed() {
        let of = |glibc| Program { path: "p".into(), version: "1.0.0".to_owned(), share: "s".into(), glibc };
        let (bound, free) = (of(Some((2, 34))), of(None));
        assert!(bound.requirement().contains("glibc 2.34") && free.requirement().contains("no glibc"));
        assert_eq!(bound.depends(), "Depends: libc6 (>= 2.34), libgcc-s1\n");
        assert_eq!(free.depends(), "");
        if cfg!(target_os = "linux") {
            assert!(bound.wheel_tag().starts_with("py3-none-manylinux_2_34_"), "{}", bound.wheel_tag());
            assert!(free.wheel_tag().contains(".musllinux_"), "{}", free.wheel_tag());
        }
    }
}
