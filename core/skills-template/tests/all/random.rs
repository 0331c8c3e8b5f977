//! Tests properties on random and mutated texts and values: no panic, errors inside the text, printing loses
//! nothing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::{Value as Json, json};
use skills_template::render::{RenderLimits, Scope, evaluate, holds, print, render};
use skills_template::{
    Expr, ParsedTemplate, TemplateNode, escape, parse_condition, parse_prompt, parse_template,
};

use crate::generator::Random;
use crate::{deep, to_json};

impl Random {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const SEEDS: [&str; 8] = [
    r"{{steps.search.results | map: snippet | join: '\n\n'}}",
    "{{a || input.b || 'c\\u4e2d' | default: -1.5e3}} || {{input.x}} {{{{x}}}}",
    "{{#if input.a}}x{{else}}y{{#each input.l}}{{index}}{{item.a[\"b c\"].0}}{{/each}}{{/if}}",
    "{{#raw}}{{x}}{{/raw}}}} }}}} {{input | json}}",
    "{{input.l | where: a: 'b' | sort: k.j | uniq: 'q' | slice: -3: 2 | size}}",
    "!(input.n == 3 && {{input.s}} >= 'b') || input.l | size < 2 && null != input.o",
    "技能 {{ input.主题 | truncate: 3 | upcase | strip }} é",
    "{{input.f | round: 2}}{{input.l | first}}{{input.l | last | map: a}}{{true}}{{null}}",
];

const PIECES: [&str; 66] = [
    "{{",
    "}}",
    "{",
    "}",
    "{{{{",
    "}}}}",
    "|",
    "||",
    "&&",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    ":",
    ".",
    "[",
    "]",
    "(",
    ")",
    "'",
    "\"",
    "\\",
    "\\n",
    "\\u12",
    "\\ud83d",
    " ",
    "\n",
    "input",
    "item",
    "index",
    "l",
    "a",
    "0",
    "1",
    "-2",
    "1.5",
    "1e9",
    "true",
    "null",
    "map",
    "join",
    "slice",
    "default",
    "json",
    "first",
    "sort",
    "uniq",
    "where",
    "truncate",
    "round",
    "size",
    "{{#if ",
    "{{else}}",
    "{{/if}}",
    "{{#each ",
    "{{/each}}",
    "{{#raw}}",
    "{{/raw}}",
    "=",
    ",",
    "中",
    "\u{301}",
    "😀",
];

fn random_value(random: &mut Random, depth: usize) -> Json {
    match random.below(if depth > 3 { 9 } else { 13 }) {
        0 => Json::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(5)),
        3 => json!(f64::from(u32::try_from(random.below(1000)).unwrap()) / 8.0 - 20.0),
        4 => json!(random.pick(&[i64::MIN, i64::MAX, -1, 0])),
        5 => json!(random.pick(&[1e300, 1e-300, 3.0, -0.0])),
        6 => json!(random.pick(&["", "a", "b", "中文é", "ß ", "\u{1}\"\\", "{{input}}"])),
        7 => json!(u64::MAX),
        8 => json!([]),
        9..=10 => (0..random.below(5)).map(|_| random_value(random, depth + 1)).collect(),
        _ => {
            let keys = ["a", "b c", "l", "n", "k", "s", "主题", "0"];
            let count = random.below(5);
            Json::Object(
                (0..count)
                    .map(|_| (random.pick(&keys).to_owned(), random_value(random, depth + 1)))
                    .collect(),
            )
        }
    }
}

fn random_text(random: &mut Random) -> String {
    if random.below(2) == 0 {
        return (0..random.below(14)).map(|_| random.pick(&PIECES)).collect();
    }
    let mut chars: Vec<char> = random.pick(&SEEDS).chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        match random.below(4) {
            0 => drop(chars.splice(at.., [])),
            1 => drop(chars.splice(at..at, random.pick(&PIECES).chars())),
            2 if at < chars.len() => drop(chars.remove(at)),
            _ => {
                let end = (at + random.below(8)).min(chars.len());
                let copied = chars[at..end].to_vec();
                let to = random.below(chars.len() + 1);
                drop(chars.splice(to..to, copied));
            }
        }
    }
    chars.into_iter().collect()
}

