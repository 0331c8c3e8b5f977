//! A directory that is checked repeatedly while its texts change, for editors.
//!
//! It runs the same stages as [`load`](crate::load). The results of checking a skill by itself are kept until
//! one of its texts changes; the checks across skills run again on these results.

use std::path::{Path, PathBuf};

use skills_schema::{Document, Part};
use skills_text::{has_crlf_shebang, path_below};

pub use crate::check::template::paths::TemplatePath;
use crate::check::{CheckedSkills, SkillDraft, schema, template};
use crate::link_paths;
use crate::options::Options;
use crate::parse::{ParsedSkill, parse_skill};
use crate::read::{self, Content, Overlay, SkillDir, SourceTree};
use crate::report::Report;
use crate::rule::files;
use crate::span::{SourceMap, Span};

/// A checked directory of skills whose texts can be replaced.
#[derive(Debug)]
pub struct Session {
    root: PathBuf,
    label: String,
    options: Options,
    sources: SourceMap,
    /// The problems found by reading.
    read: Report,
    others: Vec<String>,
    /// Whether a text can be replaced without reading the disk.
    is_fixed: bool,
    checked: CheckedSkills,
    /// The skills whose texts have changed since they were checked.
    stale: Vec<usize>,
    report: Report,
}

impl Session {
    /// Reads and checks a directory, as [`load_over`](crate::load_over) does.
    ///
    /// ```
    /// use skills_core::session::Session;
    /// let session = Session::new("no/such".as_ref(), "no/such", Default::default(), &Default::default());
    /// assert_eq!(session.report().errors(), 1);
    /// ```
    pub fn new(root: &Path, label: &str, options: Options, over: &Overlay) -> Self {
        let mut report = Report::default();
        let sources = SourceMap::roomy(label);
        let tree = read::read_into(sources, root, label, &options.read, over, &mut report);
        let SourceTree { sources, skills, others, has_links, .. } = tree;
        let mut session = Self {
            root: root.to_owned(),
            label: label.to_owned(),
            is_fixed: !has_links && options.read.contents && sources.is_distinct() && !is_full(&report),
            options,
            sources,
            read: report,
            others,
            checked: CheckedSkills::default(),
            stale: Vec::new(),
            report: Report::default(),
        };
        for (at, dir) in skills.into_iter().enumerate() {
            session.check_skill(at, dir);
        }
        session.check();
        session
    }

    /// Sets other options for the next time the directory is read.
    pub fn configure(&mut self, options: Options) {
        self.options = options;
    }

    /// Reads the whole directory again.
    pub fn read_again(&mut self, over: &Overlay) {
        let options = self.options.clone();
        let (root, label) = (std::mem::take(&mut self.root), std::mem::take(&mut self.label));
        *self = Self::new(&root, &label, options, over);
    }

    /// Replaces the text of a file, given by its path below the root; call [`check`](Self::check) to check
    /// it.
    ///
    /// Returns `false` and changes nothing if the disk must be read again, because the file does not exist or
    /// is not a text, or because the new text may be too large or may contain a key.
    pub fn set_text(&mut self, path: &str, text: &str) -> bool {
        self.exchange(path, text).is_some()
    }

