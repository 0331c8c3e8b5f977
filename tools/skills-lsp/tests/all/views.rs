//! A client and the server, in one process: lenses, hints, tokens, links, symbols, signatures, and the code actions
//! that are not fixes (SPEC 17.21 to 17.26).
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;

use crate::client::Client;
use lsp_server::{Connection, Message, Notification};
use serde_json::{Value, json};

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\nexec: bin/run.sh\n---\n# PDF\n\nSee [notes](references/notes.md) and [more](more.md).\n";
const ADD: &str = r#"{
  "name": "add",
  "description": "Adds numbers.",
  "category": "math",
  "input": { "type": "object", "properties": { "numbers": { "type": "array", "items": { "type": "number" }, "description": "What is added." }, "round": { "type": "boolean", "default": false } }, "required": ["numbers"] },
  "output": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] },
  "mode": "code"
}
"#;
const SUM: &str = r#"{
  "name": "sum",
  "description": "Adds twice.",
  "category": "math",
  "input": { "type": "object", "properties": { "list": { "type": "array", "items": { "type": "number" } } }, "required": ["list"] },
  "output": {},
  "mode": "composite",
  "calls": ["add"],
  "pipeline": [
    { "step": "one", "skill": "add", "input": { "numbers": "{{input.list | sort}}" } },
    { "step": "two", "skill": "add", "condition": "steps.one.sum > 3", "input": { "numbers": ["{{steps.one.sum}}"], "round": true }, "depends": ["one"] }
  ]
}
"#;
const EVALS: &str = "{ \"skill_name\": \"add\", \"evals\": [{ \"input\": { \"numbers\": [1] }, \"output\": { \"sum\": 1 } }] }\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("skills/pdf/SKILL.md", PDF),
        ("skills/pdf/bin/run.sh", "#!/bin/sh\n"),
        ("skills/pdf/references/notes.md", "# Notes\n"),
        ("skills/add/skill.json", ADD),
        ("skills/add/evals/evals.json", EVALS),
        ("skills/sum/skill.json", SUM),
    ]
}

fn document(client: &Client, path: &str) -> Value {
    json!({ "textDocument": { "uri": client.uri(path) } })
}

fn texts(answer: &Value, key: &str) -> Vec<String> {
    answer.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

// SPEC 17.22: the command of a lens returns a command line that calls the skill with a sample input
#[test]
fn lenses_run_skills_and_evals_through_commands() {
    let client = Client::new(&files());
    let lenses = client.ask("textDocument/codeLens", document(&client, "skills/add/skill.json"));
    let commands: Vec<Value> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"].clone()).collect();
    assert_eq!(texts(&json!(commands), "title"), ["Run this skill", "Run its evals"]);
    assert_eq!(lenses[0]["range"]["start"], json!({ "line": 1, "character": 10 }), "at the name");
    let directory = client.top.join("skills");
    let directory = directory.to_str().unwrap();
    let run = |command: &Value| {
        client.asked(
            "workspace/executeCommand",
            json!({ "command": command["command"], "arguments": command["arguments"] }),
        )
    };
    let (answer, _) = run(&commands[0]);
    assert_eq!(
        answer["arguments"],
        json!(["call", "add", "--dir", directory, "--input", "{\"numbers\":[]}"])
    );
    assert_eq!(answer["line"], format!("skills call add --dir {directory} --input '{{\"numbers\":[]}}'"));
    assert_eq!(run(&commands[1]).0["arguments"], json!(["eval", "--skill", "add", directory]));
    // A skill with a program but no `skill.json` is run by `exec`; a skill that is only text has no lens.
    let lenses = client.ask("textDocument/codeLens", document(&client, "skills/pdf/SKILL.md"));
    assert_eq!(run(&lenses[0]["command"]).0["arguments"], json!(["exec", "pdf", "--dir", directory]));
    assert_eq!(lenses.as_array().unwrap().len(), 1);
    let prose = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
    client.open("skills/pdf/SKILL.md", prose);
    assert_eq!(client.ask("textDocument/codeLens", document(&client, "skills/pdf/SKILL.md")), json!([]));
    for (arguments, reason) in [
        (json!([]), "no text `name`"),
        (json!([{ "name": "add", "directory": "/" }]), "is not a directory of skills"),
        (json!([{ "name": "nothing", "directory": directory }]), "there is no skill `nothing`"),
        (json!([{ "name": "pdf", "directory": directory }]), "`pdf` is text"),
    ] {
        let (_, error) = client
            .asked("workspace/executeCommand", json!({ "command": "skills.run", "arguments": arguments }));
        assert_eq!(error["code"], -32602);
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
    }
}

// SPEC 17.22: clients without lenses get the commands as actions, and clients without a terminal get a message
#[test]
fn commands_are_actions_and_messages_too() {
    for is_run_by_client in [false, true] {
        let client = Client::wishing(&files(), json!({}), json!({ "runs": is_run_by_client }));
        let path = "skills/add/skill.json";
        let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 0 } });
        let params = json!({ "textDocument": { "uri": client.uri(path) }, "range": range, "context": { "diagnostics": [] } });
        let actions = client.ask("textDocument/codeAction", params);
        assert_eq!(texts(&actions, "title"), ["Run this skill", "Run its evals"]);
        let command = json!({ "command": actions[0]["command"], "arguments": actions[0]["arguments"] });
        let request =
            lsp_server::Request { id: 99.into(), method: "workspace/executeCommand".into(), params: command };
        client.connection.sender.send(Message::Request(request)).unwrap();
        let mut shown = false;
        loop {
            match client.receive() {
                Message::Notification(note) if note.method == "window/showMessage" => {
                    shown = note.params["message"].as_str().unwrap().contains("skills call add");
                }
                Message::Response(_) => break,
                _ => {}
            }
        }
        assert_eq!(shown, !is_run_by_client);
    }
}

