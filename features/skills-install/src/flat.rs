//! Moves a flat file `skills/foo.md` of older programs to `skills/foo/SKILL.md`. Call this before `install`.

use std::fmt;
use std::io;
use std::path::Path;

use skills_files::{Dir, is};
use skills_text::{frontmatter_tag, sort, unmarked};

use super::apply::{STAGE, begin, clean, is_left_behind};
use super::error::{Fallible, InstallError};
use super::options::InstallOptions;
use super::request::Request;
use super::wanted::is_safe_name;

/// The results for the flat files, each named without `.md`, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migration {
    /// The skills that have a directory now.
    pub moved: Vec<String>,
    /// The files that were not moved, and the reasons.
    pub skipped: Vec<(String, NotMigrated)>,
}

/// The reason why a flat file is not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotMigrated {
    /// The directory of that name exists already.
    Exists,
    /// It does not begin with the frontmatter of a skill: a block with a name or a description.
    NoSkill,
    /// It is a link, or not a regular file.
    NoFile,
    /// It is a `SKILL.md`, so that the directory itself is a skill.
    Document,
    /// Its name is not a valid name of a skill's directory.
    BadName,
}

impl fmt::Display for NotMigrated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Exists => "its directory exists",
            Self::NoSkill => "it does not begin with the frontmatter of a skill",
            Self::NoFile => "it is a link, or not a file",
            Self::Document => "the directory itself is a skill, and this is its document",
            Self::BadName => "its name is not valid for the directory of a skill",
        })
    }
}

/// Moves `TARGET/skills/foo.md` to `TARGET/skills/foo/SKILL.md` for every flat skill.
///
/// A missing directory has no flat files. Call this before [`install`](super::install()): afterwards `foo/` may
/// exist, and the user's file would not be moved.
///
/// # Errors
/// If the system refuses. No file is lost then, and the next run continues.
pub fn migrate_flat_skills(target: &Path) -> Result<Migration, InstallError> {
    migrate(target).map_err(|error| *error)
}

fn migrate(target: &Path) -> Fallible<Migration> {
    let request = Request {
        registry: None,
        target: &target.into(),
        options: &InstallOptions::new(""),
        is_status: false,
    };
    let path = request.path();
    let Some(skills) = request.open()? else {
        return Ok(Migration::default());
    };
    let all = decide_all(&skills).map_err(|error| InstallError::refused("read", &path, &[], error))?;
    let stays = all.iter().all(|(_, fate)| matches!(fate, Fate::Stay(_)));
    if stays && !is_left_behind(&skills) {
        return Ok(Migration::new(all));
    }
    let _busy = begin(&skills, &path)?;
    // Another process may have written until now.
    let all = decide_all(&skills).map_err(|error| InstallError::refused("read", &path, &[], error))?;
    for (name, fate) in &all {
        let moved = match fate {
            Fate::Move => move_flat(&skills, name),
            Fate::Finish => skills.remove_file(flat(name).as_ref()),
            Fate::Stay(_) => Ok(()),
        };
        moved.map_err(|error| InstallError::refused("move", &path, &[&flat(name)], error))?;
    }
    clean(&skills, &path)?;
    Ok(Migration::new(all))
}

/// The planned change to a flat file.
enum Fate {
    Move,
    /// An earlier run moved it, but did not remove the old name.
    Finish,
    Stay(NotMigrated),
}

impl Migration {
    fn new(all: Vec<(String, Fate)>) -> Self {
        let mut migration = Self::default();
        for (name, fate) in all {
            match fate {
                Fate::Move | Fate::Finish => migration.moved.push(name),
                Fate::Stay(why) => migration.skipped.push((name, why)),
            }
        }
        migration
    }
}

/// The largest flat file that is read, in bytes.
const MAX_DOCUMENT: u64 = 64 << 20;

fn flat(name: &str) -> String {
    format!("{name}.md")
}

