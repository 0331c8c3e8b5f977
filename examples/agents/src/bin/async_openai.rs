//! An agent over the crate async-openai: `OPENAI_API_KEY=… cargo run -p agents --bin async_openai`.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use agents::{desk, http, openai_server, question, run, variable};
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessage, ChatCompletionRequestMessage,
    ChatCompletionRequestSystemMessage, ChatCompletionRequestToolMessage, ChatCompletionRequestUserMessage,
    ChatCompletionTools, CreateChatCompletionRequest,
};
use skills::model::ToolCall;
use skills::{Failure, ToolFormat};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let (base_url, key) = openai_server()?;
    let client = http(&base_url)?;
    let client = Client::build(client, OpenAIConfig::new().with_api_base(base_url).with_api_key(key));
    let model = variable("SKILLS_MODEL").unwrap_or_else(|| "gpt-5-mini".to_owned());
    let runner = desk();
    let tools: Vec<ChatCompletionTools> = serde_json::from_str(&runner.tools(ToolFormat::OpenAi))?;
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages: Vec<ChatCompletionRequestMessage> = vec![
        ChatCompletionRequestSystemMessage::from(system).into(),
        ChatCompletionRequestUserMessage::from(question()).into(),
    ];
    loop {
        let request = CreateChatCompletionRequest {
            model: model.clone(),
            messages: messages.clone(),
            tools: Some(tools.clone()),
            ..CreateChatCompletionRequest::default()
        };
        let answer = client.chat().create(request).await?;
        let message = answer.choices.into_iter().next().ok_or("the model gave no answer")?.message;
        let Some(calls) = message.tool_calls.filter(|calls| !calls.is_empty()) else {
            println!("{}", message.content.unwrap_or_default());
            return Ok(());
        };
        let asked = ChatCompletionRequestAssistantMessage {
            content: message.content.map(Into::into),
            tool_calls: Some(calls.clone()),
            ..ChatCompletionRequestAssistantMessage::default()
        };
        messages.push(asked.into());
        for call in calls {
            // Calls of OpenAI's custom tools, which a request must define.
            let ChatCompletionMessageToolCalls::Function(call) = call else { continue };
            let (name, arguments) = (call.function.name, call.function.arguments);
            let result = run(&runner, &ToolCall { id: call.id.clone(), name, arguments }).await;
            let answer =
                ChatCompletionRequestToolMessage { tool_call_id: call.id, content: result.text.into() };
            messages.push(answer.into());
        }
    }
}
