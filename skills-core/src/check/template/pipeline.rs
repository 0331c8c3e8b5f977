//! The templates of a pipeline: conditions, lists and inputs of its steps, and the mapping of its output (SPEC 5.5).

use skills_template::{parse_condition, parse_template};

use super::path::Scope;
use super::{judge, literal};
use crate::check::draft::Draft;
use crate::diagnostic::{Diagnostic, Report};
use crate::rule::templates as rules;
use crate::span::SourceMap;
use crate::tree::{Node, Value};

/// Checks the pipeline of one skill; `drafts` are all skills, for what their outputs hold.
pub(super) fn check(draft: &Draft, drafts: &[Draft], sources: &SourceMap, report: &mut Report) {
    let Some(manifest) = draft.manifest() else { return };
    let Some(steps) = manifest.get("pipeline").and_then(Node::as_list) else { return };
    let mut before: Vec<(String, Option<&Node>)> = Vec::new();
    let mut pass = Pass { sources, input: manifest.get("input"), report };
    for step in steps {
        let is_loop = step.get("foreach").is_some();
        let roots: &[&str] = if is_loop { &["input", "steps", "item", "index"] } else { &["input", "steps"] };
        for (key, is_condition) in [("condition", true), ("foreach", false)] {
            if let Some(node) = step.get(key) {
                pass.string(node, is_condition, &["input", "steps"], &before);
            }
        }
        if let Some(input) = step.get("input") {
            pass.deep(input, roots, &before);
        }
        let callee = step.get("skill").and_then(Node::as_string);
        let callee = callee.and_then(|name| drafts.iter().find(|other| other.name == name));
        if let (Some(callee), Some(input)) = (callee, step.get("input")) {
            pass.arguments(callee, input);
        }
        pass.depends(step, &before);
        let Some(name) = step.get("step") else { continue };
        let Some(text) = name.as_string() else { continue };
        if before.iter().any(|(other, _)| other == text) {
            pass.report.push(
                Diagnostic::new(
                    &rules::STEP_TWICE,
                    name.span,
                    format!("two steps are called `{text}`"),
                    "rename one of them: `steps.NAME` reads one step",
                )
                .label("the second step of this name"),
            );
            continue;
        }
        let output = callee.and_then(Draft::manifest).and_then(|manifest| manifest.get("output"));
        // What a loop gives is `{"results": […]}`, which no schema of the callee describes.
        before.push((text.to_owned(), output.filter(|_| !is_loop && step.get("continueOnError").is_none())));
    }
    if let Some(mapping) = manifest.get("outputMapping") {
        pass.deep(mapping, &["input", "steps"], &before);
    }
}

struct Pass<'p> {
    sources: &'p SourceMap,
    input: Option<&'p Node>,
    report: &'p mut Report,
}

impl<'p> Pass<'p> {
    fn string(
        &mut self,
        node: &Node,
        is_condition: bool,
        roots: &[&str],
        steps: &[(String, Option<&'p Node>)],
    ) {
        let Some(text) = node.as_string() else { return };
        if !is_condition && !text.contains("{{") {
            return;
        }
        let parsed = if is_condition { parse_condition(text) } else { parse_template(text) };
        let place = |start, end| literal::place(self.sources, node.span, start, end);
        judge(&parsed, &place, &Scope { roots, input: self.input, steps }, self.report);
    }

    /// Checks the strings at any depth of a value.
    fn deep(&mut self, node: &Node, roots: &[&str], steps: &[(String, Option<&'p Node>)]) {
        match &node.value {
            Value::Scalar(_) => self.string(node, false, roots, steps),
            Value::List(items) => items.iter().for_each(|item| self.deep(item, roots, steps)),
            Value::Map(entries) => entries.iter().for_each(|entry| self.deep(&entry.value, roots, steps)),
        }
    }

    /// Compares the arguments of a step with the input of the skill it uses: none is missing, none unknown.
    fn arguments(&mut self, callee: &Draft, input: &Node) {
        let Some(schema) = callee.manifest().and_then(|manifest| manifest.get("input")) else { return };
        let required = schema.get("required").and_then(Node::as_list).unwrap_or_default();
        for name in required.iter().filter_map(Node::as_string).filter(|name| input.get(name).is_none()) {
            self.report.push(
                Diagnostic::new(
                    &rules::STEP_ARGUMENT,
                    input.span.head(),
                    format!("`{}` requires the argument `{name}`", callee.name),
                    format!("add it: \"{name}\": \"{{{{…}}}}\""),
                )
                .label("missing in this object"),
            );
        }
        let is_closed = schema
            .get("additionalProperties")
            .and_then(Node::as_scalar)
            .is_some_and(|scalar| scalar.text == "false");
        let Some(properties) = schema.get("properties").and_then(Node::as_map).filter(|_| is_closed) else {
            return;
        };
        for entry in input.as_map().unwrap_or_default() {
            if properties.iter().any(|property| property.key == entry.key) {
                continue;
            }
            let near =
                skills_registry::nearest(&entry.key, properties.iter().map(|property| property.key.as_str()));
            let help = near.map_or_else(|| "delete it".to_owned(), |near| format!("did you mean `{near}`?"));
            self.report.push(
                Diagnostic::new(
                    &rules::STEP_ARGUMENT,
                    entry.key_span,
                    format!("`{}` takes no argument `{}`", callee.name, entry.key),
                    help,
                )
                .label("refused by the schema of its input"),
            );
        }
    }

    fn depends(&mut self, step: &Node, before: &[(String, Option<&Node>)]) {
        for name in step.get("depends").and_then(Node::as_list).unwrap_or_default() {
            let Some(text) = name.as_string() else { continue };
            if before.iter().any(|(other, _)| other == text) {
                continue;
            }
            let near = skills_registry::nearest(text, before.iter().map(|(other, _)| other.as_str()));
            let help = match near {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "name a step that stands before this one".to_owned(),
            };
            self.report.push(
                Diagnostic::new(
                    &rules::TEMPLATE_PATH,
                    name.span,
                    format!("no step `{text}` runs before this one"),
                    help,
                )
                .label("not known here"),
            );
        }
    }
}
