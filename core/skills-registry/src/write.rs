//! Writes the tables of skills: for the code generator, the command line and skills on disk.

use std::collections::HashMap;

use crate::backend::Backend;
use crate::catalog::{self, CatalogEntry, Style};
use crate::declared::{DeclaredValue, offer};
use crate::facts::{FileMaterial, Material, ServerFacts};
use crate::layout::{NONE, file, flag, header, server, skill, text, tool};
use crate::parts::{Layout, Parts, TooLarge};
use crate::permissions::Permissions;
use crate::search::{self, IndexedTexts};
use skills_text::ToolFormat;
use skills_text::order;

/// Writes the tables of skills, whose names must be unique.
///
/// The catalogs rendered with them have at most `budget` tokens.
///
/// # Errors
/// [`TooLarge`] if an offset does not fit 32 bits.
pub fn write(skills: &[Material<'_>], layout: Layout, budget: usize) -> Result<Parts, TooLarge> {
    let by_name = order(skills.len(), &|a, b| skills[a].facts.name.cmp(&skills[b].facts.name));
    let skills: Vec<&Material<'_>> = by_name.into_iter().map(|at| &skills[at]).collect();
    let mut writer = Writer { layout, pieces: 1, ..Writer::default() };
    // The names come first and next to each other, so that a look-up reads nothing else.
    for skill in &skills {
        let name = writer.text(&skill.facts.name)?;
        writer.names.extend(name);
    }
    for skill in &skills {
        writer.skill(skill)?;
    }
    writer.tools(&skills)?;
    writer.prompts(&skills, budget)?;
    // Programs have the search index at start.
    if layout != Layout::Lazy {
        let (words, terms) = search::write(skills.iter().map(|skill| IndexedTexts::from(*skill)));
        writer.search = words;
        writer.search_terms = writer.text(&terms)?;
    }
    writer.finish(&skills, budget)
}

#[derive(Default)]
struct Writer<'a> {
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
    /// The positions of texts that may occur again.
    known: HashMap<&'a [u8], [u32; 2]>,
    /// The positions of file contents, by digest.
    contents: HashMap<&'a [u8], [u32; 2]>,
    pieces: u32,
}

