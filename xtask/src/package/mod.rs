//! Every crate becomes the package that a registry would hold, and is built from that alone (SPEC 18.12).
//!
//! `cargo xtask package` packs, unpacks into a workspace that has nothing else, builds each crate there as its users get it,
//! documents it as docs.rs does, and lets programs outside call `skills!`. What `cargo xtask ci` runs of it is [`manifests`].

mod alone;
mod manifest;
mod programs;

use std::path::{Path, PathBuf};

use skills_schema::json::{Kind, Node};

use crate::workspace::{Workspace, ask, cargo, text};

pub(crate) use manifest::manifests;

/// A crate that is published.
struct Crate {
    name: String,
    version: String,
    manifest: String,
}

/// Packs and proves all crates.
///
/// # Errors
/// Names what does not pack, build or document.
pub(crate) fn run() -> Result<(), String> {
    manifests()?;
    let crates = published(&Workspace::read()?)?;
    let target = Workspace::target()?;
    let packed = pack(&crates, &target)?;
    let alone = alone::unpack(&crates, &packed, &target)?;
    alone.build()?;
    programs::run(&alone)?;
    alone.document()?;
    semver(&crates)?;
    println!("{} crates pack, build and document from their packages alone", crates.len());
    Ok(())
}

/// The crates of the workspace that may be published.
fn published(workspace: &Workspace) -> Result<Vec<Crate>, String> {
    // `publish = false` is an empty list of registries; without the key there is `null`.
    let is_published =
        |package: &&Node| package.get("publish").is_none_or(|list| !matches!(list.kind, Kind::Array(_)));
    let krate = |package: &Node| {
        let part = |key| text(package, key).map(str::to_owned).ok_or(format!("cargo tells no `{key}`"));
        Ok(Crate { name: part("name")?, version: part("version")?, manifest: part("manifest_path")? })
    };
    workspace.packages().iter().filter(is_published).map(krate).collect()
}

/// Packs the crates and returns the directory with the `.crate` files. Those that depend on each other are packed in one
/// run: cargo then resolves them among themselves, as if they were published already.
fn pack(crates: &[Crate], target: &Path) -> Result<PathBuf, String> {
    let packed = target.join("package");
    let mut arguments = vec!["package", "--no-verify", "--allow-dirty", "--quiet"];
    for krate in crates {
        arguments.extend(["--package", &krate.name]);
    }
    println!("cargo {}", arguments.join(" "));
    let status = cargo().args(&arguments).env("CARGO_TARGET_DIR", target).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => Ok(packed),
        _ => Err("cargo cannot pack the crates".to_owned()),
    }
}

impl Crate {
    /// The name of its directory in a package, and of the file without its extension.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// Compares the public items with those of the last tag, where there are a tag and the command that can.
fn semver(crates: &[Crate]) -> Result<(), String> {
    let installed = cargo().args(["semver-checks", "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        println!(
            "not compared with the last version: `cargo install cargo-semver-checks` installs what would"
        );
        return Ok(());
    }
    let tag = std::process::Command::new("git").args(["describe", "--tags", "--abbrev=0"]).output();
    let tag = tag.map_err(|error| format!("git cannot be started: {error}"))?;
    if !tag.status.success() {
        println!("not compared with the last version: there is no tag yet");
        return Ok(());
    }
    let tag = String::from_utf8_lossy(&tag.stdout).trim().to_owned();
    for krate in crates {
        ask(&["semver-checks", "--package", &krate.name, "--baseline-rev", &tag])?;
    }
    println!("no public item breaks what {tag} promised");
    Ok(())
}
