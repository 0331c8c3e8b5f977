//! Tests Anthropic's Messages API as documented, whole and streamed.

use serde_json::{Value, json};
use skills_call::model::{
    Delta, Finish, LanguageModel, Media, MediaSource, Message, Part, ResponseSchema, ToolCall, ToolResult,
    Usage,
};

use crate::server::{Reply, Server, collect, hello, with_tool};

const MODEL: &str = "anthropic::claude-sonnet-4-5";

/// Returns a stream with each block in one piece.
fn message(content: Value, stop: &str) -> Reply {
    let event =
        |body: Value| format!("event: {}\ndata: {body}\n\n", body["type"].as_str().unwrap_or_default());
    let mut events =
        event(json!({ "type": "message_start", "message": { "usage": { "input_tokens": 2095 } } }));
    for (index, block) in content.as_array().into_iter().flatten().enumerate() {
        let delta = match block["type"].as_str() {
            Some("text") => json!({ "type": "text_delta", "text": block["text"] }),
            _ => json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() }),
        };
        let mut start = block.clone();
        start["text"] = json!("");
        events += &event(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events += &event(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events += &event(json!({ "type": "content_block_stop", "index": index }));
    }
    let delta = json!({ "stop_reason": stop });
    events += &event(json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": 503 } }));
    events += &event(json!({ "type": "message_stop" }));
    Reply::events(&events)
}

const USAGE: Usage = Usage { input_tokens: 2095, output_tokens: 503 };

// SPEC 7.5
#[tokio::test]
async fn answers_with_text() {
    let server =
        Server::start([message(json!([{ "type": "text", "text": "Hi! My name is Claude." }]), "end_turn")])
            .await;
    let mut request = hello();
    request.messages.insert(0, Message::system("Be kind"));
    request.max_tokens = Some(1024);
    request.temperature = Some(0.0);
    let answer = server.model(MODEL).complete(&request).await.expect("an answer");
    assert_eq!((answer.text.as_str(), answer.finish), ("Hi! My name is Claude.", Finish::Stop));
    assert_eq!(answer.usage, USAGE);
    let asked = server.first();
    assert!(asked.head.starts_with("post /v1/messages http/1.1"), "{}", asked.head);
    assert!(asked.head.contains("x-api-key: sk-secret-1"));
    assert!(asked.head.contains("anthropic-version: 2023-06-01"));
    let sent = json!({
        "model": "claude-sonnet-4-5", "stream": true, "system": "Be kind", "max_tokens": 1024, "temperature": 0.0,
        "messages": [{ "role": "user", "content": "Hello" }]
    });
    assert_eq!(asked.body, sent);
}

// SPEC 7.5
#[tokio::test]
async fn calls_tools_and_reads_their_answers() {
    let content = json!([
        { "type": "text", "text": "I'll check." },
        { "type": "tool_use", "id": "toolu_01A09q90qw90lq917835lq9", "name": "get_weather",
          "input": { "city": "San Francisco" } }
    ]);
    let server = Server::start([message(content, "tool_use"), message(json!([]), "end_turn")]).await;
    let model = server.model(MODEL);
    let mut request = with_tool();
    let answer = model.complete(&request).await.expect("an answer");
    let call = ToolCall {
        id: "toolu_01A09q90qw90lq917835lq9".to_owned(),
        name: "get_weather".to_owned(),
        arguments: "{\"city\":\"San Francisco\"}".to_owned(),
    };
    assert_eq!((answer.tool_calls.as_slice(), answer.finish), (&[call][..], Finish::ToolCalls));
    assert_eq!(answer.text, "I'll check.");
    let tool = |id: &str, content: &str, is_error: bool| {
        let mut result = ToolResult::new(id, "get_weather", content);
        result.is_error = is_error;
        Message::tool(result)
    };
    let mut calls = answer.tool_calls.clone();
    calls.push(ToolCall {
        id: "toolu_02".to_owned(),
        name: "get_weather".to_owned(),
        arguments: String::new(),
    });
    request.messages.push(Message::assistant(answer.text, calls));
    request.messages.push(tool("toolu_01A09q90qw90lq917835lq9", "15 degrees", false));
    request.messages.push(tool("toolu_02", "ConnectionError", true));
    // An answer without content but with a reason for its end is valid.
    let empty = model.complete(&request).await.expect("an answer");
    assert_eq!((empty.text.as_str(), empty.finish), ("", Finish::Stop));
    let sent = &server.asked()[1].body;
    assert_eq!(sent["tools"][0]["input_schema"], request.tools[0].parameters);
    assert_eq!(sent["messages"][1]["content"][1]["input"], json!({ "city": "San Francisco" }));
    assert_eq!(sent["messages"][1]["content"][2]["input"], json!({}));
    // Both results are in one message.
    let expected = json!({ "role": "user", "content": [
        { "type": "tool_result", "tool_use_id": "toolu_01A09q90qw90lq917835lq9", "content": "15 degrees" },
        { "type": "tool_result", "tool_use_id": "toolu_02", "content": "Error: ConnectionError" }
    ] });
    assert_eq!(sent["messages"][2], expected);
}

/// The example of the documentation, with reasoning added.
const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":2095,"output_tokens":2}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Weather."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Okay"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":", let's check"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_01T1x","name":"get_weather","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"city\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" \"San Francisco, CA\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_02","name":"get_weather","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":503}}

event: message_stop
data: {"type":"message_stop"}

"#;

