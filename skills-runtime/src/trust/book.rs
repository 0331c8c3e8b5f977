//! The directories that the user has trusted, each with the digests of its files then: read from a file of the user's
//! configuration, and written there by `skills trust` (SPEC 14.11, 14.12).

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::read::{ReadOptions, read};
use skills_core::report::Report;
use skills_registry::visible;
use skills_sign::{Contents, Difference, Links, Rules, Unfit};

use super::file::{Entry, config, parse, print, put, text, turn};
use crate::load::each_directory;

/// What the user has trusted.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Nothing where there is no configuration: then nothing is trusted, and nothing can be.
    path: Option<PathBuf>,
    entries: Vec<Arc<Entry>>,
    damage: Option<String>,
}

/// How a directory stands that was trusted once.
#[derive(Debug)]
#[non_exhaustive]
pub enum Standing {
    /// All is as it was.
    Same,
    /// It holds something else now.
    Changed(Difference),
    /// A link has taken its place, or that of a directory above it: where it leads.
    Linked(PathBuf),
    /// It cannot be read, so nothing of it is known.
    Unknown(Unfit),
}

/// Why a directory is not trusted, or its trust not taken back.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// There is no directory for the configuration of the user.
    NoHome,
    /// The file cannot be made sense of; it is left as it is.
    Damaged(PathBuf, String),
    /// There is no skill in the directory.
    NoSkills(PathBuf),
    /// The directory cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Its files cannot be counted.
    Unfit(PathBuf, Unfit),
    /// Its path is not UTF-8.
    Path(PathBuf),
    /// It was not trusted.
    NotTrusted(PathBuf),
    /// The file cannot be written.
    Unwritten(PathBuf, io::Error),
}

impl Book {
    /// Reads the book of this user: `trust.json` in `$XDG_CONFIG_HOME/skills`, which is `~/.config/skills` by default; on
    /// macOS in `~/Library/Application Support/skills`, on Windows in `%APPDATA%\skills`.
    ///
    /// It never fails: where there is no file nothing is trusted, nor where it is damaged (see [`Book::damage`]).
    pub fn of_user() -> Self {
        config().map(|dir| Self::at(dir.join("skills").join("trust.json"))).unwrap_or_default()
    }

    /// Reads the book of a file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let (entries, damage) = match text(&path) {
            Ok(None) => (Vec::new(), None),
            Ok(Some(text)) => match parse(&text) {
                Some(entries) => (entries, None),
                None => (Vec::new(), Some("it is no list of trusted directories".to_owned())),
            },
            Err(damage) => (Vec::new(), Some(damage)),
        };
        Self { path: Some(path), entries, damage }
    }

    /// Returns the file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns why the file could not be read, so that nothing is trusted.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the trusted directories, sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(|entry| &**entry)
    }

    /// The entries that a directory lies in, by real paths.
    pub(crate) fn around<'b>(&'b self, directory: &'b Path) -> impl Iterator<Item = &'b Arc<Entry>> {
        self.entries.iter().filter(|entry| directory.starts_with(&entry.path))
    }

    /// Trusts the skills of a directory as they are now, and keeps that: of a workspace those in `.github/skills`,
    /// `.claude/skills` and `.agents/skills`, else the directory itself. Returns the directories, by their real paths.
    ///
    /// # Errors
    /// [`BookError`]; nothing has changed then.
    pub fn trust(&mut self, directory: &Path) -> Result<Vec<PathBuf>, BookError> {
        self.is_sound()?;
        // Counted before the others wait.
        let mut added = Vec::new();
        for path in places(directory)? {
            if path.to_str().is_none() {
                return Err(BookError::Path(path));
            }
            let contents = contents(&path).map_err(|unfit| BookError::Unfit(path.clone(), unfit))?;
            added.push(Arc::new(Entry { path, contents }));
        }
        let paths: Vec<PathBuf> = added.iter().map(|entry| entry.path.clone()).collect();
        self.change(|entries| {
            entries.retain(|entry| !paths.contains(&entry.path));
            entries.extend(added);
        })?;
        Ok(paths)
    }

    /// Takes the trust in a directory back, and in all below it; it need not exist any more. Returns what was trusted.
    ///
    /// # Errors
    /// [`BookError`]; nothing has changed then.
    pub fn revoke(&mut self, directory: &Path) -> Result<Vec<PathBuf>, BookError> {
        self.is_sound()?;
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let real = fs::canonicalize(directory).unwrap_or_else(|_| absolute.clone());
        let linked: Vec<PathBuf> = places(directory).unwrap_or_default();
        let is_meant = |entry: &Arc<Entry>| {
            [&real, &absolute].iter().any(|above| entry.path.starts_with(above))
                || linked.contains(&entry.path)
        };
        let mut gone: Vec<PathBuf> = Vec::new();
        self.change(|entries| {
            gone.extend(entries.iter().filter(|entry| is_meant(entry)).map(|entry| entry.path.clone()));
            entries.retain(|entry| !is_meant(entry));
        })?;
        if gone.is_empty() { Err(BookError::NotTrusted(directory.to_owned())) } else { Ok(gone) }
    }

    /// What cannot be read is not written over.
    fn is_sound(&self) -> Result<(), BookError> {
        match (&self.path, &self.damage) {
            (None, _) => Err(BookError::NoHome),
            (Some(path), Some(damage)) => Err(BookError::Damaged(path.clone(), damage.clone())),
            (Some(_), None) => Ok(()),
        }
    }

    /// Changes what the file says now, which another process may have changed since it was read here: one after the other.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Arc<Entry>>)) -> Result<(), BookError> {
        let path = self.path.clone().ok_or(BookError::NoHome)?;
        let unwritten = |error| BookError::Unwritten(path.clone(), error);
        let _held = turn(&path).map_err(unwritten)?;
        let mut now = Self::at(&path);
        now.is_sound()?;
        let before = now.entries.clone();
        change(&mut now.entries);
        now.entries.sort_by(|a, b| a.path.cmp(&b.path));
        let is_same = before.len() == now.entries.len()
            && before.iter().zip(&now.entries).all(|(a, b)| Arc::ptr_eq(a, b));
        if !is_same {
            put(&path, &print(&now.entries)).map_err(unwritten)?;
        }
        *self = now;
        Ok(())
    }
}

