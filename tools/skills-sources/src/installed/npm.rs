//! The packages in `node_modules`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{InstalledPackage, existing, license};

/// The largest `package.json` that is read, in bytes.
const MAX_FILE_SIZE: u64 = 4 << 20;

/// Finds a package in `node_modules` of the project or of a directory above it, as Node.js does.
pub(super) fn find(project: &Path, name: &str) -> Option<InstalledPackage> {
    project.ancestors().find_map(|above| read(&above.join("node_modules").join(name)))
}

/// Returns the packages in `node_modules` of the project. Links are followed: package managers make them.
pub(super) fn packages(project: &Path) -> Vec<InstalledPackage> {
    let list = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let is_named = |path: &Path, sign: &str| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(sign))
    };
    let mut found = Vec::new();
    for path in list(&project.join("node_modules")) {
        if is_named(&path, "@") {
            found.extend(list(&path).iter().filter_map(|path| read(path)));
        } else if !is_named(&path, ".") {
            found.extend(read(&path));
        }
    }
    found
}

fn read(root: &Path) -> Option<InstalledPackage> {
    let bytes = skills_files::read(&root.join("package.json"), MAX_FILE_SIZE).ok()?;
    let manifest: Value = serde_json::from_slice(&bytes).ok()?;
    let text = |key: &str| manifest.get(key)?.as_str().map(str::to_owned);
    let skills = existing(root, ["skills".to_owned(), ".agents/skills".to_owned()]);
    let license = license(root, text("license").as_deref());
    Some(InstalledPackage {
        name: text("name")?,
        version: text("version")?,
        license,
        root: root.to_owned(),
        skills,
    })
}
