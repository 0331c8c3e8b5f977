//! `generateContent` as Gemini documents it.

use serde_json::json;
use skills_runtime::model::{Delta, Finish, LanguageModel, ResponseSchema, Usage};

use crate::server::{Reply, Server, collect, hello, with_tool};

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

const MODEL: &str = "gemini::gemini-2.5-flash";

/// A stream as `streamGenerateContent?alt=sse` sends it: text in two pieces, then two calls of tools.
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

/// The deltas of the stream; ids are made up, since Gemini sends none.
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

// SPEC 12.2: wherever a stream breaks off, it says so, and what came before is right
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
        let told = plain(&deltas);
        assert!(
            told.len() < EXPECTED.len()
                && EXPECTED.starts_with(&told.iter().map(String::as_str).collect::<Vec<_>>()),
            "at {end}: {told:?}"
        );
    }
}