// SPEC 17.23
#[test]
fn hints_show_types_and_defaults() {
    let client = Client::new(&files());
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let ask = |range: Value| {
        let params =
            json!({ "textDocument": { "uri": client.uri("skills/sum/skill.json") }, "range": range });
        client.ask("textDocument/inlayHint", params)
    };
    let hints = ask(whole);
    let wanted = ["defaults: round: false", ": array of number", ": number", ": number"];
    assert_eq!(texts(&hints, "label"), wanted);
    let line = SUM.lines().nth(9).unwrap();
    let end = line.find("input.list").unwrap() + "input.list".len();
    assert_eq!(hints[1]["position"], json!({ "line": 9, "character": end }));
    let first = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 3, "character": 0 } });
    assert_eq!(ask(first), json!([]));
}

// SPEC 17.23
#[test]
fn tokens_colour_templates() {
    let client = Client::new(&files());
    let answer = client.ask("textDocument/semanticTokens/full", document(&client, "skills/sum/skill.json"));
    let data: Vec<u64> =
        answer["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    let (mut line, mut start) = (0, 0);
    let mut words = Vec::new();
    for token in data.chunks(5) {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        let text = SUM.lines().nth(line as usize).unwrap();
        words.push((&text[start as usize..(start + token[2]) as usize], token[3]));
    }
    let wanted = [
        ("input", 0),
        ("list", 1),
        ("|", 6),
        ("sort", 2),
        ("steps", 0),
        ("one", 1),
        ("sum", 1),
        (">", 6),
        ("3", 5),
        ("steps", 0),
        ("one", 1),
        ("sum", 1),
    ];
    assert_eq!(words, wanted);
}

// SPEC 17.24
#[test]
fn links_lead_to_files_that_exist() {
    let client = Client::new(&files());
    let links = client.ask("textDocument/documentLink", document(&client, "skills/pdf/SKILL.md"));
    let wanted = [client.uri("skills/pdf/bin/run.sh"), client.uri("skills/pdf/references/notes.md")];
    assert_eq!(texts(&links, "target"), wanted);
}

// SPEC 17.24
#[test]
fn symbols_of_a_workspace_are_skills_and_steps() {
    let client = Client::new(&files());
    let ask = |query: &str| texts(&client.ask("workspace/symbol", json!({ "query": query })), "name");
    assert_eq!(ask(""), ["add", "pdf", "sum", "one", "two"]);
    assert_eq!(ask("SM"), ["sum"]);
    assert_eq!(ask("xyz"), Vec::<String>::new());
    let found = client.ask("workspace/symbol", json!({ "query": "two" }));
    assert_eq!(
        client.text(&found[0]["location"]),
        ("skills/sum/skill.json".to_owned(), "\"two\"".to_owned())
    );
    assert_eq!(found[0]["containerName"], "sum");
}

// SPEC 17.16, 17.24: the index follows the text, and keeps the places of other skills
#[test]
fn symbols_follow_a_text_that_is_typed() {
    let client = Client::new(&files());
    let ask = |query: &str| client.ask("workspace/symbol", json!({ "query": query }));
    let known = ask("pdf");
    assert_eq!(texts(&known, "name"), ["pdf"]);
    client.open("skills/sum/skill.json", &SUM.replace("\"two\"", "\"second\""));
    let found = ask("second");
    assert_eq!(texts(&found, "containerName"), ["sum"]);
    let column = |at: &str| found[0]["location"]["range"][at]["character"].as_u64().unwrap();
    assert_eq!(column("end") - column("start"), 8, "the new text with its quotes");
    assert_eq!(texts(&ask("two"), "name"), Vec::<String>::new());
    assert_eq!(ask("pdf"), known);
}

// SPEC 17.24
#[test]
fn signatures_show_the_input_of_a_step() {
    let client = Client::new(&files());
    let ask = |typed: &str| {
        let text = SUM.replace("{ \"numbers\": \"{{input.list | sort}}\" }", &typed.replace('§', ""));
        client.open("skills/sum/skill.json", &text);
        client.at(
            "textDocument/signatureHelp",
            "skills/sum/skill.json",
            &text,
            &format!("\"add\", \"input\": {typed}"),
        )
    };
    for (typed, active) in [("{ \"§", 2), ("{ \"round\": §", 1), ("{ \"numbers\": [§1] }", 0)] {
        let answer = ask(typed);
        assert_eq!(
            answer["signatures"][0]["label"], "add(numbers: array of number, round?: boolean)",
            "{typed}"
        );
        assert_eq!(answer["activeParameter"], active, "{typed}");
    }
    let text = answer_text(&ask("{ \"numbers\": 1 }§"));
    assert_eq!(text, "", "behind the input there is no signature");
}

fn answer_text(answer: &Value) -> String {
    answer["signatures"][0]["label"].as_str().unwrap_or_default().to_owned()
}

// SPEC 17.25: the schema, the templates and the steps of other skills
#[test]
fn an_input_property_is_renamed_everywhere() {
    let client = Client::new(&files());
    let rename = |path: &str, text: &str, marked: &str, new: &str| {
        let mut params = client.place(path, text, marked);
        params["newName"] = json!(new);
        client.asked("textDocument/rename", params)
    };
    let (answer, error) = rename("skills/add/skill.json", ADD, "\"num§bers\": {", "values");
    assert!(error.is_null(), "{error}");
    let mut places = Vec::new();
    for (uri, edits) in answer["changes"].as_object().unwrap() {
        for edit in edits.as_array().unwrap() {
            assert_eq!(edit["newText"], "values");
            places.push(client.text(&json!({ "uri": uri, "range": edit["range"] })));
        }
    }
    let is_of = |file: &str| places.iter().filter(|(path, text)| path == file && text == "numbers").count();
    assert_eq!(
        (
            is_of("skills/add/skill.json"),
            is_of("skills/sum/skill.json"),
            is_of("skills/add/evals/evals.json"),
            places.len()
        ),
        (2, 2, 1, 5)
    );
    let (answer, _) = rename("skills/sum/skill.json", SUM, "{{input.li§st", "items");
    assert_eq!(answer["changes"][client.uri("skills/sum/skill.json")].as_array().unwrap().len(), 3);
    let (_, error) = rename("skills/sum/skill.json", SUM, "\"nu§mbers\": [", "round");
    assert!(error["message"].as_str().unwrap().contains("`round` already exists"), "{error}");
    let (_, error) = rename("skills/sum/skill.json", SUM, "\"nu§mbers\": [", "a b");
    assert!(error["message"].as_str().unwrap().contains("not a valid name"), "{error}");
}

// SPEC 17.25: a rename that would miss a place is refused, for each text that it would have to edit
#[test]
fn a_rename_is_refused_while_a_text_cannot_be_read() {
    const ASK: &str = r#"{ "name": "ask", "description": "Asks.", "category": "c", "mode": "llm",
  "input": { "type": "object", "properties": { "topic": { "type": "string" } } }, "output": {} }
"#;
    const RUN: &str = r#"{ "name": "run", "description": "Runs.", "category": "c", "mode": "composite", "calls": ["ask"],
  "input": { "type": "object", "properties": { "topic": { "type": "string" }, "list": { "type": "array" } } }, "output": {},
  "pipeline": [
    { "step": "one", "skill": "ask", "foreach": "{{input.list}}", "input": { "topic": "{{input.topic}}" } },
    { "step": "two", "skill": "ask", "condition": "input.topic == 'x'", "input": { "topic": "{{steps.one.a}}" }, "depends": ["one"] }
  ],
  "outputMapping": { "all": ["{{input.topic}}", "{{steps.two}}"] }
}
"#;
    const EVALS: &str = r#"{ "skill_name": "ask", "evals": [{ "id": 1, "prompt": "x", "input": { "topic": "y" }, "expected_output": "z" }] }"#;
    const PROMPT: &str = "Tell of {{input.topic}}.\n\n{{#if input.topic}}more{{/if}}\n";
    const ROLE: &str = "---\nskills: [ask]\n---\nWork.\n";
    let (ask, run, prompt) = ("skills/ask/skill.json", "skills/run/skill.json", "skills/ask/prompt.md");
    let (evals, role) = ("skills/ask/evals/evals.json", "projects/desk/ROLE.md");
    let files = [(ask, ASK), (prompt, PROMPT), (run, RUN), (evals, EVALS), (role, ROLE)];
    let refusal = |marked: (&str, &str), faulty: &str, old: &str, new: &str| {
        let client = Client::new(&files);
        let text = |path: &str| files.iter().find(|(known, _)| *known == path).unwrap().1;
        let changed = text(faulty).replacen(old, new, 1);
        assert!(old.is_empty() || changed != text(faulty), "{old}");
        client.open(faulty, &changed);
        let plain = if marked.0 == faulty { changed } else { text(marked.0).to_owned() };
        let mut params = client.place(marked.0, &plain, marked.1);
        params["newName"] = json!("subject");
        client.asked("textDocument/rename", params).1["message"].as_str().unwrap_or_default().to_owned()
    };
    let (topic, own_topic) = ((ask, "\"to§pic\": { \"type\""), (run, "\"to§pic\": { \"type\""));
    let (step, skill) = ((run, "\"step\": \"o§ne\""), (ask, "\"name\": \"a§sk\""));
    for (marked, faulty, old, new, place) in [
        (topic, prompt, "topic}}.", "topic | nope}}.", "ask/prompt.md:1:"),
        (topic, prompt, "{{/if}}", "", "ask/prompt.md:3:"),
        (topic, prompt, "topic}}.", "topic.", "ask/prompt.md:"),
        (topic, ask, "\"llm\"", "\"lmm\"", "ask/prompt.md:1:1"),
        (topic, run, "\"input\": { \"topic\": \"{{in", "\"with\": { \"topic\": \"{{in", "run/skill.json:4:"),
        (topic, run, "\"depends\": [\"one\"] }", "\"depends\": [\"one\" }", "run/skill.json:5:"),
        (topic, evals, "\"y\" }", "\"y\"", "ask/evals/evals.json:1:"),
        (own_topic, run, "== 'x'", "= 'x'", "run/skill.json:5:"),
        (own_topic, run, "\"condition\"", "\"when\"", "run/skill.json:5:"),
        (own_topic, run, "{{input.topic}}\", \"{{steps", "{{input.topic\", \"{{steps", "run/skill.json:7:"),
        (own_topic, run, "\"outputMapping\"", "\"result\"", "run/skill.json:7:"),
        (step, run, "{{steps.one.a}}", "{{steps.one.a", "run/skill.json:5:"),
        (step, run, "\"depends\"", "\"needs\"", "run/skill.json:5:"),
        (skill, run, "\"depends\": [\"one\"] }", "\"depends\": [\"one\" }", "run/skill.json:5:"),
        (skill, run, "\"skill\": \"ask\"", "\"uses\": \"ask\"", "run/skill.json:4:"),
        (skill, evals, "\"y\" }", "\"y\"", "ask/evals/evals.json:1:"),
        (skill, role, "[ask]", "[ask", "desk/ROLE.md:2:"),
    ] {
        let found = refusal(marked, faulty, old, new);
        assert!(found.contains(place) && found.contains("cannot be read"), "{faulty}: {new}: {found}");
        let unchanged = refusal(marked, faulty, "", "");
        assert_eq!(unchanged, "", "{faulty}");
    }
    // A fault in a text that does not contain the name hides no place.
    assert_eq!(refusal(topic, prompt, PROMPT, "{{input.other | nope}}"), "");
    assert_eq!(refusal(topic, prompt, PROMPT, "{{input.topics | nope}}"), "");
}

