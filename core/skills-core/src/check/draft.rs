//! One skill between the passes, which is its parsed files and the results of the passes so far, and the context of a pass.

use skills_registry::{Backend, PinnedTool};
use skills_schema::lower::Lowered;
use skills_template::ParsedTemplate;
use skills_text::{Places, unmarked, yaml_text};

use super::pipeline::{DraftStep, DraftSteps};
use super::templated::Templated;
use crate::catalog::{Declared, Mode, Permissions, ServerFacts};
use crate::parse::{Dialect, Frontmatter, ParsedSkill};
use crate::tree::{MapEntry, Node, text::quote};
use crate::{Change, Fix, Options, Report, SourceFile, SourceMap, Span, Spanned, known, markdown};

/// The context of a pass: the texts, the options, and the report to which it adds.
pub(super) struct Check<'c> {
    pub(super) sources: &'c SourceMap,
    pub(super) options: &'c Options,
    pub(super) report: &'c mut Report,
}

/// A parsed skill, and what the passes have filled in so far; `passes.rs` says which pass fills in which part.
#[derive(Debug, Default)]
pub(crate) struct SkillDraft {
    /// The parsed files.
    pub(crate) skill: ParsedSkill,
    /// The place for diagnostics about missing parts: the first line of `SKILL.md`, or else of `skill.json`.
    pub(super) head: Span,
    /// The rules that the skill allows, each with its place.
    pub(super) allowed: Vec<(String, Span)>,
    /// The frontmatter, read.
    pub(super) fields: Fields,
    /// The `skill.json`, read.
    pub(super) typed: Option<Typed>,
    /// The effective name.
    pub(crate) name: String,
    /// The tier.
    pub(crate) tier: u8,
    /// The file that `exec` names, as a path below the skill.
    pub(super) program_path: Option<String>,
    /// The file that `schema` names, as a path below the skill.
    pub(super) schema_path: Option<String>,
    /// The lowered schema file.
    pub(super) schema_lowered: Option<Lowered>,
    /// The prompt of an `llm` skill, parsed.
    pub(super) prompt: Option<Spanned<ParsedTemplate>>,
    /// Whether values that only Claude's clients read are checked.
    pub(super) is_for_claude: bool,
    /// A hash of `SKILL.md` and `skill.json`, if their texts are no longer in memory for a comparison.
    pub(super) fingerprint: Option<u64>,
}

/// The values of the frontmatter. A value of the wrong type was reported and is absent here.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) name: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) exec: Option<Spanned<String>>,
    pub(super) schema: Option<Spanned<String>>,
    pub(super) category: Option<Spanned<String>>,
    pub(super) timeout: Option<Spanned<u64>>,
    /// The text of an invalid time limit, which was reported.
    pub(super) invalid_timeout: Option<String>,
    pub(super) requires: Vec<Spanned<String>>,
    pub(super) tags: Vec<Spanned<String>>,
    /// The fields that no other pass reads.
    pub(super) declared: Declared,
    pub(super) permissions: Option<Spanned<Permissions>>,
    pub(super) mcp_servers: Vec<ServerFacts>,
    /// The names of these servers, for finding duplicates.
    pub(super) mcp_names: Places,
    /// Whether there are permissions that cannot be read; the program may then do nothing.
    pub(super) is_confined: bool,
    pub(super) hidden_from_model: bool,
    pub(super) hidden_from_users: bool,
    /// Whether `metadata` or the tags of either file hide the skill from models and users.
    pub(super) internal: bool,
}

/// The fields of `skill.json`. A missing or invalid field was reported and is absent here.
#[derive(Debug, Default)]
pub(super) struct Typed {
    pub(super) name: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) category: Option<Spanned<String>>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) mode: Option<Spanned<Mode>>,
    pub(super) input: Option<Span>,
    pub(super) output: Option<Span>,
    /// The lowered schemas.
    pub(super) input_lowered: Option<Lowered>,
    pub(super) output_lowered: Option<Lowered>,
    pub(super) calls: Vec<Spanned<String>>,
    pub(super) tags: Vec<Spanned<String>>,
    pub(super) timeout: Option<Spanned<u64>>,
    pub(super) retry: u32,
    /// The value of `pure`; the span covers the key as well.
    pub(super) pure: Option<Spanned<bool>>,
    pub(super) permissions: Option<Spanned<Permissions>>,
    pub(super) steps: Option<DraftSteps>,
    pub(super) output_mapping: Option<Templated>,
    pub(super) mcp: Option<PinnedTool>,
}

