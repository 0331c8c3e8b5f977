//! The templates of a pipeline: conditions, lists and inputs of its steps, and the mapping of its output (SPEC 5.5).

use skills_template::{Expr, Parsed, parse_condition, parse_template, references};

use super::finding::{self, Judge};
use super::fit::misfit;
use super::infer::not_a_list;
use super::kinds::Kinds;
use super::literal::Literals;
use super::path::{Scope, Steps};
use super::schema::Schema;
use super::type_set::Type;
use super::written::{self, Written};
use super::{depends, judge, place};
use crate::catalog::Mode;
use crate::check::draft::Draft;
use crate::diagnostic::{Diagnostic, Report};
use crate::rule::pipelines as rules;
use crate::span::Span;
use crate::tree::{Node, Value};

/// A step as the rules about order see it.
pub(super) struct Step<'s> {
    pub(super) node: &'s Node,
    pub(super) name: Option<&'s str>,
    /// Whether its skill is code, the host's or a program.
    pub(super) runs_code: bool,
    /// The steps whose results its templates name.
    pub(super) reads: Vec<String>,
    /// Whether they name `steps` as a whole.
    pub(super) reads_all: bool,
}

/// Checks the pipeline of one skill; `drafts` are all skills, for what their inputs and outputs hold.
pub(super) fn check(draft: &Draft, drafts: &[Draft], literals: &Literals<'_>, report: &mut Report) {
    let Some(manifest) = draft.manifest() else { return };
    let Some(nodes) = manifest.get("pipeline").and_then(Node::as_list) else { return };
    let names: Vec<Option<&str>> =
        nodes.iter().map(|node| node.get("step").and_then(Node::as_string)).collect();
    let scope = Scope {
        input: Type::of(manifest.get("input")),
        steps: Some(Steps { before: Vec::new(), later: Vec::new() }),
        item: None,
    };
    let mut pass = Pass { literals, scope, reads: Vec::new(), reads_all: false, report };
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let before: Vec<&str> = names.iter().take(at).flatten().copied().collect();
        let later: Vec<&str> = names.iter().skip(at + 1).flatten().copied().collect();
        let name = names.get(at).copied().flatten();
        let callee = node.get("skill").and_then(Node::as_string);
        let callee = callee.and_then(|name| drafts.iter().find(|other| other.name == name));
        depends::check(node, &before, &later, pass.report);
        if let Some(steps) = &mut pass.scope.steps {
            steps.later = later;
        }
        let output = pass.step(node, callee);
        let (reads, reads_all) = (std::mem::take(&mut pass.reads), std::mem::take(&mut pass.reads_all));
        steps.push(Step { node, name, runs_code: callee.is_some_and(runs_code), reads, reads_all });
        let (Some(name), Some(known)) = (name, &mut pass.scope.steps) else { continue };
        if before.contains(&name) {
            pass.report.push(twice(name, node));
        } else {
            known.before.push((name, output));
        }
    }
    depends::lint(&steps, pass.report);
    let Some(output) = manifest.get("output").map(Schema::new) else { return };
    match manifest.get("outputMapping") {
        Some(mapping) => {
            let mapping = pass.written(mapping);
            pass.compare(&mapping, output, Judge::Output);
        }
        None => pass.last(nodes, output),
    }
}

struct Pass<'p, 's> {
    literals: &'p Literals<'p>,
    scope: Scope<'s>,
    /// What the templates of the step at hand read.
    reads: Vec<String>,
    reads_all: bool,
    report: &'p mut Report,
}

