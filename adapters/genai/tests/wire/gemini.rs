//! `generateContent` as Gemini documents it.

use serde_json::json;
use skills_runtime::model::{Finish, LanguageModel, Request, ResponseSchema, Usage};

use crate::server::{Reply, Server, hello, with_tool};

// SPEC 7.5
#[tokio::test]
async fn answers_and_calls_tools() {
    let answer = |part: serde_json::Value| {
        Reply::json(&json!({
            "candidates": [{ "content": { "parts": [part], "role": "model" }, "finishReason": "STOP", "index": 0 }],
            "usageMetadata": { "promptTokenCount": 4, "candidatesTokenCount": 7, "totalTokenCount": 11 },
            "modelVersion": "gemini-2.5-flash"
        }))
    };
    let call = json!({ "functionCall": { "name": "get_weather", "args": { "city": "Oslo" } } });
    let server = Server::start([answer(json!({ "text": "{\"a\":1}" })), answer(call)]).await;
    let model = server.model("gemini::gemini-2.5-flash");
    let schema = json!({ "type": "object", "properties": { "a": { "type": "integer", "minimum": 1 } } });
    let wanted = ResponseSchema { name: "a".to_owned(), schema: schema.clone() };
    let text =
        model.complete(&Request { response_schema: Some(wanted), ..hello() }).await.expect("an answer");
    assert_eq!((text.text.as_str(), text.finish), ("{\"a\":1}", Finish::Stop));
    assert_eq!(text.usage, Usage { input_tokens: 4, output_tokens: 7 });
    let called = model.complete(&with_tool()).await.expect("an answer");
    assert_eq!(called.finish, Finish::ToolCalls);
    assert_eq!(called.tool_calls[0].arguments, "{\"city\":\"Oslo\"}");
    let asked = server.asked();
    assert!(asked[0].head.contains("x-goog-api-key: sk-secret-1"));
    assert!(!asked[0].head.lines().next().unwrap_or_default().contains("sk-"));
    assert_eq!(asked[0].body["generationConfig"]["responseJsonSchema"], schema);
}
