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

const VERSIONS: &str = "---\nname: git\ndescription: Lists changes. Use for changes.\nrequires: [acme >= 0.4, node>=20.1, git]\n";

/// Checks one text as the body of the function `double` and, with variables, of the skill `pdf`. The text for the skill `git`,
/// which requires versions, begins within its frontmatter.
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
    let head = match skill {
        "pdf" => HEAD,
        "git" => VERSIONS,
        _ => "",
    };
    write(&format!("{skill}/SKILL.md"), &format!("{head}{text}"));
    let loaded = load(root.path(), "skills", &Options::default());
    let sources = loaded.catalog.sources();
    let own = |code: &str| {
        ["example-", "broken-heading", "env-", "requires-"].iter().any(|start| code.starts_with(start))
    };
    let diagnostics = loaded.report.diagnostics.iter().filter(|found| own(found.rule.code));
    diagnostics.map(|found| (found.rule.code, sources.text(found.span).to_owned())).collect()
}

/// The skill, the text with `«…»` around the place, and the rule.
const LIES: [(&str, &str, &str); 39] = [
    ("double", "```json input\n«{ \"numbr\": 3, \"unit\": \"m\" }»\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": «\"3\"» }\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": 3, \"unit\": «\"km\"» }\n```\n", "example-invalid"),
    ("double", "```json input\n{ \"number\": 3, \"tags\": [\"a\", «1»] }\n```\n", "example-invalid"),
    ("double", "- An item\n\n  ```json input\n  «[]»\n  ```\n", "example-invalid"),
    ("double", "```json output\n«\"6\"»\n```\n", "example-invalid"),
    ("double", "```json,output\n«{}»\n```\n", "example-invalid"),
    ("double", "```yaml input\nnumber: «three»\n```\n", "example-invalid"),
    ("double", "```yml input\nnumber: 3\nunit: «mm»\n```\n", "example-invalid"),
    ("double", "```yaml output\n«three»\n```\n", "example-invalid"),
    ("double", "```yaml output\n«- 1»\n```\n", "example-invalid"),
    ("double", "```yaml input\n«\t»number: 3\n```\n", "example-invalid"),
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
    ("git", "---\nUse acme «0.3» or later.\n", "requires-version"),
    ("git", "---\nUse `acme «0.3».`\n", "requires-version"),
    ("git", "---\nIt needs **acme** v«0.3.9».\n", "requires-version"),
    ("git", "---\nInstall `acme` (at least version\n0.3) or acme\nversion «0.2».\n", "requires-version"),
    ("git", "---\n```sh\nuvx acme@«0.3.1» list\n```\n", "requires-version"),
    ("git", "---\n```sh\npip install acme==«0.3»\n```\n", "requires-version"),
    ("git", "---\nIt works with ACME >= «0.1».\n", "requires-version"),
    ("git", "---\nYou need Node.js «18»+.\n", "requires-version"),
    ("git", "---\nYou need Node v«20.0.4».\n", "requires-version"),
    ("git", "compatibility: Requires acme «0.3»+ and git.\n---\nText.\n", "requires-version"),
    ("git", "compatibility: Requires acme «0.9» or newer.\n---\nText.\n", "requires-version"),
    ("git", "metadata:\n  openclaw: {requires: {bins: [jq]}}\n---\nacme «0.3».x\n", "requires-version"),
    ("git", "---\n| acme «0.3» | x |\n", "requires-version"),
    ("git", "---\nacme «0.3»", "requires-version"),
    ("git", "---\r\nÄ acme «0.3»\r\n", "requires-version"),
    ("git", "---\n- acme: `acme «0.3»-beta.1`\n", "requires-version"),
];

/// Correct texts, and texts that cannot be compared.
const RIGHT: [(&str, &str); 38] = [
    ("double", "```json input\n{ \"number\": 3, \"unit\": \"cm\", \"tags\": [] }\n```\n"),
    ("double", "```json output\n6\n```\n"),
    ("double", "```yaml input\nnumber: 3\nunit: m\n```\n"),
    ("double", "```yaml output\n6\n```\n"),
    ("double", "```yaml input\n```\n"),
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
    ("git", "---\nUse acme 0.4, acme 0.4.0 or acme 1 and acme@1.\n"),
    ("git", "---\nThe flag `--new` needs acme 0.9 or later, or node 22.\n"),
    ("git", "---\nUntil acme 0.3 it was `--old`; renamed in acme 0.3.\n"),
    ("git", "---\nUse my-acme 0.3, acme-cli 0.3, acme.d/0.3, @org/acme@0.3 or acmes 0.3.\n"),
    ("git", "---\nIt writes acme 3 files in acme 0.3s, 0.3%, acme 0.3GB.\n"),
    ("git", "---\nacme < 0.4 fails.\n"),
    ("git", "---\nRun acme\n\n0.1 Overview\n"),
    ("git", "---\nnode 20 and Node.js 20+ are named without a minor version.\n"),
    ("git", "---\ngit 1.0 has no minimum version here.\n"),
    ("git", "compatibility: Requires acme 0.4+ and Node.js v20+.\n---\nText.\n"),
    ("git", "---\nacme 99999999999999999999.1, acme 0..1, acme v and acme"),
    ("git", "---\n<!-- skills: allow(requires-version) -->\nacme 0.3\n"),
    ("git", "---\nexport acme=0.3\n"),
    ("git", "tags: [acme 0.3]\n---\nText.\n"),
];

// SPEC 23.10, 23.11, 23.12, 23.13, 23.14
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

// SPEC 23.14: an entry that names a version in another form is not a program
#[test]
fn a_version_has_one_form() {
    let report = |entry: &str| {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("git")).unwrap();
        let text =
            format!("---\nname: git\ndescription: Lists changes.\nrequires:\n  - {entry}\n---\nText.\n");
        std::fs::write(root.path().join("git/SKILL.md"), text).unwrap();
        let report = load(root.path(), "skills", &Options::default()).report;
        let own = report.diagnostics.into_iter().filter(|found| found.rule.code == "requires-version");
        own.map(|found| found.help).collect::<Vec<_>>()
    };
    for entry in
        ["acme 0.4", "acme@0.4", "acme == 0.4", "acme>0.4", "acme ^0.4", "acme v0.4+", "acme (>= 0.4)"]
    {
        assert_eq!(report(entry), ["change it to \"acme >= 0.4\""], "{entry}");
    }
    for entry in ["acme < 2", "acme >= 0.4, < 1", "acme != 1", "acme >= 0.x"] {
        assert_eq!(report(entry), ["name the minimum version only: `PROGRAM >= VERSION`"], "{entry}");
    }
    for entry in
        ["acme", "acme >= 0.4", "acme>=1.2.3-rc.1", "python3.12", "./bin/acme", "cap:x >= 1", "g++", "a b"]
    {
        assert_eq!(report(entry), [""; 0], "{entry}");
    }
}

// SPEC 23.10, 23.11, 23.12, 23.13, 23.14
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
        r#"{ "evals": [{ "input": { "number": 1 } }, { "input": { "number": [] } },
            { "input": { "number": "refused" }, "error": "invalid_input" },
            { "input": { "number": {} }, "error": "timeout" }] }"#,
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
        ("double/evals/evals.json", "{}"),
        ("double/examples/a.json", "\"3\""),
        ("double/examples/b.json", "\"6\""),
    ];
    assert_eq!(found, expected);
}
