//! Tests every MUST of Agent Plugins 1.0.0 that concerns readers of plugins, by section, and compares with
//! the published schemas.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skills_report::plugin::launch::{expand, prepare};
use skills_report::plugin::{Format, MCP_SCHEMA, Plugin, SCHEMA, Transport, load};

use crate::disk::Disk;

const PDF: (&str, &str) =
    ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n");

fn manifest(rest: Value) -> String {
    let mut whole = json!({"$schema": SCHEMA, "name": "office"});
    for (key, value) in rest.as_object().unwrap() {
        whole[key] = value.clone();
    }
    whole.to_string()
}

fn servers(servers: Value) -> String {
    json!({"$schema": MCP_SCHEMA, "mcpServers": servers}).to_string()
}

/// A plugin on disk, and its loaded parts.
struct Found {
    plugin: Plugin,
    _disk: Disk,
}

fn read(files: &[(&str, &str)]) -> Found {
    let disk = Disk::new(files);
    let plugin = load(&disk.root(), "plugin", Format::AgentPlugins);
    Found { plugin, _disk: disk }
}

impl Found {
    fn skills(&self) -> Vec<&str> {
        self.plugin.catalog.skills().iter().map(|skill| skill.name.as_str()).collect()
    }

    fn servers(&self) -> Vec<&str> {
        self.plugin.servers.iter().map(|server| server.name.as_str()).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.plugin.report.diagnostics.iter().map(|problem| problem.rule.code).collect()
    }
}

fn of_manifest(rest: Value) -> Found {
    read(&[("plugin.json", &manifest(rest)), PDF])
}

/// Returns `true` if the one server is loaded, beside a good server and a skill that are always loaded.
fn of_server(server: Value) -> bool {
    let text = servers(json!({"good": {"type": "stdio", "command": "npx"}, "other": server}));
    let found = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text), PDF]);
    assert!(found.plugin.accepted && found.skills() == ["pdf"], "the rest is loaded: {text}");
    assert!(found.servers().contains(&"good"), "each entry is judged alone: {text}");
    let is_loaded = found.servers().contains(&"other");
    assert_eq!(found.plugin.skipped, !is_loaded, "{text}");
    assert_eq!(found.codes().contains(&"plugin-server"), !is_loaded, "what is skipped is reported: {text}");
    is_loaded
}

fn stdio(rest: Value) -> Value {
    let mut whole = json!({"type": "stdio", "command": "npx"});
    for (key, value) in rest.as_object().unwrap() {
        whole[key] = value.clone();
    }
    whole
}

fn http(rest: Value) -> Value {
    let mut whole = json!({"type": "streamable-http", "url": "https://example.com/mcp"});
    for (key, value) in rest.as_object().unwrap() {
        whole[key] = value.clone();
    }
    whole
}

// SPEC 15.1, 15.2; section 4.1, item 2; section 5.1
#[test]
fn s4_1_and_s5_1_the_manifest_is_plugin_json_in_the_root_and_no_other_file() {
    assert!(read(&[("plugin.json", &manifest(json!({})))]).plugin.accepted);
    for path in [".claude-plugin/plugin.json", "Plugin.json", "sub/plugin.json", ".plugin/plugin.json"] {
        let found = read(&[(path, &manifest(json!({}))), PDF]);
        assert!(!found.plugin.accepted && found.skills().is_empty(), "{path}");
    }
    let both = read(&[("plugin.json", "{}"), (".claude-plugin/plugin.json", &manifest(json!({}))), PDF]);
    assert!(!both.plugin.accepted, "another file supplements nothing");
}

// SPEC 15.2; section 4.1, item 3 and boundary 1
#[test]
fn s4_1_a_manifest_that_leads_out_rejects_the_plugin() {
    let text = manifest(json!({}));
    let disk = Disk::new(&[
        ("p/plugin.json -> ../out.json", ""),
        ("out.json", &text),
        ("p/skills/pdf/SKILL.md", PDF.1),
    ]);
    let plugin = load(&disk.root().join("p"), "p", Format::AgentPlugins);
    assert!(!plugin.accepted && plugin.catalog.skills().is_empty());
    // A link within the plugin is followed.
    assert!(read(&[("plugin.json -> real.json", ""), ("real.json", &text)]).plugin.accepted);
}

// SPEC 15.3; section 4.1, boundary 2; section 6.2
#[test]
fn s4_1_and_s6_2_an_invalid_place_loses_only_its_kind() {
    let text = manifest(json!({}));
    let good = servers(json!({"office": {"type": "stdio", "command": "npx"}}));
    for skills in [("p/skills -> ../out", ""), ("p/skills", "a file"), ("p/skills (fifo)", "")] {
        let disk = Disk::new(&[
            ("p/plugin.json", &text),
            ("p/mcp.json", &good),
            skills,
            ("out/pdf/SKILL.md", PDF.1),
        ]);
        let plugin = load(&disk.root().join("p"), "p", Format::AgentPlugins);
        assert!(plugin.accepted && plugin.skipped && plugin.servers.len() == 1, "{skills:?}");
        assert!(plugin.catalog.skills().is_empty(), "{skills:?}");
    }
    for mcp in [("p/mcp.json -> ../out.json", ""), ("p/mcp.json/x", "a directory"), ("p/mcp.json (fifo)", "")]
    {
        let disk = Disk::new(&[
            ("p/plugin.json", &text),
            mcp,
            ("p/skills/pdf/SKILL.md", PDF.1),
            ("out.json", &good),
        ]);
        let plugin = load(&disk.root().join("p"), "p", Format::AgentPlugins);
        assert!(plugin.accepted && plugin.skipped && plugin.servers.is_empty(), "{mcp:?}");
        assert_eq!(plugin.catalog.skills().len(), 1, "{mcp:?}");
    }
    let missing = read(&[("plugin.json", &text)]);
    assert!(missing.plugin.is_whole(), "what is missing is not an error");
}

