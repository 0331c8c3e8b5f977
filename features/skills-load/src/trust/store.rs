//! The directories that the user has trusted, each with the digests of its files at that time. They are
//! stored in a configuration file of the user that `skills trust` writes.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, ReadOptions, read};
use skills_core::report::Report;
use skills_sign::{Contents, Difference, Links, Rules, Unfit};
use skills_text::{shell_path, visible};

use super::file::{Entry, Records, config, parse, print, text, turn, write_private};
use super::followed::{FollowFault, FollowedDirectory, shown};
use crate::roots::{OWN_SKILLS, each_directory, real_path};

/// The trusted directories of a user.
#[derive(Clone, Debug, Default)]
pub struct TrustStore {
    /// `None` if there is no configuration directory. Then nothing is trusted, and trust cannot be saved.
    path: Option<PathBuf>,
    records: Records,
    damage: Option<String>,
}

/// The current state of a trusted directory.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrustStatus {
    /// The directory is unchanged.
    Same,
    /// The directory has changed.
    Changed(Difference),
    /// The directory, or a directory above it, was replaced by a link that leads to this path.
    Linked(PathBuf),
    /// The directory cannot be read.
    Unknown(Unfit),
}

/// The reason why a directory could not be trusted, or its trust could not be revoked.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrustStoreError {
    /// The user has no configuration directory.
    NoHome,
    /// The file is damaged. It is left unchanged.
    Damaged(PathBuf, String),
    /// The directory contains no skills.
    NoSkills(PathBuf),
    /// The directory cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The files of the directory cannot be hashed.
    Unfit(PathBuf, Unfit),
    /// The path is not UTF-8.
    Path(PathBuf),
    /// Edits in the directory cannot be followed.
    NotFollowed(PathBuf, FollowFault),
    /// A link of the directory leads to this directory of skills outside of it, whose edits are not followed with it.
    Outside(PathBuf, PathBuf),
    /// The directory is not trusted.
    NotTrusted(PathBuf),
    /// The file cannot be written.
    Unwritten(PathBuf, io::Error),
}

impl TrustStore {
    /// Reads the trust file of this user: `trust.json` in `$XDG_CONFIG_HOME/skills`, which is
    /// `~/.config/skills` by default; in `~/Library/Application Support/skills` on macOS, and in
    /// `%APPDATA%\skills` on Windows.
    ///
    /// Never fails: if the file does not exist or is damaged (see [`TrustStore::damage`]), nothing is trusted.
    pub fn of_user() -> Self {
        config().map(|dir| Self::read(dir.join("skills").join("trust.json"))).unwrap_or_default()
    }

