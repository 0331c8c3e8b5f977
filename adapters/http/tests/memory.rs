//! Counts the bytes that a server allocates while many large bodies arrive at once.
#![cfg(unix)]
#![allow(
    unsafe_code,
    reason = "an allocator is unsafe; this one only counts what the system's allocator does"
)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use skills_http::{Api, Budget, Guard};
use support::{Answer, request, runner, send, serve, skills, write};

struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    MOST.fetch_max(USED.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1 << 20;

/// How many clients send a body at once.
const CLIENTS: usize = 60;

/// The budget of the server, enough for one of the worst bodies while it is parsed.
const BUDGET: usize = 96 * MIB;

/// Beyond the budget: the inputs of two calls, which the runner parses, and the machinery of the test.
const BEYOND: usize = 2 * 80 * MIB + 16 * MIB;

const SLEEPER: &str = r#"{"name": "sleeper", "description": "Sleeps.", "category": "c", "mode": "code", "timeout": 300,
    "input": {"type": "object", "properties": {"items": {"type": "array"}}}, "output": {"type": "object"}}"#;

/// Sends the same body from all clients at once; returns the answers.
async fn crowd(address: std::net::SocketAddr, path: &str, body: &str) -> Vec<Answer> {
    let head = format!("POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: ");
    let text: std::sync::Arc<[u8]> = format!("{head}{}\r\n\r\n{body}", body.len()).into_bytes().into();
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let text = std::sync::Arc::clone(&text);
        crowd.spawn(async move { send(address, &text).await });
    }
    crowd.join_all().await
}

// SPEC 11.7: all requests in flight share one memory budget; beyond it, clients must retry.
#[tokio::test(flavor = "multi_thread")]
async fn many_large_bodies_share_one_budget() {
    let root = skills();
    write(
        root.path(),
        &[
            ("sleeper/SKILL.md", "---\nexec: run\n---\nSleeps.\n"),
            ("sleeper/run", "#!/bin/sh\ncat > /dev/null\nsleep 60\n"),
            ("sleeper/skill.json", SLEEPER),
        ],
    );
    let budget = Budget::new(BUDGET);
    let api = Api::new(runner(root.path())).enable_exec().budget(budget.clone());
    let serving = serve(api.concurrency(2).queue_time(Duration::from_millis(400)), Guard::new()).await;
    let address = serving.address;
    // The most expensive bodies have a value, which needs a tree node, for every two bytes.
    for item in ["1,", "[],", "\"\",", "{\"\":0},", "\"a text of some length in a list of texts\","] {
        let mut items = item.repeat(900_000 / item.len());
        items.pop();
        let body = format!(r#"{{"input": {{"items": [{items}]}}}}"#);
        drop(items);
        let before = USED.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let answers = crowd(address, "/v1/skills/sleeper/call", &body).await;
        let most = MOST.load(Ordering::Relaxed) - before;
        assert!(most < BUDGET + BEYOND, "{item}: {} MiB", most / MIB);
        for answer in &answers {
            match answer.status {
                504 => {}
                503 => {
                    assert!(answer.head.contains("\r\nretry-after: 1\r\n"), "{}", answer.head);
                    assert_eq!(answer.json()["error"], "busy");
                }
                other => panic!("{item}: {other}: {}", answer.body),
            }
        }
        // Accepted calls ran until their own time limit.
        assert!(answers.iter().any(|answer| answer.status == 504), "{item}");
        support::until("all is returned", || (budget.used() == 0).then_some(())).await;
    }
}

// SPEC 11.7: answers are charged until they are sent; a request that can be repeated is refused.
#[tokio::test]
async fn answers_are_charged_until_they_are_sent() {
    let root = skills();
    let text = format!("---\nname: long\ndescription: Has a long text.\n---\n{}\n", "word ".repeat(40_000));
    write(root.path(), &[("long/SKILL.md", &text)]);
    let budget = Budget::new(300_000);
    let api = Api::new(runner(root.path())).enable_exec().budget(budget.clone());
    let serving = serve(api, Guard::new()).await;
    let get = async || request(serving.address, "GET", "/v1/skills/long", "").await;
    assert_eq!(get().await.status, 200);
    support::until("the answer is sent", || (budget.used() == 0).then_some(())).await;
    let other = budget.share();
    assert!(other.grow(150_000));
    let refused = get().await;
    assert_eq!((refused.status, refused.json()["error"].as_str()), (503, Some("busy")));
    // The list is shared by all clients, and costs no extra memory.
    assert_eq!(request(serving.address, "GET", "/v1/skills", "").await.status, 200);
    drop(other);
    assert_eq!(get().await.status, 200);
    // A body that never fits is not worth another attempt.
    let body = format!(r#"{{"input": "{}"}}"#, "x".repeat(100_000));
    let answer = request(serving.address, "POST", "/v1/skills/echo/exec", &body).await;
    assert_eq!((answer.status, answer.json()["error"].as_str()), (413, Some("too_large")));
}