// SPEC 15.4; section 4.1, boundaries 3 and 5
#[test]
fn s4_1_a_skill_that_leads_out_is_skipped() {
    let text = manifest(json!({}));
    let disk = Disk::new(&[
        ("p/plugin.json", &text),
        ("p/skills/pdf/SKILL.md", PDF.1),
        ("p/skills/file/SKILL.md -> ../../../out.md", ""),
        ("p/skills/whole -> ../../away", ""),
        ("p/skills/gone/SKILL.md -> nowhere", ""),
        ("p/shared/SKILL.md", "---\nname: inside\ndescription: Is inside.\n---\n"),
        ("p/skills/inside -> ../shared", ""),
        ("out.md", "---\nname: file\ndescription: Is out.\n---\n"),
        ("away/SKILL.md", "---\nname: whole\ndescription: Is out.\n---\n"),
    ]);
    let plugin = load(&disk.root().join("p"), "p", Format::AgentPlugins);
    let names: Vec<&str> = plugin.catalog.skills().iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["inside", "pdf"]);
    assert_eq!(plugin.report.diagnostics.iter().filter(|found| found.rule.code == "plugin-skill").count(), 3);
}

// SPEC 15.6; section 4.1, items 4 and 5, boundary 4
#[test]
fn s4_1_paths_of_servers_stay_inside_and_other_values_are_opaque() {
    for command in ["../bin/x", "./../x", "./a/../../x", "/bin/sh", "bin/x", "./out/x", "..", "C:\\x"] {
        let text = servers(json!({"office": {"type": "stdio", "command": command}}));
        let disk = Disk::new(&[
            ("p/plugin.json", &manifest(json!({}))),
            ("p/mcp.json", &text),
            ("p/out -> ../away", ""),
            ("away/x", "#!"),
        ]);
        let plugin = load(&disk.root().join("p"), "p", Format::AgentPlugins);
        assert!(plugin.accepted && plugin.servers.is_empty(), "{command}");
    }
    assert!(of_server(stdio(json!({"args": ["../x", "/etc/passwd"], "env": {"P": "../../x"}}))), "opaque");
    assert!(of_server(stdio(json!({"command": "./bin/../server"}))));
}

// SPEC 15.2; section 5.2
#[test]
fn s5_2_the_manifest_is_a_json_object() {
    for text in
        ["", "[]", "\"x\"", "null", "{", "{\"a\": 1,}", "// x\n{}", "name: x", "{\"name\": \"a\"} x", "\u{0}"]
    {
        let found = read(&[("plugin.json", text), PDF]);
        assert!(!found.plugin.accepted && found.skills().is_empty(), "{text:?}");
        assert!(found.plugin.report.errors() > 0, "{text:?}");
    }
}

// SPEC 15.2; section 5.2, paragraph 2; section 11.3, item 2
#[test]
fn s5_2_an_unknown_field_is_reported_and_ignored() {
    let found =
        of_manifest(json!({"skills": "./other", "mcpServers": {"x": {"type": "stdio", "command": "x"}}}));
    assert!(found.plugin.accepted && found.skills() == ["pdf"] && found.servers().is_empty());
    assert_eq!(found.codes(), ["plugin-field-unknown"; 2]);
}

