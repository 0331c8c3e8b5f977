//! Statements of texts that can be compared with the skill: planted lies are found at their place, and right texts are not
//! reported.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use skills_core::load;
use skills_core::options::Options;

const MANIFEST: &str = r#"{
  "name": "double", "description": "Doubles a number. Use for sums.", "category": "math", "mode": "code",
  "input": {
    "type": "object",
    "properties": { "number": { "type": "integer" }, "unit": { "enum": ["cm", "m"] }, "tags": { "type": "array", "items": { "type": "string" } } },
    "required": ["number"],
    "additionalProperties": false
  },
  "output": { "type": "integer" }
}"#;
const HEAD: &str = "---\nname: pdf\ndescription: Reads PDF files. Use for documents.\nmetadata:\n  permissions: '{\"env\": [\"PDF_TOKEN\", \"PDF_HOME\"]}'\nexec: read\n---\n";

/// Checks one text as the body of the function `double` and, with variables, of the skill `pdf`.
fn found(skill: &str, text: &str) -> Vec<(&'static str, String)> {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("double/skill.json", MANIFEST);
    write("double/references/more.md", "# More\n\n## Two words\n");
    write("pdf/SKILL.md", HEAD);
    write("pdf/bin/read", "#!/bin/sh\n");
    let head = if skill == "pdf" { HEAD } else { "" };
    write(&format!("{skill}/SKILL.md"), &format!("{head}{text}"));
    let loaded = load(root.path(), "skills", &Options::default());
    let sources = loaded.catalog.sources();
    let own = |code: &str| ["example-", "broken-heading", "env-"].iter().any(|start| code.starts_with(start));
    let diagnostics = loaded.report.diagnostics.iter().filter(|found| own(found.rule.code));
    diagnostics.map(|found| (found.rule.code, sources.text(found.span).to_owned())).collect()
}

/// The skill, the text with `«…»` around the place, and the rule.
const LIES: [(&str, &str, &str); 20] = [
    ("double", "```json input\n«{ \"numbr\": 3, \"unit\": \"m\" }»\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": «\"3\"» }\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": 3, \"unit\": «\"km\"» }\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": 3, \"tags\": [\"a\", «1»] }\n```\n", "example-invalid"),
    ("double", "- An item\n\n  ```json input\n  «[]»\n  ```\n", "example-invalid"),
    ("double", "```json output\n«\"6\"»\n```\n", "example-invalid"),
    ("double", "```json,output\n«{}»\n```\n", "example-invalid"),
    ("double", "```yaml input\nnumber: «three»\n```\n", "example-invalid"),
    ("double", "```yml input\nnumber: 3\nunit: «mm»\n```\n", "example-invalid"),
    ("pdf", "```json\ndouble({\"number\": «\"3\"»})\n```\n", "example-call"),
    ("pdf", "```json\n«doubel»({\"number\": 3})\n```\n", "example-call"),
    ("pdf", "```json\ndouble({\n  \"number\": 3,\n  \"unit\": «\"km\"»\n})\n```\n", "example-call"),
    ("pdf", "See [b](#«stpes»).\n\n## Steps\n", "broken-heading"),
    ("pdf", "See [b](#«Steps»).\n\n## Steps\n", "broken-heading"),
    ("pdf", "See [b](#«steps-2»).\n\n## Steps\n\n## Steps\n", "broken-heading"),
    ("double", "See [b](references/more.md#«two-word»).\n", "broken-heading"),
    ("pdf", "[b]: #«gone»\n\n## Steps\n\n```sh\n# gone\n```\n", "broken-heading"),
    ("pdf", "```sh\nexport «PDF_TOKN»=x\n```\n", "env-undeclared"),
    ("pdf", "Set `«OTHER_KEY»` first.\n", "env-undeclared"),
    ("pdf", "Run `$env:«PDFTOKEN» = 'x'`.\n", "env-undeclared"),
];

