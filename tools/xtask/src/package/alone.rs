//! Unpacks packages into a separate workspace, and builds them there like a user's cargo would.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Crate;
use crate::command::{at, cargo, stdout_of};

/// The unpacked packages.
pub(super) struct Alone {
    pub(super) root: PathBuf,
    target: PathBuf,
    names: Vec<String>,
    /// The `[patch]` section that makes cargo use these packages.
    pub(super) patch: String,
}

/// Unpacks the packages.
pub(super) fn unpack(crates: &[Crate], packed: &Path, target: &Path) -> Result<Alone, String> {
    let root = packed.join("alone");
    if root.exists() {
        fs::remove_dir_all(&root).map_err(at(&root))?;
    }
    fs::create_dir_all(&root).map_err(at(&root))?;
    let mut patch = String::from("\n[patch.crates-io]\n");
    let mut members = Vec::new();
    for krate in crates {
        // `m`: file times in a package are constant, so cargo would not notice a changed package.
        let file = packed.join(format!("{}.crate", krate.stem()));
        stdout_of(Command::new("tar").arg("-xzmf").arg(&file).arg("-C").arg(&root))?;
        // Writing to a string cannot fail.
        let _ = writeln!(patch, "{} = {{ path = {:?} }}", krate.name, root.join(krate.stem()));
        members.push(krate.stem());
    }
    // The same profile as in the workspace, so that built dependencies are shared.
    let profile = "\n[profile.dev]\ndebug = \"line-tables-only\"\n";
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n{profile}{patch}");
    fs::write(root.join("Cargo.toml"), manifest).map_err(at(&root))?;
    // Copy the lock file, so that the versions are the same as in the tests of the workspace.
    fs::copy("Cargo.lock", root.join("Cargo.lock")).map_err(at(&root))?;
    let names = crates.iter().map(|krate| krate.name.clone()).collect();
    Ok(Alone { root, target: target.to_owned(), names, patch: format!("{profile}{patch}") })
}

impl Alone {
    /// Builds each package alone: with default features, without features, and with all features.
    pub(super) fn build(&self) -> Result<(), String> {
        for name in &self.names {
            for features in [&[][..], &["--no-default-features"], &["--all-features"]] {
                let check = [&["check", "--quiet", "--package", name], features].concat();
                self.cargo(&check, &self.root, &[])?;
            }
        }
        Ok(())
    }

    /// Documents each package like docs.rs: all features, the flag `docsrs`, and nightly rustdoc features.
    pub(super) fn document(&self) -> Result<(), String> {
        let rustdoc = self.nightly()?;
        let environment = [("RUSTDOCFLAGS", "--cfg docsrs -D warnings"), ("RUSTDOC", rustdoc.as_str())];
        for name in &self.names {
            let arguments = ["doc", "--quiet", "--no-deps", "--all-features", "--lib", "--package", name];
            self.cargo(&arguments, &self.root, &environment)?;
        }
        Ok(())
    }

    /// Returns a rustdoc that accepts nightly features. rustc stays unchanged, so that nothing is rebuilt.
    #[cfg(unix)]
    fn nightly(&self) -> Result<String, String> {
        use std::os::unix::fs::PermissionsExt;

        let path = self.root.join("rustdoc");
        fs::write(&path, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n")
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)))
            .map_err(at(&path))?;
        Ok(path.to_string_lossy().into_owned())
    }

    #[cfg(not(unix))]
    fn nightly(&self) -> Result<String, String> {
        Ok("rustdoc".to_owned())
    }

    /// Runs cargo in a directory and returns its output.
    pub(super) fn cargo(
        &self,
        arguments: &[&str],
        directory: &Path,
        environment: &[(&str, &str)],
    ) -> Result<String, String> {
        println!("cargo {}", arguments.join(" "));
        let mut cargo = cargo();
        cargo.args(arguments).current_dir(directory).env("CARGO_TARGET_DIR", &self.target);
        stdout_of(cargo.envs(environment.iter().copied()))
    }
}
