//! A model that answers by rules about the shown texts, independent of the order of requests, and a judge that
//! searches for words.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use skills_call::BoxFuture;
use skills_call::model::{Answer, LanguageModel, ModelError, Request, Role, ToolCall, Usage};

/// Says the secret word of the skill that it has loaded; loads the skill that a message names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pupil {
    name: Option<&'static str>,
    says: Option<String>,
    answer: Option<Answer>,
    fails: bool,
    searches: bool,
    asked: Arc<AtomicUsize>,
}

impl Pupil {
    pub(crate) fn named(name: &'static str) -> Self {
        Self { name: Some(name), ..Self::default() }
    }

    /// Gives this answer to every request.
    pub(crate) fn saying(self, text: &str) -> Self {
        Self { says: Some(text.to_owned()), ..self }
    }

    pub(crate) fn answering(self, answer: Answer) -> Self {
        Self { answer: Some(answer), ..self }
    }

    pub(crate) fn failing(self) -> Self {
        Self { fails: true, ..self }
    }

    /// Looks for skills by the tool that finds them, before all else.
    pub(crate) fn searching(self) -> Self {
        Self { searches: true, ..self }
    }

    /// Returns how often it was asked.
    pub(crate) fn count(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn answer(&self, request: &Request) -> Answer {
        if let Some(answer) = &self.answer {
            return answer.clone();
        }
        if let Some(text) = &self.says {
            return Answer::new(text.clone());
        }
        let has_looked = request.messages.iter().any(|message| message.tool_calls().next().is_some());
        if self.searches && !has_looked {
            let found =
                request.tools.iter().find(|tool| tool.name == "search_skills").expect("it can search");
            assert_eq!(found.parameters["required"], json!(["query"]));
            let arguments = json!({"query": "a file"}).to_string();
            let call = ToolCall { id: "0".into(), name: "search_skills".into(), arguments };
            return Answer::default().with_tool_calls(vec![call]);
        }
        let prompt: Vec<String> =
            request.messages.iter().filter(|m| m.role == Role::User).map(|m| m.text()).collect();
        let prompt = prompt.join("\n");
        let loaded = request.messages.iter().flat_map(|message| message.tool_results());
        let loaded: String = loaded.map(|result| result.content.clone()).collect();
        let word = loaded.split("Secret word: ").nth(1).and_then(|rest| rest.split('.').next());
        let answer = match word {
            Some(word) if prompt.contains("JSON") => {
                Answer::new(format!("```json\n{{\"word\": \"{word}\"}}\n```"))
            }
            Some(word) => Answer::new(format!("It is {word}.")),
            None => match wanted(&prompt) {
                Some(skill) => {
                    let arguments = json!({"name": skill}).to_string();
                    Answer::default().with_tool_calls(vec![ToolCall {
                        id: "1".into(),
                        name: "skill".into(),
                        arguments,
                    }])
                }
                None => Answer::new("I do not know."),
            },
        };
        let length = |text: &str| u64::try_from(text.len()).unwrap_or_default();
        let input = request.messages.iter().map(|message| length(&message.text())).sum();
        let output_tokens = length(&answer.text) + 1;
        answer.with_usage(Usage { input_tokens: input, output_tokens })
    }
}

/// The skill that a message asks for, as a model that likes PDF files sees it.
fn wanted(prompt: &str) -> Option<&str> {
    if prompt.contains("pdf") {
        return Some("pdf");
    }
    if prompt.contains(".csv") {
        return Some("csv");
    }
    prompt.split_once("use ").map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default())
}

impl LanguageModel for Pupil {
    fn name(&self) -> &str {
        self.name.unwrap_or("pupil")
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            if self.fails { Err(ModelError::new("overloaded").retryable()) } else { Ok(self.answer(request)) }
        })
    }
}

/// A judge that passes a statement if the answer contains its last word, and quotes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strict;

impl LanguageModel for Strict {
    fn name(&self) -> &str {
        "strict"
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move {
            let asked: Value =
                serde_json::from_str(&request.messages[1].text()).expect("it is asked in JSON");
            let answer = asked["answer"].as_str().expect("the answer").to_owned();
            let grade = |statement: &Value| {
                let text = statement["text"].as_str().expect("a text");
                let word = text.split_whitespace().last().unwrap_or_default();
                let grade = json!({"passed": answer.contains(word), "evidence": answer});
                (statement["statement"].to_string(), grade)
            };
            let statements = asked["statements"].as_array().expect("statements");
            let results: Value = statements.iter().map(grade).collect();
            let usage = Usage { input_tokens: 10, output_tokens: 5 };
            Ok(Answer::new(results.to_string()).with_usage(usage))
        })
    }
}
