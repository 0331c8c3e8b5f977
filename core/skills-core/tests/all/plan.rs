//! Parsed prompts and pipelines of a catalog with their edges, as the engine runs them.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::catalog::{Backend, Catalog, Signature};
use skills_core::load;
use skills_core::lower::tables;
use skills_core::options::Options;
use skills_registry::Registry;
use skills_template::pipeline::Pipeline;
use skills_template::render::{RenderLimits, Scope, print, render};

const HEAD: &str = r#""description": "Does it.", "category": "math", "output": {}"#;

fn catalog(files: &[(&str, &str)]) -> Catalog {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let loaded = load(root.path(), "skills", &Options::default());
    assert_eq!(loaded.report.errors(), 0, "{:#?}", loaded.report.diagnostics);
    loaded.catalog
}

fn signature<'c>(catalog: &'c Catalog, name: &str) -> &'c Signature {
    catalog.skills().iter().find(|skill| skill.name == name).unwrap().signature.as_ref().unwrap()
}

fn pipeline(steps: &str, more: &str) -> Pipeline {
    let callee = format!(r#"{{"name": "do", "mode": "code", {HEAD}, "input": {{}}}}"#);
    let caller = format!(
        r#"{{"name": "all", "mode": "composite", {HEAD}, "input": {{}}, "calls": ["do"], "pipeline": {steps} {more}}}"#
    );
    let catalog = catalog(&[("do/skill.json", &callee), ("all/skill.json", &caller)]);
    assert!(signature(&catalog, "do").plan.is_none());
    signature(&catalog, "all").plan.clone().unwrap()
}

// SPEC 5.7
#[test]
fn keys_of_a_step_have_their_defaults() {
    let plan = pipeline(r#"[{"step": "a", "skill": "do", "input": {}}]"#, "");
    let step = &plan.steps[0];
    assert_eq!((&*step.name, &*step.skill, print(step.input.root()).as_str()), ("a", "do", "{}"));
    assert_eq!((step.concurrency, step.retry, step.retry_delay_ms), (1, 0, 1000));
    assert!(!step.continue_on_error && step.after.is_empty() && step.needs.is_empty());
    assert!(step.condition.is_none() && step.foreach.is_none() && step.timeout_ms.is_none());
    assert!(plan.mapping.is_none());

    let plan = pipeline(
        r#"[{"step": "a", "skill": "do", "input": {"x": ["{{item}}", 1.50, null, true]}, "foreach": "{{input.l}}",
            "condition": "input.l", "maxConcurrency": 0, "timeout": 2e3, "retry": 2, "retryDelay": 2.5,
            "continueOnError": true}]"#,
        r#", "outputMapping": {"n": "{{steps.a.results | size}}", "t": "{{steps.a}}!"}"#,
    );
    let step = &plan.steps[0];
    assert_eq!(
        (step.concurrency, step.retry, step.retry_delay_ms),
        (0, 2, 3),
        "SPEC 3.1: a part of a millisecond counts as one"
    );
    assert_eq!((step.timeout_ms, step.continue_on_error), (Some(2000), true));
    assert_eq!(print(step.input.root()), r#"{"x": ["{{item}}", 1.50, null, true]}"#);
    assert_eq!(print(step.foreach.as_ref().unwrap().root()), "{{input.l}}");
    assert_eq!(print(step.condition.as_ref().unwrap().root()), "{{input.l}}");
    assert_eq!(
        print(plan.mapping.unwrap().root()),
        r#"{"n": "{{steps.a.results | size}}", "t": "{{steps.a}}!"}"#
    );
}

// SPEC 5.6, 5.4: data and conditions are edges, `depends` adds more; only data without a fallback is needed.
#[test]
fn references_are_edges() {
    let plan = pipeline(
        r#"[
            {"step": "a", "skill": "do", "input": {}},
            {"step": "b", "skill": "do", "input": {"x": "{{input.y}}"}},
            {"step": "c", "skill": "do", "input": {"x": {"y": ["{{steps.a.x}} {{steps.b.y || 'none'}}"]}}},
            {"step": "d", "skill": "do", "input": {}, "condition": "steps.c && !steps.a.x"},
            {"step": "e", "skill": "do", "input": {"x": "{{item}}"}, "foreach": "{{steps.b.l}}", "depends": ["d", "a"]},
            {"step": "f", "skill": "do", "input": {"x": "{{steps | json}}"}},
            {"step": "g", "skill": "do", "input": {"x": "{{steps.f.l | default: steps.e}}"}},
            {"step": "h", "skill": "do", "input": {"x": "{{steps.f | map: steps}}"}}
        ]"#,
        "",
    );
    let edges: Vec<(&str, &[u32], &[u32])> =
        plan.steps.iter().map(|step| (&*step.name, &*step.after, &*step.needs)).collect();
    let none: &[u32] = &[];
    assert_eq!(
        edges,
        [
            ("a", none, none),
            ("b", none, none),
            ("c", &[0, 1], &[0]),
            ("d", &[0, 2], none),
            ("e", &[0, 1, 3], &[1]),
            ("f", &[0, 1, 2, 3, 4], none),
            ("g", &[4, 5], none),
            ("h", &[5], &[5]),
        ]
    );
}

