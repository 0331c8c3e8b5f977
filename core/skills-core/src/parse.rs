//! Parses a [`SourceTree`] into [`Parsed`]: the frontmatter, `skill.json` and `agents/openai.yaml` of each skill have trees
//! with spans; nothing is checked yet.
//!
//! AFTER THIS POINT: these files are not parsed again. `check` parses the body, schemas, examples and files in `evals` when
//! it reaches them.

pub use crate::frontmatter::{Dialect, Frontmatter, SkillDocument};

use crate::catalog::Mode;
use crate::frontmatter;
use crate::known::{FUNCTION_KEYS, manifest_keys};
use crate::levels::Profile;
use crate::read::{Content, OPENAI, SkillDir, SourceTree};
use crate::report::Report;
use crate::rule::manifest as rules;
use crate::span::{FileId, SourceFile, SourceMap, Span};
use crate::tree::{Node, json, yaml};

/// A directory of skills, parsed.
#[derive(Debug, Default)]
pub struct Parsed {
    /// All texts.
    pub sources: SourceMap,
    /// The skills, in the order of the tree.
    pub skills: Vec<ParsedSkill>,
    /// Paths below the root of files that do not belong to a skill, sorted.
    pub others: Vec<String>,
}

/// One skill directory, parsed.
#[derive(Debug, Default)]
pub struct ParsedSkill {
    /// The directory.
    pub dir: SkillDir,
    /// `SKILL.md`, if there is one that could be split.
    pub document: Option<SkillDocument>,
    /// `skill.json`, if there is one that could be parsed.
    pub manifest: Option<Manifest>,
    /// A `skill.json` that belongs to another system, kept as a plain file.
    pub foreign: Option<Manifest>,
    /// `prompt.md`, if there is one.
    pub prompt: Option<FileId>,
    /// `agents/openai.yaml`, if there is one.
    pub openai: Option<OpenAi>,
}

/// An `agents/openai.yaml`, parsed.
#[derive(Debug)]
pub struct OpenAi {
    /// Its tree, always a map.
    pub tree: Node,
    /// Whether the tree is complete.
    pub sound: bool,
    /// The place of the first fault.
    pub fault: Span,
}

/// A `skill.json`, parsed.
#[derive(Debug)]
pub struct Manifest {
    /// The file.
    pub file: FileId,
    /// Its tree.
    pub tree: Node,
}

/// Parses these files of all skills, and reports syntax errors.
///
/// ```
/// use skills_core::levels::Profile;
/// use skills_core::report::Report;
/// use skills_core::{parse::parse, read::SourceTree};
///
/// let mut report = Report::default();
/// assert!(parse(SourceTree::default(), Profile::Bundle, &mut report).skills.is_empty());
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn parse(tree: SourceTree, profile: Profile, report: &mut Report) -> Parsed {
    let SourceTree { mut sources, skills, others, .. } = tree;
    let skills = skills.into_iter().enumerate();
    let skills = skills.map(|(at, dir)| parse_skill(at, dir, &mut sources, profile, report)).collect();
    Parsed { sources, skills, others }
}

/// Parses the files of the skill with the number `at`.
pub(crate) fn parse_skill(
    at: usize,
    mut dir: SkillDir,
    sources: &mut SourceMap,
    profile: Profile,
    report: &mut Report,
) -> ParsedSkill {
    let text = dir.text("SKILL.md");
    let document = text.map(|file| frontmatter::split(file, sources, report));
    take_up_schema(at, &mut dir, document.as_ref(), sources);
    // The standard does not define a `skill.json` (SPEC 2.6).
    let manifest = dir.text("skill.json").filter(|_| profile != Profile::Standard);
    let mut found = Report::default();
    let manifest = manifest
        .and_then(|file| json::parse(sources.file(file), &mut found).map(|tree| Manifest { file, tree }));
    let is_alone = dir.file("SKILL.md").is_none();
    let is_foreign = manifest.as_ref().is_some_and(|manifest| {
        manifest.is_foreign() && (document.is_some() || is_alone && manifest.has_only_foreign_keys())
    });
    match manifest.as_ref().filter(|_| is_foreign) {
        Some(manifest) => {
            let frontmatter = document.as_ref().map(|document| document.frontmatter.is_some());
            report_foreign(manifest, frontmatter, report);
        }
        None => report.diagnostics.append(&mut found.diagnostics),
    }
    let (manifest, foreign) = if is_foreign { (None, manifest) } else { (manifest, None) };
    let prompt = dir.text("prompt.md");
    let openai = match add_source(&mut dir, OPENAI, at, sources) {
        Some(file) => Some(openai(sources.file(file))),
        // If the file is not UTF-8, problems are reported at the start of the skill.
        None => dir.file(OPENAI).map(|_| unread(text.or_else(|| dir.text("skill.json")), sources)),
    };
    ParsedSkill { dir, document, manifest, foreign, prompt, openai }
}

impl ParsedSkill {
    /// Returns `true` if the directory has only a `skill.json` of another system, so it is not a skill.
    pub(crate) fn is_foreign(&self) -> bool {
        self.document.is_none() && self.foreign.is_some()
    }

