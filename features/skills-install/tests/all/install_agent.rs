//! Agents and scopes, against the table of SPEC 9.4.

use std::path::Path;

use skills_install::{Agent, Scope};

#[test]
fn every_agent_has_the_directories_of_the_table() {
    // SPEC 9.4
    let table = [
        ("claude", ".claude", ".claude"),
        ("codex", ".agents", ".agents"),
        ("generic", ".agents", ".agents"),
        ("opencode", ".opencode", ".config/opencode"),
        ("gemini", ".gemini", ".gemini"),
        ("goose", ".goose", ".config/goose"),
        ("cursor", ".cursor", ".cursor"),
        ("copilot", ".github", ".copilot"),
    ];
    let root = Path::new("root");
    let found: Vec<_> = Agent::ALL
        .into_iter()
        .map(|agent| (agent.as_str(), agent.target(Scope::Project(root)), agent.target(Scope::User(root))))
        .collect();
    let wanted: Vec<_> = table.into_iter().map(|(name, p, u)| (name, root.join(p), root.join(u))).collect();
    assert_eq!(found, wanted);
    for (name, ..) in table {
        let agent: Agent = name.parse().expect("a name of the table");
        assert_eq!(agent.to_string(), name);
    }
    let unknown = "Claude".parse::<Agent>().expect_err("letter case counts").to_string();
    assert!(unknown.starts_with("`Claude` is not a known agent; known are `claude`, `codex`"), "{unknown}");
}
