//! One skill on its way through the passes: what was read, and what is known of it so far.

use skills_registry::{Places, Way, unmarked, yaml_text};

use super::pipeline::Steps;
use super::templated::Templated;
use crate::catalog::{Declared, Mode, Permissions, Server};
use crate::edit::{Change, Fix};
use crate::known;
use crate::parse::{Dialect, Frontmatter, ParsedSkill};
use crate::span::{SourceMap, Span, Spanned};
use crate::summary;
use crate::tree::text::quote;
use crate::tree::{MapEntry, Node};
use skills_schema::lower::Lowered;
use skills_template::Parsed;

/// One skill between `parse` and the catalog.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) skill: ParsedSkill,
    /// Where to point when something is missing: the first line of `SKILL.md`, else the start of `skill.json`.
    pub(super) head: Span,
    pub(super) fields: Fields,
    pub(super) typed: Option<Typed>,
    /// The name in force; set by the pass `name`.
    pub(crate) name: String,
    /// The tier and the files that make it; set by the pass `program`.
    pub(super) tier: u8,
    pub(super) exec: Option<String>,
    pub(super) schema: Option<String>,
    /// The lowered schema file; set by the pass `schema`.
    pub(super) schema_lowered: Option<Lowered>,
    /// The prompt of an `llm` skill; set by the pass `mode`.
    pub(super) prompt: Option<Spanned<Parsed>>,
}

/// What the frontmatter declares.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) name: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) exec: Option<Spanned<String>>,
    pub(super) schema: Option<Spanned<String>>,
    pub(super) category: Option<Spanned<String>>,
    pub(super) timeout: Option<Spanned<u64>>,
    /// The text of a limit that is none, which was reported.
    pub(super) invalid_timeout: Option<String>,
    pub(super) requires: Vec<Spanned<String>>,
    pub(super) tags: Vec<Spanned<String>>,
    /// What nothing here looks at again.
    pub(super) declared: Declared,
    pub(super) permissions: Option<Spanned<Permissions>>,
    pub(super) mcp_servers: Vec<Server>,
    /// The names of those, to find one that is declared twice.
    pub(super) mcp_names: Places,
    /// Whether permissions were meant that cannot be read: the program may do nothing then.
    pub(super) is_confined: bool,
    pub(super) hidden_from_model: bool,
    pub(super) hidden_from_users: bool,
    /// Whether `metadata` or the tags of either file keep it from both.
    pub(super) internal: bool,
}

/// What `skill.json` declares; a part that is missing or wrong was reported and is absent here.
#[derive(Debug, Default)]
pub(super) struct Typed {
    pub(super) name: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) category: Option<Spanned<String>>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) mode: Option<Spanned<Mode>>,
    pub(super) input: Option<Span>,
    pub(super) output: Option<Span>,
    /// The lowered schemas; set by the pass `schema`.
    pub(super) input_lowered: Option<Lowered>,
    pub(super) output_lowered: Option<Lowered>,
    pub(super) calls: Vec<Spanned<String>>,
    pub(super) tags: Vec<Spanned<String>>,
    pub(super) timeout: Option<Spanned<u64>>,
    pub(super) retry: u32,
    pub(super) permissions: Option<Spanned<Permissions>>,
    pub(super) steps: Option<Steps>,
    pub(super) output_mapping: Option<Templated>,
}

impl Draft {
    pub(super) fn new(skill: ParsedSkill, sources: &SourceMap) -> Self {
        let head = match (&skill.document, skill.dir.text("SKILL.md"), skill.dir.text("skill.json")) {
            (Some(document), _, _) => first_line(sources, sources.file(document.file).span(0..usize::MAX)),
            (_, Some(id), _) => first_line(sources, sources.file(id).span(0..usize::MAX)),
            (_, _, Some(id)) => sources.file(id).span(0..0),
            // Neither file is a readable text, which was reported with a place of its own.
            _ => Span::default(),
        };
        Self { skill, head, ..Self::default() }
    }

    pub(super) fn frontmatter(&self) -> Option<&Frontmatter> {
        self.skill.document.as_ref()?.frontmatter.as_ref()
    }

    /// Whether what is absent from the frontmatter is absent in truth, and not lost to a syntax error.
    pub(super) fn is_sound(&self) -> bool {
        match &self.skill.document {
            Some(document) => document.frontmatter.as_ref().is_none_or(|frontmatter| frontmatter.sound),
            None => self.skill.dir.file("SKILL.md").is_none(),
        }
    }

    /// Whether fields stand where they are not read, which was reported and is an error but at run time.
    pub(super) fn is_misplaced(&self) -> bool {
        self.skill.document.as_ref().is_some_and(|document| document.misplaced)
    }

    pub(super) fn is_toml(&self) -> bool {
        self.frontmatter().is_some_and(|frontmatter| frontmatter.dialect == Dialect::Toml)
    }

    /// What stands in for a description at run time; nothing without a `SKILL.md`.
    pub(super) fn summary(&self, sources: &SourceMap) -> Option<String> {
        let body = self.skill.document.as_ref().map(|document| document.body)?;
        Some(summary::describe(sources.text(body)))
    }

    /// The description in force: that of `skill.json`, else that of the frontmatter.
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

