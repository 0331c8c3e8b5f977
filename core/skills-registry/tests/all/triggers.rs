//! Tests that messages trigger skills, and that skills bring their MCP servers.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::ffi::OsStr;

use skills_registry::{
    CompiledSkill, Declared, Facts, Layout, McpServer, Registry, ServerFacts, Triggers, write,
};

fn skill(
    name: &str,
    trigger: Option<&str>,
    requires: &[&str],
    mcp: &[(&str, &str)],
) -> CompiledSkill<'static> {
    let server = |(name, command): &(&str, &str)| ServerFacts {
        name: (*name).to_owned(),
        command: (*command).to_owned(),
        args: Vec::new(),
        env: Vec::new(),
    };
    CompiledSkill::from(Facts {
        name: name.to_owned(),
        requires: requires.iter().map(|entry| (*entry).to_owned()).collect(),
        mcp_servers: mcp.iter().map(server).collect(),
        declared: Declared { trigger: trigger.map(str::to_owned), ..Declared::default() },
        ..Facts::default()
    })
}

fn registry() -> Registry {
    let skills = [
        skill("zoo", Some("browse|animals"), &[], &[("web", "zoo-web"), ("zoo", "zoo")]),
        skill("browser", Some("browse"), &[], &[("web", "npx"), ("files", "files")]),
        skill("absent", Some("browse"), &["no-such-program-anywhere"], &[("gone", "gone")]),
        skill("camera", Some("browse"), &["cap:camera"], &[("cam", "cam")]),
        skill("silent", None, &[], &[("quiet", "quiet")]),
        skill("bare", Some("browse"), &[], &[]),
    ];
    Registry::new(write(&skills, Layout::Joined, 8_000).unwrap().into_tables())
}

fn names(servers: &[McpServer<'_>]) -> Vec<(String, String)> {
    servers.iter().map(|server| (server.name().to_owned(), server.command().to_owned())).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, command)| ((*name).to_owned(), (*command).to_owned())).collect()
}

// SPEC 8.4
#[test]
fn available_skills_fire_in_name_order_and_the_first_of_equal_servers_wins() {
    let registry = registry();
    let called: Vec<&str> =
        Triggers::new().skills(&registry, "Browse it").iter().map(|skill| skill.name()).collect();
    assert_eq!(called, ["bare", "browser", "zoo"]);
    // Works for any collection, in any order.
    let reversed: Vec<_> = registry.iter().collect::<Vec<_>>().into_iter().rev().collect();
    let expected = pairs(&[("web", "npx"), ("files", "files"), ("zoo", "zoo")]);
    assert_eq!(names(&Triggers::new().servers(&registry, "Browse it")), expected);
    assert_eq!(names(&Triggers::new().servers(reversed, "Browse it")), expected);
    assert_eq!(
        names(&Triggers::new().servers(&registry, "animals")),
        pairs(&[("web", "zoo-web"), ("zoo", "zoo")])
    );
    assert!(Triggers::new().servers(&registry, "nothing of it").is_empty());
    assert!(Triggers::new().servers(&registry, "").is_empty());
}

// SPEC 8.4
#[test]
fn all_servers_need_no_trigger_but_an_available_skill() {
    let all = pairs(&[("web", "npx"), ("files", "files"), ("quiet", "quiet"), ("zoo", "zoo")]);
    assert_eq!(names(&Triggers::new().all_servers(&registry())), all);
}

// SPEC 2.9
#[test]
fn a_capability_is_refused_unless_the_host_grants_it() {
    let registry = registry();
    let asked = |triggers: Triggers<'_>| names(&triggers.servers(&registry, "browse"));
    let has_camera = |servers: Vec<(String, String)>| servers.iter().any(|(name, _)| name == "cam");
    assert!(!has_camera(asked(Triggers::new())));
    assert!(!has_camera(asked(Triggers::new().grant(&|name| name == "files"))));
    assert!(has_camera(asked(Triggers::new().grant(&|name| name == "camera"))));
}

// SPEC 2.9, 8.4
#[cfg(unix)]
#[test]
fn programs_are_looked_up_where_the_host_says() {
    let skills = [skill("sh", Some("run"), &["sh"], &[("sh", "sh")])];
    let registry = Registry::new(write(&skills, Layout::Joined, 8_000).unwrap().into_tables());
    let found = |path: &str| Triggers::new().path(OsStr::new(path)).servers(&registry, "run").len();
    assert_eq!((found("/bin"), found("/no/such/directory"), found("")), (1, 0, 0));
}