impl SkillDraft {
    pub(super) fn new(skill: ParsedSkill, sources: &SourceMap) -> Self {
        let head = match (&skill.document, skill.dir.text("SKILL.md"), skill.dir.text("skill.json")) {
            (Some(document), _, _) => first_line(sources.file(document.file)),
            (_, Some(id), _) => first_line(sources.file(id)),
            (_, _, Some(id)) => sources.file(id).span(0..0),
            // Neither file is readable. This was already reported at the file.
            _ => Span::default(),
        };
        Self { skill, head, ..Self::default() }
    }

    pub(super) fn frontmatter(&self) -> Option<&Frontmatter> {
        self.skill.document.as_ref()?.frontmatter.as_ref()
    }

    /// Returns `true` if a field that is not in the tree is absent, and not lost to a syntax error.
    pub(super) fn is_sound(&self) -> bool {
        match &self.skill.document {
            Some(document) => document.frontmatter.as_ref().is_none_or(|frontmatter| frontmatter.sound),
            None => self.skill.dir.file("SKILL.md").is_none(),
        }
    }

    /// Returns `true` if fields are in a place where they are not read, which was reported.
    pub(super) fn is_misplaced(&self) -> bool {
        self.skill.document.as_ref().is_some_and(|document| document.misplaced)
    }

    pub(super) fn is_toml(&self) -> bool {
        self.frontmatter().is_some_and(|frontmatter| frontmatter.dialect == Dialect::Toml)
    }

    /// Returns the replacement for a description at run time; `None` without a `SKILL.md`.
    pub(super) fn summary(&self, sources: &SourceMap) -> Option<String> {
        let body = self.skill.document.as_ref().map(|document| document.body)?;
        Some(markdown::describe(sources.text(body)))
    }

    /// Returns the effective description: from `skill.json`, or else from the frontmatter.
    pub(super) fn description(&self) -> Option<&Spanned<String>> {
        let manifest = self.typed.as_ref().and_then(|typed| typed.description.as_ref());
        manifest.or(self.fields.description.as_ref())
    }

    pub(super) fn manifest(&self) -> Option<&Node> {
        self.skill.manifest.as_ref().map(|manifest| &manifest.tree)
    }

    pub(super) fn mode(&self) -> Option<Mode> {
        self.typed.as_ref()?.mode.as_ref().map(|mode| mode.value)
    }

    /// Returns the backend that runs the skill when it is called; known once the pass `program` has run.
    pub(super) fn backend(&self) -> Option<Backend> {
        let code = if self.program_path.is_some() { Backend::Program } else { Backend::Host };
        match self.mode() {
            Some(Mode::Llm) => Some(Backend::Model),
            Some(Mode::Mcp) => Some(Backend::Mcp),
            Some(Mode::Composite) if self.typed.as_ref()?.steps.is_some() => Some(Backend::Pipeline),
            Some(Mode::Code | Mode::Composite) => Some(code),
            None => (self.tier == 3).then_some(Backend::Program),
        }
    }

    pub(super) fn calls(&self) -> &[Spanned<String>] {
        self.typed.as_ref().map_or(&[], |typed| &typed.calls)
    }

    pub(super) fn steps(&self) -> &[DraftStep] {
        self.typed.as_ref().and_then(|typed| typed.steps.as_ref()).map_or(&[], |steps| &steps.list)
    }

    /// Returns the names of the skills that its steps use.
    pub(crate) fn called(&self) -> impl Iterator<Item = &str> {
        self.steps().iter().filter_map(|step| Some(step.skill.as_ref()?.value.as_str()))
    }

    pub(super) fn input(&self) -> Option<&Lowered> {
        self.typed.as_ref()?.input_lowered.as_ref()
    }

    pub(super) fn output(&self) -> Option<&Lowered> {
        self.typed.as_ref()?.output_lowered.as_ref()
    }

    /// Returns `true` if the directory has a `skill.json`, even one that could not be parsed.
    pub(super) fn has_manifest(&self) -> bool {
        self.skill.dir.file("skill.json").is_some() && self.skill.foreign.is_none()
    }

    /// Returns `true` if `SKILL.md` was decoded twice, which was reported.
    pub(super) fn is_garbled(&self) -> bool {
        self.skill.document.as_ref().is_some_and(|document| document.garbled)
    }

