//! Writes the tables of skills, which are two byte arrays: for the code generator, the command line and skills on
//! disk.

use std::collections::HashMap;
use std::ops::Range;

use crate::catalog::{self, CatalogEntry, Style};
use crate::facts::{CompiledFile, CompiledSkill, Facts};
use crate::rows::{
    Cell, Column, ContentPlace, FileRow, HEADER, Header, RowRange, SkillRow, TableWriter, TextPlace,
    TooLarge, ToolPlaces, push_words, size,
};
use crate::search::{self, IndexedTexts};
use crate::skill::offer;
use crate::tables::{Piece, Pieces, ReadLate, Tables};
use skills_text::{ToolFormat, order};

/// Where the file contents are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In the single piece, together with the texts. Identical files are stored once.
    #[default]
    Joined,
    /// In the single piece, without looking for identical files, and without digests and the search index, which
    /// are computed on first use. For [`Parts::into_lazy_tables`].
    Lazy,
    /// In separate pieces that the caller provides. They follow the first piece, which holds the texts, in
    /// the order of the skills sorted by name.
    Separate,
}

/// The written tables.
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

    /// Puts the digest of the bundle into the tables, which [`Registry::digest`](crate::Registry::digest)
    /// returns.
    #[must_use]
    pub fn digested(mut self, digest: &[u8; 32]) -> Self {
        self.set_header(HEADER.digest, digest);
        self
    }

    /// Adds the facts about the program that contains the skills: its version, and the command that prints a skill. See
    /// [`Registry::program_version`](crate::Registry::program_version) and [`Registry::stub`](crate::Registry::stub).
    ///
    /// # Errors
    /// [`TooLarge`] if an offset does not fit 32 bits.
    pub fn with_program(mut self, version: Option<&str>, stub: Option<&str>) -> Result<Self, TooLarge> {
        for (column, text) in [(HEADER.program_version, version), (HEADER.stub, stub)] {
            let Some(text) = text else { continue };
            let place = [size(self.bytes.len())?, size(text.len())?];
            self.bytes.extend_from_slice(text.as_bytes());
            size(self.bytes.len())?;
            let mut words = Vec::new();
            push_words(&mut words, &place);
            self.set_header(column, &words);
        }
        Ok(self)
    }

    fn set_header<T: Cell>(&mut self, column: Column<T>, bytes: &[u8]) {
        let start = column.position(0) as usize * 4;
        if let Some(place) = self.rows.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Turns parts with the layout [`Lazy`](Layout::Lazy) into tables that own them. `digest` computes the SHA-256
    /// of a file on first use.
    pub fn into_lazy_tables(self, digest: fn(&[u8]) -> [u8; 32]) -> Tables {
        Tables::lazy(self.bytes, self.rows, digest)
    }

    /// Turns parts with the layout [`Separate`](Layout::Separate) and their files into tables that own them.
    /// Some of the files are read when they are first used.
    pub fn into_late_tables(self, pieces: Vec<Piece>, read: ReadLate) -> Tables {
        Tables::late(self.bytes, self.rows, Pieces::new(pieces, read))
    }
}