impl<'a> Writer<'a> {
    fn skill(&mut self, material: &'a Material<'a>) -> Result<(), TooLarge> {
        let facts = &*material.facts;
        let first_file = size(self.files.len())? / file::WIDTH;
        let mut places = Vec::with_capacity(material.files.len());
        for file in &material.files {
            places.push(self.file(file)?);
        }
        let place = |path: &str, range: &std::ops::Range<usize>| {
            let at = material.files.iter().position(|file| file.path == path);
            match at.and_then(|at| places.get(at)) {
                Some([piece, start, _]) => {
                    let start = start.checked_add(size(range.start)?).ok_or(TooLarge)?;
                    Ok([*piece, start, size(range.len())?])
                }
                None => Ok([0, 0, 0]),
            }
        };

        let mut row = Row::new(skill::WIDTH);
        row.set_words(skill::DIR, self.shared(&facts.dir)?);
        row.set_words(skill::LOCATION, self.text(&material.location())?);
        row.set_words(skill::DESCRIPTION, self.text(&facts.description)?);
        row.set_words(skill::VERSION, self.shared(&facts.version)?);
        row.set_words(skill::FRONTMATTER, self.text(&facts.frontmatter)?);
        row.set_words(skill::EXEC, self.optional(facts.exec.as_deref())?);
        row.set_words(skill::PROGRAM, self.optional(facts.program.as_deref())?);
        row.set_words(skill::SCHEMA, self.optional(facts.schema.as_deref())?);
        row.set_words(skill::CATEGORY, self.optional(facts.category.as_deref())?);
        row.set_words(skill::SOURCE, self.optional(facts.source.as_deref())?);
        row.set_words(skill::REVISION, self.optional(facts.revision.as_deref())?);
        row.set_words(skill::REQUIRES, self.list(&facts.requires)?);
        for (column, value) in facts.declared.columns() {
            let words = match value {
                DeclaredValue::Text(text) => self.optional(text)?,
                DeclaredValue::List(items) => self.list(items)?,
            };
            row.set_words(column, words);
        }
        if let Some(asked) = &facts.permissions {
            for (column, items) in asked.columns() {
                row.set_words(column, self.list(items)?);
            }
        }
        row.set_words(skill::OWN, self.pairs(&facts.own)?);
        if self.layout != Layout::Lazy {
            row.set_words(skill::DIGEST, digest_words(&material.digest));
        }
        row.set_words(skill::TAGS, self.list(&facts.tags)?);
        row.set_words(skill::SERVERS, self.servers(&facts.mcp_servers)?);
        row.set_words(skill::FILES, [first_file, size(material.files.len())?]);

        let mut flags = u32::from(facts.tier) & flag::TIER;
        flags |= match facts.asserts_formats {
            None => 0,
            Some(true) => flag::FORMATS_ASSERTED,
            Some(false) => flag::FORMATS_IGNORED,
        };
        for (is_set, bit) in [
            (facts.model_invocable, flag::MODEL_INVOCABLE),
            (facts.user_invocable, flag::USER_INVOCABLE),
            (facts.internal, flag::INTERNAL),
            (facts.body.is_some(), flag::DOCUMENT),
            (facts.body.is_some() && facts.plain_frontmatter, flag::PLAIN),
            (facts.timeout_ms.is_some(), flag::TIMEOUT),
            (material.location.is_some(), flag::ON_DISK),
            (material.is_remote, flag::REMOTE),
        ] {
            flags |= if is_set { bit } else { 0 };
        }
        flags |= facts.permissions.as_ref().map_or(0, Permissions::flags);
        flags |= facts.backend.map_or(0, Backend::bits) << flag::BACKEND_SHIFT;
        if let Some(range) = &facts.body {
            row.set_words(skill::BODY, place("SKILL.md", range)?);
        }
        if let Some(limit) = facts.timeout_ms {
            let [a, b, c, d, e, f, g, h] = limit.to_le_bytes();
            row.set_words(skill::TIMEOUT, [[a, b, c, d], [e, f, g, h]].map(u32::from_le_bytes));
        } else if let Some(text) = &facts.invalid_timeout {
            flags |= flag::TIMEOUT_INVALID;
            row.set_words(skill::TIMEOUT, self.text(text)?);
        }
        for field in [skill::INPUT, skill::OUTPUT, skill::PIPELINE, skill::OUTPUT_MAPPING, skill::CHECKER] {
            row.set_words(field, [NONE, 0]);
        }
        if let Some((numbers, text)) = material.checker {
            let mut bytes = Vec::new();
            push_words(&mut bytes, numbers);
            row.set_words(skill::CHECKER, self.bytes(&bytes)?);
            row.set_words(skill::CHECKER + 2, self.shared(text)?);
        }
        if let Some(function) = &facts.function {
            flags |= function.mode.bits() << flag::MODE_SHIFT | if function.pure { flag::PURE } else { 0 };
            let [input, output] = material.schemas;
            row.set_words(skill::INPUT, self.shared(input)?);
            row.set_words(skill::OUTPUT, self.shared(output)?);
            row.set_words(skill::PIPELINE, self.optional(function.pipeline.as_deref())?);
            row.set_words(skill::OUTPUT_MAPPING, self.optional(function.output_mapping.as_deref())?);
            row.set_words(skill::CERTAIN_CALLS, self.list(&function.certain_calls)?);
            row.set_words(skill::CALLS, self.list(&function.calls)?);
            row.set_words(skill::RETRY, [function.retry]);
            if let Some(pinned) = &function.mcp {
                row.set_words(skill::MCP, self.list([&pinned.server, &pinned.tool, &pinned.digest])?);
            }
            if let Some((path, range)) = &function.prompt {
                flags |= flag::PROMPT;
                row.set_words(skill::PROMPT, place(path, range)?);
            }
        }
        row.set_words(skill::FLAGS, [flags]);
        if material.is_tool() {
            ToolFormat::ALL.iter().for_each(|_| self.tools.extend_from_slice(&[NONE, 0]));
            row.set_words(skill::TOOL, [size(self.tools.len())? / tool::WIDTH]);
        }
        self.skills.extend(row.0);
        Ok(())
    }

