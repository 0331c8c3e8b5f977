//! Reads `cargo metadata` about the workspace and its dependencies, for the steps of `ci`.

use std::path::PathBuf;

use skills_schema::json::{self, Node};

use crate::command::ask;

/// The output of `cargo metadata`.
pub(crate) struct Workspace(Node);

impl Workspace {
    /// Reads the workspace without its dependencies.
    pub(crate) fn read() -> Result<Self, String> {
        let text = ask(&["metadata", "--format-version", "1", "--no-deps"])?;
        json::parse(&text).map(Self).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// Returns the manifests of all workspaces in the repository: the main one, and the manifests of adapters
    /// that need a newer compiler or a separate lock file.
    pub(crate) fn manifests() -> Result<Vec<String>, String> {
        let message = |error: std::io::Error| format!("adapters: {error}");
        let mut adapters = Vec::new();
        for entry in std::fs::read_dir("adapters").map_err(message)? {
            let dir = entry.map_err(message)?.path();
            if dir.join("Cargo.lock").is_file() {
                adapters.push(dir.join("Cargo.toml").display().to_string());
            }
        }
        adapters.sort();
        Ok([vec!["Cargo.toml".to_owned()], adapters].concat())
    }

    /// Returns the path of a program, or of an example below `examples`, that the tests have built.
    pub(crate) fn built(path: &str) -> Result<PathBuf, String> {
        Ok(Self::target()?.join("debug").join(path))
    }

    /// Returns the packages.
    pub(crate) fn packages(&self) -> &[Node] {
        self.0.get("packages").map(Node::items).unwrap_or_default()
    }

    /// Returns the directory of the repository.
    pub(crate) fn root(&self) -> Result<String, String> {
        text(&self.0, "workspace_root")
            .map(str::to_owned)
            .ok_or_else(|| "cargo names no workspace root".to_owned())
    }

    /// Returns cargo's target directory, according to the user's settings.
    pub(crate) fn target() -> Result<PathBuf, String> {
        let workspace = Self::read()?;
        text(&workspace.0, "target_directory")
            .map(PathBuf::from)
            .ok_or_else(|| "cargo names no target directory".to_owned())
    }

    /// Returns the features of a workspace package except `default`, sorted.
    pub(crate) fn features(&self, package: &str) -> Vec<String> {
        let package = self.packages().iter().find(|node| text(node, "name") == Some(package));
        let features = package.and_then(|node| node.get("features")).map(Node::members).unwrap_or_default();
        let mut names: Vec<String> = features.iter().map(|feature| feature.key.clone()).collect();
        names.retain(|name| name != "default");
        names.sort();
        names
    }
}

/// Returns a member that is a string.
pub(crate) fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.get(key).and_then(Node::as_str)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Returns whether a file, or a file below a directory, has a test.
    fn has_test(path: &Path) -> bool {
        if path.is_dir() {
            return std::fs::read_dir(path).unwrap().any(|entry| has_test(&entry.unwrap().path()));
        }
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        is_rust && std::fs::read_to_string(path).unwrap().contains("test]\n")
    }

    // Cargo does not build a test program for a target with `test = false`, so a test in its source would
    // never run.
    #[test]
    fn targets_without_a_test_program_have_no_test() {
        let workspace = Workspace::read().unwrap();
        let mut seen = 0;
        for target in workspace.packages().iter().filter_map(|package| package.get("targets")) {
            for target in target.items() {
                let kind = target.get("kind").unwrap().items()[0].as_str().unwrap();
                let is_tested = target.get("test").is_some_and(|test| test.kind == json::Kind::Bool(true));
                if is_tested || !["bin", "lib", "proc-macro"].contains(&kind) {
                    continue;
                }
                let file = Path::new(text(target, "src_path").unwrap());
                let source =
                    if kind != "bin" && file.ends_with("src/lib.rs") { file.parent().unwrap() } else { file };
                assert!(!has_test(source), "{} has a test, but also `test = false`", source.display());
                seen += 1;
            }
        }
        assert!(seen > 10, "{seen}");
    }
}
