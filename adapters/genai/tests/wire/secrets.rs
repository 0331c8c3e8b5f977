//! Tests that keys are only sent to their provider (SPEC 12.4).

use serde_json::json;
use skills_call::model::LanguageModel;
use skills_genai::Genai;

use crate::server::{Reply, Server, hello};

// SPEC 12.4
#[tokio::test]
async fn no_key_is_shown() {
    let repeated = "Incorrect API key provided: sk-secret-1.";
    let event = json!({ "error": { "message": repeated } });
    let server = Server::start([
        Reply::failed("401 Unauthorized", repeated),
        Reply::events(&format!("data: {event}\n\n")),
    ])
    .await;
    let model = server.model("m");
    for _ in 0..2 {
        let error = model.complete(&hello()).await.expect_err("a failure");
        assert!(!format!("{error} {error:?}").contains("sk-secret"), "{error}");
        assert!(error.message.contains("***"), "{error}");
    }
    let builder = Genai::builder("m").base_url("http://host/sk-path").key("sk-secret-1");
    assert!(!format!("{model:?} {builder:?}").contains("sk-"));
}

// SPEC 12.4
#[tokio::test]
async fn no_redirect_carries_a_key_away() {
    let elsewhere = Server::start([Reply::failed("200 OK", "never asked")]).await;
    let target = format!("{}/messages", elsewhere.url);
    let server = Server::start([Reply::redirect(&target)]).await;
    let error =
        server.model("anthropic::claude-sonnet-4-5").complete(&hello()).await.expect_err("a redirect");
    assert!(!error.is_retryable && error.message.contains("HTTP 307"), "{error}");
    assert!(elsewhere.asked().is_empty());
}

// SPEC 12.4: the variable of one provider is not used for another
#[tokio::test]
async fn without_a_key_none_is_sent() {
    assert_eq!(std::env::var_os("SKILLS_API_KEY"), None, "unset it for the tests");
    let server = Server::start([Reply::failed("401 Unauthorized", "who?")]).await;
    let url = format!("{}?api-version=7", server.url);
    let model = Genai::builder("gpt-4o").base_url(url).build().expect("a model");
    drop(model.complete(&hello()).await.expect_err("a refusal"));
    let asked = server.first();
    assert!(!asked.head.contains("authorization"), "{}", asked.head);
    assert!(asked.head.starts_with("post /v1/chat/completions?api-version=7 "), "{}", asked.head);
}
