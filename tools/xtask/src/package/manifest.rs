//! Checks the manifests of published crates, and the list of files in their packages.

use std::path::Path;

use skills_schema::json::Node;

use super::{Crate, published};
use crate::command::ask;
use crate::workspace::{Workspace, text};

/// Checks the manifests and the lists of files. Builds nothing.
pub(crate) fn manifests() -> Result<(), String> {
    let workspace = Workspace::read()?;
    let crates = published(&workspace)?;
    for krate in &crates {
        let named = workspace.packages().iter().find(|package| text(package, "name") == Some(&krate.name));
        let package = named.ok_or_else(|| format!("cargo does not know `{}`", krate.name))?;
        let problem = |problem: String| format!("`{}`: {problem}", krate.name);
        describes(package).map_err(problem)?;
        depends(package, &crates).map_err(problem)?;
        holds(krate, package).map_err(problem)?;
    }
    println!("{} manifests have all fields that a registry requires", crates.len());
    Ok(())
}

/// Checks the fields that a registry page shows, and their limits.
fn describes(package: &Node) -> Result<(), String> {
    for key in ["description", "license", "rust_version"] {
        if text(package, key).is_none_or(str::is_empty) {
            return Err(format!("no `{}`", key.replace('_', "-")));
        }
    }
    let list = |key: &str| package.get(key).map(Node::items).unwrap_or_default();
    let (keywords, categories) = (list("keywords"), list("categories"));
    if keywords.is_empty() || keywords.len() > 5 || categories.is_empty() || categories.len() > 5 {
        return Err("one to five keywords and categories are allowed".to_owned());
    }
    let is_word = |word: &str| {
        word.len() <= 20 && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))
    };
    match keywords.iter().filter_map(Node::as_str).find(|word| !is_word(word)) {
        Some(word) => Err(format!("`{word}` is not a valid keyword")),
        None => Ok(()),
    }
}

/// Checks that dependencies in the workspace have a version and are published too. Dev-dependencies may have
/// no version, since cargo then leaves them out of the package.
fn depends(package: &Node, crates: &[Crate]) -> Result<(), String> {
    for dependency in package.get("dependencies").map(Node::items).unwrap_or_default() {
        let (name, is_beside) = (text(dependency, "name").unwrap_or("?"), text(dependency, "path").is_some());
        let (version, is_test) = (text(dependency, "req"), text(dependency, "kind") == Some("dev"));
        if !is_beside || (is_test && version == Some("*")) {
            continue;
        }
        match crates.iter().find(|krate| krate.name == name) {
            None => return Err(format!("it depends on `{name}`, which is not published")),
            Some(krate) if version != Some(&format!("={}", krate.version)) => {
                return Err(format!("`{name}` must be `={}`", krate.version));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Checks that a package contains exactly its sources, its readme and both licences.
fn holds(krate: &Crate, package: &Node) -> Result<(), String> {
    let list = ask(&["package", "--list", "--allow-dirty", "--quiet", "--manifest-path", &krate.manifest])?;
    let files: Vec<&str> = list.lines().collect();
    let readme = text(package, "readme").and_then(|readme| Path::new(readme).file_name()?.to_str());
    for needed in ["Cargo.toml", "src/lib.rs", "LICENSE-APACHE", "LICENSE-MIT"].into_iter().chain(readme) {
        if !files.iter().any(|file| file.replace('\\', "/") == needed) {
            return Err(format!("its package has no `{needed}`"));
        }
    }
    let known = ["src", "build.rs", "README.md", "LICENSE-APACHE", "LICENSE-MIT", ".cargo_vcs_info.json"];
    let is_known = |file: &str| {
        let first = file.split(['/', '\\']).next().unwrap_or_default();
        known.contains(&first) || first.starts_with("Cargo.")
    };
    match files.iter().find(|file| !is_known(file)) {
        Some(file) => Err(format!("its package has `{file}`, which no user needs")),
        None => Ok(()),
    }
}
