//! Tests which skills are tools, and their printed definitions.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::catalog::CatalogSkill;
use skills_core::levels::Profile;
use skills_core::lower::{compile, compile_bundled, define_tools};
use skills_core::options::Options;
use skills_core::read::{File, ReadOptions};
use skills_core::{Loaded, load};
use skills_registry::{Layout, Registry, ToolFormat, write};
use skills_schema::tools::Unfit;

const HEAD: &str = r#""description": "Does it.", "category": "math", "output": {"type": "object"}"#;

/// Loads skills of every kind from disk.
fn skills(read: ReadOptions) -> Loaded {
    let root = tempfile::tempdir().unwrap();
    let file = |path: &str, text: &str| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let manifest = |name: &str, mode: &str, more: &str| {
        let text = format!(r#"{{"name": "{name}", "mode": "{mode}", {HEAD}, {more}}}"#);
        file(&format!("{name}/skill.json"), &text);
    };
    let document = |name: &str, more: &str| {
        file(
            &format!("{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: Does it.\n{more}---\n# Do\n"),
        );
    };
    manifest("ask", "llm", r#""input": {"properties": {"at": {"$ref": "at.json#/definitions/at"}}}"#);
    file("ask/prompt.md", "Ask.\n");
    file("ask/at.json", "\u{feff}{\"definitions\": {\"at\": {\"type\": \"integer\"}}}");
    manifest("host_only", "code", r#""input": {}"#);
    manifest("both", "code", r#""input": {}"#);
    document("both", "exec: run\n");
    file("both/bin/run", "#!/bin/sh\ncat\n");
    manifest("inner", "llm", r#""input": {}, "tags": ["internal"]"#);
    file("inner/prompt.md", "Think.\n");
    manifest("word", "llm", r#""input": {"type": "string"}"#);
    file("word/prompt.md", "Think.\n");
    document("prose", "");
    document("plain-exec", "exec: run\n");
    file("plain-exec/bin/run", "#!/bin/sh\ncat\n");
    document("typed", "exec: run\nschema: in.json\n");
    file("typed/bin/run", "#!/bin/sh\ncat\n");
    file("typed/in.json", "{\"required\": [\"a\"], \"properties\": {\"a\": {\"$ref\": \"./a.json\"}}}");
    file("typed/a.json", "{\"type\": \"boolean\"}");
    document("silent", "exec: run\nschema: in.json\ndisable-model-invocation: true\n");
    file("silent/bin/run", "#!/bin/sh\ncat\n");
    file("silent/in.json", "{}");
    load(root.path(), "skills", &Options { profile: Profile::Disk, read, ..Options::default() })
}

/// Returns each skill with its definition on one line; empty if it is not a tool, or the reason if Anthropic refuses
/// it.
fn tools(loaded: &Loaded, has_host: bool) -> Vec<(String, Option<Result<String, Unfit>>)> {
    let catalog = &loaded.catalog;
    let tool = |skill| {
        let tool = define_tools(skill, has_host)?[ToolFormat::Anthropic as usize].clone();
        Some(tool.map(|tool| tool.to_string()))
    };
    catalog.skills().iter().map(|skill| (skill.name.clone(), tool(skill))).collect()
}

// SPEC 6.2, 6.3
#[test]
fn callable_skills_are_tools() {
    let loaded = skills(ReadOptions::default());
    assert!(loaded.report.errors() == 0, "{:?}", loaded.report);
    let tool = |name: &str, rest: &str| {
        let schema = format!("{{\"type\":\"object\"{rest}}}");
        Some(Ok(format!(r#"{{"name":"{name}","description":"Does it.","input_schema":{schema}}}"#)))
    };
    let mut want = vec![
        ("ask".to_owned(), tool("ask", r#","properties":{"at":{"type":"integer"}}"#)),
        ("both".to_owned(), tool("both", "")),
        ("host_only".to_owned(), None),
        ("inner".to_owned(), None),
        ("plain-exec".to_owned(), None),
        ("prose".to_owned(), None),
        ("silent".to_owned(), None),
        ("typed".to_owned(), tool("typed", r#","required":["a"],"properties":{"a":{"type":"boolean"}}"#)),
        ("word".to_owned(), Some(Err(Unfit::Input))),
    ];
    assert_eq!(tools(&loaded, false), want);
    want[2].1 = tool("host_only", "");
    assert_eq!(tools(&loaded, true), want);
}

// SPEC 6.3, 12.2
#[test]
fn an_unread_schema_is_reported() {
    let loaded = skills(ReadOptions { contents: false, ..ReadOptions::default() });
    let tools = tools(&loaded, false);
    let of = |name: &str| tools.iter().find(|(known, _)| known == name).map(|(_, tool)| tool.clone());
    assert_eq!(of("typed"), Some(None));
    assert_eq!(of("ask"), Some(None), "it refers to a file");
    assert!(matches!(of("both"), Some(Some(Ok(_)))));
}

// SPEC 6.2, 6.3: the tables contain the results of `define`: for a program all of them, for a directory those that
// need no host.
#[test]
fn the_tables_hold_the_tools() {
    let loaded = skills(ReadOptions::default());
    let catalog = &loaded.catalog;
    let mut digest = |_: &CatalogSkill, _: &File, _: &[u8]| [0; 32];
    let from_disk = (false, compile(catalog, &mut digest));
    let bundled = (true, compile_bundled(catalog, &mut digest));
    for (has_host, compiled) in [from_disk, bundled] {
        for (skill, compiled_skill) in catalog.skills().iter().zip(&compiled) {
            let defined = define_tools(skill, has_host);
            for (at, held) in compiled_skill.tools.iter().enumerate() {
                let defined = defined.as_ref().and_then(|tools| tools[at].as_ref().ok());
                assert_eq!(
                    held,
                    &defined.map(ToString::to_string),
                    "{} for {:?}",
                    skill.name,
                    ToolFormat::ALL[at]
                );
            }
        }
        let registry = Registry::new(write(&compiled, Layout::Joined, 8_000).unwrap().into_tables());
        let all: serde_json::Value = serde_json::from_str(registry.all_tools(ToolFormat::Anthropic)).unwrap();
        let printed = tools(&loaded, has_host).into_iter().filter_map(|(_, tool)| tool?.ok());
        let printed: Vec<serde_json::Value> =
            printed.map(|tool| serde_json::from_str(&tool).unwrap()).collect();
        assert_eq!(all.as_array().unwrap(), &printed);
    }
}
