//! Tests the `tracing` spans of calls, and the trace contexts that programs get.
#![cfg(unix)]

mod functions;
#[path = "../../skills-exec/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use functions::{functions, manifest};
use serde_json::json;
use skills_call::durable::{RemoteCalls, Request};
use skills_call::model::Answer;
use skills_call::testing::ScriptedModel;
use skills_call::trace::{Propagation, TraceContext};
use skills_call::{BoxFuture, CallError, CallId, CallOptions, Called, Functions, OnDemand, Runner};
use skills_exec::ExecOptions;
use skills_exec::cache::Cache;
use support::Scratch;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

const ANY: &str = r#"{"type": "object"}"#;
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[derive(Clone, Debug)]
struct Row {
    parent: Option<u64>,
    fields: BTreeMap<String, String>,
    metadata: &'static Metadata<'static>,
}

/// Records every span with its parents.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<(Vec<Row>, Vec<u64>)>>);

impl Spans {
    fn rows(&self) -> Vec<Row> {
        self.0.lock().expect("not poisoned").0.clone()
    }

    /// Each span as `parent/…/name`, in the order in which they were opened.
    fn paths(&self) -> Vec<String> {
        let rows = self.rows();
        let mut paths: Vec<String> = Vec::new();
        for row in &rows {
            let name = row.fields.get("otel.name").expect("a name").trim_matches('"');
            let around =
                row.parent.map(|parent| format!("{}/", paths[parent as usize - 1])).unwrap_or_default();
            paths.push(format!("{around}{name}"));
        }
        paths
    }

    fn of(&self, name: &str) -> BTreeMap<String, String> {
        let quoted = format!("\"{name}\"");
        let rows = self.rows();
        rows.into_iter().rfind(|row| row.fields["otel.name"] == quoted).expect("a span").fields
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "skills"
    }
    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut state = self.0.lock().expect("not poisoned");
        let mut fields = BTreeMap::new();
        attributes.record(&mut Visitor(&mut fields));
        let parent = attributes.parent().map(Id::into_u64).or(state.1.last().copied());
        state.0.push(Row { parent, fields, metadata: attributes.metadata() });
        Id::from_u64(state.0.len() as u64)
    }
    fn record(&self, id: &Id, record: &Record<'_>) {
        let mut state = self.0.lock().expect("not poisoned");
        record.record(&mut Visitor(&mut state.0[id.into_u64() as usize - 1].fields));
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, id: &Id) {
        self.0.lock().expect("not poisoned").1.push(id.into_u64());
    }
    fn exit(&self, id: &Id) {
        let left = self.0.lock().expect("not poisoned").1.pop();
        assert_eq!(left, Some(id.into_u64()), "spans are left in the order they were entered");
    }
    fn current_span(&self) -> Current {
        let state = self.0.lock().expect("not poisoned");
        match state.1.last() {
            Some(id) => Current::new(Id::from_u64(*id), state.0[*id as usize - 1].metadata),
            None => Current::none(),
        }
    }
}

struct Visitor<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Visitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

/// Held by each test: `tracing` caches globally which spans are enabled, so the tests cannot run in parallel.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Numbers spans as an exporter would.
#[derive(Clone, Default)]
struct Ids(Arc<Mutex<Vec<String>>>);

impl Propagation for Ids {
    fn context(&self, span: &tracing::Span) -> Option<TraceContext> {
        let id = span.id()?.into_u64();
        TraceContext::new(&format!("00-{:032x}-{id:016x}-01", 7), Some("v=1"))
    }
    fn adopt(&self, _: &tracing::Span, parent: &TraceContext) {
        self.0.lock().expect("not poisoned").push(parent.parent().to_owned());
    }
}

