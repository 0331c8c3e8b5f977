//! The syntax of other template languages in a prompt.

use crate::disk::Disk;
use skills_core::options::Options;

/// Returns the problems of a prompt as `column code help`.
fn found(prompt: &str) -> Vec<String> {
    let manifest = r#"{"name": "a", "description": "Does a.", "category": "c", "mode": "llm", "input": {"type": "object",
        "properties": {"name": {"type": "string"}, "items": {"type": "array", "items": {"type": "string"}}, "n": {"type": "integer"}}},
        "output": {}}"#;
    let loaded = skills_core::load(
        &Disk::new(&[("a/skill.json", manifest), ("a/prompt.md", prompt)]).root(),
        "skills",
        &Options::default(),
    );
    let sources = loaded.catalog.sources();
    let show = |found: &skills_core::diagnostic::Diagnostic| {
        let (start, _) = sources.positions(found.span);
        let code = found.rule.code.trim_start_matches("template-");
        format!("{}:{} {code} {}", start.line, start.column, found.help)
    };
    loaded.report.diagnostics.iter().map(show).collect()
}

// SPEC 5.8
#[test]
fn one_mistake_in_another_language_is_one_problem_that_names_ours() {
    let each = "write `{{#each input.list}}…{{item}}…{{/each}}`";
    let choice = "write `{{#if input.name}}…{{else}}…{{/if}}`";
    for (prompt, wanted) in [
        ("{% for x in input.items %}- {{ x }}\n{% endfor %}", vec![format!("1:1 literal {each}")]),
        ("{%- if input.n -%}yes{% else %}no{%- endif %}", vec![format!("1:1 literal {choice}")]),
        ("{% raw %}{{ x }}{% endraw %} {{input.name}}", vec!["1:1 literal write `{{#raw}}…{{/raw}}`".to_owned()]),
        (
            "{% set x = input.name %}{{ x }}",
            vec!["1:1 literal compute the value in the input: prompts have no variables".to_owned()],
        ),
        ("{# a #}", vec!["1:1 literal delete it: prompts have no comments".to_owned()]),
        ("<%= input.name %>", vec!["1:1 literal write an expression such as `{{input.name}}`".to_owned()]),
        ("<% if x %>a<% end %>", vec![format!("1:1 literal {choice}")]),
        ("Hello {input.name}", vec!["1:7 literal write it as: {{input.name}}".to_owned()]),
        ("Hello {name!r} {n:>3}", vec![
            "1:7 literal write it as: {{input.name}}".to_owned(),
            "1:16 literal write it as: {{input.n}}".to_owned(),
        ]),
        ("Hello ${input.name}", vec!["1:7 literal write it as: {{input.name}}".to_owned()]),
        ("Hello ${name}", vec!["1:7 literal write it as: {{input.name}}".to_owned()]),
        ("Hello $name.", vec!["1:7 literal write it as: {{input.name}}".to_owned()]),
        ("Do $ARGUMENTS.", vec![
            "1:4 literal write the properties of the input, such as `{{input.name}}`".to_owned(),
        ]),
        ("{{#each input.items}}{{this}}{{/each}}", vec![
            "1:24 path this is syntax of Handlebars; write `{{item}}`".to_owned(),
        ]),
        ("{{#each input.items as |x|}}{{x}}{{/each}}", vec![
            "1:21 syntax this is syntax of Handlebars; without `as`, the loop has `item` and `index`".to_owned(),
        ]),
        ("{{> partial}}", vec!["1:3 syntax this is a partial of Handlebars: write its text here".to_owned()]),
        ("{{! c }}", vec![
            "1:3 syntax this is a comment of Handlebars: delete it, because prompts have no comments".to_owned(),
        ]),
        ("{{ .Name }}", vec!["1:4 syntax this is syntax of Go templates; write `{{input.Name}}`".to_owned()]),
        ("{{- range .Items }}a{{ end }}", vec![
            "1:3 syntax this is a block of Go templates; write `{{#each input.list}}…{{/each}}`".to_owned(),
        ]),
        ("a ${{ secrets.T }} b", vec![
            "1:7 path this is an expression of GitHub Actions; to print it, write `${{{{ secrets.T }}}}`".to_owned(),
        ]),
        ("{{ input.name.upper() }}", vec![
            "1:20 syntax this calls a method, as in Python or JavaScript; write a filter: `{{input.name | upcase}}`"
                .to_owned(),
        ]),
        ("{{ input.n ? 'a' : 'b' }}", vec![
            "1:12 syntax this is a choice of JavaScript; write `{{#if input.name}}…{{else}}…{{/if}}`".to_owned(),
        ]),
        ("{{ message }}", vec![
            "1:4 path begin the path with `input`, or write `{{{{ message }}}}` to print it".to_owned(),
        ]),
    ] {
        assert_eq!(found(prompt), wanted, "{prompt}");
    }
}

// SPEC 5.8
#[test]
fn texts_that_only_look_like_templates_are_accepted() {
    for prompt in [
        r#"{"a": {"b": {{input.n}}}}"#,
        "Use {{input.name}}; in Rust `{name}`, in a shell $name.",
        "Set $HOME and {other} and {} and { name }.",
        "A set {1, 2} and 100% {%",
        "{{{{ name }}}} and {{#raw}}{{ name }}{{/raw}}",
        "Costs $5 and <name>.",
    ] {
        let prompt = format!("{prompt}\n{{{{input.name}}}}");
        assert_eq!(found(&prompt), [""; 0], "{prompt}");
    }
}
