//! Tests that values keep their types, errors are typed, and all sizes are limited.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::{Value as Json, json};
use skills_template::render::{
    EvalFault, Number, RenderError, RenderLimits, Scope, Value, apply, evaluate, render,
};
use skills_template::{
    Filter, ParsedTemplate, TemplateNode, Tree, Type, parse_condition, parse_prompt, parse_template,
};

use crate::{deep, to_json};

fn tree(parsed: ParsedTemplate) -> Tree {
    parsed.into_result().unwrap()
}

fn scope(input: &Json) -> Scope<'_> {
    Scope::default().with_json("input", input)
}

fn value(text: &str, input: &Json) -> Option<Json> {
    let tree = tree(parse_template(text));
    to_json(&evaluate(tree.root(), &scope(input), RenderLimits::default()).unwrap(), RenderLimits::default())
        .unwrap()
}

/// Evaluates the templates in a JSON value.
fn rendered(templates: &Json, input: &Json, limits: RenderLimits) -> Result<Option<Json>, EvalFault> {
    let tree = tree(deep::parse(templates));
    to_json(&evaluate(tree.root(), &scope(input), limits).map_err(|error| error.fault)?, limits)
}

fn fault(text: &str, input: &Json) -> RenderError {
    let tree = tree(parse_prompt(text));
    render(tree.root(), &scope(input), RenderLimits::default()).unwrap_err()
}

// SPEC 5.1
#[test]
fn the_flagship_template_works() {
    let steps = json!({"search": {"results": [{"snippet": "a"}, {"snippet": "b"}]}});
    let tree = tree(parse_template(r"{{steps.search.results | map: snippet | join: '\n\n'}}"));
    let scope = Scope::default().with_json("steps", &steps);
    assert_eq!(render(tree.root(), &scope, RenderLimits::default()).unwrap(), "a\n\nb");
}

// SPEC 5.2
#[test]
fn a_whole_template_keeps_its_type() {
    let input =
        json!({"v": [null, true, 0, -1, 1.5, 3.0, 1e300, u64::MAX, "", "x", [], {}, [1, {"a": [2]}]]});
    for (index, expected) in input["v"].as_array().unwrap().iter().enumerate() {
        let found = value(&format!("{{{{input.v.{index}}}}}"), &input).unwrap();
        assert_eq!(found.to_string(), expected.to_string());
        let text = value(&format!("<{{{{input.v.{index}}}}}>"), &input).unwrap();
        let shown = match expected {
            Json::Null => String::new(),
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(text, format!("<{shown}>"));
    }
    assert_eq!(value("{{12345678901234567890}}", &input), Some(json!(12345678901234567890_u64)));
    assert_eq!(
        value("{{-0}} {{123456789012345678901234567890}}", &input),
        Some(json!("-0 123456789012345678901234567890"))
    );
}

// SPEC 5.2: templates at any depth; a missing value removes its key, and is null in an array.
#[test]
fn templates_work_at_any_depth() {
    let input = json!({"topic": "rust", "l": [1, 2], "nul": null});
    let templates = json!({
        "query": "about {{input.topic}}",
        "limit": 10,
        "list": ["{{input.l}}", "{{input.absent}}", {"x": "{{input.absent}}", "{{y}}": "{{input.nul}}"}],
        "gone": "{{input.absent}}",
        "kept": "{{input.absent}}!",
        "deep": {"er": {"all": "{{input}}"}},
    });
    let found = rendered(&templates, &input, RenderLimits::default()).unwrap().unwrap();
    let expected = json!({
        "query": "about rust",
        "limit": 10,
        "list": [[1, 2], null, {"{{y}}": null}],
        "kept": "!",
        "deep": {"er": {"all": input}},
    });
    assert_eq!(found, expected);
    assert_eq!(rendered(&json!("{{input.absent}}"), &input, RenderLimits::default()), Ok(None));
    assert_eq!(deep::parse(&json!(["{{", "{{a b}}"])).errors.len(), 2);
}

// SPEC 5.3
#[test]
fn types_that_do_not_fit_are_faults_with_their_expression() {
    let input = json!({"s": "x", "n": 1.5, "o": {}, "l": []});
    for (text, message) in [
        ("{{input.s | map: a}}", "input.s | map: a: `map` expects an array, found a string"),
        (
            "{{input.n | size}}",
            "input.n | size: `size` expects an array or a string or an object, found a number",
        ),
        ("a{{input.l | upcase | json}}", "input.l | upcase: `upcase` expects a string, found an array"),
        ("{{input.o | first}}", "input.o | first: `first` expects an array or a string, found an object"),
        (
            "{{input.s | truncate: input.n}}",
            "input.s | truncate: input.n: `truncate` expects a whole number as argument, found a number",
        ),
        (
            "{{input.s | truncate: -1}}",
            "input.s | truncate: -1: `truncate` expects 0 or more characters as argument, found a number",
        ),
        (
            "{{input.l | slice: 'a': 1}}",
            "input.l | slice: 'a': 1: `slice` expects a whole number as argument, found a string",
        ),
        ("{{input.l | join: 1}}", "input.l | join: 1: `join` expects a string as argument, found a number"),
        (
            "{{input.n | round: true}}",
            "input.n | round: true: `round` expects a whole number as argument, found a boolean",
        ),
        ("{{#each input.s}}{{/each}}", "input.s: `#each` expects an array, found a string"),
    ] {
        assert_eq!(fault(text, &input).to_string(), message);
    }
    let error = fault("ab {{ input.l | upcase }}", &input);
    assert_eq!(error.span.unwrap().range(), 6..22);
    let long = format!("{{{{ 1 | default: '{}' | upcase }}}}", "é".repeat(1000));
    assert!(fault(&long, &input).expression.ends_with("é…"));
}

// SPEC 5.3: every filter except `default` and `json` returns missing for missing, and null for null.
#[test]
fn filters_pass_missing_and_null_on() {
    for filter in Filter::ALL {
        let args = [Value::String("d".into()), Value::Null];
        let of = |input| apply(filter, input, &["f"], &args, RenderLimits::default()).unwrap();
        let (missing, null) = (of(Value::Missing), of(Value::Null));
        match filter {
            Filter::Default => assert!(
                matches!((missing, null), (Value::String(a), Value::String(b)) if a == "d" && b == "d")
            ),
            Filter::Json => assert!(
                matches!((missing, null), (Value::String(a), Value::String(b)) if a == "null" && b == "null")
            ),
            _ => assert!(matches!((missing, null), (Value::Missing, Value::Null)), "{filter:?}"),
        }
        let accepted = |value: Value<'static>| {
            let kind = value.kind();
            let args = if filter == Filter::Join { vec![] } else { vec![Value::Number(Number::Int(1)); 2] };
            let result = apply(filter, value, &["f"], &args, RenderLimits::default());
            assert_eq!(result.is_ok(), filter.accepts().contains(&kind), "{filter:?} of {kind:?}");
        };
        accepted(Value::Bool(true));
        accepted(Value::Number(Number::Int(1)));
        accepted(Value::String("x".into()));
        accepted(Value::Array(vec![Value::Null]));
        accepted(Value::Object(vec![("f", Value::Null)]));
        assert!(filter.accepts().contains(&Type::Null));
    }
}

