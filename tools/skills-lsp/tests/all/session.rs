//! A client and the server, in one process: each request on real files (SPEC 17.10 to 17.13).
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use crate::client::Client;
use lsp_server::Message;
use serde_json::{Value, json};

const PDF: &str =
    "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n\nSee [notes](references/notes.md).\n";
const ADD: &str = r#"{
  "name": "add",
  "description": "Adds numbers.",
  "category": "math",
  "input": { "type": "object", "properties": { "numbers": { "type": "array", "items": { "type": "number" }, "description": "What is added." } }, "required": ["numbers"] },
  "output": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] },
  "mode": "code"
}
"#;
const SUM: &str = r##"{
  "name": "sum",
  "description": "Adds twice.",
  "category": "math",
  "input": { "type": "object", "properties": { "list": { "$ref": "#/definitions/list" } }, "required": ["list"], "definitions": { "list": { "type": "array", "items": { "type": "number" } } } },
  "output": {},
  "mode": "composite",
  "calls": ["add"],
  "pipeline": [
    { "step": "one", "skill": "add", "input": { "numbers": "{{input.list}}" } },
    { "step": "two", "skill": "add", "input": { "numbers": ["{{steps.one.sum}}"] }, "depends": ["one"] }
  ]
}
"##;

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("skills/pdf/SKILL.md", PDF),
        ("skills/pdf/references/notes.md", "# Notes\n"),
        ("skills/add/skill.json", ADD),
        ("skills/sum/skill.json", SUM),
        ("projects/desk/ROLE.md", "---\nskills: [pdf]\n---\nWork.\n"),
    ]
}

// SPEC 9.8, 17.10: the editor checks skills where agents look for them.
#[test]
fn skills_are_checked_wherever_agents_look() {
    for place in ["skills", ".github/skills", ".claude/skills", ".agents/skills"] {
        let path = format!("{place}/pdf/SKILL.md");
        let client = Client::new(&[(path.as_str(), "---\nname: pdf\ndescription: [x]\n---\n")]);
        let (uri, codes) = client.diagnostics();
        assert_eq!(uri, client.uri(&path));
        assert!(!codes.is_empty(), "{place}");
    }
}

// SPEC 17.10: a folder that is a skill is checked alone; nothing beside it is read
#[test]
fn a_folder_that_is_a_skill_is_checked_alone() {
    const FAULTY: &str = "---\nname: other\ndescription: Reads: PDF files.\n---\n# PDF\n";
    let files = [("pdf/SKILL.md", FAULTY), ("pdf/notes.md", ""), ("beside/SKILL.md", FAULTY)];
    let client = Client::below("pdf", &files);
    client.open("pdf/SKILL.md", FAULTY);
    let (uri, codes) = client.diagnostics();
    assert_eq!(uri, client.uri("pdf/SKILL.md"));
    assert!(codes.contains(&"yaml-unquoted-colon".to_owned()), "{codes:?}");
    client.open("pdf/ROLE.md", "---\nskill: [pdf]\n---\nWork.\n");
    client.open("pdf/SKILL.md", &FAULTY.replace("Reads: ", "Reads "));
    let (uri, codes) = client.diagnostics();
    assert_eq!(uri, client.uri("pdf/SKILL.md"), "only the opened skill is reported");
    assert!(!codes.contains(&"yaml-unquoted-colon".to_owned()), "{codes:?}");
    // A file outside the folder that a client opens is checked alone.
    client.open("beside/SKILL.md", FAULTY);
    assert_eq!(client.diagnostics().0, client.uri("beside/SKILL.md"));
}

