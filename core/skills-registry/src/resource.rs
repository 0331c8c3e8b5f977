//! The files of a skill: which are part of it, the handle to each, and the `skill://` URI of each.

use skills_text::{hex, lower_bound, percent_decoded, percent_encoded, percent_encoded_path};

use crate::rows::{FILE, Row, Rows};

/// A file of a skill. A cheap handle: copy it.
#[derive(Clone, Copy)]
pub struct Resource<'a>(Row<'a>);

impl<'a> Resource<'a> {
    /// Returns the path below the skill, with `/` between its parts.
    pub fn path(self) -> &'a str {
        self.0.get(FILE.path).unwrap_or_default()
    }

    /// Returns the size of the file in bytes, without reading it.
    pub fn size(self) -> u32 {
        self.0.tables().content_size(self.content())
    }

    /// Returns the reason if the file is on a server and could not be read. Then its bytes are empty.
    pub fn fault(self) -> Option<&'a str> {
        self.0.tables().content_fault(self.content())
    }

    /// Returns the bytes of the file.
    pub fn bytes(self) -> &'a [u8] {
        self.0.tables().content(self.content())
    }

    /// Returns the text of the file, or `None` if it is not UTF-8.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()).ok()
    }

    /// Returns `true` if the file is executable: by its mode, or because it starts with `#!`.
    pub fn is_executable(self) -> bool {
        self.0.get(FILE.executable)
    }

    /// Returns the SHA-256 digest of the bytes. It was computed at build time, or is computed on first use
    /// for a skill on disk.
    pub fn sha256(self) -> &'a [u8; 32] {
        self.0.tables().digest(self.0)
    }

    /// Returns the SHA-256 digest as 64 lower-case hexadecimal digits.
    pub fn sha256_hex(self) -> String {
        hex(self.sha256())
    }

    fn content(self) -> u32 {
        FILE.content.position(self.0.position())
    }
}

impl std::fmt::Debug for Resource<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Resource").field(&self.path()).finish()
    }
}

/// Files of a skill, sorted by path.
#[derive(Clone, Debug)]
pub struct Resources<'a> {
    rows: Rows<'a>,
    all: bool,
}

impl<'a> Resources<'a> {
    /// Iterates over the files of these rows: all of them, or all except `SKILL.md` and `skill.json`.
    pub(crate) fn new(rows: Rows<'a>, all: bool) -> Self {
        Self { rows, all }
    }

    /// Finds a file by its path below the skill.
    pub(crate) fn find(&self, path: &str) -> Option<Resource<'a>> {
        let number = lower_bound(self.rows.left(), |number| Resource(self.rows.row(number)).path() < path);
        (number < self.rows.left())
            .then(|| Resource(self.rows.row(number)))
            .filter(|found| found.path() == path)
    }

    /// Returns 1 if a file that is left is hidden.
    fn hidden(&self, path: &str) -> usize {
        usize::from(!self.all && self.find(path).is_some())
    }
}

impl<'a> Iterator for Resources<'a> {
    type Item = Resource<'a>;

