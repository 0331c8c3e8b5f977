//! Finds the paths that the templates of one skill read, with the places of their keys, for an editor.

use skills_template::{Tree, references};

use crate::check::draft::SkillDraft;
use crate::check::pipeline::is_known;
use crate::check::templated::Templated;
use crate::known::manifest_keys;
use crate::tree::{Node, Value, json};
use crate::{SourceMap, Span};

/// A path in a template, such as `input.topic`.
#[derive(Clone, Debug)]
pub struct TemplatePath {
    /// Its keys, each with its place without quotes.
    pub keys: Vec<(String, Span)>,
}

/// Returns the paths in the prompt and the pipeline of one skill.
pub(crate) fn paths(draft: &SkillDraft, sources: &SourceMap) -> Vec<TemplatePath> {
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
        add_paths_in_value(value, sources, &mut found);
    }
    found
}

/// Returns the first template of one skill that contains a name and that [`paths`] cannot read completely, with the
/// reason.
pub(crate) fn unread_template(draft: &SkillDraft, name: &str, sources: &SourceMap) -> Option<(Span, String)> {
    if let Some(prompt) = &draft.prompt
        && let Some(error) = prompt.value.errors.first()
        && mentions(sources.text(prompt.span), name)
    {
        let place = prompt.span.part(error.span.start as usize, error.span.end as usize);
        return Some((place, error.to_string()));
    }
    if draft.typed.is_some()
        && draft.mode().is_none()
        && let Some(span) = draft.skill.prompt_span(sources)
        && mentions(sources.text(span), name)
        && sources.text(span).contains("{{")
    {
        return Some((span.part(0, 0), "the skill has no valid `mode`".to_owned()));
    }
    let steps = draft.steps();
    for template in steps.iter().flat_map(|step| step.condition.iter().chain(&step.foreach)) {
        if let Some(error) = template.value.errors.first()
            && mentions(sources.text(template.span), name)
        {
            return Some((template.span, error.to_string()));
        }
    }
    let inputs = steps.iter().filter_map(|step| step.input.as_ref());
    let mut values = inputs.chain(draft.typed.iter().filter_map(|typed| typed.output_mapping.as_ref()));
    values.find_map(|value| {
        let error = value.texts.iter().flat_map(|text| &text.errors).chain(&value.fault).next()?;
        mentions(sources.text(value.value.span), name).then(|| (value.value.span, error.to_string()))
    })
}

/// Returns the first part of the `skill.json` of one skill that contains all of some names and is not read, because
/// its key is unknown or its value has the wrong type, with the reason.
pub(crate) fn unread_part(draft: &SkillDraft, names: &[&str], sources: &SourceMap) -> Option<(Span, String)> {
    let manifest = draft.manifest()?;
    for entry in manifest.as_map().unwrap_or_default() {
        if !manifest_keys().any(|known| known == entry.key)
            && mentions_all(sources.text(entry.value.span), names)
        {
            return Some((entry.key_span, format!("unknown key `{}`", entry.key)));
        }
    }
    let pipeline = manifest.get("pipeline")?;
    if !mentions_all(sources.text(pipeline.span), names) {
        return None;
    }
    let Some(steps) = pipeline.as_list() else {
        return Some((pipeline.span, "`pipeline` is not a list of steps".to_owned()));
    };
    for step in steps.iter().filter(|step| mentions_all(sources.text(step.span), names)) {
        let Some(entries) = step.as_map() else {
            return Some((step.span, "this step is not an object".to_owned()));
        };
        for entry in entries {
            if !is_known(&entry.key) {
                return Some((entry.key_span, format!("unknown key `{}`", entry.key)));
            }
            let is_text = matches!(entry.key.as_str(), "step" | "skill" | "condition" | "foreach");
            let is_wrong = match entry.key.as_str() {
                "input" => entry.value.as_map().is_none(),
                "depends" => entry.value.as_list().is_none(),
                _ => is_text && entry.value.as_string().is_none(),
            };
            if is_wrong {
                return Some((entry.value.span, format!("the value of `{}` has the wrong type", entry.key)));
            }
        }
    }
    None
}

/// Returns `true` if a text contains a name as a whole word, or an escape of JSON that may hide it.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    fn is_word(c: char) -> bool {
        c.is_alphanumeric() || matches!(c, '_' | '-')
    }
    let mut found = text.match_indices(name);
    found.any(|(start, name)| {
        let (before, after) = (text.get(..start), text.get(start + name.len()..));
        !before.is_some_and(|before| before.ends_with(is_word))
            && !after.is_some_and(|after| after.starts_with(is_word))
    }) || text.contains("\\u")
}

fn mentions_all(text: &str, names: &[&str]) -> bool {
    names.iter().all(|name| mentions(text, name))
}

/// Finds the paths in a value. The offsets in its tree count the bytes of all its keys and strings.
fn add_paths_in_value(value: &Templated, sources: &SourceMap, found: &mut Vec<TemplatePath>) {
    let mut strings = Vec::new();
    collect_strings(&value.value, &mut strings);
    let literals: Vec<_> = strings.iter().map(|node| json::Literal::new(sources.text(node.span))).collect();
    add_paths(
        &value.tree,
        &|start, end| {
            let nth = value.texts.partition_point(|text| text.base as usize <= start).saturating_sub(1);
            let (Some(text), Some(node), Some(literal)) =
                (value.texts.get(nth), strings.get(nth), literals.get(nth))
            else {
                return Span::default();
            };
            let base = text.base as usize;
            literal.place(node.span, start.saturating_sub(base), end.saturating_sub(base))
        },
        found,
    );
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
    for reference in references(tree.root()) {
        let keys = reference.path.children().map(|key| {
            let span = key.span()?;
            let quotes = usize::from((span.end - span.start) as usize == key.text().len() + 2);
            Some((key.text().to_owned(), at(span.start as usize + quotes, span.end as usize - quotes)))
        });
        found.extend(keys.collect::<Option<_>>().map(|keys| TemplatePath { keys }));
    }
}
