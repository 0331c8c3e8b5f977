//! Skills on demand: a prompt of a few, a tool that finds the others, and nothing found that must not be.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use skills_call::model::{Message, ToolCall};
use skills_call::{CallOptions, ErrorKind, Functions, Loader, OnDemand, Runner, ToolAnswer};
use skills_load::LayersBuilder;
use skills_registry::{CompiledSkill, Facts, Hit, Layout, Registry, Skill, ranked, write};
use skills_runtime::ToolFormat;
use skills_runtime::tools::{Exclusion, Session};

use crate::functions::{functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

fn library() -> &'static Functions {
    let function = |name: &str, description: &str| {
        manifest(name, "code", ANY, ANY, "").replacen(&format!("Does {name}."), description, 1)
    };
    functions(&[
        ("weather/skill.json", &function("weather", "Tells the forecast of rain for a town")),
        ("invoice/skill.json", &function("invoice", "Writes a bill for a customer")),
        (
            "invoice/SKILL.md",
            "---\nname: invoice\ndescription: Writes a bill for a customer\n---\nAsk for the address.\n",
        ),
        ("pdf/SKILL.md", "---\nname: pdf\ndescription: Extracts tables from PDF files\n---\nRead pages.\n"),
        (
            "hidden/SKILL.md",
            "---\nname: hidden\ndescription: Extracts tables in secret\ndisable-model-invocation: true\n---\nNo.\n",
        ),
        (
            "gated/SKILL.md",
            "---\nname: gated\ndescription: Extracts tables with a camera\nrequires: [cap:camera]\n---\nNo.\n",
        ),
        ("inside/skill.json", &manifest("inside", "code", ANY, ANY, r#""tags": ["internal"]"#)),
        ("search_skills/skill.json", &manifest("search_skills", "code", ANY, ANY, "")),
    ])
}

fn runner() -> Runner {
    Runner::new(library()).host(host(|_, _, _| Some(Box::pin(async { Ok(json!({"ok": true})) }))))
}

async fn ask(runner: &Runner, name: &str, arguments: &str) -> ToolAnswer {
    runner.dispatch(name, arguments, &CallOptions::default()).await
}

fn tools(runner: &Runner, format: ToolFormat) -> Vec<Value> {
    serde_json::from_str(&runner.tools(format)).expect("an array")
}

fn named<'a>(tools: &'a [Value], name: &str) -> &'a Value {
    let has_name = |tool: &&Value| tool["name"] == name || tool["function"]["name"] == name;
    tools.iter().find(has_name).unwrap_or(&Value::Null)
}

// SPEC 16.3
#[tokio::test]
async fn a_model_finds_only_skills_that_it_may_load_or_call() {
    let runner = runner().on_demand(OnDemand::default());
    let answer = ask(&runner, "search_skills", r#"{"query": "extract the tables"}"#).await;
    assert_eq!(
        answer.text,
        "Load a skill by load_skill before you follow it.\n- **pdf**: Extracts tables from PDF files"
    );
    let expected = json!({"skills": [{"name": "pdf", "description": "Extracts tables from PDF files", "load": true, "call": false}]});
    assert_eq!((answer.output, answer.tools.is_empty()), (Some(expected), true));
    let answer = ask(&runner, "search_skills", r#"{"query": "bill; forecast of rain", "limit": 9}"#).await;
    assert!(answer.text.contains(
        "Load a skill by load_skill before you follow it. Call a function as the tool of its name."
    ));
    assert!(
        answer.text.contains("- **invoice** (function, with instructions): Writes a bill"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("- **weather** (function): Tells"), "{}", answer.text);
    assert_eq!(answer.tools.len(), 2);
    for query in ["camera", "secret", "inside", "zzzzzz", ""] {
        let answer = ask(&runner, "search_skills", &json!({"query": query}).to_string()).await;
        assert_eq!(
            (answer.text.as_str(), answer.is_error),
            ("No skill fits. Try other words.", false),
            "{query}"
        );
    }
    for broken in ["{}", r#"{"query": 1}"#, r#"{"query": "a", "limit": 0}"#, "nonsense"] {
        assert_eq!(
            ask(&runner, "search_skills", broken).await.kind,
            Some(ErrorKind::InvalidInput),
            "{broken}"
        );
    }
    // Without a loading tool, the locations of skills are returned.
    let none = runner.clone().loader(Loader::None);
    let answer = ask(&none, "search_skills", r#"{"query": "tables"}"#).await;
    assert!(answer.text.contains("**pdf** at ") && answer.text.contains("pdf/SKILL.md: "), "{}", answer.text);
    // Functions that cannot be called are found as texts, or not at all.
    let idle = Runner::new(library()).on_demand(OnDemand::default());
    let names: Vec<&str> =
        idle.server_access().find_skills("bill rain", 9).iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["invoice"]);
    assert_eq!(
        idle.only(|skill| skill.name() != "invoice").server_access().find_skills("bill rain", 9).len(),
        0
    );
}

/// Finds by the meaning of words, as a model of embeddings would.
fn rank_by_meaning<'a>(query: &str, skills: &[Skill<'a>]) -> Vec<Hit<'a>> {
    let found = skills.iter().filter(|skill| query == "receipt" && skill.description().contains("bill"));
    let mut hits: Vec<Hit<'a>> = found.map(|skill| Hit::new(*skill, 1.0)).collect();
    hits.extend(ranked(skills.iter().copied(), query));
    hits
}

