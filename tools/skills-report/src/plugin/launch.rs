//! Prepares the start of a plugin's server (Agent Plugins 1.0, sections 7.2.1, 9.1 and 9.2), for hosts that
//! start servers.

use std::io;
use std::path::{Path, PathBuf};

use super::place::resolve;
pub use super::server::expand;
use super::server::{PluginServer, RESERVED, Transport};

/// A program to start, with everything expanded and resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// A bare name, which the platform searches, or a path in the plugin.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables to add to the base environment, in this order. If a name occurs twice, the later one counts.
    pub env: Vec<(String, String)>,
    /// Its working directory.
    pub cwd: PathBuf,
}

/// Prepares the start of a server without starting it: creates `data`, the directory that the client keeps
/// for this plugin, and expands placeholders. `root` is the real path of the plugin.
///
/// # Errors
/// Fails if the data directory cannot be created, if the server is not a program, or if its path now leads
/// out of the plugin.
pub fn prepare(server: &PluginServer, root: &Path, data: &Path) -> io::Result<Launch> {
    let Transport::Stdio { command, args, env, cwd } = &server.transport else {
        let why = "an HTTP server is not started by the client";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    };
    std::fs::create_dir_all(data)?;
    let data = std::fs::canonicalize(data)?;
    let (root_text, data_text) = (text(root)?, text(&data)?);
    let expanded = |value: &str| expand(value, root_text, data_text);
    let cwd = match cwd {
        None => root.to_path_buf(),
        Some(cwd) => {
            let (within, value) =
                (if cwd.starts_with("${PLUGIN_DATA}") { &*data } else { root }, expanded(cwd));
            let relative =
                cwd.starts_with("./").then(|| value.trim_start_matches("./").trim_start_matches('/'));
            inside(within, &resolve(within, relative.unwrap_or(&value)))?
        }
    };
    let program = match command.strip_prefix("./") {
        Some(_) => inside(root, &resolve(root, command))?,
        None => PathBuf::from(command),
    };
    let mut env: Vec<(String, String)> =
        env.iter().map(|(name, value)| (name.clone(), expanded(value))).collect();
    env.retain(|(name, _)| !RESERVED.contains(&name.as_str()));
    env.extend(RESERVED.into_iter().map(str::to_owned).zip([root_text.to_owned(), data_text.to_owned()]));
    Ok(Launch { program, args: args.iter().map(|value| expanded(value)).collect(), env, cwd })
}

fn inside(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.starts_with(root) {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "the path leads out of its directory"))
}

fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the path is not UTF-8"))
}
