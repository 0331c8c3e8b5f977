//! Every crate becomes the package that a registry would hold, and is built from that alone (SPEC 18.12).
//!
//! `cargo xtask package` packs, unpacks into a workspace that has nothing else, builds each crate there as its users get it,
//! documents it as docs.rs does, and lets programs outside call `skills!`. What `cargo xtask ci` runs of it is [`manifests`].

mod alone;
mod manifest;
mod programs;
mod semver;

use std::path::{Path, PathBuf};

use skills_schema::json::{Kind, Node};

use crate::command::{cargo, run};
use crate::workspace::{Workspace, text};

pub(crate) use manifest::manifests;

/// A crate that is published.
struct Crate {
    name: String,
    version: String,
    manifest: String,
    /// Whether it is a macro, whose promises are those of what it writes.
    is_macro: bool,
}

/// Packs and proves all crates.
pub(crate) fn all() -> Result<(), String> {
    manifests()?;
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

/// The crates of the workspace that may be published.
fn published(workspace: &Workspace) -> Result<Vec<Crate>, String> {
    // `publish = false` is an empty list of registries; without the key there is `null`.
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

/// Packs the crates and returns the directory with the `.crate` files. Those that depend on each other are packed in one
/// run: cargo then resolves them among themselves, as if they were published already.
fn pack(crates: &[Crate], target: &Path) -> Result<PathBuf, String> {
    let names = crates.iter().flat_map(|krate| ["--package", &krate.name]);
    let mut cargo = cargo();
    cargo.args(["package", "--no-verify", "--allow-dirty", "--quiet"]).args(names);
    run(cargo.env("CARGO_TARGET_DIR", target))?;
    Ok(target.join("package"))
}

impl Crate {
    /// The name of its directory in a package, and of the file without its extension.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}
