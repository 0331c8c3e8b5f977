//! Checks that the arrows between crates in `ARCHITECTURE.md` point down: from tools to adapters, to the facade, to
//! features, to core.

use skills_schema::json::Node;

use crate::workspace::{Workspace, text};

/// The folders of crates, from the lowest row to the highest. The facade is the root of the repository.
const ROWS: [&str; 5] = ["core", "features", "", "adapters", "tools"];

/// Checks all dependencies between crates of the workspace, except those of tests.
pub(crate) fn check() -> Result<(), String> {
    let workspace = Workspace::read()?;
    let root = workspace.root()?;
    let mut rows = Vec::new();
    for package in workspace.packages() {
        rows.push((name(package), row(package, &root)));
    }
    for package in workspace.packages() {
        let Some(own) = row(package, &root) else { continue };
        let dependencies = package.get("dependencies").map(Node::items).unwrap_or_default();
        for dependency in dependencies {
            if text(dependency, "kind") == Some("dev") {
                continue;
            }
            let wanted = name(dependency);
            let other = rows.iter().find(|(name, _)| *name == wanted).and_then(|(_, row)| *row);
            if other.is_some_and(|other| other > own) {
                return Err(format!("`{}` depends on `{wanted}`, which is in a row above it", name(package)));
            }
        }
    }
    Ok(())
}

fn name(package: &Node) -> &str {
    text(package, "name").unwrap_or("?")
}

/// Returns the row of a package. Packages of the book and of examples have none.
fn row(package: &Node, root: &str) -> Option<usize> {
    let manifest = text(package, "manifest_path")?.strip_prefix(root)?.trim_start_matches(['/', '\\']);
    let folder = manifest.split_once(['/', '\\']).map_or("", |(folder, _)| folder);
    ROWS.iter().position(|row| *row == folder)
}