// SPEC 17.4, 17.10: the unsaved text is checked, and the problems disappear when it is corrected
#[test]
fn unsaved_texts_are_checked() {
    let client = Client::new(&files());
    client.open("skills/pdf/SKILL.md", PDF);
    let end = json!({ "start": { "line": 2, "character": 18 }, "end": { "line": 2, "character": 18 } });
    client.change("skills/pdf/SKILL.md", end, " this: and");
    assert_eq!(client.problems("skills/pdf/SKILL.md"), ["yaml-unquoted-colon"]);
    let typed = json!({ "start": { "line": 2, "character": 23 }, "end": { "line": 2, "character": 24 } });
    client.change("skills/pdf/SKILL.md", typed, "");
    assert_eq!(client.problems("skills/pdf/SKILL.md"), Vec::<String>::new());
    client.open("skills/new/SKILL.md", "---\nname: other\ndescription: New.\n---\n# New\n");
    assert_eq!(client.problems("skills/new/SKILL.md"), ["name-mismatch"], "a file that is not saved yet");
    client.open("projects/desk/ROLE.md", "---\nskill: [pdf]\n---\nWork.\n");
    assert_eq!(client.problems("projects/desk/ROLE.md"), ["key-unknown"]);
}

// SPEC 17.11: the quick fixes are the edits of `check --fix`, and one action applies all safe ones
#[test]
fn edits_are_quick_fixes() {
    let client = Client::new(&files());
    let path = "skills/pdf/SKILL.md";
    client.open(path, "---\nname: pdf\ndescription: Reads: PDF files.\nlicence: MIT\n---\n# PDF\n");
    client.problems(path);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let params = |only: Value| json!({ "textDocument": { "uri": client.uri(path) }, "range": range, "context": { "diagnostics": [], "only": only } });
    let actions = client.ask("textDocument/codeAction", params(json!(["quickfix"])));
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        ["Quote `Reads: PDF files.`", "Change `licence` to `license`", "Allow `key-unknown` here"]
    );
    assert_eq!((&actions[0]["isPreferred"], &actions[1]["isPreferred"]), (&json!(true), &json!(false)));
    let edit = &actions[0]["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["newText"], "\"Reads: PDF files.\"");
    let all = client.ask("textDocument/codeAction", params(json!(["source.fixAll"])));
    let text = all[0]["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str().unwrap();
    assert!(text.contains("\"Reads: PDF files.\"") && text.contains("licence"), "{text}");
}

// SPEC 17.12
#[test]
fn hover_shows_rules_keys_and_types() {
    let client = Client::new(&files());
    let hover = |path: &str, text: &str, marked: &str| {
        let answer = client.at("textDocument/hover", path, text, marked);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hover("skills/pdf/SKILL.md", PDF, "desc§ription:").contains("a model chooses by this text"));
    assert!(hover("skills/sum/skill.json", SUM, "\"mo§de\"").contains("**mode**"));
    assert!(hover("skills/sum/skill.json", SUM, "\"de§pends\"").contains("Steps that must end before"));
    assert_eq!(hover("skills/sum/skill.json", SUM, "[\"o§ne\"]"), "", "a value that says nothing of itself");
    let path = hover("skills/sum/skill.json", SUM, "{{input.li§st}}");
    assert!(path.contains("array of number") && path.contains("the input of `sum`"), "{path}");
    let path = hover("skills/sum/skill.json", SUM, "{{steps.one.su§m}}");
    assert!(path.contains("number") && path.contains("the output of `add`"), "{path}");
    let skill = hover("skills/sum/skill.json", SUM, "\"skill\": \"a§dd\"");
    assert!(skill.contains("Adds numbers.") && skill.contains("\"numbers\""), "{skill}");
    let broken = SUM.replace("steps.one.sum", "steps.one.sun");
    client.open("skills/sum/skill.json", &broken);
    let rule = hover("skills/sum/skill.json", &broken, "steps.one.su§n");
    assert!(rule.contains("skills::template-path"), "{rule}");
}

