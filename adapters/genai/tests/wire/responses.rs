//! Tests OpenAI's Responses API, which is used for newer models.

use serde_json::{Value, json};
use skills_call::model::{
    Delta, Finish, LanguageModel, Message, ResponseSchema, ToolCall, ToolResult, Usage,
};

use crate::server::{Reply, Server, collect, hello, with_tool};

/// Returns a stream with all items in its last event, and the text as a piece before.
fn response(status: &str, error: Value, output: Value) -> Reply {
    let text = output.pointer("/0/content/0/text").cloned().unwrap_or(json!(""));
    let usage = json!({ "input_tokens": 36, "output_tokens": 87, "total_tokens": 123 });
    let piece = event(&json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text }));
    let last = json!({ "type": format!("response.{status}"), "response": {
        "id": "resp_67ccd2bed1ec8190", "status": status, "model": "gpt-5", "error": error, "output": output, "usage": usage
    } });
    Reply::events(&(piece + &event(&last)))
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
    let answer = model.complete(&hello().with_response_schema(wanted)).await.expect("an answer");
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

const MODEL: &str = "openai_resp::gpt-5";

/// Returns an event of a stream, whose name is its type.
fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default())
}

/// Returns the beginning of a stream: text in two pieces, and a tool call.
fn beginning() -> String {
    let call = |arguments: &str, status: &str| {
        json!({ "id": "fc_1", "type": "function_call", "status": status, "arguments": arguments,
                "call_id": "call_un", "name": "get_weather" })
    };
    let response = json!({ "id": "resp_1", "object": "response", "created_at": 1, "status": "in_progress",
                           "error": null, "model": "gpt-5", "output": [], "usage": null });
    let item = json!({ "id": "msg_1", "type": "message", "status": "in_progress", "role": "assistant", "content": [] });
    let part = json!({ "type": "output_text", "text": "", "annotations": [] });
    [
        json!({ "type": "response.created", "sequence_number": 0, "response": response }),
        json!({ "type": "response.in_progress", "sequence_number": 1, "response": response }),
        json!({ "type": "response.output_item.added", "sequence_number": 2, "output_index": 0, "item": item }),
        json!({ "type": "response.content_part.added", "sequence_number": 3, "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "part": part }),
        json!({ "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "delta": "Let me" }),
        json!({ "type": "response.output_text.delta", "sequence_number": 5, "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "delta": " sé 🌧" }),
        json!({ "type": "response.output_text.done", "sequence_number": 6, "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "text": "Let me sé 🌧" }),
        json!({ "type": "response.output_item.added", "sequence_number": 7, "output_index": 1,
                "item": call("", "in_progress") }),
        json!({ "type": "response.function_call_arguments.delta", "sequence_number": 8, "item_id": "fc_1",
                "output_index": 1, "delta": "{\"city\":" }),
        json!({ "type": "response.function_call_arguments.delta", "sequence_number": 9, "item_id": "fc_1",
                "output_index": 1, "delta": "\"Oslo\"}" }),
        json!({ "type": "response.function_call_arguments.done", "sequence_number": 10, "item_id": "fc_1",
                "output_index": 1, "arguments": "{\"city\":\"Oslo\"}" }),
        json!({ "type": "response.output_item.done", "sequence_number": 11, "output_index": 1,
                "item": call("{\"city\":\"Oslo\"}", "completed") }),
    ]
    .iter()
    .map(event)
    .collect()
}

/// Returns the last event of a stream.
fn ending(status: &str, error: Value) -> String {
    let details = if status == "incomplete" { json!({ "reason": "max_output_tokens" }) } else { Value::Null };
    let usage = json!({ "input_tokens": 36, "output_tokens": 87, "total_tokens": 123 });
    event(&json!({ "type": format!("response.{status}"), "sequence_number": 12, "response": {
        "id": "resp_1", "object": "response", "created_at": 1, "status": status, "error": error,
        "incomplete_details": details, "model": "gpt-5", "output": [], "usage": usage
    } }))
}

fn deltas(finish: Finish) -> Vec<Delta> {
    let arguments = |text: &str| Delta::ToolCallArguments { index: 0, text: text.to_owned() };
    vec![
        Delta::Text("Let me".to_owned()),
        Delta::Text(" sé 🌧".to_owned()),
        Delta::ToolCallStart { index: 0, id: "call_un".to_owned(), name: "get_weather".to_owned() },
        arguments("{\"city\":"),
        arguments("\"Oslo\"}"),
        Delta::End { finish, usage: Usage { input_tokens: 36, output_tokens: 87 } },
    ]
}

// SPEC 7.5
#[tokio::test]
async fn streams() {
    let whole = beginning() + &ending("completed", Value::Null);
    let server = Server::start([Reply::events(&whole)]).await;
    let (received, error) = collect(&server.model(MODEL), &with_tool()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(received, deltas(Finish::ToolCalls));
    assert_eq!(server.first().body["stream"], true);
}

// SPEC 7.5
#[tokio::test]
async fn a_stream_says_why_it_ends() {
    let incomplete = beginning() + &ending("incomplete", Value::Null);
    let failed =
        beginning() + &ending("failed", json!({ "code": "server_error", "message": "The model failed" }));
    let error =
        event(&json!({ "type": "error", "code": "server_error", "message": "Overloaded", "param": null }));
    let server =
        Server::start([incomplete, failed, beginning() + &error].map(|body| Reply::events(&body))).await;
    let model = server.model(MODEL);
    let (received, error) = collect(&model, &with_tool()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(received, deltas(Finish::Length));
    for words in ["The model failed", "Overloaded"] {
        let (received, error) = collect(&model, &with_tool()).await;
        let error = error.expect("a failure");
        assert!(
            error.is_retryable && error.message.ends_with(&format!("the provider reports: {words}")),
            "{error}"
        );
        assert!(deltas(Finish::Stop).starts_with(&received), "{received:?}");
    }
}

// SPEC 12.2: a stream that breaks off anywhere ends with an error, after the correct pieces so far
#[tokio::test]
async fn a_stream_cut_anywhere_fails() {
    let (start, end) = (beginning(), ending("completed", Value::Null));
    let whole = start + &end;
    let last = whole.len() - end.len();
    let ends: Vec<usize> = (0..last).filter(|at| whole.is_char_boundary(*at)).step_by(61).collect();
    let server = Server::start(ends.iter().map(|end| Reply::events(&whole[..*end]))).await;
    let model = server.model(MODEL);
    for end in ends {
        let (received, error) = collect(&model, &with_tool()).await;
        let error = error.unwrap_or_else(|| panic!("no failure at {end}: {received:?}"));
        assert!(error.is_retryable, "at {end}: {error}");
        assert!(deltas(Finish::Stop).starts_with(&received), "at {end}: {received:?}");
    }
}

// SPEC 7.5
#[tokio::test]
async fn sends_calls_and_their_answers_back() {
    let server = Server::start([response(
        "completed",
        Value::Null,
        json!([{
            "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "No." }]
        }]),
    )])
    .await;
    let mut request = with_tool().with_max_tokens(64);
    request.messages.insert(0, Message::system("Be kind"));
    let call = ToolCall { id: "call_1".to_owned(), name: "get_weather".to_owned(), arguments: String::new() };
    request.messages.push(Message::assistant("I look.", vec![call]));
    let mut failed = ToolResult::new("call_1", "get_weather", "no network");
    failed.is_error = true;
    request.messages.push(Message::tool(failed));
    let answer = server.model(MODEL).complete(&request).await.expect("an answer");
    assert_eq!((answer.text.as_str(), answer.finish), ("No.", Finish::Stop));
    let expected = json!({
        "model": "gpt-5", "stream": true, "store": false, "max_output_tokens": 64,
        "input": [
            { "role": "system", "content": "Be kind" },
            { "role": "user", "content": "Hello" },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "I look." }] },
            { "type": "function_call", "call_id": "call_1", "name": "get_weather", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "Error: no network" }
        ],
        "tools": [{ "type": "function", "name": "get_weather", "description": "Tells the weather",
                    "parameters": request.tools[0].parameters, "strict": false }]
    });
    assert_eq!(server.first().body, expected);
}

// SPEC 7.5: servers that send a call, or the whole answer, in one piece
#[tokio::test]
async fn answers_in_one_piece_are_read() {
    let item =
        json!({ "type": "function_call", "call_id": "c", "name": "get_weather", "arguments": "{\"a\":1}" });
    let done = event(&json!({ "type": "response.output_item.done", "output_index": 3, "item": item }));
    let last = |output: Value| {
        event(
            &json!({ "type": "response.completed", "response": { "id": "r", "model": "m", "status": "completed", "output": output } }),
        )
    };
    let bodies = [done + &last(json!([item])), last(json!([item]))];
    let server = Server::start(bodies.iter().map(|body| Reply::events(body))).await;
    let model = server.model(MODEL);
    for _ in &bodies {
        let (received, error) = collect(&model, &with_tool()).await;
        assert!(error.is_none(), "{error:?}");
        let expected = [
            Delta::ToolCallStart { index: 0, id: "c".to_owned(), name: "get_weather".to_owned() },
            Delta::ToolCallArguments { index: 0, text: "{\"a\":1}".to_owned() },
            Delta::End { finish: Finish::ToolCalls, usage: Usage::default() },
        ];
        assert_eq!(received, expected);
    }
}
