//! A conversation of one run: the model answers, its tools run, and it answers again, as in any agent (SPEC 16.11).

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::check::Answered;
use skills_call::{CallOptions, Runner, candidates};
use skills_call::model::{Answer, LanguageModel, Message, ModelError, Request, ToolCall};
use skills_runtime::tools::{LoadSkillTool, Session, SkillTool};

/// How often a model answers at most.
const TURNS: usize = 10;

/// How often a model may look for a skill before it has chosen none.
const LOOKS: usize = 3;

/// Conversations with a model that has the tools of a runner.
pub(super) struct Talk<'a> {
    runner: &'a Runner,
    /// What loads skills, when anything does.
    loader: Option<&'static str>,
}

/// One conversation: what it has loaded and found decides which tools come with the next request.
struct Thread {
    request: Request,
    options: CallOptions,
    session: Arc<Mutex<Session>>,
    answered: Answered,
}

impl<'a> Talk<'a> {
    pub(super) fn new(runner: &'a Runner) -> Self {
        // It comes first, and no function beside it has its name (SPEC 6.5).
        let tools = runner.tool_definitions();
        let first = tools.first().map(|tool| tool.name.as_str());
        let mut known = [LoadSkillTool::NAME, SkillTool::NAME].into_iter();
        Self { runner, loader: known.find(|name| first == Some(*name) && !runner.is_tool(name)) }
    }

    /// Holds a conversation to its end; with `given` the skill of that name is loaded before the model answers.
    pub(super) async fn hold(
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
                thread.answered.output = output.and_then(|found| serde_json::from_str(found).ok());
                return Ok(thread.answered);
            }
            self.answer(answer.tool_calls, answer.text, &mut thread).await;
        }
        let why = format!("the model did not end within {TURNS} answers");
        thread.answered.error = Some(("turns".to_owned(), why));
        Ok(thread.answered)
    }

    /// Asks which skills a model chooses for a message: those of its first answer that loads or calls one.
    pub(super) async fn choose(
        &self,
        model: &dyn LanguageModel,
        text: &str,
    ) -> Result<Vec<String>, ModelError> {
        let mut thread = self.thread(text, CallOptions::default());
        for _ in 0..LOOKS {
            let answer = self.ask(model, &mut thread).await?;
            let mut chosen: Vec<String> =
                answer.tool_calls.iter().filter_map(|call| self.chosen(call)).collect();
            chosen.sort();
            chosen.dedup();
            if !chosen.is_empty() || answer.tool_calls.is_empty() {
                return Ok(chosen);
            }
            // It looks around, such as by a search: what it finds decides.
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

    /// Runs the tools of an answer, and goes on with what they say.
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

    /// Returns the skill that a call loads, reads a file of, or runs.
    fn chosen(&self, call: &ToolCall) -> Option<String> {
        let skills = self.runner.skills();
        let known = |name: &str| skills.skill(name).map(|skill| skill.name().to_owned());
        if Some(call.name.as_str()) != self.loader {
            return known(&call.name);
        }
        let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
        let name = arguments.get("name")?.as_str()?;
        known(name).or_else(|| known(name.split('/').next().unwrap_or_default()))
    }
}