    /// Reads a trust file.
    pub fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let (records, damage) = match text(&path) {
            Ok(None) => (Records::default(), None),
            Ok(Some(text)) => match parse(&text) {
                Some(mut records) => {
                    sort(&mut records);
                    (records, None)
                }
                None => (Records::default(), Some("it is not a list of trusted directories".to_owned())),
            },
            Err(damage) => (Records::default(), Some(damage)),
        };
        Self { path: Some(path), records, damage }
    }

    /// Returns the file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the reason why the file could not be read, in which case nothing is trusted.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the trusted directories, sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.records.entries.iter().map(|entry| &**entry)
    }

    /// Returns the directories whose edits keep their trust, sorted by path.
    pub fn followed(&self) -> impl Iterator<Item = &FollowedDirectory> {
        self.records.followed.iter().map(|followed| &**followed)
    }

    /// Returns the followed directories that contain a directory, by real paths.
    pub(crate) fn followed_around<'b>(
        &'b self,
        directory: &'b Path,
    ) -> impl Iterator<Item = &'b Arc<FollowedDirectory>> {
        self.records.followed.iter().filter(|followed| directory.starts_with(&followed.path))
    }

    /// Returns the directories in followed ones whose edits are not followed, sorted by path.
    pub fn excluded(&self) -> impl Iterator<Item = &Path> {
        let followed = &self.records.followed;
        let excluded = self.records.excluded.iter();
        excluded
            .filter(|path| followed.iter().any(|followed| path.starts_with(&followed.path)))
            .map(PathBuf::as_path)
    }

    /// Returns `true` if a directory is in an excluded one of a followed directory, by real paths.
    pub(crate) fn is_excluded(&self, followed: &FollowedDirectory, directory: &Path) -> bool {
        let mut excluded = self.records.excluded.iter();
        excluded.any(|path| path.starts_with(&followed.path) && directory.starts_with(path))
    }

    /// Returns the entries that contain a directory, by real paths.
    pub(crate) fn around<'b>(&'b self, directory: &'b Path) -> impl Iterator<Item = &'b Arc<Entry>> {
        self.records.entries.iter().filter(|entry| directory.starts_with(&entry.path))
    }

    /// Trusts the current skills of a directory, and saves the trust. For a workspace, these are the skills
    /// in `.github/skills`, `.claude/skills`, `.agents/skills` and `skills`; otherwise the directory itself.
    /// Edits of these directories are not followed any more. Returns their real paths.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn trust(&mut self, directory: &Path) -> Result<Vec<PathBuf>, TrustStoreError> {
        self.is_sound()?;
        // The files are hashed before the lock is taken, so that other processes do not wait.
        let mut added = Vec::new();
        for path in places(directory)? {
            if path.to_str().is_none() {
                return Err(TrustStoreError::Path(path));
            }
            let contents = contents(&path).map_err(|unfit| TrustStoreError::Unfit(path.clone(), unfit))?;
            let permissions = permissions(&path);
            added.push(Arc::new(Entry { path, server: None, contents, permissions }));
        }
        let paths: Vec<PathBuf> = added.iter().map(|entry| entry.path.clone()).collect();
        self.change(|records| {
            records.entries.retain(|entry| entry.server.is_some() || !paths.contains(&entry.path));
            records.entries.extend(added);
            records.followed.retain(|followed| !paths.contains(&followed.path));
            for path in &paths {
                if records.followed.iter().any(|followed| path.starts_with(&followed.path)) {
                    records.excluded.push(path.clone());
                }
            }
        })?;
        Ok(paths)
    }

    /// Trusts the skills of a directory that the user writes, and saves the trust. Edits keep it: it is bound to the
    /// directory and its owner, and not to the files. It covers the same directories as [`trust`](Self::trust), and
    /// replaces that trust. Skills that a `skills.lock` names are excluded. Returns the real paths.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn follow(&mut self, directory: &Path) -> Result<Vec<PathBuf>, TrustStoreError> {
        self.is_sound()?;
        let (mut added, mut locked) = (Vec::new(), Vec::new());
        let real_directory = canonical_path(directory, directory)?;
        for path in places(directory)? {
            if path.to_str().is_none() {
                return Err(TrustStoreError::Path(path));
            }
            if !path.starts_with(&real_directory) {
                return Err(TrustStoreError::Outside(directory.to_owned(), path));
            }
            locked.extend(locked_skills(&path));
            let followed = FollowedDirectory::open(path.clone());
            added.push(Arc::new(followed.map_err(|fault| TrustStoreError::NotFollowed(path, fault))?));
        }
        let paths: Vec<PathBuf> = added.iter().map(|followed| followed.path.clone()).collect();
        self.change(|records| {
            records.entries.retain(|entry| entry.server.is_some() || !paths.contains(&entry.path));
            records.followed.retain(|followed| !paths.contains(&followed.path));
            records.followed.extend(added);
            records.excluded.retain(|excluded| !paths.contains(excluded));
            records.excluded.extend(locked.into_iter().filter(|skill| !paths.contains(skill)));
        })?;
        Ok(paths)
    }

    /// Stops following edits in directories of followed ones and everything below, because somebody else writes them, and saves
    /// that. The directories need not exist yet.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn exclude(&mut self, directories: &[PathBuf]) -> Result<(), TrustStoreError> {
        let paths: Vec<PathBuf> = directories.iter().map(|directory| real_path(directory)).collect();
        // Without a followed directory there is nothing to save, and the file need not be writable.
        let is_near = self.followed().any(|followed| {
            paths.iter().any(|path| path.starts_with(&followed.path) || followed.path.starts_with(path))
        });
        if !is_near {
            return Ok(());
        }
        self.change(|records| {
            for path in &paths {
                records.exclude(path);
            }
        })
    }

    /// Forgets that edits of directories are not followed, because the directories are gone, and saves that.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn forget_removed(&mut self, directories: &[PathBuf]) -> Result<(), TrustStoreError> {
        let gone = directories.iter().filter(|directory| directory.symlink_metadata().is_err());
        let gone: Vec<PathBuf> = gone.map(|directory| real_path(directory)).collect();
        if !self.records.excluded.iter().any(|excluded| gone.contains(excluded)) {
            return Ok(());
        }
        self.change(|records| records.excluded.retain(|excluded| !gone.contains(excluded)))
    }

    /// Revokes the trust in a directory and everything below it, even if it no longer exists. In a followed directory, its
    /// edits are not followed any more. Returns the directories that were trusted.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn revoke(&mut self, directory: &Path) -> Result<Vec<PathBuf>, TrustStoreError> {
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let linked: Vec<PathBuf> = places(directory).unwrap_or_default();
        let given = Given { real: real_path(directory), absolute, linked };
        self.remove(directory, |records| {
            let mut gone =
                extract_entries(records, |entry| entry.server.is_none() && given.covers(&entry.path));
            let followed = records.followed.extract_if(.., |followed| given.covers(&followed.path));
            gone.extend(followed.map(|followed| followed.path.clone()));
            if records.exclude(&given.real) {
                gone.push(given.real.clone());
            }
            gone
        })
    }

    /// Returns the files of a skill of a server that the user approved.
    pub fn approved(&self, server: &str, uri: &str) -> Option<&Contents> {
        let key = (Some(server), Path::new(uri));
        let entries = &self.records.entries;
        let at = entries.binary_search_by(|entry| entry.key().cmp(&key)).ok()?;
        let entry = entries.get(at).filter(|entry| entry.path.to_str() == Some(uri))?;
        Some(&entry.contents)
    }

    /// Approves exactly these files of skills of a server, each by the URI of its `SKILL.md`, and saves the
    /// approval.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn approve(
        &mut self,
        server: &str,
        skills: impl IntoIterator<Item = (String, Contents)>,
    ) -> Result<(), TrustStoreError> {
        let added: Vec<Arc<Entry>> = skills
            .into_iter()
            .map(|(uri, contents)| {
                let (path, permissions) = (PathBuf::from(uri), BTreeMap::new());
                Arc::new(Entry { path, server: Some(server.to_owned()), contents, permissions })
            })
            .collect();
        self.change(|records| {
            records
                .entries
                .retain(|old| !added.iter().any(|new| new.server == old.server && new.path == old.path));
            records.entries.extend(added.iter().cloned());
        })
    }

    /// Withdraws all approvals of skills of a server. Returns the URIs of the skills.
    ///
    /// # Errors
    /// [`TrustStoreError`]. Nothing has changed then.
    pub fn revoke_server(&mut self, server: &str) -> Result<Vec<PathBuf>, TrustStoreError> {
        self.remove(Path::new(server), |records| {
            extract_entries(records, |entry| entry.server() == Some(server))
        })
    }

    /// Removes records and returns their paths. `given` is what the user wants to revoke.
    fn remove(
        &mut self,
        given: &Path,
        extract: impl FnOnce(&mut Records) -> Vec<PathBuf>,
    ) -> Result<Vec<PathBuf>, TrustStoreError> {
        let mut gone = Vec::new();
        self.change(|records| gone = extract(records))?;
        gone.dedup();
        if gone.is_empty() { Err(TrustStoreError::NotTrusted(given.to_owned())) } else { Ok(gone) }
    }

    /// Checks that the file could be read, so that a damaged file is not overwritten.
    fn is_sound(&self) -> Result<(), TrustStoreError> {
        match (&self.path, &self.damage) {
            (None, _) => Err(TrustStoreError::NoHome),
            (Some(path), Some(damage)) => Err(TrustStoreError::Damaged(path.clone(), damage.clone())),
            (Some(_), None) => Ok(()),
        }
    }

    /// Changes the current contents of the file under a lock, since another process may have changed it since
    /// it was read.
    fn change(&mut self, change: impl FnOnce(&mut Records)) -> Result<(), TrustStoreError> {
        self.is_sound()?;
        let path = self.path.clone().ok_or(TrustStoreError::NoHome)?;
        let _held = turn(&path).map_err(|error| TrustStoreError::Unwritten(path.clone(), error))?;
        let mut now = Self::read(&path);
        now.is_sound()?;
        let before = now.records.clone();
        change(&mut now.records);
        sort(&mut now.records);
        let is_same = before.followed == now.records.followed
            && before.excluded == now.records.excluded
            && before.entries.len() == now.records.entries.len()
            && before.entries.iter().zip(&now.records.entries).all(|(a, b)| Arc::ptr_eq(a, b));
        if !is_same {
            write_private(&path, &print(&now.records))
                .map_err(|error| TrustStoreError::Unwritten(path.clone(), error))?;
        }
        *self = now;
        Ok(())
    }
}

