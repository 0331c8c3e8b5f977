//! Records become tables: for the code generator, the command line and skills on disk.

use std::collections::HashMap;

use crate::catalog::{self, CatalogEntry, Style};
use crate::declared::{Declared, offer};
use crate::hash::PerfectHash;
use crate::layout::{NONE, file, flag, header, server, skill, text, tool};
use crate::order::order;
use crate::permissions::Permissions;
use crate::record::{FileRecord, McpRecord, Record};
use crate::row::{Row, push_words};
use crate::search::{self, Fields};
use crate::tables::{Tables, utf8};
use crate::tool::ToolFormat;
use crate::way::Way;

/// Where the contents of the files go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Into the one piece there is, with the texts; equal files are kept once.
    Joined,
    /// Into the one piece there is, each for itself; the digests of the records are not looked at. For
    /// [`Parts::into_lazy_tables`].
    Undigested,
    /// Nowhere: each is a piece of its own that the caller provides, behind the first with the texts, in the order of
    /// the records sorted by name.
    Separate,
}

/// Tables, written.
#[derive(Debug, Default)]
pub struct Parts {
    /// The first piece.
    pub bytes: Vec<u8>,
    /// The rows.
    pub rows: Vec<u8>,
}

impl Parts {
    /// Turns joined parts into tables that own them.
    pub fn into_tables(self) -> Tables {
        Tables::owned(self.bytes, self.rows)
    }

    /// Turns parts of the layout [`Undigested`](Layout::Undigested) into tables that own them; `digest` computes the
    /// SHA-256 of a file when somebody asks for it.
    pub fn into_lazy_tables(self, digest: fn(&[u8]) -> [u8; 32]) -> Tables {
        Tables::lazy(self.bytes, self.rows, digest)
    }
}

/// The bundle does not fit: it has over 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the skills are too large for one bundle: over 4 GiB")
    }
}

impl std::error::Error for TooLarge {}

/// Writes the tables of skills; their names are unique.
///
/// The prompts that are rendered with them take at most `budget` tokens.
///
/// # Errors
/// [`TooLarge`] when an offset does not fit into 32 bits.
pub fn write(records: &[Record<'_>], layout: Layout, budget: usize) -> Result<Parts, TooLarge> {
    let by_name = order(records.len(), &|a, b| records[a].name.cmp(records[b].name));
    let records: Vec<&Record<'_>> = by_name.into_iter().map(|at| &records[at]).collect();
    let mut writer = Writer::new(layout);
    writer.names(&records)?;
    for record in &records {
        writer.skill(record)?;
    }
    writer.tools(&records)?;
    writer.prompts(&records, budget)?;
    writer.search(&records)?;
    writer.finish(&records, budget)
}

pub(crate) struct Writer<'a> {
    layout: Layout,
    parts: Parts,
    names: Vec<u32>,
    skills: Vec<u32>,
    files: Vec<u32>,
    texts: Vec<u32>,
    servers: Vec<u32>,
    tools: Vec<u32>,
    all_tools: [[u32; 2]; ToolFormat::ALL.len()],
    prompts: [[u32; 2]; 2],
    search_terms: [u32; 2],
    search: Vec<u32>,
    /// Where the texts that may come again lie.
    known: HashMap<&'a [u8], [u32; 2]>,
    /// Where the contents of files lie, by their digests.
    contents: HashMap<&'a [u8], [u32; 2]>,
    pieces: u32,
}

impl<'a> Writer<'a> {
    fn new(layout: Layout) -> Self {
        Self {
            layout,
            parts: Parts::default(),
            names: Vec::new(),
            skills: Vec::new(),
            files: Vec::new(),
            texts: Vec::new(),
            servers: Vec::new(),
            tools: Vec::new(),
            all_tools: [[NONE, 0]; ToolFormat::ALL.len()],
            prompts: [[NONE, 0]; 2],
            search_terms: [NONE, 0],
            search: Vec::new(),
            known: HashMap::new(),
            contents: HashMap::new(),
            pieces: 1,
        }
    }

    /// The names come first, next to each other: a look-up reads nothing else.
    fn names(&mut self, records: &[&'a Record<'a>]) -> Result<(), TooLarge> {
        for record in records {
            let name = self.text(record.name)?;
            self.names.extend(name);
        }
        Ok(())
    }

