//! Creates functions from `skill.json` texts in a test, and a host from a closure.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use skills_call::{BoxFuture, Context, Dispatch, Event, Failure, Function, Functions};
use skills_core::options::Options;
use skills_runtime::Registry;
use skills_runtime::typed::Checker;

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
    load_as(root, &Options::default())
}

/// Creates the functions of a directory, checked with options.
pub(crate) fn load_as(root: &Path, options: &Options) -> &'static Functions {
    let loaded = skills_core::load(root, "skills", options);
    let faults: Vec<String> = loaded.report.diagnostics.iter().map(|fault| format!("{fault:?}")).collect();
    assert_eq!(loaded.report.errors(), 0, "{faults:#?}");
    let tables = skills_core::lower::tables(&loaded.catalog, 8_000).expect("small tables");
    let registry: &'static Registry = Box::leak(Box::new(Registry::new(tables)));
    let made = loaded.catalog.skills().iter().filter_map(|skill| {
        let signature = skill.signature.as_ref()?;
        let handle = registry.get(&skill.name).expect("every skill is in the registry");
        let checker = |tables: &Checker| -> &'static Checker { Box::leak(Box::new(tables.clone())) };
        Some(Function {
            skill: handle,
            input: checker(&signature.input_tables),
            output: checker(&signature.output_tables),
            prompt: signature.prompt_tree.clone().map(|tree| &*Box::leak(Box::new(tree))),
            pipeline: signature.plan.clone().map(|plan| &*Box::leak(Box::new(plan))),
        })
    });
    let made: &'static [Function<'static>] = Box::leak(made.collect());
    let programs = loaded.catalog.skills().iter().filter_map(|skill| {
        let tables = skill.schema_tables.clone().filter(|_| skill.signature.is_none())?;
        Some((registry.get(&skill.name).expect("every skill is in the registry"), tables))
    });
    let programs: &'static [_] = Box::leak(programs.collect());
    Box::leak(Box::new(Functions::new(registry, made).programs(programs)))
}

/// The answer of a function of a test host.
pub(crate) type Answer<'a> = BoxFuture<'a, Result<Value, Failure>>;

/// A host from one closure, which returns `None` for skills without a function.
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
