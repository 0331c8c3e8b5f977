//! Runs the official conformance suite on this server over HTTP. Scenarios that skills cannot support are
//! listed here with the reason (SPEC 11.4, 11.18, 11.19).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use skills_mcp::{Guard, Notifier, Server};

use crate::support::{directory, runner};

/// Prefixes of scenarios that skills cannot support. Each row must be needed.
const CANNOT: &[(&str, &str)] = &[
    ("completion-complete", "arguments of prompts are free text, so there is nothing to complete"),
    ("elicitation-sep1034-defaults", "a skill asks its caller nothing while it runs"),
    ("elicitation-sep1330-enums", "a skill asks its caller nothing while it runs"),
    ("input-required-result-basic-", "a skill asks its caller nothing while it runs"),
    ("input-required-result-capability-check", "a skill asks its caller nothing while it runs"),
    ("input-required-result-multi", "a skill asks its caller nothing while it runs"),
    ("input-required-result-non-tool-request", "a skill asks its caller nothing while it runs"),
    ("input-required-result-request-state", "a skill asks its caller nothing while it runs"),
    ("input-required-result-result-type", "a skill asks its caller nothing while it runs"),
    ("input-required-result-tampered-state", "a skill asks its caller nothing while it runs"),
    ("logging-set-level", "the output of programs goes into results; there is no log for clients"),
    (
        "prompts-get-embedded-resource",
        "a prompt is the text of a skill; its files are resources, read by themselves",
    ),
    ("prompts-get-with-image", "a prompt is the text of a skill"),
    ("resources-read-", "resources are files of skills, under `skill://`; the suite reads `test://`"),
    ("resources-subscribe", "resources are files of skills, under `skill://`; the suite follows `test://`"),
    ("resources-templates-read", "resources are files of skills, and no templates"),
    ("resources-unsubscribe", "resources are files of skills, under `skill://`; the suite follows `test://`"),
    ("tasks-", "calls are not tasks: the extension is not declared"),
    ("tools-call-audio", "the output of a function is JSON"),
    ("tools-call-elicitation", "a skill asks its caller nothing while it runs"),
    ("tools-call-embedded-resource", "the output of a function is JSON"),
    ("tools-call-image", "the output of a function is JSON"),
    ("tools-call-mixed-content", "the output of a function is JSON"),
    ("tools-call-sampling", "the model that a skill asks is the program's, not the client's"),
    ("tools-call-with-logging", "the output of programs goes into results; there is no log for clients"),
];

/// Single checks that fail in otherwise passing scenarios, since they need a tool that cannot be a skill.
const LACKS: &[(&str, &str)] = &[
    ("sep-2322-ignore-unexpected-params", "asks for a tool that asks its caller"),
    ("sep-2322-missing-response-rerequests", "asks for a tool that asks its caller"),
    ("sep-2575-http-server-no-independent-requests-on-stream", "asks for a tool that asks its caller"),
    ("sep-2575-missing-capability-http-400", "asks for a tool that needs a capability of its client"),
    ("sep-2575-server-no-log-without-loglevel", "asks for a tool that logs to its client"),
    (
        "sep-2575-server-rejects-undeclared-capability",
        "asks for a tool that needs a capability of its client",
    ),
    (
        "sep-2575-server-sends-prompts-list-changed-on-subscription",
        "asks for a tool that changes the prompts",
    ),
    ("sep-2575-server-sends-tools-list-changed-on-subscription", "asks for a tool that changes the tools"),
    ("server-sse-disconnect-resume", "asks for a tool that closes the connection of its call"),
];

/// Scenarios that must have run, so that an empty run does not pass.
const GENERIC: [&str; 11] = [
    "caching",
    "dns-rebinding-protection",
    "ping",
    "prompts-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-stateless",
    "tools-list",
];

const SAYS: &[u8] = b"#!/bin/sh\ncat > /dev/null\necho '{\"said\": \"This is a simple text response.\"}'\n";
const FAILS: &[u8] = b"#!/bin/sh\necho 'it fails, as it is told to' >&2\nexit 1\n";
const EXEC: &[u8] = b"---\nexec: run\n---\nRuns.\n";

