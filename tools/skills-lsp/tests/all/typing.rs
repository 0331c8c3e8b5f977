//! The requests of an editor while a person types: broken texts, unusual line ends, roots that appear and
//! disappear.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;

use crate::client::Client;
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n\nSee [notes](notes.md).\n";
const ADD: &str = r#"{
  "name": "add", "description": "Adds numbers.", "category": "math", "mode": "code",
  "input": { "type": "object", "properties": { "numbers": { "type": "array", "items": { "type": "number" } }, "least": { "type": "number" } } },
  "output": { "type": "object", "properties": { "sum": { "type": "number" } } }
}
"#;
const SUM: &str = r##"{
  "name": "sum",
  "description": "Sums up.",
  "category": "math",
  "mode": "composite",
  "calls": ["add"],
  "input": { "type": "object", "definitions": { "list": { "type": "array" } }, "properties": { "list": { "$ref": "#/definitions/list" } } },
  "output": { "type": "object", "properties": { "total": { "type": "number" } } },
  "pipeline": [
    { "step": "one", "skill": "add", "input": { "numbers": "{{input.list}}" } },
    { "step": "two", "skill": "add", "input": { "numbers": ["{{steps.one.sum}}"] }, "depends": ["one"] }
  ],
  "outputMapping": { "total": "{{steps.two.sum}}" }
}
"##;

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("skills/pdf/SKILL.md", PDF),
        ("skills/pdf/notes.md", "# Notes\n"),
        ("skills/add/skill.json", ADD),
        ("skills/sum/skill.json", SUM),
        (
            "skills/ask/skill.json",
            "{ \"name\": \"ask\", \"description\": \"Asks.\", \"category\": \"c\", \"mode\": \"llm\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"topic\": { \"type\": \"string\", \"description\": \"What about.\" } } }, \"output\": {} }\n",
        ),
        ("skills/ask/prompt.md", "Tell of {{input.topic}}.\n"),
        ("projects/desk/ROLE.md", "---\nskills: [pdf]\n---\nWork.\n"),
    ]
}

