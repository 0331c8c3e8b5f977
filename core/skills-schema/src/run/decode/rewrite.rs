//! Writes a value again, with defaults inserted, or with common mistakes of models repaired.

use super::{decode_str, parse_str};
use crate::json::quoted;
use crate::json::reader::{JsonReader, ValueType};
use crate::pointer::Path;
use crate::run::check::{CheckRun, SchemaFault, Verdict, per_step};
use crate::run::source::{Cursor, ValueStream as _};
use crate::run::{check_text, conclude, validate_str};
use crate::tables::{array, kind, logic, node, object};
use crate::tape::Tape;
use crate::{Invalid, Tables};
use std::borrow::Cow;
use std::collections::HashSet;

/// A repair by [`repair_str`]. Displayed as `POINTER: a string for a number`, with `(root)` for the root.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// JSON pointer to the value in the original text.
    pub pointer: String,
    /// The mistake: `null for an absent property`, `a string for a number`, …
    pub what: &'static str,
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pointer = if self.pointer.is_empty() { "(root)" } else { &self.pointer };
        write!(f, "{pointer}: {}", self.what)
    }
}

/// The result of [`repair_str`]: a valid text, and the list of repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The valid text.
    pub text: String,
    /// The repairs in text order. Empty if the text was valid.
    pub repairs: Vec<Repair>,
}

/// Checks JSON text and returns it with the defaults of absent properties inserted, and without spaces between its
/// tokens. A text that this leaves unchanged is borrowed.
///
/// A default is inserted only if its own schema accepts it. Defaults inside defaults are inserted too.
///
/// # Errors
/// See [`validate_str`].
///
/// ```
/// use skills_schema::{insert_defaults, lower};
///
/// let schema = r#"{"properties": {"limit": {"type": "integer", "default": 10}}}"#;
/// let tables = lower::lower(schema, &lower::DocumentOptions::default()).tables;
/// assert_eq!(insert_defaults(&tables, "{}").unwrap(), r#"{"limit":10}"#);
/// ```
pub fn insert_defaults<'a>(tables: &Tables, text: &'a str) -> Result<Cow<'a, str>, Invalid> {
    let decoded = match tables.has_defaults() {
        true => decode_str(tables, text)?,
        false if check_text(tables, None, text)? => return Ok(Cow::Borrowed(text)),
        false => parse_str(text)?,
    };
    write(tables, &decoded.tape, text, Mode::Defaults).map(|repaired| Cow::Owned(repaired.text))
}

/// Checks JSON text leniently and repairs values that the schema refuses: `null` for an absent optional
/// property, `"3"` for 3, `"true"` for true, and JSON text in a string for an array or object.
///
/// # Errors
/// See [`validate_str`]; applies to the text after the repairs.
///
/// ```
/// use skills_schema::{lower, repair_str};
///
/// let schema = r#"{"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}"#;
/// let tables = lower::lower(schema, &lower::DocumentOptions::default()).tables;
/// let repaired = repair_str(&tables, r#"{"n": "3", "s": null}"#).unwrap();
/// assert_eq!(repaired.text, r#"{"n":3}"#);
/// assert_eq!(repaired.repairs[0].pointer, "/n");
/// ```
pub fn repair_str(tables: &Tables, text: &str) -> Result<Repaired, Invalid> {
    if validate_str(tables, text).is_ok() {
        return Ok(Repaired { text: text.to_owned(), repairs: Vec::new() });
    }
    let repaired = write(tables, &parse_str(text)?.tape, text, Mode::Repair)?;
    validate_str(tables, &repaired.text)?;
    Ok(repaired)
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Defaults,
    Repair,
}

/// Writes the value that is on a tape. `text` is the text from which the value was read.
fn write(tables: &Tables, tape: &Tape<'_>, text: &str, mode: Mode) -> Result<Repaired, Invalid> {
    let run = CheckRun::new(tables, text.len(), true);
    let mut writer = Writer {
        run,
        mode,
        out: String::with_capacity(text.len()),
        repairs: Vec::new(),
        inserting: Vec::new(),
        unwrapping: 0,
    };
    let root = writer.run.tables.root().unwrap_or(0);
    let written = writer.value(Cursor::new(tape), vec![root], &Path::Root);
    let Writer { run, out, repairs, .. } = writer;
    conclude(run, written.map(|()| true), text)?;
    Ok(Repaired { text: out, repairs })
}

struct Writer<'t> {
    run: CheckRun<'t>,
    mode: Mode,
    out: String,
    repairs: Vec<Repair>,
    /// Nodes whose default is being written, so that recursive schemas terminate.
    inserting: Vec<u32>,
    /// The number of nested strings that are being read as JSON.
    unwrapping: u32,
}