// SPEC 15.2; section 5.2, paragraphs 3, 5 and 6
#[test]
fn s5_2_the_schema_selects_the_rules_and_is_never_fetched() {
    for schema in [
        json!("https://agent-plugins.org/schemas/2.0.0/plugin.schema.json"),
        json!("https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"),
        json!("http://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
        json!("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json/"),
        json!(""),
        json!(1),
        json!(null),
    ] {
        assert!(!of_manifest(json!({ "$schema": schema })).plugin.accepted, "{schema}");
    }
    let other = of_manifest(json!({"$schema": "https://agent-plugins.org/schemas/2.0.0/plugin.schema.json"}));
    assert_eq!(other.codes(), ["plugin-version"], "the version is reported");
}

// SPEC 15.2; sections 5.3 and 5.5
#[test]
fn s5_3_and_s5_5_schema_and_name_are_required_and_valid() {
    for text in [json!({"name": "a"}), json!({"$schema": SCHEMA}), json!({})] {
        let found = read(&[("plugin.json", &text.to_string()), PDF]);
        assert!(!found.plugin.accepted && found.skills().is_empty(), "{text}");
    }
    let longest = "a".repeat(64);
    for name in ["my-plugin", "acme.tools", "lint3r", "a", "0", "a.-b", &longest] {
        assert!(of_manifest(json!({ "name": name })).plugin.accepted, "{name}");
    }
    let long = "a".repeat(65);
    for name in [
        "",
        "My-Plugin",
        "-start",
        "end-",
        ".a",
        "a.",
        "has--double",
        "too.many..dots",
        "a_b",
        "a b",
        "é",
        &long,
    ] {
        assert!(!of_manifest(json!({ "name": name })).plugin.accepted, "{name}");
    }
    for name in [json!(1), json!(null), json!(["a"])] {
        assert!(!of_manifest(json!({ "name": name })).plugin.accepted, "{name}");
    }
}

// SPEC 15.2; section 5.4
#[test]
fn s5_4_only_the_types_of_fields_are_checked() {
    let loose = json!({"version": "newest", "homepage": "here", "repository": "", "license": "Mine",
        "author": {"email": "nobody", "url": "x"}, "keywords": [""], "description": ""});
    assert!(of_manifest(loose).plugin.is_whole());
    for (field, value) in [
        ("version", json!(1)),
        ("description", json!(null)),
        ("homepage", json!([])),
        ("repository", json!({})),
        ("license", json!(true)),
        ("keywords", json!("a")),
        ("keywords", json!([1])),
        ("author", json!("Me")),
        ("author", json!({"name": 1})),
        ("author", json!({"name": "Me", "twitter": "me"})),
    ] {
        let found = of_manifest(json!({ field: value }));
        assert!(!found.plugin.accepted && found.skills().is_empty(), "{field}: {value}");
    }
}

// SPEC 15.2; section 8.1
#[test]
fn s8_1_the_contents_of_extensions_are_not_checked() {
    let good = json!({"extensions": {"com.example.client": {"anything": [1, {"$schema": 3}]}, "x": {}}});
    assert!(of_manifest(good).plugin.is_whole());
    for value in [json!("x"), json!([]), json!(null), json!(1)] {
        let found = of_manifest(json!({ "extensions": value }));
        assert!(found.plugin.accepted && found.skills() == ["pdf"], "{value}");
        assert_eq!(found.codes(), ["plugin-extensions"], "{value}");
    }
    let found = of_manifest(json!({"extensions": {"com.example.client": true}}));
    assert!(!found.plugin.accepted, "section 11.3: any other violation is fatal");
}

// SPEC 15.3; section 6.1; section 7.2.2, item 1; section 8.2
#[test]
fn s6_1_components_are_found_only_at_fixed_places() {
    let good = servers(json!({"office": {"type": "stdio", "command": "npx"}}));
    let found = read(&[
        ("plugin.json", &manifest(json!({}))),
        PDF,
        (".mcp.json", &good),
        ("config/mcp.json", &good),
        ("SKILL.md", "---\nname: root\ndescription: Is at the root.\n---\n"),
        (".claude/skills/x/SKILL.md", "---\nname: x\ndescription: Is Claude's.\n---\n"),
        ("com.example.client/hooks/hooks.json", "not even JSON"),
        ("commands/a.md", "x"),
    ]);
    assert!(found.plugin.is_whole(), "section 7: other components are ignored");
    assert_eq!((found.skills(), found.servers().len()), (vec!["pdf"], 0));
}

// SPEC 15.4; section 7.1
#[test]
fn s7_1_skills_are_one_level_deep_and_skipped_separately() {
    let found = read(&[
        ("plugin.json", &manifest(json!({}))),
        PDF,
        ("skills/group/deep/SKILL.md", "---\nname: deep\ndescription: Is too deep.\n---\n"),
        ("skills/pdf/inner/SKILL.md", "---\nname: inner\ndescription: Is inside.\n---\n"),
        ("skills/lower/skill.md", "---\nname: lower\ndescription: Is lower.\n---\n"),
        ("skills/folder/SKILL.md/x", "no file"),
        ("skills/SKILL.md", "---\nname: skills\ndescription: Is above.\n---\n"),
        ("skills/.hidden/SKILL.md", "---\nname: hidden\ndescription: Has another name.\n---\n"),
        ("skills/wrong/SKILL.md", "---\nname: other\ndescription: Has another name.\n---\n"),
        ("skills/bare/SKILL.md", "# No frontmatter\n"),
        ("skills/mute/SKILL.md", "---\nname: mute\n---\n"),
        ("skills/under_score/SKILL.md", "---\nname: under_score\ndescription: Is misspelt.\n---\n"),
        ("skills/old (latin-1)/x", ""),
        ("skills/latin/SKILL.md (latin-1)", "---\nname: latin\ndescription: Höflich.\n---\n"),
        ("skills/extra/SKILL.md", "---\nname: extra\ndescription: Has a key.\nmodel: opus\n---\n"),
    ]);
    assert_eq!(found.skills(), ["extra", "pdf"], "{:?}", found.codes());
    assert!(found.plugin.accepted && found.plugin.skipped);
    let reported: std::collections::BTreeSet<String> = found
        .plugin
        .report
        .diagnostics
        .iter()
        .filter(|problem| problem.level == skills_core::level::Level::Error)
        .map(|problem| found.plugin.catalog.sources().file_of(problem.span).path.clone())
        .collect();
    let expected = ["bare", "latin", "mute", "under_score", "wrong", ".hidden"];
    assert_eq!(reported, expected.iter().map(|name| format!("skills/{name}/SKILL.md")).collect());
}

// SPEC 15.5; sections 7.2.1 and 7.2.2, item 2; section 10.1
#[test]
fn s7_2_a_broken_mcp_json_loses_all_servers_and_no_skill() {
    let entry = json!({"office": {"type": "stdio", "command": "npx"}});
    for text in [
        json!({"mcpServers": entry}).to_string(),
        json!({"$schema": MCP_SCHEMA}).to_string(),
        json!({"$schema": MCP_SCHEMA, "mcpServers": []}).to_string(),
        json!({"$schema": MCP_SCHEMA, "mcpServers": entry, "inputs": []}).to_string(),
        json!({"$schema": SCHEMA, "mcpServers": entry}).to_string(),
        json!({"$schema": "https://agent-plugins.org/schemas/1.0.1/mcp.schema.json", "mcpServers": entry})
            .to_string(),
        json!({"$schema": 1, "mcpServers": entry}).to_string(),
        "[]".to_owned(),
        "{".to_owned(),
        String::new(),
        format!("{}x", servers(entry.clone())),
    ] {
        let found = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text), PDF]);
        assert!(found.plugin.accepted && found.plugin.skipped, "{text}");
        assert_eq!((found.skills(), found.servers().len()), (vec!["pdf"], 0), "{text}");
        assert!(found.plugin.report.errors() > 0, "{text}");
    }
    let empty = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &servers(json!({})))]);
    assert!(empty.plugin.is_whole(), "no servers are servers, too");
}

