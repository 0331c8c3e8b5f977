//! Schema text to tables and problems: read, index the documents, write one node per schema that is reached.
//!
//! After this point the tables are complete: every reference is an index, every pattern a program, every name a
//! number. When a problem is an error the tables are still well formed, but must not be used.

mod advice;
mod containers;
mod logic;
mod scalars;
mod writer;

pub use crate::document::{Formats, Options};
pub use crate::draft::Draft;
pub use crate::problem::{Level, Problem, ProblemKind};

use crate::document::{Document, Part, Value};
use crate::tables::{Tables, header, kind, node};
use crate::{Violation, run};
use skills_registry::{Places, order};
use writer::Writer;

/// A schema that was read and lowered: the document, its tables, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The document, which now knows the defaults that do not fit.
    pub document: Document,
    /// The tables; they refuse everything when the text could not be read.
    pub tables: Tables,
    /// Errors and warnings, by document and place.
    pub problems: Vec<Problem>,
    /// The node of each part of the document that was reached; 0 for none.
    nodes: Vec<u32>,
}

impl Lowered {
    /// Returns whether one of the problems is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.level() == Level::Error)
    }

    /// Returns the rules of a part of the schema that a JSON text breaks.
    ///
    /// None as long as the schema has errors, for a part that judges no values, and for a text that is no JSON.
    #[must_use]
    pub fn violations(&self, schema: Part<'_>, text: &str) -> Vec<Violation> {
        let mut part = schema;
        let mut node = 0;
        // What is nothing but a reference has no node of its own.
        for _ in 0..16 {
            node = self.nodes.get(part.number() as usize).copied().unwrap_or(0);
            let Some(target) = part.plain_reference().filter(|_| node == 0) else { break };
            part = target;
        }
        if node == 0 || self.has_errors() {
            return Vec::new();
        }
        match run::check_text::<false>(&self.tables, Some(node), text) {
            Err(crate::Invalid::Violations(violations)) => violations,
            _ => Vec::new(),
        }
    }
}

/// Reads and lowers a schema (SPEC 3.2, 6.1). Never fails: what is wrong is in [`Lowered::problems`].
///
/// ```
/// use skills_schema::lower::{Level, Options, lower};
///
/// let lowered = lower(r#"{"type": "strnig"}"#, &Options::default());
/// assert_eq!(lowered.problems[0].kind.to_string(), "unknown type `strnig`");
/// assert_eq!(lowered.problems[0].level(), Level::Error);
/// ```
#[must_use]
pub fn lower(text: &str, options: &Options<'_>) -> Lowered {
    lower_document(Document::read(text, options))
}

#[cfg(debug_assertions)]
thread_local! {
    static LOWERED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns how many schemas this thread has lowered: what tests hold "once" by. Only in debug builds.
#[cfg(debug_assertions)]
#[doc(hidden)]
#[must_use]
pub fn count() -> usize {
    LOWERED.get()
}

/// Lowers a document.
#[must_use]
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
    let is_unused = |schema: &Part<'_>| nodes[schema.number() as usize] == 0;
    let used = lowering.definitions.iter().any(is_unused).then(|| lowering.writer.clone().finish());
    lowering.unused();
    let Lowering { writer, defaults, .. } = lowering;
    problems = lowering.problems;
    let judged = writer.finish();
    let mut unfit = None;
    if problems.iter().all(|problem| problem.level() == Level::Warning) {
        let found = advice::defaults(&judged, &document, &defaults);
        unfit = Some(found.iter().map(|(default, _)| *default).collect());
        problems.extend(found.into_iter().map(|(default, violations)| {
            let default = document.part(default);
            let kind = ProblemKind::DefaultMismatch { violations };
            Problem { kind, span: default.span(), document: default.source() }
        }));
    }
    problems.retain(|problem| document.is_given(problem.document));
    let (tables, problems) = (used.unwrap_or(judged), sorted(&problems));
    document.unfit = unfit;
    Lowered { document, tables, problems, nodes }
}

/// Problems by document and place, each once.
fn sorted(problems: &[Problem]) -> Vec<Problem> {
    let place = |i: usize| (problems[i].document, problems[i].span.start);
    let by_place = order(problems.len(), &|a, b| place(a).cmp(&place(b)));
    let mut sorted: Vec<Problem> = by_place.into_iter().map(|i| problems[i].clone()).collect();
    sorted.dedup();
    sorted
}

/// Tables of the schema `false`.
fn refuse() -> Tables {
    let mut writer = Writer::new();
    let root = writer.reserve(node::WORDS);
    writer.set(root + node::TYPES, node::NOTHING);
    writer.set(header::ROOT, root);
    writer.finish()
}