// SPEC 5.3
#[test]
fn sorting_is_stable() {
    let rows: Vec<Json> = (0..1000).map(|n| json!({"key": n % 7, "n": n})).collect();
    let input = json!({ "rows": rows });
    let sorted = value("{{input.rows | sort: key}}", &input).unwrap();
    let mut expected = rows;
    expected.sort_by_key(|row| row["key"].as_i64());
    assert_eq!(sorted, Json::Array(expected));
}

// SPEC 5.8: `json` prints the same text as serde_json.
#[test]
fn json_is_printed_as_by_serde_json() {
    let all: String =
        (0..0x300).filter_map(char::from_u32).chain("\u{2028}\u{feff}\u{ffff}😀".chars()).collect();
    let input = json!({ "all": all, "k\"\u{1}": [1.0, -0.0, 1e16, 1e15, 1.5e-7, 0.0001, f64::MIN_POSITIVE, u64::MAX, i64::MIN] });
    assert_eq!(value("{{input | json}}", &input).unwrap(), input.to_string());
    assert_eq!(value("x{{input}}", &input).unwrap(), format!("x{input}"));
    let mut state = 88172645463325252_u64;
    for _ in 0..test_bed::rounds(10_000) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for double in [f64::from_bits(state), f64::from(u32::try_from(state >> 40).unwrap()) / 64.0] {
            let spelt = Number::from_f64(double).map(|number| number.text().into_owned());
            assert_eq!(spelt, serde_json::Number::from_f64(double).map(|number| number.to_string()));
        }
    }
}

// SPEC 5.2: the output is limited.
#[test]
fn all_sizes_are_bounded() {
    let items: Vec<Json> = (0..1_000).map(|n| json!(n)).collect();
    let input = json!({"l": items, "s": "\\".repeat(1000), "big": "x".repeat(1 << 16)});
    let limits = RenderLimits { bytes: 1 << 20, steps: 1 << 16 };
    let limited = |text: &str| {
        let tree = tree(parse_prompt(text));
        render(tree.root(), &scope(&input), limits).unwrap_err().fault
    };
    let doubling = format!("{{{{input.s{}}}}}", " | json".repeat(60));
    assert_eq!(limited(&doubling), EvalFault::TooLong { limit: 1 << 20 });
    assert_eq!(limited("{{input.l | join: input.big}}"), EvalFault::TooLong { limit: 1 << 20 });
    assert_eq!(fault("{{input.l | join: input.big}}", &input).fault, EvalFault::TooLong { limit: 1 << 24 });
    let nested = "{{#each input.l}}{{#each input.l}}{{#each input.l}}{{/each}}{{/each}}{{/each}}";
    assert_eq!(limited(nested), EvalFault::TooManySteps { limit: 1 << 16 });
    let tree = tree(parse_template("{{input.s}}"));
    for (bytes, fine) in [(1000, true), (999, false)] {
        let limits = RenderLimits { bytes, ..RenderLimits::default() };
        assert_eq!(render(tree.root(), &scope(&input), limits).is_ok(), fine);
    }
    let many = Json::Array(vec![json!("{{input.big}}"); 20]);
    assert!(matches!(rendered(&many, &input, limits), Err(EvalFault::TooLong { .. })));
}