    fn skill(&mut self, record: &'a Record<'a>) -> Result<(), TooLarge> {
        let first_file = size(self.files.len())? / file::WIDTH;
        let mut places = Vec::with_capacity(record.files.len());
        for file in &record.files {
            places.push(self.file(file)?);
        }
        let place = |path: &str, range: &std::ops::Range<usize>| {
            let at = record.files.iter().position(|file| file.path == path);
            match at.and_then(|at| places.get(at)) {
                Some([piece, start, _]) => {
                    let start = start.checked_add(size(range.start)?).ok_or(TooLarge)?;
                    Ok([*piece, start, size(range.len())?])
                }
                None => Ok([0, 0, 0]),
            }
        };

        let mut row = Row::new(skill::WIDTH);
        row.put(skill::DIR, self.shared(record.dir)?);
        row.put(skill::LOCATION, self.text(&location(record))?);
        row.put(skill::DESCRIPTION, self.text(record.description)?);
        row.put(skill::VERSION, self.shared(record.version)?);
        row.put(skill::FRONTMATTER, self.text(record.frontmatter)?);
        row.put(skill::EXEC, self.optional(record.exec)?);
        row.put(skill::PROGRAM, self.optional(record.program)?);
        row.put(skill::SCHEMA, self.optional(record.schema)?);
        row.put(skill::CATEGORY, self.optional(record.category)?);
        row.put(skill::REQUIRES, self.list(record.requires)?);
        for (column, words) in Declared::columns(record.declared, self)? {
            row.put(column, words);
        }
        for (column, words) in Permissions::columns(record.permissions, self)? {
            row.put(column, words);
        }
        row.put(skill::TAGS, self.list(record.tags)?);
        row.put(skill::SERVERS, self.servers(&record.mcp_servers)?);
        row.put(skill::FILES, [first_file, size(record.files.len())?]);

        let mut flags = u32::from(record.tier) & flag::TIER;
        flags |= match record.asserts_formats {
            None => 0,
            Some(true) => flag::FORMATS_ASSERTED,
            Some(false) => flag::FORMATS_IGNORED,
        };
        if record.model_invocable {
            flags |= flag::MODEL_INVOCABLE;
        }
        if record.user_invocable {
            flags |= flag::USER_INVOCABLE;
        }
        flags |= record.permissions.map_or(0, Permissions::flags);
        if record.internal || record.tags.iter().any(|tag| tag == "internal") {
            flags |= flag::INTERNAL;
        }
        flags |= record.way.map_or(0, Way::bits) << flag::WAY_SHIFT;
        if let Some(range) = &record.body {
            flags |= flag::DOCUMENT;
            row.put(skill::BODY, place("SKILL.md", range)?);
        }
        if let Some(limit) = record.timeout_ms {
            flags |= flag::TIMEOUT;
            let [a, b, c, d, e, f, g, h] = limit.to_le_bytes();
            row.put(skill::TIMEOUT, [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]);
        }
        for field in [skill::INPUT, skill::OUTPUT, skill::PIPELINE, skill::OUTPUT_MAPPING] {
            row.put(field, [NONE, 0]);
        }
        if let Some(signature) = &record.signature {
            flags |= signature.mode.bits() << flag::MODE_SHIFT;
            row.put(skill::INPUT, self.shared(signature.input)?);
            row.put(skill::OUTPUT, self.shared(signature.output)?);
            row.put(skill::PIPELINE, self.optional(signature.pipeline)?);
            row.put(skill::OUTPUT_MAPPING, self.optional(signature.output_mapping)?);
            row.put(skill::CERTAIN_CALLS, self.list(signature.certain_calls)?);
            row.put(skill::CALLS, self.list(signature.calls)?);
            row.put(skill::RETRY, [signature.retry]);
            if let Some((path, range)) = &signature.prompt {
                flags |= flag::PROMPT;
                row.put(skill::PROMPT, place(path, range)?);
            }
        }
        row.put(skill::FLAGS, [flags]);
        if is_tool(record) {
            self.tools.extend([NONE, 0].repeat(ToolFormat::ALL.len()));
            row.put(skill::TOOL, [size(self.tools.len())? / tool::WIDTH]);
        }
        self.skills.extend(row.0);
        Ok(())
    }