    /// Writes a file and returns the position of its contents.
    fn file(&mut self, given: &'a FileMaterial<'a>) -> Result<[u32; 3], TooLarge> {
        let place = if self.layout == Layout::Separate {
            self.pieces = self.pieces.checked_add(1).ok_or(TooLarge)?;
            [self.pieces - 1, 0, size(given.bytes.len())?]
        } else {
            let known = self.contents.get(given.sha256.as_slice()).filter(|_| self.layout == Layout::Joined);
            let [start, len] = match known {
                Some(place) => *place,
                None => self.bytes(given.bytes)?,
            };
            self.contents.insert(&given.sha256, [start, len]);
            [0, start, len]
        };

        let mut row = Row::new(file::WIDTH);
        row.set_words(file::PATH, self.shared(given.path)?);
        row.set_words(file::CONTENT, place);
        row.set_words(file::FLAGS, [if given.executable { file::EXECUTABLE } else { 0 }]);
        row.set_words(file::SHA256, digest_words(&given.sha256));
        self.files.extend(row.0);
        Ok(place)
    }

    fn servers(&mut self, servers: &'a [ServerFacts]) -> Result<[u32; 2], TooLarge> {
        let first = size(self.servers.len())? / server::WIDTH;
        for given in servers {
            let mut row = Row::new(server::WIDTH);
            row.set_words(server::NAME, self.shared(&given.name)?);
            row.set_words(server::COMMAND, self.shared(&given.command)?);
            row.set_words(server::ARGS, self.list(&given.args)?);
            row.set_words(server::ENV, self.pairs(&given.env)?);
            self.servers.extend(row.0);
        }
        Ok([first, size(servers.len())?])
    }

    fn pairs(&mut self, pairs: &'a [(String, String)]) -> Result<[u32; 2], TooLarge> {
        self.list(pairs.iter().flat_map(|(name, value)| [name, value]))
    }

    fn list(&mut self, items: impl IntoIterator<Item = &'a String>) -> Result<[u32; 2], TooLarge> {
        let first = size(self.texts.len())? / text::WIDTH;
        for item in items {
            let item = self.shared(item)?;
            self.texts.extend(item);
        }
        Ok([first, size(self.texts.len())? / text::WIDTH - first])
    }

    fn optional(&mut self, text: Option<&'a str>) -> Result<[u32; 2], TooLarge> {
        text.map_or(Ok([NONE, 0]), |text| self.shared(text))
    }

    /// Adds a text that is likely to occur again.
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

