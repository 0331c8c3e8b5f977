//! Finds the paths that the templates of one skill read, with the places of their keys, for an editor.

use skills_template::{Node as Template, Tree, references};

use crate::check::draft::Draft;
use crate::check::templated::Templated;
use crate::tree::{Node, Value, json};
use crate::{SourceMap, Span};

/// A path in a template, such as `input.topic`.
#[derive(Clone, Debug)]
pub struct TemplatePath {
    /// Its keys, each with its place without quotes.
    pub keys: Vec<(String, Span)>,
}

/// Returns the paths in the prompt and the pipeline of one skill.
pub(crate) fn paths(draft: &Draft, sources: &SourceMap) -> Vec<TemplatePath> {
    let mut found = Vec::new();
    if let Some((prompt, tree)) =
        draft.prompt.as_ref().and_then(|prompt| Some((prompt, prompt.value.tree.as_ref()?)))
    {
        add_paths(tree, &|start, end| prompt.span.part(start, end), &mut found);
    }
    let steps = draft.steps();
    for template in steps.iter().flat_map(|step| step.condition.iter().chain(&step.foreach)) {
        if let Some(tree) = &template.value.tree {
            let literal = json::Literal::new(sources.text(template.span));
            add_paths(tree, &|start, end| literal.place(template.span, start, end), &mut found);
        }
    }
    for value in steps
        .iter()
        .filter_map(|step| step.input.as_ref())
        .chain(draft.typed.iter().filter_map(|typed| typed.output_mapping.as_ref()))
    {
        in_value(value, sources, &mut found);
    }
    found
}

/// Finds the paths in a value. The offsets in its tree count the bytes of all its keys and strings.
fn in_value(value: &Templated, sources: &SourceMap, found: &mut Vec<TemplatePath>) {
    let mut strings = Vec::new();
    collect_strings(&value.value, &mut strings);
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
    add_paths(&value.tree, &at, found);
}

fn collect_strings<'n>(node: &'n Node, strings: &mut Vec<&'n Node>) {
    match &node.value {
        Value::Map(entries) => entries.iter().for_each(|entry| collect_strings(&entry.value, strings)),
        Value::List(items) => items.iter().for_each(|item| collect_strings(item, strings)),
        Value::Scalar(_) if node.as_string().is_some() => strings.push(node),
        Value::Scalar(_) => {}
    }
}

fn add_paths(tree: &Tree, at: &dyn Fn(usize, usize) -> Span, found: &mut Vec<TemplatePath>) {
    let key = |key: Template<'_>| {
        let span = key.span()?;
        let quotes = usize::from((span.end - span.start) as usize == key.text().len() + 2);
        Some((key.text().to_owned(), at(span.start as usize + quotes, span.end as usize - quotes)))
    };
    let path =
        |path: Template<'_>| Some(TemplatePath { keys: path.children().map(key).collect::<Option<_>>()? });
    found.extend(references(tree.root()).into_iter().filter_map(|reference| path(reference.path)));
}
