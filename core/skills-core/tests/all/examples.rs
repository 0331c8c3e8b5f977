//! The published examples of skill.json are accepted.
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use std::path::Path;

use skills_core::load;
use skills_core::print::text;

const SUMMARIZE: &str = r#"{
  "name": "summarize", "description": "Summarizes a text.", "category": "text", "mode": "llm",
  "input": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
  "output": { "type": "object", "properties": { "summary": { "type": "string" } }, "required": ["summary"] }
}"#;

// SPEC 3.7
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_every_published_example_is_accepted() {
    let seed = test_bed::field("seeds/002_cef6287f92c971e0.txt");
    let text = std::fs::read_to_string(seed).unwrap();
    let blocks: Vec<(String, serde_json::Value)> = blocks(&text);
    assert_eq!(blocks.len(), 7);
    for (at, (source, block)) in blocks.iter().enumerate() {
        let root = tempfile::tempdir().unwrap();
        lay_out(root.path(), source, block);
        if block["name"] == "research_and_summarize" {
            let (source, search) = blocks.iter().find(|(_, other)| other["name"] == "memory_search").unwrap();
            lay_out(root.path(), source, search);
            lay_out(root.path(), SUMMARIZE, &serde_json::from_str(SUMMARIZE).unwrap());
        }
        let loaded = load(root.path(), "skills", &Default::default());
        let report = text::print(&loaded.report, loaded.catalog.sources());
        assert_eq!(report, "", "block {at}, {}", block["name"]);
        assert!(loaded.catalog.skills().iter().any(|skill| block["name"] == skill.name.as_str()));
    }
}

/// Returns the JSON blocks whose `mode` is a string: their text (without comments) and their value.
fn blocks(text: &str) -> Vec<(String, serde_json::Value)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("```json") {
        rest = &rest[at + "```json".len()..];
        let is_commented = rest.starts_with('c');
        let body = &rest[rest.find('\n').unwrap()..];
        let (body, tail) = body.split_once("\n```").unwrap();
        rest = tail;
        let body = if is_commented { strip(body) } else { body.to_owned() };
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&body)
            && value["mode"].is_string()
        {
            blocks.push((body, value));
        }
    }
    blocks
}

/// Removes `//` comments; the texts in these blocks contain no double slash.
fn strip(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

fn lay_out(root: &Path, source: &str, block: &serde_json::Value) {
    let dir = root.join(block["name"].as_str().unwrap());
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("skill.json"), source).unwrap();
    if block["mode"] == "llm" {
        std::fs::write(dir.join("prompt.md"), "Do it.\n").unwrap();
    }
}
