//! The crates of a Cargo workspace's dependency graph, at the versions of `Cargo.lock`.
//!
//! A repository can make cargo run its programs: by `.cargo/config.toml` (`build.rustc-wrapper`) and by
//! `rust-toolchain.toml` (the path of a toolchain). Both are found from the working directory, so cargo runs in the
//! root of the file system, and without the network. It reads whole manifests, even pipes and devices, so they are
//! checked first, and cargo has limits.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use serde_json::Value;
use skills_core::read::{MAX_PROJECT_FILE, read_file};
use skills_exec::{Budget, Limits, Meter};

use super::{InstalledPackage, existing, license};
use crate::program::{self, Ran};
use crate::{Project, SourceError};

/// The largest `Cargo.lock` that is read, in bytes.
const MAX_FILE_SIZE: u64 = 64 << 20;
/// How much cargo may print, in bytes, and how long it may take.
const BUDGET: Budget = Budget { bytes: 256 << 20, time: Duration::from_secs(60), ..Budget::UNLIMITED };
/// The address space and the CPU time that each process of cargo may use.
const MAX_MEMORY: u64 = 2 << 30;
const MAX_CPU: Duration = Duration::from_secs(60);
/// The number of manifests that are checked before cargo reads them. Its limits hold for the others.
const MAX_MANIFESTS: usize = 10_000;
/// The number of directories that are looked at to find them.
const MAX_ENTRIES: usize = 200_000;
/// The largest configuration of cargo that is read, in bytes.
const MAX_CONFIG: u64 = 1 << 20;
/// The tables of cargo's configuration, with their keys, that only say where crates are.
const PASSED: [(&str, &[&str]); 2] = [
    ("source", &["replace-with", "directory", "local-registry", "registry", "git", "branch", "tag", "rev"]),
    ("registries", &["index"]),
];

/// Returns the dependencies of the workspace, but not its members. Cargo is run only once for each project.
pub(super) fn packages(project: &Project) -> Result<&[InstalledPackage], SourceError> {
    if let Some(known) = project.crates.get() {
        return Ok(known);
    }
    let found = read(project)?;
    Ok(project.crates.get_or_init(|| found))
}

/// Runs `cargo metadata`, which runs no build script, without the network and the configuration of the project.
fn read(project: &Project) -> Result<Vec<InstalledPackage>, SourceError> {
    let manifest = project.path().join(MANIFEST);
    if fs::symlink_metadata(&manifest).is_err() {
        return Err(SourceError::Missing("there is no Cargo.toml here that lists crates".to_owned()));
    }
    check_manifests(project.path())?;
    let mut options = ["--locked", "--offline"].map(str::to_owned).to_vec();
    options.extend(sources(project.path()).into_iter().flat_map(|setting| ["--config".to_owned(), setting]));
    let mut command = MetadataCommand::new();
    command.manifest_path(&manifest).features(CargoOpt::AllFeatures).other_options(options);
    // Nobody else can write a configuration into the root, unlike into the directory for temporary files.
    command.current_dir(project.path().ancestors().last().unwrap_or(project.path()));
    let metadata = list(command.cargo_command(), BUDGET)?;
    let members = &metadata.workspace_members;
    let dependencies = metadata.packages.iter().filter(|package| !members.contains(&package.id));
    let mut dependencies: Vec<_> = dependencies.collect();
    dependencies.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    let found = dependencies.into_iter().filter_map(|package| {
        let root = package.manifest_path.parent()?.as_std_path().to_owned();
        let skills = existing(&root, directories(&package.metadata));
        Some(InstalledPackage {
            name: package.name.to_string(),
            version: package.version.to_string(),
            license: license(&root, package.license.as_deref()),
            root,
            skills,
        })
    });
    Ok(found.collect())
}

const MANIFEST: &str = "Cargo.toml";

