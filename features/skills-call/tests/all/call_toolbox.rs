//! Tests the tools that a runner offers to a model, and that it answers every call. Real calls confirm the results.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_call::model::{Message, ModelError, ToolCall};
use skills_call::testing::ScriptedModel;
use skills_call::{CallOptions, ErrorKind, Functions, Loader, OnDemand, Runner, ToolAnswer};
use skills_load::LayersBuilder;
use skills_registry::{CompiledSkill, Facts, Layout, Registry, write};
use skills_runtime::ToolFormat;
use skills_runtime::tools::{Exclusion, Session};

use crate::functions::{Answer, functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;
const TYPED: &str = r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a", "b"]}"#;

fn library() -> &'static Functions {
    functions(&[
        ("act/skill.json", &manifest("act", "code", TYPED, ANY, "")),
        ("ask/skill.json", &manifest("ask", "llm", ANY, ANY, r#""retry": 0"#)),
        ("ask/prompt.md", "Answer.\n"),
        ("run/SKILL.md", "---\nname: run\ndescription: Runs.\nexec: bin/run\nschema: in.json\n---\nRuns.\n"),
        ("run/in.json", ANY),
        ("run/bin/run", "#!/bin/sh\necho '{\"a\":'\necho ' 1}'\n"),
        ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads pages.\n---\nRead pages.\n"),
        ("pdf/refs/a.md", "All of a."),
        ("load_skill/skill.json", &manifest("load_skill", "code", ANY, ANY, "")),
    ])
}

fn names(runner: &Runner, format: ToolFormat) -> Vec<String> {
    let tools: Vec<Value> = serde_json::from_str(&runner.tools(format)).expect("an array");
    let name = |tool: &Value| tool.get("name").or_else(|| tool["function"].get("name")).cloned();
    tools
        .iter()
        .map(|tool| name(tool).and_then(|name| Some(name.as_str()?.to_owned())).expect("a name"))
        .collect()
}

async fn ask(runner: &Runner, name: &str, arguments: &str) -> ToolAnswer {
    runner.dispatch(name, arguments, &CallOptions::default()).await
}

// SPEC 6.5
#[tokio::test]
async fn callable_functions_are_offered_and_answer() {
    let bare = Runner::new(library());
    assert_eq!(names(&bare, ToolFormat::OpenAi), ["load_skill", "run"]);
    let runner = bare.clone().host(host(|skill, _, _| match skill {
        "act" => Some(Box::pin(async { Ok(json!({"done": 1})) })),
        _ => None,
    }));
    for format in ToolFormat::ALL {
        assert_eq!(names(&runner, format), ["load_skill", "act", "run"], "{format:?}");
    }
    let definitions = runner.tool_definitions();
    assert_eq!(definitions.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["load_skill", "act", "run"]);
    assert_eq!(definitions[1].parameters["required"], json!(["a", "b"]));
    let answer = ask(&runner, "act", r#"{"a": 1, "b": "x"}"#).await;
    assert_eq!((answer.text.as_str(), answer.is_error), (r#"{"done":1}"#, false));
    assert_eq!(answer.output, Some(json!({"done": 1})));
    // JSON output of a program is returned as JSON (SPEC 6.3).
    assert_eq!(ask(&runner, "run", "").await.output, Some(json!({"a": 1})));
    let loaded = ask(&runner, "load_skill", r#"{"name": "pdf"}"#).await;
    assert!(!loaded.is_error && loaded.text.ends_with("Read pages."), "{}", loaded.text);
    assert_eq!(ask(&runner, "load_skill", r#"{"name": "pdf/refs/a.md"}"#).await.text, "All of a.");
}

// SPEC 6.5
#[tokio::test]
async fn every_tool_call_is_answered() {
    let runner =
        Runner::new(library()).loader(Loader::Skill).host(host(|skill, input, _| -> Option<Answer<'_>> {
            match (skill, input["a"].as_u64()) {
                ("act", Some(0)) => Some(Box::pin(async { panic!("it is broken") })),
                ("act", Some(1)) => Some(Box::pin(std::future::pending())),
                ("act" | "load_skill", _) => Some(Box::pin(async { Err("it rains".into()) })),
                _ => None,
            }
        }));
    let cases = [
        (
            "at",
            "{}",
            "There is no tool \"at\". Did you mean \"act\"? Available tools: skill, act, load_skill, run",
        ),
        (
            "pdf",
            "{}",
            "There is no tool \"pdf\". It is a skill to read: call skill. Available tools: skill, act, load_skill, run",
        ),
        ("ask", "{}", "There is no tool \"ask\". Available tools: skill, act, load_skill, run"),
        (
            "act",
            "",
            "Skill \"act\" input validation failed\n(root): required: expected the property \"a\", found none\n(root): required: expected the property \"b\", found none",
        ),
        ("act", r#"{"a": 0, "b": ""}"#, "Skill \"act\" failed: it panicked"),
        ("act", r#"{"a": 1, "b": ""}"#, "Skill \"act\" timed out after 20ms"),
        ("act", r#"{"a": 2, "b": ""}"#, "Skill \"act\" failed: it rains"),
        ("load_skill", "{}", "Skill \"load_skill\" failed: it rains"),
        ("skill", r#"{"name": "pfd"}"#, "Error: skill 'pfd' not found. Available skills: pdf, run."),
        (
            "skill",
            r#"{"name": 1}"#,
            "Skill \"skill\" input validation failed\n/name: type: expected a string, found 1",
        ),
    ];
    let options = CallOptions::default().timeout(std::time::Duration::from_millis(20));
    for (name, arguments, text) in cases {
        let answer = runner.dispatch(name, arguments, &options).await;
        assert_eq!(
            (answer.text.as_str(), answer.is_error, answer.output),
            (text, true, None),
            "{name} {arguments}"
        );
    }
    for broken in ["{", "nonsense", "[]", "null", "{\"a\": 1", "\u{0}"] {
        for name in ["act", "run", "skill"] {
            let answer = ask(&runner, name, broken).await;
            assert_eq!(answer.kind, Some(ErrorKind::InvalidInput), "{name} {broken}: {}", answer.text);
        }
    }
}

// SPEC 8.13, 11.17: with both tools; the session belongs to the host or is read from its messages
#[tokio::test]
async fn a_session_loads_a_skill_once() {
    let again = "Skill \"pdf\" was loaded already in this conversation; its instructions stand above.";
    for (loader, tool) in [(Loader::LoadSkill, "load_skill"), (Loader::Skill, "skill")] {
        let runner = Runner::new(library()).loader(loader);
        let call = ToolCall { id: "1".into(), name: tool.into(), arguments: r#"{"name": "pdf"}"#.into() };
        let load = async |options: &CallOptions| runner.dispatch(tool, &call.arguments, options).await;
        let alone = CallOptions::default();
        let full = load(&alone).await;
        assert!(
            full.text.contains("Read pages.") && load(&alone).await == full,
            "without a session, each time"
        );
        let of = |session| CallOptions::default().session(Arc::new(Mutex::new(session)));
        let own = of(Session::default());
        assert_eq!(load(&own).await, full);
        let second = load(&own.clone()).await;
        assert_eq!(
            (second.text.as_str(), second.is_error),
            (again, false),
            "options that are copied share it"
        );
        let file = runner.dispatch(tool, r#"{"name": "pdf/refs/a.md"}"#, &own).await;
        assert_eq!(file.text, "All of a.", "a file is sent each time");
        let asked = Message::assistant("", vec![call.clone()]);
        let message = full.clone().into_message(&call);
        assert_eq!(load(&of(runner.session(&[asked.clone(), message.clone()]))).await.text, again);
        assert_eq!(load(&of(runner.session(&[message]))).await, full, "an answer to nothing");
        assert_eq!(load(&of(runner.session(&[asked]))).await, full, "a question without an answer");
    }
    let none = Runner::new(library()).loader(Loader::None);
    assert_eq!(none.session(&[Message::user("go")]), Session::default());
}

// SPEC 6.5
#[tokio::test]
async fn the_loader_has_precedence_over_a_function_of_its_name() {
    let runner = Runner::new(library()).host(host(|_, _, _| Some(Box::pin(async { Ok(json!({})) }))));
    let left: Vec<_> =
        runner.left_out(ToolFormat::Mcp).into_iter().map(|(skill, left)| (skill.name(), left)).collect();
    assert!(left.contains(&("load_skill", Exclusion::Loader)), "{left:?}");
    assert!(ask(&runner, "load_skill", r#"{"name": "pdf"}"#).await.text.starts_with("## Skill: pdf\n"));
    let runner = runner.loader(Loader::None);
    assert!(names(&runner, ToolFormat::Mcp).contains(&"load_skill".to_owned()));
    assert_eq!(ask(&runner, "load_skill", "{}").await.text, "{}");
}

// SPEC 8.6
#[test]
fn the_prompt_names_the_offered_tool() {
    let runner = Runner::new(library());
    let says = |text: &str, loader| runner.clone().loader(loader).prompt().contains(text);
    assert!(says("Use the skill tool to load", Loader::Skill));
    assert!(!says("tool", Loader::None) && says("<name>\npdf\n</name>", Loader::None));
    for loader in [Loader::LoadSkill, Loader::Skill, Loader::None] {
        assert_eq!(runner.clone().only(|_| false).loader(loader).prompt(), "");
    }
}

// SPEC 8.6: a skill is described either in the system prompt or in the tools of a request.
#[test]
fn skills_are_listed_once() {
    let runner = Runner::new(library());
    let described = library().registry().get("pdf").expect("it is there").description();
    for loader in [Loader::LoadSkill, Loader::Skill, Loader::None] {
        let runner = runner.clone().loader(loader);
        let request = format!("{}{}", runner.prompt(), runner.tools(ToolFormat::Anthropic));
        assert_eq!(request.matches(described).count(), 1, "{loader:?}: {request}");
    }
}

// SPEC 8.1, 8.6: the budget of the catalog also applies to the description of the tool.
#[test]
fn a_list_in_a_description_is_cut_to_the_budget() {
    let skills: Vec<CompiledSkill<'static>> = (0..60)
        .map(|at| {
            let (name, description) = (format!("s{at:02}"), "x".repeat(500));
            Facts { name, description, body: Some(0..0), model_invocable: true, ..Facts::default() }.into()
        })
        .collect();
    for (budget, shown, longest) in [(8_000, 60, 500), (4_000, 60, 200), (2_000, 60, 100), (1_000, 34, 100)] {
        let tables = write(&skills, Layout::Joined, budget).expect("small").into_tables();
        let registry: &'static Registry = Box::leak(Box::new(Registry::new(tables)));
        let tools = Runner::new(registry).tool_definitions();
        let description = &tools[0].description;
        assert_eq!(description.matches("- **").count(), shown, "{budget}: {description}");
        let line = description.lines().nth(2).expect("a skill").trim_start_matches("- **s00**: ");
        assert_eq!(line.len(), longest, "{budget}");
        let rest = format!("\n{} more skills not shown: s{shown}, ", 60 - shown);
        assert_eq!(description.contains(&rest), shown < 60, "{budget}: {description}");
    }
}

// SPEC 6.5
#[tokio::test]
async fn a_restricted_runner_has_no_other_skills() {
    let calls = r#""calls": ["run"], "pipeline": [{"step": "a", "skill": "run", "input": {}}]"#;
    let library = functions(&[
        ("p/skill.json", &manifest("p", "composite", ANY, ANY, calls)),
        ("run/SKILL.md", "---\nname: run\ndescription: Runs.\nexec: bin/run\nschema: in.json\n---\nRuns.\n"),
        ("run/in.json", ANY),
        ("run/bin/run", "#!/bin/sh\necho '{}'\n"),
    ]);
    let runner = Runner::new(library).only(|skill| skill.name() == "p");
    // SPEC 8.2: `p` has nothing to load, so no tool loads skills.
    assert_eq!(names(&runner, ToolFormat::Anthropic), ["p"]);
    assert_eq!((ask(&runner, "p", "{}").await.text, runner.prompt()), ("{}".to_owned(), String::new()));
    assert_eq!(ask(&runner, "run", "{}").await.kind, Some(ErrorKind::NotFound));
    let load = ask(&runner, "load_skill", r#"{"name": "run"}"#).await;
    assert_eq!(
        (load.kind, &*load.text),
        (Some(ErrorKind::NotFound), "There is no tool \"load_skill\". Available tools: p")
    );
    let refused = runner.call_json("run", json!({})).await.expect_err("it is held back");
    assert_eq!(refused.kind(), ErrorKind::NotFound);
    assert!(!runner.is_callable("run") && runner.plan("run", "{}").is_err());
    assert!(runner.exec("run", "", Default::default()).await.is_err());
}

/// Numbers that depend on a seed only.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Writes a skill of a random kind; a pipeline calls one of those before it.
fn skill(random: &mut Random, at: u64, files: &mut Vec<(String, String)>) {
    let name = format!("s{at}");
    let gate = ["", "requires: [cap:x]\n", "disable-model-invocation: true\n", ""][random.below(4) as usize];
    let document = |rest: &str| format!("---\nname: {name}\ndescription: Does it.\n{gate}{rest}---\nText.\n");
    let program = |files: &mut Vec<(String, String)>| {
        files.push((format!("{name}/bin/run"), "#!/bin/sh\necho '{}'\n".to_owned()));
    };
    let calls = |callee: u64, rest: &str| {
        format!(
            r#""calls": ["s{callee}"], "pipeline": [{{"step": "a", "skill": "s{callee}", "input": {{}}{rest}}}]"#
        )
    };
    let (mode, rest) = match random.below(7) {
        0 => return files.push((format!("{name}/SKILL.md"), document(""))),
        1 => {
            program(files);
            files.push((format!("{name}/in.json"), ANY.to_owned()));
            return files.push((format!("{name}/SKILL.md"), document("exec: bin/run\nschema: in.json\n")));
        }
        2 => {
            program(files);
            files.push((format!("{name}/SKILL.md"), document("exec: bin/run\n")));
            files.push((format!("{name}/skill.json"), manifest(&name, "code", ANY, ANY, "")));
            return;
        }
        3 => {
            files.push((format!("{name}/prompt.md"), "Answer.\n".to_owned()));
            ("llm", r#""retry": 0"#.to_owned())
        }
        4 if at > 0 => ("composite", calls(random.below(at), "")),
        5 if at > 0 => ("composite", calls(random.below(at), r#", "continueOnError": true"#)),
        _ => ("code", String::new()),
    };
    files.push((format!("{name}/SKILL.md"), document("")));
    files.push((format!("{name}/skill.json"), manifest(&name, mode, ANY, ANY, &rest)));
}

fn skills(random: &mut Random, root: &Path) {
    let mut files = Vec::new();
    for at in 0..6 {
        if random.below(4) > 0 {
            skill(random, at, &mut files);
        }
    }
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
}

// SPEC 6.5
#[tokio::test]
async fn exactly_the_offered_tools_run() {
    let mut offered_in_all = 0;
    for seed in 0..u64::try_from(test_bed::rounds(12)).expect("few") {
        let random = &mut Random(seed);
        let roots = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        roots.iter().for_each(|root| skills(random, root.path()));
        let has_grant = random.below(2) == 0;
        let layers = LayersBuilder::new().directories(roots.iter().map(|root| root.path()));
        let layers = layers.grant(move |_| has_grant).load().expect("readable");
        let mut runner = Runner::from(layers);
        let served: BTreeSet<String> =
            (0..6).filter(|_| random.below(2) == 0).map(|at| format!("s{at}")).collect();
        runner = runner.host(host(move |skill, _, _| -> Option<Answer<'_>> {
            served.contains(skill).then(|| -> Answer<'_> { Box::pin(async { Ok(json!({})) }) })
        }));
        if random.below(2) == 0 {
            let model = (0..60).fold(ScriptedModel::default(), |model, _| model.text("{}"));
            runner = runner.model(model);
        }
        let loader = [Loader::LoadSkill, Loader::Skill, Loader::None][random.below(3) as usize];
        runner = runner.loader(loader);
        if random.below(3) == 0 {
            runner = runner.only(|skill| skill.name() < "s3");
        }
        let is_on_demand = random.below(2) == 0;
        if is_on_demand {
            runner = runner.on_demand(OnDemand::default().pin("s1"));
        }
        let offered: BTreeSet<String> = names(&runner, ToolFormat::Mcp).into_iter().collect();
        let defined: BTreeSet<String> = runner.tool_definitions().into_iter().map(|tool| tool.name).collect();
        assert_eq!(offered, defined, "{seed}");
        for name in (0..6).map(|at| format!("s{at}")).chain([
            "load_skill".into(),
            "skill".into(),
            "search_skills".into(),
        ]) {
            let answer = ask(&runner, &name, "{}").await;
            let is_loader = loader.name() == Some(&*name) || name == "search_skills";
            assert_eq!(
                answer.kind == Some(ErrorKind::NotFound),
                !offered.contains(&name),
                "{seed} {name}: {}",
                answer.text
            );
            if offered.contains(&name) && !is_loader {
                assert!(!answer.is_error, "{seed} {name}: {}", answer.text);
                offered_in_all += 1;
            }
        }
        // Listed skills can be loaded, and skills that can be loaded or called are listed or found.
        let tools = runner.tool_definitions();
        let described = tools.iter().find(|tool| Some(tool.name.as_str()) == loader.name());
        let description = described.map_or("", |tool| tool.description.as_str());
        let prompt = runner.prompt();
        for skill in runner.skills().iter() {
            let is_found = runner
                .server_access()
                .find_skills(skill.name(), 9)
                .iter()
                .any(|found| found.name() == skill.name());
            let is_read = skill.has_document() && skill.is_model_invocable();
            assert_eq!(is_found, is_read || offered.contains(skill.name()), "{seed} {}", skill.name());
            let arguments = json!({"name": skill.name()}).to_string();
            let Some(loader) = loader.name().filter(|name| offered.contains(*name)) else { continue };
            let answer = ask(&runner, loader, &arguments).await;
            let is_in_tool = description.contains(&format!("- **{}**: ", skill.name()));
            let is_listed = prompt.contains(&format!("<name>{}</name>", skill.name())) || is_in_tool;
            if is_on_demand {
                assert!(!answer.is_error || !is_listed, "{seed} {}", skill.name());
                assert_eq!(!answer.is_error, is_read, "{seed} {}", skill.name());
            } else {
                assert_eq!(!answer.is_error, is_listed, "{seed} {}", skill.name());
            }
        }
    }
    assert!(offered_in_all > 12, "{offered_in_all}");
}

// SPEC 6.8
#[tokio::test]
async fn messages_of_the_provider_are_hidden_from_models() {
    let steps = |rest: &str| {
        let step = |name: &str, skill: &str| {
            format!(r#"{{"step": "{name}", "skill": "{skill}", "input": {{}}{rest}}}"#)
        };
        format!(r#""calls": ["ask", "served"], "pipeline": [{}, {}]"#, step("a", "ask"), step("b", "served"))
    };
    let mapping = r#", "outputMapping": {"a": "{{steps.a}}", "b": "{{steps.b}}"}"#;
    let (strict, mild) = (steps(""), steps(r#", "continueOnError": true"#) + mapping);
    let library = functions(&[
        ("ask/skill.json", &manifest("ask", "llm", ANY, ANY, r#""retry": 0"#)),
        ("ask/prompt.md", "Answer.\n"),
        ("served/skill.json", &manifest("served", "code", ANY, ANY, "")),
        ("mild/skill.json", &manifest("mild", "composite", ANY, ANY, &mild)),
        ("strict/skill.json", &manifest("strict", "composite", ANY, ANY, &strict)),
    ]);
    let failed = || ModelError::new("401 for key s3cret");
    let runner = Runner::new(library)
        .host(host(move |skill, _, _| {
            (skill == "served").then(|| -> Answer<'_> { Box::pin(async move { Err(failed().into()) }) })
        }))
        .model((0..9).fold(ScriptedModel::default(), |model, _| model.error("401 for key s3cret", false)));
    let why = "the log says why";
    for (name, text) in [
        ("ask", format!("Skill \"ask\" got no answer from the model; {why}")),
        ("served", format!("Skill \"served\" failed: the model gave no answer; {why}")),
        (
            "strict",
            format!(
                "Skill \"strict\" failed at step \"a\": Skill \"ask\" got no answer from the model; {why}"
            ),
        ),
    ] {
        let answer = ask(&runner, name, "{}").await;
        assert_eq!((answer.text, answer.is_error), (text, true));
        assert!(answer.reason.is_some_and(|reason| reason.ends_with("401 for key s3cret")), "{name}");
    }
    let answer = ask(&runner, "mild", "{}").await;
    assert!(!answer.text.contains("s3cret") && answer.text.contains(why), "{}", answer.text);
}