    fn next(&mut self) -> Option<Resource<'a>> {
        let all = self.all;
        self.rows.by_ref().map(Resource).find(|found| all || is_resource(found.path()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // Finds the files that are not resources by name, without iterating.
        let hidden = self.hidden("SKILL.md") + self.hidden("skill.json");
        let shown = self.rows.len().saturating_sub(hidden);
        (shown, Some(shown))
    }
}

impl ExactSizeIterator for Resources<'_> {}

/// How many files of a skill every client of the MCP Skills extension accepts (SEP-2640, Limits).
pub const MAX_FILES: usize = 512;

/// The maximum total size of these files in bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// Returns `true` if a file is a resource: every file except `SKILL.md` and `skill.json`.
pub(crate) fn is_resource(path: &str) -> bool {
    path != "SKILL.md" && path != "skill.json"
}

/// The directories of a skill with its material. Hidden files in them are part of the skill.
pub const MATERIAL: [&str; 4] = ["assets", "references", "scripts", "templates"];

/// Returns `true` if a path below a skill is material whatever its name: it lies in one of the [`MATERIAL`] directories,
/// and no part of it was made by an operating system or belongs to a version control system.
///
/// ```
/// use skills_registry::is_material;
/// assert!(is_material("assets/.github/workflows/ci.yml"));
/// assert!(!is_material(".github/workflows/ci.yml") && !is_material("assets/.DS_Store"));
/// ```
pub fn is_material(path: &str) -> bool {
    let (folder, rest) = path.split_once('/').unwrap_or((path, ""));
    MATERIAL.contains(&folder) && !rest.split('/').any(is_never_material)
}

/// Returns `true` for names of files that nobody wrote, or that control what is read.
pub fn is_never_material(name: &str) -> bool {
    const NAMES: [&str; 9] =
        [".DS_Store", ".bzr", ".directory", ".git", ".hg", ".jj", ".localized", ".skillignore", ".svn"];
    NAMES.contains(&name)
        || name.starts_with("._")
        || name.starts_with(".nfs")
        || name.starts_with(".fuse_hidden")
}

/// The scheme of files of skills that are part of a program.
pub const SKILL_SCHEME: &str = "skill://";

/// Returns the URI of a file of a skill, or of its directory if the path is empty.
///
/// ```
/// assert_eq!(skills_registry::skill_uri("pdf", "a b.md"), "skill://pdf/a%20b.md");
/// ```
pub fn skill_uri(name: &str, path: &str) -> String {
    let separator = if path.is_empty() { "" } else { "/" };
    format!("{SKILL_SCHEME}{}{separator}{}", percent_encoded(name), percent_encoded_path(path))
}

/// Parses a URI into a name and a path.
///
/// Returns `None` for a URI that [`skill_uri`] does not create, such as one with unneeded or missing percent
/// encoding. So a URI cannot hide a separator or a `..`.
pub fn parse_skill_uri(uri: &str) -> Option<(String, String)> {
    let rest = uri.strip_prefix(SKILL_SCHEME)?;
    let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, path) = (decode(name)?, decode(path)?);
    (skill_uri(&name, &path) == uri).then_some((name, path))
}

/// Decodes a text. Invalid encodings are kept. Encoding the result then gives a different text, by which the
/// caller detects them.
fn decode(text: &str) -> Option<String> {
    String::from_utf8(percent_decoded(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::{parse_skill_uri, skill_uri};

    // SPEC 11.4
    #[test]
    fn an_address_survives_a_round_trip() {
        let pairs = [
            ("pdf", "SKILL.md", "skill://pdf/SKILL.md"),
            ("pdf", "", "skill://pdf"),
            ("pdf", "a b/c%d?.md", "skill://pdf/a%20b/c%25d%3F.md"),
            ("a/b", "c", "skill://a%2Fb/c"),
            ("名", "é", "skill://%E5%90%8D/%C3%A9"),
        ];
        for (name, path, uri) in pairs {
            assert_eq!(skill_uri(name, path), uri);
            assert_eq!(parse_skill_uri(uri), Some((name.to_owned(), path.to_owned())), "{uri}");
        }
    }

    // SPEC 11.4, 12.3
    #[test]
    fn other_spellings_are_not_addresses() {
        let paths = [
            "", "a%2fb", "a%+5", "a%5", "a%2Fb", "%2e%2e/x", "%2E%2E/x", "a b", "a?x", "a#x", "%", "%4",
            "%+1", "%FF",
        ];
        for path in paths {
            assert_eq!(parse_skill_uri(&format!("skill://pdf/{path}")), None, "{path}");
        }
        for uri in ["skill://p%64f/SKILL.md", "Skill://pdf/SKILL.md", "file:///etc/passwd", ""] {
            assert_eq!(parse_skill_uri(uri), None, "{uri}");
        }
    }
}
