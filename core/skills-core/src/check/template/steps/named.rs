//! Finds all places that name a step, for an editor: its own name, `depends`, and templates that read it.

use skills_template::{Node as Template, Tree, references};

use crate::check::draft::Draft;
use crate::check::pipeline::Step;
use crate::check::templated::Templated;
use crate::span::{SourceMap, Span};
use crate::tree::{Node, Value, json};

/// Returns the places in one skill that name a step, in the order of its text.
pub(crate) fn named(draft: &Draft, name: &str, sources: &SourceMap) -> Vec<Span> {
    let Some(typed) = &draft.typed else { return Vec::new() };
    let steps: &[Step] = typed.steps.as_ref().map_or(&[], |steps| steps.list.as_slice());
    let mut found = Vec::new();
    for step in steps {
        let names = step.name.iter().chain(&step.depends);
        found.extend(names.filter(|known| known.value == name).map(|known| known.span));
        for template in step.condition.iter().chain(&step.foreach) {
            if let Some(tree) = &template.value.tree {
                let literal = json::Literal::new(sources.text(template.span));
                let at = |start, end| literal.place(template.span, start, end);
                found.extend(readers(tree, name, &at));
            }
        }
    }
    for value in steps.iter().filter_map(|step| step.input.as_ref()).chain(&typed.output_mapping) {
        found.extend(in_value(value, name, sources));
    }
    found.sort();
    found
}

/// Finds the places in a value with templates; byte offsets of its tree count through its keys and strings.
fn in_value(value: &Templated, name: &str, sources: &SourceMap) -> Vec<Span> {
    let mut strings = Vec::new();
    collect(&value.value, &mut strings);
    let literal = |node: &&Node| json::Literal::new(sources.text(node.span));
    let literals: Vec<json::Literal<'_>> = strings.iter().map(literal).collect();
    let at = |start: usize, end: usize| {
        let nth = value.texts.partition_point(|text| text.base as usize <= start).saturating_sub(1);
        let (Some(text), Some(node), Some(literal)) =
            (value.texts.get(nth), strings.get(nth), literals.get(nth))
        else {
            return Span::default();
        };
        let base = text.base as usize;
        literal.place(node.span, start.saturating_sub(base), end.saturating_sub(base))
    };
    readers(&value.tree, name, &at)
}

/// Collects the strings of a value, in order.
fn collect<'n>(node: &'n Node, strings: &mut Vec<&'n Node>) {
    match &node.value {
        Value::Map(entries) => entries.iter().for_each(|entry| collect(&entry.value, strings)),
        Value::List(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Scalar(_) if node.as_string().is_some() => strings.push(node),
        Value::Scalar(_) => {}
    }
}

/// Finds the places where a tree reads `steps.NAME`: the name, without quotes.
fn readers(tree: &Tree, name: &str, at: &dyn Fn(usize, usize) -> Span) -> Vec<Span> {
    let read = |path: Template<'_>| {
        let mut keys = path.children();
        let (root, step) = (keys.next()?, keys.next()?);
        let is_step = root.text() == "steps" && step.text() == name;
        let span = step.span().filter(|_| is_step)?;
        let quotes = usize::from((span.end - span.start) as usize == name.len() + 2);
        Some(at(span.start as usize + quotes, span.end as usize - quotes))
    };
    references(tree.root()).into_iter().filter_map(|found| read(found.path)).collect()
}