/// Lists the flat files, sorted by name.
fn decide_all(skills: &Dir) -> io::Result<Vec<(String, Fate)>> {
    let mut all = Vec::new();
    for file in skills.names()? {
        let file = file.to_string_lossy();
        // Hidden files are not skills.
        let Some(name) = file.strip_suffix(".md").filter(|_| !file.starts_with('.')) else { continue };
        let fate = if file.eq_ignore_ascii_case("SKILL.md") {
            Fate::Stay(NotMigrated::Document)
        } else if !is_safe_name(name) || file.contains(char::REPLACEMENT_CHARACTER) {
            Fate::Stay(NotMigrated::BadName)
        } else {
            decide(skills, name)?
        };
        all.push((name.to_owned(), fate));
    }
    sort(&mut all, &|(first, _), (second, _)| first.cmp(second));
    Ok(all)
}

fn decide(skills: &Dir, name: &str) -> io::Result<Fate> {
    let bytes = match skills.read(flat(name).as_ref(), MAX_DOCUMENT) {
        Ok(bytes) => bytes,
        Err(error) if is(&error, io::ErrorKind::InvalidInput) => {
            return Ok(Fate::Stay(NotMigrated::NoFile));
        }
        // No check accepts a document of this size.
        Err(error) if is(&error, io::ErrorKind::FileTooLarge) => {
            return Ok(Fate::Stay(NotMigrated::NoSkill));
        }
        Err(error) => return Err(error),
    };
    if !is_skill(&bytes) {
        return Ok(Fate::Stay(NotMigrated::NoSkill));
    }
    match skills.open_dir(name.as_ref()) {
        Err(error) if is(&error, io::ErrorKind::NotFound) => Ok(Fate::Move),
        Err(error) if is(&error, io::ErrorKind::NotADirectory) => Ok(Fate::Stay(NotMigrated::Exists)),
        Err(error) => Err(error),
        Ok(dir) if skills.is_same(flat(name).as_ref(), &dir, "SKILL.md".as_ref())? => Ok(Fate::Finish),
        Ok(_) => Ok(Fate::Stay(NotMigrated::Exists)),
    }
}

/// Gives the file its second name in a new directory, moves the directory into place, and removes the first name. So
/// the file always has at least one name.
fn move_flat(skills: &Dir, name: &str) -> io::Result<()> {
    let staged = skills.open_or_create_dir(STAGE.as_ref())?;
    let dir = staged.open_or_create_dir(name.as_ref())?;
    match skills.link(flat(name).as_ref(), &dir, "SKILL.md".as_ref()) {
        Ok(()) => {}
        // If the file system has no hard links, copy the file.
        Err(_) => {
            dir.write_new("SKILL.md".as_ref(), &skills.read(flat(name).as_ref(), MAX_DOCUMENT)?, false)?
        }
    }
    staged.sync()?;
    staged.rename(name.as_ref(), skills, name.as_ref())?;
    skills.remove_file(flat(name).as_ref())
}

/// Returns `true` if a file starts with a frontmatter block that has a name or a description.
fn is_skill(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut lines = unmarked(text).lines().map(str::trim_end);
    let tag = lines.next().and_then(frontmatter_tag).map(str::to_ascii_lowercase);
    if !matches!(tag.as_deref(), Some("" | "yaml" | "toml")) {
        return false;
    }
    let mut named = false;
    for line in lines {
        if line == "---" {
            return named;
        }
        named |= ["name", "description"].into_iter().any(|key| has_key(line, key));
    }
    false
}

/// Returns `true` if a line assigns a value to `key`, in YAML or in TOML.
fn has_key(line: &str, key: &str) -> bool {
    let bare = line.strip_prefix(key);
    bare.or_else(|| strip_quoted_key('"', key, line))
        .or_else(|| strip_quoted_key('\'', key, line))
        .is_some_and(|rest| rest.trim_start().starts_with([':', '=']))
}

fn strip_quoted_key<'l>(quote: char, key: &str, line: &'l str) -> Option<&'l str> {
    line.strip_prefix(quote)?.strip_prefix(key)?.strip_prefix(quote)
}
