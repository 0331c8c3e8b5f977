//! Tests that the order of builder calls does not matter.

use serde_json::json;
use skills_call::{CallError, ErrorKind, Functions, Input, Output, Runner};
use skills_load::{Layers, LayersBuilder};
use skills_runtime::typed::Invalid;

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
    LayersBuilder::new().bundle(functions).load().expect("readable")
}

fn names(runner: &Runner) -> Vec<&str> {
    runner.skills().iter().map(|skill| skill.name()).collect()
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
    let library = |runner: Runner| runner.layers(functions);
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
    let by_own_host = runner.call_json("both", json!({})).await.expect("served");
    assert_eq!(by_own_host, json!({"by": "own"}), "the host of the runner serves code skills of any bundle");
    let lost = runner.problems();
    assert!(
        lost.len() == 1 && lost[0].starts_with("`both` of ") && lost[0].contains("shadowed by `both`"),
        "{lost:?}"
    );
    runner.call_json("z", json!({})).await.expect_err("the merged runner was narrowed");
}

// SPEC 2.9: a skill that requires a capability hides skills of other bundles, too.
#[test]
fn a_gated_skill_does_not_bring_back_what_it_hides() {
    let (own, other) = (bundle(&["g", "z"]), bundle(&["g"]));
    let runner: Runner = Runner::of_bundle(own, None).grant(|_| true);
    let merged = runner.clone().merge(Runner::new(other.registry()).only(|_| true));
    assert_eq!(names(&merged), ["g", "z"], "the grant applies to both");
    let layers = LayersBuilder::new().bundle(other).load().expect("readable");
    let merged = Runner::<()>::of_bundle(own, None).merge(Runner::new(layers));
    assert_eq!(names(&merged), ["z"]);
}

// SPEC 6.6: layers lie above the runners that were merged before, and a bundle counts at its place in them.
#[tokio::test]
async fn layers_lie_above_merged_bundles() {
    let files = [("own", bundle(&["both", "mine"])), ("team", bundle(&["both", "shared"]))];
    let [own, team] = files.map(|(who, functions)| {
        let host = host(move |skill, _, _| -> Option<Answer<'_>> {
            let by = format!("{skill} {who}");
            Some(Box::pin(async move { Ok(json!({ "by": by })) }))
        });
        (functions, std::sync::Arc::new(host))
    });
    let own_runner = || Runner::<Own>::of_bundle(own.0, Some(own.1.clone()));
    let team_runner = || Runner::<Other>::of_bundle(team.0, Some(team.1.clone()));
    let user = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(user.path().join("both")).expect("a directory");
    let changed = manifest("both", "code", ANY, ANY, "").replacen("Does both.", "Of the user", 1);
    std::fs::write(user.path().join("both/skill.json"), changed).expect("a file");
    let layers = |bundles: &[&'static Functions]| {
        let builder = bundles.iter().fold(LayersBuilder::new(), |builder, bundle| builder.bundle(*bundle));
        builder.directory(user.path()).load().expect("readable")
    };
    let all = || layers(&[team.0, own.0]);
    let runners = [
        team_runner().merge(own_runner()).layers(all()),
        team_runner().layers(layers(&[team.0])).merge(own_runner().layers(layers(&[own.0]))),
        team_runner().merge(own_runner().layers(all())),
        team_runner().merge(own_runner().layers(layers(&[own.0]))),
        team_runner().merge(own_runner()).layers(layers(&[])).layers(all()),
    ];
    for (at, runner) in runners.into_iter().enumerate() {
        let runner = runner.untyped();
        assert_eq!(names(&runner), ["both", "mine", "shared"], "{at}");
        assert_eq!(runner.skills().get("both").expect("found").description(), "Of the user", "{at}");
        let answer = runner.call_json("shared", json!({})).await.expect("served by the host of its bundle");
        assert_eq!(answer, json!({"by": "shared team"}), "{at}");
        let problems = runner.problems();
        let losers = problems.iter().filter(|line| line.starts_with("`both` of the bundle of `"));
        assert_eq!(losers.count(), 2, "{at}: {problems:?}");
        assert!(problems.iter().all(|line| line.starts_with("`both` of ")), "{at}: {problems:?}");
    }
    // A bundle that was merged stays below; the first one is replaced, and this is reported.
    let runner = team_runner().merge(own_runner()).layers(layers(&[])).untyped();
    assert_eq!(names(&runner), ["both", "mine"]);
    assert_eq!(runner.skills().get("both").expect("found").description(), "Of the user");
    let problems = runner.problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("the layers do not contain the bundle of `"), "{problems:?}");
    assert!(problems[0].ends_with("::Other`, so its skills are not used"), "{problems:?}");
}

