//! Reads the files of a project beside its skills: `skills.toml`, `skills.lock`, `Cargo.toml`, and the files that they
//! name. The project may be hostile: only regular files are read, with a limit, and nothing outside of a directory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::inside;
use super::path::{CARGO_MANIFEST, LOCK_FILE, SETTINGS_FILE};

/// The maximum size of a file that a person writes, such as `skills.toml` and the files that it names, in bytes.
pub const MAX_PROJECT_FILE: u64 = 16 << 20;

/// All files that a command opens by their names in a project, each with its keys that name another file or a directory.
/// `pdf` stands for any skill, `acme` for any package, and `copy` for a copy that `skills package vendor` made. A test tries each
/// file and each key with devices, pipes, links, large files and paths that lead out of the project.
pub const PROJECT_FILES: &[(&str, &[&str])] = &[
    (SETTINGS_FILE, &["commands"]),
    (LOCK_FILE, &["skill.directory", "skill.source"]),
    ("skills-lock.json", &["skills.pdf.skillPath"]),
    (".skill-lock.json", &["skills.pdf.skillPath"]),
    (".git", &[]),
    (".git/index", &[]),
    (".git/info/exclude", &[]),
    (".gitignore", &[]),
    ("skills/.gitignore", &[]),
    ("skills/.skillignore", &[]),
    ("skills/.skills-source", &["its first line"]),
    ("skills/pdf/SKILL.md", &[]),
    ("skills/pdf/skill.json", &["input.$ref"]),
    ("skills/pdf/prompt.md", &[]),
    ("skills/pdf/schema.json", &[]),
    ("skills/pdf/agents/openai.yaml", &[]),
    ("skills/pdf/references/more.md", &[]),
    ("skills/pdf/evals/evals.json", &["evals.files"]),
    ("roles/ROLE.md", &[]),
    (
        CARGO_MANIFEST,
        &["package.workspace", "package.metadata.skills.path", "workspace.members", "dependencies.path"],
    ),
    ("Cargo.lock", &[]),
    (".cargo/config", &[]),
    (".cargo/config.toml", &[]),
    ("build.rs", &[]),
    ("src/lib.rs", &["skills!"]),
    ("node_modules/acme/package.json", &[]),
    ("node_modules/acme/SKILL.md", &[]),
    (".venv/lib/python3/site-packages/acme-1.0.dist-info/RECORD", &[]),
    (".venv/lib/python3/site-packages/acme-1.0.dist-info/METADATA", &[]),
    ("plugin.json", &[]),
    ("mcp.json", &[]),
    (".claude-plugin/plugin.json", &["hooks", "mcpServers", "skills"]),
    (".claude-plugin/marketplace.json", &["plugins.source"]),
    (".codex-plugin/plugin.json", &[]),
    (".cursor-plugin/plugin.json", &[]),
    ("gemini-extension.json", &[]),
    ("hooks/hooks.json", &[]),
    (".mcp.json", &[]),
    ("copy/pdf/SKILL.md", &[]),
    ("copy/.skills-source", &[]),
    ("copy/.skills-lock.json", &[]),
    (".pre-commit-config.yaml", &[]),
    (".github/workflows/skills.yml", &[]),
];

/// Reads a file that must be a regular file of at most `limit` bytes. Links are followed. Does not wait for a pipe, and
/// does not open a device.
///
/// # Errors
/// The error of the system. The kind is `InvalidInput` for anything but a regular file, and `FileTooLarge` for a larger
/// one.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // The first look avoids opening a device, which can have effects. The second is at the file that is read.
    regular(&fs::metadata(path)?)?;
    let file = inside::open(path)?;
    let metadata = file.metadata()?;
    read_opened(file, &metadata, limit)
}

/// Reads a file as [`read_file`] does, which must be below a directory once all links are followed. The path is relative
/// to the directory, or absolute.
///
/// # Errors
/// See [`read_file`]. The kind is `PermissionDenied` for a file outside of the directory.
pub fn read_below(directory: &Path, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let real = real_below(directory, path)?;
    regular(&fs::metadata(&real)?)?;
    let (file, metadata) = inside::open_inside(&directory.canonicalize()?, &real)?;
    read_opened(file, &metadata, limit)
}

/// Returns the real path of an entry, which must be below a directory once all links are followed.
///
/// # Errors
/// The error of the system. The kind is `PermissionDenied` for an entry outside of the directory.
pub(crate) fn real_below(directory: &Path, path: &Path) -> io::Result<PathBuf> {
    let real = directory.join(path).canonicalize()?;
    match real.starts_with(directory.canonicalize()?) {
        true => Ok(real),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("it leads out of {}", directory.display()),
        )),
    }
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads a file that is open, which must be a regular file of at most `limit` bytes.
///
/// # Errors
/// As of [`read_file`].
pub fn read_opened(file: File, metadata: &fs::Metadata, limit: u64) -> io::Result<Vec<u8>> {
    regular(metadata)?;
    let mut bytes = Vec::new();
    if metadata.len() <= limit {
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|size| size <= limit) {
            return Ok(bytes);
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")))
}

/// Reads a text as [`read_file`] does.
///
/// # Errors
/// See [`read_file`]. The kind is `InvalidData` for a text that is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    utf8(read_file(path, limit)?)
}

/// Reads a text as [`read_below`] does.
///
/// # Errors
/// See [`read_below`]. The kind is `InvalidData` for a text that is not UTF-8.
pub fn read_text_below(directory: &Path, path: &Path, limit: u64) -> io::Result<String> {
    utf8(read_below(directory, path, limit)?)
}

fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}
