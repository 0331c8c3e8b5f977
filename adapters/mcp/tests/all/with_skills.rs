//! Tests skills in an MCP server that a program already has (SPEC 11.39).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, GetSkillRequestParams, Implementation, ListPromptsResult,
    ListToolsResult, PaginatedRequestParams, Prompt, ReadResourceRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::TokioChildProcess;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use skills_mcp::WithSkills;

use crate::support::{Client, Shop, arguments, call, refusal, text};

/// A server with two pages of tools and with a prompt. `fails` and `double`, one on each page, are also names of skills.
struct Own;

fn tool(name: &'static str) -> Tool {
    Tool::new(name, "A tool of the program.", Arc::default())
}

impl ServerHandler for Own {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_prompts().build())
            .with_server_info(Implementation::new("own", "7"))
            .with_instructions("Ask for the time.")
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let second = request.and_then(|request| request.cursor);
        let mut page = ListToolsResult::with_all_items(match second.is_some() {
            true => vec![tool("double")],
            false => vec![tool("clock"), tool("fails")],
        });
        page.next_cursor = second.is_none().then(|| "2".to_owned());
        Ok(page)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        ["clock", "double", "fails"].into_iter().find(|own| *own == name).map(tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "clock" | "double" | "fails" => {
                Ok(CallToolResult::success(vec![ContentBlock::text("of the program")]).into())
            }
            other => Err(ErrorData::invalid_params(format!("the program has no {other}"), None)),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("greet", Some("Greets."), None)]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match request.name.as_str() {
            "greet" => Ok(GetPromptResult::new(Vec::new()).with_description("Greets.").into()),
            other => Err(ErrorData::invalid_params(format!("the program has no prompt {other}"), None)),
        }
    }
}

async fn connect(shop: &Shop) -> Client {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = WithSkills::new(Own, shop.server());
    tokio::spawn(async move {
        let running = server.serve(far).await.expect("a session");
        running.waiting().await.expect("an end");
    });
    ().serve(near).await.expect("a session")
}

// SPEC 11.39
#[tokio::test]
async fn tools_of_skills_follow_those_of_the_program() {
    let shop = Shop::new();
    let client = connect(&shop).await;
    let info = serde_json::to_value(client.peer_info().expect("initialized")).expect("JSON");
    assert_eq!(info["serverInfo"]["name"], "own");
    assert_eq!(info["instructions"], "Ask for the time.");
    let extension = &info["capabilities"]["extensions"]["io.modelcontextprotocol/skills"];
    assert_eq!(*extension, json!({"directoryRead": true}));
    assert!(info["capabilities"]["resources"].is_object());

    let tools = client.list_all_tools().await.expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
        ["clock", "fails", "double", "chain", "load_skill", "slow"],
        "`double` and `fails` are the program's"
    );
    assert_eq!(text(&call(&client, "clock", 1).await.expect("a result")), "of the program");
    for twice in ["double", "fails"] {
        assert_eq!(text(&call(&client, twice, 1).await.expect("a result")), "of the program");
    }
    let chain = call(&client, "chain", 1).await.expect("a result");
    assert_eq!(chain.is_error, Some(false), "{chain:?}");
    let refused = refusal(client.call_tool(arguments("nothing", json!({}))).await);
    assert!(refused.1.contains("the program has no nothing"), "{refused:?}");
}

// SPEC 11.39
#[tokio::test]
async fn prompts_resources_and_skills_are_added() {
    let shop = Shop::new();
    let client = connect(&shop).await;
    let prompts = client.list_all_prompts().await.expect("prompts");
    let names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(names.first(), Some(&"greet"));
    assert!(names.contains(&"move") && names.contains(&"typing"), "{names:?}");
    client.get_prompt(GetPromptRequestParams::new("greet")).await.expect("the program's prompt");
    client.get_prompt(GetPromptRequestParams::new("typing")).await.expect("a skill's prompt");
    let refused = refusal(client.get_prompt(GetPromptRequestParams::new("nothing")).await);
    assert!(refused.1.contains("the program has no prompt nothing"), "{refused:?}");

    let resources = client.list_all_resources().await.expect("resources");
    assert!(resources.iter().any(|resource| resource.uri == "skill://prose/SKILL.md"), "{resources:?}");
    let note = client.read_resource(ReadResourceRequestParams::new("skill://prose/notes.md")).await;
    assert!(serde_json::to_string(&note.expect("a file")).expect("JSON").contains("a note"));
    assert!(client.read_resource(ReadResourceRequestParams::new("skill://prose/none.md")).await.is_err());
    let skills = client.list_skills(None).await.expect("skills").skills;
    assert!(!skills.is_empty());
    let uri = "skill://prose/SKILL.md".to_owned();
    client.get_skill(GetSkillRequestParams::new(uri)).await.expect("a skill");
}

// SPEC 11.39
#[tokio::test]
async fn the_example_has_its_own_tool_and_those_of_skills() {
    let test = std::env::current_exe().expect("a path");
    let directory = test.ancestors().nth(2).expect("a directory of programs");
    let program = directory.join("examples").join(format!("own_server{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "the example is not built; `cargo test` without `--test` builds it");
    let child = TokioChildProcess::new(tokio::process::Command::new(program)).expect("it starts");
    let client = ().serve(child).await.expect("a session");
    let tools = client.list_all_tools().await.expect("tools");
    assert_eq!(
        tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(),
        ["water", "brief", "find_notes"]
    );
    let watered = client.call_tool(CallToolRequestParams::new("water")).await.expect("a result");
    assert_eq!(text(&watered), "The roses are watered.");
    let Value::Object(input) = json!({"topic": "water"}) else { panic!("an object") };
    let found = client.call_tool(CallToolRequestParams::new("find_notes").with_arguments(input)).await;
    assert_eq!(
        found.expect("a result").structured_content.expect("an object")["notes"][0]["title"],
        "Garden"
    );
    client.cancel().await.expect("closed");
}
