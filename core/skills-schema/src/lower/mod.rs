//! Compiles schema text to tables and problems: read, index the documents, write one node for each reachable
//! schema.
//!
//! After this stage, the tables are complete: every reference is an index, every pattern a program, every
//! name a number. If a problem is an error, the tables are well formed but must not be used.

mod advice;
mod containers;
mod logic;
mod scalars;
mod writer;

pub use crate::document::{DocumentOptions, Formats};
pub use crate::draft::Draft;
pub use crate::problem::{ProblemKind, SchemaLevel, SchemaProblem};

use crate::document::{Document, Part, Value};
use crate::tables::{Tables, header, kind, node};
use crate::{Violation, run};
use skills_text::{Places, sort};
use writer::Writer;

/// A lowered schema: the document, its tables, and its problems.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The document, with the defaults that break their schemas marked.
    pub document: Document,
    /// The tables. They refuse every value if the text could not be read.
    pub tables: Tables,
    /// Errors and warnings, sorted by document and position.
    pub problems: Vec<SchemaProblem>,
    /// The node of each reachable part of the document, or 0.
    nodes: Vec<u32>,
}

impl Lowered {
    /// Returns `true` if a problem is an error.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.level() == SchemaLevel::Error)
    }

    /// Returns the rules of a part of the schema that a JSON text breaks.
    ///
    /// Empty if the schema has errors, if the part has no rules, or if the text is not JSON.
    pub fn violations(&self, schema: Part<'_>, text: &str) -> Vec<Violation> {
        let mut part = schema;
        let mut node = 0;
        // A schema with only a reference does not have its own node.
        for _ in 0..16 {
            node = self.nodes.get(part.number() as usize).copied().unwrap_or(0);
            let Some(target) = part.plain_reference().filter(|_| node == 0) else { break };
            part = target;
        }
        if node == 0 || self.has_errors() {
            return Vec::new();
        }
        match run::check_text(&self.tables, Some(node), text) {
            Err(crate::Invalid::Violations(violations)) => violations,
            _ => Vec::new(),
        }
    }
}

/// Reads and lowers a schema. Never fails: errors are in [`Lowered::problems`].
///
/// ```
/// use skills_schema::lower::{SchemaLevel, DocumentOptions, lower};
///
/// let lowered = lower(r#"{"type": "strnig"}"#, &DocumentOptions::default());
/// assert_eq!(lowered.problems[0].kind.to_string(), "unknown type `strnig`");
/// assert_eq!(lowered.problems[0].level(), SchemaLevel::Error);
/// ```
pub fn lower(text: &str, options: &DocumentOptions<'_>) -> Lowered {
    lower_document(Document::read(text, options))
}

#[cfg(debug_assertions)]
thread_local! {
    static LOWERED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the number of schemas that this thread has lowered, so that tests can check for repeated work.
/// Only in debug builds.
#[cfg(debug_assertions)]
#[doc(hidden)]
pub fn count() -> usize {
    LOWERED.get()
}

/// Lowers a document.
pub fn lower_document(mut document: Document) -> Lowered {
    #[cfg(debug_assertions)]
    LOWERED.set(LOWERED.get() + 1);
    let mut problems = document.faults.clone();
    if !document.is_read {
        return Lowered { document, tables: refuse(), problems: sorted(&problems), nodes: Vec::new() };
    }
    let mut lowering = Lowering {
        document: &document,
        used: vec![false; document.resources.len()],
        writer: Writer::new(),
        placed: vec![0; document.entries.len()],
        queue: Vec::new(),
        names: Places::default(),
        ends: vec![End::Unknown; document.entries.len()],
        suggested: 0,
        definitions: Vec::new(),
        branches: vec![false; document.entries.len()],
        defaults: Vec::new(),
        problems,
    };
    lowering.run();
    let nodes = lowering.placed.clone();
    let has_unused = lowering.definitions.iter().any(|schema| nodes[schema.number() as usize] == 0);
    let used = has_unused.then(|| lowering.writer.clone().finish());
    lowering.unused();
    let Lowering { writer, defaults, .. } = lowering;
    problems = lowering.problems;
    let built = writer.finish();
    let mut unfit = None;
    if problems.iter().all(|problem| problem.level() == SchemaLevel::Warning) {
        let found = advice::defaults(&built, &document, &defaults);
        unfit = Some(found.iter().map(|(default, _)| *default).collect());
        problems.extend(found.into_iter().map(|(default, violations)| {
            let default = document.part(default);
            let kind = ProblemKind::DefaultMismatch { violations };
            SchemaProblem { kind, span: default.span(), document: default.source() }
        }));
    }
    problems.retain(|problem| document.is_given(problem.document));
    let (tables, problems) = (used.unwrap_or(built), sorted(&problems));
    document.unfit = unfit;
    Lowered { document, tables, problems, nodes }
}

/// Returns the problems sorted by document and position, without duplicates.
fn sorted(problems: &[SchemaProblem]) -> Vec<SchemaProblem> {
    let mut sorted = problems.to_vec();
    sort(&mut sorted, &|a, b| (a.document, a.span.start).cmp(&(b.document, b.span.start)));
    sorted.dedup();
    sorted
}

/// Returns the tables of the schema `false`.
fn refuse() -> Tables {
    let mut writer = Writer::new();
    let root = writer.reserve(node::WORDS);
    writer.set(root + node::TYPES, node::NOTHING);
    writer.set(header::ROOT, root);
    writer.finish()
}

/// The target of a schema that is only a reference, after following further such references.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Unknown,
    /// The reference is being followed.
    Open,
    /// Leads to the part with this number.
    Found(u32),
    /// Leads to itself.
    Loop,
}

