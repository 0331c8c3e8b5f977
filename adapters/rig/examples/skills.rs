//! Skills for an agent of rig, as in MAF and ADK-Go (issue 2177 of rig): the preamble lists the skills, and the model loads
//! one with a tool when a task needs it.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::error::Error;

use rig_agent::prelude::AgentBuilder;
use rig_core::test_utils::{MockCompletionModel, MockTurn};
use serde_json::json;
use skills::call::Loader;

skills::skills!("../../skills");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A scripted model. A real one is `OpenAI::from_env()?.completion("gpt-5")`.
    let load = MockTurn::tool_call("1", "skill", json!({"name": "commit-message"}));
    let model = MockCompletionModel::from_turns([load, MockTurn::text("Say what changes, and why.")]);

    let runner = SKILLS.runner().loader(Loader::Skill).untyped();
    let agent = AgentBuilder::new(model)
        .preamble(format!("You are a careful engineer.{}", runner.prompt()))
        .dynamic_tools(skills_rig::tools(&runner))
        .default_max_turns(5)
        .build();
    println!("{}", agent.prompt("How do I write a commit message?").await?.output());
    Ok(())
}
