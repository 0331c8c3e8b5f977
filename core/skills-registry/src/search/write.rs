//! Writes the search index of skills.

use super::numbers::Numbers;
use super::terms::parts_of_words;
use super::vocabulary::{DOCUMENTS, HEADER, IMPACT_BITS, MAX_DOCUMENTS, ROW, TERMS};
use crate::facts::CompiledSkill;
use crate::rows::{self, Row, push_words};
use crate::skill::Skill;
use crate::tables::{Tables, utf8};
use skills_text::floor;
use skills_text::json::{self, Node};

/// The weight of a word in each field.
const NAME: u16 = 12;
const WORDS: u16 = 8;
const DESCRIPTION: u16 = 6;
const HEADING: u16 = 4;
const PARAMETER: u16 = 3;
const BODY: u16 = 2;
const CHOICE: u16 = 2;
const PARAMETER_DESCRIPTION: u16 = 1;

/// Keywords of JSON Schema whose members or items are schemas, too.
const GROUPS_OF_SCHEMAS: [&str; 5] = ["$defs", "definitions", "allOf", "anyOf", "oneOf"];

/// The number of body bytes whose words count as `BODY`. The start of a body says what a skill is about.
const START_BYTES: usize = 1536;
/// The maximum number of further body bytes to read, apart from headings.
const REST_BYTES: usize = 64 * 1024;
/// The weight of a word in the rest of the body. The score of the rest takes only the length of the rest into
/// account, so that a long body does not lower the weight of the description.
const REST: f32 = 0.25;

/// The constants of BM25: how quickly repetitions of a term stop adding to the score, and how much the length
/// of a text matters.
const SATURATION: f32 = 2.4;
const LENGTH: f32 = 0.5;
/// The length of a text whose words count as they are; words of a longer text count less. It is fixed, because a word
/// must weigh the same in a layer of short skills and in a layer of long ones.
const USUAL_LENGTH: f32 = 200.0;

/// The texts of a skill that a search finds.
pub(crate) struct IndexedTexts<'a> {
    name: &'a str,
    trigger: &'a str,
    tags: Vec<&'a str>,
    description: &'a str,
    body: &'a str,
    /// The JSON Schema of the input. Empty for a skill that is not a function.
    input: &'a str,
}

impl<'a> From<&'a CompiledSkill<'a>> for IndexedTexts<'a> {
    fn from(skill: &'a CompiledSkill<'a>) -> Self {
        let facts = &skill.facts;
        let document = skill.files.iter().find(|file| file.path == "SKILL.md");
        let body = document.zip(facts.body.clone()).and_then(|(file, range)| file.bytes.get(range));
        Self {
            name: &facts.name,
            trigger: facts.declared.trigger.as_deref().unwrap_or_default(),
            tags: facts.tags.iter().map(|tag| &**tag).collect(),
            description: &facts.description,
            body: body.map(utf8).unwrap_or_default(),
            input: skill.input(),
        }
    }
}

impl<'a> From<Skill<'a>> for IndexedTexts<'a> {
    fn from(skill: Skill<'a>) -> Self {
        Self {
            name: skill.name(),
            trigger: skill.trigger().unwrap_or_default(),
            tags: skill.tags().collect(),
            description: skill.description(),
            body: skill.body(),
            input: skill.input_document().map_or("", |(_, text)| text),
        }
    }
}

/// An index outside the tables.
pub(crate) struct SearchIndex {
    pub(super) words: Vec<u8>,
    pub(super) terms: String,
}

impl SearchIndex {
    /// Computes the index of all skills in tables.
    pub(crate) fn from_tables(tables: &Tables) -> Self {
        let numbers = 0..Row::header(tables).get(rows::HEADER.count);
        let (written, terms) = write(numbers.map(|row| Skill::new(tables, row).into()));
        let mut words = Vec::with_capacity(written.len() * 4);
        push_words(&mut words, &written);
        Self { words, terms }
    }
}

/// Writes the index of skills, in row order: the words, and the text with the terms.
///
/// If there are more skills than a posting can refer to, the index is empty and searches find nothing.
pub(crate) fn write<'a>(skills: impl Iterator<Item = IndexedTexts<'a>>) -> (Vec<u32>, String) {
    let mut gathered = Gathered::default();
    for skill in skills {
        if gathered.skills.len() >= MAX_DOCUMENTS {
            return (Vec::new(), String::new());
        }
        gathered.add(&skill);
    }
    gathered.written()
}

/// A term of a skill: its number, its weighted count, and its count in the rest of the body.
#[derive(Clone, Copy)]
struct Count {
    term: u32,
    weight: u16,
    rest: u16,
}

/// The field of a word: a field with a weight, or the rest of the body.
#[derive(Clone, Copy)]
enum Field {
    Weighted(u16),
    Rest,
}

/// The lengths of a skill: the end of its counts, the sum of its weighted counts, and the sum of its counts
/// in the rest of the body.
#[derive(Clone, Copy)]
struct Lengths {
    end: usize,
    weighted: u32,
    rest: u32,
}

#[derive(Default)]
struct Gathered {
    numbers: Numbers,
    /// The number of skills that have each term.
    frequencies: Vec<u32>,
    /// The position of each term's count in the current skill, from 1.
    places: Vec<u32>,
    counts: Vec<Count>,
    skills: Vec<Lengths>,
}