    /// Writes the tool definitions of each format as one JSON array. Each definition is a slice of the
    /// array's text, so both are read in place. Definitions that require a capability follow the array.
    fn tools(&mut self, skills: &[&Material<'_>]) -> Result<(), TooLarge> {
        let (mut open, mut gated, mut rows) = (Vec::new(), Vec::new(), 0);
        for skill in skills {
            if skill.is_tool() {
                let tools = if skill.facts.is_gated() { &mut gated } else { &mut open };
                tools.push((rows, *skill));
                rows += 1;
            }
        }
        for at in 0..ToolFormat::ALL.len() {
            let start = size(self.parts.bytes.len())?;
            let mut next = "[";
            for (row, skill) in &open {
                if self.tool(*row, at, skill, next)? {
                    next = ",";
                }
            }
            self.text(if next == "[" { "[]" } else { "]" })?;
            self.all_tools[at] = [start, size(self.parts.bytes.len())? - start];
            for (row, skill) in &gated {
                self.tool(*row, at, skill, "")?;
            }
        }
        Ok(())
    }

    /// Writes one definition after a separator, if there is a definition.
    fn tool(&mut self, row: usize, at: usize, skill: &Material<'_>, before: &str) -> Result<bool, TooLarge> {
        let Some(text) = &skill.tools[at] else { return Ok(false) };
        self.text(before)?;
        let place = self.text(text)?;
        let start = (row * ToolFormat::ALL.len() + at) * 2;
        self.tools[start..start + 2].copy_from_slice(&place);
        Ok(true)
    }

    /// Renders the catalogs that do not depend on the host.
    fn prompts(&mut self, skills: &[&Material<'_>], budget: usize) -> Result<(), TooLarge> {
        let mut texts = Vec::with_capacity(skills.len());
        for skill in skills {
            let facts = &skill.facts;
            let when = facts.declared.when_to_use.as_deref();
            texts.push((skill.location(), offer(&facts.description, when)));
        }
        let mut entries = Vec::new();
        for (skill, (location, description)) in skills.iter().zip(&texts) {
            let facts = &skill.facts;
            if facts.is_offered() && !facts.is_gated() {
                entries.push(CatalogEntry { name: &facts.name, description, location, installed: true });
            }
        }
        for (at, style) in [Style::Skills, Style::AgentSkills].into_iter().enumerate() {
            self.prompts[at] = self.text(&catalog::render(&entries, style, catalog::LOADER, budget))?;
        }
        Ok(())
    }

    fn finish(mut self, skills: &[&Material<'_>], budget: usize) -> Result<Parts, TooLarge> {
        let mut head = Row::new(header::WIDTH);
        head.set_words(header::FORMAT, [crate::FORMAT]);
        head.set_words(header::SKILLS, [size(skills.len())?]);
        head.set_words(header::CAPABILITIES, [u32::from(skills.iter().any(|skill| skill.facts.is_gated()))]);
        head.set_words(header::BUDGET, [u32::try_from(budget).unwrap_or(u32::MAX)]);
        for (at, text) in (header::TOOLS..).step_by(2).zip(self.all_tools) {
            head.set_words(at, text);
        }
        head.set_words(header::PROMPT_SKILLS, self.prompts[0]);
        head.set_words(header::PROMPT_AGENT_SKILLS, self.prompts[1]);

        head.set_words(header::SEARCH_TERMS, self.search_terms);
        head.set_words(header::PROGRAM_VERSION, [NONE, 0]);
        head.set_words(header::STUB, [NONE, 0]);

        let sections = [
            (header::AT_NAMES, self.names),
            (header::AT_SKILLS, self.skills),
            (header::AT_FILES, self.files),
            (header::AT_TEXTS, self.texts),
            (header::AT_SERVERS, self.servers),
            (header::AT_TOOLS, self.tools),
            (header::AT_SEARCH, self.search),
        ];
        let mut at = header::WIDTH;
        for (field, section) in &sections {
            head.set_words(*field, [at]);
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

/// A row of words, initially zero.
struct Row(Vec<u32>);

impl Row {
    fn new(width: u32) -> Self {
        Self(vec![0; width as usize])
    }

    fn set_words<const N: usize>(&mut self, field: u32, words: [u32; N]) {
        let field = field as usize;
        self.0[field..field + N].copy_from_slice(&words);
    }
}

/// Appends words to the rows.
pub(crate) fn push_words(rows: &mut Vec<u8>, words: &[u32]) {
    let start = rows.len();
    rows.resize(start + words.len() * 4, 0);
    let (places, _) = rows[start..].as_chunks_mut();
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}

fn digest_words(digest: &[u8; 32]) -> [u32; 8] {
    let (words, _) = digest.as_chunks::<4>();
    let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
    std::array::from_fn(|_| words.next().unwrap_or_default())
}

fn size(size: usize) -> Result<u32, TooLarge> {
    u32::try_from(size).map_err(|_| TooLarge)
}
