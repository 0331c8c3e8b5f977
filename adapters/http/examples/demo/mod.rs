//! A fake model for the demo: it looks up the last word of a message and answers with the result.

use skills::call::BoxFuture;
use skills::model::{Answer, LanguageModel, ModelError, Part, Request, Role, ToolCall};

/// Calls the pipeline `brief` for a message of the user, and gives the same answer to every prompt of a
/// skill.
pub(crate) struct Demo;

impl LanguageModel for Demo {
    fn name(&self) -> &str {
        "demo"
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        let last = request.messages.last();
        let (text, topic) = match last.and_then(|message| Some((message.role, message.parts.last()?))) {
            // A prompt of a skill has no tools.
            Some(_) if request.tools.is_empty() => (r#"{"text": "Somebody is thirsty."}"#.to_owned(), None),
            Some((Role::User, Part::Text(question))) => (String::new(), question.split_whitespace().last()),
            Some((_, Part::ToolResult(found))) => {
                (format!("This is what the notes say: {}", found.content), None)
            }
            _ => ("Ask me about something.".to_owned(), None),
        };
        let call = |topic: &str| ToolCall {
            id: format!("call_{}", request.messages.len()),
            name: "brief".to_owned(),
            arguments: format!("{{\"topic\": {:?}}}", topic.trim_matches(|c: char| !c.is_alphanumeric())),
        };
        let answer = Answer::new(text);
        let answer = match topic {
            Some(topic) => answer.with_tool_calls(vec![call(topic)]),
            None => answer,
        };
        Box::pin(async move { Ok(answer) })
    }
}
