//! Finds the environment variables that the texts of a skill read. The kernel cannot report such accesses.

use std::path::{Path, PathBuf};

/// The largest text that is searched, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// The maximum number of files of a skill that are searched.
const MAX_FILES: usize = 500;

/// Returns the line, from 1, in which a text reads a variable: `$NAME`, `${NAME`, or the name after a word that
/// contains `env` (`os.environ["NAME"]`, `getenv("NAME")`, `process.env.NAME`, `env::var("NAME")`).
pub(crate) fn line_of(text: &str, name: &str) -> Option<usize> {
    text.lines().position(|line| is_read(line, name)).map(|at| at + 1)
}

fn is_read(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let (before, after) =
            (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
        if before.ends_with(is_part) || after.starts_with(is_part) {
            return false;
        }
        let bare = before.trim_end_matches(['#', '!']);
        bare.ends_with('$') || bare.ends_with("${") || before.to_ascii_lowercase().contains("env")
    })
}

pub(crate) fn text(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_SIZE {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

/// Returns the texts of a directory, without following links.
pub(crate) fn texts_below(directory: &Path) -> Vec<String> {
    let (mut texts, mut seen, mut left) = (Vec::new(), 0, vec![PathBuf::from(directory)]);
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            seen += 1;
            if seen > MAX_FILES {
                return texts;
            }
            if kind.is_dir() {
                left.push(entry.path());
            } else if kind.is_file() {
                texts.extend(text(&entry.path()));
            }
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::line_of;

    // SPEC 13.20
    #[test]
    fn variables_are_found_where_they_are_read() {
        for text in [
            "a\necho $API_BASE",
            "\necho \"${API_BASE:-x}\"",
            "\nos.environ['API_BASE']",
            "\nos.getenv(\"API_BASE\", 1)",
            "\nconst x = process.env.API_BASE;",
            "\n${#API_BASE}",
            "\nstd::env::var(\"API_BASE\")",
        ] {
            assert_eq!(line_of(text, "API_BASE"), Some(2), "{text}");
        }
        for text in ["API_BASE", "$API_BASE_URL", "$MY_API_BASE", "set API_BASE first", ""] {
            assert_eq!(line_of(text, "API_BASE"), None, "{text}");
        }
    }
}
