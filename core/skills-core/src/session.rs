//! A directory that is checked repeatedly while its texts change, for editors.
//!
//! It runs the same stages as [`load`](crate::load). The results of checking a skill by itself are kept until
//! one of its texts changes; the checks across skills run again on these results.

use std::path::{Path, PathBuf};

use skills_schema::{Document, Part};
use skills_text::{has_crlf_shebang, path_below};

use crate::check::{self, Draft, allowed, calls::Names, links, schema, surroundings::Surroundings, template};
use crate::diagnostic::Diagnostic;
use crate::levels::Profile;
use crate::options::Options;
use crate::parse::{ParsedSkill, parse_skill};
use crate::read::{self, Content, Overlay, SkillDir, SourceTree};
use crate::report::Report;
use crate::rule::{files, lints};
use crate::span::{FileId, SourceMap, Span};

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
    drafts: Vec<Draft>,
    kept: Vec<Kept>,
    /// The skills whose texts have changed since they were checked.
    stale: Vec<usize>,
    /// Places created for the checks across skills.
    places: Vec<FileId>,
    report: Report,
}

/// The results for one skill until its texts change.
#[derive(Debug, Default)]
struct Kept {
    /// How often it was checked.
    times: u64,
    alone: Vec<Diagnostic>,
    allows: Vec<(String, Span)>,
    /// The problems of its prompt and its pipeline, and the skills they depend on.
    flow: Vec<Diagnostic>,
    called: Option<Vec<Called>>,
}