    fn exchange(&mut self, path: &str, text: &str) -> Option<()> {
        if !self.is_fixed {
            return None;
        }
        let drafts = self.checked.drafts.iter().enumerate();
        let found = drafts.filter_map(|(at, draft)| Some((at, path_below(path, &draft.skill.dir.path)?)));
        let (at, below) = found.min_by_key(|(_, below)| below.len())?;
        let dir = &self.checked.drafts.get(at)?.skill.dir;
        if let Some(id) = dir.evals.iter().copied().find(|id| self.sources.file(*id).path == path) {
            let is_small =
                u64::try_from(text.len()).is_ok_and(|length| length <= self.options.read.largest_file());
            (is_small && self.sources.replace(id, text)).then_some(())?;
            self.mark_stale(at);
            return Some(());
        }
        let files = &dir.files;
        let file = files.binary_search_by(|file| file.path.as_str().cmp(below)).ok()?;
        if !self.fits(at, file, text) || read::holds_key(below, text.as_bytes()) {
            return None;
        }
        let file = self.checked.drafts.get_mut(at)?.skill.dir.files.get_mut(file)?;
        match &mut file.content {
            Content::Text(id) => self.sources.replace(*id, text).then_some(())?,
            // If a file should be text but is not, this was reported when it was read.
            Content::Bytes(bytes) if !read::is_text(below) => *bytes = text.as_bytes().to_vec(),
            Content::Bytes(_) | Content::Unread => return None,
        }
        file.executable = file.mode_executable || text.starts_with("#!");
        file.crlf_shebang = has_crlf_shebang(text.as_bytes());
        self.mark_stale(at);
        Some(())
    }

    fn mark_stale(&mut self, at: usize) {
        if !self.stale.contains(&at) {
            self.stale.push(at);
        }
    }

    /// Returns `true` if all limits are satisfied with a new text for a file.
    fn fits(&self, skill: usize, file: usize, text: &str) -> bool {
        let (mut own, mut all) = (0_usize, 0_usize);
        for (at, draft) in self.checked.drafts.iter().enumerate() {
            for (nth, known) in draft.skill.dir.files.iter().enumerate() {
                let is_new = at == skill && nth == file;
                let length = if is_new { text.len() } else { known.bytes(&self.sources).len() };
                all = all.saturating_add(length);
                own = own.saturating_add(if at == skill { length } else { 0 });
            }
        }
        let read = &self.options.read;
        let limits = [read.largest_file(), read.largest_skill(), read.largest_bundle()];
        [text.len(), own, all]
            .into_iter()
            .zip(limits)
            .all(|(length, limit)| u64::try_from(length).is_ok_and(|length| length <= limit))
    }

    /// Checks everything that has changed.
    pub fn check(&mut self) {
        for at in std::mem::take(&mut self.stale) {
            let Some(draft) = self.checked.drafts.get_mut(at) else { continue };
            let dir = std::mem::take(&mut draft.skill.dir);
            let dir = self.as_read(dir);
            self.check_skill(at, dir);
        }
        self.report = self.read.clone();
        let Self { checked, others, options, sources, report, .. } = self;
        checked.report(others, options, sources, report, true);
    }

    /// Parses a skill and checks it by itself.
    fn check_skill(&mut self, at: usize, dir: SkillDir) {
        let mut found = Report::default();
        let skill = parse_skill(at, dir, &mut self.sources, self.options.profile, &mut found);
        self.checked.check(at, skill, &mut self.sources, &self.options, found);
    }

    /// Removes the texts that were added while a skill was checked, because its new texts may refer to
    /// others.
    fn as_read(&mut self, mut dir: SkillDir) -> SkillDir {
        for file in dir.files.iter_mut().filter(|file| !read::is_text(&file.path)) {
            if let Content::Text(id) = file.content {
                file.content = Content::Bytes(self.sources.free(id).into_bytes());
            }
        }
        dir
    }

    /// Returns the places where the `skill.json` of a directory names a step: its own name, the `depends` of
    /// other steps, and templates that read it.
    pub fn step(&self, dir: &str, name: &str) -> Vec<Span> {
        self.draft(dir).map_or_else(Vec::new, |draft| template::named(draft, name, &self.sources))
    }

    /// Returns the paths that the prompt and the pipeline of the skill in a directory read.
    pub fn template_paths(&self, dir: &str) -> Vec<TemplatePath> {
        self.draft(dir).map_or_else(Vec::new, |draft| template::paths::paths(draft, &self.sources))
    }