/// Checks that spans nest, and that the span of a name contains it.
fn check_spans(node: TemplateNode<'_>, text: &str) {
    let range = node.span().unwrap().range();
    let spelling = text.get(range.clone()).unwrap_or_else(|| panic!("{range:?} in {text:?}"));
    match node.expr() {
        Expr::Number(number) => assert_eq!(number, spelling),
        Expr::Key(key) if !spelling.starts_with(['\'', '"']) => assert_eq!(key, spelling),
        Expr::String(_) => assert!(spelling.starts_with(['\'', '"'])),
        Expr::If { .. } | Expr::Each { .. } => {
            assert!(spelling.starts_with("{{") && spelling.ends_with("}}"))
        }
        _ => {}
    }
    let mut end = range.start;
    for child in node.children() {
        let inner = child.span().unwrap().range();
        // Parentheses belong to no span, so a child may extend beyond its parent only if there are some.
        assert!(inner.start >= end && (inner.end <= range.end || text.contains(')')), "{text:?}: {node:?}");
        assert!(child.index() < node.index());
        end = inner.end;
        check_spans(child, text);
    }
}

// SPEC 5.1, 5.4, 5.8
#[test]
fn no_text_and_no_value_can_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let limits = RenderLimits { bytes: 5_000, steps: 5_000 };
    let (mut parsed_well, mut evaluated) = (0, 0);
    let mut input = Json::Null;
    let rounds = test_bed::rounds(24_000);
    for round in 0..rounds {
        if round % 20 == 0 {
            input = random_value(&mut random, 0);
        }
        let text = random_text(&mut random);
        let parse = [parse_template as fn(&str) -> ParsedTemplate, parse_prompt, parse_condition][round % 3];
        let parsed = parse(&text);
        for error in &parsed.errors {
            assert!(text.get(error.span.range()).is_some(), "{text:?}: {error:?}");
            assert!(!error.to_string().is_empty());
            if let Some((span, escaped)) = &error.escaped {
                assert_eq!(*escaped, escape(&text[span.range()]));
            }
            error.help();
        }
        for lint in &parsed.lints {
            assert!(
                text.get(lint.span.range()).is_some() && lint.corrected.contains(&lint.replacement),
                "{text:?}"
            );
        }
        let Some(tree) = parsed.tree else { continue };
        parsed_well += 1;
        check_spans(tree.root(), &text);
        let printed = print(tree.root());
        let again =
            parse(&printed).into_result().unwrap_or_else(|e| panic!("{text:?} became {printed:?}: {e:?}"));
        assert_eq!(tree.parts(), again.parts(), "{text:?} became {printed:?}");
        let scope =
            Scope::default().with_json("input", &input).with_json("item", &input).with_json("a", &input);
        let value = evaluate(tree.root(), &scope, limits);
        let shown = render(tree.root(), &scope, limits);
        let decided = holds(tree.root(), &scope, limits);
        let Ok(value) = value else {
            assert!(decided.is_err());
            continue;
        };
        evaluated += 1;
        assert_eq!(decided.unwrap(), value.is_truthy());
        // The text of a value is the same as that of the JSON result (SPEC 5.2).
        if let (Ok(shown), Ok(json)) = (shown, to_json(&value, limits)) {
            let expected = match json {
                None | Some(Json::Null) => String::new(),
                Some(Json::String(text)) => text,
                Some(other) if text.contains("1e9") || printed.contains("e") => {
                    // A literal keeps its notation in text; serde_json normalizes it.
                    drop(other);
                    continue;
                }
                Some(other) => other.to_string(),
            };
            if !printed.contains("1.5") && !printed.contains("-0") {
                assert_eq!(shown, expected, "{text:?}");
            }
        }
    }
    assert!(
        parsed_well > rounds / 5 && evaluated > rounds / 8,
        "{parsed_well} parsed, {evaluated} evaluated"
    );
}

// SPEC 5.2
#[test]
fn templates_in_random_values_are_rendered_or_refused() {
    let mut random = Random(42);
    let limits = RenderLimits { bytes: 5_000, steps: 5_000 };
    let mut rendered = 0;
    let rounds = test_bed::rounds(2_000);
    for _ in 0..rounds {
        let mut templates = random_value(&mut random, 0);
        let input = random_value(&mut random, 0);
        let text = random_text(&mut random);
        if let Some(slot) = templates.pointer_mut("/a") {
            *slot = Json::String(text);
        }
        let scope = Scope::default().with_json("input", &input);
        let Ok(tree) = deep::parse(&templates).into_result() else { continue };
        let made = evaluate(tree.root(), &scope, limits);
        rendered += usize::from(made.is_ok_and(|value| to_json(&value, limits).is_ok()));
    }
    assert!(rendered > rounds / 2, "{rendered}");
}

// SPEC 5.8: every escaped text is printed as the original.
#[test]
fn any_text_can_be_escaped() {
    let mut random = Random(7);
    for _ in 0..test_bed::rounds(5_000) {
        let text = random_text(&mut random);
        let tree = parse_prompt(&escape(&text)).into_result().unwrap();
        assert_eq!(render(tree.root(), &Scope::default(), RenderLimits::default()).unwrap(), text);
    }
}
