//! A model that needs none: it looks up the last word it hears, and says what it found.

use futures_util::{FutureExt, StreamExt, stream};
use skills::call::BoxFuture;
use skills::model::{
    Answer, BoxStream, Delta, Finish, LanguageModel, Message, ModelError, Request, ToolCall, Usage,
};

/// Calls the pipeline `brief` for what a user says, and answers every prompt of a skill alike.
pub(crate) struct Demo;

impl LanguageModel for Demo {
    fn name(&self) -> &str {
        "demo"
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        let (text, topic) = match request.messages.last() {
            // A prompt of a skill brings no tools.
            Some(_) if request.tools.is_empty() => (r#"{"text": "Somebody is thirsty."}"#.to_owned(), None),
            Some(Message::User(said)) => (String::new(), said.split_whitespace().last()),
            Some(Message::Tool { content, .. }) => (format!("This is what the notes say: {content}"), None),
            _ => ("Ask me about something.".to_owned(), None),
        };
        let call = |topic: &str| ToolCall {
            id: format!("call_{}", request.messages.len()),
            name: "brief".to_owned(),
            arguments: format!("{{\"topic\": {:?}}}", topic.trim_matches(|c: char| !c.is_alphanumeric())),
        };
        let finish = if topic.is_some() { Finish::ToolCalls } else { Finish::Stop };
        let tool_calls = topic.map(call).into_iter().collect();
        Box::pin(async move { Ok(Answer { text, tool_calls, finish, usage: Usage::default() }) })
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        let pieces = |answer: Result<Answer, ModelError>| {
            let answer = answer.unwrap_or_default();
            let text = answer.text.split_inclusive(' ').map(|word| Delta::Text(word.to_owned()));
            let calls = answer.tool_calls.into_iter().enumerate().flat_map(|(index, call)| {
                let start = Delta::ToolCallStart { index, id: call.id, name: call.name };
                [start, Delta::ToolCallArguments { index, text: call.arguments }]
            });
            let end = Delta::End { finish: answer.finish, usage: answer.usage };
            stream::iter(text.chain(calls).chain([end]).map(Ok).collect::<Vec<_>>())
        };
        Box::pin(self.complete(request).into_stream().flat_map(pieces))
    }
}
