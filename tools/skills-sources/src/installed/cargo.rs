//! The crates of a Cargo workspace's dependency graph, at the versions of `Cargo.lock`.
//!
//! A repository can make cargo run its programs: by `.cargo/config.toml` (`build.rustc-wrapper`) and by
//! `rust-toolchain.toml` (the path of a toolchain). Both are found from the working directory, so cargo runs in the
//! root of the file system, and without the network.

use std::path::{Path, PathBuf};

use cargo_metadata::{CargoOpt, MetadataCommand};
use serde_json::Value;

use super::{Package, existing, license};
use crate::{Project, SourceError};

/// The largest `Cargo.lock` that is read, in bytes.
const MAX_FILE_SIZE: u64 = 64 << 20;
/// The largest configuration of cargo that is read, in bytes.
const MAX_CONFIG: u64 = 1 << 20;
/// The tables of cargo's configuration, with their keys, that only say where crates are.
const PASSED: [(&str, &[&str]); 2] = [
    ("source", &["replace-with", "directory", "local-registry", "registry", "git", "branch", "tag", "rev"]),
    ("registries", &["index"]),
];

/// Returns the dependencies of the workspace, but not its members. Cargo is run only once for each project.
pub(super) fn packages(project: &Project) -> Result<&[Package], SourceError> {
    if let Some(known) = project.crates.get() {
        return Ok(known);
    }
    let found = read(project)?;
    Ok(project.crates.get_or_init(|| found))
}

/// Runs `cargo metadata`, which runs no build script, without the network and the configuration of the project.
fn read(project: &Project) -> Result<Vec<Package>, SourceError> {
    let manifest = project.path().join("Cargo.toml");
    if !manifest.is_file() {
        return Err(SourceError::Missing("there is no Cargo.toml here that lists crates".to_owned()));
    }
    let mut options = ["--locked", "--offline"].map(str::to_owned).to_vec();
    options.extend(sources(project.path()).into_iter().flat_map(|setting| ["--config".to_owned(), setting]));
    let mut command = MetadataCommand::new();
    command.manifest_path(&manifest).features(CargoOpt::AllFeatures).other_options(options);
    // Nobody else can write a configuration into the root, unlike into the directory for temporary files.
    command.current_dir(project.path().ancestors().last().unwrap_or(project.path()));
    let metadata = command.exec().map_err(|error| {
        let text = format!("cargo metadata: {error}");
        SourceError::Program(format!("{}\n`cargo fetch --locked` downloads missing crates", text.trim_end()))
    })?;
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

/// Returns the settings for `--config` that say where crates are, from the configuration files of a project. `cargo vendor`
/// writes such settings. In the file of a nearer directory, a key replaces that of a farther one.
fn sources(project: &Path) -> Vec<String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for above in project.ancestors() {
        let Some(config) = config(above) else { continue };
        for (table, keys) in PASSED {
            for (name, source) in config.get(table).and_then(toml::Value::as_table).into_iter().flatten() {
                for key in keys {
                    let Some(text) = source.get(key).and_then(toml::Value::as_str) else { continue };
                    // Paths are relative to the directory that contains `.cargo`.
                    let is_path = matches!(*key, "directory" | "local-registry");
                    let value = if is_path { above.join(text) } else { PathBuf::from(text) };
                    let setting = format!("{table}.{}.{key}", quote(name));
                    if !found.iter().any(|(other, _)| *other == setting) {
                        found.push((setting, quote(&value.to_string_lossy())));
                    }
                }
            }
        }
    }
    found.into_iter().map(|(setting, value)| format!("{setting}={value}")).collect()
}

/// Reads the configuration of cargo in a directory. `config` is its older name, which cargo prefers.
fn config(directory: &Path) -> Option<toml::Table> {
    let read = |name: &str| skills_files::read(&directory.join(".cargo").join(name), MAX_CONFIG).ok();
    let bytes = read("config").or_else(|| read("config.toml"))?;
    toml::from_str(&String::from_utf8(bytes).ok()?).ok()
}

/// Quotes a text as a string of TOML on one line. JSON escapes are also escapes of TOML.
fn quote(text: &str) -> String {
    Value::from(text).to_string()
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
