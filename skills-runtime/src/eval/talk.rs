//! A conversation of one run: the model answers, its tools run, and it answers again, as in any agent (SPEC 16.11).

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::answers::Answered;
use crate::call::{CallOptions, Runner, candidates};
use crate::model::{LanguageModel, Message, ModelError, Request, ToolCall, ToolDefinition};
use crate::tools::{LoadSkillTool, Session, SkillTool};

/// How often a model answers at most.
const TURNS: usize = 10;

/// How often a model may look for a skill before it has chosen none.
const LOOKS: usize = 3;

/// What a model is shown of a runner: the same for all its requests.
pub(super) struct Talk<'a> {
    runner: &'a Runner,
    tools: Vec<ToolDefinition>,
    system: String,
}

impl<'a> Talk<'a> {
    pub(super) fn new(runner: &'a Runner) -> Self {
        let system = runner.prompt().trim_start().to_owned();
        Self { runner, tools: runner.tool_definitions(), system }
    }

    /// Holds a conversation to its end; with `given` the skill of that name is loaded before the model answers.
    ///
    /// # Errors
    /// The model gave no answer.
    pub(super) async fn hold(
        &self,
        model: &dyn LanguageModel,
        text: String,
        given: Option<&str>,
        options: CallOptions,
    ) -> Result<Answered, ModelError> {
        let options = options.session(Arc::new(Mutex::new(Session::default())));
        let mut request = self.request(text);
        let mut answered = Answered::default();
        if let Some((loader, skill)) = self.loader().zip(given) {
            let arguments = json!({"name": skill}).to_string();
            let call = ToolCall { id: "given".to_owned(), name: loader.to_owned(), arguments };
            self.answer(vec![call], String::new(), &mut request, &mut answered, &options).await;
        }
        for _ in 0..TURNS {
            let answer = model.complete(&request).await?;
            answered.text.clone_from(&answer.text);
            if answer.tool_calls.is_empty() {
                answered.output =
                    candidates(&answer.text).next().and_then(|found| serde_json::from_str(found).ok());
                return Ok(answered);
            }
            self.answer(answer.tool_calls, answer.text, &mut request, &mut answered, &options).await;
        }
        answered.error = Some(("turns".to_owned(), format!("the model did not end within {TURNS} answers")));
        Ok(answered)
    }

    /// Asks which skills a model chooses for a message: those of its first answer that loads or calls one.
    ///
    /// # Errors
    /// The model gave no answer.
    pub(super) async fn choose(
        &self,
        model: &dyn LanguageModel,
        text: &str,
    ) -> Result<Vec<String>, ModelError> {
        let mut request = self.request(text.to_owned());
        let mut answered = Answered::default();
        for _ in 0..LOOKS {
            let answer = model.complete(&request).await?;
            let mut chosen: Vec<String> =
                answer.tool_calls.iter().filter_map(|call| self.chosen(call)).collect();
            chosen.sort();
            chosen.dedup();
            if !chosen.is_empty() || answer.tool_calls.is_empty() {
                return Ok(chosen);
            }
            // It looks around, such as by a search: what it finds decides.
            let options = CallOptions::default();
            self.answer(answer.tool_calls, answer.text, &mut request, &mut answered, &options).await;
        }
        Ok(Vec::new())
    }

    fn request(&self, text: String) -> Request {
        let system = Some(&self.system).filter(|system| !system.is_empty()).map(Message::system);
        let messages = system.into_iter().chain([Message::user(text)]).collect();
        Request::new(messages).with_tools(self.tools.clone())
    }

    /// Runs the tools of an answer, and goes on with what they say.
    async fn answer(
        &self,
        calls: Vec<ToolCall>,
        text: String,
        request: &mut Request,
        answered: &mut Answered,
        options: &CallOptions,
    ) {
        request.messages.push(Message::assistant(text, calls.clone()));
        for call in calls {
            let name = match self.chosen(&call) {
                Some(skill) if Some(call.name.as_str()) == self.loader() => format!("{}({skill})", call.name),
                _ => call.name.clone(),
            };
            answered.tools.push(name);
            let answer = self.runner.dispatch(&call.name, &call.arguments, options).await;
            request.messages.push(answer.into_message(&call));
        }
    }

    /// Returns the tool that loads skills, when there is one.
    fn loader(&self) -> Option<&str> {
        // It comes first, and no function beside it has its name (SPEC 6.5).
        let first = self.tools.first().map(|tool| tool.name.as_str());
        first.filter(|name| [LoadSkillTool::NAME, SkillTool::NAME].contains(name))
    }

    /// Returns the skill that a call loads, reads a file of, or runs.
    fn chosen(&self, call: &ToolCall) -> Option<String> {
        let skills = self.runner.skills();
        let known = |name: &str| skills.skill(name).map(|skill| skill.name().to_owned());
        if Some(call.name.as_str()) != self.loader() {
            return known(&call.name);
        }
        let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
        let name = arguments.get("name")?.as_str()?;
        known(name).or_else(|| known(name.split('/').next().unwrap_or_default()))
    }
}
