//! Schema text to tables and problems: read, index the documents, write one node per schema that is reached.
//!
//! After this point the tables are complete: every reference is an index, every pattern a program, every name a
//! number. When a problem is an error the tables are still well formed, but must not be used.

mod advice;
mod containers;
mod documents;
mod draft;
mod keyword;
mod logic;
mod problem;
mod resolve;
mod scalars;
pub(crate) mod uri;
mod writer;

pub use draft::Draft;
pub use problem::{Level, Problem, ProblemKind};

use crate::format::{self, Format};
use crate::json::{self, Kind, Node};
use crate::tables::{Tables, header, kind, node};
use documents::{Document, Index, Resource, address};
use skills_registry::order;
use std::collections::{HashMap, HashSet};
use writer::Writer;

/// What `format` means (SPEC 6.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formats {
    /// Asserted in draft-07, an annotation in later drafts (unless their meta-schema asserts it).
    #[default]
    AsDraft,
    /// Always asserted.
    Assert,
    /// Never asserted.
    Ignore,
}

impl Formats {
    /// Whether formats refuse values in a resource.
    fn are_asserted(self, resource: &Resource<'_>) -> bool {
        match self {
            Self::AsDraft => resource.draft == Draft::Draft7 || resource.assert_format,
            Self::Assert => true,
            Self::Ignore => false,
        }
    }
}

/// How a schema is lowered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'o> {
    /// What `format` means; by default as the draft says.
    pub formats: Formats,
    /// The URI the schema itself goes by; by default none.
    pub uri: &'o str,
    /// Further documents as (URI, text), for references out of the schema.
    pub documents: &'o [(&'o str, &'o str)],
}

/// The tables of a schema, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The tables; they refuse everything when the text could not be read.
    pub tables: Tables,
    /// The draft the schema is written in.
    pub draft: Draft,
    /// Errors and warnings, by document and place.
    pub problems: Vec<Problem>,
    /// Whether `format` refuses values, in the schema itself and not in what it embeds.
    asserts_format: bool,
}

impl Lowered {
    /// Returns whether one of the problems is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.level() == Level::Error)
    }

    /// Returns the format that a `format` of the schema asserts (SPEC 6.1); none for one that only describes, or whose
    /// texts have no type.
    ///
    /// ```
    /// use skills_schema::Format;
    /// use skills_schema::lower::{Options, lower};
    ///
    /// let old = lower("{}", &Options::default());
    /// assert_eq!(old.asserted("date"), Some(Format::Date));
    /// let new = lower(r#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#, &Options::default());
    /// assert_eq!(new.asserted("date"), None);
    /// ```
    #[must_use]
    pub fn asserted(&self, name: &str) -> Option<Format> {
        if self.asserts_format { format::typed(name, self.draft) } else { None }
    }
}

/// Lowers a schema (SPEC 3.2, 6.1). Never fails: what is wrong is in [`Lowered::problems`].
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
    let parsed = json::read(text);
    let problems = faults(&parsed.faults, 0);
    match parsed.root {
        Some(root) => lower_tree(root, text, options, problems),
        None => Lowered {
            tables: refuse(),
            draft: Draft::default(),
            problems: sorted(&problems),
            asserts_format: false,
        },
    }
}

/// Lowers a schema that is part of a larger text, such as `input` in a skill.json; spans are those of the tree.
#[must_use]
pub fn lower_node(root: &Node, text: &str, options: &Options<'_>) -> Lowered {
    lower_tree(root.clone(), text, options, Vec::new())
}

