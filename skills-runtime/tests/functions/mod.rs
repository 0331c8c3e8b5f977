//! Functions made of `skill.json` files written in a test, and a host made of a closure.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use skills_runtime::Registry;
use skills_runtime::call::{BoxFuture, Context, Dispatch, Event, Failure, Function, Functions};
use skills_runtime::typed::Checker;
use skills_template::pipeline::{Pipeline, Step};
use skills_template::{Node, Tree, parse_condition, parse_deep, parse_prompt, parse_template, references};

/// Makes the functions of the files of a root, given as paths and texts. What is made lasts as long as the test.
pub(crate) fn functions(files: &[(&str, &str)]) -> &'static Functions {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        write(&root.path().join(path), text);
    }
    let functions = load(root.path());
    drop(root);
    functions
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

/// Makes the functions of a root on disk.
pub(crate) fn load(root: &Path) -> &'static Functions {
    let loaded = skills_core::load(root, "skills", &skills_core::options::Options::default());
    let faults: Vec<String> = loaded.report.diagnostics.iter().map(|fault| format!("{fault:?}")).collect();
    assert_eq!(loaded.report.errors(), 0, "{faults:#?}");
    let tables = skills_core::lower::tables(&loaded.catalog, 8_000).expect("small tables");
    let registry: &'static Registry = Box::leak(Box::new(Registry::new(tables)));
    let made = loaded.catalog.skills().iter().filter_map(|skill| {
        let signature = skill.signature.as_ref()?;
        let handle = registry.get(&skill.name).expect("every skill is in the registry");
        let checker = |tables: &Checker| -> &'static Checker { Box::leak(Box::new(tables.clone())) };
        let prompt = handle.prompt().map(|text| tree(parse_prompt(text)));
        let pipeline = handle.pipeline().map(|steps| pipeline(steps, handle.output_mapping()));
        Some(Function {
            skill: handle,
            input: checker(&signature.input_tables),
            output: checker(&signature.output_tables),
            prompt: prompt.map(|tree| &*Box::leak(Box::new(tree))),
            pipeline: pipeline.map(|pipeline| &*Box::leak(Box::new(pipeline))),
        })
    });
    let made: &'static [Function<'static>] = Box::leak(made.collect());
    Box::leak(Box::new(Functions::new(registry, made)))
}

fn tree(parsed: skills_template::Parsed) -> Tree {
    parsed.into_result().expect("checked before")
}

fn pipeline(steps: &str, mapping: Option<&str>) -> Pipeline {
    let steps: Vec<Value> = serde_json::from_str(steps).expect("checked before");
    let names: Vec<String> = steps.iter().map(|step| text(step, "step").expect("a name")).collect();
    let place = |name: &str| {
        let place = names.iter().position(|known| known == name).expect("checked before");
        u32::try_from(place).expect("few steps")
    };
    let number = |step: &Value, key: &str| step.get(key).and_then(Value::as_u64);
    let made = steps.iter().map(|step| {
        let input = tree(parse_deep(&step["input"]));
        let condition = text(step, "condition").map(|text| tree(parse_condition(&text)));
        let foreach = text(step, "foreach").map(|text| tree(parse_template(&text)));
        let needs = [Some(&input), foreach.as_ref()].into_iter().flatten();
        let needs: Vec<u32> = needs.flat_map(|tree| named(tree, false)).map(|name| place(&name)).collect();
        let trees = [Some(&input), condition.as_ref(), foreach.as_ref()];
        let referred = trees.into_iter().flatten().flat_map(|tree| named(tree, true));
        let depends = step.get("depends").and_then(Value::as_array).into_iter().flatten();
        let depends = depends.filter_map(Value::as_str).map(str::to_owned);
        let mut after: Vec<u32> = referred.chain(depends).map(|name| place(&name)).collect();
        after.sort_unstable();
        after.dedup();
        Step {
            name: text(step, "step").expect("a name").into(),
            skill: text(step, "skill").expect("a skill").into(),
            input,
            condition,
            foreach,
            concurrency: number(step, "maxConcurrency").map_or(1, |n| u32::try_from(n).expect("small")),
            after: Cow::Owned(after),
            needs: Cow::Owned(needs),
            timeout_ms: number(step, "timeout"),
            retry: number(step, "retry").map_or(0, |n| u32::try_from(n).expect("small")),
            retry_delay_ms: number(step, "retryDelay").unwrap_or(1_000),
            continue_on_error: step.get("continueOnError").and_then(Value::as_bool).unwrap_or(false),
        }
    });
    let mapping = mapping.map(|text| serde_json::from_str::<Value>(text).expect("checked before"));
    Pipeline {
        steps: made.collect::<Vec<_>>().into(),
        mapping: mapping.map(|mapping| tree(parse_deep(&mapping))),
    }
}

fn text(step: &Value, key: &str) -> Option<String> {
    step.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The steps that a tree names; those that it names without a fallback, unless `all`.
fn named(tree: &Tree, all: bool) -> Vec<String> {
    let found = references(tree.root());
    let found = found.iter().filter(|found| all || !found.has_fallback);
    let keys = found.map(|found| found.path.children().map(Node::text).collect::<Vec<_>>());
    keys.filter(|keys| keys.first() == Some(&"steps"))
        .filter_map(|keys| keys.get(1).map(|key| (*key).to_owned()))
        .collect()
}

/// What a function of a test host answers.
pub(crate) type Answer<'a> = BoxFuture<'a, Result<Value, Failure>>;

/// A host made of one closure; nothing where the closure has no function for a skill.
pub(crate) struct Host<F>(pub(crate) F);

impl<F> Dispatch for Host<F>
where
    F: for<'a> Fn(&str, Value, &'a Context) -> Option<Answer<'a>> + Send + Sync + 'static,
{
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        let input = serde_json::from_str(&input).unwrap_or(Value::Null);
        let future = (self.0)(skill, input, context)?;
        Some(Box::pin(async move { Ok(future.await?.to_string()) }))
    }
}

/// Types the closure of a [`Host`].
pub(crate) fn host<F>(serve: F) -> Host<F>
where
    F: for<'a> Fn(&str, Value, &'a Context) -> Option<Answer<'a>> + Send + Sync + 'static,
{
    Host(serve)
}

/// Collects events.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Event>>>);

impl Log {
    pub(crate) fn observer(&self) -> impl Fn(&Event) + Send + Sync + 'static {
        let log = self.clone();
        move |event| log.0.lock().expect("no panic").push(event.clone())
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.0.lock().expect("no panic").clone()
    }

    /// The events of steps, as `start a`, `end a`, `skipped a`.
    pub(crate) fn steps(&self) -> Vec<String> {
        let line = |event: Event| match event {
            Event::StepStart { step, .. } => Some(format!("start {step}")),
            Event::StepEnd { step, error: None, .. } => Some(format!("end {step}")),
            Event::StepEnd { step, error: Some(error), .. } => Some(format!("end {step}: {error}")),
            Event::StepSkipped { step, .. } => Some(format!("skipped {step}")),
            _ => None,
        };
        self.events().into_iter().filter_map(line).collect()
    }
}

/// A `skill.json` with the keys that every one has; `rest` are the others.
pub(crate) fn manifest(name: &str, mode: &str, input: &str, output: &str, rest: &str) -> String {
    let rest = if rest.is_empty() { String::new() } else { format!(", {rest}") };
    format!(
        r#"{{"name": "{name}", "description": "Does {name}.", "category": "test", "mode": "{mode}",
            "input": {input}, "output": {output}{rest}}}"#
    )
}
