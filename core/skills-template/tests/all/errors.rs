//! Tests that every error in a text is reported at once, with its exact bytes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use skills_template::{
    Lint, LintKind, MAX_DEPTH, MAX_ERRORS, MAX_TEXT, ParsedTemplate, TemplateError, TemplateProblem,
    TreeBuilder, escape, parse_condition, parse_prompt, parse_template,
};

/// Returns the errors of a text as code, byte range and message.
fn report(parsed: ParsedTemplate) -> Vec<(&'static str, std::ops::Range<usize>, String)> {
    let described = |error: &TemplateError| (error.problem.code(), error.span.range(), error.to_string());
    assert_eq!(parsed.tree.is_none(), !parsed.errors.is_empty());
    parsed.errors.iter().map(described).collect()
}

fn one(parsed: ParsedTemplate) -> TemplateError {
    assert_eq!(parsed.errors.len(), 1, "{:?}", parsed.errors);
    parsed.errors.into_iter().next().unwrap()
}

// SPEC 5.1
#[test]
fn errors_point_at_their_bytes() {
    for (text, range, expected) in [
        ("{{", 0..2, "`{{` is never closed"),
        ("ab {{a", 3..5, "`{{` is never closed"),
        ("{{}}", 2..4, "expected a path or a literal, found `}}`"),
        ("{{ 主题 题 }}", 10..13, "expected `|`, `||` or `}}`, found `题`"),
        ("技能 {{a |}}", 12..14, "expected the name of a filter, found `}}`"),
        ("{{a | join: }}", 12..14, "expected a path or a literal, found `}}`"),
        ("{{a | map: (b)}}", 11..12, "expected the name of a field, found `(`"),
        ("{{a..b}}", 4..5, "expected a name after the `.`, found `.`"),
        ("{{a[b]}}", 4..5, "expected a string or an integer, found `b`"),
        ("{{a[1.5]}}", 4..7, "expected a string or an integer, found `1.5`"),
        ("{{a['b'}}", 7..9, "expected `]`, found `}}`"),
        ("{{(a}}", 4..6, "expected `|`, `||` or `)`, found `}}`"),
        ("{{a, b}}", 3..4, "expected `|`, `||` or `}}`, found `,`"),
        ("{{“x”}}", 2..5, "expected a path or a literal, found `“`"),
        ("{{'é\\q'}}", 5..7, "`\\q` is not a valid escape"),
        ("{{'\\u12'}}", 3..7, "`\\u12` is not a valid escape"),
        ("{{'\\ud83d\\u0041'}}", 3..9, "`\\ud83d` is not a valid escape"),
        ("{{ 'abc}}", 3..4, "this string is never closed"),
        ("{{1.}}", 2..4, "`1.` is not a valid number"),
        ("{{12ab}}", 2..6, "`12ab` is not a valid number"),
        ("\r\n{{a | jion}}", 8..12, "unknown filter `jion`"),
        ("{{a | upcase: 1}}", 6..15, "`upcase` takes no arguments, found 1"),
        ("{{a | where: x}}", 6..14, "`where` takes 2 arguments, found 1"),
        ("{{a | join: 1: (b)}}", 6..18, "`join` takes 0 to 1 argument, found 2"),
    ] {
        let error = one(parse_template(text));
        assert_eq!((error.span.range(), error.to_string().as_str()), (range, expected), "{text}");
    }
}

// SPEC 5.4
#[test]
fn invalid_conditions_are_refused() {
    for (text, range, expected, help) in [
        ("", 0..0, "expected a path or a literal, found the end", None),
        ("a ==", 4..4, "expected a path or a literal, found the end", None),
        ("a or b", 2..4, "expected an operator or the end, found `or`", Some("write `||`")),
        ("a = b", 2..3, "expected an operator or the end, found `=`", Some("write `==`")),
        ("a => 3", 2..3, "expected an operator or the end, found `=`", Some("write `>=`")),
        ("a =< 3", 2..3, "expected an operator or the end, found `=`", Some("write `<=`")),
        ("a & b", 2..3, "expected an operator or the end, found `&`", Some("write `&&`")),
        ("(a", 2..2, "expected an operator or `)`, found the end", None),
        ("{{ {{a}} }}", 3..5, "expected a path or a literal, found `{{`", None),
        ("{{ a == ", 0..2, "`{{` is never closed", Some("close it with `}}`")),
        ("a }}", 2..4, "expected an operator or the end, found a stray `}}`", None),
        ("a + 1", 2..3, "expected an operator or the end, found `+`", Some("there is no arithmetic")),
    ] {
        let error = one(parse_condition(text));
        assert_eq!((error.span.range(), error.to_string().as_str()), (range, expected), "{text}");
        assert_eq!(error.help().as_deref(), help, "{text}");
    }
}

