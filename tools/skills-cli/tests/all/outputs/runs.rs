//! The runs whose outputs are validated.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;

use serde_json::Value;

use crate::command::{Place, Run};
use crate::provider::Provider;

/// The outputs of one command that one schema describes.
pub(super) struct Output {
    pub(super) schema: &'static str,
    pub(super) command: String,
    pub(super) values: Vec<Value>,
}

/// Runs a command and returns the values on its standard output.
fn output(schema: &'static str, place: &Place, arguments: &[&str]) -> Output {
    let mut command = place.command(arguments);
    let run = Run::of(command.env("HOME", &place.top).env_remove("XDG_CONFIG_HOME"));
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&run.out).into_iter().collect();
    let values = values.unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{run:?}"));
    assert!(!values.is_empty(), "{arguments:?}: {run:?}");
    let is_in_group = ["package", "plugin"].contains(&arguments[0]);
    let count = if is_in_group { 2 } else { 1 };
    Output { schema, command: arguments[..count].join(" "), values }
}

/// Runs all commands that print JSON.
pub(super) fn all() -> Vec<Output> {
    [
        of_skills(),
        of_eval(),
        of_sources(),
        of_trust(),
        of_signatures(),
        of_installed(),
        of_pins(),
        of_written(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const FIND: &str = r#"{"name": "find", "description": "Finds notes.", "category": "notes", "mode": "code",
    "tags": ["notes"], "permissions": {"read": ["$WORKSPACE"], "net": "none"},
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}}, "output": {"type": "object"}}"#;
const TELL: &str = r#"{"name": "tell", "description": "Tells.", "category": "notes", "mode": "llm",
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]},
    "output": {"type": "object"}}"#;
const BRIEF: &str = r#"{"name": "brief", "description": "Finds and tells.", "category": "notes", "mode": "composite",
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]},
    "output": {"type": "object"}, "calls": ["find", "tell"], "pipeline": [
        {"step": "a", "skill": "find", "input": {"topic": "{{input.topic}}"}},
        {"step": "b", "skill": "tell", "input": {"topic": "{{steps.a.none || 'roses'}}"}, "condition": "steps.a.x"}]}"#;
const GARDEN: &str = "---\nname: garden\ndescription: Knows plants.\nexec: run.sh\nschema: in.json\nmodel: small\n\
                      requires: no-such-program\n---\nWater roses twice a week.\n";

const WIDE: &str = "---\nname: wide\ndescription: Does much.\nexec: run.sh\nmetadata:\n  permissions: '{\"read\": [\"~\"]}'\n---\nRun it.\n";