/// Correct texts, and texts that cannot be compared.
const RIGHT: [(&str, &str); 22] = [
    ("double", "```json input\n{ \"number\": 3, \"unit\": \"cm\", \"tags\": [] }\n```\n"),
    ("double", "```json output\n6\n```\n"),
    ("double", "```yaml input\nnumber: 3\nunit: m\n```\n"),
    ("double", "```json\n{ \"numbr\": 3 }\n```\n"),
    ("double", "```json input\n{ \"number\": <NUMBER> }\n```\n"),
    ("double", "```json input\n{ … }\n```\n"),
    ("double", "```text input\nx\n```\n"),
    ("pdf", "```json input\n{ \"numbr\": 3 }\n```\n"),
    ("pdf", "```json\ndouble({\"number\": 3, \"unit\": \"m\"})\n```\n"),
    ("pdf", "```json\ndouble({\"number\": …})\n```\n"),
    ("pdf", "```json\nfetch({\"url\": 1})\n```\n"),
    ("pdf", "```js\ndouble({number: 3})\n```\n"),
    ("pdf", "See [b](#steps--more), `[c](#gone)` and [d](#/route).\n\n## Steps & more\n"),
    ("pdf", "See [b](#steps-1).\n\n## Steps\n\n## Steps\n"),
    ("pdf", "See [b](#a-code_x-and-a-link).\n\n## A `code_x`, and a [link](https://a.example)!\n"),
    ("pdf", "See [b](#own) and [c](#über-uns).\n\n<a id=\"own\"></a>\n\nÜber uns\n========\n"),
    ("double", "See [b](references/more.md#two-words).\n"),
    ("pdf", "```md\n[b](#gone)\n```\n"),
    ("pdf", "```sh\nexport PDF_TOKEN=x\nexport PATH=$PATH:x\nexport lower=1\n```\n"),
    ("pdf", "Set `PDF_HOME` and the set `A`.\n"),
    ("pdf", "An export OTHER_KEY without a value.\n"),
    ("double", "```sh\nexport ANY_KEY=x\n```\n"),
];

// SPEC 23.10, 23.11, 23.12, 23.13
#[test]
fn planted_lies_are_found_at_their_place() {
    let mut wrong = Vec::new();
    for (skill, marked, rule) in LIES {
        let (start, end) = (marked.find('«').unwrap(), marked.find('»').unwrap());
        let place = &marked[start + '«'.len_utf8()..end];
        let text = marked.replace(['«', '»'], "");
        let found = found(skill, &text);
        // The first object lacks a property and has another one.
        let is_right =
            !found.is_empty() && found.iter().any(|(code, text)| (*code, text.as_str()) == (rule, place));
        wrong.extend((!is_right || found.len() > 2).then_some((text, found)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// SPEC 23.10, 23.11, 23.12, 23.13
#[test]
fn right_texts_are_not_reported() {
    let checked = RIGHT.iter().map(|(skill, text)| (text, found(skill, text)));
    let wrong: Vec<_> = checked.filter(|(_, found)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// SPEC 23.10: examples/*.json and the inputs of evals
#[test]
fn files_of_examples_are_checked() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("double/skill.json", MANIFEST);
    write("double/examples/a.json", r#"{ "input": { "number": "3" }, "output": 6 }"#);
    write("double/examples/b.json", r#"{ "name": "b", "input": { "number": 3 }, "output": "6" }"#);
    write("double/examples/data.json", r#"{ "rows": [] }"#);
    write(
        "double/evals/evals.json",
        r#"{ "evals": [{ "input": { "number": 1 } }, { "input": { "number": [] } }] }"#,
    );
    let mut options = Options::default();
    options.read.evals = Some(skills_report::evals::CHECK);
    let loaded = load(root.path(), "skills", &options);
    let sources = loaded.catalog.sources();
    let found: Vec<(&str, &str)> = loaded
        .report
        .diagnostics
        .iter()
        .filter(|found| found.rule.code == "example-invalid")
        .map(|found| (sources.file_of(found.span).path.as_str(), sources.text(found.span)))
        .collect();
    let expected = [
        ("double/evals/evals.json", "[]"),
        ("double/examples/a.json", "\"3\""),
        ("double/examples/b.json", "\"6\""),
    ];
    assert_eq!(found, expected);
}