    /// What runs the skill when it is called (SPEC 3.4, 4.1, 6.2); known from the pass `program` on.
    pub(super) fn way(&self) -> Option<Way> {
        let code = if self.exec.is_some() { Way::Program } else { Way::Host };
        match self.mode() {
            Some(Mode::Llm) => Some(Way::Model),
            Some(Mode::Composite) if self.typed.as_ref()?.steps.is_some() => Some(Way::Pipeline),
            Some(Mode::Code | Mode::Composite) => Some(code),
            None => (self.tier == 3).then_some(Way::Program),
        }
    }

    /// Returns the names of the skills that its steps use.
    #[cfg(feature = "reports")]
    pub(crate) fn called(&self) -> impl Iterator<Item = &str> {
        let steps = self.typed.iter().filter_map(|typed| typed.steps.as_ref()).flat_map(|steps| &steps.list);
        steps.filter_map(|step| Some(step.skill.as_ref()?.value.as_str()))
    }

    /// Tells whether a step uses the skill of a name; nothing where nobody can say, as of the code of a host.
    pub(super) fn steps_call(&self, name: &str) -> Option<bool> {
        if self.way() == Some(Way::Model) {
            return Some(false);
        }
        let steps = self.typed.as_ref()?.steps.as_ref()?;
        Some(steps.list.iter().any(|step| step.skill.as_ref().is_some_and(|skill| skill.value == name)))
    }

    /// The schema of the input, when the skill is a function.
    pub(super) fn input(&self) -> Option<&Lowered> {
        self.typed.as_ref()?.input_lowered.as_ref()
    }

    /// The schema of the output, when the skill is a function.
    pub(super) fn output(&self) -> Option<&Lowered> {
        self.typed.as_ref()?.output_lowered.as_ref()
    }

    /// Whether the directory has a `skill.json`, even one that could not be parsed.
    pub(super) fn has_manifest(&self) -> bool {
        self.skill.dir.file("skill.json").is_some() && self.skill.foreign.is_none()
    }

    /// Whether `SKILL.md` was decoded twice, which was reported.
    pub(super) fn is_garbled(&self) -> bool {
        self.skill.document.as_ref().is_some_and(|document| document.garbled)
    }

    /// Spells `key: value` in the language of the frontmatter.
    pub(super) fn line(&self, key: &str, value: &str) -> String {
        if self.is_toml() { format!("{key} = \"{value}\"") } else { format!("{key}: {value}") }
    }

    /// Writes a text as the value that [`line`](Self::line) takes: in TOML that puts it into quotes.
    pub(super) fn written(&self, text: &str) -> String {
        if !self.is_toml() {
            return yaml_text(text);
        }
        // What JSON escapes TOML escapes alike.
        quote(text).get(1..).and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
    }

    /// Finds a key of the frontmatter, however it is spelled.
    pub(super) fn entry(&self, key: &str) -> Option<&MapEntry> {
        let entries = self.frontmatter()?.tree.as_map()?;
        entries.iter().find(|entry| known::fold(&entry.key) == key)
    }

    /// Writes a field as [`line`](Self::line) spells it in the place of the one that is there.
    pub(super) fn rewrite(&self, key: &str, value: &str) -> Option<Change> {
        let entry = self.entry(key)?;
        Some(Change::replace(entry.key_span.to(entry.value.span), self.line(key, value)))
    }

    /// Deletes the lines of a field.
    pub(super) fn without(&self, key: &str) -> Option<Change> {
        let entry = self.entry(key)?;
        Some(Change::DeleteLines(entry.key_span.to(entry.value.span)))
    }

    /// Adds what [`add_line`](Self::add_line) says: a field, first in the frontmatter or behind the name.
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

    /// Finds a field that fell to a table of TOML, since it stands below its header, and says how it gets out.
    pub(super) fn below_header(&self, key: &str) -> Option<(Span, String, Fix)> {
        let frontmatter = self.frontmatter().filter(|_| self.is_toml())?;
        // The place of a table that a header opened begins with its bracket, before its key.
        let mut tables =
            frontmatter.tree.as_map()?.iter().filter(|table| table.value.span.start < table.key_span.start);
        let (table, entry) = tables.find_map(|table| Some((table, table.value.entry(key)?)))?;
        let line = self.line(key, &self.written(entry.value.as_string()?));
        let lines = entry.key_span.to(entry.value.span);
        let above = Change::InsertAbove { at: frontmatter.block.head(), text: line };
        let fix = Fix::of(vec![above, Change::DeleteLines(lines)]);
        let help =
            format!("move this line above `[{}]`: keys below a header belong to that table", table.key);
        Some((entry.key_span, help, fix))
    }

    /// Adds a member of `skill.json` behind its last.
    pub(super) fn added_member(&self, key: &str, value: &str) -> Option<Change> {
        let to = self.manifest().filter(|manifest| manifest.as_map().is_some())?.span;
        Some(Change::AddMember { to, text: format!("\"{key}\": {value}") })
    }

    /// Says what to type so that the frontmatter holds a line.
    pub(super) fn add_line(&self, key: &str, value: &str) -> String {
        let line = self.line(key, value);
        match self.frontmatter() {
            Some(_) => format!("add a line to the frontmatter: {line}"),
            None => format!("begin the file with:\n---\n{line}\n---"),
        }
    }
}

fn first_line(sources: &SourceMap, whole: Span) -> Span {
    let text = sources.text(whole);
    let skip = text.len() - unmarked(text).len();
    let end = text.find('\n').unwrap_or(text.len());
    let line = text.get(skip..end).unwrap_or_default().trim_end();
    let file = sources.file_of(whole);
    file.span(skip..skip + line.len())
}
