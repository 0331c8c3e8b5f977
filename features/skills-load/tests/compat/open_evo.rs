//! A program that was written for OpenEvo's `skill.json`: a registry loads functions from a directory, the agent gives
//! them a context and an implementation, and a model is told their signatures.

use serde_json::{Value, json};
use skills_call::{BoxFuture, Context, Dispatch, Failure, Loader, Runner as SkillRegistry};
use skills_load::LayersBuilder;

use crate::planted::Planted;

const SEARCH: &str = r#"{
  "name": "memory_search", "description": "Searches the memory.", "category": "memory",
  "input": {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "number", "default": 5}},
    "required": ["query"]},
  "output": {"type": "object", "properties": {"results": {"type": "array", "items": {"type": "object",
    "properties": {"snippet": {"type": "string"}}}}}},
  "mode": "code", "calls": [], "version": "1.0.0", "tags": ["memory", "search"]
}"#;

const SUMMARIZE: &str = r#"{
  "name": "summarize", "description": "Summarizes a text.", "category": "text",
  "input": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
  "output": {"type": "object", "properties": {"summary": {"type": "string"}}}, "mode": "code"
}"#;

const RESEARCH: &str = r#"{
  "name": "research_and_summarize", "description": "Searches and summarizes.", "category": "workflow",
  "input": {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]},
  "output": {"type": "object", "properties": {"summary": {"type": "string"}, "sources": {"type": "array"}}},
  "mode": "composite", "calls": ["memory_search", "summarize"],
  "pipeline": [
    {"step": "search", "skill": "memory_search", "input": {"query": "{{input.topic}}", "limit": 10}},
    {"step": "summarize", "skill": "summarize",
     "input": {"text": "{{steps.search.results | map: snippet | join: '\\n\\n'}}"}}
  ],
  "outputMapping": {"summary": "{{steps.summarize.summary}}", "sources": "{{steps.search.results}}"}
}"#;

/// The agent: its fields are the context of the functions.
struct Agent {
    memory: Vec<&'static str>,
}

impl Agent {
    /// `execute(input, ctx)` of the code skills.
    fn execute(&self, skill: &str, input: &Value) -> Option<Value> {
        match skill {
            "memory_search" => {
                let query = input["query"].as_str()?;
                let limit = usize::try_from(input["limit"].as_u64()?).ok()?;
                let found = self.memory.iter().filter(|entry| entry.contains(query)).take(limit);
                Some(json!({"results": found.map(|entry| json!({"snippet": entry})).collect::<Vec<_>>()}))
            }
            "summarize" => Some(json!({"summary": input["text"].as_str()?.replace("\n\n", "; ")})),
            _ => None,
        }
    }
}

impl Dispatch for Agent {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        _: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        let skill = skill.to_owned();
        ["memory_search", "summarize"].contains(&skill.as_str()).then(|| {
            let answer = async move {
                let input: Value = serde_json::from_str(&input)?;
                let output = self.execute(&skill, &input).ok_or("a wrong input")?;
                Ok(output.to_string())
            };
            Box::pin(answer) as BoxFuture<'a, Result<String, Failure>>
        })
    }
}

// SPEC 3.1, 5.7, 6.2, 6.3, 6.4
#[tokio::test]
async fn a_program_of_open_evo_runs() {
    let planted = Planted::new(&[
        ("memory/search/skill.json", SEARCH),
        ("text/summarize/skill.json", SUMMARIZE),
        ("workflow/research-and-summarize/skill.json", RESEARCH),
    ]);
    let skills = LayersBuilder::new().directory(planted.path()).load().unwrap();
    let agent = Agent { memory: vec!["roses are red", "violets are blue", "roses need water"] };
    let registry = SkillRegistry::new(skills).host(agent).loader(Loader::None);

    let names: Vec<String> = registry.skills().iter().map(|skill| skill.name().to_owned()).collect();
    assert_eq!(names, ["memory_search", "research_and_summarize", "summarize"]);
    let tools: Vec<String> = registry.tool_definitions().into_iter().map(|tool| tool.name).collect();
    assert_eq!(tools, names);

    let output = registry.call_json("research_and_summarize", json!({"topic": "roses"})).await.unwrap();
    assert_eq!(output["summary"], "roses are red; roses need water");
    assert_eq!(output["sources"].as_array().unwrap().len(), 2);
    let wrong = registry.call_json("memory_search", json!({"limit": 1})).await.unwrap_err();
    assert!(wrong.to_string().starts_with("Skill \"memory_search\" input validation failed\n"), "{wrong}");
    let unknown = registry.call_json("memory_store", json!({})).await.unwrap_err();
    assert_eq!(unknown.to_string(), "Skill \"memory_store\" not found in registry");
}