#[test]
fn too_deeply_nested_values_are_faults() {
    let mut deep = json!(1);
    for _ in 0..5000 {
        deep = Json::Array(vec![deep]);
    }
    for text in ["{{input | json}}", "{{input | uniq}}", "{{input | where: 0: input}}"] {
        assert_eq!(fault(text, &deep).fault, EvalFault::TooDeep, "{text}");
    }
    let condition = tree(parse_condition("input == input"));
    assert_eq!(
        evaluate(condition.root(), &scope(&deep), RenderLimits::default()).unwrap_err().fault,
        EvalFault::TooDeep
    );
    let templates = (0..100).fold(json!("{{input}}"), |inside, _| Json::Array(vec![inside]));
    assert!(deep::parse(&templates).tree.is_none());
    assert_eq!(to_json(&Value::borrow(&deep), RenderLimits::default()), Err(EvalFault::TooDeep));
    // Dropping a value this deep would overflow the stack of a test's thread.
    while let Json::Array(mut items) = deep {
        deep = items.pop().unwrap();
    }
}

// SPEC 5.8: a text without templates is one text node, and is embedded unchanged.
#[test]
fn text_without_templates_is_unchanged() {
    for text in ["", "plain", "  \r\n# 技能 {a} }}}} \\n 'q' {", "{#if}{/if} {% raw %}"] {
        let tree = tree(parse_prompt(text));
        assert_eq!(
            (tree.len(), render(tree.root(), &Scope::default(), RenderLimits::default()).unwrap()),
            (1, text.into())
        );
    }
}

// SPEC 5.8: a prompt that is read without rendering shows the same text
#[test]
fn a_prompt_reads_as_it_renders() {
    for text in [
        "{{#raw}}{{name}} {{{{ }}}}{{/raw}}",
        "{{ #raw }}{{name}} {{{{ }}}}{{ /raw }}",
        "{{\n# raw }}{{/rawx}} {{ /if }}{{/ raw}} {{{{b}}}}",
        "{{{{{{#raw}}}}}}{{/raw}} {{{{ /raw }}}}",
        "技 {{{{#raw}}}} { } }}}} {{# raw}}{{{{ /raw }}.",
    ] {
        let Ok(tree) = parse_prompt(text).into_result() else { panic!("{text} is not a prompt") };
        let rendered = render(tree.root(), &Scope::default(), RenderLimits::default()).unwrap();
        assert_eq!(rendered, skills_text::plain_braces(text), "{text}");
    }
}

// A bundle stores trees as words and text. Invalid ones have no defined meaning, but do no harm.
#[test]
fn static_parts_make_the_same_tree() {
    let input = json!({"l": [{"a": 1}, {"a": 2}], "t": true});
    let parsed = tree(parse_prompt(
        "x{{#each input.l}}{{#if item.a}}{{item.a | json}}{{else}}-{{/if}}{{/each}}{{'y' || 1}}",
    ));
    let (words, text) = parsed.parts();
    let (words, text): (&'static [u32], &'static str) = (words.to_vec().leak(), text.to_owned().leak());
    let fixed = Tree::from_static(words, text);
    assert_eq!(render(fixed.root(), &scope(&input), RenderLimits::default()).unwrap(), "x12y");
    assert!(fixed.root().span().is_none());
    let mut state = 1_u64;
    for _ in 0..test_bed::rounds(2_000) {
        let mut broken = words.to_vec();
        for _ in 0..3 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let at = usize::try_from(state >> 33).unwrap() % broken.len();
            let kept = broken[at];
            broken[at] = match state >> 29 & 3 {
                0 => u32::try_from(state >> 32).unwrap(),
                1 => kept ^ 1 << (state >> 24 & 31),
                _ => u32::try_from(state >> 40 & 15).unwrap(),
            };
        }
        broken.truncate(usize::try_from(state >> 3 & 127).unwrap());
        let root = TemplateNode::from_parts(&broken, text);
        let _ = render(root, &scope(&input), RenderLimits { bytes: 10_000, steps: 10_000 });
    }
}

// SPEC 5.6: steps run concurrently, so values can be sent to another thread.
#[test]
fn values_and_scopes_can_be_sent() {
    fn sent<T: Send + Sync>() {}
    sent::<Value<'_>>();
    sent::<Scope<'_>>();
    sent::<Tree>();
    sent::<TemplateNode<'_>>();
}