// SPEC 15.6; section 7.2.1; section 7.2.2, item 3; section 11.3, item 3
#[test]
fn s7_2_1_a_server_is_one_closed_variant() {
    for good in [
        stdio(json!({})),
        stdio(json!({"args": [], "env": {}})),
        http(json!({})),
        json!({"type": "sse", "url": "https://a.b/"}),
    ] {
        assert!(of_server(good.clone()), "{good}");
    }
    for bad in [
        json!({"command": "npx"}),
        json!({"type": "http", "url": "https://a.b"}),
        json!({"type": "Stdio", "command": "npx"}),
        json!({"type": 1}),
        json!({"type": "stdio"}),
        json!({"type": "sse"}),
        json!("npx"),
        json!(null),
        stdio(json!({"url": "https://a.b"})),
        stdio(json!({"disabled": true})),
        http(json!({"command": "npx"})),
        http(json!({"env": {}})),
        stdio(json!({"args": "x"})),
        stdio(json!({"args": [1]})),
        stdio(json!({"env": {"A": 1}})),
        stdio(json!({"env": []})),
        stdio(json!({"cwd": 1})),
        stdio(json!({"command": 1})),
        http(json!({"url": 1})),
        http(json!({"headers": {"A": 1}})),
        http(json!({"headers": []})),
    ] {
        assert!(!of_server(bad.clone()), "{bad}");
    }
}

// SPEC 15.6; section 7.2.1, stdio
#[test]
fn s7_2_1_a_command_is_one_token_and_nothing_in_it_is_expanded() {
    for good in ["npx", "python3.12", "my-server", "./bin/server", "./bin/../server"] {
        assert!(of_server(stdio(json!({ "command": good }))), "{good}");
    }
    for bad in [
        "",
        "npx -y x",
        "./bin/server --flag",
        "a;b",
        "a|b",
        "$(x)",
        "${PLUGIN_ROOT}/bin/x",
        "~/x",
        "a\tb",
        "`x`",
        " npx",
    ] {
        assert!(!of_server(stdio(json!({ "command": bad }))), "{bad}");
    }
    let text = servers(json!({"office": {"type": "stdio", "command": "./my server"}}));
    let found = read(&[
        ("plugin.json", &manifest(json!({}))),
        ("mcp.json", &text),
        ("my server (executable)", "#!/bin/sh\n"),
    ]);
    assert!(found.plugin.is_whole(), "a file whose name has a blank is one token");
    let text = servers(json!({"office": {"type": "stdio", "command": "./gone"}}));
    let found = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text)]);
    assert_eq!(
        (found.servers(), found.codes()),
        (vec!["office"], vec!["plugin-command"]),
        "it fails when it starts"
    );
}

// SPEC 15.6; section 7.2.1, cwd
#[test]
fn s7_2_1_a_cwd_has_one_of_three_forms_and_stays_inside() {
    for good in [
        "./data",
        "./",
        "${PLUGIN_ROOT}",
        "${PLUGIN_ROOT}/a/../b",
        "${PLUGIN_DATA}",
        "${PLUGIN_DATA}/x",
        "./a/..",
    ] {
        assert!(of_server(stdio(json!({ "cwd": good }))), "{good}");
    }
    for bad in [
        "data",
        "",
        ".",
        "/tmp",
        "../x",
        "./..",
        "./a/../../b",
        "${PLUGIN_ROOT}/..",
        "${PLUGIN_ROOT}x",
        "${PLUGIN_DATA}/../x",
        "${PLUGIN_DATA}data",
        "${HOME}",
        "x/${PLUGIN_ROOT}",
        "${PLUGIN_ROOT}/${PLUGIN_ROOT}/../../../../../../../../..",
    ] {
        assert!(!of_server(stdio(json!({ "cwd": bad }))), "{bad}");
    }
    let text = servers(json!({"office": {"type": "stdio", "command": "npx", "cwd": "./out"}}));
    let disk = Disk::new(&[
        ("p/plugin.json", &manifest(json!({}))),
        ("p/mcp.json", &text),
        ("p/out -> ../away", ""),
        ("away/x", ""),
    ]);
    assert!(
        load(&disk.root().join("p"), "p", Format::AgentPlugins).servers.is_empty(),
        "a link that leads out"
    );
}

// SPEC 15.6; section 7.2.1, Streamable HTTP
#[test]
fn s7_2_1_a_url_is_absolute_and_https_but_for_loopback() {
    for good in [
        "https://example.com",
        "https://example.com:8443/mcp?x=1",
        "HTTPS://EXAMPLE.COM/",
        "http://localhost:3000/mcp",
        "http://127.0.0.1/",
        "http://127.8.9.1:80",
        "http://[::1]:8080/mcp",
        "https://[2001:db8::1]/",
        "https://ex%20ample/",
    ] {
        assert!(of_server(http(json!({ "url": good }))), "{good}");
        assert!(of_server(json!({"type": "sse", "url": good})), "{good}");
    }
    for bad in [
        "",
        "example.com/mcp",
        "/mcp",
        "//example.com",
        "https:example.com",
        "https:///mcp",
        "ftp://example.com",
        "ws://localhost",
        "http://example.com",
        "http://192.168.0.1",
        "http://localhost.example.com",
        "http://[::2]/",
        "http://127.0.0.1.example.com",
        "http://0.0.0.0/",
        "http://127.1/",
        "https://me@example.com",
        "https://me:pw@example.com",
        "https://@example.com",
        "https://example.com/#a",
        "https://example.com#",
        "https://exa mple.com",
        "https://example.com:99999",
        "https://example.com:a",
        "https://[::1",
        "https://example.com/%zz",
        "https://example.com\\@x",
        "http://localhost@example.com/",
        "${URL}",
    ] {
        assert!(!of_server(http(json!({ "url": bad }))), "{bad}");
    }
}

