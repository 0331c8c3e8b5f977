//! Cases of `mcp` skills: the answers of their MCP servers are recorded and replayed without the servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use skills_call::mcp::{ServerError, ToolCall, ToolDefinition, ToolServer, ToolServers};
use skills_call::{BoxFuture, Runner};
use skills_eval::{Cassette, Report, State, Suite, Trial};
use skills_load::LayersBuilder;

#[derive(Clone, Default)]
struct Server(Arc<AtomicUsize>);

fn tool() -> ToolDefinition {
    ToolDefinition::from_json(
        &json!({"name": "double", "description": "Doubles.", "inputSchema": {"type": "object"}}),
    )
    .expect("a tool")
}

impl ToolServers for Server {
    fn starts_program(&self, _: ToolServer<'_>) -> Result<bool, ServerError> {
        Ok(false)
    }

    fn definition<'a>(
        &'a self,
        _: ToolServer<'a>,
        _: &'a str,
    ) -> BoxFuture<'a, Result<Arc<ToolDefinition>, ServerError>> {
        Box::pin(async { Ok(Arc::new(tool())) })
    }

    fn call<'a>(&'a self, call: ToolCall<'a>) -> BoxFuture<'a, Result<Value, ServerError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        let doubled = call.arguments["n"].as_u64().map(|n| n * 2);
        Box::pin(
            async move { Ok(json!({"content": [{"type": "text", "text": doubled.map(|n| n.to_string())}]})) },
        )
    }
}

fn states(report: &Report) -> Vec<State> {
    report.cases.iter().flat_map(|case| &case.with.runs).map(|run| run.state).collect()
}

// SPEC 16.13, 6.14
#[tokio::test]
async fn the_answers_of_a_server_are_replayed_without_it() {
    let root = tempfile::tempdir().expect("a directory");
    let skill = root.path().join("double");
    std::fs::create_dir_all(skill.join("evals")).expect("a directory");
    let (input, output) = (tool().input, tool().output);
    let manifest = json!({
        "name": "double", "description": "Doubles.", "category": "test", "mode": "mcp", "input": input, "output": output,
        "mcp": {"server": "numbers", "tool": "double", "digest": tool().digest()},
    });
    std::fs::write(skill.join("skill.json"), manifest.to_string()).expect("a file");
    let cases = json!({"skill_name": "double", "evals": [
        {"id": 1, "input": {"n": 2}, "condition": "output.text == '4'"},
        {"id": 2, "input": {"n": 3}, "condition": "output.text == '7'"},
    ]});
    std::fs::write(skill.join("evals/evals.json"), cases.to_string()).expect("a file");
    let runner =
        || Runner::from(LayersBuilder::new().directories(&[root.path().to_owned()]).load().expect("skills"));
    let suite = Suite::from_layers(runner().skills()).expect("cases");

    let (server, path) = (Server::default(), root.path().join("tape.jsonl"));
    let recording = Cassette::record(&path).expect("a new file");
    let trial = Trial::new(runner().mcp(server.clone())).runs(1).cassette(recording.clone());
    let recorded = trial.run(&suite).await.expect("a report");
    assert_eq!(states(&recorded), [State::Passed, State::Failed]);
    recording.save().expect("saved");
    assert_eq!(server.0.load(Ordering::SeqCst), 2);

    let replay = Trial::new(runner()).runs(1).cassette(Cassette::replay(&path).expect("a cassette"));
    let replayed = replay.run(&suite).await.expect("a report");
    let answers = |report: &Report| {
        report.cases.iter().map(|case| case.with.runs[0].answer.clone()).collect::<Vec<_>>()
    };
    assert_eq!((states(&replayed), answers(&replayed)), (states(&recorded), answers(&recorded)));

    let text = std::fs::read_to_string(&path).expect("the cassette");
    std::fs::write(
        &path,
        text.replace(r#""arguments":{"n":3}"#, r#""arguments":{"n":4}"#)
            .replace("\"digest\":\"", "\"digest\":\"x"),
    )
    .expect("a file");
    let other = Trial::new(runner()).runs(1).cassette(Cassette::replay(&path).expect("a cassette"));
    let missing = other.run(&suite).await.expect("a report");
    let why = missing.cases[0].with.runs[0].error.clone().expect("an error");
    assert!(why.contains("has no answer of the tool for run 1 of double/1"), "{why}");
}
