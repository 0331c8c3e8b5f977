//! Tests the pipeline `brief` with a model that answers from a script.

use desk::{Desk, SKILLS, brief};
use skills::testing::ScriptedModel;

#[tokio::test]
async fn a_brief_names_its_sources() {
    let model = ScriptedModel::default().text(r#"{"text": "Water them twice a week."}"#);
    let runner = SKILLS.with(Desk::default()).model(model);
    let brief = runner.call(brief::Input { topic: "roses".to_owned() }).await.unwrap();
    assert_eq!(brief.text.as_deref(), Some("Water them twice a week."));
    assert_eq!(brief.sources, ["Roses"]);
}

#[tokio::test]
async fn a_model_is_not_asked_without_notes() {
    let runner = SKILLS.with(Desk::default()).model(ScriptedModel::default()); // it fails if it is asked
    let brief = runner.call(brief::Input { topic: "snow".to_owned() }).await.unwrap();
    assert_eq!((brief.text, brief.sources.len()), (None, 0));
}
