//! Checks the entries of a server's list (SEP-2640, Skill Entries). Everything in them may be hostile.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::model::{Skill, SkillResource, SkillResources};
use skills_load::{RemoteFile, RemoteSkill};
use skills_registry::{MAX_BYTES, MAX_FILES, is_standard_name};
use skills_text::{hidden_runs, is_hidden, percent_decoded};

/// The maximum length of a URI, in bytes.
const LONGEST_URI: usize = 2048;

/// The maximum depth of a path below a skill.
const DEEPEST: usize = 32;

/// The maximum size of the frontmatter as JSON, in bytes.
const MAX_FRONTMATTER: usize = 64 * 1024;

/// An entry that was checked, and the URI of each file.
#[derive(Debug)]
pub(crate) struct CheckedEntry {
    pub(crate) skill: RemoteSkill,
    pub(crate) uris: BTreeMap<String, String>,
}

/// The reason why an entry is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EntryFault {
    Uri,
    UriEnd,
    UriName(String),
    Name,
    NoDescription,
    Frontmatter(String),
    FrontmatterSize,
    HiddenCharacters,
    NoDigests,
    FileCount,
    Size,
    NoDocument,
    FileAndDirectory,
    FileUri,
    FileOutside,
    FilePath,
    SamePath(String),
    FileDigest(String),
    FileSize(String),
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uri => f.write_str("its URI is invalid"),
            Self::UriEnd => f.write_str("its URI does not end with `/SKILL.md`"),
            Self::UriName(name) => write!(f, "its URI does not end with its name `{name}`"),
            Self::Name => f.write_str("its name is not valid in the standard"),
            Self::NoDescription => f.write_str("it has no description"),
            Self::Frontmatter(error) => f.write_str(error),
            Self::FrontmatterSize => write!(f, "its frontmatter has more than {MAX_FRONTMATTER} bytes"),
            Self::HiddenCharacters => f.write_str("its frontmatter has hidden characters"),
            Self::NoDigests => {
                f.write_str("its files have no digests, so that no approval can be bound to them")
            }
            Self::FileCount => write!(f, "it has more than {MAX_FILES} files"),
            Self::Size => write!(f, "its files have more than {MAX_BYTES} bytes"),
            Self::NoDocument => f.write_str("its files do not include its `SKILL.md`"),
            Self::FileAndDirectory => f.write_str("one of its files is also a directory"),
            Self::FileUri => f.write_str("a file has an invalid URI"),
            Self::FileOutside => f.write_str("a file is outside of the skill"),
            Self::FilePath => f.write_str("a path is not UTF-8"),
            Self::SamePath(path) => {
                write!(f, "another of its files has the path `{path}` on some file systems")
            }
            Self::FileDigest(path) => write!(f, "the digest of `{path}` is invalid"),
            Self::FileSize(path) => write!(f, "`{path}` is too large"),
        }
    }
}

/// Checks all entries, and gives each skill a name that is unique among them.
pub(crate) fn check_all(entries: &[Skill]) -> (Vec<CheckedEntry>, Vec<String>) {
    let (mut checked, mut refused) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for entry in entries {
        match check(entry) {
            Ok(found) if seen.insert(entry.uri.clone()) => checked.push(found),
            Ok(_) => refused.push(format!("`{}` is listed twice", shown(&entry.uri))),
            Err(reason) => refused.push(format!("`{}`: {reason}", shown(&entry.uri))),
        }
    }
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    checked.iter().for_each(|found| *count.entry(found.skill.name.clone()).or_default() += 1);
    for found in &mut checked {
        if count.get(&found.skill.name).is_some_and(|count| *count > 1) {
            found.skill.name = long_name(&found.skill.uri);
        }
    }
    let mut names = BTreeSet::new();
    checked.retain(|found| {
        let is_unique = is_standard_name(&found.skill.name) && names.insert(found.skill.name.clone());
        if !is_unique {
            refused.push(format!("`{}`: another skill has the same name", found.skill.uri));
        }
        is_unique
    });
    (checked, refused)
}

/// Returns a name of all segments of a skill's path.
fn long_name(uri: &str) -> String {
    let path = uri.split_once("://").map_or(uri, |(_, path)| path);
    path.trim_end_matches("/SKILL.md").replace(['/', '.', '_'], "-").to_ascii_lowercase()
}