/// Runs `cargo metadata`.
fn list(command: Command, budget: Budget) -> Result<Metadata, SourceError> {
    let refused = |why: String| SourceError::Refused(format!("`cargo metadata` {why}, and was stopped"));
    let failed = |why: &str| {
        let text = format!("cargo metadata: {}", why.trim());
        SourceError::Program(format!("{text}\n`cargo fetch --locked` downloads missing crates"))
    };
    let (meter, mut limits) = (Meter::new(budget), Limits::default());
    (limits.memory, limits.cpu) = (Some(MAX_MEMORY), Some(MAX_CPU));
    let check = |_| meter.time_left().map(drop).map_err(|limit| format!("took {limit}"));
    let ran = program::run(command, b"", budget.bytes, &limits, check);
    let Ran { output, errors, status, stopped } = ran.map_err(|error| failed(&error.to_string()))?;
    if let Some(stopped) = stopped {
        return Err(refused(stopped));
    }
    if output.len() as u64 > budget.bytes {
        return Err(refused(format!("printed more than {} MiB", budget.bytes >> 20)));
    }
    match status {
        Some(status) if status.success() => {}
        // It exceeded a limit of the kernel, so it could not say why.
        Some(status) if status.code().is_none() => {
            return Err(refused(format!(
                "needed more than {} MiB of memory or {} s of CPU time",
                MAX_MEMORY >> 20,
                MAX_CPU.as_secs()
            )));
        }
        _ => return Err(failed(&String::from_utf8_lossy(&errors))),
    }
    let text = String::from_utf8_lossy(&output);
    let json = text.lines().find(|line| line.starts_with('{')).unwrap_or_default();
    MetadataCommand::parse(json).map_err(|error| failed(&error.to_string()))
}

/// Checks that the manifests and lock files that cargo will read are regular files of a bounded size. These are in the
/// project, in members, in dependencies with a path, and in all directories above these.
fn check_manifests(project: &Path) -> Result<(), SourceError> {
    let repository = project.ancestors().find(|above| above.join(".git").exists()).unwrap_or(project);
    let mut walk = Walk { left: project.ancestors().map(Path::to_owned).collect(), entries: MAX_ENTRIES };
    let (mut seen, mut bytes) = (BTreeSet::new(), 0);
    while let Some(directory) = walk.left.pop() {
        // The limits of cargo hold for the rest.
        if seen.len() >= MAX_MANIFESTS || bytes > BUDGET.bytes {
            break;
        }
        if !seen.insert(directory.clone()) {
            continue;
        }
        check_file(&directory.join("Cargo.lock"), MAX_FILE_SIZE, repository)?;
        let Some(text) = check_file(&directory.join(MANIFEST), MAX_PROJECT_FILE, repository)? else {
            continue;
        };
        bytes += text.len() as u64;
        // Cargo reports the faults of a manifest.
        let manifest =
            String::from_utf8(text).ok().and_then(|text| toml::from_str::<toml::Value>(&text).ok());
        let mut named = Vec::new();
        manifest.iter().for_each(|manifest| add_named(manifest, &mut named));
        for path in named {
            walk.add(&directory, path);
        }
    }
    Ok(())
}

/// Reads a file, if it exists. Cargo prints lines of a manifest that it cannot parse, so a file in the repository does not
/// lead out of it.
fn check_file(path: &Path, limit: u64, repository: &Path) -> Result<Option<Vec<u8>>, SourceError> {
    let at = |error| SourceError::Io(path.display().to_string(), error);
    match path.canonicalize() {
        Ok(real) if path.starts_with(repository) && !real.starts_with(repository) => {
            let text = format!("it leads out of {}", repository.display());
            return Err(at(io::Error::new(io::ErrorKind::PermissionDenied, text)));
        }
        _ => {}
    }
    match read_file(path, limit) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(at(error)),
    }
}

/// Adds the paths that a manifest names: the members of its workspace, and each `path` and `workspace`.
fn add_named<'m>(value: &'m toml::Value, named: &mut Vec<&'m str>) {
    for (key, value) in value.as_table().into_iter().flatten() {
        match (key.as_str(), value) {
            ("path" | "workspace", toml::Value::String(path)) => named.push(path),
            ("members" | "default-members", toml::Value::Array(paths)) => {
                named.extend(paths.iter().filter_map(toml::Value::as_str));
            }
            (_, value) => add_named(value, named),
        }
    }
}

/// The directories whose manifests are still to be checked.
struct Walk {
    left: Vec<PathBuf>,
    /// The number of directories that may still be added or listed.
    entries: usize,
}

