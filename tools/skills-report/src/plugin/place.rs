//! Resolves paths of a plugin like the file system and confines them to its root (Agent Plugins 1.0, section
//! 4.1).

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use skills_core::read::{open_inside, read_opened};
use skills_text::leads_up;

/// The largest text of a plugin that is read, in bytes.
const CAP: u64 = 10 * 1024 * 1024;

/// The target of a path in a plugin.
pub(super) enum PluginPath {
    Missing,
    /// An entry in the plugin, with its real path.
    Inside(PathBuf, Metadata),
    /// An entry outside, which is not read, or a broken link.
    Outside,
}

/// Follows a path below the root.
pub(super) fn find(root: &Path, path: &str) -> PluginPath {
    find_within(root, root, path)
}

/// Follows a path below the root to an entry below `bound`, a directory above the root.
pub(super) fn find_within(bound: &Path, root: &Path, path: &str) -> PluginPath {
    let whole = root.join(path);
    if std::fs::symlink_metadata(&whole).is_err() {
        return PluginPath::Missing;
    }
    let Ok(real) = std::fs::canonicalize(&whole) else { return PluginPath::Outside };
    if !real.starts_with(bound) {
        return PluginPath::Outside;
    }
    match std::fs::metadata(&real) {
        Ok(metadata) => PluginPath::Inside(real, metadata),
        Err(_) => PluginPath::Missing,
    }
}

/// Returns the marketplace or the checkout around a plugin, or else the directory that contains `plugins/NAME`.
pub(super) fn around(root: &Path) -> &Path {
    let plugins = root.parent().filter(|above| above.ends_with("plugins"));
    let mut above = root.ancestors();
    above
        .find(|path| path.join(".claude-plugin/marketplace.json").is_file() || path.join(".git").exists())
        .or(plugins.and_then(Path::parent))
        .unwrap_or(root)
}

/// Returns why a path does not name an entry of the plugin; `None` if it does.
pub(super) fn fault(root: &Path, path: &str) -> Option<&'static str> {
    match find(root, path) {
        PluginPath::Inside(..) => None,
        PluginPath::Missing if !leads_up(path) => Some("this path does not exist"),
        _ => Some("the path leads out of the plugin"),
    }
}

/// Reads a text below the root; `None` if it does not exist.
///
/// # Errors
/// Returns the reason as a text.
pub(super) fn read(root: &Path, path: &str) -> Option<Result<String, String>> {
    match find(root, path) {
        PluginPath::Missing => None,
        PluginPath::Inside(real, _) => Some(text(root, &real)),
        PluginPath::Outside => Some(Err("it leads out of the plugin".to_owned())),
    }
}

/// Resolves a path relative to a directory, following links and `..` like the file system; parts that do not
/// exist are kept as written.
pub(super) fn resolve(from: &Path, path: &str) -> PathBuf {
    let mut at = from.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => {
                at.pop();
            }
            Component::Normal(name) => {
                at.push(name);
                if let Ok(real) = std::fs::canonicalize(&at) {
                    at = real;
                }
            }
            Component::RootDir | Component::Prefix(_) => at = PathBuf::from(part.as_os_str()),
            Component::CurDir => {}
        }
    }
    at
}

/// Reads a text by its real path. It uses the same reader as the rest of the crate, which checks that the open file
/// is below the root.
///
/// # Errors
/// The reason, in words.
pub(super) fn text(root: &Path, path: &Path) -> Result<String, String> {
    let opened = open_inside(root, path);
    let bytes =
        opened.and_then(|(file, metadata)| read_opened(file, &metadata, CAP)).map_err(|error| match error
            .kind()
        {
            ErrorKind::InvalidInput => "it is not a file".to_owned(),
            ErrorKind::FileTooLarge => "it is larger than 10 MiB".to_owned(),
            _ => error.to_string(),
        })?;
    String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}
