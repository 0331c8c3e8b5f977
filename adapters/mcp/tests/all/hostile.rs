//! Tests clients that send nonsense: no panic, no hang, and the next request is answered (SPEC 12.1, 12.3).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::{Raw, Shop};

const GARBAGE: [&[u8]; 16] = [
    b"",
    b"garbage",
    b"{",
    b"[]",
    b"null",
    b"42",
    b"\xff\xfe\x00",
    b"\x00",
    b"{}",
    br#"{"jsonrpc":"2.0"}"#,
    br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/nothing","params":[]}"#,
    br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
];

// SPEC 12.1
#[tokio::test]
async fn garbage_around_initialize_does_no_harm() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    for line in GARBAGE {
        raw.line(line).await;
    }
    // rmcp does not accept a notification between a first request and `initialize`.
    raw.ask("first", "ping", json!({})).await;
    for line in GARBAGE {
        raw.line(line).await;
    }
    raw.begin().await;
    for line in GARBAGE {
        raw.line(line).await;
    }
    assert_eq!(raw.ask("last", "ping", json!({})).await["result"], json!({}));
}

// SPEC 11.4, 12.2
#[tokio::test]
async fn invalid_messages_are_answered_with_their_id() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let nowhere = Value::Null;
    let refused: [(&[u8], i64, Value); 18] = [
        (b"garbage", -32700, nowhere.clone()),
        (b"{", -32700, nowhere.clone()),
        (b"\xff\xfe\x00", -32700, nowhere.clone()),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, json!(1)),
        (br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"n":NaN}}"#, -32700, json!(2)),
        (deep.as_bytes(), -32700, json!("deep")),
        (b"[]", -32600, nowhere.clone()),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, nowhere.clone()),
        (b"null", -32600, nowhere.clone()),
        (b"42", -32600, nowhere.clone()),
        (b"{}", -32600, nowhere.clone()),
        (br#"{"jsonrpc":"2.0"}"#, -32600, nowhere.clone()),
        (br#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, -32600, json!(3)),
        (br#"{"id":4,"method":"ping"}"#, -32600, json!(4)),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, nowhere.clone()),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, nowhere.clone()),
        (br#"{"jsonrpc":"2.0","id":5,"method":7}"#, -32600, json!(5)),
        (br#"{"jsonrpc":"2.0","id":6,"method":"prompts/get","params":[]}"#, -32600, json!(6)),
    ];
    for (line, code, id) in refused {
        let shown = String::from_utf8_lossy(line.get(..60).unwrap_or(line)).into_owned();
        let answers = raw.answers(line).await;
        let [answer] = answers.as_slice() else { panic!("one answer to {shown}: {answers:?}") };
        assert_eq!(
            (&answer["jsonrpc"], &answer["error"]["code"]),
            (&json!("2.0"), &json!(code)),
            "{shown}: {answer}"
        );
        assert_eq!(answer["id"], id, "{shown}: {answer}");
    }
    let silent: [&[u8]; 9] = [
        b"",
        b" \t",
        b"\r",
        br#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        br#"{"jsonrpc":"2.0","id":1,"error":"malformed"}"#,
        br#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"lest two answer each other for ever"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/nothing","params":[]}"#,
        br#"{"jsonrpc":"1.0","method":"notifications/nothing"}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
    ];
    for line in silent {
        assert_eq!(raw.answers(line).await, [Value::Null; 0], "{}", String::from_utf8_lossy(line));
    }
}

// SPEC 11.4
#[tokio::test]
async fn all_line_ends_are_accepted() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    raw.send(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\r\n\n").await;
    raw.send(b"  {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}").await;
    raw.write.shutdown().await.expect("closed");
    let mut ids = vec![
        raw.next().await.expect("an answer")["id"].clone(),
        raw.next().await.expect("an answer")["id"].clone(),
    ];
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [1, 2], "the last line has no end");
    assert_eq!(raw.next().await, None, "and then the server closes");

    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    raw.send(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"met").await;
    raw.write.shutdown().await.expect("closed");
    let answer = raw.next().await.expect("an answer");
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(2), &json!(-32700)));
    assert_eq!(raw.next().await, None);
}

