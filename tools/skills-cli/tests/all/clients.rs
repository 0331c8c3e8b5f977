//! The tables of clients agree: skills are installed where the client looks for them.

use std::path::Path;

use skills_core::clients::CLIENTS;
use skills_install::{Agent, Scope};

// SPEC 9.8
#[test]
fn skills_are_installed_where_the_client_looks() {
    for client in CLIENTS {
        let agent = Agent::from_name(client.id).expect("the installer knows the client");
        let target = agent.target(Scope::Project(Path::new(""))).join("skills");
        let mut looks = skills_clients::outlook::directories(client.id);
        assert!(looks.any(|directory| Path::new(directory) == target), "{}: {}", client.id, target.display());
    }
}