// SPEC 17.12
#[test]
fn completion_offers_valid_names() {
    let client = Client::new(&files());
    let labels = |path: &str, text: &str, marked: &str| -> Vec<String> {
        client.open(path, &text.replace('§', ""));
        let plain = text.replace('§', "");
        let answer = client.at("textDocument/completion", path, &plain, marked);
        answer.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let md = "---\nname: pdf\nlic\nuser-invocable: \n---\n[x](\n";
    let keys = labels("skills/pdf/SKILL.md", md, "\nlic§\n");
    assert!(keys.contains(&"license".to_owned()) && keys.contains(&"allowed-tools".to_owned()), "{keys:?}");
    assert_eq!(labels("skills/pdf/SKILL.md", md, "invocable: §\n"), ["true", "false"]);
    assert_eq!(labels("skills/pdf/SKILL.md", md, "[x](§\n"), ["references/notes.md"]);
    let json = |from: &str, to: &str| SUM.replace(from, to);
    let path = "skills/sum/skill.json";
    assert_eq!(
        labels(path, &json("\"calls\": [\"add\"]", "\"calls\": [\"\"]"), "[\"§\"]"),
        ["add", "pdf", "sum"]
    );
    assert_eq!(
        labels(path, &json("\"skill\": \"add\"", "\"skill\": \"\""), "\"skill\": \"§\""),
        ["add", "pdf", "sum"]
    );
    assert_eq!(
        labels(path, &json("\"composite\"", "\"\""), "\"mode\": \"§\""),
        ["code", "llm", "composite", "mcp"]
    );
    assert_eq!(labels(path, &json("[\"one\"]", "[\"\"]"), "\"depends\": [\"§\"]"), ["one"]);
    assert_eq!(labels(path, &json("input.list}}", "input.}}"), "{{input.§}}"), ["list"]);
    assert_eq!(labels(path, &json("steps.one.sum", "steps."), "{{steps.§}}"), ["one", "two"]);
    assert_eq!(labels(path, &json("steps.one.sum", "steps.one."), "{{steps.one.§}}"), ["sum"]);
    let filters = labels(path, &json("input.list}}", "input.list | }}"), "| §}}");
    assert!(filters.contains(&"size".to_owned()) && filters.contains(&"join".to_owned()), "{filters:?}");
    assert_eq!(
        labels(path, &json("{ \"numbers\": \"{{input.list}}\" }", "{ \"\" }"), "\"input\": { \"§\" }"),
        ["numbers"]
    );
    let keys = labels(path, &json("\"category\": \"math\",", "\"\""), "\n  \"§\"");
    assert!(keys.contains(&"category".to_owned()) && keys.contains(&"retry".to_owned()), "{keys:?}");
    let permitted = json("\"calls\":", "\"permissions\": { \"\" }, \"calls\":");
    assert_eq!(labels(path, &permitted, "\"permissions\": { \"§\""), ["read", "write", "net", "env"]);
    let goes_on = json("\"depends\": [\"one\"]", "\"continueOnError\": ");
    assert_eq!(labels(path, &goes_on, "\"continueOnError\": §"), ["true", "false"]);
}

// SPEC 3.2, 17.12: a definition leads to the place that the check uses
#[test]
fn references_of_schemas_agree_with_the_check() {
    let path = "skills/sum/skill.json";
    let text = SUM
        .replace("\"$ref\": \"#/definitions/list\" }", "\"$ref\": \"#list\" }, \"a\": { \"$ref\": \"#/$defs/a%20b\" }, \"p\": { \"$ref\": \"p%61rts.json#/$defs/p\" }")
        .replace("\"definitions\": { \"list\": { ", "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"$defs\": { \"a b\": { \"type\": \"boolean\" }, \"list\": { \"$anchor\": \"list\", ")
        .replace("{{input.list}}", "{{input.list}}{{input.a}}{{input.p.q}}");
    let parts = "{ \"$defs\": { \"p\": { \"properties\": { \"q\": { \"$ref\": \"#/$defs/q\" } } }, \"q\": { \"type\": \"integer\" } } }";
    let client =
        Client::new(&[(path, &text), ("skills/sum/parts.json", parts), ("skills/add/skill.json", ADD)]);
    let hover = |marked: &str| {
        let answer = client.at("textDocument/hover", path, &text, marked);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    for (marked, kind) in
        [("input.li§st}", "array of number"), ("input.§a}", "boolean"), ("input.p.§q}", "integer")]
    {
        assert!(hover(marked).contains(&format!("**{kind}**")), "{}", hover(marked));
    }
    let to = |path: &str, text: &str, marked: &str| {
        client.text(&client.at("textDocument/definition", path, text, marked)).1
    };
    assert!(to(path, &text, "\"#li§st\"").starts_with("{ \"$anchor\""));
    assert_eq!(to(path, &text, "a%§20b"), "{ \"type\": \"boolean\" }");
    assert!(to(path, &text, "p%61rts.json§#").starts_with("{ \"properties\""), "the part, not the file");
    assert_eq!(to("skills/sum/parts.json", parts, "#/$defs/§q"), "{ \"type\": \"integer\" }");
    assert_eq!(to(path, &text, "input.p.§q}"), "{ \"type\": \"integer\" }");
}

// SPEC 17.12
#[test]
fn definitions_and_references_are_found() {
    let client = Client::new(&files());
    let to = |path: &str, text: &str, marked: &str| {
        client.text(&client.at("textDocument/definition", path, text, marked))
    };
    let sum = "skills/sum/skill.json";
    let own = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    assert_eq!(to(sum, SUM, "\"calls\": [\"a§dd\"]"), own("skills/add/skill.json", "\"add\""));
    assert_eq!(to(sum, SUM, "\"skill\": \"a§dd\""), own("skills/add/skill.json", "\"add\""));
    assert_eq!(to(sum, SUM, "\"depends\": [\"o§ne\"]"), own(sum, "\"one\""));
    assert_eq!(to(sum, SUM, "{{steps.o§ne"), own(sum, "\"one\""));
    assert_eq!(to(sum, SUM, "#/definitions/li§st").0, sum);
    assert_eq!(to("skills/pdf/SKILL.md", PDF, "(references/no§tes.md)").0, "skills/pdf/references/notes.md");
    let found = client.at("textDocument/references", sum, SUM, "\"skill\": \"a§dd\"");
    assert_eq!(found.as_array().unwrap().len(), 4, "the name, a call and two steps: {found}");
    let found = client.at("textDocument/references", sum, SUM, "\"step\": \"o§ne\"");
    assert_eq!(found.as_array().unwrap().len(), 3, "the step, what waits for it, what reads it: {found}");
}

// SPEC 2.11, 4.2, 17.12: a link and `exec` lead to the file that the check uses
#[test]
fn files_agree_with_the_check() {
    let path = "skills/pdf/SKILL.md";
    let body =
        "[a](<two words.md>) [b](two%20words.md#x) [c](sub/b.md) [d]\n\n[d]: w.md\n\nRun `scripts/go.sh`.\n";
    let head =
        |exec: &str| format!("---\nname: pdf\ndescription: Reads PDF files.\nexec: {exec}\n---\n{body}");
    let text = head("scripts/run.sh");
    let files = ["two words.md", "w.md", "bin/b.md", "bin/run.sh", "bin/go.sh"]
        .map(|file| format!("skills/pdf/{file}"));
    let mut all: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), "#!/bin/sh\n")).collect();
    all.push((path, &text));
    let client = Client::new(&all);
    let to = |text: &str, marked: &str| -> String {
        let answer = client.at("textDocument/definition", path, text, marked);
        answer["uri"]
            .as_str()
            .and_then(|uri| uri.rsplit_once("/pdf/"))
            .map_or("", |(_, file)| file)
            .to_owned()
    };
    for (marked, file) in [
        ("two wo§rds", "two%20words.md"),
        ("two%20wo§rds", "two%20words.md"),
        ("sub/§b.md", ""),
        ("]: w§.md", "w.md"),
        ("scripts/§go.sh", ""),
        ("scripts/r§un.sh", ""),
    ] {
        assert_eq!(to(&text, marked), file, "{marked}");
    }
    client.open(path, &head("run.sh"));
    assert_eq!(to(&head("run.sh"), "exec: r§un.sh"), "bin/run.sh");
}

