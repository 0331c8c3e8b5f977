//! A client against the server of this project, over stdio and HTTP.

use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;
use skills_call::Runner;
use skills_load::LayersBuilder;
use skills_mcp::{Guard, Server};
use skills_mcp_client::{Approved, Call, Connection, Error, Options, ServerAddress};
use tempfile::TempDir;

use crate::support::{connection, until};

/// Returns a skill with a file, and a function with a program.
fn skills() -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
        fs::write(path, text).expect("a file");
    };
    write("prose/SKILL.md", "---\nname: prose\ndescription: Says how.\n---\n# How\n");
    write("prose/notes.md", "a note, é\n");
    write("double/SKILL.md", "---\nexec: run\n---\nDoubles.\n");
    write("double/run", "#!/bin/sh\nread line\necho '{\"said\": \"twice\"}'\n");
    let schema = r#"{"name": "double", "description": "Is double.", "category": "c", "mode": "code",
        "input": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        "output": {"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]}}"#;
    write("double/skill.json", schema);
    root
}

fn arguments(value: serde_json::Value) -> skills_mcp_client::model::JsonObject {
    value.as_object().cloned().expect("an object")
}

async fn uses_everything(connection: &Connection) {
    let tools: Vec<String> =
        connection.tools().await.expect("tools").iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(tools, ["double"]);
    let call = Call::default().timeout(Duration::from_secs(30));
    let result = connection.call("double", arguments(json!({"n": 2})), &call).await.expect("an answer");
    assert_eq!(result.structured_content, Some(json!({"said": "twice"})));
    let wrong = connection.call("double", arguments(json!({})), &call).await.expect("a result");
    assert_eq!(wrong.is_error, Some(true));
    let unknown = connection.call("nobody", arguments(json!({})), &call).await;
    assert!(matches!(unknown, Err(Error::Server { code: -32602, .. })), "{unknown:?}");
    let listing = connection.skills().await.expect("skills");
    let uris: Vec<&str> = listing.skills.iter().map(|skill| skill.uri.as_str()).collect();
    assert!(uris.contains(&"skill://prose/SKILL.md") && listing.invalid.is_empty(), "{uris:?}");
    let skill = connection.skill("skill://prose/SKILL.md").await.expect("an entry");
    assert_eq!(listing.skills.iter().find(|entry| entry.uri == skill.uri), Some(&skill));
    let note = connection.read("skill://prose/notes.md").await.expect("a file");
    assert_eq!(note, "a note, é\n".as_bytes());
    let unknown = connection.read("skill://prose/nothing.md").await;
    assert!(matches!(unknown, Err(Error::Server { .. })), "{unknown:?}");
}

// SPEC 22.1
#[tokio::test]
async fn a_program_is_a_server() {
    let root = skills();
    let connection = connection(&["serve", root.path().to_str().expect("UTF-8")]);
    uses_everything(&connection).await;
    connection.close().await;
    uses_everything(&connection).await; // it is opened again
}

// SPEC 22.1
#[tokio::test]
async fn a_url_is_a_server_and_a_token_comes_from_a_variable() {
    let root = skills();
    let runner = Runner::from(LayersBuilder::new().directory(root.path()).load().expect("readable"));
    // A variable that is always set has the token.
    let token = std::env::var("PATH").expect("set");
    let bound = skills_http::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let at = format!("http://{}/mcp", bound.address().expect("an address"));
    let served = tokio::spawn(bound.run(Server::new(runner).routes(), Guard::new().token(&token)));
    let with = |variable: Option<&str>| {
        let mut address = ServerAddress::parse(&at).expect("a URL");
        if let ServerAddress::Http { token, .. } = &mut address {
            *token = variable.map(str::to_owned);
        }
        Connection::new(Approved::typed(address), Options::default())
    };
    uses_everything(&with(Some("PATH"))).await;
    let refused = with(None).tools().await;
    assert!(matches!(refused, Err(Error::Unreachable(_))), "{refused:?}");
    let unset = with(Some("NO_SUCH_VARIABLE_7")).tools().await;
    assert!(matches!(&unset, Err(Error::Address(why)) if why.contains("NO_SUCH_VARIABLE_7")), "{unset:?}");
    let connection = with(Some("PATH"));
    connection.tools().await.expect("tools");
    served.abort();
    let gone = connection.tools().await.expect_err("it is gone");
    assert!(gone.is_offline(), "{gone:?}");
}

// SPEC 6.15, 22.7: a server of the revision 2026-07-28 reports changes to clients that listen
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_lists_are_reported() {
    let root = skills();
    let directory = root.path().to_owned();
    let source = move || Ok(Runner::from(LayersBuilder::new().directory(&directory).load()?));
    let bound = skills_http::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let at = format!("http://{}/mcp", bound.address().expect("an address"));
    let notifier = skills_mcp::Notifier::default();
    let served = tokio::spawn(bound.run(Server::live(source).notifier(&notifier).routes(), Guard::new()));
    let connection =
        Connection::new(Approved::typed(ServerAddress::parse(&at).expect("a URL")), Options::default());
    connection.tools().await.expect("tools");
    let (changes, before) = (connection.changes(), *connection.changes().borrow());
    let file = root.path().join("double/skill.json");
    let text = fs::read_to_string(&file).expect("a file");
    let count = std::cell::Cell::new(0);
    // The client begins to listen after the session has begun.
    until("the change is reported", || {
        count.set(count.get() + 1);
        fs::write(&file, text.replace("Is double", &format!("Is double {}", count.get()))).expect("a file");
        notifier.changed();
        let now = *changes.borrow();
        now.tools > before.tools && now.resources > before.resources
    })
    .await;
    served.abort();
}

// SPEC 22.1
#[tokio::test]
async fn progress_arrives_before_the_answer() {
    let seen = Mutex::new(Vec::new());
    let note =
        |progress: skills_mcp_client::CallProgress| seen.lock().expect("sound").push(progress.progress);
    let connection = connection(&["play", "progress"]);
    let call = Call::default().progress(&note);
    connection.call("any", arguments(json!({})), &call).await.expect("an answer");
    assert_eq!(*seen.lock().expect("sound"), [1.0, 2.0, 3.0]);
}
