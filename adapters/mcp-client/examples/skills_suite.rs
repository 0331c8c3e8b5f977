//! A host for the official conformance suite of MCP: `DIRECTORY URL` approves the skills of the server, and loads one
//! unless the scenario is about the time before that. A further file is read only if the skill could be loaded.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use skills_call::Runner;
use skills_load::{LayersBuilder, RemoteSkills, trust::TrustStore};
use skills_mcp_client::host::{Cache, McpHost};
use skills_mcp_client::{Approved, Options, ServerAddress};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, url] = arguments.as_slice() else { return };
    let host = McpHost::new().unwrap().cache(Cache::in_directory(format!("{directory}/cache")));
    let server =
        host.skills("docs", Approved::typed(ServerAddress::parse(url).unwrap()), Options::default()).unwrap();
    let listed = server.list();
    let trust = format!("{directory}/trust.json");
    let approved = listed.skills.iter().map(|skill| (skill.uri.clone(), skill.contents()));
    TrustStore::read(&trust).approve(&server.server(), approved).unwrap();
    let layers = LayersBuilder::new().trust_file(&trust).mcp(server).load().unwrap();
    assert!(layers.prompt().contains("docs__pdf-processing"), "{listed:?}");
    if std::env::var("MCP_CONFORMANCE_SCENARIO").is_ok_and(|name| name == "sep-2640-client-no-prefetch") {
        return;
    }
    let runner = Runner::from(layers);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for name in ["docs__pdf-processing", "docs__pdf-processing/references/FORMS.md"] {
        let arguments = format!("{{\"name\": \"{name}\"}}");
        let answer = runtime.block_on(runner.dispatch("load_skill", &arguments, &Default::default()));
        println!("{}", answer.text);
        if answer.is_error {
            return;
        }
    }
}
