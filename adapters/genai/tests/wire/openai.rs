//! Tests OpenAI's Chat Completions API as documented, whole and streamed.

use serde_json::{Value, json};
use skills_call::model::{
    Answer, Delta, Finish, LanguageModel, Media, MediaSource, Message, Part, Request, ResponseSchema, Role,
    ToolCall, ToolResult, Usage,
};

use crate::server::{Reply, Server, collect, hello, with_tool};

/// Returns a stream with a whole message in one chunk.
fn completion(message: Value, finish: &str) -> Reply {
    Reply::events(&events(&[chunk(message, Some(finish)), tail()]))
}

pub(crate) fn text(content: &str) -> Reply {
    completion(json!({ "role": "assistant", "content": content, "refusal": null }), "stop")
}

fn events(chunks: &[Value]) -> String {
    let mut text: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    text.push_str("data: [DONE]\n\n");
    text
}

fn chunk(delta: Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1694268190, "model": "gpt-4o-mini",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]
    })
}

fn tail() -> Value {
    json!({
        "id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1694268190, "model": "gpt-4o-mini",
        "choices": [], "usage": { "prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29 }
    })
}

const USAGE: Usage = Usage { input_tokens: 19, output_tokens: 10 };

// SPEC 7.5: any OpenAI-compatible base URL
#[tokio::test]
async fn answers_with_text() {
    let server = Server::start([text("Hello! How can I assist you today?")]).await;
    let mut request = hello();
    request.messages.insert(0, Message::system("Be kind"));
    request.temperature = Some(0.5);
    request.max_tokens = Some(77);
    let answer = server.model("some-model-max").complete(&request).await.expect("an answer");
    let expected = Answer::new("Hello! How can I assist you today?").with_usage(USAGE);
    assert_eq!(answer, expected);
    let asked = server.first();
    assert!(asked.head.starts_with("post /v1/chat/completions http/1.1"), "{}", asked.head);
    assert!(asked.head.contains("authorization: bearer sk-secret-1"));
    let sent = json!({
        "model": "some-model-max",
        "stream": true,
        "stream_options": { "include_usage": true },
        "temperature": 0.5,
        "max_tokens": 77,
        "messages": [{ "role": "system", "content": "Be kind" }, { "role": "user", "content": "Hello" }]
    });
    assert_eq!(asked.body, sent);
}

// SPEC 7.5
#[tokio::test]
async fn streams_text() {
    let chunks = [
        chunk(json!({ "role": "assistant", "content": "", "refusal": null }), None),
        chunk(json!({ "content": "Hel" }), None),
        chunk(json!({ "content": "lo ünd 🦀" }), None),
        chunk(json!({}), Some("stop")),
        tail(),
    ];
    let server = Server::start([Reply::events(&events(&chunks))]).await;
    let (deltas, error) = collect(&server.model("m"), &hello()).await;
    assert!(error.is_none(), "{error:?}");
    let expected = [
        Delta::Text("Hel".to_owned()),
        Delta::Text("lo ünd 🦀".to_owned()),
        Delta::End { finish: Finish::Stop, usage: USAGE },
    ];
    assert_eq!(deltas, expected);
    assert_eq!(server.first().body["stream_options"], json!({ "include_usage": true }));
}

fn calls(arguments: &str) -> Value {
    json!({
        "role": "assistant", "content": null, "refusal": null,
        "tool_calls": [{
            "index": 0, "id": "call_abc123", "type": "function",
            "function": { "name": "get_weather", "arguments": arguments }
        }]
    })
}

// SPEC 7.5
#[tokio::test]
async fn calls_tools() {
    let server = Server::start([completion(calls("{\"city\":\"Boston\"}"), "tool_calls")]).await;
    let answer = server.model("m").complete(&with_tool()).await.expect("an answer");
    let call = ToolCall {
        id: "call_abc123".to_owned(),
        name: "get_weather".to_owned(),
        arguments: "{\"city\":\"Boston\"}".to_owned(),
    };
    assert_eq!(answer.tool_calls, [call]);
    assert_eq!(answer.finish, Finish::ToolCalls);
    assert_eq!(answer.text, "");
    let function = &server.first().body["tools"][0]["function"];
    assert_eq!(function["name"], "get_weather");
    assert_eq!(function["description"], "Tells the weather");
    assert_eq!(function["parameters"], with_tool().tools[0].parameters);
}

// SPEC 12.2: arguments of the model are passed on even if they are not JSON
#[tokio::test]
async fn arguments_that_are_not_json_are_passed_on() {
    for (sent, expected) in [("{\"city\": Bos", "{\"city\": Bos"), ("", "{}")] {
        let server = Server::start([completion(calls(sent), "tool_calls")]).await;
        let answer = server.model("m").complete(&with_tool()).await.expect("an answer");
        assert_eq!(answer.tool_calls[0].arguments, expected);
        assert_eq!(answer.tool_calls[0].id, "call_abc123");
        assert_eq!((answer.finish, answer.usage), (Finish::ToolCalls, USAGE));
    }
}

// SPEC 7.5
#[tokio::test]
async fn streams_calls_of_tools() {
    let call = |index: u32, id: &str, name: &str| {
        let function = json!({ "name": name, "arguments": "" });
        chunk(
            json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": function }] }),
            None,
        )
    };
    let more = |index: u32, text: &str| {
        chunk(json!({ "tool_calls": [{ "index": index, "function": { "arguments": text } }] }), None)
    };
    let chunks = [
        chunk(json!({ "role": "assistant", "content": null }), None),
        call(0, "call_a", "get_weather"),
        more(0, "{\"city\""),
        more(0, ":\"Oslo\"}"),
        call(1, "call_b", "get_weather"),
        more(1, "{nonsense"),
        call(2, "call_c", "get_weather"),
        chunk(json!({}), Some("tool_calls")),
        tail(),
    ];
    let server = Server::start([Reply::events(&events(&chunks))]).await;
    let (deltas, error) = collect(&server.model("m"), &with_tool()).await;
    assert!(error.is_none(), "{error:?}");
    let start = |index: usize, id: &str| Delta::ToolCallStart {
        index,
        id: id.to_owned(),
        name: "get_weather".to_owned(),
    };
    let piece = |index: usize, text: &str| Delta::ToolCallArguments { index, text: text.to_owned() };
    let expected = [
        start(0, "call_a"),
        piece(0, "{\"city\""),
        piece(0, ":\"Oslo\"}"),
        start(1, "call_b"),
        piece(1, "{nonsense"),
        start(2, "call_c"),
        piece(2, "{}"),
        Delta::End { finish: Finish::ToolCalls, usage: USAGE },
    ];
    assert_eq!(deltas, expected);
}

// SPEC 7.5
#[tokio::test]
async fn sends_calls_and_their_answers_back() {
    let server = Server::start([text("Sunny")]).await;
    let call = |id: &str, arguments: &str| ToolCall {
        id: id.to_owned(),
        name: "get_weather".to_owned(),
        arguments: arguments.to_owned(),
    };
    let answer = |id: &str, content: &str, is_error: bool| {
        let mut result = ToolResult::new(id, "get_weather", content);
        result.is_error = is_error;
        Message::tool(result)
    };
    let mut request = with_tool();
    request.messages.extend([
        Message::assistant(
            "Let me see",
            vec![call("call_a", "{\"city\":\"Oslo\"}"), call("call_b", "{broken")],
        ),
        answer("call_a", "sunny", false),
        answer("call_b", "no such city", true),
    ]);
    drop(server.model("m").complete(&request).await.expect("an answer"));
    let sent = &server.first().body["messages"];
    assert_eq!(sent[1]["content"], "Let me see");
    assert_eq!(sent[1]["tool_calls"][0]["id"], "call_a");
    assert_eq!(sent[1]["tool_calls"][0]["function"]["arguments"], "{\"city\":\"Oslo\"}");
    assert_eq!(sent[1]["tool_calls"][1]["function"]["arguments"], "{\"invalid_arguments\":\"{broken\"}");
    assert_eq!(sent[2], json!({ "role": "tool", "tool_call_id": "call_a", "content": "sunny" }));
    assert_eq!(
        sent[3],
        json!({ "role": "tool", "tool_call_id": "call_b", "content": "Error: no such city" })
    );
    assert_eq!(sent.as_array().map(Vec::len), Some(4));
}

fn wanting(schema: Value) -> Request {
    hello().with_response_schema(ResponseSchema { name: "review".to_owned(), schema })
}

// SPEC 7.5: structured output where the provider has it
#[tokio::test]
async fn requests_output_by_a_schema() {
    let strict = json!({
        "type": "object", "properties": { "verdict": { "enum": ["pass", "block"] } }, "required": ["verdict"]
    });
    let loose =
        json!({ "type": "object", "properties": { "verdict": { "type": "string", "minLength": 1 } } });
    let server = Server::start([text("{\"verdict\":\"pass\"}"), text("{}")]).await;
    let model = server.model("m");
    let answer = model.complete(&wanting(strict.clone())).await.expect("an answer");
    assert_eq!(answer.text, "{\"verdict\":\"pass\"}");
    drop(model.complete(&wanting(loose.clone())).await.expect("an answer"));
    let asked = server.asked();
    let format = &asked[0].body["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["name"], "review");
    assert_eq!(format["json_schema"]["strict"], true);
    assert_eq!(format["json_schema"]["schema"]["required"], json!(["verdict"]));
    // An optional property stays optional.
    let format = &asked[1].body["response_format"];
    assert_eq!(format["json_schema"], json!({ "name": "review", "strict": false, "schema": loose }));
}

// SPEC 7.5: content other than text that a provider accepts
#[tokio::test]
async fn sends_pictures() {
    let server = Server::start([text("A crab")]).await;
    let picture = Media::new("image/png", MediaSource::Base64("aGk=".to_owned()));
    let parts = vec![Part::Text("What is this?".to_owned()), Part::Media(picture)];
    let request = Request::new(vec![Message::new(Role::User, parts)]);
    drop(server.model("m").complete(&request).await.expect("an answer"));
    let expected = json!([
        { "type": "text", "text": "What is this?" },
        { "type": "image_url", "image_url": { "url": "data:image/png;base64,aGk=" } }
    ]);
    assert_eq!(server.first().body["messages"][0]["content"], expected);
}

#[tokio::test]
async fn says_why_an_answer_ends() {
    let cases = [
        ("stop", Finish::Stop),
        ("length", Finish::Length),
        ("content_filter", Finish::ContentFilter),
        ("tool_calls", Finish::ToolCalls),
        ("something_new", Finish::Other),
    ];
    for (reason, expected) in cases {
        let message = json!({ "role": "assistant", "content": "x" });
        let server = Server::start([completion(message, reason)]).await;
        let answer = server.model("m").complete(&hello()).await.expect("an answer");
        assert_eq!(answer.finish, expected, "{reason}");
    }
}