// SPEC 5.8, 3.5: the prompt is `prompt.md`, or else the body; a text without templates is unchanged.
#[test]
fn prompts_are_parsed() {
    let ask = format!(r#"{{"name": "ask", "mode": "llm", {HEAD}, "input": {{}}}}"#);
    let document = "---\nname: ask\ndescription: Does it.\n---\n\n# Ask {{input.x || 'me'}}\n";
    let prompt_of = |files: &[(&str, &str)]| {
        let catalog = catalog(files);
        let tree = signature(&catalog, "ask").prompt_tree.clone().unwrap();
        render(tree.root(), &Scope::default(), RenderLimits::default()).unwrap()
    };
    let (manifest, body) = (("ask/skill.json", ask.as_str()), ("ask/SKILL.md", document));
    assert_eq!(prompt_of(&[manifest, body]), "# Ask me\n");
    assert_eq!(prompt_of(&[manifest, body, ("ask/prompt.md", " { plain } \r\n")]), " { plain } \r\n");
    // SPEC 3.4: a byte order mark is not part of the prompt, neither as a tree nor as text.
    let marked = [manifest, ("ask/prompt.md", "\u{feff}Ask {{input.x || 'me'}}\n")];
    assert_eq!(prompt_of(&marked), "Ask me\n");
    let tables = Registry::new(tables(&catalog(&marked), 8_000).unwrap());
    assert_eq!(tables.get("ask").unwrap().prompt(), Some("Ask {{input.x || 'me'}}\n"));
    assert_eq!(prompt_of(&[manifest, ("ask/prompt.md", "{{{{x}}}}{{#raw}}{{y}}{{/raw}}")]), "{{x}}{{y}}");
}

// SPEC 3.4, 4.1, 6.2: the way to run a skill, and the certain calls of a pipeline, are decided in one place.
#[test]
fn each_skill_has_a_backend() {
    let manifest = |name: &str, mode: &str, more: &str| {
        format!(r#"{{"name": "{name}", "mode": "{mode}", {HEAD}, "input": {{}}{more}}}"#)
    };
    let steps = r#", "calls": ["act", "ask", "run"], "pipeline": [
        {"step": "a", "skill": "run", "input": {}, "foreach": "{{input.l}}"},
        {"step": "b", "skill": "ask", "input": {}, "condition": "input.x"},
        {"step": "c", "skill": "ask", "input": {"x": "{{steps.b}}"}},
        {"step": "d", "skill": "ask", "input": {}, "continueOnError": true},
        {"step": "e", "skill": "act", "input": {"x": "{{steps.a}}{{steps.b || 1}}{{steps.d}}"}},
        {"step": "f", "skill": "act", "input": {}, "depends": ["b"]}
    ]"#;
    let document =
        |name: &str, more: &str| format!("---\nname: {name}\ndescription: Does it.\n{more}---\nRun.\n");
    let (act, ask) = (manifest("act", "code", ""), manifest("ask", "llm", ""));
    let (run, flow) = (manifest("run", "code", ""), manifest("flow", "composite", steps));
    let free = manifest("free", "composite", "");
    let script = "#!/bin/sh\ncat\n";
    let exec = |name: &str| document(name, "exec: run\n");
    let typed = document("typed", "exec: run\nschema: in.json\n");
    let catalog = catalog(&[
        ("act/skill.json", &act),
        ("ask/skill.json", &ask),
        ("ask/prompt.md", "Ask."),
        ("run/skill.json", &run),
        ("run/SKILL.md", &exec("run")),
        ("run/bin/run", script),
        ("flow/skill.json", &flow),
        ("free/skill.json", &free),
        ("typed/SKILL.md", &typed),
        ("typed/bin/run", script),
        ("typed/in.json", "{}"),
        ("plain/SKILL.md", &exec("plain")),
        ("plain/bin/run", script),
        ("prose/SKILL.md", &document("prose", "")),
    ]);
    let ways: Vec<(&str, Option<Backend>)> =
        catalog.skills().iter().map(|skill| (skill.name.as_str(), skill.backend)).collect();
    assert_eq!(
        ways,
        [
            ("act", Some(Backend::Host)),
            ("ask", Some(Backend::Model)),
            ("flow", Some(Backend::Pipeline)),
            ("free", Some(Backend::Host)),
            ("plain", None),
            ("prose", None),
            ("run", Some(Backend::Program)),
            ("typed", Some(Backend::Program)),
        ]
    );
    let flow = catalog.skills().iter().find(|skill| skill.name == "flow").unwrap();
    assert_eq!(flow.function.as_ref().unwrap().certain_calls, ["act"]);
}
