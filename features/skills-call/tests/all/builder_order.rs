//! Tests that the order of builder calls does not matter.

use serde_json::json;
use skills_call::{Functions, Runner};
use skills_load::Layers;

use crate::functions::{self, Answer, host, manifest};

const ANY: &str = r#"{"type": "object"}"#;

const GATED: &str = "---\nrequires: [cap:shell]\n---\nRead this.\n";

/// Returns a bundle with a skill of each name. Those that begin with `g` require the capability `shell`.
fn bundle(names: &[&str]) -> &'static Functions {
    let files: Vec<(String, String)> = names
        .iter()
        .flat_map(|name| {
            let document = name.starts_with('g').then(|| (format!("{name}/SKILL.md"), GATED.to_owned()));
            let function = (format!("{name}/skill.json"), manifest(name, "code", ANY, ANY, ""));
            document.into_iter().chain([function])
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    functions::functions(&files)
}

fn layers(functions: &'static Functions) -> Layers {
    Layers::builder().bundle(functions).load().expect("readable")
}

fn names(runner: &Runner) -> Vec<&str> {
    runner.skills().skills().into_iter().map(|skill| skill.name()).collect()
}

/// Applies three changes to a runner, in each of the six orders.
fn in_each_order(start: &Runner, changes: [&dyn Fn(Runner) -> Runner; 3], check: impl Fn(&Runner)) {
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        check(&changes[c](changes[b](changes[a](start.clone()))));
    }
}

// SPEC 6.5: layers that are set later are restricted too, and get the grants of the runner.
#[test]
fn a_restriction_and_a_grant_apply_in_any_order() {
    let functions = bundle(&["a", "b", "gc", "gd"]);
    let start: Runner = Runner::of_bundle(functions, None);
    let grant = |runner: Runner| runner.grant(|capability| capability == "shell");
    let only = |runner: Runner| runner.only(|skill| !["b", "gd"].contains(&skill.name()));
    let over = |runner: Runner| runner.layers(layers(functions));
    in_each_order(&start, [&grant, &only, &over], |runner| assert_eq!(names(runner), ["a", "gc"]));
    let library = |runner: Runner| runner.library(functions.clone());
    in_each_order(&start, [&grant, &only, &library], |runner| assert_eq!(names(runner), ["a", "gc"]));
    // Two restrictions hold together, and so do two grants.
    let start = grant(start).only(|skill| skill.name() != "a");
    assert_eq!(names(&only(start.clone())), ["gc"]);
    assert_eq!(names(&start.grant(|_| false)), ["b", "gc", "gd"]);
}

// SPEC 6.6: the skills and the host of another bundle are kept, whatever is set later.
#[tokio::test]
async fn a_merged_runner_is_kept_in_any_order() {
    let (own, other) = (bundle(&["a", "both"]), bundle(&["both", "ge", "z"]));
    let says = |who: &'static str| {
        host(move |_, _, _| -> Option<Answer<'_>> { Some(Box::pin(async move { Ok(json!({"by": who})) })) })
    };
    let other: Runner = Runner::of_bundle(other, Some(std::sync::Arc::new(says("other"))));
    let start: Runner = Runner::of_bundle(own, None);
    let merge = |runner: Runner| runner.merge(other.clone().only(|skill| skill.name() != "z"));
    let over = |runner: Runner| runner.layers(layers(own)).grant(|_| true);
    let host = |runner: Runner| {
        runner.host(host(|skill, _, _| -> Option<Answer<'_>> {
            (skill != "ge").then(|| -> Answer<'_> { Box::pin(async { Ok(json!({"by": "own"})) }) })
        }))
    };
    in_each_order(&start, [&merge, &over, &host], |runner| {
        assert_eq!(names(runner), ["a", "both", "ge"]);
        assert!(runner.is_callable("both") && runner.is_callable("ge") && !runner.is_callable("z"));
    });
    let runner = host(over(merge(start)));
    assert_eq!(
        runner.call_json("ge", json!({})).await.expect("served by its own host"),
        json!({"by": "other"})
    );
    assert_eq!(runner.call_json("both", json!({})).await.expect("served"), json!({"by": "own"}));
    runner.call_json("z", json!({})).await.expect_err("the merged runner was narrowed");
}

// SPEC 2.9: a skill that requires a capability hides skills of other bundles, too.
#[test]
fn a_gated_skill_does_not_bring_back_what_it_hides() {
    let (own, other) = (bundle(&["g"]), bundle(&["g", "z"]));
    let runner: Runner = Runner::of_bundle(own, None);
    let other: Runner = Runner::of_bundle(other, None).grant(|_| true);
    assert_eq!(names(&runner.merge(other)), ["z"]);
}