// SPEC 17.13
#[test]
fn renames_change_every_place() {
    let client = Client::new(&files());
    let sum = "skills/sum/skill.json";
    let rename = |marked: &str, name: &str| {
        let mut params = client.place(sum, SUM, marked);
        params["newName"] = json!(name);
        client.asked("textDocument/rename", params)
    };
    let (edit, error) = rename("\"skill\": \"a§dd\"", "plus");
    assert!(error.is_null(), "{error}");
    let count = |path: &str| edit["changes"][client.uri(path)].as_array().map_or(0, Vec::len);
    assert_eq!((count("skills/add/skill.json"), count(sum)), (1, 3));
    let (edit, _) = rename("\"step\": \"o§ne\"", "first");
    assert_eq!(edit["changes"][client.uri(sum)].as_array().unwrap().len(), 3);
    assert!(rename("\"step\": \"o§ne\"", "two").1["message"].as_str().unwrap().contains("already"));
    // SPEC 2.6, 3.1, 5.5: a name that the check would refuse is refused.
    let refused =
        |marked: &str, name: &str| rename(marked, name).1["message"].as_str().unwrap_or("").to_owned();
    for name in ["G-x", "-", "__", "a--b", "a-b", &"x".repeat(80), ""] {
        assert!(!refused("\"skill\": \"a§dd\"", name).is_empty(), "{name}");
    }
    for name in ["-", "a b", "a.b", ""] {
        assert!(refused("\"step\": \"o§ne\"", name).contains("is not a valid name of a step"), "{name}");
    }
    let refused = |path: &str, text: &str, marked: &str, name: &str| {
        let mut params = client.place(path, text, marked);
        params["newName"] = json!(name);
        client.asked("textDocument/rename", params).1["message"].as_str().unwrap_or("").to_owned()
    };
    let pdf = |name: &str| refused("skills/pdf/SKILL.md", PDF, "name: p§df", name);
    assert_eq!((pdf("to-pdf"), pdf("to_pdf")), (String::new(), String::new()));
    assert!(pdf("a--b").contains("not a valid name") && pdf("sum").contains("`sum` already exists"));
    // SPEC 1.5: names that differ only in `-` and `_` are the same.
    client.open("skills/a-b/SKILL.md", "---\nname: a-b\ndescription: New.\n---\n# New\n");
    assert!(pdf("a_b").contains("`a-b` already exists"), "{}", pdf("a_b"));
    // SPEC 9.7: also two `_`, which a directory name cannot have.
    assert!(
        rename("\"skill\": \"a§dd\"", "a__b").1["message"]
            .as_str()
            .unwrap_or("")
            .contains("`a-b` already exists")
    );
}

