//! Parses and evaluates every example of `docs/GRAMMAR.md`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::Value as Json;
use skills_template::render::{RenderLimits, Scope, evaluate, holds, print, render};
use skills_template::{ParsedTemplate, parse_condition, parse_prompt, parse_template};

use crate::to_json;

/// Returns the result of an example, as written on the page.
fn outcome(kind: &str, text: &str, scope: &Json) -> Result<Option<Json>, String> {
    let parsed: ParsedTemplate = match kind {
        "template" => parse_template(text),
        "prompt" => parse_prompt(text),
        "condition" => parse_condition(text),
        other => panic!("unknown kind of example: {other}"),
    };
    let tree = parsed.into_result().map_err(|errors| {
        let error = &errors[0];
        format!("{} {}", error.problem.code(), Json::from(&text[error.span.range()]))
    })?;
    let scope =
        scope.as_object().into_iter().flatten().fold(Scope::default(), |all, (k, v)| all.with_json(k, v));
    let limits = RenderLimits::default();
    Ok(match kind {
        "template" => to_json(&evaluate(tree.root(), &scope, limits).unwrap(), limits).unwrap(),
        "prompt" => Some(Json::from(render(tree.root(), &scope, limits).unwrap())),
        _ => Some(Json::from(holds(tree.root(), &scope, limits).unwrap())),
    })
}

// SPEC 5.1, 5.2, 5.3, 5.4, 5.8
#[test]
fn the_examples_of_the_page_are_correct() {
    let page = include_str!("../../../../docs/GRAMMAR.md");
    let (mut scope, mut inside, mut count) = (Json::Null, false, 0);
    let mut wrong = Vec::new();
    for (number, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```examples";
            continue;
        }
        let Some((kind, rest)) = line.split_once(' ').filter(|_| inside) else { continue };
        if kind == "scope" {
            scope = serde_json::from_str(rest).unwrap();
            continue;
        }
        let (text, expected) = rest.rsplit_once("=>").unwrap();
        let (text, expected) = (text.strip_suffix(' ').unwrap_or(text), expected.trim());
        let expected = match expected.split_once(' ') {
            Some(("error", what)) => Err(what.to_owned()),
            _ if expected == "missing" => Ok(None),
            _ => Ok(Some(serde_json::from_str(expected).unwrap())),
        };
        let found = outcome(kind, text, &scope);
        if found != expected {
            wrong.push(format!("GRAMMAR.md:{}: {line}\n  found {found:?}", number + 1));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} examples were found");
}

// SPEC 5.1: a printed tree parses to the same tree.
#[test]
fn printed_examples_parse_to_the_same_tree() {
    for line in include_str!("../../../../docs/GRAMMAR.md").lines() {
        let Some((text, _)) = line.rsplit_once("=>") else { continue };
        for (kind, parse) in [
            ("template ", parse_template as fn(&str) -> ParsedTemplate),
            ("prompt ", parse_prompt),
            ("condition ", parse_condition),
        ] {
            let Some(tree) = text.strip_prefix(kind).and_then(|text| parse(text).tree) else { continue };
            let printed = print(tree.root());
            let again = parse(&printed).into_result().unwrap_or_else(|e| panic!("{printed}: {e:?}"));
            assert_eq!(tree.parts(), again.parts(), "{text} became {printed}");
        }
    }
}