// SPEC 17.26: a problem can be allowed, or a missing file created, and then it is gone
#[test]
fn rules_are_allowed_and_files_created() {
    let abilities = json!({ "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } } });
    let client = Client::with(&files(), abilities);
    let path = "skills/pdf/SKILL.md";
    client.open(path, PDF);
    assert_eq!(client.problems(path), ["broken-link"]);
    let range = json!({ "start": { "line": 7, "character": 0 }, "end": { "line": 7, "character": 60 } });
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = client.ask("textDocument/codeAction", params);
    let all = actions.as_array().unwrap();
    let of = |title: &str| {
        all.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{actions}"))
    };
    let create = &of("Create `pdf/more.md`")["edit"]["documentChanges"][0];
    assert_eq!(
        (&create["kind"], &create["uri"]),
        (&json!("create"), &json!(client.uri("skills/pdf/more.md")))
    );
    let allow = of("Allow `broken-link` here");
    assert_eq!(allow["diagnostics"][0]["code"], "broken-link");
    let edit = &allow["edit"]["documentChanges"][0]["edits"][0];
    client.change(path, edit["range"].clone(), edit["newText"].as_str().unwrap());
    assert_eq!(client.problems(path), Vec::<String>::new());
}

// SPEC 17.26: a second rule joins the comment, and an error cannot be allowed
#[test]
fn a_second_lint_is_added_to_the_allow_comment() {
    let text = PDF
        .replace("# PDF", "<!-- skills: allow(long-body) -->\n# PDF")
        .replace("exec: bin/run.sh", "exec: no.sh");
    let client = Client::new(&[("skills/pdf/SKILL.md", &text)]);
    let path = "skills/pdf/SKILL.md";
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "range": whole, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = client.ask("textDocument/codeAction", params);
    let allowed: Vec<String> =
        texts(&actions, "title").into_iter().filter(|title| title.starts_with("Allow")).collect();
    assert!(
        allowed.iter().all(|title| title == "Allow `broken-link` here") && !allowed.is_empty(),
        "{actions}"
    );
    let allow = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["title"] == "Allow `broken-link` here")
        .unwrap();
    let edit = &allow["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]["line"]), (&json!("broken-link, "), &json!(5)));
}

// SPEC 17.21: positions in bytes, the version of the checked text, and a link to the page of the rule
#[test]
fn positions_are_bytes_where_the_client_offers_them() {
    let abilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let client = Client::wishing(&files(), abilities, json!({ "rules": "https://example.org/rules/" }));
    let path = "skills/pdf/SKILL.md";
    client.open(path, "---\nname: pdf\ndescription: é技🎉 Reads: PDF.\n---\n# PDF\n");
    // `é技🎉` has 9 bytes: the change is behind the colon.
    let at = json!({ "line": 2, "character": 13 + 9 + 8 });
    client.change(path, json!({ "start": at, "end": at }), "!");
    let note = loop {
        let Message::Notification(note) = client.receive() else { continue };
        if note.params["uri"] == json!(client.uri(path)) && note.params["version"] == 2 {
            break note.params;
        }
    };
    let found = &note["diagnostics"][0];
    assert_eq!(found["code"], "yaml-unquoted-colon");
    assert_eq!(found["codeDescription"]["href"], "https://example.org/rules/yaml-unquoted-colon.html");
    let hover = client.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": client.uri(path) }, "position": { "line": 2, "character": 2 } }),
    );
    assert_eq!(hover["range"]["end"], json!({ "line": 2, "character": 11 }));
    let line = "description: é技🎉 Reads:! PDF.";
    assert!(found["range"]["end"]["character"].as_u64().unwrap() <= line.len() as u64);
    let actions = client.ask("textDocument/codeAction", json!({ "textDocument": { "uri": client.uri(path) }, "range": found["range"], "context": { "diagnostics": [] } }));
    let edit = &actions[0]["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["range"]["end"], json!({ "line": 2, "character": line.len() }));
}

// SPEC 17.21: open files are pulled, and only closed ones are pushed
#[test]
fn a_client_that_pulls_gets_each_problem_once() {
    let abilities = json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } });
    let client = Client::with(&files(), abilities);
    let path = "skills/pdf/SKILL.md";
    assert_eq!(client.problems(path), ["broken-link"], "pushed while the file is closed");
    client.open(path, PDF);
    assert_eq!(client.problems(path), Vec::<String>::new(), "taken back when it is opened");
    let pull = || client.ask("textDocument/diagnostic", document(&client, path));
    let report = pull();
    assert_eq!((&report["kind"], &report["items"][0]["code"]), (&json!("full"), &json!("broken-link")));
    client.change(
        path,
        json!({ "start": { "line": 7, "character": 0 }, "end": { "line": 8, "character": 0 } }),
        "",
    );
    assert_eq!(pull()["items"], json!([]));
    let refreshed = loop {
        match client.receive() {
            Message::Request(request) => break request.method,
            Message::Notification(note) => {
                assert_ne!(note.params["uri"], json!(client.uri(path)), "pushed too")
            }
            Message::Response(_) => {}
        }
    };
    assert_eq!(refreshed, "workspace/diagnostic/refresh");
}