    /// Returns the first template of the skill in a directory that contains a name and cannot be parsed completely,
    /// with the reason. [`template_paths`](Self::template_paths) and [`step`](Self::step) leave out parts of it.
    pub fn unread_template(&self, dir: &str, name: &str) -> Option<(Span, String)> {
        template::paths::unread_template(self.draft(dir)?, name, &self.sources)
    }

    /// Returns the first part of the `skill.json` in a directory that contains all of some names and is not read,
    /// because its key is unknown or its value has the wrong type, with the reason.
    pub fn unread_part(&self, dir: &str, names: &[&str]) -> Option<(Span, String)> {
        template::paths::unread_part(self.draft(dir)?, names, &self.sources)
    }

    /// Returns the tier (SPEC 4) of the skill in a directory: 2 and 3 have a program.
    pub fn tier(&self, dir: &str) -> u8 {
        self.draft(dir).map_or(0, |draft| draft.tier)
    }

    /// Returns the schema under `input` or `output` in the `skill.json` of a directory.
    pub fn schema(&self, dir: &str, key: &str) -> Option<Part<'_>> {
        schema::lookup::schema(self.draft(dir)?, key)
    }

    /// Reads an unsaved text as a schema of the skill in a directory.
    pub fn read_schema(&self, dir: &str, text: &str) -> Option<Document> {
        Some(schema::lookup::read(self.draft(dir)?, text, self.options.formats, &self.sources))
    }

    /// Returns the place of a part of a [`schema`](Self::schema) of the skill in a directory.
    pub fn place(&self, dir: &str, part: Part<'_>) -> Option<Span> {
        schema::lookup::place(self.draft(dir)?, part, &self.sources)
    }

    /// Returns the target of the `$ref` whose value is at an offset of a file, given by its path below the
    /// root.
    pub fn reference(&self, path: &str, offset: usize) -> Option<Span> {
        self.checked
            .drafts
            .iter()
            .find_map(|draft| schema::lookup::reference(draft, path, offset, &self.sources))
    }

    fn draft(&self, dir: &str) -> Option<&SkillDraft> {
        self.checked.drafts.iter().find(|draft| draft.skill.dir.path == dir)
    }

    /// Returns the problems of the directory.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the texts of the places in the report.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the parsed skills, each with its effective name, in the order of their paths.
    pub fn skills(&self) -> impl Iterator<Item = (&str, &ParsedSkill)> {
        self.checked.drafts.iter().map(|draft| (draft.name.as_str(), &draft.skill))
    }
}

/// Returns `true` if a text contains a name as a whole word, or an escape of JSON that may hide it.
///
/// ```
/// use skills_core::session::mentions;
/// assert!(mentions("{{input.topic", "topic") && !mentions("topics", "topic"));
/// ```
pub fn mentions(text: &str, name: &str) -> bool {
    template::paths::mentions(text, name)
}

/// Returns the path below the root of the link or mention at an offset of a text, whether the file exists or
/// not; the text is from a file of `dir`.
///
/// ```
/// use skills_core::session::link;
/// assert_eq!(link("see [a](<b c.md#d>)", "pdf", 10).as_deref(), Some("pdf/b c.md"));
/// ```
pub fn link(text: &str, dir: &str, offset: usize) -> Option<String> {
    let mut links = link_paths::named_paths(text, dir).into_iter();
    links.find(|(at, _)| at.start <= offset && offset <= at.end).map(|(_, path)| path)
}

/// Returns all links and mentions of a text, each with its path below the root, as [`link`] does.
pub fn links(text: &str, dir: &str) -> Vec<(std::ops::Range<usize>, String)> {
    link_paths::named_paths(text, dir)
}

/// Returns `true` if a limit excluded some files.
fn is_full(report: &Report) -> bool {
    let caps = [&files::FILE_TOO_LARGE, &files::SKILL_TOO_LARGE, &files::BUNDLE_TOO_LARGE];
    report.diagnostics.iter().any(|found| caps.iter().any(|cap| cap.code == found.rule.code))
}