struct Own;
struct Other;

/// Defines the typed input of the skill `both` of a bundle.
macro_rules! input {
    ($name:ident, $bundle:ident, $skill:literal) => {
        struct $name;

        impl Input for $name {
            type Bundle = $bundle;
            type Output = Text;
            const NAME: &'static str = $skill;

            fn to_json(&self) -> String {
                "{}".to_owned()
            }
        }
    };
}

input!(OwnBoth, Own, "both");
input!(OtherBoth, Other, "both");
input!(OtherAlone, Other, "alone");

struct Text(String);

impl Output for Text {
    fn from_json(text: &str) -> Result<Self, Invalid> {
        Ok(Self(text.to_owned()))
    }
}

/// Returns a runner of a bundle whose host answers with a text.
fn runner<B: 'static>(names: &[&str], who: &'static str) -> Runner<B> {
    let host =
        host(move |_, _, _| -> Option<Answer<'_>> { Some(Box::pin(async move { Ok(json!({"by": who})) })) });
    Runner::of_bundle(bundle(names), Some(std::sync::Arc::new(host)))
}

// SPEC 6.6: a typed call reaches the skill of its own bundle, also below another one of the same name.
#[tokio::test]
async fn typed_calls_reach_every_merged_bundle() {
    let own = || runner::<Own>(&["both", "mine"], "own");
    let other = || runner::<Other>(&["alone", "both"], "other");
    let (first, second) = (own().merge(other()).untyped(), other().merge(own()).untyped());
    for (runner, winner) in [(&first, "other"), (&second, "own")] {
        let by_name = runner.call_json("both", json!({})).await.expect("served");
        assert_eq!(by_name, json!({"by": winner}), "the bundle that was merged last wins");
        let texts = [
            runner.call(OwnBoth).await.expect("served").0,
            runner.call(OtherBoth).await.expect("served").0,
            runner.call(OtherAlone).await.expect("served").0,
        ];
        assert_eq!(texts, [r#"{"by":"own"}"#, r#"{"by":"other"}"#, r#"{"by":"other"}"#]);
        assert_eq!(runner.problems().len(), 1, "{:?}", runner.problems());
    }
    let line = &first.problems()[0];
    assert!(
        line.contains("`both` of the bundle of `") && line.contains("::Own`") && line.contains("::Other`"),
        "{line}"
    );
    let refused = own().call(OtherBoth).await.err().expect("another bundle");
    assert!(matches!(&refused, CallError::OtherBundle { skill } if skill == "both"), "{refused}");
    assert_eq!(refused.kind(), ErrorKind::NotFound);
}

// SPEC 6.6, 1.5: names that differ only in `-` and `_` are one name, as in layers.
#[test]
fn merged_bundles_agree_with_layers_on_names() {
    const TEXT: &str = "---\nname: a-b\ndescription: New.\n---\nRead this.\n";
    let document = functions::functions(&[("a-b/SKILL.md", TEXT)]);
    let function = bundle(&["a_b", "c"]);
    for (low, high, expected) in [(document, function, ["a_b", "c"]), (function, document, ["a-b", "c"])] {
        let layers = LayersBuilder::new().bundle(low).bundle(high).load().expect("readable");
        let winners: Vec<&str> = layers.iter().map(|skill| skill.name()).collect();
        let merged = Runner::<()>::of_bundle(low, None).merge(Runner::<()>::of_bundle(high, None));
        assert_eq!((winners, names(&merged)), (expected.to_vec(), expected.to_vec()));
        assert_eq!((layers.shadowed().count(), merged.problems().len()), (1, 1));
        assert_eq!(Runner::new(layers).problems().len(), 1);
        let lost = if expected[0] == "a_b" { "a-b" } else { "a_b" };
        assert!(merged.skills().get(lost).is_none() && merged.skills().function(lost).is_none());
    }
}