fn faults(faults: &[json::Error], document: usize) -> Vec<Problem> {
    let problem =
        |f: &json::Error| Problem { kind: ProblemKind::Json(f.kind), span: f.start..f.end, document };
    faults.iter().map(problem).collect()
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

fn lower_tree(root: Node, text: &str, options: &Options<'_>, mut problems: Vec<Problem>) -> Lowered {
    let mut documents = vec![Document { uri: uri::fragment(options.uri).0.to_owned(), root }];
    for (number, (uri, text)) in options.documents.iter().enumerate() {
        let parsed = json::read(text);
        problems.extend(faults(&parsed.faults, number + 1));
        let empty = Node { span: 0..0, kind: Kind::Bool(false) };
        documents.push(Document { uri: uri::fragment(uri).0.to_owned(), root: parsed.root.unwrap_or(empty) });
    }
    let own = documents.len();
    documents.extend(documents::builtin(&documents));
    let index = Index::of(&documents);
    let draft = index.resources.first().map_or(Draft::default(), |resource| resource.draft);
    let asserts_format =
        index.resources.first().is_some_and(|resource| options.formats.are_asserted(resource));
    let mut lowering = Lowering {
        used: vec![false; index.resources.len()],
        index,
        formats: options.formats,
        writer: Writer::new(),
        placed: HashMap::new(),
        queue: Vec::new(),
        names: Vec::new(),
        definitions: Vec::new(),
        branches: HashSet::new(),
        defaults: Vec::new(),
        problems,
    };
    lowering.run(&documents[0].root);
    let is_unused = |(schema, _): &(&Node, usize)| !lowering.placed.contains_key(&address(schema));
    let used = lowering.definitions.iter().any(is_unused).then(|| lowering.writer.clone().finish());
    lowering.unused();
    let Lowering { writer, mut problems, defaults, .. } = lowering;
    let judged = writer.finish();
    let texts: Vec<&str> =
        std::iter::once(text).chain(options.documents.iter().map(|(_, text)| *text)).collect();
    if problems.iter().all(|problem| problem.level() == Level::Warning) {
        problems.extend(advice::defaults(&judged, &defaults, &texts));
    }
    problems.retain(|problem| problem.document < own);
    Lowered { tables: used.unwrap_or(judged), draft, problems: sorted(&problems), asserts_format }
}

/// A `default`: where it stands and the node it belongs to.
struct Default {
    document: usize,
    span: std::ops::Range<usize>,
    node: u32,
}

struct Lowering<'d> {
    index: Index<'d>,
    /// Which resources have a schema in the tables.
    used: Vec<bool>,
    formats: Formats,
    writer: Writer,
    /// Nodes by the address of their schema.
    placed: HashMap<usize, u32>,
    /// Nodes that are still to be written.
    queue: Vec<(u32, &'d Node, usize)>,
    /// Names of dynamic anchors that references look for; the empty name is `$recursiveAnchor`.
    names: Vec<String>,
    /// The definitions that were met, each with its resource, and other schemas that no value may ever meet.
    definitions: Vec<(&'d Node, usize)>,
    /// Addresses of the schemas that judge the same value as the one they stand in.
    branches: HashSet<usize>,
    defaults: Vec<Default>,
    problems: Vec<Problem>,
}

impl<'d> Lowering<'d> {
    fn run(&mut self, root: &'d Node) {
        let resource = self.index.scopes.get(&address(root)).copied().unwrap_or(0);
        let root = self.place(root, resource);
        self.writer.set(header::ROOT, root);
        let mut anchors: Vec<[u32; 4]> = Vec::new();
        let mut done: Vec<(usize, String)> = Vec::new();
        loop {
            while let Some((at, schema, resource)) = self.queue.pop() {
                self.write(at, schema, resource);
            }
            // Every dynamic anchor of a resource that is used can become a target; placing one may reach more.
            for (resource, name, target) in self.dynamic_anchors() {
                if done.contains(&(resource, name.clone())) {
                    continue;
                }
                let at = self.place(target, resource);
                let (offset, len) = self.writer.intern(&name);
                anchors.push([self.writer.number(resource), offset, len, at]);
                done.push((resource, name));
            }
            if self.queue.is_empty() {
                break;
            }
        }
        if self.index.dynamic {
            self.writer.set(header::DYNAMIC, 1);
            let mut list = vec![self.writer.number(anchors.len() * 4)];
            list.extend(anchors.into_iter().flatten());
            let at = self.writer.append(&list);
            self.writer.set(header::ANCHORS, at);
        }
        self.unions();
    }

    /// Judges the definitions that nothing refers to; their nodes are no part of the tables that are returned.
    fn unused(&mut self) {
        let mut next = 0;
        while let Some(&(schema, around)) = self.definitions.get(next) {
            next += 1;
            let resource = self.index.scopes.get(&address(schema)).copied().unwrap_or(around);
            self.place(schema, resource);
            while let Some((at, schema, resource)) = self.queue.pop() {
                self.write(at, schema, resource);
            }
        }
    }

    fn dynamic_anchors(&self) -> Vec<(usize, String, &'d Node)> {
        let mut found: Vec<(usize, String, &'d Node)> = self
            .index
            .anchors
            .iter()
            .filter(|((resource, name), (_, dynamic))| {
                *dynamic && self.used[*resource] && self.names.contains(name)
            })
            .map(|((resource, name), (node, _))| (*resource, name.clone(), *node))
            .collect();
        if self.names.iter().any(String::is_empty) {
            let resources = self.index.resources.iter().enumerate();
            let recursive = resources.filter(|(number, r)| r.recursive && self.used[*number]);
            found.extend(recursive.map(|(number, r)| (number, String::new(), r.root)));
        }
        let place = |i: usize| (found[i].0, &found[i].1);
        let by_place = order(found.len(), &|a, b| place(a).cmp(&place(b)));
        by_place.into_iter().map(|i| found[i].clone()).collect()
    }

    fn problem(&mut self, resource: usize, span: &std::ops::Range<usize>, kind: ProblemKind) {
        let document = self.index.resources[resource].document;
        self.problems.push(Problem { kind, span: span.clone(), document });
    }

    /// The node of a schema: the one it has, or a new one that will be written later. A schema that is nothing but
    /// a reference is passed over, unless the dynamic scope may matter.
    fn child(&mut self, schema: &'d Node, around: usize) -> u32 {
        let (mut schema, mut resource) = (schema, around);
        let mut seen = Vec::new();
        loop {
            resource = self.index.scopes.get(&address(schema)).copied().unwrap_or(resource);
            let Some((target, target_resource)) = self.plain_reference(schema, resource) else { break };
            if seen.contains(&address(schema)) {
                let reference = schema.get("$ref").and_then(Node::as_str).unwrap_or_default().to_owned();
                self.problem(resource, &schema.span, ProblemKind::RefLoop { reference });
                break;
            }
            seen.push(address(schema));
            // It gets no node, but may say something wrong beside the reference.
            self.advise(schema, resource);
            if schema.get("default").is_some() {
                // The default of a mere reference is checked against what it refers to.
                break;
            }
            (schema, resource) = (target, target_resource);
        }
        self.place(schema, resource)
    }

    fn place(&mut self, schema: &'d Node, resource: usize) -> u32 {
        if let Some(&at) = self.placed.get(&address(schema)) {
            return at;
        }
        let at = self.writer.reserve(node::WORDS);
        self.placed.insert(address(schema), at);
        self.queue.push((at, schema, resource));
        if !std::mem::replace(&mut self.used[resource], true)
            && let Some((uri, span)) = self.index.resources[resource].unknown.clone()
        {
            self.problem(resource, &span, ProblemKind::UnknownDraft { uri });
        }
        at
    }

    /// Writes the node of a schema.
    fn write(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let number = self.writer.number(resource);
        self.writer.set(at + node::RESOURCE, number);
        match &schema.kind {
            Kind::Bool(yes) => {
                let types = if *yes { kind::ALL } else { node::NOTHING };
                self.writer.set(at + node::TYPES, types);
                self.writer.set(at + node::KINDS, if *yes { kind::ALL } else { 0 });
            }
            Kind::Object(_) => {
                self.advise(schema, resource);
                // Definitions of another document are that document's business.
                if self.index.resources[resource].document == 0 {
                    for name in ["$defs", "definitions"] {
                        let members = self.get(schema, name, resource).map_or(&[][..], Node::members);
                        self.definitions.extend(members.iter().map(|member| (&member.value, resource)));
                    }
                    // So are schemas that never come to judge a value.
                    for name in ["additionalItems", "contentSchema", "else", "then"] {
                        let idle = self.get(schema, name, resource);
                        self.definitions.extend(idle.map(|schema| (schema, resource)));
                    }
                }
                let reference = schema.get("$ref").and_then(Node::as_str);
                let draft = self.index.resources[resource].draft;
                if draft == Draft::Draft7 && reference.is_some() {
                    self.writer.set(at + node::TYPES, kind::ALL);
                    self.writer.set(at + node::KINDS, kind::ALL);
                } else {
                    self.scalars(at, schema, resource);
                    self.object(at, schema, resource);
                    self.array(at, schema, resource);
                }
                self.logic(at, schema, resource);
                if let Some(default) = schema.get("default") {
                    let document = self.index.resources[resource].document;
                    self.defaults.push(Default { document, span: default.span.clone(), node: at });
                }
            }
            _ => {
                let found = schema.article();
                self.problem(resource, &schema.span, ProblemKind::NotSchema { found });
            }
        }
    }

    /// The value of a keyword that the draft has and whose value is of the right kind.
    fn get(&self, schema: &'d Node, name: &str, resource: usize) -> Option<&'d Node> {
        let takes = keyword::takes(name, self.index.resources[resource].draft)?;
        schema.get(name).filter(|value| advice::fits(takes, value))
    }

    /// The same for a keyword of the validation vocabulary.
    fn rule(&self, schema: &'d Node, name: &str, resource: usize) -> Option<&'d Node> {
        if self.index.resources[resource].validation { self.get(schema, name, resource) } else { None }
    }
}