// SPEC 17.13: a step is renamed in templates, and not in plain text
#[test]
fn renamed_steps_do_not_change_texts() {
    let path = "skills/sum/skill.json";
    let text = SUM
        .replace("Adds twice.", "See steps.one of it.")
        .replace(
            "{{steps.one.sum}}",
            "steps.one: {{steps.one.sum | default: 'steps.one'}} {{steps['one'].sum}}",
        )
        .replace(
            "\"output\": {}",
            "\"output\": {}, \"outputMapping\": { \"steps.one\": [1, \"\", \"é{{ steps.\\u006fne }}\"] }",
        );
    let client = Client::new(&[("skills/sum/skill.json", &text), ("skills/add/skill.json", ADD)]);
    let mut params = client.place(path, &text, "\"step\": \"o§ne\"");
    params["newName"] = json!("first");
    let edit = client.ask("textDocument/rename", params);
    let mut found: Vec<String> = edit["changes"][client.uri(path)]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let start = &edit["range"]["start"];
            let line = text.lines().nth(start["line"].as_u64().unwrap() as usize).unwrap();
            let units: Vec<u16> = line.encode_utf16().collect();
            let at = |key: &str| edit["range"][key]["character"].as_u64().unwrap() as usize;
            let written = String::from_utf16(&units[..at("end")]).unwrap();
            written.chars().rev().take(9).collect()
        })
        .collect();
    found.sort();
    let all = [" steps.\\u006fne", "nds\": [\"one", "tep\": \"one", "{steps.one", "{steps['one"];
    let mut all = all.map(|written| written.chars().rev().take(9).collect::<String>());
    all.sort();
    assert_eq!(found, all);
}

