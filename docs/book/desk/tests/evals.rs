//! Replays the recorded answers of a model to the cases in `skills/*/evals`.

use desk::{Desk, SKILLS};
use skills::eval::{Cassette, Suite, Trial};
use skills::testing::ScriptedModel;

#[tokio::test]
async fn the_recorded_answers_pass() {
    let file = "tests/evals.jsonl";
    let runner = SKILLS.with(Desk::default());
    // A real test creates `skills_genai::client(…)` here.
    let (runner, cassette) = if std::env::var_os("DESK_RECORD").is_some() {
        let model = ScriptedModel::default().text(r#"{"text": "Water roses twice a week."}"#);
        (runner.model(model), Cassette::record(file).unwrap())
    } else {
        (runner, Cassette::replay(file).unwrap())
    };
    let suite = Suite::read("skills".as_ref()).unwrap();
    let report = Trial::new(runner).cassette(cassette.clone()).runs(1).run(&suite).await.unwrap();
    cassette.save().unwrap(); // a replay writes nothing
    assert!(report.passes(1.0, false), "{}", report.text());
}
