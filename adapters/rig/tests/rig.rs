//! Tests both directions with scripted models.

use futures_util::StreamExt;
use rig_agent::prelude::AgentBuilder;
use rig_core::completion::{CompletionRequest, Usage};
use rig_core::message::{Message as RigMessage, ToolResultContent, UserContent};
use rig_core::operation::Finish as Finished;
use rig_core::test_utils::{MockCompletionModel, MockStreamEvent, MockTurn};
use serde_json::json;
use skills::call::Loader;
use skills::model::{
    Delta, Finish, LanguageModel, Media, MediaSource, Message, Part, Request, ResponseSchema, Role, ToolCall,
    ToolDefinition, ToolResult,
};
use skills::{Context, Failure, Runner};

skills::skills!("../../examples/skills");

struct Desk;

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        if input.topic == "weeds" {
            return Err("the notes are locked".into());
        }
        let note = find_notes::Note { title: "Garden".to_owned(), text: input.topic, pinned: false };
        Ok(find_notes::Output { notes: vec![note] })
    }
}

/// Skills that a model reads.
mod texts {
    skills::skills!("../../skills");
}

fn runner() -> Runner {
    SKILLS.with(Desk).untyped()
}

/// Returns the tool results that rig's model got in its last request.
fn results_in(request: &CompletionRequest) -> Vec<(String, bool)> {
    let parts = request.chat_history.iter().filter_map(|message| match message {
        RigMessage::User { content } => Some(content),
        _ => None,
    });
    let results = parts.flatten().filter_map(|part| match part {
        UserContent::ToolResult(result) => Some(result),
        _ => None,
    });
    let text = |content: &ToolResultContent| match content {
        ToolResultContent::Json { value } => value.to_string(),
        other => other.as_text().unwrap_or_default().to_owned(),
    };
    results.map(|result| (result.content.iter().map(text).collect(), result.is_error)).collect()
}