/// The maximum number of nested strings to read as JSON.
const UNWRAPPED: u32 = 2;

impl Writer<'_> {
    /// Returns all nodes that apply to a value, following references and matching branches.
    fn applicable(
        &mut self,
        value: Cursor<'_>,
        mut nodes: Vec<u32>,
        path: &Path<'_>,
    ) -> Result<Vec<u32>, SchemaFault> {
        let tables = self.run.tables;
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            at += 1;
            let block = tables.word(node + node::LOGIC);
            if node == 0 || block == 0 {
                continue;
            }
            let mut more = vec![tables.word(block + logic::REF), self.run.target(block)];
            more.extend(tables.list(tables.word(block + logic::ALL)));
            for list in [logic::ANY, logic::ONE] {
                more.extend(self.branches(value, tables.word(block + list), path)?);
            }
            let condition = tables.word(block + logic::IF);
            if condition != 0 {
                let met = self.run.quietly(value, condition, path, None)?;
                more.push(tables.word(block + if met { logic::THEN } else { logic::ELSE }));
            }
            for node in more {
                if node != 0 && !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
        }
        Ok(nodes)
    }

    /// Returns the branches that accept the value or, if none does, the branches that allow its kind.
    fn branches(
        &mut self,
        mut value: Cursor<'_>,
        list: u32,
        path: &Path<'_>,
    ) -> Result<Vec<u32>, SchemaFault> {
        let tables = self.run.tables;
        let mut fitting = Vec::new();
        for &node in tables.list(list) {
            if self.run.quietly(value, node, path, None)? {
                fitting.push(node);
            }
        }
        if fitting.is_empty() {
            let kind = value.bit()?;
            let list = tables.list(list).iter();
            fitting.extend(list.filter(|node| tables.word(*node + node::KINDS) & kind != 0));
        }
        Ok(fitting)
    }

    /// Returns the kinds that all of the nodes allow.
    fn kinds(&self, nodes: &[u32]) -> u32 {
        let tables = self.run.tables;
        let mut kinds = kind::ALL;
        for node in nodes.iter().filter(|node| **node != 0) {
            kinds &= tables.word(node + node::KINDS);
            let block = tables.word(node + node::LOGIC);
            if block == 0 {
                continue;
            }
            for list in [logic::ANY, logic::ONE].map(|place| tables.word(block + place)) {
                if list != 0 {
                    kinds &= tables.kinds(list);
                }
            }
        }
        kinds
    }

    /// Returns `true` if a value is written unchanged whatever its schema is: nothing is inserted into a
    /// scalar.
    fn is_kept(&self, value: Cursor<'_>) -> bool {
        self.mode == Mode::Defaults && !value.token().is_container()
    }

    fn value(&mut self, value: Cursor<'_>, nodes: Vec<u32>, path: &Path<'_>) -> Result<(), SchemaFault> {
        self.run.spend(1, path)?;
        let nodes = self.applicable(value, nodes, path)?;
        let token = value.token();
        if self.mode == Mode::Repair
            && token.kind == ValueType::String
            && self.kinds(&nodes) & kind::STRING == 0
            && self.unwrapped(value.text(), &nodes, path)?
        {
            return Ok(());
        }
        match token.kind {
            ValueType::Object => self.object(value, &nodes, path),
            ValueType::Array => {
                self.out.push('[');
                for (i, item) in value.inside().enumerate() {
                    self.out.push_str(if i == 0 { "" } else { "," });
                    if self.is_kept(item) {
                        item.write(&mut self.out);
                        continue;
                    }
                    let nodes = self.item_nodes(&nodes, i);
                    self.value(item, nodes, &Path::Index(path, i))?;
                }
                self.out.push(']');
                Ok(())
            }
            _ => {
                value.write(&mut self.out);
                Ok(())
            }
        }
    }

    /// Writes the JSON value inside a string if its kind is allowed.
    fn unwrapped(&mut self, text: &str, nodes: &[u32], path: &Path<'_>) -> Verdict {
        let mut tape = Tape::over(text);
        let mut reader = JsonReader::new(text);
        if self.unwrapping >= UNWRAPPED || tape.read(&mut reader).and_then(|()| reader.finish()).is_err() {
            return Ok(false);
        }
        let held = Cursor::new(&tape).bit()?;
        let what = match held {
            kind::INTEGER | kind::NUMBER => "a string for a number",
            kind::BOOL => "a string for a boolean",
            kind::ARRAY => "a string for an array",
            kind::OBJECT => "a string for an object",
            _ => return Ok(false),
        };
        if self.kinds(nodes) & held == 0 {
            return Ok(false);
        }
        self.repairs.push(Repair { pointer: path.pointer(), what });
        self.unwrapping += 1;
        self.value(Cursor::new(&tape), nodes.to_vec(), path)?;
        self.unwrapping -= 1;
        Ok(true)
    }

    fn item_nodes(&self, nodes: &[u32], index: usize) -> Vec<u32> {
        let tables = self.run.tables;
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let blocks = nodes.iter().map(|node| tables.word(node + node::ARRAY)).filter(|block| *block != 0);
        let items = blocks.map(|block| {
            let is_fixed = index < tables.word(block + array::PREFIX);
            tables.word(block + if is_fixed { array::FIRST + index } else { array::ITEMS })
        });
        items.filter(|node| *node != 0).collect()
    }

    /// Returns the nodes of a property, and whether one of the schemas requires it.
    fn member_nodes(
        &mut self,
        nodes: &[u32],
        key: &str,
        path: &Path<'_>,
    ) -> Result<(Vec<u32>, bool), SchemaFault> {
        let tables = self.run.tables;
        let (mut found, mut required) = (Vec::new(), false);
        for block in nodes.iter().map(|node| tables.word(node + node::OBJECT)).filter(|block| *block != 0) {
            let mut known = false;
            if let Some(i) = self.run.property(block, key, 0) {
                let entry = block + object::FIRST + i * object::STRIDE;
                required |= tables.word(entry + 3) & object::REQUIRED != 0;
                known = tables.word(entry + 3) & object::DECLARED != 0;
                found.push(tables.word(entry + 2));
            }
            let patterns = tables.word(block + object::PATTERNS);
            if patterns != 0 {
                let also = self.run.matching(patterns, key, path)?;
                known |= !also.is_empty();
                found.extend(also);
            }
            if !known {
                found.push(tables.word(block + object::ADDITIONAL));
            }
        }
        found.retain(|node| *node != 0);
        Ok((found, required))
    }

    fn object(&mut self, value: Cursor<'_>, nodes: &[u32], path: &Path<'_>) -> Result<(), SchemaFault> {
        self.out.push('{');
        let mut first = true;
        for (key, member) in value.members() {
            if self.is_kept(member) {
                self.key(key, &mut first);
                member.write(&mut self.out);
                continue;
            }
            let here = Path::Key(path, key);
            let (nodes, required) = self.member_nodes(nodes, key, &here)?;
            let null = member.token().kind == ValueType::Null;
            if self.mode == Mode::Repair && null && !required && self.kinds(&nodes) & kind::NULL == 0 {
                self.repairs.push(Repair { pointer: here.pointer(), what: "null for an absent property" });
                continue;
            }
            self.key(key, &mut first);
            self.value(member, nodes, &here)?;
        }
        if self.mode == Mode::Defaults {
            self.defaults(value, nodes, &mut first, path)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn key(&mut self, key: &str, first: &mut bool) {
        self.out.push_str(if std::mem::take(first) { "" } else { "," });
        quoted(&mut self.out, key);
        self.out.push(':');
    }

    /// Writes the defaults of absent properties of the object.
    fn defaults(
        &mut self,
        value: Cursor<'_>,
        nodes: &[u32],
        first: &mut bool,
        path: &Path<'_>,
    ) -> Result<(), SchemaFault> {
        let tables = self.run.tables;
        let mut present: HashSet<&str> = HashSet::new();
        for block in nodes.iter().map(|node| tables.word(node + node::OBJECT)).filter(|block| *block != 0) {
            let count = tables.word(block + object::COUNT);
            self.run.spend(count as usize / per_step::PROPERTIES, path)?;
            for i in 0..count {
                let entry = block + object::FIRST + i * object::STRIDE;
                let (name, node, text) =
                    (tables.text_at(entry), tables.word(entry + 2), tables.text_at(entry + 4));
                if text.is_empty() || self.inserting.contains(&node) {
                    continue;
                }
                if present.is_empty() {
                    present.extend(value.members().map(|(key, _)| key));
                }
                if present.contains(name) {
                    continue;
                }
                // A short value can cause many long defaults, so each written byte counts as work.
                self.run.spend(text.len(), path)?;
                let mut tape = Tape::over(text);
                // The text was written from a tree, so it is valid JSON.
                tape.read(&mut JsonReader::new(text))?;
                let here = Path::Key(path, name);
                if self.run.quietly(Cursor::new(&tape), node, &here, None)? {
                    present.insert(name);
                    self.key(name, first);
                    self.inserting.push(node);
                    self.value(Cursor::new(&tape), vec![node], &here)?;
                    self.inserting.pop();
                }
            }
        }
        Ok(())
    }
}