struct Lowering<'d> {
    document: &'d Document,
    /// The resources that have a schema in the tables.
    used: Vec<bool>,
    writer: Writer,
    /// The node of each part, or 0.
    placed: Vec<u32>,
    /// Nodes that are not written yet.
    queue: Vec<(u32, Part<'d>)>,
    /// Names of dynamic anchors that references look for; the empty name is `$recursiveAnchor`.
    names: Places,
    /// The target of each part that is only a reference.
    ends: Vec<End>,
    /// How many required names have been compared with all properties so far.
    suggested: usize,
    /// The definitions that were found, and other schemas that may never apply to a value.
    definitions: Vec<Part<'d>>,
    /// The parts that apply to the same value as the schema that contains them.
    branches: Vec<bool>,
    /// Each `default` that was found, with its node.
    defaults: Vec<(u32, u32)>,
    problems: Vec<SchemaProblem>,
}

impl<'d> Lowering<'d> {
    fn run(&mut self) {
        let root = self.place(self.document.root());
        self.writer.set(header::ROOT, root);
        let mut anchors: Vec<[u32; 4]> = Vec::new();
        let mut done = Places::default();
        loop {
            self.drain();
            // Every dynamic anchor of a used resource can be a target. Placing one may make more
            // resources used.
            for (resource, name, target) in self.dynamic_anchors() {
                if done.insert(format!("{resource} {name}"), 0).is_some() {
                    continue;
                }
                let at = self.place(self.document.part(target));
                let (offset, len) = self.writer.intern(name);
                anchors.push([resource, offset, len, at]);
            }
            if self.queue.is_empty() {
                break;
            }
        }
        if self.document.is_dynamic {
            self.writer.set(header::DYNAMIC, 1);
            let mut list = vec![self.writer.number(anchors.len() * 4)];
            list.extend(anchors.into_iter().flatten());
            let at = self.writer.append(&list);
            self.writer.set(header::ANCHORS, at);
        }
        self.unions();
    }

    fn drain(&mut self) {
        while let Some((at, schema)) = self.queue.pop() {
            self.write(at, schema);
        }
    }

    /// Checks the definitions without references. Their nodes are not part of the returned tables.
    fn unused(&mut self) {
        let mut next = 0;
        while let Some(&schema) = self.definitions.get(next) {
            next += 1;
            self.place(schema);
            self.drain();
        }
    }

    fn dynamic_anchors(&self) -> Vec<(u32, &'d str, u32)> {
        let anchors = self.document.anchors.iter();
        let mut found: Vec<(u32, &str, u32)> = anchors
            .filter(|((resource, name), anchor)| {
                anchor.is_dynamic && self.used[*resource as usize] && self.names.get(name).is_some()
            })
            .map(|((resource, name), anchor)| (*resource, name.as_str(), anchor.at))
            .collect();
        if self.names.get("").is_some() {
            let resources = (0..).zip(&self.document.resources);
            let recursive =
                resources.filter(|(number, resource)| resource.is_recursive && self.used[*number as usize]);
            found.extend(recursive.map(|(number, resource)| (number, "", resource.root)));
        }
        sort(&mut found, &|a, b| a.cmp(b));
        found
    }

