//! Evaluates the skills of the agents offline, by replaying the recorded answers of a model.
//!
//! `SKILLS_MODEL=… SKILLS_BASE_URL=… cargo test -p agents --test evals` records new answers.

use std::path::Path;

use agents::{desk, variable};
use skills::eval::{Cassette, Suite, Trial};
use skills_genai::Genai;

// SPEC 16.10: an agent's own test, of its bundle and its host
#[tokio::test]
async fn the_model_finds_notes_before_it_answers() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = Suite::read(&here.join("../skills")).expect("the cases beside the skills");
    let file = here.join("tests/evals.jsonl");
    let (runner, cassette) = match variable("SKILLS_MODEL") {
        Some(name) => {
            let client = variable("SKILLS_BASE_URL")
                .into_iter()
                .fold(Genai::builder(name), |client, url| client.base_url(url));
            (desk().untyped().model(client.build().expect("a model")), Cassette::record_anew(file))
        }
        None => (desk().untyped(), Cassette::replay(file).expect("what was recorded")),
    };
    let trial = Trial::new(runner).runs(2).concurrency(2).baseline(false).cassette(cassette.clone());
    let report = trial.run(&suite).await.expect("one model");
    cassette.save().expect("the cassette");
    assert!(report.passes(1.0, false), "{}", report.text());
    assert_eq!((report.cases.len(), report.queries.len()), (3, 2));
}