impl Gathered {
    fn add(&mut self, skill: &IndexedTexts<'_>) {
        let start = self.counts.len();
        self.count_identifier(skill.name, NAME);
        self.count(skill.trigger, Field::Weighted(WORDS));
        for tag in &skill.tags {
            self.count(tag, Field::Weighted(WORDS));
        }
        self.count(skill.description, Field::Weighted(DESCRIPTION));
        let (start_of_body, rest) = skill.body.split_at(floor(skill.body, START_BYTES));
        self.count_body(start_of_body, Field::Weighted(BODY));
        let (rest, beyond) = rest.split_at(floor(rest, REST_BYTES));
        self.count_body(rest, Field::Rest);
        for line in beyond.split('\n').filter(|line| line.starts_with('#')) {
            self.count(line, Field::Weighted(HEADING));
        }
        if let Some(schema) = json::object_in(skill.input) {
            self.count_parameters(&schema);
        }
        let mut lengths = Lengths { end: self.counts.len(), weighted: 0, rest: 0 };
        for count in &self.counts[start..] {
            lengths.weighted += u32::from(count.weight);
            lengths.rest += u32::from(count.rest);
            self.frequencies[count.term as usize] += 1;
            self.places[count.term as usize] = 0;
        }
        self.skills.push(lengths);
    }

    fn count_body(&mut self, text: &str, field: Field) {
        for line in text.split('\n') {
            self.count(line, if line.starts_with('#') { Field::Weighted(HEADING) } else { field });
        }
    }

    /// Counts the names, descriptions and choices of the properties that a schema describes.
    fn count_parameters(&mut self, schema: &Node) {
        for property in schema.get("properties").map(Node::members).unwrap_or_default() {
            self.count_identifier(&property.key, PARAMETER);
            if let Some(description) = property.value.get("description").and_then(Node::as_str) {
                self.count(description, Field::Weighted(PARAMETER_DESCRIPTION));
            }
            let choices = property.value.get("enum").map(Node::items).unwrap_or_default();
            for choice in choices.iter().filter_map(Node::as_str) {
                self.count(choice, Field::Weighted(CHOICE));
            }
            self.count_parameters(&property.value);
        }
        if let Some(items) = schema.get("items") {
            self.count_parameters(items);
        }
        for group in GROUPS_OF_SCHEMAS.iter().filter_map(|keyword| schema.get(keyword)) {
            for schema in group.items().iter().chain(group.members().iter().map(|member| &member.value)) {
                self.count_parameters(schema);
            }
        }
    }

    /// Counts the words of an identifier, and the parts of each word: `sendMail2` also counts as `send`, `mail` and `2`.
    fn count_identifier(&mut self, text: &str, weight: u16) {
        self.count(text, Field::Weighted(weight));
        for part in parts_of_words(text) {
            self.count(part, Field::Weighted(weight));
        }
    }

    fn count(&mut self, text: &str, field: Field) {
        let (weight, rest) = match field {
            Field::Weighted(weight) => (weight, 0),
            Field::Rest => (0, 1),
        };
        super::terms::words(text, &mut |word| {
            let Some(term) = self.numbers.number(word) else { return };
            if term as usize == self.places.len() {
                self.places.push(0);
                self.frequencies.push(0);
            }
            let place = self.places[term as usize];
            if place == 0 {
                self.counts.push(Count { term, weight, rest });
                self.places[term as usize] = self.counts.len() as u32;
            } else {
                let count = &mut self.counts[place as usize - 1];
                count.weight = count.weight.saturating_add(weight);
                count.rest = count.rest.saturating_add(rest);
            }
        });
    }

    fn written(self) -> (Vec<u32>, String) {
        let vocabulary = self.numbers.sorted();
        let mut words = vec![0; HEADER as usize];
        words[DOCUMENTS as usize] = self.skills.len() as u32;
        words[TERMS as usize] = vocabulary.len() as u32;
        let mut text = String::new();
        let mut next = vec![0; vocabulary.len()];
        let mut at = 0;
        for (term, number) in vocabulary {
            words.extend([text.len() as u32, at]);
            text.push_str(term);
            next[number as usize] = at as usize;
            at += self.frequencies[number as usize];
        }
        words.extend([text.len() as u32, at]);
        debug_assert_eq!(words.len(), (HEADER + (words[TERMS as usize] + 1) * ROW) as usize);

        let postings = words.len();
        words.resize(postings + at as usize, 0);
        let mut start = 0;
        for (skill, lengths) in self.skills.iter().enumerate() {
            let norm = 1.0 - LENGTH + LENGTH * lengths.weighted as f32 / USUAL_LENGTH;
            let norm_rest = (1.0 - LENGTH + LENGTH * lengths.rest as f32 / USUAL_LENGTH) / REST;
            for count in &self.counts[start..lengths.end] {
                let weight = f32::from(count.weight) / norm + f32::from(count.rest) / norm_rest;
                let impact = (weight / (weight + SATURATION) * ((1 << IMPACT_BITS) - 1) as f32) as u32;
                let place = &mut next[count.term as usize];
                words[postings + *place] = (skill as u32) << IMPACT_BITS | impact;
                *place += 1;
            }
            start = lengths.end;
        }
        (words, text)
    }
}

/// Returns the weight of a term from the number of skills that have it (inverse document frequency).
pub(super) fn rarity(documents: f32, frequency: f32) -> f32 {
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}