    fn problem(&mut self, schema: Part<'_>, span: &std::ops::Range<usize>, kind: ProblemKind) {
        self.problems.push(SchemaProblem { kind, span: span.clone(), document: schema.source() });
    }

    /// Records that a schema applies to the same value as the schema that contains it.
    fn branch(&mut self, schema: Part<'d>) {
        self.branches[schema.number() as usize] = true;
    }

    /// Returns the node of a schema: the existing one, or a new one that is written later. Skips a schema
    /// with only a reference, unless the dynamic scope may matter.
    fn child(&mut self, schema: Part<'d>) -> u32 {
        let schema = self.end(schema);
        if self.ends[schema.number() as usize] == End::Loop {
            let reference = schema.get("$ref").and_then(Part::as_str).unwrap_or_default().to_owned();
            self.problem(schema, &schema.span(), ProblemKind::RefLoop { reference });
        }
        self.place(schema)
    }

    /// Follows references to the first schema with other rules. For a cycle of references, returns the first
    /// one of the cycle. Visits each schema only once, even if several references lead to it.
    fn end(&mut self, start: Part<'d>) -> Part<'d> {
        let mut schema = start;
        let mut passed = Vec::new();
        let (mut end, mut circle) = loop {
            skills_text::work::count(1);
            let number = schema.number();
            match self.ends[number as usize] {
                End::Found(end) => break (self.document.part(end), 0),
                End::Loop => break (schema, 0),
                End::Open => {
                    let before = passed.iter().rposition(|passed| *passed == number).unwrap_or(0);
                    break (schema, passed.len() - before);
                }
                End::Unknown => {}
            }
            let Some(target) = schema.plain_reference() else { break (schema, 0) };
            // A schema with only a reference gets no node, but its other keywords may have errors.
            self.advise(schema);
            self.ends[number as usize] = End::Open;
            if schema.has("default") {
                // The default of a schema with only a reference is checked against the target.
                self.ends[number as usize] = End::Found(number);
                break (schema, 0);
            }
            passed.push(number);
            schema = target;
        };
        while let Some(number) = passed.pop() {
            if circle > 0 {
                circle -= 1;
                self.ends[number as usize] = End::Loop;
                end = self.document.part(number);
            } else {
                self.ends[number as usize] = End::Found(end.number());
            }
        }
        end
    }

    fn place(&mut self, schema: Part<'d>) -> u32 {
        let number = schema.number() as usize;
        if self.placed[number] != 0 {
            return self.placed[number];
        }
        let at = self.writer.reserve(node::WORDS);
        self.placed[number] = at;
        self.queue.push((at, schema));
        if !std::mem::replace(&mut self.used[schema.home() as usize], true)
            && let Some((uri, span)) = schema.resource().unknown.clone()
        {
            self.problem(schema, &span, ProblemKind::UnknownDraft { uri });
        }
        at
    }

    /// Writes the node of a schema.
    fn write(&mut self, at: u32, schema: Part<'d>) {
        self.writer.set(at + node::RESOURCE, schema.home());
        match schema.value() {
            Value::Bool(yes) => {
                let types = if *yes { kind::ALL } else { node::NOTHING };
                self.writer.set(at + node::TYPES, types);
                self.writer.set(at + node::KINDS, if *yes { kind::ALL } else { 0 });
            }
            Value::Object(_) => {
                self.advise(schema);
                // Definitions of another document are checked with that document.
                if schema.source() == 0 {
                    for name in ["$defs", "definitions"] {
                        let members = schema.keyword_value(name).map(Part::members).unwrap_or_default();
                        self.definitions.extend(members.iter().map(|member| member.value));
                    }
                    // Schemas that never apply to a value are also checked here.
                    for name in ["additionalItems", "contentSchema", "else", "then"] {
                        self.definitions.extend(schema.keyword_value(name));
                    }
                }
                if schema.is_alone() && schema.get("$ref").and_then(Part::as_str).is_some() {
                    self.writer.set(at + node::TYPES, kind::ALL);
                    self.writer.set(at + node::KINDS, kind::ALL);
                } else {
                    self.scalars(at, schema);
                    self.object(at, schema);
                    self.array(at, schema);
                }
                self.logic(at, schema);
                if let Some(default) = schema.get("default") {
                    self.defaults.push((default.number(), at));
                }
            }
            value => {
                let found = value.article();
                self.problem(schema, &schema.span(), ProblemKind::NotSchema { found });
            }
        }
    }
}
