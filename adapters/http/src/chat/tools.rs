//! The tools of a chat: `load_skill`, and every skill that can be called (SPEC 11.3).

use std::sync::Arc;

use serde_json::{Value, json};
use skills_runtime::call::{CallOptions, Runner};
use skills_runtime::model::ToolDefinition;
use skills_runtime::tools::LoadSkillTool;
use tokio::sync::mpsc::Sender;

use super::frame::Frame;
use crate::progress::Progress;
use crate::shared::Shared;

/// Tells whether a client cannot know a tool from its own code: all but `load_skill`.
pub(super) fn is_dynamic(name: &str) -> bool {
    name != LoadSkillTool::NAME
}

/// What the model of one chat may call.
pub(super) struct Tools {
    shared: Arc<Shared>,
    runner: Runner,
    definitions: Vec<ToolDefinition>,
}

impl Tools {
    pub(super) fn new(shared: Arc<Shared>, runner: Runner) -> Self {
        let definitions = definitions(&runner, shared.chat_calls);
        Self { shared, runner, definitions }
    }

    pub(super) fn definitions(&self) -> &[ToolDefinition] {
        &self.definitions
    }

    /// Runs a tool; while a pipeline runs, its progress goes out as preliminary results of the call.
    ///
    /// # Errors
    /// A text for the model.
    pub(super) async fn call(
        &self,
        name: &str,
        id: &str,
        input: Value,
        out: &Sender<Frame>,
    ) -> Result<Value, String> {
        if name == LoadSkillTool::NAME {
            return self.load(&input);
        }
        if !self.definitions.iter().any(|known| known.name == name) {
            let names: Vec<&str> = self.definitions.iter().map(|known| known.name.as_str()).collect();
            return Err(format!("there is no tool \"{name}\"; there are: {}", names.join(", ")));
        }
        // The semaphore is never closed.
        let _permit = self.shared.runs.acquire().await.ok();
        let (progress, call, out) = (Progress::new(self.runner.clone()), id.to_owned(), out.clone());
        let options =
            CallOptions::default().workspace(self.shared.workspace.clone()).on_event(move |event| {
                let Some(output) = progress.tell(event) else { return };
                // Progress that a slow client has no room for is left out; the result is not.
                let call = call.clone();
                drop(out.try_send(Frame::Output { call, output, is_preliminary: true, is_dynamic: true }));
            });
        let outcome = self.runner.call_json_with(name, input, options).await;
        outcome.map(|outcome| outcome.output).map_err(|error| error.to_string())
    }

    fn load(&self, input: &Value) -> Result<Value, String> {
        let name = input.get("name").and_then(Value::as_str).ok_or("`name` is missing")?;
        let answer = loader(self.runner.skills().skills()).call(name);
        if answer.is_error { Err(answer.text) } else { Ok(Value::String(answer.text)) }
    }
}

/// The library has left out what is gated, by capabilities that it knows.
fn loader<'a>(skills: Vec<skills_registry::Skill<'a>>) -> LoadSkillTool<'a> {
    LoadSkillTool::granted(skills, &|_| true)
}

fn definitions(runner: &Runner, calls: bool) -> Vec<ToolDefinition> {
    let parse = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| json!({"type": "object"}));
    let skills = runner.skills().skills();
    let load = loader(skills.clone());
    let mut definitions = vec![ToolDefinition {
        name: LoadSkillTool::NAME.to_owned(),
        description: load.description().to_owned(),
        parameters: parse(load.parameters()),
    }];
    let is_callable = |name: &str| calls && name != LoadSkillTool::NAME && runner.is_callable(name);
    let functions =
        skills.into_iter().filter(|skill| skill.is_model_invocable() && is_callable(skill.name()));
    definitions.extend(functions.map(|skill| ToolDefinition {
        name: skill.name().to_owned(),
        description: skill.description().to_owned(),
        parameters: skill.input_document().map_or_else(|| json!({"type": "object"}), |(_, text)| parse(text)),
    }));
    definitions
}
