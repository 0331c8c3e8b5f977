//! Tests the example like a client starts it: as a process, on its standard streams (SPEC 11.4).
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

// SPEC 6.2, 11.4
#[tokio::test]
async fn the_example_serves_its_own_function() {
    let test = std::env::current_exe().expect("a path");
    let directory = test.ancestors().nth(2).expect("a directory of programs");
    let program = directory.join("examples").join(format!("mcp_server{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "the example is not built; `cargo test` without `--test` builds it");
    let child = TokioChildProcess::new(tokio::process::Command::new(program)).expect("it starts");
    let client = ().serve(child).await.expect("a session");
    let server = serde_json::to_value(client.peer_info()).expect("JSON");
    assert_eq!(server["serverInfo"]["name"], "notes");
    let tools = client.list_all_tools().await.expect("tools");
    assert_eq!(tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(), ["brief", "find_notes"]);
    let Value::Object(input) = json!({"topic": "water"}) else { panic!("an object") };
    let request = CallToolRequestParams::new("find_notes").with_arguments(input.clone());
    let found = client.call_tool(request).await.expect("an answer").structured_content.expect("an object");
    assert_eq!(found["notes"][0]["title"], "Garden");
    let brief = client.call_tool(CallToolRequestParams::new("brief").with_arguments(input)).await;
    assert_eq!(brief.expect("a result").is_error, Some(true), "there is no model");
    client.cancel().await.expect("closed");
}