// SPEC 11.4, 12.2
#[tokio::test]
async fn a_message_that_is_too_long_is_answered() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    let part = vec![b'x'; 1 << 20];
    // The official client for Node writes the `id` last.
    let messages = [
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""#, r#""}}"#, Some(json!(1))),
        (
            r#"{"method":"tools/call","params":{"id":0,"name":""#,
            r#""},"jsonrpc":"2.0","id":"last"}"#,
            Some(json!("last")),
        ),
        ("", "", Some(Value::Null)),
        (r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":""#, r#""}}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"text":""#, r#""}}"#, None),
    ];
    for (begin, end, id) in messages {
        raw.send(begin.as_bytes()).await;
        for _ in 0..17 {
            raw.send(&part).await;
        }
        let answers = raw.answers(end.as_bytes()).await;
        let errors: Vec<(Value, Value)> =
            answers.iter().map(|answer| (answer["error"]["code"].clone(), answer["id"].clone())).collect();
        assert_eq!(errors, id.into_iter().map(|id| (json!(-32600), id)).collect::<Vec<_>>(), "{begin}");
    }
    // A message just below the limit is read.
    let frame = r#"{"jsonrpc":"2.0","id":9,"method":"ping","params":{"_meta":{"x":""}}}"#;
    let fill = "x".repeat((1 << 24) - frame.len());
    let answers = raw.answers(frame.replace(r#""x":"""#, &format!(r#""x":"{fill}""#)).as_bytes()).await;
    assert_eq!(answers, [json!({"jsonrpc": "2.0", "id": 9, "result": {}})]);
}

// SPEC 11.4
#[tokio::test]
async fn an_id_has_one_answer_at_a_time() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    let slow =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"n":1}}}"#;
    raw.line(slow.as_bytes()).await;
    shop.pid().await;
    let answers = raw.answers(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    assert_eq!(answers.len(), 1);
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!(1), &json!(-32600)));
    raw.line(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    let answer = raw.ask("again", "ping", json!({})).await;
    assert_eq!(answer["result"], json!({}));
    for _ in 0..2 {
        raw.line(br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#).await;
        assert_eq!(raw.next().await.expect("an answer")["id"], 2);
    }
}

// SPEC 12.1
#[tokio::test]
async fn unknown_methods_and_wrong_parameters_are_errors() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    for method in
        ["nothing", "tools/run", "", "skills/delete", "tasks/get", "logging/setLevel", "resources/subscribe"]
    {
        let params = json!({"uri": "skill://prose/SKILL.md", "taskId": "1", "level": "info"});
        let answer = raw.ask(method, method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
    for (method, params) in [
        ("skills/get", json!({"uri": "skill://prose"})),
        ("skills/get", json!({"uri": ""})),
        ("prompts/get", json!({"name": ""})),
        ("resources/directory/read", json!({"uri": "skill://prose", "cursor": "\u{0}"})),
        ("skills/get", json!({})),
        ("resources/read", json!({"uri": 7})),
        ("tools/call", json!({"name": "double", "arguments": [1]})),
        ("tools/call", json!({})),
        ("initialize", json!({"protocolVersion": 1})),
    ] {
        let answer = raw.ask("x", method, params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

// SPEC 11.7
#[tokio::test]
async fn a_session_is_initialized_once() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
    let answer = raw.ask("again", "initialize", params).await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    let answer = raw.ask("on", "tools/list", json!({})).await;
    assert_eq!(answer["result"]["tools"].as_array().map(Vec::len), Some(5), "{answer}");
}

// SPEC 11.7: the requests of a client that does not read wait until it reads
#[tokio::test]
async fn a_client_that_does_not_read_is_held_up() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    let mut sent = 0;
    while sent < 30_000 {
        let request = format!("{}\n", json!({"jsonrpc": "2.0", "id": sent, "method": "tools/list"}));
        let writing = raw.write.write_all(request.as_bytes());
        let Ok(written) = tokio::time::timeout(std::time::Duration::from_secs(1), writing).await else {
            break;
        };
        written.expect("it reads");
        sent += 1;
    }
    assert!(sent < 30_000, "{sent} requests are read of a client that reads nothing");
    let first = raw.next().await.expect("an answer");
    assert_eq!(first["id"], 0, "{first}");
}

// SPEC 11.7
#[tokio::test]
async fn the_number_of_open_requests_is_limited() {
    let shop = Shop::new();
    let mut raw = Raw::new(shop.server());
    raw.begin().await;
    for id in 0..1_000 {
        let params = json!({"name": "slow", "arguments": {"n": 1}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        raw.line(call.to_string().as_bytes()).await;
    }
    let answer = raw.ask("more", "ping", json!({})).await;
    assert_eq!(answer["error"]["code"], -32000, "{answer}");
    raw.line(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}"#).await;
    assert_eq!(raw.ask("room", "ping", json!({})).await["result"], json!({}));
}