impl Entry {
    /// Returns the directory, by its real path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the directories of the skills that it held when it was trusted.
    pub(crate) fn skills(&self) -> impl Iterator<Item = PathBuf> {
        let files = self.contents.files().map(|(path, _)| self.path.join(path));
        let named = files.filter(|file| file.ends_with("SKILL.md") || file.ends_with("skill.json"));
        named.filter_map(|file| file.parent().map(Path::to_owned))
    }

    /// Compares the directory with what it was when it was trusted.
    pub fn standing(&self) -> Standing {
        // It was kept by its real path.
        if let Some(real) = fs::canonicalize(&self.path).ok().filter(|real| *real != self.path) {
            return Standing::Linked(real);
        }
        match contents(&self.path) {
            Ok(found) if found == self.contents => Standing::Same,
            Ok(found) => Standing::Changed(Difference::between(&self.contents, &found)),
            Err(unfit) => Standing::Unknown(unfit),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("as it was trusted"),
            Self::Changed(difference) => difference.fmt(f),
            Self::Linked(real) => {
                write!(f, "a link to {} has taken its place", visible(&real.to_string_lossy()))
            }
            Self::Unknown(unfit) => unfit.fmt(f),
        }
    }
}

/// Reads the digests of a directory: every file counts, and of a link where it leads.
fn contents(directory: &Path) -> Result<Contents, Unfit> {
    Contents::read(directory, &Rules::new(Links::Record))
}

/// Returns the directories of skills that are meant by one, by their real paths.
fn places(directory: &Path) -> Result<Vec<PathBuf>, BookError> {
    let real = |path: &Path| {
        fs::canonicalize(path).map_err(|error| BookError::Unreadable(directory.to_owned(), error))
    };
    let real_directory = real(directory)?;
    let mut places = Vec::new();
    for below in each_directory(&real_directory).into_iter().filter(|below| below.is_dir()) {
        places.push(real(&below)?);
    }
    if places.is_empty() {
        places.push(real_directory);
    }
    places.sort();
    places.dedup();
    // That a project without skills was trusted would be an error that nobody sees.
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    let has_skills = |place: &PathBuf| !read(place, "", &options, &mut Report::default()).skills.is_empty();
    places.retain(has_skills);
    if places.is_empty() { Err(BookError::NoSkills(directory.to_owned())) } else { Ok(places) }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => {
                f.write_str("there is no home directory to keep it in; XDG_CONFIG_HOME can name one")
            }
            Self::Damaged(path, damage) => {
                write!(f, "{} cannot be used: {damage}; remove it, and trust again", path.display())
            }
            Self::NoSkills(path) => write!(f, "{}: there are no skills in it", path.display()),
            Self::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Unfit(path, unfit) => write!(f, "{}: {unfit}", path.display()),
            Self::Path(path) => write!(f, "{}: the path is not UTF-8", path.display()),
            Self::NotTrusted(path) => write!(f, "{}: it is not trusted", path.display()),
            Self::Unwritten(path, error) => write!(f, "{} cannot be written: {error}", path.display()),
        }
    }
}

impl std::error::Error for BookError {}