// SPEC 17.13
#[test]
fn outlines_foldings_and_formatting() {
    let client = Client::new(&files());
    let document = |path: &str| json!({ "textDocument": { "uri": client.uri(path) }, "options": { "tabSize": 2, "insertSpaces": true } });
    let names = |path: &str| -> Vec<String> {
        let found = client.ask("textDocument/documentSymbol", document(path));
        found.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("skills/pdf/SKILL.md"), ["name", "description", "PDF"]);
    let code = format!("{PDF}```x``` is text\n## A\n````\n```\n# b\n````\n~~~\n# c\n~~~\n## D\n");
    client.open("skills/pdf/SKILL.md", &code);
    assert_eq!(names("skills/pdf/SKILL.md"), ["name", "description", "PDF", "A", "D"], "not those of code");
    assert!(names("skills/sum/skill.json").contains(&"pipeline".to_owned()));
    let folds = client.ask("textDocument/foldingRange", document("skills/pdf/SKILL.md"));
    assert_eq!((&folds[0]["startLine"], &folds[0]["endLine"]), (&json!(0), &json!(3)));
    // The server recognizes the same frontmatter as the check (SPEC 2.1).
    for (text, end) in [
        ("\u{feff}--- yaml \r\nname: pdf\r\n--- \r\n# PDF\r\n", Some(2)),
        ("---toml\nx = \"\"\"\n---\n\"\"\"\n---\n", Some(4)),
        ("----\nname: pdf\n---\n", None),
        ("--- a b\nname: pdf\n---\n", None),
        ("---\nname: pdf\n", None),
    ] {
        client.open("skills/pdf/SKILL.md", text);
        let folds = client.ask("textDocument/foldingRange", document("skills/pdf/SKILL.md"));
        assert_eq!(folds[0]["endLine"].as_u64(), end, "{text}");
    }
    assert!(
        client.ask("textDocument/formatting", document("skills/sum/skill.json")).is_null(),
        "it is laid out well"
    );
    client.open("skills/add/skill.json", &ADD.replace("  \"mode\": ", "\"mode\":"));
    let edits = client.ask("textDocument/formatting", document("skills/add/skill.json"));
    assert_eq!(edits[0]["newText"], ADD);
}

// SPEC 17.10: requests for unknown files and skills are answered, too
#[test]
fn odd_requests_are_answered() {
    let client = Client::new(&files());
    client.open("notes.txt", "x");
    let nowhere =
        json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 9, "character": 9 } });
    assert!(client.ask("textDocument/hover", nowhere).is_null());
    let outside = json!({ "textDocument": { "uri": client.uri("notes.txt") }, "position": { "line": 0, "character": 0 } });
    assert!(client.ask("textDocument/definition", outside).is_null());
    assert_eq!(client.asked("no/such", json!({})).1["code"], -32601);
}

// SPEC 17.19: invalid parameters are refused and named, and the session continues
#[test]
fn invalid_parameters_are_refused() {
    let client = Client::new(&files());
    let (_, error) = client.asked("textDocument/hover", json!({ "textDocument": {} }));
    assert_eq!(error["code"], -32602);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("the parameters of `textDocument/hover` are not valid: "), "{message}");
    client.notify("textDocument/didOpen", json!({ "textDocument": { "uri": "file:///a b" } }));
    let logged = loop {
        if let Message::Notification(note) = client.receive()
            && note.method == "window/logMessage"
        {
            break note.params;
        }
    };
    assert_eq!(logged["type"], 1);
    assert!(logged["message"].as_str().unwrap().contains("`textDocument/didOpen`"), "{logged}");
    assert_eq!(client.asked("no/such", json!({})).1["code"], -32601);
}