// SPEC 17.12: `skills.toml` is completed and explained
#[test]
fn settings_are_completed_and_explained() {
    let text = "file-cap = 9\ncat\n[rules]\nlong-body = \"al\"\nname-\n";
    let client = Client::new(&[("skills.toml", text), ("skills/pdf/SKILL.md", PDF)]);
    client.open("skills.toml", text);
    let ask = |method: &str, marked: &str| {
        client.at(&format!("textDocument/{method}"), "skills.toml", text, marked)
    };
    let has = |marked: &str, label: &str| {
        texts(&ask("completion", marked), "label").iter().any(|known| known == label)
    };
    assert!(has("\ncat§\n", "catalog-budget") && !has("\ncat§\n", "name-mismatch"));
    assert!(has("\"al§\"", "allow"));
    assert!(has("name-§", "name-mismatch"));
    let edit = ask("completion", "\"al§\"")[0]["textEdit"].clone();
    assert_eq!((&edit["newText"], &edit["range"]["start"]["character"]), (&json!("allow"), &json!(13)));
    let hover =
        |marked: &str| ask("hover", marked)["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(hover("fi§le-cap").contains("maximum size of a file"));
    assert!(hover("lo§ng-body").contains("skills::long-body"));
    assert_eq!(hover("ca§t\n"), "");
}

// SPEC 16.19, 17.12: files of `evals` are checked while they are typed, completed and explained
#[test]
fn evals_are_checked_completed_and_explained() {
    let client = Client::new(&files());
    let path = "skills/add/evals/evals.json";
    let wrong = EVALS.replace("\"add\"", "\"sum\"").replace("\"output\"", "\"outpt\"");
    client.open(path, &wrong);
    assert_eq!(client.problems(path), ["eval-skill-name", "eval-key-unknown"]);
    client.open(path, EVALS);
    assert_eq!(client.problems(path), Vec::<String>::new());
    let hover = client.at("textDocument/hover", path, EVALS, "\"out§put\"");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("The JSON value that the output must be."));
    let found = client.at("textDocument/definition", path, EVALS, "\"a§dd\"");
    assert_eq!(client.text(&found), ("skills/add/skill.json".to_owned(), "\"add\"".to_owned()));
    for (typed, wanted) in [
        ("{ \"sk§", "skill_name"),
        ("{ \"skill_name\": \"§", "add"),
        ("{ \"evals\": [{ \"ass§", "assertions"),
        ("{ \"evals\": [{ \"input\": { \"§", "numbers"),
        ("[{ \"should_trigger\": §", "true"),
    ] {
        let text = typed.replace('§', "");
        client.open(path, &text);
        let labels = texts(&client.at("textDocument/completion", path, &text, typed), "label");
        assert!(labels.iter().any(|label| label == wanted), "{typed}: {labels:?}");
    }
}

// SPEC 17.18: the protocol demands the exit code 1
#[test]
fn exit_without_shutdown_is_an_error() {
    for is_initialized in [false, true] {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || skills_lsp::serve(server).map_err(|error| error.to_string()));
        if is_initialized {
            let request = lsp_server::Request {
                id: 1.into(),
                method: "initialize".into(),
                params: json!({ "capabilities": {} }),
            };
            connection.sender.send(Message::Request(request)).unwrap();
            connection.receiver.recv().unwrap();
        }
        let exit = Notification { method: "exit".into(), params: Value::Null };
        connection.sender.send(Message::Notification(exit)).unwrap();
        assert_eq!(server.join().unwrap().unwrap_err(), "the client sent `exit` without `shutdown`");
    }
}

// SPEC 17.22: a lens exists only while there are evaluations
#[test]
fn evals_appear_and_disappear() {
    let client = Client::new(&files());
    fs::remove_file(client.top.join("skills/add/evals/evals.json")).unwrap();
    let lenses = client.ask("textDocument/codeLens", document(&client, "skills/add/skill.json"));
    assert_eq!(lenses.as_array().unwrap().len(), 1);
}
