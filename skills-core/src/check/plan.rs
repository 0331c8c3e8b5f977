//! The prompt and the pipeline of a sound draft become what runs: parsed trees, and the edges between steps.
//!
//! Called when the catalog is assembled, so that only functions without errors cost anything.

use std::borrow::Cow;

use skills_registry::sort;
use skills_template::pipeline::{Pipeline, Step};
use skills_template::{Builder, Tree, parse_condition, parse_prompt, parse_template, references};

use super::draft::Draft;
use super::manifest::whole_number;
use crate::catalog::Mode;
use crate::span::SourceMap;
use crate::tree::{Kind, Node, Value};

/// The wait before the first repetition of a step, in milliseconds (SPEC 5.7).
const RETRY_DELAY_MS: u64 = 1000;

/// Parses the prompt of an `llm` skill (SPEC 5.8).
pub(super) fn prompt(draft: &Draft, sources: &SourceMap) -> Option<Tree> {
    if mode(draft)? != Mode::Llm {
        return None;
    }
    let text = match (draft.skill.prompt, &draft.skill.document) {
        (Some(file), _) => &sources.file(file).text,
        (None, Some(document)) => sources.text(document.body),
        (None, None) => return None,
    };
    parse_prompt(text).tree
}

/// Parses the pipeline of a `composite` skill; none when the host runs it (SPEC 3.4).
pub(super) fn pipeline(draft: &Draft) -> Option<Pipeline> {
    if mode(draft)? != Mode::Composite {
        return None;
    }
    let manifest = draft.manifest()?;
    let items = manifest.get("pipeline")?.as_list()?;
    let names: Vec<&str> = items.iter().map(|item| text(item, "step").unwrap_or_default()).collect();
    let steps: Option<Vec<Step>> = (0..).zip(items).map(|(at, item)| step(at, item, &names)).collect();
    let mapping = match manifest.get("outputMapping") {
        Some(mapping) => Some(deep(mapping)?),
        None => None,
    };
    Some(Pipeline { steps: Cow::Owned(steps?), mapping })
}

fn mode(draft: &Draft) -> Option<Mode> {
    Some(draft.typed.as_ref()?.mode.as_ref()?.value)
}

fn step(at: u32, item: &Node, names: &[&str]) -> Option<Step> {
    let parsed = |key: &str, parse: fn(&str) -> skills_template::Parsed| match text(item, key) {
        Some(text) => parse(text).tree.map(Some),
        None => Some(None),
    };
    let number = |key: &str| item.get(key)?.as_scalar().and_then(|scalar| whole_number(&scalar.text));
    let small = |key: &str| number(key).map(|value| u32::try_from(value).unwrap_or(u32::MAX));
    let condition = parsed("condition", parse_condition)?;
    let foreach = parsed("foreach", parse_template)?;
    let input = deep(item.get("input")?)?;

    let (mut after, mut needs): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for tree in [Some(&input), foreach.as_ref(), condition.as_ref()].into_iter().flatten() {
        let is_data = !condition.as_ref().is_some_and(|condition| std::ptr::eq(condition, tree));
        for reference in references(tree.root()) {
            let mut keys = reference.path.children().map(skills_template::Node::text);
            if keys.next() != Some("steps") {
                continue;
            }
            // `steps` as a whole is what all earlier steps made.
            let Some(name) = keys.next() else {
                after.extend(0..at);
                continue;
            };
            let Some(other) = place(name, at, names) else { continue };
            after.push(other);
            if is_data && !reference.has_fallback {
                needs.push(other);
            }
        }
    }
    let depends = item.get("depends").and_then(Node::as_list).unwrap_or_default();
    after.extend(depends.iter().filter_map(|name| place(name.as_string()?, at, names)));
    for steps in [&mut after, &mut needs] {
        sort(steps, &|a, b| a.cmp(b));
        steps.dedup();
    }

    Some(Step {
        name: Cow::Owned(text(item, "step")?.to_owned()),
        skill: Cow::Owned(text(item, "skill")?.to_owned()),
        input,
        condition,
        foreach,
        concurrency: small("maxConcurrency").unwrap_or(1),
        after: after.into(),
        needs: needs.into(),
        timeout_ms: number("timeout"),
        retry: small("retry").unwrap_or(0),
        retry_delay_ms: number("retryDelay").unwrap_or(RETRY_DELAY_MS),
        continue_on_error: item
            .get("continueOnError")
            .and_then(Node::as_scalar)
            .is_some_and(|scalar| scalar.text == "true"),
    })
}

/// Finds an earlier step by its name; any other is no edge, and was reported.
fn place(name: &str, before: u32, names: &[&str]) -> Option<u32> {
    (0..before).zip(names).find(|(_, other)| **other == name).map(|(at, _)| at)
}

fn text<'n>(item: &'n Node, key: &str) -> Option<&'n str> {
    item.get(key)?.as_string()
}

/// Parses the templates at any depth of a value into one tree (SPEC 5.2).
fn deep(node: &Node) -> Option<Tree> {
    let mut builder = Builder::default();
    build(&mut builder, node, &mut 0);
    builder.finish().tree
}

/// Spans count through the texts of the value, as in [`skills_template::parse_deep`].
fn build(builder: &mut Builder, node: &Node, base: &mut u32) {
    let far = |base: &u32, text: &str| base.saturating_add(u32::try_from(text.len()).unwrap_or(u32::MAX));
    match &node.value {
        Value::Map(entries) => {
            builder.begin_object();
            for entry in entries {
                builder.key(&entry.key, *base);
                *base = far(base, &entry.key);
                build(builder, &entry.value, base);
            }
            builder.end();
        }
        Value::List(items) => {
            builder.begin_array();
            items.iter().for_each(|item| build(builder, item, base));
            builder.end();
        }
        Value::Scalar(scalar) => match scalar.kind {
            Kind::Null => builder.null(*base),
            Kind::Bool => builder.bool(scalar.text == "true", *base),
            Kind::Number => builder.number(&scalar.text, *base),
            Kind::String | Kind::Date => {
                builder.template(&scalar.text, *base);
                *base = far(base, &scalar.text);
            }
        },
    }
}
