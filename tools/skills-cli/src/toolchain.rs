//! The files that programs need which a manager of versions has installed below the user's directory: interpreters and
//! their libraries, and the managers themselves, whose shims in `PATH` choose a version.

use std::path::{Path, PathBuf};

/// The variables by which managers find their directories and choose a version.
pub(crate) const VARIABLES: [&str; 15] = [
    "ASDF_CONFIG_FILE",
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "CARGO_HOME",
    "MISE_CONFIG_DIR",
    "MISE_DATA_DIR",
    "NODENV_ROOT",
    "NVM_BIN",
    "NVM_DIR",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RBENV_ROOT",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "VOLTA_HOME",
];

/// The directories of managers below the user's directory, each with the variable that names another place.
const MANAGERS: [(&str, &str); 8] = [
    ("ASDF_DATA_DIR", ".asdf"),
    ("ASDF_DIR", ".asdf"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("NODENV_ROOT", ".nodenv"),
    ("NVM_DIR", ".nvm"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("VOLTA_HOME", ".volta"),
];

/// The files in which managers look for the version to use.
const SETTINGS: [&str; 4] = [".asdfrc", ".config/mise", ".python-version", ".tool-versions"];

/// Directories with a `bin` that also hold other files of the user, such as keys.
const SHARED: [&str; 5] = ["", ".cache", ".cargo", ".config", ".local"];

/// Returns what a program may read: itself, and the toolchains below the user's directory that `PATH` points to.
pub(crate) fn readable(program: &Path) -> Vec<PathBuf> {
    let mut found = vec![program.to_owned()];
    found.extend(program.canonicalize());
    let Some(home) = std::env::home_dir().and_then(|home| home.canonicalize().ok()) else { return found };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut directories: Vec<PathBuf> =
        std::env::split_paths(&path).filter_map(|directory| directory.canonicalize().ok()).collect();
    // A link in `PATH` may lead to a program that has its own interpreter beside it.
    let real = program.canonicalize().ok();
    directories.extend(real.as_deref().and_then(Path::parent).map(Path::to_owned));
    directories.retain(|directory| directory.starts_with(&home) && *directory != home);
    for directory in &directories {
        found.push(directory.clone());
        found.extend(installation(directory, &home));
    }
    for (variable, default) in MANAGERS {
        let root = root(variable, &home.join(default));
        if directories.iter().any(|directory| directory.starts_with(&root)) {
            found.push(root);
        }
    }
    if directories.iter().any(|directory| directory.join("rustup").exists()) {
        found.push(root("RUSTUP_HOME", &home.join(".rustup")));
    }
    if found.len() > 2 {
        found.extend(SETTINGS.map(|name| home.join(name)));
    }
    found.retain(|path| path.exists());
    found
}

/// Returns the directory of an installation by its directory of programs.
fn installation(directory: &Path, home: &Path) -> Option<PathBuf> {
    let above = directory.parent()?;
    let is_shared = SHARED.iter().any(|name| above == home.join(name));
    let is_named = directory.file_name().is_some_and(|name| name == "bin" || name == "shims");
    (is_named && !is_shared && above.starts_with(home)).then(|| above.to_owned())
}

fn root(variable: &str, default: &Path) -> PathBuf {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.and_then(|path| path.canonicalize().ok()).unwrap_or_else(|| default.to_owned())
}