/// Checks one entry.
pub(crate) fn check(entry: &Skill) -> Result<CheckedEntry, EntryFault> {
    check_uri(&entry.uri)?;
    let root = entry.uri.strip_suffix("/SKILL.md").ok_or(EntryFault::UriEnd)?;
    let name = entry.frontmatter.name.as_str();
    if !is_standard_name(name) {
        return Err(EntryFault::Name);
    }
    if root.rsplit('/').next() != Some(name) {
        return Err(EntryFault::UriName(name.to_owned()));
    }
    if entry.frontmatter.description.trim().is_empty() {
        return Err(EntryFault::NoDescription);
    }
    let frontmatter = serde_json::to_value(&entry.frontmatter)
        .map_err(|error| EntryFault::Frontmatter(error.to_string()))?;
    check_texts(&frontmatter)?;
    let frontmatter = frontmatter.to_string();
    if frontmatter.len() > MAX_FRONTMATTER {
        return Err(EntryFault::FrontmatterSize);
    }
    let SkillResources::Files(resources) = &entry.resources else {
        return Err(EntryFault::NoDigests);
    };
    if resources.len() > MAX_FILES {
        return Err(EntryFault::FileCount);
    }
    let (mut files, mut uris) = (Vec::new(), BTreeMap::new());
    let (mut total, mut folded) = (0_u64, BTreeSet::new());
    for resource in resources {
        let file = check_file(resource, root)?;
        total = total.saturating_add(resource.size);
        if !folded.insert(skills_core::read::folded(&file.path)) {
            return Err(EntryFault::SamePath(file.path));
        }
        uris.insert(file.path.clone(), resource.uri.clone());
        files.push(file);
    }
    if total > MAX_BYTES {
        return Err(EntryFault::Size);
    }
    if uris.get("SKILL.md") != Some(&entry.uri) {
        return Err(EntryFault::NoDocument);
    }
    let is_directory =
        folded.iter().any(|path| path.match_indices('/').any(|(at, _)| folded.contains(&path[..at])));
    if is_directory {
        return Err(EntryFault::FileAndDirectory);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let skill = RemoteSkill { uri: entry.uri.clone(), name: name.to_owned(), frontmatter, files };
    Ok(CheckedEntry { skill, uris })
}

fn check_uri(uri: &str) -> Result<(), EntryFault> {
    let is_plain = uri.len() <= LONGEST_URI
        && uri.chars().all(|c| match c.is_ascii() {
            true => c.is_ascii_graphic() && !matches!(c, '\\' | '?' | '#'),
            false => !is_hidden(c) && !c.is_whitespace(),
        });
    let scheme = uri.split_once("://").map_or("", |(scheme, _)| scheme);
    let has_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'.'));
    let path = uri.split_once("://").map_or("", |(_, path)| path);
    let has_segments = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if is_plain && has_scheme && has_segments { Ok(()) } else { Err(EntryFault::Uri) }
}

fn check_file(resource: &SkillResource, root: &str) -> Result<RemoteFile, EntryFault> {
    check_uri(&resource.uri).map_err(|_| EntryFault::FileUri)?;
    let below = resource.uri.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
    let encoded = below.ok_or(EntryFault::FileOutside)?;
    let path = String::from_utf8(percent_decoded(encoded)).map_err(|_| EntryFault::FilePath)?;
    let mut depth = 0;
    for part in path.split('/') {
        depth += 1;
        let is_plain = !part.chars().any(|c| is_hidden(c) || matches!(c, '\\' | ':'));
        if matches!(part, "" | "." | "..") || !is_plain || depth > DEEPEST {
            return Err(EntryFault::FileOutside);
        }
    }
    // An encoded separator would be decoded into a path with more segments.
    if path.split('/').count() != encoded.split('/').count() {
        return Err(EntryFault::FileOutside);
    }
    let digest = resource
        .digest
        .strip_prefix("sha256:")
        .filter(|hex| hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    let sha256 = digest.and_then(skills_text::unhex).ok_or_else(|| EntryFault::FileDigest(path.clone()))?;
    let size = u32::try_from(resource.size).map_err(|_| EntryFault::FileSize(path.clone()))?;
    Ok(RemoteFile { path, sha256, size })
}

/// Returns the beginning of a URI for messages, with its hidden characters made visible.
fn shown(uri: &str) -> String {
    skills_text::visible(&uri.chars().take(100).collect::<String>()).to_string()
}

fn check_text(text: &str) -> Result<(), EntryFault> {
    if hidden_runs(text).is_empty() { Ok(()) } else { Err(EntryFault::HiddenCharacters) }
}

/// Refuses texts with characters that a model reads but a person does not see.
fn check_texts(value: &serde_json::Value) -> Result<(), EntryFault> {
    use serde_json::Value;
    match value {
        Value::String(text) => check_text(text),
        Value::Array(items) => items.iter().try_for_each(check_texts),
        Value::Object(members) => members.iter().try_for_each(|(key, value)| {
            check_text(key)?;
            check_texts(value)
        }),
        _ => Ok(()),
    }
}