// SPEC 15.6; section 7.2.1, headers
#[test]
fn s7_2_1_headers_are_valid_and_unique() {
    for good in [json!({"X-Tenant": "a b"}), json!({}), json!({"x": ""}), json!({"X-T": "${TOKENLESS}"})] {
        assert!(of_server(http(json!({ "headers": good }))), "{good}");
    }
    for bad in [
        json!({"": "x"}),
        json!({"a b": "x"}),
        json!({"a:": "x"}),
        json!({"é": "x"}),
        json!({"a": "x\ny"}),
        json!({"a": "x\r"}),
        json!({"a": "\u{0}"}),
        json!({"a": " x"}),
        json!({"X-A": "1", "x-a": "2"}),
    ] {
        assert!(!of_server(http(json!({ "headers": bad }))), "{bad}");
    }
    let found = read(&[
        ("plugin.json", &manifest(json!({}))),
        ("mcp.json", &servers(json!({"office": http(json!({"headers": {"X-T": "${PLUGIN_ROOT}"}}))}))),
    ]);
    let Transport::StreamableHttp { headers, .. } = &found.plugin.servers[0].transport else {
        panic!("another transport")
    };
    assert_eq!(headers[0].1, "${PLUGIN_ROOT}", "nothing is expanded in headers");
}

// SPEC 15.7; sections 7.2.1 and 9.2
#[test]
fn s7_2_1_and_s9_2_likely_secrets_are_reported() {
    for server in
        [http(json!({"headers": {"Authorization": "Bearer x"}})), stdio(json!({"env": {"API_KEY": "x"}}))]
    {
        let text = servers(json!({"office": server}));
        let found = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text)]);
        assert_eq!((found.servers(), found.codes()), (vec!["office"], vec!["plugin-secret"]), "{text}");
    }
}

// SPEC 15.7, 13.3: a name looks like a secret to the package if it does to a run
#[test]
fn names_of_secrets_are_decided_in_one_place() {
    let codes = |server: Value| {
        let text = servers(json!({"office": server}));
        read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text)]).codes()
    };
    for name in ["AWS_ACCESS_KEY", "DB_PASS", "OPENAI_KEY", "GITHUB_AUTH", "npm_token"] {
        assert_eq!(codes(stdio(json!({"env": {name: "x"}}))), ["plugin-secret"], "{name}");
    }
    for name in ["MAX_TOKENS", "TOKENIZERS_PARALLELISM", "KEYBOARD", "PATH"] {
        assert_eq!(codes(stdio(json!({"env": {name: "x"}}))), [""; 0], "{name}");
    }
    for name in ["authorization", "Cookie", "X-Api-Key", "ApiKey", "X-AuthToken", "X-Goog-Key"] {
        assert_eq!(codes(http(json!({"headers": {name: "x"}}))), ["plugin-secret"], "{name}");
    }
    for name in ["X-Tenant", "X-Max-Tokens", "Accept"] {
        assert_eq!(codes(http(json!({"headers": {name: "x"}}))), [""; 0], "{name}");
    }
}

// SPEC 15.2; section 5.5: the command refuses exactly the names that clients refuse
#[test]
fn s5_5_invalid_names_are_reported_in_one_place() {
    use skills_registry::plugin_name_fault as name_fault;
    for name in ["a.-b", "a-.b", "acme.tools", "x"] {
        assert_eq!(name_fault(name), None, "{name}");
        assert!(read(&[("plugin.json", &manifest(json!({"name": name})))]).codes().is_empty(), "{name}");
    }
    for name in ["", "-a", "a--b", "a..b", "A", "a_b"] {
        assert!(name_fault(name).is_some(), "{name}");
    }
}

// SPEC 15.6; section 9.2
#[test]
fn s9_2_the_names_of_the_client_are_reserved() {
    for name in ["PLUGIN_ROOT", "PLUGIN_DATA"] {
        assert!(!of_server(stdio(json!({"env": {name: "x"}}))), "{name}");
    }
    assert!(of_server(stdio(json!({"env": {"PLUGIN_ROOTS": "x"}}))));
}

// SPEC 15.8; section 9.2
#[test]
fn s9_2_placeholders_are_replaced_once_and_no_others() {
    let expand = |text| expand(text, "/r/${PLUGIN_DATA}", "/d");
    assert_eq!(expand("${PLUGIN_ROOT}/a:${PLUGIN_DATA}"), "/r/${PLUGIN_DATA}/a:/d");
    for text in [
        "${HOME}",
        "$PLUGIN_ROOT",
        "${PLUGIN_ROOT",
        "${plugin_root}",
        "${PLUGIN_ROOTX}",
        "%PLUGIN_ROOT%",
        "${ PLUGIN_ROOT }",
    ] {
        assert_eq!(expand(text), text);
    }
    assert_eq!(expand("${PLUGIN_${PLUGIN_DATA}}"), "${PLUGIN_/d}");
}