fn expected() -> Vec<Delta> {
    let start = |index: usize, id: &str| Delta::ToolCallStart {
        index,
        id: id.to_owned(),
        name: "get_weather".to_owned(),
    };
    let piece = |index: usize, text: &str| Delta::ToolCallArguments { index, text: text.to_owned() };
    vec![
        Delta::Reasoning("Weather.".to_owned()),
        Delta::Text("Okay".to_owned()),
        Delta::Text(", let's check".to_owned()),
        start(0, "toolu_01T1x"),
        piece(0, "{\"city\":"),
        piece(0, " \"San Francisco, CA\"}"),
        start(1, "toolu_02"),
        piece(1, "{}"),
        Delta::End { finish: Finish::ToolCalls, usage: USAGE },
    ]
}

// SPEC 7.5
#[tokio::test]
async fn streams() {
    let server = Server::start([Reply::events(STREAM)]).await;
    let (deltas, error) = collect(&server.model(MODEL), &with_tool()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(deltas, expected());
    assert_eq!(server.first().body["stream"], true);
}

// SPEC 12.2: a stream that breaks off anywhere ends with an error, after the correct pieces so far
#[tokio::test]
async fn a_stream_cut_anywhere_fails() {
    let last = STREAM.find("event: message_stop").expect("the last event");
    let ends: Vec<usize> = (0..last).filter(|at| STREAM.is_char_boundary(*at)).step_by(37).collect();
    let server = Server::start(ends.iter().map(|end| Reply::events(&STREAM[..*end]))).await;
    let model = server.model(MODEL);
    for end in ends {
        let (deltas, error) = collect(&model, &with_tool()).await;
        let error = error.unwrap_or_else(|| panic!("no failure at {end}: {deltas:?}"));
        assert!(error.is_retryable, "at {end}: {error}");
        assert!(expected().starts_with(&deltas), "at {end}: {deltas:?}");
    }
}

// SPEC 7.5: errors in the middle of a stream
#[tokio::test]
async fn an_error_event_ends_the_stream() {
    let start = &STREAM[..STREAM.find("event: content_block_start").expect("a block")];
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let invalid = r#"{"type":"error","error":{"type":"invalid_request_error","message":"No"}}"#;
    for (event, is_retryable) in [(overloaded, true), (invalid, false)] {
        let body = format!("{start}event: error\ndata: {event}\n\n");
        let server = Server::start([Reply::events(&body)]).await;
        let (_, error) = collect(&server.model(MODEL), &hello()).await;
        let error = error.expect("a failure");
        assert_eq!(error.is_retryable, is_retryable, "{error}");
        let word = if is_retryable { "Overloaded" } else { "No" };
        assert!(error.message.ends_with(&format!("the provider reports: {word}")), "{error}");
    }
}

// SPEC 7.5: structured output where the provider has it
#[tokio::test]
async fn requests_output_by_a_schema() {
    let properties = json!({ "line": { "type": "integer", "minimum": 1 }, "text": { "type": "string" } });
    let wanting = |required: Value| {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        hello().with_response_schema(ResponseSchema { name: "review".to_owned(), schema })
    };
    let all = wanting(json!(["line", "text"]));
    let reply = || message(json!([{ "type": "text", "text": "{\"text\":\"x\"}" }]), "end_turn");
    let server = Server::start([reply(), reply(), reply()]).await;
    drop(server.model(MODEL).complete(&all).await.expect("an answer"));
    drop(server.model("anthropic::claude-3-5-haiku-latest").complete(&all).await.expect("an answer"));
    drop(server.model(MODEL).complete(&wanting(json!(["text"]))).await.expect("an answer"));
    let asked = server.asked();
    let expected = json!({ "type": "json_schema", "schema": {
        "type": "object",
        "properties": { "line": { "type": "integer" }, "text": { "type": "string" } },
        "required": ["line", "text"],
        "additionalProperties": false
    } });
    assert_eq!(asked[0].body["output_config"]["format"], expected);
    assert_eq!(asked[1].body.get("output_config"), None);
    assert_eq!(asked[2].body.get("output_config"), None);
}

// SPEC 12.2: a tool of the provider replaces no tool of the request
#[tokio::test]
async fn a_tool_named_web_search_is_not_replaced() {
    let call = json!([{ "type": "tool_use", "id": "toolu_1", "name": "web_search", "input": {} }]);
    let server = Server::start([message(call, "tool_use")]).await;
    let mut request = with_tool();
    request.tools[0].name = "web_search".to_owned();
    let answer = server.model(MODEL).complete(&request).await.expect("an answer");
    assert_eq!(answer.tool_calls[0].name, "web_search");
    let sent = &server.first().body["tools"][0];
    assert_eq!((&sent["name"], sent.get("type")), (&json!("web_search"), Some(&json!("custom"))));
    assert_eq!(sent["input_schema"], request.tools[0].parameters);
}

// SPEC 7.5: pictures and documents are sent as bytes or as addresses
#[tokio::test]
async fn sends_media() {
    let media = |media_type: &str, source: MediaSource| Part::Media(Media::new(media_type, source));
    let mut request = hello();
    request.messages[0].parts.extend([
        media("image/png", MediaSource::Base64("iVBO".to_owned())),
        media("application/pdf", MediaSource::Url("https://example.com/a.pdf".to_owned())),
    ]);
    let server = Server::start([message(json!([{ "type": "text", "text": "x" }]), "end_turn")]).await;
    drop(server.model(MODEL).complete(&request).await.expect("an answer"));
    let expected = json!([
        { "type": "text", "text": "Hello" },
        { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBO" } },
        { "type": "document", "source": { "type": "url", "url": "https://example.com/a.pdf" } }
    ]);
    assert_eq!(server.first().body["messages"][0]["content"], expected);
}