/// A skill that a step names, and how often it had been checked; `None` if no skill has the name.
type Called = Option<(usize, u64)>;

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
            drafts: Vec::with_capacity(skills.len()),
            kept: Vec::with_capacity(skills.len()),
            stale: Vec::new(),
            places: Vec::new(),
            report: Report::default(),
        };
        for (at, dir) in skills.into_iter().enumerate() {
            let (draft, kept) = session.check_skill(at, dir, 0);
            session.drafts.push(draft);
            session.kept.push(kept);
        }
        session.link(0..session.drafts.len());
        session.judge();
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

    /// Replaces the text of a file, given by its path below the root; call [`judge`](Self::judge) to check
    /// it.
    ///
    /// Returns `false` and changes nothing if the disk must be read again: because the file does not exist or
    /// is not a text, or because the new text may be too large or contain a key.
    pub fn put(&mut self, path: &str, text: &str) -> bool {
        self.exchange(path, text).is_some()
    }

    fn exchange(&mut self, path: &str, text: &str) -> Option<()> {
        let place = |draft: &Draft| path_below(path, &draft.skill.dir.path).map(str::to_owned);
        let found = self.drafts.iter().enumerate().filter_map(|(at, draft)| Some((at, place(draft)?)));
        let (at, below) = found.min_by_key(|(_, below)| below.len()).filter(|_| self.is_fixed)?;
        let files = &self.drafts.get(at)?.skill.dir.files;
        let file = files.binary_search_by(|file| file.path.as_str().cmp(&below)).ok()?;
        if !self.fits(at, file, text) || read::holds_key(&below, text.as_bytes()) {
            return None;
        }
        let file = self.drafts.get_mut(at)?.skill.dir.files.get_mut(file)?;
        match &mut file.content {
            Content::Text(id) => self.sources.replace(*id, text).then_some(())?,
            // A file that should be text but is not was reported when it was read.
            Content::Bytes(bytes) if !read::is_text(&below) => *bytes = text.as_bytes().to_vec(),
            Content::Bytes(_) | Content::Unread => return None,
        }
        file.executable = file.mode_executable || text.starts_with("#!");
        file.crlf_shebang = has_crlf_shebang(text.as_bytes());
        if !self.stale.contains(&at) {
            self.stale.push(at);
        }
        Some(())
    }

    /// Returns `true` if all limits are satisfied with a new text for a file.
    fn fits(&self, skill: usize, file: usize, text: &str) -> bool {
        let size = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let (mut own, mut all) = (0_u64, 0_u64);
        for (at, draft) in self.drafts.iter().enumerate() {
            for (nth, known) in draft.skill.dir.files.iter().enumerate() {
                let is_new = at == skill && nth == file;
                let length = size(if is_new { text.len() } else { known.bytes(&self.sources).len() });
                all = all.saturating_add(length);
                own = own.saturating_add(if at == skill { length } else { 0 });
            }
        }
        let read = &self.options.read;
        size(text.len()) <= read.file_cap && own <= read.skill_cap && all <= read.bundle_cap
    }

    /// Checks everything that has changed.
    pub fn judge(&mut self) {
        let mut stale = std::mem::take(&mut self.stale);
        stale.retain(|at| *at < self.drafts.len());
        for &at in &stale {
            let dir = std::mem::take(&mut self.drafts[at].skill.dir);
            let times = self.kept[at].times + 1;
            let dir = self.as_read(dir);
            (self.drafts[at], self.kept[at]) = self.check_skill(at, dir, times);
        }
        self.link(stale);
        for id in std::mem::take(&mut self.places) {
            self.sources.free(id);
        }
        self.report = self.read.clone();
        check::check_bundle(&self.drafts, &self.options, &mut self.sources, &mut self.report);
        let budgets =
            self.report.diagnostics.iter().filter(|found| found.rule.code == lints::CATALOG_BUDGET.code);
        self.places = budgets.map(|found| self.sources.id_of(found.span)).collect();
        self.flow();
        for kept in &self.kept {
            self.report.diagnostics.extend(kept.alone.iter().chain(&kept.flow).cloned());
        }
        for (at, kept) in self.kept.iter().enumerate() {
            allowed::apply(at, &kept.allows, &self.sources, &mut self.report);
        }
        check::settle(&self.options, &self.sources, &mut self.report);
    }

    /// Checks a skill by itself.
    fn check_skill(&mut self, at: usize, dir: SkillDir, times: u64) -> (Draft, Kept) {
        let mut report = Report::default();
        let skill = parse_skill(at, dir, &mut self.sources, self.options.profile, &mut report);
        let draft = check::check_skill(at, skill, &mut self.sources, &self.options, &mut report);
        let allows = allowed::named(&draft, &self.sources);
        (draft, Kept { times, alone: report.diagnostics, allows, ..Kept::default() })
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

    /// Checks the links of skills; the set of files does not change while texts do.
    fn link(&mut self, skills: impl IntoIterator<Item = usize>) {
        let mut skills = skills.into_iter().peekable();
        if self.options.profile == Profile::Standard || skills.peek().is_none() {
            return;
        }
        let around = Surroundings::new(&self.drafts, &self.others, self.options.read.scope);
        for at in skills {
            let mut report = Report::default();
            links::check(&self.drafts[at], &around, &self.sources, &mut report);
            self.kept[at].alone.append(&mut report.diagnostics);
        }
    }

    /// Checks prompts and pipelines if they, or a skill that they call, have changed.
    fn flow(&mut self) {
        if self.options.profile == Profile::Standard {
            return;
        }
        let names = Names::new(&self.drafts);
        for (at, draft) in self.drafts.iter().enumerate() {
            let called: Vec<Called> = draft
                .called()
                .map(|name| names.find(name).map(|other| (other, self.kept[other].times)))
                .collect();
            if self.kept[at].called.as_ref() == Some(&called) {
                continue;
            }
            let mut report = Report::default();
            template::check(
                draft,
                &|name| names.find(name).map(|at| &self.drafts[at]),
                &self.sources,
                &mut report,
            );
            let kept = &mut self.kept[at];
            (kept.flow, kept.called) = (report.diagnostics, Some(called));
        }
    }

    /// Returns the places where the `skill.json` of a directory names a step: its own name, the `depends` of
    /// other steps, and templates that read it.
    pub fn step(&self, dir: &str, name: &str) -> Vec<Span> {
        self.draft(dir).map_or_else(Vec::new, |draft| template::named(draft, name, &self.sources))
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
        self.drafts.iter().find_map(|draft| schema::lookup::reference(draft, path, offset, &self.sources))
    }

    fn draft(&self, dir: &str) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.skill.dir.path == dir)
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
        self.drafts.iter().map(|draft| (draft.name.as_str(), &draft.skill))
    }
}

/// Returns the path below the root of the link or mention at an offset of a text, whether the file exists or
/// not; the text is from a file of `dir`.
///
/// ```
/// use skills_core::session::link;
/// assert_eq!(link("see [a](<b c.md#d>)", "pdf", 10).as_deref(), Some("pdf/b c.md"));
/// ```
pub fn link(text: &str, dir: &str, offset: usize) -> Option<String> {
    links::target(text, dir, offset)
}

/// Returns `true` if a limit excluded some files.
fn is_full(report: &Report) -> bool {
    let caps = [&files::FILE_TOO_LARGE, &files::SKILL_TOO_LARGE, &files::BUNDLE_TOO_LARGE];
    report.diagnostics.iter().any(|found| caps.iter().any(|cap| cap.code == found.rule.code))
}
