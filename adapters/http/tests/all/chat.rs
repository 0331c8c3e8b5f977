//! Tests the chat route like a client of the AI SDK (SPEC 11.3).

use serde_json::{Value, json};
use skills_call::model::{Delta, Finish, Message, ModelError, ModelErrorKind, Usage};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{self, Answer, request, runner, serve, skills};

/// Sends one message to a model with all the skills, and returns the answer and its parts.
async fn chat(model: ScriptedModel) -> (Answer, Vec<Value>) {
    let root = skills();
    let serving =
        serve(Api::new(runner(root.path()).model(model)).instructions("Be brief."), Guard::new()).await;
    let body = json!({"id": "c", "trigger": "submit-message", "extra": 1, "messages": [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]}]});
    let answer = request(serving.address, "POST", "/api/ai/chat", &body.to_string()).await;
    let frames = answer.body.split("\n\n").filter(|frame| !frame.is_empty());
    let texts: Vec<&str> = frames.map(|frame| frame.strip_prefix("data: ").expect("a data frame")).collect();
    let (done, parts) = texts.split_last().expect("frames");
    assert_eq!(*done, "[DONE]");
    let parts = parts.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect();
    (answer, parts)
}

fn types(parts: &[Value]) -> Vec<&str> {
    parts.iter().map(|part| part["type"].as_str().expect("a type")).collect()
}

// SPEC 11.3
#[tokio::test]
async fn text_is_streamed_immediately() {
    let model = ScriptedModel::default().text("one two");
    let (answer, parts) = chat(model.clone()).await;
    assert_eq!(answer.status, 200);
    for header in
        ["x-vercel-ai-ui-message-stream: v1", "content-type: text/event-stream", "cache-control: no-cache"]
    {
        assert!(answer.head.contains(header), "{}", answer.head);
    }
    let expected = [
        "start",
        "start-step",
        "text-start",
        "text-delta",
        "text-delta",
        "text-end",
        "finish-step",
        "finish",
    ];
    assert_eq!(types(&parts), expected);
    assert_eq!((&parts[3]["delta"], &parts[4]["delta"]), (&json!("one "), &json!("two")));
    assert_eq!(parts[7]["finishReason"], "stop");
    let asked = &model.requests()[0];
    assert_eq!(asked.messages[0], Message::system("Be brief."));
    let tools: Vec<&str> = asked.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(tools, ["load_skill", "chain", "double", "review", "typed"]);
    assert!(asked.tools[0].description.contains("- **prose**: Says how."));
    assert!(!asked.tools[0].description.contains("secret"));
}