// SPEC 5.5: all errors are reported, including several in one expression.
#[test]
fn all_errors_are_reported_at_once() {
    let text = "{{a | nope | nix: '\\q'}} {{b c}} {{#if}}x{{/if}} {{d}} {{e |}}{{";
    let codes: Vec<(&str, &str)> =
        report(parse_prompt(text)).iter().map(|(c, r, _)| (*c, &text[r.clone()])).collect();
    assert_eq!(
        codes,
        [
            ("template-unknown-filter", "nope"),
            ("template-unknown-filter", "nix"),
            ("template-escape", "\\q"),
            ("template-syntax", "c"),
            ("template-syntax", "}}"),
            ("template-syntax", "}}"),
            ("template-unclosed", "{{"),
        ]
    );
    assert_eq!(report(parse_template(&"{{}}".repeat(1000))).len(), MAX_ERRORS);
}

// SPEC 5.8
#[test]
fn mismatched_blocks_cause_one_error_each() {
    for (text, code, place) in [
        ("{{#if a}}", "template-unclosed-block", "{{#if a}}"),
        ("{{#raw}} {{a}}", "template-unclosed-block", "{{#raw}}"),
        ("{{#if a}}{{#each b}}{{/if}}", "template-stray-end", "/if"),
        ("{{#each b}}{{/raw}}{{/each}}", "template-stray-end", "/raw"),
        ("{{#if a}}{{else}}{{else}}{{/if}}", "template-stray-else", "else"),
        ("{{else}}", "template-stray-else", "else"),
        ("{{#eahc a}}x{{/eahc}}", "template-unknown-block", "#eahc"),
        ("{{#iff a}}x{{/if}}", "template-unknown-block", "#iff"),
        ("{{#if a | size}}x{{/if}}", "template-syntax", "|"),
        ("{{#if 'a'}}x{{else}}y{{/if}}", "template-syntax", "'a'"),
        ("{{# }}", "template-syntax", "}}"),
    ] {
        let error = one(parse_prompt(text));
        assert_eq!((error.problem.code(), &text[error.span.range()]), (code, place), "{text}");
    }
}

// SPEC 5.8: the help of a `{{…}}` that does not parse shows the escaped form.
#[test]
fn help_shows_the_correction() {
    let error = one(parse_prompt("use {{ some thing }} here"));
    assert_eq!(error.escaped.as_ref().unwrap().0.range(), 4..20);
    assert_eq!(error.help().unwrap(), "to print it as it is, write `{{{{ some thing }}}}`");
    let error = one(parse_prompt("use {{ to open. {{input.x}}"));
    assert_eq!(
        (error.span.range(), error.help().unwrap()),
        (10..14, "to print it as it is, write `{{{{`".into())
    );
    for (text, help) in [
        ("{{{a.b}}", "an expression is written between two braces: `{{…}}`"),
        ("{{a or 'b'}}", "write `||`"),
        ("{{a and b}}", "`&&` and `!` are only allowed in a `condition`"),
        ("{{a if b else c}}", "a choice is written `{{#if …}}…{{else}}…{{/if}}`"),
        ("{{a | Upcase}}", "did you mean `upcase`?"),
        ("{{a | upper}}", "did you mean `upcase`?"),
        ("{{a | length}}", "did you mean `size`?"),
        ("{{a | where: b}}", "write `where: field: value`"),
        ("{{a == b}}", "comparisons are only allowed in a `condition`"),
        ("{{a | join(', ')}}", "arguments of a filter follow `:`"),
        ("{{a | slice: 1, 2}}", "several arguments are separated by `:`"),
        ("{{a | nothing}}", "the filters are map, join"),
    ] {
        let help_found = one(parse_template(text)).help().unwrap();
        assert!(help_found.starts_with(help), "{text}: {help_found}");
    }
}

// SPEC 5.1
#[test]
fn a_fallback_outside_the_braces_is_a_lint() {
    let lints = |text: &str| -> Vec<Lint> {
        let parsed = parse_prompt(text);
        assert!(parsed.tree.is_some());
        parsed.lints
    };
    let found = lints("first\nHi {{ input.a }} || {{input.b | first}}!\nlast");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, found[0].span.range()), (LintKind::FallbackOutside, 9..45));
    assert_eq!(found[0].replacement, "{{input.a || input.b | first}}");
    assert_eq!(found[0].corrected, "Hi {{input.a || input.b | first}}!");
    let found = lints("{{a}}||{{b}} || {{c}}");
    assert_eq!(
        (found.len(), found[0].corrected.as_str(), found[0].span.range()),
        (1, "{{a || b || c}}", 0..21)
    );
    assert!(lints("{{a || b}} | {{c}} {{d}} || e").is_empty());
    assert!(lints("{{a}}{{#raw}} || {{/raw}}{{b}}").is_empty());
}