/// Skills of each kind, a directory with problems, a plugin, and the cases of an evaluation.
fn place() -> Place {
    Place::new(&[
        ("skills/find/skill.json", FIND),
        ("skills/tell/skill.json", TELL),
        ("skills/tell/prompt.md", "Tell what you know about {{input.topic}}.\n"),
        ("skills/brief/skill.json", BRIEF),
        ("skills/gated/SKILL.md", "---\nname: gated\ndescription: Is gated.\nrequires: cap:root\n---\n"),
        ("skills/garden/SKILL.md", GARDEN),
        ("skills/garden/in.json", r#"{"type": "object"}"#),
        ("skills/garden/run.sh", "#!/bin/sh\necho roses\n"),
        ("skills/broken/SKILL.md", "---\nname: broken\ndescription: Cannot start.\nexec: run.sh\n---\n"),
        ("skills/broken/run.sh", "#!/no/such/interpreter\n"),
        ("other/tell/SKILL.md", "---\nname: tell\ndescription: Tells otherwise.\n---\n"),
        (
            ".agents/skills/foreign/SKILL.md",
            "---\nname: foreign\ndescription: Came with a repository.\n---\n",
        ),
        (
            "faulty/bad/SKILL.md",
            "---\nname: bad\nname: bad\ndescription: Is: bad\ncolour: blue\ntags: [a]\n---\n[x](none.md)\n",
        ),
        ("faulty/late/SKILL.md", "\n\n---\nname: late\ndescription: Begins late.\n---\nText.\n"),
        ("faulty/node_modules/far/SKILL.md", "---\nname: far\ndescription: Is of a package.\n---\n"),
        (
            "faulty/key/SKILL.md",
            "---\nname: key\ndescription: Has a key.\ncolour: blue\ntags: [a]\n---\nText.\n",
        ),
        ("earlier/wide/SKILL.md", WIDE),
        ("earlier/wide/run.sh", "#!/bin/sh\n:\n"),
        ("plugin/plugin.json", r#"{"name": "plugin"}"#),
        ("plugin/skills/pdf/SKILL.md", "---\nname: other\ndescription: Has another name.\n---\n"),
        (
            "cases/garden/SKILL.md",
            "---\nname: garden\ndescription: Knows plants.\n---\nRoses: twice a week.\n",
        ),
        (
            "cases/garden/evals/cases.json",
            r#"{"evals": [{"id": 1, "prompt": "When do I water roses?", "condition": "text != ''"}]}"#,
        ),
        ("cases/garden/evals/triggers.json", r#"[{"query": "write a haiku", "should_trigger": false}]"#),
    ])
}

/// Runs the commands about skills that are read, called or run.
fn of_skills() -> Vec<Output> {
    let place = place();
    let input = r#"{"topic": "roses"}"#;
    let runs: &[(&'static str, &[&str])] = &[
        ("check", &["check", "faulty", "--json"]),
        ("suggestions", &["check", "faulty", "--format", "suggestions"]),
        ("list", &["list", "skills", "other", "--json", "--all"]),
        ("list", &["list", "--json", "--all"]),
        ("show", &["show", "garden", "--dir", "skills", "--json"]),
        ("show", &["show", "find", "--dir", "skills", "--json"]),
        ("search", &["search", "--dir", "skills", "--json", "water", "roses"]),
        ("weigh", &["weigh", "skills", "--json"]),
        ("graph", &["graph", "skills", "--json", "--all"]),
        ("graph", &["graph", "skills", "--json", "--skill", "brief"]),
        ("explain", &["explain", "--json"]),
        ("plan", &["call", "tell", "--dir", "skills", "--dry-run", "--input", input]),
        ("plan", &["call", "brief", "--dir", "skills", "--dry-run", "--input", input]),
        ("exec", &["exec", "garden", "--dir", "skills", "--input", "{}"]),
        ("exec", &["exec", "broken", "--dir", "skills"]),
        ("plugin-check", &["plugin", "check", "plugin", "--json"]),
        ("plugin-check", &["plugin", "check", "plugin", "--against", "earlier", "--json"]),
    ];
    runs.iter().map(|(schema, arguments)| output(schema, &place, arguments)).collect()
}

/// Evaluates a skill, and compares the result with an earlier one.
fn of_eval() -> Vec<Output> {
    let place = place();
    let provider = Provider::start(&["Twice a week.", "Often.", "Autumn."]);
    let eval = ["eval", "cases", "--runs", "1", "--jobs", "1", "--threshold", "0", "--json"];
    let record = ["--model", "m", "--base-url", &*provider.url, "--record", "c.jsonl"];
    let first = output("eval", &place, &[&eval[..], &record].concat());
    let mut last = first.values[0].clone();
    last["cases"][0]["with_skill"]["pass_rate"]["rate"] = 0.5.into();
    fs::write(place.path("last.json"), last.to_string()).unwrap();
    let compared =
        output("eval", &place, &[&eval[..], &["--replay", "c.jsonl", "--against", "last.json"]].concat());
    vec![first, compared]
}

/// Runs the commands about skills of another project.
fn of_sources() -> Vec<Output> {
    let text = "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\n---\nRead.\n";
    let place = Place::new(&[
        ("shared/pdf/SKILL.md", text),
        ("shared/pdf/run.sh", "#!/bin/sh\n"),
        ("shared/bad/SKILL.md", "---\nname: bad\n---\n"),
    ]);
    let of = |schema, arguments: &[&str]| output(schema, &place, arguments);
    let mut all = vec![
        of("changes", &["add", "./shared", "--yes", "--json"]),
        of("list", &["list", "skills", "--json"]),
        of("show", &["show", "pdf", "--dir", "skills", "--json"]),
        of("search", &["search", "pdf", "--json"]),
        of("weigh", &["weigh", "--json"]),
    ];
    fs::remove_file(place.path("skills/pdf/SKILL.md")).unwrap();
    all.push(of("problems", &["sync", "--locked", "--json"]));
    all.push(of("changes", &["sync", "--json"]));
    place.write("shared/pdf/SKILL.md", &text.replace("Read.", "Read it."));
    all.push(of("problems", &["update", "--check", "--json"]));
    all.push(of("changes", &["update", "--yes", "--json"]));
    all.push(of("changes", &["remove", "pdf", "--json"]));
    all
}

/// Pins the tool of a server, and compares it after a change and without the server.
fn of_pins() -> Vec<Output> {
    let garden = "---\nname: garden\ndescription: Knows plants.\nexec: run.sh\nschema: in.json\n---\n";
    let place = Place::new(&[
        ("served/garden/SKILL.md", garden),
        ("served/garden/in.json", r#"{"type": "object"}"#),
        ("served/garden/run.sh", "#!/bin/sh\necho roses\n"),
    ]);
    let server = format!("{} mcp served", env!("CARGO_BIN_EXE_skills"));
    let pinned = output("pin", &place, &["pin", &server, "--tool", "garden", "--yes", "--json"]);
    place.write("served/garden/SKILL.md", &garden.replace("plants", "trees"));
    let shown = output("show", &place, &["show", "garden", "--dir", "skills", "--json"]);
    let not_approved = output("pin", &place, &["pin", "--check", "--json"]);
    let check = || output("pin", &place, &["pin", &server, "--check", "--json"]);
    let changed = check();
    fs::remove_dir_all(place.path("served")).unwrap();
    vec![pinned, shown, not_approved, changed, check()]
}

/// Trusts the skills of a workspace, lists them after a change, and revokes the trust.
fn of_trust() -> Vec<Output> {
    let skill = ".agents/skills/foreign/SKILL.md";
    let text = "---\nname: foreign\ndescription: Came with a repository.\n---\n";
    let place = Place::new(&[(skill, text)]);
    let trusted = output("trust", &place, &["trust", ".", "--json"]);
    place.write(skill, &format!("{text}More.\n"));
    let listed = output("trust", &place, &["trust", "--list", "--json"]);
    assert_eq!(listed.values[0]["directories"][0]["status"], "changed");
    vec![trusted, listed, output("trust", &place, &["trust", ".", "--revoke", "--json"])]
}

/// Verifies a directory with its signature, and after a change without success.
fn of_signatures() -> Vec<Output> {
    let place = place();
    let keys = test_bed::Kind::P256;
    place.write("key.pem", keys.private());
    place.write("pub.pem", keys.public());
    assert_eq!(place.run(&["sign", "skills/tell", "--key", "key.pem"]).code, 0);
    let verify = ["verify", "skills/tell", "--key", "pub.pem", "--json"];
    let verified = output("verify", &place, &verify);
    assert_eq!(verified.values[0]["directories"][0]["verified"], true);
    place.write("skills/tell/prompt.md", "Tell nothing.\n");
    let refused = output("verify", &place, &verify);
    assert!(refused.values[0]["directories"][0]["reason"].is_string());
    vec![verified, refused]
}

/// Shows the state of skills before and after an installation, and of one that was edited.
fn of_installed() -> Vec<Output> {
    let place = place();
    let status = ["status", "--dir", "cases", "--to", "t", "--json"];
    let missing = output("status", &place, &status);
    assert_eq!(place.run(&["install", "--dir", "cases", "--to", "t"]).code, 0);
    place.write("t/skills/garden/SKILL.md", "---\nname: garden\ndescription: Is mine.\n---\n");
    let edited = output("status", &place, &status);
    assert_eq!(edited.values[0]["targets"][0]["skills"][0]["state"], "modified");
    vec![missing, edited]
}

/// Runs the commands that write files, and the check of a package before it is published.
fn of_written() -> Vec<Output> {
    let place = place();
    place.write("key.pem", test_bed::Kind::P256.private());
    place.write("flat/skills/one.md", "---\nname: one\ndescription: Is flat.\n---\n");
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nexclude = [\"skills/tell/prompt.md\"]\n";
    place.write("package/Cargo.toml", manifest);
    place.write("package/src/lib.rs", "");
    place.write("package/skills/tell/SKILL.md", "---\nname: tell\ndescription: Tells.\n---\n");
    place.write("package/skills/tell/prompt.md", "Tell.\n");
    let install = ["install", "--dir", "cases", "--to", "t", "--json"];
    let steps = |arguments: &[&str]| output("steps", &place, arguments);
    let mut all = vec![steps(&[&install[..], &["--dry-run"]].concat()), steps(&install)];
    assert_eq!(all[0].values[0]["written"], false);
    assert_eq!(all[0].values[0]["targets"], all[1].values[0]["targets"]);
    place.write("t/skills/garden/SKILL.md", "---\nname: garden\ndescription: Is mine.\n---\n");
    let forced = steps(&[&install[..], &["--force"]].concat());
    let step = &forced.values[0]["targets"][0]["steps"][0];
    assert_eq!((&step["action"], &step["path"]), (&"replace".into(), &"skills/garden/SKILL.md".into()));
    assert!(place.top.join("t").join(step["moved_to"].as_str().unwrap()).exists(), "{step}");
    all.push(forced);
    for arguments in [
        &["uninstall", "--dir", "cases", "--to", "t", "--json"][..],
        &["package", "vendor", "cases", "copy", "--json"],
        &["new", "fresh", "--dir", "made", "--json"],
        &["migrate", "flat", "--flat", "--json"],
        &["migrate", "cases/garden", "--json"],
        &["sign", "skills/tell", "--key", "key.pem", "--json"],
        &["plugin", "new", "created", "--json"],
        &["plugin", "pack", "cases", "--to", "packed", "--json"],
    ] {
        all.push(steps(arguments));
    }
    all.push(output("publish", &place, &["package", "publish", "package", "--check", "--json"]));
    all
}