/// Where a schema leads that is nothing but a reference to another such, and so on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Unknown,
    /// It is being followed.
    Open,
    /// To the part of this number.
    Found(u32),
    /// To itself.
    Loop,
}

struct Lowering<'d> {
    document: &'d Document,
    /// Which resources have a schema in the tables.
    used: Vec<bool>,
    writer: Writer,
    /// The node of each part; 0 for none.
    placed: Vec<u32>,
    /// Nodes that are still to be written.
    queue: Vec<(u32, Part<'d>)>,
    /// Names of dynamic anchors that references look for; the empty name is `$recursiveAnchor`.
    names: Places,
    /// Where each part leads that is nothing but a reference.
    ends: Vec<End>,
    /// How many required names were compared with all properties.
    suggested: usize,
    /// The definitions that were met, and other schemas that no value may ever meet.
    definitions: Vec<Part<'d>>,
    /// Which parts judge the same value as the schema they stand in.
    branches: Vec<bool>,
    /// Each `default` that was met, with the node it belongs to.
    defaults: Vec<(u32, u32)>,
    problems: Vec<Problem>,
}

impl<'d> Lowering<'d> {
    fn run(&mut self) {
        let root = self.place(self.document.root());
        self.writer.set(header::ROOT, root);
        let mut anchors: Vec<[u32; 4]> = Vec::new();
        let mut done = Places::default();
        loop {
            self.drain();
            // Every dynamic anchor of a resource that is used can become a target; placing one may reach more.
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

    /// Judges the definitions that nothing refers to; their nodes are no part of the tables that are returned.
    fn unused(&mut self) {
        let mut next = 0;
        while let Some(&schema) = self.definitions.get(next) {
            next += 1;
            self.place(schema);
            self.drain();
        }
    }

    fn dynamic_anchors(&self) -> Vec<(u32, &'d str, u32)> {
        let is_used = |resource: u32| self.used[resource as usize];
        let anchors = self.document.anchors.iter();
        let mut found: Vec<(u32, &str, u32)> = anchors
            .filter(|((resource, name), anchor)| {
                anchor.is_dynamic && is_used(*resource) && self.names.get(name).is_some()
            })
            .map(|((resource, name), anchor)| (*resource, name.as_str(), anchor.at))
            .collect();
        if self.names.get("").is_some() {
            let resources = (0..).zip(&self.document.resources);
            let recursive = resources.filter(|(number, resource)| resource.is_recursive && is_used(*number));
            found.extend(recursive.map(|(number, resource)| (number, "", resource.root)));
        }
        let by_place = order(found.len(), &|a, b| found[a].cmp(&found[b]));
        by_place.into_iter().map(|i| found[i]).collect()
    }

    fn problem(&mut self, schema: Part<'_>, span: &std::ops::Range<usize>, kind: ProblemKind) {
        self.problems.push(Problem { kind, span: span.clone(), document: schema.source() });
    }

    /// Notes that a schema judges the same value as the one it stands in.
    fn branch(&mut self, schema: Part<'d>) {
        self.branches[schema.number() as usize] = true;
    }

    /// The node of a schema: the one it has, or a new one that will be written later. A schema that is nothing but
    /// a reference is passed over, unless the dynamic scope may matter.
    fn child(&mut self, schema: Part<'d>) -> u32 {
        let schema = self.end(schema);
        if self.ends[schema.number() as usize] == End::Loop {
            let reference = schema.get("$ref").and_then(Part::as_str).unwrap_or_default().to_owned();
            self.problem(schema, &schema.span(), ProblemKind::RefLoop { reference });
        }
        self.place(schema)
    }

    /// Follows references to the schema that says more, or to the first of those that lead to each other; each schema is
    /// passed once, whoever leads to it.
    fn end(&mut self, start: Part<'d>) -> Part<'d> {
        let mut schema = start;
        let mut passed = Vec::new();
        let (mut end, mut circle) = loop {
            skills_registry::work::count(1);
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
            // It gets no node, but may say something wrong beside the reference.
            self.advise(schema);
            self.ends[number as usize] = End::Open;
            if schema.has("default") {
                // The default of a mere reference is checked against what it refers to.
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
                // Definitions of another document are that document's business.
                if schema.source() == 0 {
                    for name in ["$defs", "definitions"] {
                        let members = schema.said(name).map(Part::members).unwrap_or_default();
                        self.definitions.extend(members.iter().map(|member| member.value));
                    }
                    // So are schemas that never come to judge a value.
                    for name in ["additionalItems", "contentSchema", "else", "then"] {
                        self.definitions.extend(schema.said(name));
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