/// Reads a plugin with one server and prepares its start.
fn started(
    server: Value,
    more: &[(&str, &str)],
) -> (std::io::Result<skills_report::plugin::launch::Launch>, PathBuf, PathBuf, Found) {
    let (text, own) = (servers(json!({"office": server})), manifest(json!({})));
    let mut files = vec![("plugin.json", own.as_str()), ("mcp.json", text.as_str())];
    files.extend(more);
    let found = read(&files);
    let (root, data) = (found.plugin.root.clone(), found.plugin.root.with_extension("data"));
    let launch = prepare(&found.plugin.servers[0], &root, &data);
    let data = fs::canonicalize(&data).unwrap();
    (launch, root, data, found)
}

// SPEC 15.8; sections 7.2.1 and 9.1
#[test]
fn s9_1_a_server_starts_in_the_root_with_both_names_over_its_own_env() {
    let server = stdio(
        json!({"args": ["--at", "${PLUGIN_ROOT}/x", "a b"], "env": {"D": "${PLUGIN_DATA}/d", "PATH": "/p"}}),
    );
    let (launch, root, data, _found) = started(server, &[]);
    let launch = launch.unwrap();
    let (root_text, data_text) = (root.to_str().unwrap(), data.to_str().unwrap());
    assert_eq!((launch.program.as_path(), launch.cwd.as_path()), (Path::new("npx"), root.as_path()));
    assert_eq!(launch.args, ["--at", &format!("{root_text}/x"), "a b"], "each stays one argument");
    let env: Vec<(&str, &str)> =
        launch.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        env,
        [
            ("D", format!("{data_text}/d").as_str()),
            ("PATH", "/p"),
            ("PLUGIN_ROOT", root_text),
            ("PLUGIN_DATA", data_text)
        ]
    );
    assert!(root.is_absolute() && data.is_dir(), "the directory is made before the start");
    fs::write(data.join("kept"), "x").unwrap();
    let again = prepare(&_found.plugin.servers[0], &root, &data).unwrap();
    assert_eq!(again, launch);
    assert!(data.join("kept").is_file(), "and its contents are kept");
    fs::remove_dir_all(data).unwrap();
}

// SPEC 15.8; section 7.2.1
#[test]
fn s7_2_1_a_command_and_a_cwd_of_the_plugin_are_resolved_against_its_root() {
    let server = stdio(json!({"command": "./bin/x", "cwd": "${PLUGIN_DATA}/work"}));
    let (launch, root, data, _found) = started(server, &[("bin/x (executable)", "#!/bin/sh\n")]);
    let launch = launch.unwrap();
    assert_eq!((launch.program, launch.cwd), (root.join("bin/x"), data.join("work")));
    fs::remove_dir_all(data).unwrap();
    let (launch, root, data, _found) = started(stdio(json!({"cwd": "./bin"})), &[("bin/x", "")]);
    assert_eq!(launch.unwrap().cwd, root.join("bin"));
    // A path that leads out of the plugin when the server starts is refused.
    fs::remove_dir_all(root.join("bin")).unwrap();
    std::os::unix::fs::symlink("/", root.join("bin")).unwrap();
    assert!(prepare(&_found.plugin.servers[0], &root, &data).is_err());
    fs::remove_dir_all(data).unwrap();
}