impl Walk {
    /// Adds the directories that a path with patterns can name. A part with a pattern stands for all directories there.
    fn add(&mut self, from: &Path, path: &str) {
        let mut directories = vec![from.to_owned()];
        for part in path.split('/') {
            if !part.contains(['*', '?', '[']) {
                directories.iter_mut().for_each(|directory| enter(directory, part));
                continue;
            }
            let mut below = Vec::new();
            for directory in directories {
                for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                    if !self.count() {
                        return;
                    }
                    let path = entry.path();
                    if path.is_dir() {
                        below.push(path);
                    }
                }
            }
            directories = below;
        }
        // Cargo looks for the workspace of each package above it.
        for directory in directories.iter().flat_map(|directory| directory.ancestors()) {
            if !self.count() {
                return;
            }
            self.left.push(directory.to_owned());
        }
    }

    /// Counts an entry. Returns `false` if there were too many.
    fn count(&mut self) -> bool {
        self.entries = self.entries.saturating_sub(1);
        self.entries > 0
    }
}

/// Adds a part of a path to a directory.
fn enter(directory: &mut PathBuf, part: &str) {
    match part {
        "" | "." => {}
        ".." => {
            directory.pop();
        }
        part => directory.push(part),
    }
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

    // SPEC 21.9: a pipe that is opened for reading makes a program wait without end
    #[cfg(unix)]
    #[test]
    fn cargo_ends_with_its_time_its_memory_and_its_output() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let list = |script: &str, budget| list(shell(script), budget).expect_err("refused").to_string();
        let short = Budget { time: Duration::from_millis(100), ..BUDGET };
        assert_eq!(
            list("sleep 600 & sleep 600", short),
            "`cargo metadata` took more than 0.1 s, and was stopped"
        );
        let small = Budget { bytes: 1 << 20, ..BUDGET };
        let much = "exec head -c 2000000 /dev/zero";
        assert_eq!(list(much, small), "`cargo metadata` printed more than 1 MiB, and was stopped");
        let killed =
            "`cargo metadata` needed more than 2048 MiB of memory or 60 s of CPU time, and was stopped";
        assert_eq!(list("kill -ABRT $$", BUDGET), killed);
        assert!(list("echo no such crate >&2; exit 101", BUDGET).contains("cargo metadata: no such crate"));
    }

    // SPEC 21.9: patterns that match many directories, many times, are not followed without end
    #[test]
    fn the_search_for_manifests_is_bounded() {
        let place = tempfile::tempdir().expect("a directory");
        for name in 0..100 {
            fs::create_dir_all(place.path().join(format!("d{name}/x"))).expect("a directory");
        }
        let mut walk = Walk { left: Vec::new(), entries: 1000 };
        for _ in 0..1000 {
            walk.add(place.path(), "*/*");
        }
        assert!(walk.entries == 0 && walk.left.len() < 1000, "{} directories", walk.left.len());
    }

    // SPEC 12.14
    #[cfg(unix)]
    #[test]
    fn manifests_that_cargo_will_read_are_regular_files() {
        let place = tempfile::tempdir().expect("a directory");
        let top = place.path().canonicalize().expect("it exists");
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("a file");
        };
        write(".git/HEAD", "");
        write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
        write("crates/a/Cargo.toml", "[dependencies]\nb = { path = \"../../b\" }\n");
        write("b/Cargo.toml", "[target.x.dev-dependencies.c]\npath = \"../c\"\n");
        write("c/Cargo.toml", "");
        check_manifests(&top.join("crates/a")).expect("regular files");
        for path in ["Cargo.toml", "Cargo.lock", "crates/a/Cargo.toml", "crates/z/Cargo.toml", "c/Cargo.toml"]
        {
            let (path, kept) = (top.join(path), top.join("kept"));
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            let had = fs::rename(&path, &kept).is_ok();
            for special in ["/dev/zero", "/proc/self/environ", "."] {
                std::os::unix::fs::symlink(special, &path).expect("a link");
                check_manifests(&top.join("crates/a")).expect_err(special);
                fs::remove_file(&path).expect("removed");
            }
            fs::File::create(&path).and_then(|file| file.set_len(3 << 30)).expect("a sparse file");
            check_manifests(&top.join("crates/a")).expect_err("it is too large");
            fs::remove_file(&path).expect("removed");
            if had {
                fs::rename(&kept, &path).expect("back");
            }
        }
    }

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