    /// Writes a file and returns where its contents are.
    fn file(&mut self, record: &'a FileRecord<'a>) -> Result<[u32; 3], TooLarge> {
        let place = if self.layout == Layout::Separate {
            self.pieces = self.pieces.checked_add(1).ok_or(TooLarge)?;
            [self.pieces - 1, 0, size(record.bytes.len())?]
        } else {
            let known = self.contents.get(record.sha256.as_slice()).filter(|_| self.layout == Layout::Joined);
            let [start, len] = match known {
                Some(place) => *place,
                None => self.bytes(record.bytes)?,
            };
            self.contents.insert(&record.sha256, [start, len]);
            [0, start, len]
        };

        let mut row = Row::new(file::WIDTH);
        row.put(file::PATH, self.shared(record.path)?);
        row.put(file::CONTENT, place);
        row.put(file::FLAGS, [if record.executable { file::EXECUTABLE } else { 0 }]);
        let (words, _) = record.sha256.as_chunks::<4>();
        for (at, word) in (file::SHA256..).zip(words) {
            row.put(at, [u32::from_le_bytes(*word)]);
        }
        self.files.extend(row.0);
        Ok(place)
    }

    fn servers(&mut self, servers: &[McpRecord<'a>]) -> Result<[u32; 2], TooLarge> {
        let first = size(self.servers.len())? / server::WIDTH;
        for record in servers {
            let mut row = Row::new(server::WIDTH);
            row.put(server::NAME, self.shared(record.name)?);
            row.put(server::COMMAND, self.shared(record.command)?);
            row.put(server::ARGS, self.list(record.args)?);
            let first = size(self.texts.len())? / text::WIDTH;
            for (name, value) in record.env {
                for item in [name, value] {
                    let item = self.shared(item)?;
                    self.texts.extend(item);
                }
            }
            row.put(server::ENV, [first, size(record.env.len() * 2)?]);
            self.servers.extend(row.0);
        }
        Ok([first, size(servers.len())?])
    }

    pub(crate) fn list(&mut self, items: &'a [String]) -> Result<[u32; 2], TooLarge> {
        let first = size(self.texts.len())? / text::WIDTH;
        for item in items {
            let item = self.shared(item)?;
            self.texts.extend(item);
        }
        Ok([first, size(items.len())?])
    }

    pub(crate) fn optional(&mut self, text: Option<&'a str>) -> Result<[u32; 2], TooLarge> {
        text.map_or(Ok([NONE, 0]), |text| self.shared(text))
    }

    /// Adds a text that is likely to come again.
    fn shared(&mut self, text: &'a str) -> Result<[u32; 2], TooLarge> {
        if let Some(known) = self.known.get(text.as_bytes()) {
            return Ok(*known);
        }
        let place = self.text(text)?;
        self.known.insert(text.as_bytes(), place);
        Ok(place)
    }

    fn text(&mut self, text: &str) -> Result<[u32; 2], TooLarge> {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<[u32; 2], TooLarge> {
        let start = size(self.parts.bytes.len())?;
        self.parts.bytes.extend_from_slice(bytes);
        Ok([start, size(bytes.len())?])
    }

    /// The definitions of a format lie in one JSON array, each a part of its text, so that both are read where they lie
    /// (SPEC 6.3). Behind it lie those that a capability of the host has to open.
    fn tools(&mut self, records: &[&Record<'a>]) -> Result<(), TooLarge> {
        let (mut open, mut gated, mut rows) = (Vec::new(), Vec::new(), 0);
        for record in records {
            if is_tool(record) {
                let tools = if asks_capability(record) { &mut gated } else { &mut open };
                tools.push((rows, *record));
                rows += 1;
            }
        }
        for at in 0..ToolFormat::ALL.len() {
            let start = size(self.parts.bytes.len())?;
            let mut next = "[";
            for (row, record) in &open {
                if self.tool(*row, at, record, next)? {
                    next = ",";
                }
            }
            self.text(if next == "[" { "[]" } else { "]" })?;
            self.all_tools[at] = [start, size(self.parts.bytes.len())? - start];
            for (row, record) in &gated {
                self.tool(*row, at, record, "")?;
            }
        }
        Ok(())
    }

    /// Writes one definition behind a separator, when there is one.
    fn tool(&mut self, row: usize, at: usize, record: &Record<'_>, before: &str) -> Result<bool, TooLarge> {
        let Some(text) = &record.tools[at] else { return Ok(false) };
        self.text(before)?;
        let place = self.text(text)?;
        let start = (row * ToolFormat::ALL.len() + at) * 2;
        self.tools[start..start + 2].copy_from_slice(&place);
        Ok(true)
    }

    /// The catalogs that need to know nothing about the host are rendered now (SPEC 8.1).
    fn prompts(&mut self, records: &[&Record<'a>], budget: usize) -> Result<(), TooLarge> {
        let mut texts = Vec::with_capacity(records.len());
        for record in records {
            let when = record.declared.and_then(|declared| declared.when_to_use.as_deref());
            texts.push((location(record), offer(record.description, when)));
        }
        let mut entries = Vec::new();
        for (record, (location, description)) in records.iter().zip(&texts) {
            if record.model_invocable && record.body.is_some() && !asks_capability(record) {
                entries.push(CatalogEntry { name: record.name, description, location, installed: true });
            }
        }
        for (at, style) in [Style::Skills, Style::AgentSkills].into_iter().enumerate() {
            self.prompts[at] = self.text(&catalog::render(&entries, style, budget))?;
        }
        Ok(())
    }

    /// The index of the search is made with the tables, so that a program that starts has it (SPEC 16.1).
    fn search(&mut self, records: &[&Record<'a>]) -> Result<(), TooLarge> {
        let fields: Vec<Fields<'_>> = records.iter().map(|record| fields(record)).collect();
        let (words, terms) = search::write(&fields);
        self.search = words;
        self.search_terms = self.text(&terms)?;
        Ok(())
    }

    fn finish(mut self, records: &[&Record<'a>], budget: usize) -> Result<Parts, TooLarge> {
        let names: Vec<&str> = records.iter().map(|record| record.name).collect();
        let hash = PerfectHash::new(&names);
        let mut head = Row::new(header::WIDTH);
        head.put(header::FORMAT, [crate::FORMAT]);
        head.put(header::SKILLS, [size(records.len())?]);
        head.put(header::BUCKETS, [size(hash.buckets.len())?]);
        head.put(header::SLOTS, [size(hash.slots.len())?]);
        head.put(header::CAPABILITIES, [u32::from(records.iter().any(|record| asks_capability(record)))]);
        head.put(header::BUDGET, [u32::try_from(budget).unwrap_or(u32::MAX)]);
        for (at, text) in (header::TOOLS..).step_by(2).zip(self.all_tools) {
            head.put(at, text);
        }
        head.put(header::PROMPT_SKILLS, self.prompts[0]);
        head.put(header::PROMPT_AGENT_SKILLS, self.prompts[1]);

        head.put(header::SEARCH_TERMS, self.search_terms);

        let sections = [
            (header::AT_NAMES, self.names),
            (header::AT_BUCKETS, hash.buckets),
            (header::AT_SLOTS, hash.slots),
            (header::AT_SKILLS, self.skills),
            (header::AT_FILES, self.files),
            (header::AT_TEXTS, self.texts),
            (header::AT_SERVERS, self.servers),
            (header::AT_TOOLS, self.tools),
            (header::AT_SEARCH, self.search),
        ];
        let mut at = header::WIDTH;
        for (field, section) in &sections {
            head.put(*field, [at]);
            at = at.checked_add(size(section.len())?).ok_or(TooLarge)?;
        }
        self.parts.rows.reserve(at as usize * 4);
        push_words(&mut self.parts.rows, &head.0);
        for (_, section) in &sections {
            push_words(&mut self.parts.rows, section);
        }
        Ok(self.parts)
    }
}

/// Returns what the search reads of a skill.
fn fields<'r>(record: &'r Record<'_>) -> Fields<'r> {
    let document = record.files.iter().find(|file| file.path == "SKILL.md");
    let body = document.zip(record.body.clone()).and_then(|(file, range)| file.bytes.get(range));
    Fields {
        name: record.name,
        trigger: record.declared.and_then(|declared| declared.trigger.as_deref()).unwrap_or_default(),
        tags: record.tags,
        description: record.description,
        body: body.map(utf8).unwrap_or_default(),
    }
}

/// Returns where the `SKILL.md` of a skill is: its own word, else its place in the bundle (SPEC 8.1).
fn location(record: &Record<'_>) -> String {
    record.location.clone().unwrap_or_else(|| format!("skill://{}/SKILL.md", record.name))
}

fn is_tool(record: &Record<'_>) -> bool {
    record.tools.iter().any(Option::is_some)
}

fn asks_capability(record: &Record<'_>) -> bool {
    record.requires.iter().any(|entry| entry.starts_with("cap:"))
}

fn size(size: usize) -> Result<u32, TooLarge> {
    u32::try_from(size).map_err(|_| TooLarge)
}
