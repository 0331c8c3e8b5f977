//! Packs every crate as for a registry, and builds it from its package alone.
//!
//! `cargo xtask package` packs the crates, unpacks them into an empty workspace, builds each crate there as
//! users do, documents it as docs.rs does, and builds external programs that call `skills!`. `cargo xtask ci`
//! only runs [`manifests`].

mod alone;
mod manifest;
mod programs;
mod release;
mod semver;

use std::path::{Path, PathBuf};

use skills_schema::json::{Kind, Node};

use crate::command::{cargo, run};
use crate::workspace::{Workspace, text};

pub(crate) use manifest::manifests;
pub(crate) use release::dry_run;

/// A published crate.
struct Crate {
    name: String,
    version: String,
    manifest: String,
    /// Whether it is a macro crate, whose stable interface is the generated code.
    is_macro: bool,
}

/// Packs and checks all crates.
pub(crate) fn all() -> Result<(), String> {
    manifests()?;
    for package in ["skills-commands", "cargo-skills"] {
        crate::ci::compile_each_feature(package)?;
    }
    let crates = published(&Workspace::read()?)?;
    let target = Workspace::target()?;
    let packed = pack(&crates, &target)?;
    let alone = alone::unpack(&crates, &packed, &target)?;
    alone.build()?;
    programs::run(&alone)?;
    alone.document()?;
    semver::compare(&crates)?;
    println!("{} crates pack, build and document from their packages alone", crates.len());
    Ok(())
}

/// Returns the publishable crates of the workspace.
fn published(workspace: &Workspace) -> Result<Vec<Crate>, String> {
    // `publish = false` is an empty list of registries; without the key it is `null`.
    let is_published =
        |package: &&Node| package.get("publish").is_none_or(|list| !matches!(list.kind, Kind::Array(_)));
    let krate = |package: &Node| {
        let part = |key| text(package, key).map(str::to_owned).ok_or(format!("cargo tells no `{key}`"));
        let list = |node: &Node, key: &str| node.get(key).map(Node::items).unwrap_or_default().to_vec();
        let kinds =
            list(package, "targets").iter().flat_map(|target| list(target, "kind")).collect::<Vec<_>>();
        Ok(Crate {
            name: part("name")?,
            version: part("version")?,
            manifest: part("manifest_path")?,
            is_macro: kinds.iter().any(|kind| kind.as_str() == Some("proc-macro")),
        })
    };
    workspace.packages().iter().filter(is_published).map(krate).collect()
}

/// Packs the crates and returns the directory with the `.crate` files. All are packed in one run, so that
/// cargo resolves dependencies among them as if they were published.
fn pack(crates: &[Crate], target: &Path) -> Result<PathBuf, String> {
    let names = crates.iter().flat_map(|krate| ["--package", &krate.name]);
    let mut cargo = cargo();
    cargo.args(["package", "--no-verify", "--allow-dirty", "--quiet"]).args(names);
    run(cargo.env("CARGO_TARGET_DIR", target))?;
    Ok(target.join("package"))
}

impl Crate {
    /// Returns the name of its directory in a package, which is also the stem of the package file.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}
