//! OpenAI's responses, which genai speaks to newer models.

use serde_json::{Value, json};
use skills_runtime::model::{Finish, LanguageModel, Request, ResponseSchema, ToolCall, Usage};

use crate::server::{Reply, Server, hello, with_tool};

fn response(status: &str, error: Value, output: Value) -> Reply {
    Reply::json(&json!({
        "id": "resp_67ccd2bed1ec8190", "object": "response", "created_at": 1741476542, "status": status,
        "error": error, "incomplete_details": null, "model": "gpt-5-2025-08-07", "output": output,
        "usage": {
            "input_tokens": 36, "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": 87, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 123
        }
    }))
}

// SPEC 7.5
#[tokio::test]
async fn answers_and_calls_tools() {
    let text = json!([{
        "type": "message", "id": "msg_67ccd2bf17f0", "status": "completed", "role": "assistant",
        "content": [{ "type": "output_text", "text": "{}", "annotations": [] }]
    }]);
    let call = json!([{
        "type": "function_call", "id": "fc_1", "call_id": "call_unDRUAnd", "name": "get_weather",
        "arguments": "{\"city\":\"Oslo\"}", "status": "completed"
    }]);
    let failed = json!({ "code": "server_error", "message": "The model failed" });
    let server = Server::start([
        response("completed", Value::Null, text),
        response("completed", Value::Null, call),
        response("failed", failed, json!([])),
    ])
    .await;
    let model = server.model("openai_resp::gpt-5");
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let wanted = ResponseSchema { name: "a".to_owned(), schema: schema.clone() };
    let answer =
        model.complete(&Request { response_schema: Some(wanted), ..hello() }).await.expect("an answer");
    assert_eq!((answer.text.as_str(), answer.finish), ("{}", Finish::Stop));
    assert_eq!(answer.usage, Usage { input_tokens: 36, output_tokens: 87 });
    let answer = model.complete(&with_tool()).await.expect("an answer");
    let expected = ToolCall {
        id: "call_unDRUAnd".to_owned(),
        name: "get_weather".to_owned(),
        arguments: "{\"city\":\"Oslo\"}".to_owned(),
    };
    assert_eq!((answer.tool_calls.as_slice(), answer.finish), (&[expected][..], Finish::ToolCalls));
    let error = model.complete(&hello()).await.expect_err("a failure");
    assert!(error.is_retryable && error.message.contains("The model failed"), "{error}");
    let asked = server.asked();
    assert!(asked[0].head.starts_with("post /v1/responses "), "{}", asked[0].head);
    let format = json!({ "type": "json_schema", "name": "a", "strict": false, "schema": schema });
    assert_eq!(asked[0].body["text"]["format"], format);
}