// SPEC 11.3
#[tokio::test]
async fn tools_answer_or_fail_and_the_stream_continues() {
    let model = ScriptedModel::default()
        .tool_call("a", "load_skill", r#"{"name": "prose"}"#)
        .tool_call("b", "load_skill", r#"{"name": "none"}"#)
        .tool_call("c", "double", r#"{"n": 4}"#)
        .tool_call("c", "double", r#"{"n": "x"}"#)
        .tool_call("", "vanish", "no json")
        .text("done");
    let (_, parts) = chat(model.clone()).await;
    let of = |kind: &str| -> Vec<&Value> { parts.iter().filter(|part| part["type"] == kind).collect() };
    let outputs = of("tool-output-available");
    assert_eq!(outputs.len(), 2);
    assert!(
        outputs[0]["output"]
            .as_str()
            .expect("a text")
            .starts_with("## Skill: prose\n\n**Base directory**: /")
    );
    assert_eq!(outputs[0].get("dynamic"), None);
    assert_eq!((&outputs[1]["output"], &outputs[1]["dynamic"]), (&json!({"said": "twice"}), &json!(true)));
    let errors = of("tool-output-error");
    let texts: Vec<&str> = errors.iter().map(|error| error["errorText"].as_str().expect("a text")).collect();
    assert!(texts[0].starts_with("Skill \"none\" not found. Available skills: "), "{texts:?}");
    assert!(texts[1].contains("/n: type: expected an integer"), "{texts:?}");
    assert!(texts[2].starts_with("There is no tool \"vanish\". "), "{texts:?}");
    assert_eq!(types(&parts).last(), Some(&"finish"));
    // A client identifies calls by their ids, and refuses an output without an earlier input.
    let inputs: Vec<&str> =
        of("tool-input-available").iter().map(|part| part["toolCallId"].as_str().expect("an id")).collect();
    let mut different = inputs.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 5, "{inputs:?}");
    // The model got the same text.
    let last = model.requests().pop().expect("a request");
    let failed =
        last.messages.iter().flat_map(Message::tool_results).filter(|result| result.is_error).count();
    assert_eq!(failed, 3);
    assert!(!answer_has_null(&parts));
}

fn answer_has_null(parts: &[Value]) -> bool {
    parts.iter().flat_map(|part| part.as_object().expect("an object").values()).any(Value::is_null)
}

// SPEC 11.3
#[tokio::test]
async fn a_pipeline_sends_its_steps_as_preliminary_results() {
    let model = ScriptedModel::default().tool_call("p", "chain", r#"{"n": 1}"#).text("done");
    let (_, parts) = chat(model).await;
    let outputs: Vec<&Value> = parts.iter().filter(|part| part["type"] == "tool-output-available").collect();
    let (last, before) = outputs.split_last().expect("outputs");
    assert_eq!(last["output"], json!({"said": "twice"}));
    assert_eq!(last.get("preliminary"), None);
    assert_eq!(before.len(), 4, "{before:#?}");
    assert!(before.iter().all(|part| part["preliminary"] == true));
    let steps = &before[3]["output"]["steps"];
    assert_eq!(
        *steps,
        json!([{"step": "chain.one", "state": "done"}, {"step": "chain.two", "state": "done"}])
    );
}

// SPEC 16.5, 16.6
#[tokio::test]
async fn a_chat_finds_its_tools_on_demand() {
    let root = skills();
    let model = ScriptedModel::default()
        .tool_call("a", "search_skills", r#"{"query": "double a number"}"#)
        .tool_call("b", "double", r#"{"n": 4}"#)
        .text("done");
    let few = skills_call::OnDemand::default();
    let api = Api::new(runner(root.path()).model(model.clone()).on_demand(few)).instructions("Be brief.");
    let serving = serve(api, Guard::new()).await;
    let say = async |messages: Value| {
        let body = json!({"id": "c", "trigger": "submit-message", "messages": messages}).to_string();
        request(serving.address, "POST", "/api/ai/chat", &body).await
    };
    let user = json!({"id": "1", "role": "user", "parts": [{"type": "text", "text": "Prose, please."}]});
    let answer = say(json!([user])).await;
    assert!(
        answer.body.contains(r#""toolName":"double""#) && answer.body.contains("twice"),
        "{}",
        answer.body
    );
    let asked = model.requests();
    let names = |at: usize| -> Vec<&str> { asked[at].tools.iter().map(|tool| tool.name.as_str()).collect() };
    assert_eq!(names(0), ["load_skill", "search_skills"]);
    assert!(names(1).contains(&"double") && !names(1).contains(&"review"), "{:?}", names(1));
    assert!(asked[0].tools.iter().all(|tool| !tool.description.contains("prose")), "{:?}", asked[0].tools);
    let text = asked[0].messages[0].text();
    assert!(
        text.starts_with("Be brief.")
            && text.contains("<name>prose</name>")
            && text.contains("search_skills"),
        "{text}"
    );
}

// SPEC 11.3
#[tokio::test]
async fn a_turn_has_ten_steps_at_most() {
    let model = (0..12).fold(ScriptedModel::default(), |model, at| {
        model.tool_call(&format!("c{at}"), "load_skill", r#"{"name": "prose"}"#)
    });
    let (_, parts) = chat(model.clone()).await;
    assert_eq!(parts.iter().filter(|part| part["type"] == "start-step").count(), 10);
    assert_eq!(
        (model.requests().len(), parts.last().expect("parts")["finishReason"].as_str()),
        (10, Some("tool-calls"))
    );
}

// SPEC 11.3
#[tokio::test]
async fn a_failure_of_the_model_is_an_error_part() {
    let (answer, parts) = chat(ScriptedModel::default().error("overloaded for s3cret", true)).await;
    assert_eq!((answer.status, types(&parts)), (200, vec!["start", "start-step", "error"]));
    // SPEC 11.7: the provider's message is not sent to the client
    assert_eq!(parts[2]["errorText"], "the model failed; the server's log says why");
    let cut = ScriptedModel::default().deltas([Delta::Text("half".to_owned())]);
    let (_, parts) = chat(cut).await;
    assert_eq!(types(&parts).last(), Some(&"error"));
    let thinking = ScriptedModel::default().deltas([
        Delta::Reasoning("hm".to_owned()),
        Delta::Text("so".to_owned()),
        Delta::End { finish: Finish::Length, usage: Usage { input_tokens: 2, output_tokens: 3 } },
    ]);
    let (_, parts) = chat(thinking).await;
    let expected = [
        "start",
        "start-step",
        "reasoning-start",
        "reasoning-delta",
        "reasoning-end",
        "text-start",
        "text-delta",
        "text-end",
        "finish-step",
        "finish",
    ];
    assert_eq!(types(&parts), expected);
    assert_eq!(parts[9]["messageMetadata"]["usage"], json!({"inputTokens": 2, "outputTokens": 3}));
}

// SPEC 6.8, 11.7: what to do about the failure is told, and the provider's message is not
#[tokio::test]
async fn a_failure_of_the_model_is_told_with_advice() {
    for (kind, advice) in [
        (ModelErrorKind::NoKey, "needs an API key"),
        (ModelErrorKind::KeyRefused, "refused the API key"),
        (ModelErrorKind::UnknownModel, "has no such model"),
        (ModelErrorKind::Unreachable, "cannot be reached"),
        (ModelErrorKind::RateLimit, "Wait a minute"),
        (ModelErrorKind::TooLong, "too long for the model"),
        (ModelErrorKind::Unavailable, "Try again in a moment"),
    ] {
        let (_, parts) = chat(ScriptedModel::default().fail(ModelError::new("s3cret").with_kind(kind))).await;
        let text = parts[2]["errorText"].as_str().expect("a text");
        assert!(text.starts_with("the model failed; the server's log says why\n"), "{text}");
        assert!(text.contains(advice) && !text.contains("s3cret"), "{kind:?}: {text}");
    }
}

/// Sends the messages of a chat that asks before a tool runs, and returns the parts of the answer.
async fn ask_first(address: std::net::SocketAddr, messages: &Value) -> Vec<Value> {
    let body = json!({"messages": messages, "askFirst": true});
    let answer = request(address, "POST", "/api/ai/chat", &body.to_string()).await;
    let texts = answer.body.split("\n\n").filter_map(|frame| frame.strip_prefix("data: {"));
    texts.map(|text| serde_json::from_str(&format!("{{{text}")).expect("JSON")).collect()
}

// SPEC 11.3
#[tokio::test]
async fn a_call_waits_and_only_the_call_that_was_asked_for_runs() {
    let root = skills();
    let model = ScriptedModel::default().tool_call("c", "double", r#"{"n": 4.0}"#).text("a").text("b");
    let serving = serve(Api::new(runner(root.path()).model(model.clone())), Guard::new()).await;
    let user = json!({"id": "u", "role": "user", "parts": [{"type": "text", "text": "go"}]});
    let parts = ask_first(serving.address, &json!([user])).await;
    let question = parts.iter().find(|part| part["type"] == "tool-approval-request").expect("a question");
    assert_eq!((&question["toolCallId"], model.requests().len()), (&json!("c"), 1), "{parts:?}");
    assert!(!types(&parts).iter().any(|kind| kind.starts_with("tool-output")), "{parts:?}");
    let response = |tool: &str, input: Value| {
        json!([user, {"id": "m", "role": "assistant", "parts": [{"type": "dynamic-tool", "toolName": tool,
            "toolCallId": "c", "state": "approval-responded", "input": input,
            "approval": {"id": question["approvalId"], "approved": true}}]}])
    };
    for forged in [response("double", json!({"n": 5})), response("chain", json!({"n": 4}))] {
        let parts = ask_first(serving.address, &forged).await;
        assert_eq!(
            (&parts[0]["messageId"], &parts[1]["type"]),
            (&json!("m"), &json!("tool-output-error")),
            "{parts:?}"
        );
        assert!(parts[1]["errorText"].as_str().is_some_and(|text| text.contains("was not run")), "{parts:?}");
    }
    let serving = serve(Api::new(runner(root.path()).model(ScriptedModel::default())), Guard::new()).await;
    let parts = ask_first(serving.address, &response("double", json!({"n": 4}))).await;
    assert_eq!(parts[1]["type"], "tool-output-error", "an approval of another server is not valid");
}

// SPEC 6.8: a tool that asks the model
#[tokio::test]
async fn a_tool_whose_model_fails_hides_the_reason() {
    let model = ScriptedModel::default()
        .tool_call("a", "review", r#"{"code": "x"}"#)
        .error("401 for key s3cret", false)
        .text("done");
    let (answer, parts) = chat(model.clone()).await;
    let error = parts.iter().find(|part| part["type"] == "tool-output-error").expect("it failed");
    assert_eq!(error["errorText"], "Skill \"review\" got no answer from the model; the log says why");
    assert!(!answer.body.contains("s3cret"), "{}", answer.body);
    assert_eq!(model.requests().len(), 3, "the chat went on");
}

// SPEC 11.7: a tool call of a chat counts as a waiting request
#[tokio::test]
async fn a_tool_that_cannot_run_now_fails_and_the_chat_continues() {
    let root = skills();
    let model = ScriptedModel::default().tool_call("a", "double", r#"{"n": 4}"#).text("done");
    let workspace = tempfile::tempdir().expect("a directory");
    let api = Api::new(runner(root.path()).model(model)).enable_exec();
    let serving = serve(api.concurrency(1).queue(0).workspace(workspace.path()), Guard::new()).await;
    let address = serving.address;
    let running = tokio::spawn(async move { request(address, "POST", "/v1/skills/slow/exec", "").await });
    support::until("the program runs", || std::fs::metadata(workspace.path().join("pid")).ok()).await;
    let body = json!({"messages": [{"role": "user", "parts": [{"type": "text", "text": "go"}]}]});
    let answer = request(address, "POST", "/api/ai/chat", &body.to_string()).await;
    running.abort();
    assert!(
        answer.body.contains(r#""errorText":"the server is busy; call it again later""#),
        "{}",
        answer.body
    );
    assert!(answer.body.contains(r#""type":"finish""#), "{}", answer.body);
}

// SPEC 11.3
#[tokio::test]
async fn without_a_model_or_messages_there_is_no_stream() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let answer = request(serving.address, "POST", "/api/ai/chat", r#"{"messages": []}"#).await;
    assert_eq!((answer.status, answer.json()), (503, json!({"error": "no_model"})));
    let api = Api::new(runner(root.path()).model(ScriptedModel::default())).read_only_chat();
    let serving = serve(api, Guard::new()).await;
    for body in ["{}", r#"{"messages": 1}"#, r#"{"messages": [{"role": "user"}]}"#] {
        let answer = request(serving.address, "POST", "/api/ai/chat", body).await;
        assert_eq!(
            (answer.status, answer.json()["error"].as_str()),
            (400, Some("invalid_messages")),
            "{body}"
        );
    }
}

// SPEC 11.17: a skill that the messages contain word for word is not sent again; an older or shortened text is
#[tokio::test]
async fn a_chat_loads_a_skill_once() {
    let again = "Skill \"prose\" was loaded already in this conversation; its instructions stand above.";
    let (root, load) = (skills(), r#"{"name": "prose"}"#);
    let loaded = |id: &str, output: &str| {
        json!({"type": "tool-load_skill", "toolCallId": id, "state": "output-available",
            "input": {"name": "prose"}, "output": output})
    };
    // Sends "go" after a history of parts, and returns the results of the model's loads in this turn.
    let turn = async |history: &[Value]| {
        let model = ScriptedModel::default()
            .tool_call("n1", "load_skill", load)
            .tool_call("n2", "load_skill", r#"{"name": "skill://prose"}"#)
            .text("done");
        let api = Api::new(runner(root.path()).model(model.clone()));
        let serving = serve(api, Guard::new()).await;
        let user = json!({"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]});
        let before = json!({"id": "2", "role": "assistant", "parts": history});
        let body = json!({"id": "c", "trigger": "submit-message", "messages": [user, before, user]});
        assert_eq!(request(serving.address, "POST", "/api/ai/chat", &body.to_string()).await.status, 200);
        let last = model.requests().pop().expect("a request");
        let results = last.messages.iter().flat_map(Message::tool_results);
        let new = results.filter(|result| result.call_id.starts_with('n'));
        new.map(|result| result.content.clone()).collect::<Vec<_>>()
    };
    let first = turn(&[]).await;
    assert!(first[0].starts_with("## Skill: prose\n") && first[1] == again, "once in a turn: {first:?}");
    let full = first[0].as_str();
    assert_eq!(turn(&[loaded("a", full)]).await, [again, again], "the history contains it");
    assert_eq!(turn(&[loaded("a", full), loaded("b", again)]).await, [again, again]);
    assert_eq!(
        turn(&[loaded("b", again)]).await,
        [full, again],
        "the full text was shortened away, so it is sent again"
    );
    assert_eq!(turn(&[loaded("a", "## Skill: prose\n\nOlder.")]).await, [full, again], "changed since");
    assert_eq!(
        turn(&[loaded("a", full), loaded("b", "Other.")]).await,
        [full, again],
        "changed, then changed back"
    );
    let other = json!({"type": "tool-other", "toolCallId": "a", "state": "output-available",
        "input": {"name": "prose"}, "output": full});
    assert_eq!(turn(&[other]).await, [full, again], "results of other tools do not count");
}