fn sort(records: &mut Records) {
    records.entries.sort_by(|a, b| a.key().cmp(&b.key()));
    records.followed.sort_by(|a, b| a.path.cmp(&b.path));
    records.excluded.sort();
    records.excluded.dedup();
}

/// Removes the entries for which `is_meant` returns `true`, and returns their paths.
fn extract_entries(records: &mut Records, is_meant: impl Fn(&Entry) -> bool) -> Vec<PathBuf> {
    let entries = records.entries.extract_if(.., |entry| is_meant(entry));
    entries.map(|entry| entry.path.clone()).collect()
}

impl Entry {
    /// Returns the key by which the entries are sorted.
    fn key(&self) -> (Option<&str>, &Path) {
        (self.server.as_deref(), &self.path)
    }

    /// Returns the address of the server, for skills that are not in a directory.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// Returns the real path of the directory, or the URI of a skill of a server.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the digests of its files when it was trusted. The approval of a server has facts in place of paths.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Returns the permissions that its skills requested when it was trusted, as JSON by the names of the skills.
    /// Skills without requests are not included.
    pub fn permissions(&self) -> &BTreeMap<String, String> {
        &self.permissions
    }

    /// Returns the permissions that the skills of the directory request now.
    pub fn current_permissions(&self) -> BTreeMap<String, String> {
        permissions(&self.path)
    }

