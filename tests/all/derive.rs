//! Tests `#[derive(skills::Bundle)]`: a struct of the program as its bundle, and several in one module.
#![deny(missing_docs)]

use skills::testing::ScriptedModel;
use skills::{Bundle as _, Context, Failure, Registry};

/// The skills of this repository.
#[derive(Clone, Copy, Debug, Default, skills::Bundle)]
#[skills("skills/")]
pub struct Shipped;

#[derive(skills::Bundle)]
#[skills("examples/skills", allow(long_body), crate = ::skills)]
struct Notes;

struct Desk;

impl notes::Host for Desk {
    async fn find_notes(
        &self,
        input: notes::find_notes::Input,
        _: &Context,
    ) -> Result<notes::find_notes::Output, Failure> {
        let note =
            notes::find_notes::Note { title: input.topic, text: "Water them.".to_owned(), pinned: false };
        Ok(notes::find_notes::Output { notes: vec![note] })
    }
}

/// A function that takes any bundle, like the functions of `load`, `install` and the commands.
fn count(bundle: &'static impl skills::Bundle) -> (usize, &'static str) {
    (bundle.registry().len(), bundle.package())
}

// SPEC 6.12
#[test]
fn a_struct_is_a_registry_with_a_field_for_each_skill() {
    assert_eq!(Shipped.commit_message.name(), "commit-message");
    assert_eq!(Shipped.get("commit-message").map(|skill| skill.body()), Some(Shipped.commit_message.body()));
    let registry: &Registry = &Shipped;
    assert_eq!(registry.len(), Shipped.iter().count());
    assert_eq!(count(&Shipped), (registry.len(), "skills-bundle"));
    assert_eq!(count(&Notes), (3, "skills-bundle"));
    let input = shipped::code_review::Input { code: Some("x".to_owned()), ..Default::default() };
    assert_eq!(input.to_json(), r#"{"code":"x","severity":"all"}"#);
}

// SPEC 6.12, 6.2
#[tokio::test]
async fn the_functions_of_a_struct_are_called_with_a_host() {
    let runner = Notes.with(Desk).model(ScriptedModel::default().text(r#"{"text": "Often."}"#));
    let brief = runner.call(notes::brief::Input { topic: "roses".to_owned() }).await.unwrap();
    assert_eq!((brief.text.as_deref(), brief.sources), (Some("Often."), vec!["roses".to_owned()]));
    assert!(Notes.functions().is_some());
    assert!(!Notes.runner().is_callable("find_notes"), "no host was given");
}
