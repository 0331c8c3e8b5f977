//! Formats the result of fixes as a unified diff for `git apply` and `patch -p1`.

use std::path::{Component, Path, PathBuf};

use similar::TextDiff;
use skills_core::read::{Overlaid, Overlay, may_execute, open_inside, read_opened};

use super::MAX_FIXED;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Formats the diff between the disk and an overlay. The diff is empty if they are equal.
///
/// Paths are relative to `root` and start with `label`, the root as the user wrote it. The diff therefore
/// applies in the directory in which the command ran. The lines are the bytes of the files, in any encoding.
pub fn diff(root: &Path, label: impl AsRef<Path>, over: &Overlay, renamed: &[(PathBuf, PathBuf)]) -> Vec<u8> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let shown = |path: &Path| Name::new(&label.as_ref().join(path.strip_prefix(&root).unwrap_or(path)));
    let mut out = Vec::new();
    for (path, file) in over.iter() {
        // The original name of a file that was renamed.
        let mut old = path;
        for (from, to) in renamed.iter().rev() {
            if to == old {
                old = from;
            }
        }
        // A hidden file was renamed.
        if let Some(file) = file {
            changed(&shown(old), &shown(path), on_disk(&root, old), file, &mut out);
        }
    }
    out
}

/// Formats the diff between two texts of a file. The first is `None` for a new file.
pub fn diff_texts(name: &str, before: Option<&[u8]>, after: &[u8]) -> Vec<u8> {
    let (name, mut out) = (Name::new(Path::new(name)), Vec::new());
    let file = Overlaid { bytes: after.to_owned(), executable: false };
    changed(&name, &name, before.map(|bytes| (bytes.to_owned(), false)), &file, &mut out);
    out
}

/// The name of a file in a diff, as bytes.
#[derive(PartialEq)]
struct Name(Vec<u8>);

impl Name {
    /// Converts a path, and skips its root and `.` parts.
    fn new(path: &Path) -> Self {
        let parts =
            path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
        let parts: Vec<&[u8]> = parts.map(|part| part.as_os_str().as_encoded_bytes()).collect();
        Self(parts.join(&b'/'))
    }

    /// Writes the name after `prefix` in the format of git and GNU patch: a name with spaces, quotes,
    /// backslashes, control characters or bytes outside ASCII is quoted as a C string. The end of the name is
    /// then unambiguous, and a terminal shows no hidden characters.
    fn after(&self, prefix: &str) -> String {
        let Self(bytes) = self;
        if bytes.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\')) {
            return format!("{prefix}{}", String::from_utf8_lossy(bytes));
        }
        let mut quoted = format!("\"{prefix}");
        for byte in bytes {
            match byte {
                b'\t' => quoted.push_str("\\t"),
                b'\n' => quoted.push_str("\\n"),
                b'"' | b'\\' => quoted.extend(['\\', char::from(*byte)]),
                b' '..=b'~' => quoted.push(char::from(*byte)),
                byte => quoted.push_str(&format!("\\{byte:03o}")),
            }
        }
        quoted + "\""
    }
}

/// Reads a file below the root, and whether it is executable. Never follows links out of the root.
fn on_disk(root: &Path, path: &Path) -> Option<(Vec<u8>, bool)> {
    let (file, metadata) = open_inside(root, path).ok()?;
    let bytes = read_opened(file, &metadata, MAX_FIXED).ok()?;
    Some((bytes, may_execute(&metadata).unwrap_or(false)))
}

fn changed(old: &Name, new: &Name, disk: Option<(Vec<u8>, bool)>, file: &Overlaid, out: &mut Vec<u8>) {
    let (before, was_executable) =
        disk.map_or((None, false), |(bytes, executable)| (Some(bytes), executable));
    let is_same = before.as_deref() == Some(file.bytes.as_slice());
    let turns = before.is_some() && file.executable && !was_executable;
    if is_same && !turns && old == new {
        return;
    }
    let mut head = format!("diff --git {} {}\n", old.after("a/"), new.after("b/"));
    if before.is_none() {
        head.push_str(if file.executable { "new file mode 100755\n" } else { "new file mode 100644\n" });
    } else if turns {
        head.push_str("old mode 100644\nnew mode 100755\n");
    }
    if old != new {
        let similarity = if is_same { 100 } else { 90 };
        let (from, to) = (old.after(""), new.after(""));
        head.push_str(&format!("similarity index {similarity}%\nrename from {from}\nrename to {to}\n"));
    }
    if !is_same {
        let from = if before.is_some() { old.after("a/") } else { "/dev/null".to_owned() };
        head.push_str(&format!("--- {from}\n+++ {}\n", new.after("b/")));
    }
    out.extend_from_slice(head.as_bytes());
    if !is_same {
        hunks(&before.unwrap_or_default(), &file.bytes, out);
    }
}

/// Formats the changed lines. A line ends with a line feed only, as in git and GNU patch.
fn hunks(old: &[u8], new: &[u8], out: &mut Vec<u8>) {
    let (old, new) = (split_lines(old), split_lines(new));
    let compared = TextDiff::from_slices(&old, &new);
    for hunk in compared.unified_diff().context_radius(CONTEXT).iter_hunks() {
        out.extend_from_slice(format!("{}\n", hunk.header()).as_bytes());
        for change in hunk.iter_changes() {
            out.extend_from_slice(change.tag().to_string().as_bytes());
            out.extend_from_slice(change.value());
            if !change.value().ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }
}

fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}
