//! Derives the loaded skills from the messages of a conversation, so that no skill is sent twice.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::loader::name_in;
use crate::model::{Message, Role};
use crate::run::state::RunnerState;
use skills_runtime::tools::search_skills::{DEFAULT_RESULTS, MAX_RESULTS};
use skills_runtime::tools::{SearchSkillsTool, Session};

impl RunnerState {
    /// Derives the session from the messages of a conversation.
    pub(crate) fn session(&self, messages: &[Message]) -> Session {
        let mut session = Session::default();
        if self.on_demand.is_some() {
            self.recall(messages, &mut session);
        }
        let Some(loading) = self.loading() else { return session };
        let loader = self.loader.name();
        let mut asked = HashMap::new();
        for message in messages {
            asked.extend(message.tool_calls().map(|call| (call.id.as_str(), call.arguments.as_str())));
            for result in message.tool_results() {
                let is_load = Some(result.name.as_str()) == loader && !result.is_error;
                if let Some(arguments) = asked.get(result.call_id.as_str()).filter(|_| is_load) {
                    loading.replay(&name_in(arguments), &result.content, &mut session);
                }
            }
        }
        session
    }

    /// Restores the results of the `search_skills` calls in a conversation, and adds the functions that its
    /// last message is likely to need.
    fn recall(&self, messages: &[Message], session: &mut Session) {
        let calls = messages.iter().flat_map(Message::tool_calls);
        for call in calls.filter(|call| call.name == SearchSkillsTool::NAME) {
            let (query, limit) = asked(&call.arguments);
            session.finds(self.functions_like(&query, limit));
        }
        if let Some(last) = messages.iter().rfind(|message| message.role == Role::User) {
            session.finds(self.functions_like(&last.text(), LIKELY));
        }
    }
}

/// How many of the skills that match a message best are searched for functions.
const LIKELY: usize = 5;

/// Locks a session. Every state of a session is valid, so a lock poisoned by a panic is still usable.
pub(super) fn lock(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parses the arguments of a call; invalid arguments result in an empty query.
pub(super) fn asked(arguments: &str) -> (String, usize) {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default().to_owned();
    // JSON Schema accepts `5.0` as an integer.
    let limit =
        arguments.get("limit").and_then(Value::as_f64).map_or(DEFAULT_RESULTS, |limit| limit as usize);
    (query, limit.clamp(1, MAX_RESULTS))
}