// SPEC 5.8
#[test]
fn a_lone_escape_is_a_lint() {
    let lints = parse_prompt("{\"a\":{\"b\":{\"c\":{\"d\":\"{{x}}\"}}}} {{{{y}}}}").lints;
    assert_eq!(lints.len(), 1);
    assert_eq!((lints[0].kind, lints[0].replacement.as_str()), (LintKind::LoneEscape, "}}}}}}}}"));
    let long = format!("{{{{a}}}}{}", " }}}}".repeat(100_000));
    let lints = parse_prompt(&long).lints;
    assert_eq!(lints.len(), MAX_ERRORS);
    assert!(lints.iter().all(|lint| lint.corrected.len() < 1000));
}

// SPEC 5.8: every escaped text is printed as the original.
#[test]
fn escaped_text_is_printed_as_one_text() {
    for text in
        ["", "{{a}}", "{{{", "}}}}", "{{{{{}}}}}", "a {{#raw}} {{/raw}}", "{ {{x}} }}}", "{{ }}}} {{{ 技"]
    {
        for parse in [parse_prompt, parse_template] {
            let tree = parse(&escape(text)).into_result().unwrap();
            assert_eq!((tree.len(), tree.root().text()), (1, text));
        }
    }
}

#[test]
fn depth_and_size_are_limited() {
    let deep = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let n = 20_000;
    for (parsed, fine) in [
        (parse_template(&format!("{{{{{}}}}}", deep("(", "a", ")", MAX_DEPTH - 1))), true),
        (parse_template(&format!("{{{{{}}}}}", deep("(", "a", ")", n))), false),
        (parse_template(&format!("{{{{a{}}}}}", " | json".repeat(MAX_DEPTH - 1))), true),
        (parse_template(&format!("{{{{a{}}}}}", " | json".repeat(n))), false),
        (parse_template(&format!("{{{{a{}}}}}", " || a".repeat(n))), true),
        (parse_condition(&deep("!", "a", "", n)), false),
        (parse_condition(&deep("(", "a", ")", n)), false),
        (parse_condition(&format!("a{}", " && a || b".repeat(n))), true),
        (parse_prompt(&deep("{{#if a}}", "a", "{{/if}}", MAX_DEPTH - 1)), true),
        (parse_prompt(&deep("{{#if a}}", "a", "{{/if}}", n)), false),
        (parse_template(&format!("{{{{a{}}}}}", ".b".repeat(n))), true),
    ] {
        assert_eq!(parsed.tree.is_some(), fine, "{:?}", parsed.errors.first());
        assert!(parsed.errors.iter().all(|error| error.problem == TemplateProblem::TooDeep));
    }
    let mut builder = TreeBuilder::default();
    (0..n).for_each(|_| builder.begin_array());
    assert_eq!(one(builder.finish()).problem, TemplateProblem::TooDeep);
    assert_eq!(one(parse_prompt(&" ".repeat(MAX_TEXT + 1))).problem, TemplateProblem::TooLong);
}

// SPEC 5.2: the strings of one deep tree are distinguished by their offsets.
#[test]
fn spans_of_deep_trees_count_from_their_strings() {
    let mut builder = TreeBuilder::default();
    builder.begin_object();
    builder.key("a", 100);
    builder.template("x {{y z}}", 200);
    builder.key("b", 300);
    builder.begin_array();
    builder.template("{{u}} || {{v}}", 400);
    builder.number("1.", 500);
    let parsed = builder.finish();
    let found: Vec<_> = report(parsed).into_iter().map(|(code, range, _)| (code, range)).collect();
    assert_eq!(found, [("template-syntax", 206..207), ("template-number", 500..502)]);

    let mut builder = TreeBuilder::default();
    builder.template("{{u}} || {{v}} || {{w}}", 400);
    let parsed = builder.finish();
    assert_eq!((parsed.lints.len(), parsed.lints[0].span.range()), (1, 400..423));
    let root = parsed.tree.as_ref().unwrap().root();
    assert_eq!(root.span().unwrap().range(), 400..423);
}
