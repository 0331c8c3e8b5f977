//! Tests errors of requests, and whether they are retryable.

use serde_json::json;
use skills_call::model::{Delta, LanguageModel, ModelError, ModelErrorKind};
use skills_genai::Genai;
use tokio::net::TcpListener;

use crate::server::{Reply, Server, collect, hello};

const PIECE: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"fi\"},\"finish_reason\":null}]}\n\n";

/// Returns the error of a whole answer and of a stream, for the same reply.
async fn both(reply: impl Fn() -> Reply) -> [ModelError; 2] {
    let server = Server::start([reply(), reply()]).await;
    let model = server.model("m");
    let whole = model.complete(&hello()).await.expect_err("a failure");
    let (_, streamed) = collect(&model, &hello()).await;
    [whole, streamed.expect("a failure")]
}

// SPEC 7.5: retryable transport errors
#[tokio::test]
async fn statuses_say_whether_to_try_again() {
    let cases = [
        ("400 Bad Request", false, ModelErrorKind::Other),
        ("401 Unauthorized", false, ModelErrorKind::KeyRefused),
        ("403 Forbidden", false, ModelErrorKind::KeyRefused),
        ("404 Not Found", false, ModelErrorKind::UnknownModel),
        ("408 Request Timeout", true, ModelErrorKind::Unavailable),
        ("422 Unprocessable Entity", false, ModelErrorKind::Other),
        ("429 Too Many Requests", true, ModelErrorKind::RateLimit),
        ("500 Internal Server Error", true, ModelErrorKind::Unavailable),
        ("502 Bad Gateway", true, ModelErrorKind::Unavailable),
        ("503 Service Unavailable", true, ModelErrorKind::Unavailable),
    ];
    for (status, is_retryable, kind) in cases {
        for error in both(|| Reply::failed(status, "the model\n is  tired")).await {
            assert_eq!((error.is_retryable, error.kind), (is_retryable, kind), "{error}");
            assert!(error.message.starts_with("127.0.0.1:"), "{error}");
            assert!(error.message.ends_with(&format!(": HTTP {status}: the model is tired")), "{error}");
        }
    }
}

// SPEC 7.5
#[tokio::test]
async fn a_rate_limit_is_retryable() {
    let limit = Reply::failed("429 Too Many Requests", "Rate limit reached for m");
    let server = Server::start([limit, crate::openai::text("fine")]).await;
    let model = server.model("m");
    let error = model.complete(&hello()).await.expect_err("a limit");
    assert!(error.is_retryable && error.message.contains("Rate limit reached for m"), "{error}");
    assert_eq!(model.complete(&hello()).await.expect("an answer").text, "fine");
}

// SPEC 6.8: the providers report a request that is too long in their own ways
#[tokio::test]
async fn a_request_that_is_too_long_is_recognized() {
    for message in [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576).",
    ] {
        for error in both(|| Reply::failed("400 Bad Request", message)).await {
            assert_eq!(error.kind, ModelErrorKind::TooLong, "{error}");
        }
    }
}

#[tokio::test]
async fn a_page_that_is_not_json_is_shortened() {
    let page = format!("<html>\n<body>{}</body></html>", "no ".repeat(1000));
    for error in both(|| Reply::new("502 Bad Gateway", "text/html", page.clone())).await {
        assert!(error.is_retryable && error.message.contains("<html> <body>no no"), "{error}");
        assert!(error.message.chars().count() < 450 && !error.message.contains('\n'), "{error}");
    }
}

// SPEC 12.2: an invalid answer is a failure
#[tokio::test]
async fn invalid_answers_are_refused() {
    let page = || Reply::new("200 OK", "text/html", "<html>It works!</html>");
    let other = || Reply::json(&json!({ "hello": "world" }));
    let no_reason = || Reply::events("data: {\"choices\":[]}\n\ndata: [DONE]\n\n");
    let replies: [&dyn Fn() -> Reply; 3] = [&page, &other, &no_reason];
    for reply in replies {
        for error in both(reply).await {
            assert!(error.message.contains("is the base URL right?"), "{error}");
        }
    }
}