#[tokio::test]
async fn rigs_loop_calls_skills_and_gets_their_errors() {
    let model = MockCompletionModel::from_turns([
        MockTurn::tool_call("1", "find_notes", json!({"topics": "roses"})),
        MockTurn::tool_call("2", "find_notes", json!({"topic": "weeds"})),
        MockTurn::tool_call("3", "find_notes", json!({"topic": "roses"})),
        MockTurn::text("Water them."),
    ]);
    let agent = AgentBuilder::new(model.clone())
        .dynamic_tools(skills_rig::tools(&runner()))
        .default_max_turns(9)
        .build();
    assert_eq!(agent.prompt("When?").await.expect("an answer").output(), "Water them.");
    let requests = model.requests();
    // rig offers the same tools as the runner.
    let offered = |request: &CompletionRequest| {
        let mut names: Vec<String> = request.tools.iter().map(|tool| tool.name.to_string()).collect();
        names.sort();
        names
    };
    let mut names: Vec<String> = runner().tool_definitions().into_iter().map(|tool| tool.name).collect();
    names.sort();
    assert!(names.contains(&"find_notes".to_owned()), "{names:?}");
    assert_eq!(offered(&requests[0]), names);
    let results = results_in(requests.last().expect("requests"));
    assert!(
        results[0].0.contains("required: expected the property \"topic\"") && results[0].1,
        "{results:?}"
    );
    assert_eq!(results[1], ("Skill \"find_notes\" failed: the notes are locked".to_owned(), true));
    assert!(results[2].0.contains(r#""text":"roses""#) && !results[2].1, "{results:?}");
}

// The agent of `examples/skills.rs`
#[tokio::test]
async fn the_preamble_lists_the_skills_and_a_tool_loads_one() {
    let load = MockTurn::tool_call("1", "skill", json!({"name": "commit-message"}));
    let model = MockCompletionModel::from_turns([load, MockTurn::text("Done.")]);
    let runner = texts::SKILLS.runner().loader(Loader::Skill).untyped();
    let agent = AgentBuilder::new(model.clone())
        .preamble(format!("You are careful.{}", runner.prompt()))
        .dynamic_tools(skills_rig::tools(&runner))
        .default_max_turns(5)
        .build();
    assert_eq!(agent.prompt("Commit it.").await.expect("an answer").output(), "Done.");
    let requests = model.requests();
    let preamble = requests[0].system_instructions().expect("a preamble");
    assert!(preamble.starts_with("You are careful.") && preamble.contains("commit-message"), "{preamble}");
    let (skill, results) = (texts::SKILLS.commit_message, results_in(requests.last().expect("requests")));
    assert!(matches!(&results[..], [(text, false)] if text.contains(skill.body().trim())), "{results:?}");
}

#[tokio::test]
async fn requests_and_answers_are_converted() {
    let rig = MockCompletionModel::from_turns([MockTurn::tool_call("c9", "sum", json!({"a": 1}))
        .with_usage(Usage::new().input_tokens(3).output_tokens(4))]);
    let call = |id: &str, arguments: &str| ToolCall {
        id: id.to_owned(),
        name: "sum".to_owned(),
        arguments: arguments.to_owned(),
    };
    let picture = Media::new("image/png", MediaSource::Base64("AAAA".to_owned()));
    let request = Request::new(vec![
        Message::system("Be brief."),
        Message::new(Role::User, vec![Part::Text("look".to_owned()), Part::Media(picture)]),
        Message::assistant("two", vec![call("c1", r#"{"a": 1}"#), call("c2", "no json")]),
        Message::tool(ToolResult::new("c1", "sum", "1")),
        Message::tool(ToolResult::new("c2", "sum", "not JSON").with_error(true)),
        Message::user("and?"),
    ])
    .with_tools(vec![ToolDefinition {
        name: "sum".to_owned(),
        description: "Adds.".to_owned(),
        parameters: json!({"type": "object"}),
    }])
    .with_max_tokens(50)
    .with_temperature(0.5)
    .with_response_schema(ResponseSchema { name: "x".to_owned(), schema: json!({"type": "object"}) });
    let model = skills_rig::Model::new(rig.clone());
    let answer = model.complete(&request).await.expect("an answer");
    assert_eq!(answer.tool_calls, [ToolCall { arguments: r#"{"a":1}"#.to_owned(), ..call("c9", "") }]);
    assert_eq!(
        (answer.finish, answer.usage.input_tokens, answer.usage.output_tokens),
        (Finish::ToolCalls, 3, 4)
    );

    let asked = &rig.requests()[0];
    assert_eq!(asked.system_instructions(), Some("Be brief."));
    assert_eq!((asked.max_tokens, asked.temperature), (Some(50), Some(0.5)));
    assert!(asked.output_schema.is_some() && asked.tools.len() == 1);
    // The results for one message of the model are one message, and the user's text continues in it.
    assert_eq!(asked.chat_history.len(), 4);
    assert_eq!(results_in(asked), [("1".to_owned(), false), ("not JSON".to_owned(), true)]);
    let RigMessage::User { content } = &asked.chat_history[1] else { panic!("{asked:?}") };
    assert!(matches!(content[..], [UserContent::Text(_), UserContent::Image(_)]));
    let RigMessage::Assistant(assistant) = &asked.chat_history[2] else { panic!("{asked:?}") };
    let ids: Vec<String> = assistant.tool_calls().map(|call| call.id.wire().into_owned()).collect();
    assert_eq!(ids, ["c1", "c2"]);
}

#[tokio::test]
async fn a_stream_is_converted_with_the_ids_of_its_calls() {
    let rig = MockCompletionModel::from_stream_turns([[
        MockStreamEvent::reasoning("hm"),
        MockStreamEvent::text("s"),
        MockStreamEvent::text("o"),
        MockStreamEvent::tool_call("c1", "a", json!({"x": 1})),
        MockStreamEvent::tool_call_name_delta("c2", "b"),
        MockStreamEvent::tool_call_arguments_delta("c2", "{\"y\""),
        MockStreamEvent::tool_call_arguments_delta("c2", ": 2}"),
        MockStreamEvent::tool_call_end("c2"),
        MockStreamEvent::FinalResponse(Finished::default()),
    ]]);
    let model = skills_rig::Model::new(rig);
    let request = Request::new(vec![Message::user("go")]);
    let deltas: Vec<Delta> = model.stream(&request).map(|delta| delta.expect("no failure")).collect().await;
    let start = |index, id: &str, name: &str| Delta::ToolCallStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
    };
    let arguments = |index, text: &str| Delta::ToolCallArguments { index, text: text.to_owned() };
    let (end, before) = deltas.split_last().expect("an end");
    assert!(matches!(end, Delta::End { finish: Finish::ToolCalls, .. }), "{end:?}");
    let calls =
        [start(0, "c1", "a"), arguments(0, r#"{"x":1}"#), start(1, "c2", "b"), arguments(1, r#"{"y":2}"#)];
    assert_eq!(before.last_chunk::<4>(), Some(&calls));
    let words: Vec<&Delta> = before[..before.len() - 4].iter().collect();
    let text_delta = |text: &str| Delta::Text(text.to_owned());
    assert_eq!(words, [&Delta::Reasoning("hm".to_owned()), &text_delta("s"), &text_delta("o")]);
}

#[tokio::test]
async fn failures_contain_no_secrets_and_unsupported_requests_are_refused() {
    let failing = || MockCompletionModel::from_turns([MockTurn::error("401 for key s3cret")]);
    let asked = Request::new(vec![Message::user("go")]);
    let model = skills_rig::Model::new(failing());
    let error = model.complete(&asked).await.expect_err("it fails");
    assert!(!error.message.contains("s3cret") && !error.is_retryable, "{error:?}");
    let model = skills_rig::Model::new(failing());
    let deltas = model.stream(&asked).collect::<Vec<_>>().await;
    assert!(
        deltas.last().is_some_and(Result::is_err) && !format!("{deltas:?}").contains("s3cret"),
        "{deltas:?}"
    );
    let sound = Media::new("audio/wav", MediaSource::Base64("AAAA".to_owned()));
    for refused in [
        Request::default(),
        Request::new(vec![Message::new(Role::User, vec![Part::Media(sound)])]),
        Request::new(vec![Message::assistant(
            "",
            vec![ToolCall { id: "1".into(), name: String::new(), arguments: String::new() }],
        )]),
    ] {
        let model = skills_rig::Model::new(MockCompletionModel::text("x"));
        assert!(model.complete(&refused).await.is_err(), "{refused:?}");
    }
}

// A skill of mode `llm` asks a model of rig.
#[tokio::test]
async fn a_skill_asks_a_model_of_rig() {
    let rig = MockCompletionModel::from_turns([MockTurn::text(r#"{"text": "Water them."}"#)]);
    let runner = SKILLS.with(Desk).model(skills_rig::Model::new(rig));
    let brief = runner.call(brief::Input { topic: "roses".to_owned() }).await.expect("an output");
    assert_eq!(brief.text.as_deref(), Some("Water them."));
}
