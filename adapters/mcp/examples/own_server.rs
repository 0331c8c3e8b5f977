//! Adds the skills of a bundle to an MCP server that already has a tool.
//!
//! The server is a handler of rmcp, as programs have it. Only the last line is new.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use skills_mcp::{Server, WithSkills};

skills::skills!("../../examples/skills");

/// The server that the program had before.
struct Garden;

impl ServerHandler for Garden {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("garden", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.get_tool("water").into_iter().collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        (name == "water").then(|| Tool::new("water", "Waters the roses.", Arc::default()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "water" => Ok(CallToolResult::success(vec![ContentBlock::text("The roses are watered.")]).into()),
            other => Err(ErrorData::invalid_params(format!("unknown tool: {other}"), None)),
        }
    }
}

/// The functions of the bundle.
struct Notes;

impl Host for Notes {
    async fn find_notes(
        &self,
        _: find_notes::Input,
        _: &skills::Context,
    ) -> Result<find_notes::Output, skills::Failure> {
        let text = "the roses want water twice a week".to_owned();
        let note = find_notes::Note { title: "Garden".to_owned(), text, pinned: false };
        Ok(find_notes::Output { notes: vec![note] })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = WithSkills::new(Garden, Server::new(SKILLS.with(Notes)));
    server.serve(rmcp::transport::stdio_pipes()).await?.waiting().await?;
    Ok(())
}
