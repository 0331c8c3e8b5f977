//! One directory of skills or of projects, checked with the texts of the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lsp_types::Uri;
use skills_core::config::{self, Config};
use skills_core::options::Options;
use skills_core::projects::{self, LoadedProjects};
use skills_core::read::Overlay;
use skills_core::report::Report;
use skills_core::session::Session;
use skills_core::span::{SourceFile, SourceMap};
use skills_report::fix::Checked;
use skills_usage::CommandSet;

use crate::convert::{self, Encoding};
use crate::index::{self, Index, IndexedSkill, Use};
use crate::pages::Pages;
use crate::workspace::real;

/// A checked directory.
#[derive(Debug)]
pub struct Root {
    /// Its real path.
    pub(crate) path: PathBuf,
    is_projects: bool,
    pub(crate) config: Config,
    options: Options,
    pub(crate) checked: CheckedRoot,
    index: Index,
    /// The units of the client's positions.
    pub(crate) encoding: Encoding,
    /// The pages of rules.
    pub(crate) rules: Option<Pages>,
    /// The URIs of the client for its open documents, by their real paths.
    pub(crate) uris: BTreeMap<PathBuf, Uri>,
    stale: Stale,
}

/// The changes since a directory was checked.
#[derive(Debug)]
enum Stale {
    /// Changed texts, by their paths on disk; empty without changes.
    Texts(BTreeSet<PathBuf>),
    /// Files on disk.
    Disk,
}

/// The result of checking a directory.
#[derive(Debug)]
pub(crate) enum CheckedRoot {
    Skills(Box<Session>),
    Projects(LoadedProjects),
}

impl Checked for CheckedRoot {
    fn report(&self) -> &Report {
        match self {
            Self::Skills(session) => session.report(),
            Self::Projects(loaded) => loaded.report(),
        }
    }

    fn sources(&self) -> &SourceMap {
        match self {
            Self::Skills(session) => session.sources(),
            Self::Projects(loaded) => loaded.sources(),
        }
    }
}

impl Root {
    /// Checks a directory; `path` is its real path.
    pub fn new(path: PathBuf, is_projects: bool, over: &Overlay) -> Self {
        let mut config = config::find_over(&path, None, over);
        let options = options(&mut config);
        let checked = check(&path, is_projects, &options, over);
        Self {
            path,
            is_projects,
            config,
            options,
            checked,
            index: Index::default(),
            encoding: Encoding::default(),
            rules: None,
            uris: BTreeMap::new(),
            stale: Stale::none(),
        }
    }

    /// Records a change on disk.
    pub fn touch(&mut self) {
        self.stale = Stale::Disk;
    }

    /// Records a changed text of a file in the overlay.
    pub fn touch_text(&mut self, path: &Path) {
        if let Stale::Texts(texts) = &mut self.stale {
            texts.insert(path.to_owned());
        }
    }

    /// Checks everything that has changed; returns `true` if there was a change.
    pub fn refresh(&mut self, over: &Overlay) -> bool {
        match std::mem::replace(&mut self.stale, Stale::none()) {
            Stale::Texts(texts) if texts.is_empty() => return false,
            Stale::Texts(texts) if self.replace_texts(&texts, over) => {}
            _ => {
                match &mut self.checked {
                    CheckedRoot::Skills(session) => session.read_again(over),
                    CheckedRoot::Projects(_) => {
                        self.checked = check(&self.path, self.is_projects, &self.options, over)
                    }
                }
                self.index = Index::default();
            }
        }
        true
    }

    /// Replaces texts of files that were read; returns `false` if the disk must be read again.
    fn replace_texts(&mut self, texts: &BTreeSet<PathBuf>, over: &Overlay) -> bool {
        let CheckedRoot::Skills(session) = &mut self.checked else { return false };
        let mut changed = Vec::new();
        for path in texts {
            let below = path.strip_prefix(&self.path).ok().and_then(Path::to_str);
            let text = over.get(path).flatten().and_then(|file| std::str::from_utf8(&file.bytes).ok());
            let Some((below, text)) = below.zip(text) else { return false };
            changed.push(below.replace('\\', "/"));
            if !changed.last().is_some_and(|below| session.set_text(below, text)) {
                return false;
            }
        }
        session.check();
        self.index.update(session, &changed);
        true
    }

