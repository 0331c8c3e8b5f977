//! Tests that a program's own clients work with the adapter, and beside it.

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use serde_json::json;
use skills_call::model::LanguageModel;
use skills_genai::Genai;

use crate::openai::text;
use crate::server::{Reply, Server, hello};

// SPEC 7.5: a program's own reqwest has its TLS without any set-up
#[test]
fn a_programs_reqwest_works() {
    drop(reqwest::Client::new());
    drop(genai::Client::new().expect("a client"));
    drop(skills_genai::client("ollama::qwen3").expect("a model"));
    drop(reqwest::Client::new());
}

// SPEC 7.5: the client of the program is used, with its way to find keys and servers
#[tokio::test]
async fn a_programs_client_is_used() {
    let server = Server::start([text("fine"), Reply::failed("401 Unauthorized", "bad key sk-program")]).await;
    let url = format!("{}/", server.url);
    let client = genai::Client::builder()
        .with_auth_resolver_fn(|_: ModelIden| Ok(Some(AuthData::from_single("sk-program"))))
        .with_service_target_resolver_fn(move |target: ServiceTarget| {
            Ok(ServiceTarget { endpoint: Endpoint::from_owned(url.as_str()), ..target })
        })
        .build()
        .expect("a client");
    let model = Genai::new(client, "groq::some-model");
    assert_eq!((model.name(), model.provider()), ("groq::some-model", Some("groq")));
    assert_eq!(model.complete(&hello()).await.expect("an answer").text, "fine");
    let asked = server.first();
    assert!(asked.head.contains("authorization: bearer sk-program"), "{}", asked.head);
    assert_eq!(asked.body["model"], "some-model");
    // SPEC 12.4: the key is known from the client, and removed
    let error = model.complete(&hello()).await.expect_err("a refusal");
    assert!(error.message.ends_with("HTTP 401 Unauthorized: bad key ***"), "{error}");
}

// SPEC 7.5: Ollama's own protocol
#[tokio::test]
async fn ollama_answers_and_calls_tools() {
    let line = |message: serde_json::Value, is_done: bool| {
        let reason = is_done.then_some("stop");
        let body = json!({ "model": "q", "message": message, "done": is_done, "done_reason": reason,
                           "prompt_eval_count": 3, "eval_count": 5 });
        format!("{body}\n")
    };
    let call = json!({ "function": { "name": "get_weather", "arguments": { "city": "Oslo" } } });
    let first = json!({ "role": "assistant", "content": "Hm.", "tool_calls": [call] });
    let body = line(first, false) + &line(json!({ "role": "assistant", "content": "" }), true);
    let cut = line(json!({ "content": "Hm." }), false);
    let replies = [body, cut].map(|body| Reply::new("200 OK", "application/x-ndjson", body));
    let server = Server::start(replies).await;
    let target = ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{}/", server.url)),
        auth: AuthData::from_single("none"),
        model: ModelIden::new(AdapterKind::Ollama, "q"),
    };
    let model = Genai::new(genai::Client::new().expect("a client"), target);
    let answer = model.complete(&hello()).await.expect("an answer");
    assert_eq!((answer.text.as_str(), answer.usage.input_tokens, answer.usage.output_tokens), ("Hm.", 3, 5));
    assert_eq!(answer.tool_calls[0].arguments, "{\"city\":\"Oslo\"}");
    assert!(server.first().head.starts_with("post /v1/api/chat "));
    // SPEC 14.16: genai reports an end here, although none came
    let error = model.complete(&hello()).await.expect_err("no end");
    assert!(error.is_retryable, "{error}");
}