/// Writes the tables of skills, whose names must be unique.
///
/// The catalogs rendered with them have at most `budget` tokens.
///
/// # Errors
/// [`TooLarge`] if an offset does not fit 32 bits.
pub fn write(skills: &[CompiledSkill<'_>], layout: Layout, budget: usize) -> Result<Parts, TooLarge> {
    let by_name = order(skills.len(), &|a, b| skills[a].facts.name.cmp(&skills[b].facts.name));
    let skills: Vec<&CompiledSkill<'_>> = by_name.into_iter().map(|at| &skills[at]).collect();
    let mut writer = SectionWriter { layout, pieces: 1, ..SectionWriter::default() };
    // The names come first and next to each other, so that a look-up reads nothing else.
    for skill in &skills {
        let name = writer.tables.text(&skill.facts.name)?;
        writer.names.extend(name.0);
    }
    let (all_tools, tools) = writer.tools(&skills)?;
    for (skill, tools) in skills.iter().zip(tools) {
        writer.skill(skill, tools)?;
    }
    let [prompt_skills, prompt_agent_skills] = writer.prompts(&skills, budget)?;
    let (mut search, mut terms) = (Vec::new(), String::new());
    // Programs have the search index at start.
    if layout != Layout::Lazy {
        (search, terms) = search::write(skills.iter().map(|skill| IndexedTexts::from(*skill)));
    }
    let names = Header::WIDTH;
    let skill_rows = end(names, &writer.names)?;
    let files = end(skill_rows, &writer.skills)?;
    let texts = end(files, &writer.files)?;
    let servers = end(texts, &writer.tables.texts)?;
    let header = Header {
        format: crate::FORMAT,
        count: size(skills.len())?,
        has_capabilities: skills.iter().any(|skill| skill.facts.is_gated()),
        names,
        skills: skill_rows,
        files,
        texts,
        servers,
        search: end(servers, &writer.tables.servers)?,
        search_terms: writer.tables.text(&terms)?,
        prompt_skills,
        prompt_agent_skills,
        budget: u32::try_from(budget).unwrap_or(u32::MAX),
        tools: all_tools,
        digest: [0; 32],
        program_version: TextPlace::ABSENT,
        stub: TextPlace::ABSENT,
    };
    let mut words = Vec::new();
    header.write(&mut writer.tables, &mut words)?;
    let SectionWriter { tables: TableWriter { bytes, texts, servers, .. }, names, skills, files, .. } =
        writer;
    let mut rows = Vec::new();
    for section in [words, names, skills, files, texts, servers, search] {
        push_words(&mut rows, &section);
    }
    Ok(Parts { bytes, rows })
}

/// Returns the position after a section.
fn end(start: u32, section: &[u32]) -> Result<u32, TooLarge> {
    start.checked_add(size(section.len())?).ok_or(TooLarge)
}

/// The sections that are being written.
#[derive(Default)]
struct SectionWriter {
    layout: Layout,
    /// The texts so far, and the rows that other rows refer to.
    tables: TableWriter,
    names: Vec<u32>,
    skills: Vec<u32>,
    files: Vec<u32>,
    /// The places of file contents, by digest.
    contents: HashMap<[u8; 32], TextPlace>,
    pieces: u32,
}

impl SectionWriter {
    fn skill(&mut self, skill: &CompiledSkill<'_>, tools: ToolPlaces) -> Result<(), TooLarge> {
        let facts = &*skill.facts;
        let files = RowRange([size(self.files.len())? / FileRow::WIDTH, size(skill.files.len())?]);
        let mut contents = Vec::with_capacity(skill.files.len());
        for file in &skill.files {
            contents.push((file.path, self.file(file)?));
        }
        let prompt = facts.function.as_ref().and_then(|function| function.prompt.as_ref());
        let schemas = facts.function.is_some().then_some(skill.schemas);
        let mut numbers = Vec::new();
        push_words(&mut numbers, skill.checker.map_or(&[], |(numbers, _)| numbers));
        let row = SkillRow {
            location: self.tables.text(&skill.location())?,
            is_on_disk: skill.location.is_some(),
            is_remote: skill.is_remote,
            body: part(&contents, facts.body.as_ref().map(|range| ("SKILL.md", range)))?,
            prompt: part(&contents, prompt.map(|(path, range)| (*path, range)))?,
            input_schema: self.tables.optional(schemas.map(|[input, _]| input))?,
            output_schema: self.tables.optional(schemas.map(|[_, output]| output))?,
            checker_numbers: self.tables.bytes(&numbers)?,
            checker_text: self.tables.optional(skill.checker.map(|(_, text)| text))?,
            tools,
            files,
            // Digests are computed on first use.
            digest: if self.layout == Layout::Lazy { [0; 32] } else { skill.digest },
        };
        let mut words = Vec::with_capacity((SkillRow::WIDTH + Facts::WIDTH) as usize);
        row.write(&mut self.tables, &mut words)?;
        facts.write(&mut self.tables, &mut words)?;
        self.skills.append(&mut words);
        Ok(())
    }

    /// Writes a file, and returns the place of its contents.
    fn file(&mut self, given: &CompiledFile<'_>) -> Result<ContentPlace, TooLarge> {
        let content = if self.layout == Layout::Separate {
            self.pieces = self.pieces.checked_add(1).ok_or(TooLarge)?;
            ContentPlace([self.pieces - 1, 0, size(given.bytes.len())?])
        } else {
            let known = self.contents.get(&given.sha256).filter(|_| self.layout == Layout::Joined);
            let place = match known {
                Some(place) => *place,
                None => self.tables.bytes(given.bytes)?,
            };
            self.contents.insert(given.sha256, place);
            ContentPlace([0, place.0[0], place.0[1]])
        };
        let path = self.tables.shared(given.path)?;
        let row = FileRow { path, content, executable: given.executable, sha256: given.sha256 };
        let mut words = Vec::with_capacity(FileRow::WIDTH as usize);
        row.write(&mut self.tables, &mut words)?;
        self.files.append(&mut words);
        Ok(content)
    }

    /// Writes the tool definitions of each format as one JSON array, and returns the places of the arrays, and of the
    /// definitions of each skill. A definition is a slice of the array's text, so both are read in place. Definitions that
    /// require a capability follow the array.
    fn tools(&mut self, skills: &[&CompiledSkill<'_>]) -> Result<(ToolPlaces, Vec<ToolPlaces>), TooLarge> {
        let absent = [TextPlace::ABSENT; ToolFormat::ALL.len()];
        let (mut arrays, mut places) = (absent, vec![absent; skills.len()]);
        for format in 0..absent.len() {
            let start = size(self.tables.bytes.len())?;
            let mut separator = "[";
            for (skill, places) in skills.iter().zip(&mut places).filter(|(skill, _)| !skill.facts.is_gated())
            {
                if let Some(tool) = &skill.tools[format] {
                    self.tables.text(std::mem::replace(&mut separator, ","))?;
                    places[format] = self.tables.text(tool)?;
                }
            }
            self.tables.text(if separator == "[" { "[]" } else { "]" })?;
            arrays[format] = TextPlace([start, size(self.tables.bytes.len())? - start]);
            for (skill, places) in skills.iter().zip(&mut places).filter(|(skill, _)| skill.facts.is_gated())
            {
                if let Some(tool) = &skill.tools[format] {
                    places[format] = self.tables.text(tool)?;
                }
            }
        }
        Ok((arrays, places))
    }

    /// Renders the catalogs that do not depend on the host.
    fn prompts(&mut self, skills: &[&CompiledSkill<'_>], budget: usize) -> Result<[TextPlace; 2], TooLarge> {
        let mut texts = Vec::with_capacity(skills.len());
        for skill in skills.iter().filter(|skill| skill.facts.is_offered() && !skill.facts.is_gated()) {
            let when = skill.facts.declared.when_to_use.as_deref();
            texts.push((&*skill.facts.name, skill.location(), offer(&skill.facts.description, when)));
        }
        let mut entries = Vec::with_capacity(texts.len());
        for (name, location, description) in &texts {
            entries.push(CatalogEntry { name, description, location, installed: true });
        }
        let skills = catalog::render(&entries, Style::Skills, catalog::LOADER, budget);
        let agent_skills = catalog::render(&entries, Style::AgentSkills, catalog::LOADER, budget);
        Ok([self.tables.text(&skills)?, self.tables.text(&agent_skills)?])
    }
}

/// Returns the place of a part of a file, given by the path of the file and a range in it. It is empty if there is no such
/// file, and absent if there is no such part.
fn part(
    contents: &[(&str, ContentPlace)],
    part: Option<(&str, &Range<usize>)>,
) -> Result<ContentPlace, TooLarge> {
    let Some((path, range)) = part else { return Ok(ContentPlace::ABSENT) };
    let Some((_, ContentPlace([piece, start, _]))) = contents.iter().find(|(known, _)| *known == path) else {
        return Ok(ContentPlace::EMPTY);
    };
    let start = start.checked_add(size(range.start)?).ok_or(TooLarge)?;
    Ok(ContentPlace([*piece, start, size(range.len())?]))
}