/// Returns the tools, prompts and files that the suite requests by name, where they can be skills.
fn bundle() -> tempfile::TempDir {
    let function = |name: &str, input: &str| {
        format!(
            r#"{{"name": "{name}", "description": "Is {name}.", "category": "suite", "mode": "code", "input": {input},
            "output": {{"type": "object", "required": ["said"], "properties": {{"said": {{"type": "string"}}}}}}}}"#
        )
    };
    let nothing = r#"{"type": "object", "properties": {}, "additionalProperties": false}"#;
    let steps = r#"{"name": "test_tool_with_progress", "description": "Takes three steps.", "category": "suite",
        "mode": "composite", "calls": ["test_simple_text"], "input": {"type": "object", "properties": {}},
        "output": {"type": "object", "properties": {"said": {"type": "string"}}}, "pipeline": [
        {"step": "one", "skill": "test_simple_text", "input": {}},
        {"step": "two", "skill": "test_simple_text", "input": {}, "depends": ["one"]},
        {"step": "three", "skill": "test_simple_text", "input": {}, "depends": ["two"]}]}"#;
    let schema = r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"}, "email": {"type": "string"}},
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}"##;
    let header =
        r#"{"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}"#;
    directory(&[
        ("test_simple_text/skill.json", function("test_simple_text", nothing).as_bytes()),
        ("test_simple_text/SKILL.md", EXEC),
        ("test_simple_text/run", SAYS),
        ("test_error_handling/skill.json", function("test_error_handling", nothing).as_bytes()),
        ("test_error_handling/SKILL.md", EXEC),
        ("test_error_handling/run", FAILS),
        ("json_schema_2020_12_tool/skill.json", function("json_schema_2020_12_tool", schema).as_bytes()),
        ("json_schema_2020_12_tool/SKILL.md", EXEC),
        ("json_schema_2020_12_tool/run", SAYS),
        ("test_custom_headers/skill.json", function("test_custom_headers", header).as_bytes()),
        ("test_custom_headers/SKILL.md", EXEC),
        ("test_custom_headers/run", SAYS),
        ("test_tool_with_progress/skill.json", steps.as_bytes()),
        ("test_simple_prompt/SKILL.md", b"---\nname: test_simple_prompt\ndescription: A prompt.\n---\nThis is a prompt.\n"),
        (
            "test_prompt_with_arguments/SKILL.md",
            b"---\nname: test_prompt_with_arguments\ndescription: A prompt.\narguments: [arg1, arg2]\n---\nSee $arg1 and $arg2.\n",
        ),
        // The suite reads the first skill of the list. Its frontmatter is TOML and has no name.
        ("a_notes/SKILL.md", b"---\ndescription = \"Keeps notes.\"\n---\nRead `references/a.md`.\n"),
        ("a_notes/references/a.md", b"a\n"),
        ("a_notes/references/deep/b.md", b"b\n"),
    ])
}

// SPEC 11.4, 11.18, 11.19
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs node and npm"]
async fn the_suite_passes_except_for_listed_scenarios() {
    let root = bundle();
    let notifier = Notifier::default();
    let path = root.path().to_owned();
    let server = Server::live(move || Ok(runner(&path))).notifier(&notifier);
    let bound = skills_mcp::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let url = format!("http://{}/mcp", bound.address().expect("an address"));
    let serving = tokio::spawn(bound.run(server.routes(), Guard::new()));
    let results = tempfile::tempdir().expect("a directory");
    let output = results.path().to_owned();
    tokio::task::spawn_blocking(move || {
        let skills = |name: &'static str| vec!["--scenario", name];
        let old = ["--spec-version", "2025-11-25", "--force"];
        let mut runs = vec![vec!["--requirements", "2025-11-25"], vec!["--requirements", "2026-07-28"]];
        for name in ["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"] {
            runs.push(skills(name));
            runs.push(skills(name).into_iter().chain(old).collect());
        }
        for (at, arguments) in runs.iter().enumerate() {
            run(&url, arguments, &output.join(at.to_string()));
        }
    })
    .await
    .expect("no panic");
    serving.abort();
    check_results(results.path());
}

/// Compares the results of the suite with the lists above.
fn check_results(results: &Path) {
    let (mut ran, mut failed) = (BTreeMap::<String, usize>::new(), Vec::new());
    let mut needed = BTreeSet::new();
    for run in fs::read_dir(results).expect("results") {
        for scenario in fs::read_dir(run.expect("an entry").path()).expect("results") {
            let scenario = scenario.expect("an entry");
            let name = scenario.file_name().into_string().expect("UTF-8");
            // `server-NAME-` and a time of 24 characters.
            let name =
                name.strip_prefix("server-").and_then(|name| name.get(..name.len() - 25)).expect("a name");
            let text = fs::read_to_string(scenario.path().join("checks.json")).expect("checks");
            let checks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
            let passed = checks.iter().filter(|check| check["status"] == "SUCCESS").count();
            *ran.entry(name.to_owned()).or_default() += passed;
            for check in
                checks.iter().filter(|check| check["status"] == "FAILURE" || check["status"] == "WARNING")
            {
                let id = check["id"].as_str().expect("an id");
                let is_known = |table: &[(&'static str, &str)], word: &str| {
                    table.iter().find(|(known, _)| word.starts_with(known)).map(|(known, _)| *known)
                };
                match is_known(CANNOT, name).or_else(|| is_known(LACKS, id)) {
                    Some(known) => drop(needed.insert(known)),
                    None => failed.push(format!("{name}: {id}: {}", check["errorMessage"])),
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    let all: BTreeSet<&str> = CANNOT.iter().chain(LACKS).map(|(known, _)| *known).collect();
    assert_eq!(needed, all, "what passes now needs no row");
    for name in GENERIC {
        assert!(ran.get(name).is_some_and(|passed| *passed > 0), "{name} did not run: {ran:?}");
    }
    let skills = |name: &str| ran.get(name).copied().unwrap_or_default();
    assert!(skills("sep-2640-skills-enumeration") >= 60, "{ran:?}");
    assert!(skills("sep-2640-skills-manifest") >= 10, "{ran:?}");
    assert!(skills("sep-2640-skills-directory") >= 12, "{ran:?}");
}

/// Runs scenarios. The results are in files below `output`; the exit code only shows that there is a failure.
fn run(url: &str, arguments: &[&str], output: &Path) {
    let mut suite = test_bed::mcp_conformance(Path::new(env!("CARGO_TARGET_TMPDIR")));
    suite.args(["server", "--url", url, "-o"]).arg(output).args(arguments);
    let status = suite.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok() && output.is_dir(), "{arguments:?}: {status:?}");
}
