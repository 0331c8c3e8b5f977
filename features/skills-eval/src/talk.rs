//! The conversation of a run: the model answers, its tools run, and it answers again, like in an agent.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::check::Answered;
use skills_call::model::{Answer, LanguageModel, Message, ModelError, Request, ToolCall};
use skills_call::{CallOptions, Runner, candidates};
use skills_runtime::tools::{LoadSkillTool, Session, SkillTool};

/// The maximum number of answers of a model.
const TURNS: usize = 10;

/// How many times a model may search for a skill before it counts as having chosen none.
const MAX_SEARCHES: usize = 3;

/// Conversations with a model that has the tools of a runner.
pub(super) struct Conversations<'a> {
    runner: &'a Runner,
    /// The tool that loads skills, if there is one.
    loader: Option<&'static str>,
}

/// A conversation. The skills it has loaded and found determine the tools of the next request.
struct Thread {
    request: Request,
    options: CallOptions,
    session: Arc<Mutex<Session>>,
    answered: Answered,
}

impl<'a> Conversations<'a> {
    pub(super) fn new(runner: &'a Runner) -> Self {
        // The loading tool comes first, and no function has the same name.
        let tools = runner.tool_definitions();
        let first = tools.first().map(|tool| tool.name.as_str());
        let mut known = [LoadSkillTool::NAME, SkillTool::NAME].into_iter();
        Self { runner, loader: known.find(|name| first == Some(*name) && !runner.is_tool(name)) }
    }

    /// Runs a conversation to its end. With `given`, that skill is loaded before the model answers.
    pub(super) async fn run_conversation(
        &self,
        model: &dyn LanguageModel,
        text: &str,
        given: Option<&str>,
        options: CallOptions,
    ) -> Result<Answered, ModelError> {
        let mut thread = self.thread(text, options);
        if let Some((loader, skill)) = self.loader.zip(given) {
            let arguments = json!({"name": skill}).to_string();
            let call = ToolCall { id: "given".to_owned(), name: loader.to_owned(), arguments };
            self.answer(vec![call], String::new(), &mut thread).await;
        }
        for _ in 0..TURNS {
            let answer = self.ask(model, &mut thread).await?;
            thread.answered.text.clone_from(&answer.text);
            if answer.tool_calls.is_empty() {
                let output = candidates(&answer.text).next();
                thread.answered.output = output.and_then(|found| serde_json::from_str(&found).ok());
                return Ok(thread.answered);
            }
            self.answer(answer.tool_calls, answer.text, &mut thread).await;
        }
        let why = format!("the model did not end within {TURNS} answers");
        thread.answered.error = Some(("turns".to_owned(), why));
        Ok(thread.answered)
    }

    /// Returns the skills that a model chooses for a message, by loading or calling them in its first answer.
    pub(super) async fn choose(
        &self,
        model: &dyn LanguageModel,
        text: &str,
    ) -> Result<Vec<String>, ModelError> {
        let mut thread = self.thread(text, CallOptions::default());
        for _ in 0..MAX_SEARCHES {
            let answer = self.ask(model, &mut thread).await?;
            let mut chosen: Vec<String> =
                answer.tool_calls.iter().filter_map(|call| self.chosen(call)).collect();
            chosen.sort();
            chosen.dedup();
            if !chosen.is_empty() || answer.tool_calls.is_empty() {
                return Ok(chosen);
            }
            // The model made another call, such as a search. Its next answer decides.
            self.answer(answer.tool_calls, answer.text, &mut thread).await;
        }
        Ok(Vec::new())
    }

    fn thread(&self, text: &str, options: CallOptions) -> Thread {
        let prompt = self.runner.prompt_for(text);
        let system = Some(prompt.trim_start()).filter(|system| !system.is_empty()).map(Message::system);
        let messages = system.into_iter().chain([Message::user(text)]).collect();
        let session = Arc::new(Mutex::new(Session::default()));
        let options = options.session(Arc::clone(&session));
        Thread { request: Request::new(messages), options, session, answered: Answered::default() }
    }

    async fn ask(&self, model: &dyn LanguageModel, thread: &mut Thread) -> Result<Answer, ModelError> {
        let session = thread.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        thread.request.tools = self.runner.tool_definitions_in(&session);
        model.complete(&thread.request).await
    }

    /// Runs the tools of an answer, and adds their results to the conversation.
    async fn answer(&self, calls: Vec<ToolCall>, text: String, thread: &mut Thread) {
        thread.request.messages.push(Message::assistant(text, calls.clone()));
        for call in calls {
            let name = match self.chosen(&call) {
                Some(skill) if Some(call.name.as_str()) == self.loader => format!("{}({skill})", call.name),
                _ => call.name.clone(),
            };
            thread.answered.tools.push(name);
            let answer = self.runner.dispatch(&call.name, &call.arguments, &thread.options).await;
            thread.request.messages.push(answer.into_message(&call));
        }
    }

    /// Returns the skill that a call loads, runs, or reads a file of.
    fn chosen(&self, call: &ToolCall) -> Option<String> {
        if Some(call.name.as_str()) != self.loader {
            return self.known_name(&call.name);
        }
        let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
        let name = arguments.get("name")?.as_str()?;
        self.known_name(name).or_else(|| self.known_name(name.split('/').next().unwrap_or_default()))
    }

    fn known_name(&self, name: &str) -> Option<String> {
        self.runner.skills().get(name).map(|skill| skill.name().to_owned())
    }
}