impl<'s> Pass<'_, 's> {
    /// Checks one step and returns the type of its result.
    fn step(&mut self, node: &'s Node, callee: Option<&'s Draft>) -> Type<'s> {
        if let Some((condition, text)) =
            node.get("condition").and_then(|node| Some((node, node.as_string()?)))
        {
            self.template(condition, &parse_condition(text));
        }
        if let Some((list, text)) = node.get("foreach").and_then(|node| Some((node, node.as_string()?))) {
            let (at, found) = self.template(list, &parse_template(text));
            if !found.kinds().meets(Kinds::ARRAY) {
                self.report.push(not_a_list("`foreach`", &found, at));
            }
            self.scope.item = Some(found.elements());
        }
        let manifest = callee.and_then(Draft::manifest);
        if let Some(input) = node.get("input") {
            let written = self.written(input);
            let wanted = manifest.and_then(|manifest| manifest.get("input"));
            if let (Some(callee), Some(wanted)) = (callee, wanted) {
                self.compare(&written, Schema::new(wanted), Judge::Input(&callee.name));
            }
        }
        let is_loop = self.scope.item.take().is_some();
        let mut output = Type::of(manifest.and_then(|manifest| manifest.get("output")));
        let survives = node.get("continueOnError").and_then(Node::as_scalar);
        if survives.is_some_and(|scalar| scalar.text == "true") {
            // What a failed attempt leaves in place of the result (SPEC 5.7).
            let failed = vec![("_error", Type::Any), ("_failed", Type::Kinds(Kinds::BOOL))];
            output = output.or(Type::Record(failed));
        }
        if is_loop { Type::Record(vec![("results", Type::Array(Box::new(output)))]) } else { output }
    }

    /// Reads a value with templates at any depth.
    fn written<'n>(&mut self, node: &'n Node) -> Written<'n, 's> {
        match &node.value {
            Value::Scalar(_) => match node.as_string() {
                Some(text) if text.contains("{{") => {
                    let (at, found) = self.template(node, &parse_template(text));
                    Written::Template(at, found)
                }
                _ => Written::Scalar(node),
            },
            Value::List(items) => Written::Array(node, items.iter().map(|item| self.written(item)).collect()),
            Value::Map(entries) => {
                let members = entries.iter().map(|entry| (entry, self.written(&entry.value)));
                Written::Object(node, members.collect())
            }
        }
    }

    /// Checks one template and returns where its expression stands and what it can give.
    fn template(&mut self, node: &Node, parsed: &Parsed) -> (Span, Type<'s>) {
        let sources = self.literals.sources;
        let place = |start, end| place::place(sources, node.span, start, end);
        let found = judge(parsed, &place, &self.scope, self.report);
        let Some(tree) = &parsed.tree else { return (node.span, found) };
        for reference in references(tree.root()) {
            let mut keys = reference.path.children().map(|key| match key.expr() {
                Expr::Key(name) => name,
                _ => "",
            });
            if keys.next() == Some("steps") {
                match keys.next() {
                    Some(step) => self.reads.push(step.to_owned()),
                    None => self.reads_all = true,
                }
            }
        }
        let root = tree.root();
        let span = root.span().filter(|_| !root.is_text());
        (span.map_or(node.span, |span| place(span.start as usize, span.end as usize)), found)
    }

    fn compare(&mut self, value: &Written<'_, 's>, wanted: Schema<'_>, whose: Judge<'_>) {
        for found in written::judge(value, wanted, self.literals) {
            self.report.push(finding::diagnostic(&found, whose));
        }
    }

    /// Without a mapping the output is that of the last step that ran, and of a pipeline that ran none `{}`.
    fn last(&mut self, nodes: &[Node], wanted: Schema<'_>) {
        let (Some(steps), Some(last)) = (&self.scope.steps, nodes.last()) else { return };
        let outputs = steps.before.iter().map(|(_, output)| output.clone());
        let given = if nodes.iter().any(|node| node.get("condition").is_some()) {
            outputs.fold(Type::Record(Vec::new()), Type::or)
        } else {
            let named = last.get("step").and_then(Node::as_string);
            let output = steps.before.iter().find(|(step, _)| Some(*step) == named);
            output.map_or(Type::Any, |(_, output)| output.clone())
        };
        let Some(found) = misfit(&given, wanted) else { return };
        let path = found.at.trim_start_matches('.');
        let title = format!("{}; the last step gives it", finding::misfit(&found, path, Judge::Output));
        let at = last.get("skill").unwrap_or(last).span;
        let help = "add \"outputMapping\" to the skill: { \"KEY\": \"{{steps.NAME.KEY}}\" }";
        let found = Diagnostic::new(&rules::OUTPUT_MAPPING, at, title, help);
        self.report.push(found.label("its output is that of the pipeline"));
    }
}

/// Tells whether a skill is run by the host or a program, which may do more than its output says.
fn runs_code(skill: &Draft) -> bool {
    let mode = skill.typed.as_ref().and_then(|typed| typed.mode.as_ref()).map(|mode| mode.value);
    match mode {
        Some(Mode::Code) => true,
        Some(Mode::Composite) => skill.manifest().is_some_and(|manifest| manifest.get("pipeline").is_none()),
        Some(Mode::Llm) | None => false,
    }
}

fn twice(name: &str, node: &Node) -> Diagnostic {
    let at = node.get("step").unwrap_or(node).span;
    let title = format!("two steps are called `{name}`");
    let help = "rename one of them: `steps.NAME` reads one step";
    Diagnostic::new(&rules::STEP_TWICE, at, title, help).label("the second step of this name")
}