    /// Formats `key: value` in the language of the frontmatter.
    pub(super) fn line(&self, key: &str, value: &str) -> String {
        if self.is_toml() { format!("{key} = \"{value}\"") } else { format!("{key}: {value}") }
    }

    /// Formats a text as a value for [`line`](Self::line), which adds the quotes in TOML.
    pub(super) fn written(&self, text: &str) -> String {
        if !self.is_toml() {
            return yaml_text(text);
        }
        // TOML uses the same escapes as JSON.
        quote(text).get(1..).and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
    }

    /// Finds a key of the frontmatter in any spelling.
    pub(super) fn entry(&self, key: &str) -> Option<&MapEntry> {
        let entries = self.frontmatter()?.tree.as_map()?;
        entries.iter().find(|entry| known::fold(&entry.key) == key)
    }

    /// Returns `true` if the frontmatter has a key that probably misspells a key.
    pub(super) fn has_misspelt(&self, key: &'static str) -> bool {
        let entries = self.frontmatter().and_then(|frontmatter| frontmatter.tree.as_map());
        entries
            .unwrap_or_default()
            .iter()
            .any(|entry| entry.key != key && known::correction(&entry.key, &[key]).is_some())
    }

    /// Returns a change that replaces the value of a field, or the whole field if its key has another spelling.
    pub(super) fn rewrite(&self, key: &str, value: &str) -> Option<Change> {
        let entry = self.entry(key)?;
        if entry.key == key && !entry.value.is_absent() {
            let value = if self.is_toml() { format!("\"{value}\"") } else { value.to_owned() };
            return Some(Change::replace(entry.value.span, value));
        }
        Some(Change::replace(entry.key_span.to(entry.value.span), self.line(key, value)))
    }

    /// Returns a change that adds a field after the name, or at the start of the frontmatter.
    pub(super) fn added_line(&self, key: &str, value: &str) -> Change {
        let text = self.line(key, value);
        match (self.frontmatter(), self.entry("name")) {
            (None, _) => Change::InsertAbove { at: self.head, text: format!("---\n{text}\n---") },
            (Some(_), Some(name)) if key != "name" => {
                Change::InsertBelow { at: name.key_span.to(name.value.span), text }
            }
            (Some(frontmatter), _) => Change::InsertAbove { at: frontmatter.block.head(), text },
        }
    }

    /// Finds a field that is below the header of a TOML table, and returns a fix that moves it above.
    pub(super) fn below_header(&self, key: &str) -> Option<(Span, String, Fix)> {
        let frontmatter = self.frontmatter().filter(|_| self.is_toml())?;
        // A table that a header opened starts at its bracket, before its key.
        let mut tables =
            frontmatter.tree.as_map()?.iter().filter(|table| table.value.span.start < table.key_span.start);
        let (table, entry) = tables.find_map(|table| Some((table, table.value.entry(key)?)))?;
        let line = self.line(key, &self.written(entry.value.as_string()?));
        let lines = entry.key_span.to(entry.value.span);
        let above = Change::InsertAbove { at: frontmatter.block.head(), text: line };
        let fix = Fix::from_changes(vec![above, Change::DeleteLines(lines)]);
        let help =
            format!("move this line above `[{}]`: keys below a header belong to that table", table.key);
        Some((entry.key_span, help, fix))
    }

    /// Returns a change that adds a member at the end of `skill.json`.
    pub(super) fn added_member(&self, key: &str, value: &str) -> Option<Change> {
        let to = self.manifest().filter(|manifest| manifest.as_map().is_some())?.span;
        Some(Change::AddMember { to, text: format!("\"{key}\": {value}") })
    }

    /// Returns the help for adding a line to the frontmatter.
    pub(super) fn add_line(&self, key: &str, value: &str) -> String {
        let line = self.line(key, value);
        match self.frontmatter() {
            Some(_) => format!("add a line to the frontmatter: {line}"),
            None => format!("begin the file with:\n---\n{line}\n---"),
        }
    }
}

fn first_line(file: &SourceFile) -> Span {
    let text = file.text.as_str();
    let skip = text.len() - unmarked(text).len();
    let end = text.find('\n').unwrap_or(text.len());
    file.span(skip..skip + text.get(skip..end).unwrap_or_default().trim_end().len())
}
