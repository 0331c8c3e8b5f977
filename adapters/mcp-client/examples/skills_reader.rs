//! A host for tests: `DIRECTORY MODE` lists the skills of the peer and reads all their files, with the cache in the
//! directory.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use skills_load::RemoteSkills;
use skills_mcp_client::host::{Cache, McpHost};
use skills_mcp_client::{Approved, Options, ServerAddress};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, mode] = arguments.as_slice() else { return };
    let peer = std::env::current_exe().unwrap().with_file_name("skills_peer");
    let log = format!("{directory}/log");
    let server = ServerAddress::command(peer.to_str().unwrap(), vec![mode.clone(), log]);
    let host = McpHost::new().unwrap().cache(Cache::in_directory(format!("{directory}/cache")));
    let skills = host.skills("docs", Approved::typed(server), Options::default()).unwrap();
    for skill in skills.list().skills {
        for file in &skill.files {
            skills.read(&skill, file).unwrap();
        }
    }
    println!("read");
}