/// Returns the labels offered at the mark `§` in a text.
fn labels(client: &Client, path: &str, marked: &str) -> Vec<String> {
    items(client, path, marked).iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

fn items(client: &Client, path: &str, marked: &str) -> Vec<Value> {
    let plain = marked.replace('§', "");
    client.open(path, &plain);
    let answer = client.ask("textDocument/completion", client.place(path, &plain, marked));
    answer.as_array().unwrap().clone()
}

/// Replaces a part of a text with an incomplete one that contains the mark.
fn typed(whole: &str, piece: &str, typed: &str) -> String {
    assert!(whole.contains(piece), "{piece}");
    whole.replacen(piece, typed, 1)
}

// SPEC 17.12, 17.17: completion uses the rest of an incomplete text
#[test]
fn broken_json_is_completed() {
    let client = Client::new(&files());
    let path = "skills/sum/skill.json";
    let sum = |piece: &str, broken: &str| labels(&client, path, &typed(SUM, piece, broken));
    assert_eq!(sum("\"composite\",", "\"§"), ["code", "llm", "composite", "mcp"]);
    assert_eq!(sum("\"composite\",", "§"), ["code", "llm", "composite", "mcp"]);
    assert_eq!(sum("[\"add\"],", "[\"§"), ["add", "ask", "pdf", "sum"]);
    assert_eq!(sum("[\"add\"],", "[\"add\", §"), ["add", "ask", "pdf", "sum"]);
    assert_eq!(
        sum("\"skill\": \"add\", \"input\"", "\"skill\": \"a§, \"input\""),
        ["add", "ask", "pdf", "sum"]
    );
    assert_eq!(sum("{ \"numbers\": \"{{input.list}}\" }", "{ \"§ }"), ["numbers", "least"]);
    assert_eq!(sum("{ \"numbers\": \"{{input.list}}\" }", "{ \"numbers\": [], § }"), ["least"]);
    assert_eq!(sum("[\"one\"]", "[\"§"), ["one"]);
    assert_eq!(sum("{ \"total\": \"{{steps.two.sum}}\" }", "{ \"§"), ["total"]);
    assert_eq!(sum("\"$ref\": \"#/definitions/list\"", "\"$ref\": \"§"), ["#/definitions/list"]);
    assert!(
        sum(
            "\"definitions\": { \"list\": { \"type\": \"array\" } }",
            "\"definitions\": { \"list\": { \"type\": \"§"
        )
        .contains(&"object".into())
    );
    let keys = sum("  \"category\": \"math\",\n", "  \"§\n");
    assert!(
        keys.contains(&"category".into()) && keys.contains(&"retry".into()) && !keys.contains(&"mode".into()),
        "{keys:?}"
    );
    let keys = sum("\"depends\": [\"one\"] }", "\"§");
    assert!(
        keys.contains(&"depends".into())
            && keys.contains(&"foreach".into())
            && !keys.contains(&"step".into()),
        "{keys:?}"
    );
    // Completions without quotes add them, and the colon of a key.
    let found = items(&client, path, &typed(SUM, "  \"category\": \"math\",\n", "  §\n"));
    let category = found.iter().find(|item| item["label"] == "category").unwrap();
    assert_eq!(category["textEdit"]["newText"], "\"category\": ");
}

// SPEC 17.12
#[test]
fn broken_templates_are_completed() {
    let client = Client::new(&files());
    let path = "skills/sum/skill.json";
    let sum = |piece: &str, broken: &str| labels(&client, path, &typed(SUM, piece, broken));
    assert_eq!(sum("\"{{input.list}}\" }", "\"{{ input.§"), ["list"]);
    assert_eq!(sum("\"{{input.list}}\" }", "\"{{ input.§\" }"), ["list"]);
    assert_eq!(sum("{{steps.one.sum}}", "{{steps.one.§"), ["sum"]);
    assert_eq!(sum("{{steps.one.sum}}", "{{steps.§"), ["one", "two"]);
    assert!(sum("{{input.list}}", "{{input.list | §").contains(&"join".into()));
    let prompt = "skills/ask/prompt.md";
    assert_eq!(labels(&client, prompt, "Tell of {{ input.§"), ["topic"]);
    assert_eq!(labels(&client, prompt, "🎉 技能 {{#if input.to§}}"), ["topic"]);
    assert_eq!(labels(&client, prompt, "a\r\nb {{input.§}}\r\n"), ["topic"]);
    // The schema is incomplete meanwhile, and is still read.
    client.open(
        "skills/ask/skill.json",
        "{ \"mode\": \"llm\", \"input\": { \"properties\": { \"topic\": {}, \"tone\": { \"type\": ",
    );
    assert_eq!(labels(&client, prompt, "Tell {{ input.§ }}"), ["topic", "tone"]);
    let hover = client.at("textDocument/hover", prompt, "Tell {{ input.topic }}", "input.to§pic");
    assert!(hover.is_null() || hover["contents"]["value"].as_str().unwrap().contains("`ask`"), "{hover}");
}

// SPEC 17.12
#[test]
fn broken_frontmatters_are_completed() {
    let client = Client::new(&files());
    let path = "skills/pdf/SKILL.md";
    let keys = labels(&client, path, "---\nname: pdf\nlic§");
    assert!(keys.contains(&"license".into()), "the block is not closed yet: {keys:?}");
    assert!(
        labels(&client, path, "\u{feff}---\r\nname: pdf\r\nal§\r\n---\r\n").contains(&"allowed-tools".into())
    );
    assert_eq!(labels(&client, path, "---\nname: §"), ["pdf"]);
    assert_eq!(labels(&client, path, "---\nname: \"p§"), ["pdf"]);
    assert_eq!(labels(&client, path, "---toml\nexec = \"§\n---\n"), ["notes.md"]);
    assert_eq!(labels(&client, path, "---\nname: pdf\n---\n🎉 [é](§"), ["notes.md"]);
    let role = "projects/desk/ROLE.md";
    assert_eq!(labels(&client, role, "---\nskills: [pdf, §]\n---\nWork.\n"), ["add", "ask", "pdf", "sum"]);
}

// SPEC 17.13, 17.17: a project names skills of another directory
#[test]
fn skills_of_projects_are_followed_and_renamed() {
    let edits = json!({ "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] } } });
    let client = Client::with(&files(), edits);
    let (role, text) = ("projects/desk/ROLE.md", "---\nskills: [pdf]\n---\nWork.\n");
    let hover = client.at("textDocument/hover", role, text, "[p§df]");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Reads PDF files."), "{hover}");
    let found = client.at("textDocument/definition", role, text, "[p§df]");
    assert_eq!(client.text(&found), ("skills/pdf/SKILL.md".to_owned(), "pdf".to_owned()));
    let found = client.at("textDocument/references", role, text, "[p§df]");
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    let mut params = client.place(role, text, "[p§df]");
    params["newName"] = json!("reader");
    let edit = client.ask("textDocument/rename", params);
    let changes = edit["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 3, "two texts and the directory: {edit}");
    assert_eq!(changes[2]["kind"], "rename");
    assert_eq!(changes[2]["newUri"], client.uri("skills/reader"));
}

// SPEC 17.10: positions count UTF-16 units, with any line ends
#[test]
fn edits_are_applied_at_their_place() {
    let client = Client::new(&files());
    let path = "skills/pdf/SKILL.md";
    client.open(path, "\u{feff}---\r\nname: pdf\r\ndescription: 🎉 技能 Reads.\r\n---\r\n# é\r\n");
    let at = |line: u64, character: u64| json!({ "line": line, "character": character });
    client.change(path, json!({ "start": at(2, 19), "end": at(2, 24) }), "Use: it");
    assert_eq!(client.problems(path), ["yaml-unquoted-colon"]);
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "range": { "start": at(2, 0), "end": at(2, 30) }, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = client.ask("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["newText"], "\"🎉 技能 Use: it.\"");
    assert_eq!(edit["range"], json!({ "start": at(2, 13), "end": at(2, 27) }));
}

// SPEC 23.6: an editor shows command lines that do not fit, also after the commands have changed
#[test]
fn commands_are_read_again_when_they_change() {
    const ACME: &str = r#"{ "name": "acme", "commands": [{ "name": "list" }] }"#;
    const TEXT: &str = "---\nname: acme\ndescription: Lists things.\n---\nRun `acme show`.\n";
    let (skill, settings) = ("skills/acme/SKILL.md", "commands = [\"acme.json\"]\n");
    let client = Client::new(&[("skills.toml", settings), ("acme.json", ACME), (skill, TEXT)]);
    let changed = |text: &str| {
        fs::write(client.top.join("acme.json"), text).unwrap();
        let changes = json!([{ "uri": client.uri("acme.json"), "type": 2 }]);
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    };
    assert_eq!(client.problems(skill), ["command-unknown"]);
    changed(&ACME.replace("list", "show"));
    assert_eq!(client.problems(skill), Vec::<String>::new());
    changed("{ \"nme\": 1 }");
    assert_eq!(client.problems("skills.toml"), ["config-invalid"]);
}

// SPEC 17.10, 17.17: changes on disk are noticed and reported
#[test]
fn roots_come_and_go() {
    let client = Client::new(&[("README.md", "# X\n")]);
    let skill = "skills/pdf/SKILL.md";
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    fs::create_dir_all(client.top.join("skills/pdf")).unwrap();
    fs::write(client.top.join(skill), PDF.replace("name: pdf", "name: other")).unwrap();
    let changed = |path: &str| {
        let changes = json!([{ "uri": client.uri(path), "type": 2 }]);
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    };
    changed(skill);
    assert_eq!(
        client.problems(skill),
        ["broken-link", "name-mismatch"].map(String::from).into_iter().rev().collect::<Vec<_>>()
    );
    // Its options change: first on disk, and then only in the editor.
    fs::write(client.top.join("skills.toml"), "[rules]\nbroken-link = \"allow\"\n").unwrap();
    changed("skills.toml");
    assert_eq!(client.problems(skill), ["name-mismatch"]);
    client.open("skills.toml", "[rules]\nbroken-lnk = \"allow\"\n");
    let mut diagnostics = [client.diagnostics(), client.diagnostics()];
    diagnostics.sort();
    assert_eq!(diagnostics[0].1, ["config-invalid"], "the file itself is judged");
    assert_eq!(diagnostics[1].1, ["name-mismatch", "broken-link"]);
    fs::remove_dir_all(client.top.join("skills")).unwrap();
    changed(skill);
    assert_eq!(client.problems(skill), Vec::<String>::new());
    // An unsaved file, in a directory that does not exist.
    client.open("later/skills/new/SKILL.md", "---\nname: new\ndescription: Is new: so.\n---\n# N\n");
    assert_eq!(client.problems("later/skills/new/SKILL.md"), ["yaml-unquoted-colon"]);
}

// SPEC 17.16: results are sent in order, with the version of the text
#[test]
fn published_problems_belong_to_the_last_text() {
    let client = Client::new(&files());
    let path = "skills/pdf/SKILL.md";
    client.open(path, PDF);
    let mut text = PDF.to_owned();
    let faulty = PDF.replace("Reads PDF", "Reads: PDF");
    for version in 2..202 {
        text = if version % 2 == 0 { faulty.clone() } else { PDF.to_owned() };
        let document = json!({ "uri": client.uri(path), "version": version });
        client.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }
    assert_eq!(text, PDF);
    // A request that is cancelled before it is handled gets no result.
    let hover =
        json!({ "textDocument": { "uri": client.uri(path) }, "position": { "line": 1, "character": 1 } });
    let send = |id: i32, params: &Value| {
        let request =
            Request { id: id.into(), method: "textDocument/hover".to_owned(), params: params.clone() };
        client.connection.sender.send(Message::Request(request)).unwrap();
    };
    send(9000, &hover);
    client
        .connection
        .sender
        .send(Message::Notification(Notification {
            method: "$/cancelRequest".into(),
            params: json!({ "id": 9000 }),
        }))
        .unwrap();
    send(9001, &hover);
    let (mut last, mut codes, mut answers) = (0, 0, Vec::new());
    while answers.len() < 2 {
        match client.receive() {
            Message::Notification(note) if note.params["uri"] == json!(client.uri(path)) => {
                let version = note.params["version"].as_i64().unwrap();
                assert!(version >= last, "{version} after {last}");
                (last, codes) = (version, note.params["diagnostics"].as_array().unwrap().len());
                assert_eq!(
                    codes,
                    usize::from(version % 2 == 0),
                    "the problems are those of version {version}"
                );
            }
            Message::Response(response) => answers.push((response.id.to_string(), response.response_result)),
            _ => {}
        }
    }
    assert_eq!(codes, 0);
    assert_eq!(answers[0].0, "9000");
}

// SPEC 17.14, 12.10: each stroke in a very large text is checked; a server that slows down with its size would miss the time
// limit of the client
#[test]
fn a_very_large_text_is_typed_in() {
    let client = Client::new(&files());
    let path = "skills/pdf/SKILL.md";
    let line = |n: usize| format!("A line of 技能 and `scripts/none{n}.py` with [x](y{n}.md).\n");
    let text = format!("{PDF}{}", (0..4_000).map(|n| line(n % 200)).collect::<String>());
    client.open(path, &text);
    assert_eq!(client.problems(path).len(), 101);
    for stroke in 0..10 {
        let at = json!({ "line": 2, "character": 18 });
        let fault = if stroke % 2 == 0 {
            (json!({ "start": at, "end": at }), ":")
        } else {
            (json!({ "start": at, "end": { "line": 2, "character": 19 } }), "")
        };
        client.change(path, fault.0, fault.1);
        client.problems(path);
    }
}