// SPEC 15.9
#[test]
fn the_files_of_claude_code_are_checked() {
    let at = |path: &str, text: &str| {
        let found = read(&[
            ("plugin.json", &manifest(json!({}))),
            (path, text),
            ("plugins/a/x", ""),
            ("commands/a.md", ""),
            PDF,
        ]);
        assert!(found.plugin.accepted && found.skills() == ["pdf"], "it has no bearing on other clients");
        found.codes()
    };
    let plugin = ".claude-plugin/plugin.json";
    for good in [
        r#"{"name": "office", "commands": ["./commands/a.md"], "hooks": {}, "mcpServers": {"x": {"command": "npx"}}, "mine": 1}"#,
        r#"{"name": "office", "author": {"name": "Me"}, "keywords": ["a"], "skills": "./skills/"}"#,
    ] {
        assert_eq!(at(plugin, good), [""; 0], "{good}");
    }
    for bad in [
        "[]",
        "{}",
        r#"{"name": "My Plugin"}"#,
        r#"{"name": "a", "commands": "commands"}"#,
        r#"{"name": "a", "agents": "./../x"}"#,
        r#"{"name": "a", "hooks": "./none.json"}"#,
        r#"{"name": "a", "version": 1}"#,
        r#"{"name": "a", "keywords": "x"}"#,
    ] {
        assert_eq!(at(plugin, bad), ["plugin-claude"], "{bad}");
    }
    let market = ".claude-plugin/marketplace.json";
    let whole =
        |plugins: &str| format!(r#"{{"name": "m", "owner": {{"name": "Us"}}, "plugins": {plugins}}}"#);
    for good in [
        "[]",
        r#"[{"name": "a", "source": "./plugins/a"}, {"name": "b", "source": {"source": "github", "repo": "o/r"}}]"#,
        r#"[{"name": "c", "source": {"source": "npm", "package": "x"}}]"#,
    ] {
        assert_eq!(at(market, &whole(good)), [""; 0], "{good}");
    }
    for bad in [
        "{}",
        r#"[{"name": "a"}]"#,
        r#"[{"name": "a", "source": "./plugins/b"}]"#,
        r#"[{"name": "a", "source": "../a"}]"#,
        r#"[{"name": "a", "source": {"source": "github"}}]"#,
        r#"[{"name": "a", "source": {}}]"#,
        r#"[{"name": "a", "source": "./plugins/a"}, {"name": "a", "source": "./plugins/a"}]"#,
        r#"["a"]"#,
    ] {
        assert_eq!(at(market, &whole(bad)), ["plugin-marketplace"], "{bad}");
    }
    let disk = Disk::new(&[(market, &whole("[]")), PDF]);
    assert!(load(&disk.root(), "p", Format::Claude).accepted);
    assert!(!load(&disk.root(), "p", Format::AgentPlugins).accepted);
}

// SPEC 15.2, 15.6: the published schemas accept the same documents
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_the_published_schemas_agree() {
    let dir = test_bed::field("standards/agent-plugins");
    let schema =
        |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(dir.join(name)).unwrap()).unwrap() };
    let plugin = jsonschema::validator_for(&schema("plugin.schema.json")).unwrap();
    let values = [
        json!("a"),
        json!(""),
        json!(1),
        json!(null),
        json!([]),
        json!(["a"]),
        json!([1]),
        json!({}),
        json!({"name": "a"}),
        json!({"x": {}}),
        json!({"a": 1}),
    ];
    let fields = [
        "$schema",
        "name",
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "extensions",
    ];
    let mut compared = 0;
    for field in fields {
        for value in &values {
            let text = manifest(json!({ field: value }));
            let is_valid = plugin.is_valid(&serde_json::from_str(&text).unwrap());
            let found = read(&[("plugin.json", &text)]);
            // The specification ignores a value here that the schema refuses.
            let is_read_over = field == "extensions" && !value.is_object();
            assert_eq!(found.plugin.accepted, is_valid || is_read_over, "{text}");
            compared += 1;
        }
    }
    let mcp = jsonschema::validator_for(&schema("mcp.schema.json")).unwrap();
    let parts = [
        json!({}),
        json!({"args": ["a"]}),
        json!({"args": "a"}),
        json!({"env": {"A": "b"}}),
        json!({"env": {"PLUGIN_ROOT": "b"}}),
        json!({"cwd": "./a"}),
        json!({"cwd": "a"}),
        json!({"cwd": "${PLUGIN_DATA}"}),
        json!({"cwd": "${PLUGIN_ROOT}x"}),
        json!({"url": "https://a.b/"}),
        json!({"headers": {"a": "b"}}),
        json!({"headers": {"a": 1}}),
        json!({"command": ""}),
        json!({"command": 1}),
        json!({"more": 1}),
    ];
    for kind in ["stdio", "streamable-http", "sse", "http"] {
        for (first, second) in parts.iter().flat_map(|first| parts.iter().map(move |second| (first, second)))
        {
            let mut server = match kind {
                "stdio" => json!({"command": "npx"}),
                _ => json!({"url": "https://example.com/"}),
            };
            server["type"] = json!(kind);
            for part in [first, second] {
                for (key, value) in part.as_object().unwrap() {
                    server[key] = value.clone();
                }
            }
            let text = servers(json!({"office": server}));
            let is_valid = mcp.is_valid(&serde_json::from_str(&text).unwrap());
            let found = read(&[("plugin.json", &manifest(json!({}))), ("mcp.json", &text)]);
            assert_eq!(found.servers().len() == 1, is_valid, "{text}");
            compared += 1;
        }
    }
    assert!(compared > 900, "{compared}");
}

// SPEC 15.10: the first existing manifest decides
#[test]
fn a_format_is_recognized_by_its_manifest() {
    let standard = manifest(json!({}));
    let plain = r#"{"name": "office"}"#;
    let of = |files: &[(&str, &str)]| Format::read(&Disk::new(files).root());
    let (claude, codex) = ((".claude-plugin/plugin.json", plain), (".codex-plugin/plugin.json", plain));
    let (cursor, gemini) = ((".cursor-plugin/plugin.json", plain), ("gemini-extension.json", plain));
    assert_eq!(of(&[("plugin.json", &standard), claude, codex]), Format::AgentPlugins);
    assert_eq!(of(&[("plugin.json", plain), claude, codex]), Format::Claude);
    assert_eq!(of(&[("plugin.json", plain), codex, cursor]), Format::Codex);
    assert_eq!(of(&[cursor, gemini]), Format::Cursor);
    assert_eq!(of(&[gemini, PDF]), Format::Gemini);
    assert_eq!(of(&[PDF]), Format::Skills);
    assert_eq!(of(&[("plugin.json", plain), PDF]), Format::AgentPlugins, "its manifest has a fault");
    assert_eq!(of(&[]), Format::AgentPlugins);
}