// SPEC 12.2
#[tokio::test]
async fn a_stream_that_breaks_off_fails() {
    let closed = Reply::events(PIECE);
    let cut = Reply::cut("text/event-stream", PIECE);
    let half = Reply::events(&format!("{PIECE}data: {{\"choices\":[{{\"ind"));
    let page = Reply::new("200 OK", "text/html", "<html>It works!</html>");
    for (reply, came) in [(closed, true), (cut, true), (half, true), (page, false)] {
        let server = Server::start([reply]).await;
        let (deltas, error) = collect(&server.model("m"), &hello()).await;
        let expected = came.then(|| Delta::Text("fi".to_owned()));
        assert_eq!(deltas, Vec::from_iter(expected));
        let error = error.expect("a failure");
        assert!(error.is_retryable, "{error}");
    }
}

// SPEC 12.2
#[tokio::test]
async fn a_stream_of_nonsense_fails() {
    let nonsense = Reply::events(&format!("{PIECE}data: nonsense\n\ndata: [DONE]\n\n"));
    let event =
        "data: {\"error\":{\"message\":\"Out of memory\",\"type\":\"server_error\"}}\n\ndata: [DONE]\n\n";
    let reported = Reply::events(&format!("{PIECE}{event}"));
    for (reply, is_retryable, words) in [(nonsense, false, "not JSON"), (reported, true, "Out of memory")] {
        let server = Server::start([reply]).await;
        let (deltas, error) = collect(&server.model("m"), &hello()).await;
        assert_eq!(deltas, [Delta::Text("fi".to_owned())]);
        let error = error.expect("a failure");
        assert_eq!(error.is_retryable, is_retryable, "{error}");
        assert!(error.message.contains(words), "{error}");
    }
}

// SPEC 7.5
#[tokio::test]
async fn a_refused_connection_is_retryable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let model =
        Genai::builder("m").base_url(format!("http://{address}/v1/?k=sk-query")).build().expect("a model");
    let whole = model.complete(&hello()).await.expect_err("a failure");
    let (_, streamed) = collect(&model, &hello()).await;
    for error in [whole, streamed.expect("a failure")] {
        assert!(error.is_retryable, "{error}");
        assert_eq!(error.kind, ModelErrorKind::Unreachable);
        assert!(error.message.starts_with(&format!("{address}: cannot connect: ")), "{error}");
        assert!(!error.message.contains("sk-query"), "{error}");
    }
}

// SPEC 6.4: dropping the future ends the request
#[tokio::test]
async fn dropping_closes_the_connection() {
    let (body, body_gone) = Reply::stalled("text/event-stream", "data: {");
    let (events, events_gone) = Reply::stalled("text/event-stream", PIECE);
    let server = Server::start([body, events]).await;
    let model = server.model("m");
    let request = hello();
    let mut future = model.complete(&request);
    // Both sides run here, so the future is polled until the server has read the request.
    while server.asked().is_empty() {
        tokio::select! {
            biased;
            _ = &mut future => panic!("no answer was sent"),
            () = tokio::task::yield_now() => {}
        }
    }
    drop(future);
    body_gone.await.expect("the connection is closed");
    let mut stream = model.stream(&request);
    let first = futures_util::StreamExt::next(&mut stream).await.expect("a piece").expect("no failure");
    assert_eq!(first, Delta::Text("fi".to_owned()));
    drop(stream);
    events_gone.await.expect("the connection is closed");
}

// SPEC 7.5: a server that does not answer
#[tokio::test]
async fn a_silent_server_ends_at_the_time_limit() {
    let (stalled, _gone) = Reply::stalled("text/event-stream", "data: {");
    let server = Server::start([stalled]).await;
    let idle = std::time::Duration::from_millis(50);
    let model = Genai::builder("m").base_url(&server.url).idle_timeout(idle).build().expect("a model");
    let error = model.complete(&hello()).await.expect_err("silence");
    assert!(error.is_retryable && error.message.contains("timed out"), "{error}");
}