    /// Returns the directories of the skills that it held when it was trusted.
    pub(crate) fn skills(&self) -> impl Iterator<Item = PathBuf> {
        let files = self.contents.files().map(|(path, _)| self.path.join(path));
        let named = files.filter(|file| file.ends_with("SKILL.md") || file.ends_with("skill.json"));
        named.filter_map(|file| file.parent().map(Path::to_owned))
    }

    /// Compares the directory with its state when it was trusted.
    pub fn status(&self) -> TrustStatus {
        self.compare(|| contents(&self.path))
    }

    /// Compares contents of the directory, or of a copy, with the trusted contents.
    pub(super) fn compare(&self, read: impl FnOnce() -> Result<Contents, Unfit>) -> TrustStatus {
        // It was kept by its real path.
        if let Some(real) = fs::canonicalize(&self.path).ok().filter(|real| *real != self.path) {
            return TrustStatus::Linked(real);
        }
        match read() {
            Ok(found) if found == self.contents => TrustStatus::Same,
            Ok(found) => TrustStatus::Changed(Difference::between(&self.contents, &found)),
            Err(unfit) => TrustStatus::Unknown(unfit),
        }
    }
}

impl fmt::Display for TrustStatus {
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

/// Reads the skills anywhere below a directory, also those in backups and templates, because a program reads them, too.
fn load_all(directory: &Path) -> skills_core::Loaded {
    let mut options = Options { profile: Profile::Disk, ..Options::default() };
    options.read.scope = DirectoryKind::Repository;
    options.read.set_aside = true;
    skills_core::load(directory, "", &options)
}

/// Returns the permissions of the skills anywhere below a directory that list any, as JSON by the names of the skills.
pub fn permissions(directory: &Path) -> BTreeMap<String, String> {
    let loaded = load_all(directory);
    let listed =
        loaded.catalog.skills().iter().filter_map(|skill| {
            Some((skill.facts.name.clone(), skill.facts.permissions.as_ref()?.to_json()))
        });
    listed.collect()
}

/// Returns the MCP servers that skills of mode `mcp` anywhere below a directory name, by the names of the skills.
pub fn tool_servers(directory: &Path) -> BTreeMap<String, String> {
    let loaded = load_all(directory);
    let pinned = loaded.catalog.skills().iter().filter_map(|skill| {
        let pinned = skill.function.as_ref()?.mcp.as_ref()?;
        Some((skill.facts.name.clone(), pinned.server.clone()))
    });
    pinned.collect()
}

/// Computes the digests of a directory. Every file counts, and links are recorded with their targets.
pub(super) fn contents(directory: &Path) -> Result<Contents, Unfit> {
    Contents::read(directory, &Rules::new(Links::Record))
}

/// The paths of a directory whose trust a user revokes.
struct Given {
    real: PathBuf,
    absolute: PathBuf,
    /// The directories of skills that are trusted together with it.
    linked: Vec<PathBuf>,
}

impl Given {
    fn covers(&self, path: &PathBuf) -> bool {
        [&self.real, &self.absolute].iter().any(|above| path.starts_with(above)) || self.linked.contains(path)
    }
}

/// Returns the real paths of the directories of skills that are trusted together with a directory.
fn places(directory: &Path) -> Result<Vec<PathBuf>, TrustStoreError> {
    let real_directory = canonical_path(directory, directory)?;
    let mut places = Vec::new();
    for below in each_directory(&real_directory).into_iter().filter(|below| below.is_dir()) {
        places.push(canonical_path(&below, directory)?);
    }
    let own = real_directory.join(OWN_SKILLS);
    if own.is_dir() && !is_skill(&own) && !is_skill(&real_directory) {
        places.push(canonical_path(&own, directory)?);
    }
    if places.is_empty() {
        places.push(real_directory);
    }
    places.sort();
    places.dedup();
    // Trusting a project without skills is an error, because the user would not notice the mistake.
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    places.retain(|place| !read(place, "", &options, &mut Report::default()).skills.is_empty());
    if places.is_empty() { Err(TrustStoreError::NoSkills(directory.to_owned())) } else { Ok(places) }
}

/// Returns the real paths of the skills in a directory of skills that a `skills.lock` names.
fn locked_skills(directory: &Path) -> Vec<PathBuf> {
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    let skills = read(directory, "", &options, &mut Report::default()).skills;
    let locked = skills.into_iter().filter(|skill| skill.origin.is_some());
    locked.map(|skill| real_path(&directory.join(skill.path))).collect()
}

fn canonical_path(path: &Path, directory: &Path) -> Result<PathBuf, TrustStoreError> {
    fs::canonicalize(path).map_err(|error| TrustStoreError::Unreadable(directory.to_owned(), error))
}

/// Returns `true` if a directory is a skill.
fn is_skill(directory: &Path) -> bool {
    ["SKILL.md", "skill.json"].iter().any(|file| directory.join(file).exists())
}

impl fmt::Display for TrustStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => f.write_str("there is no home directory for the trust file; set XDG_CONFIG_HOME"),
            Self::Damaged(path, damage) => {
                write!(f, "{} cannot be used: {damage}; remove it, and trust again", shown(path))
            }
            Self::NoSkills(path) => write!(f, "{}: there are no skills in it", shown(path)),
            Self::Unreadable(path, error) => write!(f, "{}: {error}", shown(path)),
            Self::Unfit(path, unfit) => write!(f, "{}: {unfit}", shown(path)),
            Self::NotFollowed(path, fault) => write!(f, "{}: {fault}", shown(path)),
            Self::Outside(directory, path) => write!(
                f,
                "{}: a link in it leads to the skills in {}, outside of it; if you write them, run `skills trust \
                 --follow-edits {}`",
                shown(directory),
                shown(path),
                visible(&shell_path(path))
            ),
            Self::Path(path) => write!(f, "{}: the path is not UTF-8", shown(path)),
            Self::NotTrusted(path) => write!(f, "{}: it is not trusted", shown(path)),
            Self::Unwritten(path, error) => write!(f, "{} cannot be written: {error}", shown(path)),
        }
    }
}

impl std::error::Error for TrustStoreError {}
