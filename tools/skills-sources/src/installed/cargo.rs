//! The crates of a Cargo workspace's dependency graph, at the versions of `Cargo.lock`.

use std::path::Path;

use cargo_metadata::{CargoOpt, MetadataCommand};
use serde_json::Value;

use super::{Package, existing, license};
use crate::{Project, SourceError};

/// The largest `Cargo.lock` that is read, in bytes.
const MAX_FILE_SIZE: u64 = 64 << 20;

/// Returns the dependencies of the workspace, but not its members. Cargo is run only once for each project.
pub(super) fn packages(project: &Project) -> Result<&[Package], SourceError> {
    if let Some(known) = project.crates.get() {
        return Ok(known);
    }
    let found = read(project)?;
    Ok(project.crates.get_or_init(|| found))
}

/// Runs `cargo metadata`, which runs no build script. Tries it without the network first.
fn read(project: &Project) -> Result<Vec<Package>, SourceError> {
    let manifest = project.path().join("Cargo.toml");
    if !manifest.is_file() {
        return Err(SourceError::Missing("there is no Cargo.toml here that lists crates".to_owned()));
    }
    let ask = |options: &[&str]| {
        let mut command = MetadataCommand::new();
        command.manifest_path(&manifest).current_dir(project.path()).features(CargoOpt::AllFeatures);
        command.other_options(options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>());
        command.exec()
    };
    let metadata = ask(&["--locked", "--offline"]).or_else(|_| ask(&["--locked"]));
    let metadata = metadata
        .map_err(|error| SourceError::Program(format!("cargo metadata: {error}").trim_end().to_owned()))?;
    let members = &metadata.workspace_members;
    let dependencies = metadata.packages.iter().filter(|package| !members.contains(&package.id));
    let mut dependencies: Vec<_> = dependencies.collect();
    dependencies.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let found = dependencies.into_iter().filter_map(|package| {
        let root = package.manifest_path.parent()?.as_std_path().to_owned();
        let skills = existing(&root, directories(&package.metadata));
        Some(Package {
            name: package.name.to_string(),
            version: package.version.to_string(),
            license: license(&root, package.license.as_deref()),
            root,
            skills,
        })
    });
    Ok(found.collect())
}

/// Returns the directories of skills that a manifest names: `[package.metadata.skills] path`, the `source.path` of each
/// `[[package.metadata.symposium.skills]]`, and `skills` unless the manifest names another one or opts out.
fn directories(metadata: &Value) -> Vec<String> {
    if let Some(path) = metadata.pointer("/skills/path").and_then(Value::as_str) {
        return vec![path.to_owned()];
    }
    let symposium = metadata.get("symposium");
    let groups = symposium.and_then(|table| table.get("skills")).and_then(Value::as_array);
    let paths =
        groups.into_iter().flatten().filter_map(|group| group.pointer("/source/path").or(group.get("path")));
    let mut found: Vec<String> = paths.filter_map(Value::as_str).map(str::to_owned).collect();
    found.extend(symposium.and_then(|table| table.get("path")).and_then(Value::as_str).map(str::to_owned));
    if metadata.pointer("/symposium/defaults/skills") != Some(&Value::Bool(false)) {
        found.push("skills".to_owned());
    }
    found
}

/// Returns the versions of a crate in the nearest `Cargo.lock`.
pub(super) fn locked_versions(project: &Path, name: &str) -> Vec<String> {
    let nearest = project.ancestors().map(|above| above.join("Cargo.lock")).find(|path| path.is_file());
    let text = nearest.and_then(|path| skills_files::read(&path, MAX_FILE_SIZE).ok());
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let Ok(table) = toml::from_str::<toml::Table>(&text) else { return Vec::new() };
    let packages = table.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let named = packages.filter(|package| package.get("name").and_then(toml::Value::as_str) == Some(name));
    named.filter_map(|package| package.get("version")?.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 21.9
    #[test]
    fn a_manifest_names_the_directories() {
        let of = |text: &str| directories(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(of("null"), ["skills"]);
        assert_eq!(of(r#"{"skills": {"path": "agent"}}"#), ["agent"]);
        assert_eq!(
            of(r#"{"symposium": {"skills": [{"source": {"path": "guidance"}}]}}"#),
            ["guidance", "skills"]
        );
        let opted_out = r#"{"symposium": {"path": "a", "skills": [], "defaults": {"skills": false}}}"#;
        assert_eq!(of(opted_out), ["a"]);
    }
}
