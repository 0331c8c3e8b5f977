//! A client against servers that break every rule: each ends with an error that names the limit.

use std::time::Duration;

use skills_mcp_client::{Call, Error, Exhausted};

use crate::support::{connection, is_alive, log, until};

async fn call(name: &str) -> Error {
    let connection = connection(&["play", name]);
    let call = Call::default().timeout(Duration::from_secs(60));
    connection.call("any", Default::default(), &call).await.expect_err("an error")
}

// SPEC 22.2
#[tokio::test]
async fn an_endless_line_is_refused_before_it_is_stored() {
    assert_eq!(call("long-line").await, Error::TooLarge(1 << 20));
}

// SPEC 22.2
#[tokio::test]
async fn a_flood_of_messages_ends_the_session() {
    for name in ["flood-notifications", "flood-list-changes", "flood-requests", "flood-answers", "flood-text"]
    {
        assert_eq!(call(name).await, Error::Budget(Exhausted::Messages(1000)), "{name}");
    }
}

// SPEC 22.2: standard error counts as well
#[tokio::test]
async fn a_flood_of_bytes_ends_the_session() {
    for name in ["flood-errors", "flood-large"] {
        let error = call(name).await;
        assert_eq!(error, Error::Budget(Exhausted::Bytes(64 << 20)), "{name}");
        let text = "the MCP server sent more than 64 MiB for one request of this client";
        assert_eq!(error.to_string(), text);
    }
}

// SPEC 22.2: the pages of a list share one budget
#[tokio::test]
async fn the_pages_of_a_list_are_bounded_together() {
    for (name, limit) in
        [("pages-of-values", Exhausted::Items(1_000_000)), ("pages-of-text", Exhausted::Bytes(64 << 20))]
    {
        let error = connection(&["play", name]).tools().await.expect_err("an error");
        assert_eq!(error, Error::Budget(limit), "{name}");
    }
}

// SPEC 22.2: each operation has its own budget, so a session may last
#[tokio::test]
async fn many_operations_in_one_session_are_not_bounded_together() {
    let connection = connection(&["play", "plain"]);
    for _ in 0..1_100 {
        connection.call("any", Default::default(), &Call::default()).await.expect("an answer");
    }
}

// SPEC 22.2
#[tokio::test]
async fn a_silent_server_ends_with_the_limit() {
    let connection = connection(&["play", "silent"]);
    let call = Call::default().timeout(Duration::from_millis(300));
    let error = connection.call("any", Default::default(), &call).await.expect_err("an error");
    assert_eq!(error, Error::Timeout(Duration::from_millis(300)));
}

// SPEC 22.2: reports of progress do not extend a call beyond its limit
#[tokio::test]
async fn endless_progress_ends_at_the_limit() {
    let connection = connection(&["play", "endless-progress"]);
    let call = Call::default().timeout(Duration::from_millis(500));
    let error = connection.call("any", Default::default(), &call).await.expect_err("an error");
    assert_eq!(error, Error::Timeout(Duration::from_millis(500)));
}

// SPEC 22.3
#[tokio::test]
async fn a_server_that_exits_says_why() {
    let error = call("exit").await;
    assert!(matches!(&error, Error::Closed(why) if why.contains("out of luck")), "{error:?}");
    let error = connection(&["no-such-mode"]).tools().await.expect_err("an error");
    assert!(matches!(&error, Error::Unreachable(why) if why.contains("no-such-mode")), "{error:?}");
}

// SPEC 22.2
#[tokio::test]
async fn requests_for_input_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log");
    let connection = connection(&["play", "asks", path.to_str().expect("UTF-8")]);
    connection.call("any", Default::default(), &Call::default()).await.expect("an answer");
    until("its requests are answered", || {
        log(&path).iter().filter(|line| line.starts_with("answer")).count() == 3
    })
    .await;
    let answers: Vec<String> = log(&path).into_iter().filter(|line| line.starts_with("answer")).collect();
    assert_eq!(answers, ["answer error -32601", "answer error -32601", "answer error -32601"]);
    assert_eq!(call("input-required").await, Error::InputRefused);
}

// SPEC 22.1
#[tokio::test]
async fn a_dropped_call_is_cancelled_on_the_server() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log");
    let connection = connection(&["play", "silent", path.to_str().expect("UTF-8")]);
    let call = Call::default();
    let called = connection.call("any", Default::default(), &call);
    drop(tokio::time::timeout(Duration::from_millis(500), called).await);
    until("the server is notified", || log(&path).iter().any(|line| line == "notifications/cancelled")).await;
    // The connection stays usable.
    let other = Call::default().timeout(Duration::from_millis(100));
    assert!(matches!(connection.call("any", Default::default(), &other).await, Err(Error::Timeout(_))));
}

// SPEC 22.2
#[tokio::test]
async fn endless_lists_are_refused() {
    for name in ["endless-pages", "many-items"] {
        let error = connection(&["play", name]).tools().await.expect_err("an error");
        assert!(matches!(error, Error::Protocol(_)), "{name}: {error:?}");
    }
}

// SPEC 22.2: an answer without its required member is neither an empty list nor an empty result
#[tokio::test]
async fn an_answer_without_its_content_is_an_error() {
    let error = connection(&["play", "no-list"]).tools().await.expect_err("an error");
    assert_eq!(error, Error::Protocol("the answer has no valid list".to_owned()));
    assert_eq!(
        call("no-content").await,
        Error::Protocol("the answer to a call of any has no content".to_owned())
    );
}

// SPEC 22.3: also a process in its own session, and also if the connection is only dropped
#[tokio::test(flavor = "multi_thread")]
async fn no_process_of_a_server_is_left() {
    for closes in [true, false] {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("log");
        let connection = connection(&["play", "children", path.to_str().expect("UTF-8")]);
        connection.call("any", Default::default(), &Call::default()).await.expect("an answer");
        let pids: Vec<String> =
            log(&path).iter().filter_map(|line| line.strip_prefix("pid ").map(str::to_owned)).collect();
        assert_eq!(pids.len(), 2);
        // A process has no command line while it begins another program.
        until("both run", || pids.iter().all(|pid| is_alive(pid))).await;
        if closes {
            connection.close().await;
        }
        drop(connection);
        until("they end", || !pids.iter().any(|pid| is_alive(pid))).await;
    }
}

// SPEC 22.3
#[tokio::test]
async fn a_server_that_does_not_start_is_retried_after_a_wait() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log");
    let connection = connection(&["play", "refuses", path.to_str().expect("UTF-8")]);
    for _ in 0..20 {
        assert!(connection.tools().await.is_err_and(|error| error.is_offline()));
    }
    let starts = log(&path).iter().filter(|line| *line == "start").count();
    assert!((1..=2).contains(&starts), "{starts} starts for 20 requests");
}