    /// Returns the place of the text that an `llm` skill sends: `prompt.md`, or else the body of `SKILL.md`.
    pub(crate) fn prompt_span(&self, sources: &SourceMap) -> Option<Span> {
        let Some(file) = self.prompt.map(|file| sources.file(file)) else {
            return self.document.as_ref().map(|document| document.body);
        };
        Some(file.span(file.unmarked()))
    }
}

impl Manifest {
    /// Returns `true` if a `skill.json` belongs to another system: it is an object with neither a known mode
    /// nor two schemas.
    fn is_foreign(&self) -> bool {
        let mode = self.tree.get("mode").and_then(Node::as_string);
        let is_ours = mode.is_some_and(|mode| mode.parse::<Mode>().is_ok())
            || ["input", "output"].iter().all(|key| self.tree.get(key).is_some_and(is_schema));
        self.tree.as_map().is_some() && !is_ours
    }

    /// Returns `true` if a `skill.json` has a key of another system, and no key (even misspelled) that only a
    /// function has.
    fn has_only_foreign_keys(&self) -> bool {
        let entries = self.tree.as_map().unwrap_or_default();
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        keys.iter().any(|key| !manifest_keys().any(|known| known == *key))
            && !keys
                .iter()
                .any(|key| FUNCTION_KEYS.contains(key) || skills_text::nearest(key, FUNCTION_KEYS).is_some())
    }
}

/// Returns `true` if a value looks like a JSON Schema: a boolean, or an object that is empty or has a usual
/// keyword.
fn is_schema(node: &Node) -> bool {
    const KEYWORDS: [&str; 10] =
        ["type", "properties", "required", "items", "$ref", "$defs", "allOf", "anyOf", "oneOf", "enum"];
    match node.as_map() {
        Some(entries) => entries.is_empty() || KEYWORDS.iter().any(|key| node.get(key).is_some()),
        None => node.truth().is_some(),
    }
}

/// Reports a file of another system. `frontmatter` says whether the `SKILL.md` beside it has one; `None` if
/// there is no `SKILL.md`.
fn report_foreign(manifest: &Manifest, frontmatter: Option<bool>, report: &mut Report) {
    let label = match frontmatter {
        Some(_) => {
            "has no `mode` and no schemas as `input` and `output`, so only `SKILL.md` defines the skill"
        }
        None => "has no `mode` and no schemas as `input` and `output`, so this directory is not a skill",
    };
    let help = match frontmatter {
        Some(true) | None => "ignore this if it is intended; add the three keys to make the skill a function",
        Some(false) => {
            "begin `SKILL.md` with a frontmatter that has `name` and `description`: clients read them only there, and do \
             not load a skill without them"
        }
    };
    rules::MANIFEST_FOREIGN
        .report_at(manifest.tree.span.head(), "this `skill.json` belongs to another system")
        .label(label)
        .help(help)
        .add_to(report);
}

fn unread(file: Option<FileId>, sources: &SourceMap) -> OpenAi {
    let fault = file.map_or_else(Span::default, |file| sources.file(file).span(0..0));
    OpenAi { tree: Node::empty(fault), sound: false, fault }
}

fn openai(source: &SourceFile) -> OpenAi {
    // Faults of this file are not reported one by one, but as one restriction that cannot be read.
    let mut faults = Report::default();
    let range = source.unmarked();
    let start = source.span(range.start..range.start);
    let is_empty = source.text[range.clone()]
        .lines()
        .all(|line| line.trim().is_empty() || line.starts_with('#') || line.starts_with("---"));
    if is_empty {
        return OpenAi { tree: Node::empty(start), sound: true, fault: start };
    }
    let (tree, sound) = yaml::parse(source, range, &mut faults);
    let fault = faults.diagnostics.first().map_or(start, |fault| fault.span);
    OpenAi { tree, sound: sound && faults.diagnostics.is_empty(), fault }
}

/// Adds the schema file of a skill to the texts, so that problems in it have line numbers.
fn take_up_schema(at: usize, dir: &mut SkillDir, document: Option<&SkillDocument>, sources: &mut SourceMap) {
    let schema = document.and_then(|document| document.frontmatter.as_ref()?.tree.get("schema")?.as_scalar());
    if let Some(schema) = schema {
        add_source(dir, schema.text.trim().trim_start_matches("./"), at, sources);
    }
}

/// Adds a file of the skill with the number `at` to the texts and returns it; `None` if the file does not
/// exist, was not read, or is not UTF-8.
pub(crate) fn add_source(
    dir: &mut SkillDir,
    path: &str,
    at: usize,
    sources: &mut SourceMap,
) -> Option<FileId> {
    let whole = dir.below(path);
    let file = dir.files.iter_mut().find(|file| file.path == path)?;
    if let Content::Text(id) = file.content {
        return Some(id);
    }
    let Content::Bytes(bytes) = &mut file.content else { return None };
    match String::from_utf8(std::mem::take(bytes)) {
        Ok(text) => {
            let id = sources.add(whole, text, Some(at));
            file.content = Content::Text(id);
            Some(id)
        }
        Err(error) => {
            *bytes = error.into_bytes();
            None
        }
    }
}
