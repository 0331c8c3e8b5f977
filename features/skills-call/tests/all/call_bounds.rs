//! Tests calls with long texts or many violations: the messages are bounded, and other calls do not wait (SPEC 6.4).

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::json;
use skills_call::testing::ScriptedModel;
use skills_call::{CallError, CallOptions, ErrorKind, Runner};

use crate::functions::{functions, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

/// A schema of records with 20 required members.
fn records() -> String {
    let names: Vec<String> = (0..20).map(|at| format!("field{at}")).collect();
    let items = json!({"type": "array", "items": {"type": "object", "required": names}});
    json!({"type": "object", "properties": {"items": items}}).to_string()
}

fn list(item: &str, count: usize) -> String {
    format!("{{\"items\":[{}]}}", vec![item; count].join(","))
}

fn sum() -> Runner {
    let files = [("sum/skill.json", &*manifest("sum", "code", &records(), ANY, ""))];
    Runner::new(functions(&files)).host(host(|_, _, _| Some(Box::pin(async { Ok(json!({})) }))))
}

// SPEC 6.4, 6.5
#[tokio::test]
async fn a_call_is_refused_within_bounds() {
    let runner = sum();
    let input = list("{}", 60_000);
    let refused = runner.call_text("sum", &input, CallOptions::default()).await.expect_err("refused");
    assert_eq!((refused.kind(), refused.violations().len()), (ErrorKind::InvalidInput, 101));
    // The texts in the answers of a chat and of MCP.
    let answer = runner.dispatch("sum", &input, &CallOptions::default()).await;
    assert!(answer.is_error && answer.text.len() < 64 * 1024, "{}", answer.text.len());
    let last = "(root): limit: expected at most 100 violations in 65536 bytes, found at least 20 more";
    assert!(answer.text.ends_with(last), "{}", answer.text);
}

// SPEC 6.4, 7.5
#[tokio::test]
async fn violations_for_a_model_are_bounded() {
    let files = [
        ("ask/skill.json", &*manifest("ask", "llm", ANY, &records(), "\"retry\": 1")),
        ("ask/prompt.md", "Answer.\n"),
    ];
    let model = ScriptedModel::default().text(list("{}", 1_000_000)).text(r#"{"items": []}"#);
    let runner = Runner::new(functions(&files)).model(model.clone());
    runner.call_json("ask", json!({})).await.expect("the second answer fits");
    let sizes: Vec<usize> = model.requests()[1].messages.iter().map(|message| message.text().len()).collect();
    assert!(sizes.len() == 4 && sizes.iter().all(|size| *size < 70 * 1024), "{sizes:?}");
}

// SPEC 6.4: a long text is checked on another thread, a short one in place.
#[tokio::test]
async fn a_long_input_is_checked_on_another_thread() {
    let runner = sum();
    for (count, is_apart) in [(10, false), (60_000, true)] {
        let input = list("1", count);
        let mut call = pin!(runner.call_text("sum", &input, CallOptions::default()));
        let first = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        assert_eq!(first.is_pending(), is_apart, "{count}");
        let refused = match first {
            Poll::Ready(refused) => refused,
            Poll::Pending => call.await,
        };
        assert!(matches!(refused, Err(CallError::InvalidInput { .. })));
    }
}

// SPEC 6.4
#[tokio::test]
async fn the_check_of_a_long_input_keeps_the_time_limit() {
    let runner = sum();
    let options = || CallOptions::default().timeout(Duration::ZERO);
    let late = runner.call_text("sum", &list("{}", 60_000), options()).await.expect_err("no time");
    assert!(matches!(late, CallError::Timeout { .. }), "{late}");
    let refused = runner.call_text("sum", &list("{}", 1), options()).await.expect_err("it does not fit");
    assert!(matches!(refused, CallError::InvalidInput { .. }), "{refused}");
}