// SPEC 16.1
#[tokio::test]
async fn a_program_can_rank_the_skills_of_a_search() {
    let runner = runner().on_demand(OnDemand::default());
    let layers = runner.skills().clone().ranked_by(rank_by_meaning);
    let ranked = runner.clone().layers(layers);
    for (runner, found) in [(&runner, false), (&ranked, true)] {
        let answer = ask(runner, "search_skills", r#"{"query": "receipt"}"#).await;
        assert_eq!(answer.text.contains("**invoice**"), found, "{}", answer.text);
    }
    for query in ["camera", "secret", "inside"] {
        let answer = ask(&ranked, "search_skills", &json!({"query": query}).to_string()).await;
        assert_eq!(answer.text, "No skill fits. Try other words.", "a ranking gets only what may be found");
    }
}

// SPEC 16.3
#[tokio::test]
async fn the_search_tool_exists_if_there_are_skills_to_find() {
    let runner = runner();
    assert!(
        !runner.server_access().has_search()
            && ask(&runner, "search_skills", "{}").await.text == r#"{"ok":true}"#
    );
    let runner = runner.on_demand(OnDemand::default());
    let left: Vec<_> =
        runner.left_out(ToolFormat::Mcp).into_iter().map(|(skill, left)| (skill.name(), left)).collect();
    assert_eq!(left, [("search_skills", Exclusion::Search)]);
    let empty = runner.only(|_| false);
    assert!(
        !empty.server_access().has_search()
            && empty.server_access().search_tool(ToolFormat::Mcp).is_none()
            && empty.prompt().is_empty()
    );
    assert_eq!(ask(&empty, "search_skills", r#"{"query": "x"}"#).await.kind, Some(ErrorKind::NotFound));
}

// SPEC 16.6
#[test]
fn definitions_are_deferred_if_the_interface_supports_it() {
    let runner = runner().on_demand(OnDemand::default().pin("weather"));
    for format in ToolFormat::ALL {
        let tools = tools(&runner, format);
        let defers = matches!(format, ToolFormat::Anthropic | ToolFormat::OpenAiResponses);
        assert_eq!(
            named(&tools, "invoice").get("defer_loading"),
            defers.then_some(&json!(true)),
            "{format:?}"
        );
        for own in ["weather", "load_skill", "search_skills"] {
            let tool = named(&tools, own);
            assert!(tool.is_object() && tool.get("defer_loading").is_none(), "{format:?} {own}");
        }
        let hosted = tools.iter().filter(|tool| **tool == json!({"type": "tool_search"})).count();
        assert_eq!(hosted, usize::from(format == ToolFormat::OpenAiResponses));
        assert_eq!(tools.len(), 4 + hosted, "{format:?}");
    }
    let all = Runner::new(library()).on_demand(OnDemand::default());
    assert_eq!(
        tools(&all, ToolFormat::OpenAiResponses).len(),
        2,
        "with nothing deferred there is nothing to find"
    );
}

// SPEC 16.6
#[tokio::test]
async fn a_conversation_keeps_the_functions_that_it_found() {
    let runner = runner().on_demand(OnDemand::default());
    let names = |session: &Session| -> Vec<String> {
        runner.tool_definitions_in(session).into_iter().map(|tool| tool.name).collect()
    };
    let session = Arc::new(Mutex::new(Session::default()));
    assert_eq!(names(&session.lock().unwrap()), ["load_skill", "search_skills"]);
    let options = CallOptions::default().session(Arc::clone(&session));
    runner.dispatch("search_skills", r#"{"query": "rain"}"#, &options).await;
    assert_eq!(names(&session.lock().unwrap()), ["load_skill", "search_skills", "weather"]);
    // The same from the messages alone, with the functions that the last message likely needs.
    let call =
        ToolCall { id: "1".into(), name: "search_skills".into(), arguments: r#"{"query": "rain"}"#.into() };
    let result = ask(&runner, "search_skills", &call.arguments).await.into_message(&call);
    let history = [Message::user("go"), Message::assistant("", vec![call]), result];
    assert_eq!(names(&runner.session(&history)), ["load_skill", "search_skills", "weather"]);
    let likely = runner.session(&[Message::user("Please write the bill")]);
    assert_eq!(names(&likely), ["load_skill", "search_skills", "invoice"]);
    assert_eq!(runner.tool_definitions().len(), 4, "all, for an interface that defers");
}

// SPEC 16.5
#[test]
fn the_prompt_lists_pinned_and_likely_skills_and_the_search_tool() {
    let others = |count: usize, more: &str, what: &str| {
        format!(
            "{count}{more} {what} for specialized tasks {} not listed here. Call the tool search_skills with what is to be \
             done, in a few words, before you do a task without one or say that it cannot be done.",
            if count == 1 { "is" } else { "are" }
        )
    };
    let runner = runner();
    let few = runner.clone().on_demand(OnDemand::default());
    assert_eq!(few.prompt(), format!("\n\n{}", others(3, "", "skills and functions")));
    let pinned =
        runner.clone().on_demand(OnDemand::default().pin("pdf").pin("weather").pin("hidden").pin("none"));
    let prompt = pinned.prompt();
    assert!(prompt.contains("Use the load_skill tool to load"), "{prompt}");
    assert!(prompt.contains("<name>pdf</name>") && prompt.matches("<name>").count() == 1, "{prompt}");
    assert!(
        prompt.ends_with(&format!("</available_skills>\n{}", others(2, " more", "skills and functions"))),
        "{prompt}"
    );
    let likely = pinned.prompt_for("a bill, please; extract tables");
    assert!(likely.contains("<name>invoice</name>") && likely.matches("<name>").count() == 2, "{likely}");
    assert!(likely.ends_with(&others(1, " more", "skill or function")), "{likely}");
    let all = runner.clone().only(|skill| skill.name() == "pdf").on_demand(OnDemand::default().pin("pdf"));
    assert!(all.prompt().ends_with("</available_skills>"), "{}", all.prompt());
    // Too long to be listed, it is found.
    let tight = runner.clone().on_demand(OnDemand::default().pin("pdf").budget(90));
    assert!(!tight.prompt().contains("pdf") && tight.prompt().contains("3 skills"), "{}", tight.prompt());
    let runner = runner.loader(Loader::Skill);
    assert_eq!(runner.prompt(), runner.prompt_for("a bill"), "without the option nothing changes");
}

// SPEC 16.5
#[test]
fn pinned_skills_that_are_not_listed_are_problems() {
    let pin = |few: OnDemand| runner().on_demand(few).problems();
    assert_eq!(pin(OnDemand::default().pin("pdf").pin("invoice").budget(400)), [""; 0]);
    let pins = OnDemand::default().pin("pdf").pin("wether").pin("weather").pin("hidden");
    let expected = [
        "pinned skills: skill not found: wether; did you mean `weather`?",
        "pinned skills: `weather` has no instructions, so the prompt does not list it; only its tool definition is pinned",
        "pinned skills: `hidden` is not offered to models, so the prompt does not list it",
    ];
    assert_eq!(pin(pins), expected);
    let tight = OnDemand::default().pin("pdf").pin("invoice");
    let line = |name| {
        format!(
            "pinned skills: `{name}` does not fit in the budget of {} tokens, so a model must search for it",
            90
        )
    };
    assert_eq!(pin(tight.clone().budget(90)), [line("pdf"), line("invoice")]);
    let room =
        (90..400).find(|budget| pin(tight.clone().budget(*budget)).len() == 1).expect("one fits first");
    let prompt = runner().on_demand(tight.budget(room)).prompt();
    assert!(prompt.contains("<name>pdf</name>") && !prompt.contains("<name>invoice</name>"), "{prompt}");
}

/// A registry of many skills that have something in common.
fn many(count: usize) -> &'static Registry {
    let nouns = ["invoice", "contract", "chart", "forecast", "letter", "archive", "photo", "ledger"];
    let verbs = ["writes", "checks", "converts", "summarizes", "translates", "signs"];
    let skills: Vec<CompiledSkill<'static>> = (0..count)
        .map(|at| {
            let description = format!(
                "{} every {} of office number {at}, and tells what changed in it since it was looked at last",
                verbs[at % verbs.len()],
                nouns[at % nouns.len()]
            );
            let name = format!("office-{at:05}");
            Facts { name, description, body: Some(0..0), model_invocable: true, ..Facts::default() }.into()
        })
        .collect();
    let tables = write(&skills, Layout::Joined, 8_000).expect("small").into_tables();
    Box::leak(Box::new(Registry::new(tables)))
}

// SPEC 16.5: with 5,000 skills
#[tokio::test]
async fn five_thousand_skills_take_less_than_three_hundred_tokens() {
    let registry = many(5_000);
    let pins = (0..40).fold(OnDemand::default(), |few, at| few.pin(format!("office-{at:05}")));
    for (on_demand, message) in
        [(OnDemand::default(), ""), (OnDemand::default(), "sign the contract"), (pins, "sign it")]
    {
        let runner = Runner::new(registry).on_demand(on_demand);
        let prompt = runner.prompt_for(message);
        let (tokens, words) =
            (prompt.len().div_ceil(4), prompt.split(|c: char| !c.is_alphanumeric()).count());
        assert!(tokens < 300 && words < 300, "{tokens} {words}: {prompt}");
        assert!(prompt.contains("search_skills") && runner.prompt().len().div_ceil(4) < 300);
        let tools = runner.tools(ToolFormat::Anthropic);
        assert!(tools.len() < 1_600, "{tools}");
        // A mistyped query does not cost more.
        let unknown = ask(&runner, "load_skill", r#"{"name": "office-0000"}"#).await;
        assert_eq!(
            unknown.text,
            "Skill \"office-0000\" not found. Did you mean \"office-00000\"? Find the name by search_skills."
        );
        let unknown = ask(&runner, "office", "{}").await;
        assert!(unknown.text.len() < 200 && unknown.text.contains("search_skills"), "{}", unknown.text);
        let found = ask(&runner, "search_skills", r#"{"query": "office 4711"}"#).await;
        assert!(found.text.contains("**office-04711**"), "{}", found.text);
    }
}

// SPEC 16.3, 1.6, 14.10: skills that a layer hides, and untrusted skills
#[tokio::test]
async fn hidden_and_untrusted_skills_are_not_found() {
    let [low, high, workspace] = [(); 3].map(|()| tempfile::tempdir().expect("a directory"));
    let skill = |root: &tempfile::TempDir, name: &str, description: &str| {
        let directory = root.path().join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nText.\n");
        std::fs::write(directory.join("SKILL.md"), text).expect("a file");
    };
    skill(&low, "note", "Writes about zebras");
    skill(&high, "note", "Writes about giraffes");
    skill(&low, "other", "Feeds giraffes");
    skill(&workspace, "mine", "Steals giraffes");
    let home = tempfile::tempdir().expect("a directory");
    std::fs::create_dir_all(workspace.path().join(".claude")).expect("a directory");
    let layers = LayersBuilder::new()
        .agent(Some(home.path()), workspace.path())
        .directory(low.path())
        .directory(high.path())
        .load()
        .expect("readable");
    let runner = Runner::from(layers).on_demand(OnDemand::default());
    let found = |query: &str| -> Vec<String> {
        runner.server_access().find_skills(query, 9).iter().map(|skill| skill.name().to_owned()).collect()
    };
    assert_eq!(found("zebras"), [""; 0]);
    let mut giraffes = found("giraffes");
    giraffes.sort();
    assert_eq!(giraffes, ["note", "other"]);
}