// SPEC 15.11
#[test]
fn manifests_of_other_clients_are_checked() {
    const CODEX: &str = ".codex-plugin/plugin.json";
    const CURSOR: &str = ".cursor-plugin/plugin.json";
    const GEMINI: &str = "gemini-extension.json";
    let check = |path: &str, text: &str| {
        let disk = Disk::new(&[(path, text), PDF, ("guides/csv/SKILL.md", &PDF.1.replace("pdf", "csv"))]);
        let plugin = load(&disk.root(), "p", Format::read(&disk.root()));
        let skills = plugin.catalog.skills().iter().map(|skill| skill.name.clone()).collect::<Vec<_>>();
        let codes = plugin.report.diagnostics.iter().map(|found| found.rule.code).collect::<Vec<_>>();
        assert_eq!(plugin.accepted, codes.is_empty(), "{path}: {text}");
        (skills.join(","), codes.join(","))
    };
    let good = |skills: &str| (skills.to_owned(), String::new());
    assert_eq!(check(CODEX, r#"{"name": "office", "interface": {}, "mcpServers": {}}"#), good("pdf"));
    assert_eq!(check(CODEX, r#"{"name": "office", "skills": "./guides/"}"#), good("csv"));
    assert_eq!(check(CURSOR, r#"{"name": "a.b", "rules": "rules/*.mdc", "skills": "guides"}"#), good("csv"));
    assert_eq!(check(GEMINI, r#"{"name": "office", "version": "1.0.0", "mcpServers": {}}"#), good("pdf"));
    for (path, text) in [
        (CODEX, "{"),
        (CODEX, "[]"),
        (CODEX, "{}"),
        (CODEX, r#"{"name": "Office Tools"}"#),
        (CODEX, r#"{"name": "a.b"}"#),
        (CODEX, r#"{"name": "office", "skills": "../guides"}"#),
        (CODEX, r#"{"name": "office", "skills": "none"}"#),
        (CODEX, r#"{"name": "office", "apps": {}}"#),
        (CODEX, r#"{"name": "office", "version": 1}"#),
        (CURSOR, r#"{"name": "office", "rules": "../*.mdc"}"#),
        (CURSOR, r#"{"name": "-a"}"#),
        (GEMINI, r#"{"name": "office"}"#),
        (GEMINI, r#"{"name": "office", "version": "1", "contextFileName": ["none.md"]}"#),
    ] {
        let (skills, codes) = check(path, text);
        assert!(skills.is_empty() && !codes.is_empty(), "{path}: {text}: {codes}");
    }
    // They do not affect other clients.
    let disk = Disk::new(&[("plugin.json", &manifest(json!({}))), (CODEX, "{}"), PDF]);
    let plugin = load(&disk.root(), "p", Format::AgentPlugins);
    assert!(plugin.accepted && plugin.catalog.skills().len() == 1);
    assert_eq!(plugin.report.diagnostics[0].rule.code, "plugin-client");
}

// SPEC 15.11: the manifest is optional for Claude Code
#[test]
fn a_directory_of_skills_is_a_plugin_without_a_manifest() {
    let disk = Disk::new(&[PDF]);
    for format in [Format::Skills, Format::Claude] {
        let plugin = load(&disk.root(), "p", format);
        assert!(plugin.is_whole() && plugin.catalog.skills().len() == 1);
    }
    assert!(!load(&Disk::new(&[]).root(), "p", Format::Claude).accepted);
}

/// Returns the skills that Claude Code loads, the codes of the problems, and whether anything was skipped.
fn of_claude(files: &[(&str, &str)], plugin: &str) -> (Vec<String>, Vec<&'static str>, bool) {
    let disk = Disk::new(files);
    let plugin = load(&disk.root().join(plugin), "p", Format::Claude);
    assert!(plugin.accepted, "{:?}", plugin.report.diagnostics);
    let skills = plugin.catalog.skills().iter().map(|skill| skill.name.clone()).collect();
    (skills, plugin.report.diagnostics.iter().map(|found| found.rule.code).collect(), plugin.skipped)
}

// SPEC 15.9
#[test]
fn the_plugins_of_a_marketplace_are_walked() {
    let market = |plugins: &str| {
        format!(
            r#"{{"name": "m", "owner": {{"name": "o"}}, "metadata": {{"pluginRoot": "./plugins"}}, "plugins": {plugins}}}"#
        )
    };
    let text = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\n---\n# A\n");
    let (a, b, c) = (text("a"), text("b"), text("c"));
    let all = market(
        r#"[{"name": "one", "source": "./one"}, {"name": "two", "source": "two"}, {"name": "three", "source": "./",
            "skills": ["./more/c"]}, {"name": "far", "source": {"source": "github", "repo": "o/r"}}]"#,
    );
    let mut files = vec![
        (".claude-plugin/marketplace.json", all.as_str()),
        ("plugins/one/skills/a/SKILL.md", a.as_str()),
        ("plugins/two/.claude-plugin/plugin.json", r#"{"name": "Two", "skills": "./own"}"#),
        ("plugins/two/own/b/SKILL.md", b.as_str()),
        ("more/c/SKILL.md", c.as_str()),
    ];
    let found = of_claude(&files, ".");
    assert_eq!((found.0.len(), found.1, found.2), (3, vec!["plugin-name"], false), "{:?}", found.0);
    files[2].1 = r#"{"name": "two", "skills": "own"}"#;
    let (skills, codes, skipped) = of_claude(&files, ".");
    assert_eq!((skills.len(), codes, skipped), (2, vec!["plugin-claude"], true));
}

// SPEC 15.9
#[test]
fn skills_behind_links_in_a_marketplace_are_copied() {
    let text = "---\nname: one\ndescription: Does one.\n---\n# A\n";
    let manifest = ("plugins/one/.claude-plugin/plugin.json", r#"{"name": "one"}"#);
    let files =
        [("skills/one/SKILL.md", text), manifest, ("plugins/one/skills/one -> ../../../skills/one", "")];
    assert_eq!(of_claude(&files, "plugins/one"), (vec!["one".to_owned()], vec![], false));
    let files = [("skills/one/SKILL.md", text), manifest, ("plugins/one/skills/one", "../../../skills/one")];
    assert_eq!(of_claude(&files, "plugins/one"), (vec![], vec!["plugin-skill"], true));
    let files = [manifest, ("plugins/one/skills/one -> /etc", "")];
    assert_eq!(of_claude(&files, "plugins/one"), (vec![], vec!["plugin-skill"], true));
}
