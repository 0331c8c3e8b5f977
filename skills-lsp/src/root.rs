//! One directory of skills or of projects as it is judged with the editor's texts over it.

use std::path::{Path, PathBuf};

use skills_core::catalog::Catalog;
use skills_core::fix::Judged;
use skills_core::options::Options;
use skills_core::projects::{self, LoadedProjects};
use skills_core::read::{Overlay, SourceTree, read_over};
use skills_core::report::Report;
use skills_core::span::{SourceFile, SourceMap};
use skills_core::{Loaded, config};

use crate::index::Index;

/// A directory, judged.
#[derive(Debug)]
pub struct Root {
    /// Its real path.
    pub(crate) path: PathBuf,
    is_projects: bool,
    options: Options,
    /// What was read of a directory of skills, and what reading found: a keystroke changes one text of it.
    read: Option<(SourceTree, Report)>,
    pub(crate) judged: Verdict,
    pub(crate) index: Index,
}

/// What a directory was judged as.
#[derive(Debug)]
pub(crate) enum Verdict {
    Skills(Loaded),
    Projects(LoadedProjects),
}

impl Judged for Verdict {
    fn report(&self) -> &Report {
        match self {
            Self::Skills(loaded) => loaded.report(),
            Self::Projects(loaded) => loaded.report(),
        }
    }

    fn sources(&self) -> &SourceMap {
        match self {
            Self::Skills(loaded) => loaded.sources(),
            Self::Projects(loaded) => loaded.sources(),
        }
    }
}

impl Root {
    /// Judges a directory; `path` is its real path.
    pub fn new(path: PathBuf, is_projects: bool, over: &Overlay) -> Self {
        let options = config::find(&path, None).options();
        let (read, judged) = judged(&path, is_projects, &options, over);
        Self { path, is_projects, options, read, judged, index: Index::default() }
    }

    /// Judges it again, with other texts over it.
    pub fn update(&mut self, over: &Overlay) {
        (self.read, self.judged) = judged(&self.path, self.is_projects, &self.options, over);
        self.index = Index::default();
    }

    /// Judges it again after one file that lies over the disk has another text.
    pub fn edit(&mut self, path: &Path, over: &Overlay) {
        let below = path.strip_prefix(&self.path).ok().and_then(Path::to_str);
        let below = below.map(|below| below.replace('\\', "/"));
        let text = over.get(path).flatten().and_then(|file| std::str::from_utf8(&file.bytes).ok());
        let is_edited = match (&mut self.read, below, text) {
            (Some((tree, report)), Some(below), Some(text)) => {
                tree.set_text(&below, text, report, &self.options.read)
            }
            _ => false,
        };
        match &self.read {
            Some((tree, report)) if is_edited => {
                let loaded = skills_core::judge(tree.clone(), report.clone(), &self.options);
                self.judged = Verdict::Skills(loaded);
            }
            _ => return self.update(over),
        }
        self.index = Index::default();
    }

    /// Reads the options again, when `skills.toml` has changed.
    pub(crate) fn configure(&mut self) {
        self.options = config::find(&self.path, None).options();
    }

    /// Returns the problems.
    pub fn report(&self) -> &Report {
        self.judged.report()
    }

    /// Returns the texts that the places of the problems lie in.
    pub fn sources(&self) -> &SourceMap {
        self.judged.sources()
    }

    /// Returns a function that judges the directory.
    pub(crate) fn judge(&self) -> impl Fn(&Overlay) -> Verdict {
        |over| judge(&self.path, self.is_projects, &self.options, over)
    }

    /// Returns the skills without errors; none of a directory of projects.
    pub(crate) fn catalog(&self) -> Option<&Catalog> {
        match &self.judged {
            Verdict::Skills(loaded) => Some(&loaded.catalog),
            Verdict::Projects(_) => None,
        }
    }

    /// Finds a text by its path on disk.
    pub(crate) fn file(&self, path: &Path) -> Option<&SourceFile> {
        let below = path.strip_prefix(&self.path).ok()?.to_str()?.replace('\\', "/");
        // A path without a text stands there for its problems.
        let mut files = self.judged.sources().files().iter().filter(|file| file.path == below);
        files.clone().find(|file| !file.text.is_empty()).or_else(|| files.next())
    }

    /// Returns the path on disk of a file.
    pub(crate) fn path_of(&self, file: &SourceFile) -> PathBuf {
        if file.path == "." { self.path.clone() } else { self.path.join(&file.path) }
    }
}

/// Reads and judges a directory, and keeps what was read of skills.
fn judged(
    path: &Path,
    is_projects: bool,
    options: &Options,
    over: &Overlay,
) -> (Option<(SourceTree, Report)>, Verdict) {
    if is_projects {
        return (None, judge(path, is_projects, options, over));
    }
    let mut report = Report::default();
    let tree = read_over(path, "", &options.read, over, &mut report);
    let loaded = skills_core::judge(tree.clone(), report.clone(), options);
    (Some((tree, report)), Verdict::Skills(loaded))
}

fn judge(path: &Path, is_projects: bool, options: &Options, over: &Overlay) -> Verdict {
    match is_projects {
        true => Verdict::Projects(projects::load_over(path, "", options, over, None)),
        false => Verdict::Skills(skills_core::load_over(path, "", options, over)),
    }
}
