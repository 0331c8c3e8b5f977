//! Tests Gemini's `generateContent` as documented.

use serde_json::json;
use skills_call::model::{
    Delta, Finish, LanguageModel, Message, ResponseSchema, ToolCall, ToolResult, Usage,
};

use crate::server::{Reply, Server, collect, hello, with_tool};

// SPEC 7.5
#[tokio::test]
async fn answers_and_calls_tools() {
    let answer = |part: serde_json::Value| {
        event(&json!({
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
    let text = model.complete(&hello().with_response_schema(wanted)).await.expect("an answer");
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

/// Returns a stream of one event.
fn event(body: &serde_json::Value) -> Reply {
    Reply::events(&format!("data: {body}\r\n\r\n"))
}

const MODEL: &str = "gemini::gemini-2.5-flash";

/// Returns a stream of `streamGenerateContent?alt=sse`: text in two pieces, then two tool calls.
fn stream(reason: &str) -> String {
    let chunk = |parts: serde_json::Value, reason: Option<&str>, tokens: u32| {
        let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
        if let Some(reason) = reason {
            candidate["finishReason"] = json!(reason);
        }
        let usage =
            json!({ "promptTokenCount": 4, "candidatesTokenCount": tokens, "totalTokenCount": 4 + tokens });
        let body = json!({
            "candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash", "responseId": "r1"
        });
        format!("data: {body}\r\n\r\n")
    };
    let call = |city: &str| json!({ "functionCall": { "name": "get_weather", "args": { "city": city } } });
    [
        chunk(json!([{ "text": "Let me" }]), None, 2),
        chunk(json!([{ "text": " sé 🌧" }]), None, 4),
        chunk(json!([call("Oslo"), call("Bergen")]), Some(reason), 9),
    ]
    .concat()
}

/// Returns the deltas of the stream. Ids are generated, since Gemini sends none.
fn plain(deltas: &[Delta]) -> Vec<String> {
    let line = |delta: &Delta| match delta {
        Delta::Text(text) => format!("text {text}"),
        Delta::ToolCallStart { index, name, .. } => format!("start {index} {name}"),
        Delta::ToolCallArguments { index, text } => format!("arguments {index} {text}"),
        Delta::End { finish, usage } => format!("{finish:?} {} {}", usage.input_tokens, usage.output_tokens),
        other => format!("{other:?}"),
    };
    deltas.iter().map(line).collect()
}

const EXPECTED: [&str; 7] = [
    "text Let me",
    "text  sé 🌧",
    "start 0 get_weather",
    "arguments 0 {\"city\":\"Oslo\"}",
    "start 1 get_weather",
    "arguments 1 {\"city\":\"Bergen\"}",
    "ToolCalls 4 9",
];

// SPEC 7.5
#[tokio::test]
async fn streams() {
    let server = Server::start([Reply::events(&stream("STOP"))]).await;
    let (deltas, error) = collect(&server.model(MODEL), &with_tool()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(plain(&deltas), EXPECTED);
    let line = server.first().head.lines().next().unwrap_or_default().to_owned();
    assert!(line.contains("gemini-2.5-flash:streamgeneratecontent") && !line.contains("sk-"), "{line}");
}

// SPEC 7.5: a result is matched with its call, even where genai gives two calls the same id
#[tokio::test]
async fn calls_in_two_events_have_two_ids() {
    let call = |reason: Option<&str>| {
        let part = json!({ "functionCall": { "name": "get_weather", "args": {} } });
        let body = json!({ "candidates": [{ "content": { "parts": [part] }, "finishReason": reason }] });
        format!("data: {body}\r\n\r\n")
    };
    let server = Server::start([Reply::events(&(call(None) + &call(Some("STOP"))))]).await;
    let answer = server.model(MODEL).complete(&with_tool()).await.expect("an answer");
    assert_eq!(answer.tool_calls.len(), 2);
    assert_ne!(answer.tool_calls[0].id, answer.tool_calls[1].id);
}

// SPEC 7.5
#[tokio::test]
async fn a_stream_says_why_it_ends() {
    for (reason, finish) in [("MAX_TOKENS", "Length 4 9"), ("SAFETY", "ContentFilter 4 9")] {
        let server = Server::start([Reply::events(&stream(reason))]).await;
        let (deltas, error) = collect(&server.model(MODEL), &with_tool()).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(plain(&deltas).last().map(String::as_str), Some(finish));
    }
}

// SPEC 12.2: a stream that breaks off anywhere ends with an error, after the correct pieces so far
#[tokio::test]
async fn a_stream_cut_anywhere_fails() {
    let whole = stream("STOP");
    let last = whole.trim_end().len();
    let ends: Vec<usize> = (0..last).filter(|at| whole.is_char_boundary(*at)).step_by(29).collect();
    let server = Server::start(ends.iter().map(|end| Reply::events(&whole[..*end]))).await;
    let model = server.model(MODEL);
    for end in ends {
        let (deltas, error) = collect(&model, &with_tool()).await;
        let error = error.unwrap_or_else(|| panic!("no failure at {end}: {deltas:?}"));
        assert!(error.is_retryable, "at {end}: {error}");
        let received = plain(&deltas);
        assert!(
            received.len() < EXPECTED.len()
                && EXPECTED.starts_with(&received.iter().map(String::as_str).collect::<Vec<_>>()),
            "at {end}: {received:?}"
        );
    }
}

// SPEC 7.5: calls and their answers are sent back; without an id if the provider sent none
#[tokio::test]
async fn sends_calls_and_their_answers_back() {
    let part = json!([{ "text": "15 degrees" }]);
    let body =
        json!({ "candidates": [{ "content": { "parts": part, "role": "model" }, "finishReason": "STOP" }] });
    let server = Server::start([event(&body), event(&body)]).await;
    let mut request = with_tool().with_max_tokens(64).with_temperature(0.5);
    request.messages.insert(0, Message::system("Be kind"));
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "get_weather".to_owned(),
        arguments: "{\"city\":\"Oslo\"}".to_owned(),
    };
    request.messages.push(Message::assistant("", vec![call("call#get_weather#0"), call("fc_1")]));
    request.messages.push(Message::tool(ToolResult::new("call#get_weather#0", "get_weather", "15")));
    let mut failed = ToolResult::new("fc_1", "get_weather", "no network");
    failed.is_error = true;
    request.messages.push(Message::tool(failed));
    for model in [MODEL, "gemini::gemini-3-pro"] {
        drop(server.model(model).complete(&request).await.expect("an answer"));
    }
    let asked = server.asked();
    let args = json!({ "city": "Oslo" });
    let contents = json!([
        { "role": "user", "parts": [{ "text": "Hello" }] },
        { "role": "model", "parts": [
            { "functionCall": { "name": "get_weather", "args": args } },
            { "functionCall": { "id": "fc_1", "name": "get_weather", "args": args } }
        ] },
        { "role": "user", "parts": [
            { "functionResponse": { "name": "get_weather", "response": { "name": "get_weather", "content": "15" } } },
            { "functionResponse": { "id": "fc_1", "name": "get_weather",
                                    "response": { "name": "get_weather", "content": "Error: no network" } } }
        ] }
    ]);
    let declared = json!([{ "functionDeclarations": [{
        "name": "get_weather", "description": "Tells the weather",
        "parametersJsonSchema": request.tools[0].parameters
    }] }]);
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "Be kind" }] },
        "contents": contents, "tools": declared,
        "generationConfig": { "temperature": 0.5, "maxOutputTokens": 64 }
    });
    assert_eq!(asked[0].body, expected);
    // Gemini's newer models require a signature on the first call of a turn.
    let parts = &asked[1].body["contents"][1]["parts"];
    assert_eq!(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(parts[1].get("thoughtSignature"), None);
}

// SPEC 12.2: a refused prompt is an error, not an empty answer
#[tokio::test]
async fn a_blocked_prompt_is_a_failure() {
    let body =
        json!({ "promptFeedback": { "blockReason": "SAFETY" }, "usageMetadata": { "promptTokenCount": 4 } });
    let server = Server::start([event(&body)]).await;
    let error = server.model(MODEL).complete(&hello()).await.expect_err("no answer");
    assert!(!error.is_retryable, "{error}");
}

// SPEC 7.5: thoughts are not part of the answer, and count as output tokens
#[tokio::test]
async fn thoughts_are_separate_from_the_answer() {
    let part = json!([{ "text": "Hm.", "thought": true }, { "text": "Four." }]);
    let body = json!({
        "candidates": [{ "content": { "parts": part, "role": "model" }, "finishReason": "STOP" }],
        "usageMetadata": { "promptTokenCount": 4, "toolUsePromptTokenCount": 3, "candidatesTokenCount": 7,
                           "thoughtsTokenCount": 5 }
    });
    let server = Server::start([event(&body), Reply::events(&format!("data: {body}\r\n\r\n"))]).await;
    let model = server.model(MODEL);
    let answer = model.complete(&hello()).await.expect("an answer");
    assert_eq!(answer.text, "Four.");
    assert_eq!(answer.usage, Usage { input_tokens: 7, output_tokens: 12 });
    let (deltas, error) = collect(&model, &hello()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(plain(&deltas), ["Reasoning(\"Hm.\")", "text Four.", "Stop 7 12"]);
}

// SPEC 7.5: the provider sends a list with one failure
#[tokio::test]
async fn failures_are_reported() {
    let body =
        json!([{ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } }]);
    let reply = || Reply::new("503 Service Unavailable", "application/json", body.to_string());
    let server = Server::start([reply(), reply()]).await;
    let model = server.model(MODEL);
    let whole = model.complete(&hello()).await.expect_err("a failure");
    let (_, streamed) = collect(&model, &hello()).await;
    for error in [whole, streamed.expect("a failure")] {
        assert!(error.is_retryable && error.message.ends_with(": The model is overloaded."), "{error}");
    }
}
