//! Tests bundled skills as functions: of a host, with a model, in a pipeline; typed and by name.
#![deny(missing_docs)]

use skills::testing::ScriptedModel;
use skills::{CallError, Context, Failure};

skills::skills!("examples/skills");

/// A host with one note for each of its topics.
struct Notes(Vec<&'static str>);

impl Host for Notes {
    async fn find_notes(
        &self,
        input: find_notes::Input,
        context: &Context,
    ) -> Result<find_notes::Output, Failure> {
        if input.topic == "trouble" {
            return Err("the notes are on fire".into());
        }
        context.scratch(|map| map.insert("limit".to_owned(), input.limit.into()));
        let notes = self.0.iter().filter(|note| note.contains(&input.topic)).map(|note| find_notes::Note {
            title: input.topic.clone(),
            text: (*note).to_owned(),
            pinned: false,
        });
        Ok(find_notes::Output { notes: notes.collect() })
    }
}

fn host() -> Notes {
    Notes(vec!["rust is a language", "rust never sleeps", "go is a game"])
}

fn find(topic: &str) -> find_notes::Input {
    find_notes::Input { topic: topic.to_owned(), limit: 3 }
}

// SPEC 6.2
#[tokio::test]
async fn a_code_skill_is_a_method_of_the_host() {
    let runner = SKILLS.with(host());
    let output: find_notes::Output = runner.call(find("rust")).await.unwrap();
    assert_eq!(output.notes.len(), 2);
    assert_eq!(output.notes[1].text, "rust never sleeps");
    let any = runner.call_json("find_notes", serde_json::json!({"topic": "go"})).await.unwrap();
    assert_eq!(any, serde_json::json!({"notes": [{"title": "go", "text": "go is a game", "pinned": false}]}));
    let failed = runner.call(find("trouble")).await.unwrap_err();
    assert_eq!(failed.to_string(), "Skill \"find_notes\" failed: the notes are on fire");
    assert!(runner.is_callable("find_notes") && !runner.is_callable("tell") && !runner.is_callable("find"));
}

// SPEC 6.4, 6.1: rules that the types cannot express are checked, too.
#[tokio::test]
async fn a_typed_input_is_checked() {
    let input = find_notes::Input { topic: String::new(), limit: 101 };
    let refused = SKILLS.with(host()).call(input).await.unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, CallError::InvalidInput { .. }), "{text}");
    assert!(text.starts_with("Skill \"find_notes\" input validation failed\n"), "{text}");
    assert!(text.contains("/topic: minLength: ") && text.contains("/limit: maximum: "), "{text}");
}

// SPEC 7.1, 6.4
#[tokio::test]
async fn a_call_has_options_and_an_account() {
    let model = ScriptedModel::default().silence().silence().silence();
    let limit = std::time::Duration::from_millis(20);
    let options = skills::CallOptions::default().timeout(limit);
    let input = tell::Input { topic: "rust".to_owned(), ..Default::default() };
    let late = SKILLS.with(host()).model(model).call_with(input, options).await.unwrap_err();
    assert_eq!(late.to_string(), "Skill \"tell\" timed out after 20ms");
    let outcome = SKILLS.with(host()).call_with(find("rust"), skills::CallOptions::default()).await.unwrap();
    assert_eq!((outcome.output.notes.len(), outcome.usage.input_tokens), (2, 0));
}

// SPEC 6.2, 3.4
#[tokio::test]
async fn without_a_host_a_code_skill_says_so() {
    let runner = SKILLS.runner();
    let message = runner.call(find("rust")).await.unwrap_err().to_string();
    assert_eq!(message, "Skill \"find_notes\" (code) has no host function and no exec");
    assert!(!runner.is_callable("find_notes"));
}

// SPEC 5.8, 7.5: the model reads the text that the generated function renders.
#[tokio::test]
async fn a_prompt_is_a_function_of_the_input() {
    let notes = ["one", "two"].map(|title| tell::Note {
        title: title.to_owned(),
        text: format!("{title}!"),
        pinned: title == "two",
    });
    let input = tell::Input {
        topic: " things ".to_owned(),
        notes: notes.into(),
        tone: tell::Tone::Warm,
        sentences: None,
    };
    let prompt = input.prompt().unwrap();
    assert_eq!(
        prompt,
        "You sum up notes for someone who has no time to read them.\n\n\
         Tell in at most 3 sentences, in a warm tone, what these 2 notes say about\n\
         \"things\". Say nothing that is not in them.\n\n\
         0. ONE: one!\n1. TWO (important): two!\n\nBegin with \"one\".\n"
    );

    let model = ScriptedModel::default().text(r#"{"text": "Things."}"#);
    let output = SKILLS.runner().model(model.clone()).call(input).await.unwrap();
    assert_eq!(output.text, "Things.");
    let request = format!("{:?}", model.requests());
    assert!(request.contains(&format!("{:?}", prompt.trim_end()).trim_matches('"').to_owned()), "{request}");
}

// SPEC 5.6, 5.4
#[tokio::test]
async fn a_pipeline_calls_the_host_and_the_model() {
    let model = ScriptedModel::default().text(r#"{"text": "It is a language that never sleeps."}"#);
    let runner = SKILLS.with(host()).model(model);
    let output = runner.call(brief::Input { topic: "rust".to_owned() }).await.unwrap();
    assert_eq!(output.text.as_deref(), Some("It is a language that never sleeps."));
    assert_eq!(output.sources, ["rust", "rust"]);
    let nothing = runner.call(brief::Input { topic: "snow".to_owned() }).await.unwrap();
    assert_eq!((nothing.text, nothing.sources.len()), (None, 0));
}