    /// Reads the options again if `skills.toml`, or a file of commands that it names, has changed.
    pub(crate) fn configure(&mut self, over: &Overlay) {
        self.config = config::find_over(&self.path, None, over);
        self.options = options(&mut self.config);
        if let CheckedRoot::Skills(session) = &mut self.checked {
            session.configure(self.options.clone());
        }
        self.touch();
    }

    /// Returns `true` if the settings name this file of commands.
    pub(crate) fn has_commands(&self, path: &Path) -> bool {
        self.config.command_files().iter().any(|(file, _)| real(file) == path)
    }

    /// Returns the problems.
    pub fn report(&self) -> &Report {
        self.checked.report()
    }

    /// Returns the source texts of the problems.
    pub fn sources(&self) -> &SourceMap {
        self.checked.sources()
    }

    /// Returns a function that checks the directory.
    pub(crate) fn checker(&self) -> impl Fn(&Overlay) -> CheckedRoot {
        |over| check(&self.path, self.is_projects, &self.options, over)
    }

    /// Returns the session of a directory of skills; `None` for one of projects.
    pub(crate) fn session(&self) -> Option<&Session> {
        match &self.checked {
            CheckedRoot::Skills(session) => Some(session),
            CheckedRoot::Projects(_) => None,
        }
    }

    /// Returns the skills; empty for a directory of projects.
    pub(crate) fn skills(&self) -> &[IndexedSkill] {
        self.index.skills.get_or_init(|| self.session().map_or_else(Vec::new, index::skills))
    }

    /// Returns the places that name skills.
    pub(crate) fn uses(&self) -> &[Use] {
        self.index.uses.get_or_init(|| index::uses(self.sources(), self.skills()))
    }

    /// Finds a skill by its name.
    pub(crate) fn find(&self, name: &str) -> Option<&IndexedSkill> {
        self.skills().iter().find(|skill| skill.name == name)
    }

    /// Returns the skill in a directory.
    pub(crate) fn of_dir(&self, dir: &str) -> Option<&IndexedSkill> {
        self.skills().iter().find(|skill| skill.dir == dir)
    }

    /// Finds a text by its path on disk.
    pub(crate) fn file(&self, path: &Path) -> Option<&SourceFile> {
        let below = path.strip_prefix(&self.path).ok()?.to_str()?.replace('\\', "/");
        // There may be a second entry for the path, without a text. Problems of the path refer to it.
        let mut files = self.checked.sources().files().iter().filter(|file| file.path == below);
        files.clone().find(|file| !file.text.is_empty()).or_else(|| files.next())
    }

    /// Returns the URI of the client for a file.
    pub(crate) fn uri_of(&self, file: &SourceFile) -> Uri {
        self.uri(&self.path_of(file))
    }

    /// Returns the URI of the client for the file at a real path.
    pub(crate) fn uri(&self, path: &Path) -> Uri {
        self.uris.get(path).cloned().unwrap_or_else(|| convert::uri(path))
    }

    /// Returns the real path of an existing file below the root. Files outside are not read.
    pub(crate) fn inside(&self, place: &Path) -> Option<PathBuf> {
        let target = self.path.join(place).canonicalize().ok()?;
        (target.starts_with(&self.path) && target.is_file()).then_some(target)
    }

    /// Returns the path on disk of a file.
    pub(crate) fn path_of(&self, file: &SourceFile) -> PathBuf {
        if file.path == "." { self.path.clone() } else { self.path.join(&file.path) }
    }
}

/// Returns the directory of a file below the root.
pub(crate) fn dir_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(dir, _)| dir)
}

impl Stale {
    fn none() -> Self {
        Self::Texts(BTreeSet::new())
    }
}

/// Returns the options of the command `check`, which also reads the files in `evals`.
fn options(config: &mut Config) -> Options {
    let mut options = config.options();
    options.read.evals = Some(skills_report::evals::CHECK);
    options.texts = CommandSet::configured(config);
    options
}

fn check(path: &Path, is_projects: bool, options: &Options, over: &Overlay) -> CheckedRoot {
    match is_projects {
        true => CheckedRoot::Projects(projects::load_over(path, "", options, over, None)),
        false => CheckedRoot::Skills(Box::new(Session::new(path, "", options.clone(), over))),
    }
}