fn library() -> &'static Functions {
    let steps = r#""calls": ["ask", "tool"], "pipeline": [
        {"step": "one", "skill": "ask", "input": {"secret": "{{input.secret}}"}},
        {"step": "two", "skill": "tool", "input": {}},
        {"step": "three", "skill": "tool", "input": {}, "condition": "input.no"}]"#;
    functions(&[
        (
            "ask/skill.json",
            &manifest("ask", "llm", ANY, r#"{"type": "object", "required": ["ok"]}"#, r#""retry": 1"#),
        ),
        ("ask/prompt.md", "Ask."),
        ("tool/skill.json", &manifest("tool", "code", ANY, ANY, "")),
        ("tool/SKILL.md", "---\nexec: run.sh\n---\n"),
        (
            "tool/run.sh",
            "#!/bin/sh\nprintf '{\"parent\": \"%s\", \"state\": \"%s\"}' \"$TRACEPARENT\" \"$TRACESTATE\"\n",
        ),
        ("fails/skill.json", &manifest("fails", "code", ANY, ANY, "")),
        ("fails/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("fails/run.sh", "#!/bin/sh\nexit 3\n"),
        ("slow/skill.json", &manifest("slow", "code", ANY, ANY, "")),
        ("slow/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("slow/run.sh", "#!/bin/sh\nsleep 60\n"),
        ("all/skill.json", &manifest("all", "composite", ANY, ANY, steps)),
        ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads pages.\n---\nRead pages.\n"),
        (
            "skills.lock",
            "version = 1\n[[skill]]\nname = \"tool\"\ndirectory = \"tool\"\nsource = \"acme/skills@v1\"\nrevision = \"abc\"\nfiles = {}\n",
        ),
        ("pdf/refs/a.md", "All of a."),
    ])
}

fn runner(scratch: &Scratch) -> Runner {
    Runner::new(library()).cache(Cache::new(Some(scratch.path().join("cache")), scratch.path().into()))
}

// SPEC 20.1, 20.2
#[tokio::test]
async fn a_pipeline_is_a_tree_of_skills_models_and_programs() {
    let _alone = ALONE.lock().await;
    let scratch = Scratch::new();
    let spans = Spans::default();
    let guard = tracing::subscriber::set_default(spans.clone());
    let usage = skills_call::model::Usage { input_tokens: 11, output_tokens: 5 };
    let right = Answer::new(r#"{"ok": 1}"#).with_usage(usage).with_model("scripted-2");
    let model = ScriptedModel::default().text("{}").answer(right);
    let runner = runner(&scratch).model(model);
    runner.call_json("all", json!({"secret": "s3cret"})).await.expect("it runs");
    let mut paths = spans.paths();
    paths.sort();
    assert_eq!(
        paths,
        [
            "invoke_workflow all",
            "invoke_workflow all/execute_tool ask",
            "invoke_workflow all/execute_tool ask/chat scripted",
            "invoke_workflow all/execute_tool ask/chat scripted",
            "invoke_workflow all/execute_tool tool",
            "invoke_workflow all/execute_tool tool/run.sh",
        ]
    );
    let chat = spans.of("chat scripted");
    let attribute = |key: &str| chat.get(key).map_or("", String::as_str);
    assert_eq!(
        ["gen_ai.operation.name", "gen_ai.request.model", "gen_ai.response.finish_reasons", "otel.kind"]
            .map(attribute),
        ["\"chat\"", "\"scripted\"", "\"stop\"", "\"client\""]
    );
    assert_eq!(
        [attribute("gen_ai.usage.input_tokens"), attribute("gen_ai.usage.output_tokens")],
        ["11", "5"]
    );
    let workflow = spans.of("invoke_workflow all");
    assert_eq!(workflow["gen_ai.agent.name"], "\"all\"");
    let tool = spans.of("execute_tool tool");
    assert_eq!((tool["gen_ai.tool.name"].as_str(), tool["skills.step"].as_str()), ("\"tool\"", "1"));
    // SPEC 21.12
    assert_eq!(
        (tool["skills.source"].as_str(), tool["skills.revision"].as_str()),
        ("\"acme/skills@v1\"", "\"abc\"")
    );
    assert!(!workflow.contains_key("skills.source"), "the program's own skill");
    assert_eq!(spans.of("run.sh")["process.exit.code"], "0");
    let all = format!("{:?}", spans.rows().iter().map(|row| &row.fields).collect::<Vec<_>>());
    assert!(!all.contains("s3cret"), "no payloads");
    // SPEC 20.2: the conventions have attributes for skills
    assert_eq!(tool["gen_ai.skill.name"], "\"tool\"");
    assert_eq!(workflow["gen_ai.skill.name"], "\"all\"");
    let runner = runner.on_demand(OnDemand::default());
    let options = CallOptions::default();
    assert!(!runner.dispatch("load_skill", r#"{"name": "pdf/refs/a.md"}"#, &options).await.is_error);
    let load = spans.of("execute_tool load_skill pdf refs/a.md");
    assert_eq!(
        ["gen_ai.skill.name", "gen_ai.skill.resource.name", "gen_ai.skill.source.uri"]
            .map(|key| load[key].as_str()),
        ["\"pdf\"", "\"refs/a.md\"", "\"skill://pdf\""]
    );
    assert!(runner.dispatch("load_skill", r#"{"name": "pfd"}"#, &options).await.is_error);
    assert_eq!(spans.of("execute_tool load_skill")["error.type"], "\"call_failed\"");
    runner.dispatch("search_skills", r#"{"query": "s3cret"}"#, &options).await;
    assert!(!format!("{:?}", spans.of("execute_tool search_skills")).contains("s3cret"));
    drop(guard);
}

// SPEC 20.1
#[tokio::test]
async fn failed_and_dropped_calls_are_marked() {
    let _alone = ALONE.lock().await;
    let scratch = Scratch::new();
    let spans = Spans::default();
    let guard = tracing::subscriber::set_default(spans.clone());
    let runner = runner(&scratch).model(ScriptedModel::default().error("401 for key s3cret", false));
    runner.call_json("fails", json!({})).await.expect_err("it exits with 3");
    let failed = |name: &str| spans.of(name).get("error.type").cloned().unwrap_or_default();
    assert_eq!([failed("execute_tool fails"), failed("run.sh")], ["\"call_failed\"", "\"3\""]);
    runner.call_json("ask", json!({})).await.expect_err("the model fails");
    assert_eq!([failed("execute_tool ask"), failed("chat scripted")], ["\"call_failed\"", "\"call_failed\""]);
    let limit = std::time::Duration::from_millis(300);
    tokio::time::timeout(limit, runner.call_json("slow", json!({}))).await.expect_err("it is dropped");
    assert_eq!([failed("execute_tool slow"), failed("run.sh")], ["\"cancelled\"", "\"cancelled\""]);
    runner.exec("fails", "{}", ExecOptions::default()).await.expect("an outcome");
    assert_eq!(failed("execute_tool fails run.sh"), "\"3\"");
    assert_eq!(spans.of("execute_tool fails run.sh")["otel.status_code"], "\"ERROR\"");
    assert!(!format!("{:?}", spans.rows()).contains("s3cret"));
    drop(guard);
}

// SPEC 20.3
#[tokio::test]
async fn a_program_gets_its_trace_context() {
    let _alone = ALONE.lock().await;
    let scratch = Scratch::new();
    let runner = runner(&scratch);
    let client = || TraceContext::new(PARENT, Some("a=b"));
    let options = || CallOptions::default().trace(client());
    // No spans are exported: the context of the client is passed on.
    let output = runner.call_json_with("tool", json!({}), options()).await.expect("it runs").output;
    assert_eq!(output, json!({"parent": PARENT, "state": "a=b"}));
    let output = runner.call_json("tool", json!({})).await.expect("it runs");
    assert_eq!(output, json!({"parent": "", "state": ""}));
    let exec = runner.exec("tool", "{}", ExecOptions::default().trace(client())).await.expect("it runs");
    assert!(exec.stdout.contains(PARENT), "{}", exec.stdout);
    // Spans are exported: the program gets the context of its own span, which is below the client's.
    let spans = Spans::default();
    let guard = tracing::subscriber::set_default(spans.clone());
    let ids = Ids::default();
    let runner = runner.propagation(ids.clone());
    let output = runner.call_json_with("tool", json!({}), options()).await.expect("it runs").output;
    let at = spans.paths().iter().position(|path| path == "execute_tool tool/run.sh").expect("a span") + 1;
    assert_eq!(output, json!({"parent": format!("00-{:032x}-{at:016x}-01", 7), "state": "v=1"}));
    assert_eq!(*ids.0.lock().unwrap(), [PARENT]);
    // Inside a span of this program, that span is the parent.
    let server = tracing::info_span!(target: "skills", "server", otel.name = "server");
    let work = runner.call_json_with("tool", json!({}), options());
    tracing::Instrument::instrument(work, server).await.expect("it runs");
    assert!(spans.paths().contains(&"server/execute_tool tool/run.sh".to_owned()), "{:?}", spans.paths());
    assert_eq!(ids.0.lock().unwrap().len(), 1);
    drop(guard);
}

/// Runs calls in another thread, as a worker does that exports its spans, too.
struct There(Runner, Spans);

impl RemoteCalls for There {
    fn call<'a>(
        &'a self,
        _: CallId,
        request: Request,
        _: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>> {
        let (runner, spans) = (self.0.clone(), self.1.clone());
        let work = move || {
            let _guard = tracing::subscriber::set_default(spans);
            let request = Request::from_json(&request.to_json()).expect("a request");
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(request.run(&runner, CallOptions::default()))
        };
        let reply = std::thread::spawn(work).join().expect("no panic");
        Box::pin(std::future::ready(reply.called("tool")))
    }
}

// SPEC 19.14
#[tokio::test]
async fn remote_calls_are_below_the_span_of_their_caller() {
    let _alone = ALONE.lock().await;
    let (scratch, spans, ids) = (Scratch::new(), Spans::default(), Ids::default());
    let guard = tracing::subscriber::set_default(spans.clone());
    let worker = runner(&scratch).propagation(ids.clone());
    let caller = worker.clone().remote(There(worker, spans.clone()));
    let output = caller.call_json("tool", json!({})).await.expect("it runs");
    drop(guard);
    // The span of the caller is the root, that of the worker is below it, and the program gets its own.
    let id = |number: u64| format!("00-{:032x}-{number:016x}-01", 7);
    assert_eq!(spans.paths(), ["execute_tool tool", "execute_tool tool", "execute_tool tool/run.sh"]);
    assert_eq!(*ids.0.lock().expect("not poisoned"), [id(1)]);
    assert_eq!(output, json!({"parent": id(3), "state": "v=1"}));
}
