//! Keys of a repository that name something that can act, and the proof that nothing of a clone acts (SPEC 22.10).

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use skills_core::config::ProjectServer;
use skills_core::{config, known, meta};

use crate::command::{Place, Run};

/// What a key of a repository's file names.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Names {
    /// Nothing that acts: a text, a number, a schema, or a file that is only read.
    Nothing,
    /// A program.
    Program,
    /// The address of a server.
    Address,
    /// An environment variable.
    Variable,
}

/// The keys of `skills.toml`, those below `[mcp.NAME]`, those of `skill.json`, those below its `mcp`, and those of a
/// `SKILL.md` that have an effect. A new key must be classified here.
const KEYS: [(&str, &[(&str, Names)]); 5] = [
    (
        "skills.toml",
        &[
            ("rules", Names::Nothing),
            ("paths", Names::Nothing),
            ("catalog-budget", Names::Nothing),
            ("profile", Names::Nothing),
            ("file-cap", Names::Nothing),
            ("skill-cap", Names::Nothing),
            ("bundle-cap", Names::Nothing),
            ("commands", Names::Nothing),
            ("exclude", Names::Nothing),
            ("stub", Names::Nothing),
            ("mcp", Names::Program),
        ],
    ),
    (
        "skills.toml [mcp.NAME]",
        &[
            ("url", Names::Address),
            ("command", Names::Program),
            ("token", Names::Variable),
            ("headers", Names::Variable),
            ("env", Names::Variable),
        ],
    ),
    (
        "skill.json",
        &[
            ("$schema", Names::Nothing),
            ("name", Names::Nothing),
            ("description", Names::Nothing),
            ("category", Names::Nothing),
            ("version", Names::Nothing),
            ("author", Names::Nothing),
            ("tags", Names::Nothing),
            ("mode", Names::Nothing),
            ("input", Names::Nothing),
            ("output", Names::Nothing),
            ("calls", Names::Nothing),
            ("timeout", Names::Nothing),
            ("retry", Names::Nothing),
            ("pure", Names::Nothing),
            ("permissions", Names::Variable),
            ("pipeline", Names::Nothing),
            ("mcp", Names::Program),
            ("outputMapping", Names::Nothing),
        ],
    ),
    (
        "skill.json mcp",
        &[
            ("server", Names::Program),
            ("tool", Names::Nothing),
            ("digest", Names::Nothing),
            ("title", Names::Nothing),
            ("annotations", Names::Nothing),
        ],
    ),
    (
        "SKILL.md",
        &[
            ("name", Names::Nothing),
            ("description", Names::Nothing),
            ("isolation", Names::Nothing),
            ("license", Names::Nothing),
            ("compatibility", Names::Nothing),
            ("metadata", Names::Variable),
            ("allowed-tools", Names::Nothing),
            ("version", Names::Nothing),
            ("exec", Names::Program),
            ("schema", Names::Nothing),
            ("requires", Names::Nothing),
            ("timeout", Names::Nothing),
            ("homepage", Names::Nothing),
            ("trigger", Names::Nothing),
            ("mcp", Names::Program),
            ("argument-hint", Names::Nothing),
            ("arguments", Names::Nothing),
            ("disable-model-invocation", Names::Nothing),
            ("user-invocable", Names::Nothing),
            ("cowork", Names::Nothing),
            ("default-enabled", Names::Nothing),
            ("when-to-use", Names::Nothing),
            ("read-when", Names::Nothing),
            ("model", Names::Nothing),
            ("effort", Names::Nothing),
            ("context", Names::Nothing),
            ("agent", Names::Nothing),
            ("shell", Names::Program),
            ("display-name", Names::Nothing),
            ("paths", Names::Nothing),
            ("globs", Names::Nothing),
            ("disallowed-tools", Names::Nothing),
            ("background", Names::Nothing),
            ("fallback", Names::Nothing),
            ("hooks", Names::Program),
            ("author", Names::Nothing),
            ("tags", Names::Nothing),
            ("category", Names::Nothing),
            ("title", Names::Nothing),
        ],
    ),
];

fn keys_of(file: &str) -> BTreeSet<&'static str> {
    let found = KEYS.iter().filter(|(name, _)| *name == file);
    found.flat_map(|(_, keys)| keys.iter().map(|(key, _)| *key)).collect()
}

// SPEC 22.10
#[test]
fn every_key_is_classified() {
    assert_eq!(keys_of("skills.toml"), config::KEYS.iter().map(|(key, _)| *key).collect());
    let schema: Value = serde_json::from_str(meta::SKILL).expect("JSON");
    let of = |pointer: &str| -> BTreeSet<String> {
        schema.pointer(pointer).and_then(Value::as_object).expect("keys").keys().cloned().collect()
    };
    let owned = |keys: BTreeSet<&str>| keys.into_iter().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!(owned(keys_of("skill.json")), of("/properties"));
    assert_eq!(owned(keys_of("skill.json mcp")), of("/properties/mcp/properties"));
    let frontmatter: BTreeSet<&str> = known::KEYS.iter().map(|known| known.key).collect();
    assert_eq!(keys_of("SKILL.md"), frontmatter);
    // A new field does not compile here, and then belongs into the list.
    let ProjectServer { name: _, url: _, command: _, token: _, headers: _, env: _ } =
        ProjectServer::default();
    assert_eq!(keys_of("skills.toml [mcp.NAME]").len(), 5);
}

/// A clone in which every key names something that would leave a trace.
struct Clone {
    place: Place,
    listener: TcpListener,
}

impl Clone {
    fn new() -> Self {
        let place = Place::new(&[]);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("set");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let mark = place.path("acted");
        place.write("act.sh", &format!("#!/bin/sh\necho \"$0 $* $AN_API_KEY\" >> {mark}\nenv >> {mark}\n"));
        place.write(
            "skills.toml",
            &format!(
                "[mcp.program]\ncommand = [\"./act.sh\", \"config\"]\nenv = [\"AN_API_KEY\"]\n\
                 [mcp.shell]\ncommand = [\"sh\", \"-c\", \"./act.sh shell\"]\n\
                 [mcp.address]\nurl = \"{url}\"\ntoken = \"AN_API_KEY\"\nheaders = {{ X-Key = \"AN_API_KEY\" }}\n"
            ),
        );
        for (name, server) in [
            ("by_line", "./act.sh pinned"),
            ("by_url", url.as_str()),
            ("by_name", "program"),
            ("by_shell", "sh -c './act.sh x'"),
        ] {
            let manifest = json!({
                "name": name, "description": "A tool. Use for tests.", "category": "test", "mode": "mcp",
                "input": {"type": "object"}, "output": {"type": "object"},
                "permissions": {"net": "none", "env": ["AN_API_KEY"]},
                "mcp": {"server": server, "tool": name, "digest": format!("sha256:{}", "0".repeat(64))},
            });
            place.write(format!("skills/{name}/skill.json"), &manifest.to_string());
        }
        place.write(
            "skills/program/SKILL.md",
            "---\nname: program\ndescription: Runs. Use to run.\nexec: run\nmcp-docs: ./act.sh frontmatter\n\
             hooks:\n  SessionStart: ./act.sh hook\nrequires: act.sh\nshell: ./act.sh\nmetadata:\n  permissions:\n    env: AN_API_KEY\n---\nText.\n",
        );
        place.write("skills/program/run", &format!("#!/bin/sh\necho exec >> {mark}\n"));
        Self { place, listener }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("AN_API_KEY", "sesame");
        command
    }

    /// Returns what has acted.
    fn acted(&self) -> Option<String> {
        if let Ok(text) = std::fs::read_to_string(self.place.path("acted")) {
            return Some(text);
        }
        self.listener.accept().ok().map(|(_, from)| format!("a connection from {from}"))
    }
}

/// Every command that reads skills or servers, as it is typed in a clone. Commands that name a directory trust its own
/// programs, but not the servers that it names.
const COMMANDS: &[&str] = &[
    "pin --check",
    "pin --update --dry-run",
    "pin --update --yes",
    "pin --check program",
    "pin program --dry-run",
    "pin shell --yes --to new",
    "pin address --dry-run",
    "check .",
    "check --ci",
    "expand skills",
    "weigh",
    "weigh --mcp program",
    "graph",
    "graph --mcp address",
    "list",
    "list --all",
    "list --mcp program",
    "list --mcp shell",
    "list --mcp address",
    "list --mcp other=address",
    "list skills",
    "show by_line",
    "show by_line --mcp program",
    "show x --mcp address",
    "search tool",
    "search tool --mcp program",
    "search tool --mcp address",
    "prompt",
    "prompt --mcp program",
    "prompt --mcp address",
    "tools --format openai",
    "tools --format openai --mcp program",
    "call by_line --input {}",
    "call by_url --input {}",
    "call by_name --input {}",
    "call by_shell --input {}",
    "call by_line --dir skills --input {}",
    "call by_url --dir skills --input {}",
    "call by_name --dir skills --input {}",
    "call by_shell --dir skills --input {}",
    "call by_line --dir skills --input {} --sandbox auto",
    "call by_line --dir skills --input {} --sandbox require",
    "call x --mcp program --input {}",
    "exec program",
    "exec x --mcp address",
    "mcp",
    "mcp --mcp program",
    "mcp --mcp address",
    "mcp skills",
    "serve --mcp program",
    "serve --mcp address",
    "trust --list",
    "trust skills",
    "trust --mcp program",
    "trust --mcp shell",
    "trust --mcp address",
    "trust --mcp address --json",
    "trust --mcp address --login",
    "trust --mcp program --revoke",
    "list --mcp program",
    "call by_line --input {}",
    "pin --check",
    "status --dir skills --to out",
    "install --dry-run --dir skills --to out",
    "package publish --check",
    "plugin check .",
    "sync --locked",
    "update --dry-run",
    "lsp",
    "update --check",
    "eval skills",
    "eval skills --mcp address",
];

// SPEC 14.20, 22.10, 22.11
#[test]
fn nothing_of_a_clone_acts() {
    let clone = Clone::new();
    // Each key that names something is in the clone.
    for (file, keys) in KEYS {
        let texts = match file.split(' ').next().unwrap_or_default() {
            "skills.toml" => vec!["skills.toml"],
            "skill.json" => vec!["skills/by_line/skill.json"],
            _ => vec!["skills/program/SKILL.md"],
        };
        let text = texts.iter().map(|path| std::fs::read_to_string(clone.place.path(path)).expect("a file"));
        let text: String = text.collect();
        for (key, names) in keys.iter().filter(|(_, names)| *names != Names::Nothing) {
            assert!(text.contains(key), "{file} has no `{key}`, which names {names:?}");
        }
    }
    for line in COMMANDS {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = clone.command(&words);
        if words.first() == Some(&"serve") {
            let mut started = command.args(["--bind", "127.0.0.1:0"]).spawn().expect("started");
            thread::sleep(Duration::from_millis(300));
            drop(started.kill());
            started.wait().expect("ended");
        } else {
            let run = Run::of(&mut command);
            assert!(!format!("{}{}", run.out, run.err).contains("sesame"), "{line}: {run:?}");
            assert!(!run.err.contains("Usage: "), "the command line is valid: {line}: {run:?}");
        }
        assert_eq!(clone.acted(), None, "skills {line}");
    }
}

// SPEC 22.8: what would act is shown before the answer
#[test]
fn the_use_of_a_server_is_shown_before_the_question() {
    let clone = Clone::new();
    let asked = Run::of(&mut clone.command(&["trust", "--mcp", "address"]));
    assert!(asked.code != 0 && asked.out.contains("URL http://127.0.0.1:"), "{asked:?}");
    assert!(asked.out.contains("variable AN_API_KEY as bearer token"), "{asked:?}");
    assert!(asked.out.contains("variable AN_API_KEY as header x-key"), "{asked:?}");
    let asked = Run::of(&mut clone.command(&["trust", "--mcp", "program"]));
    assert!(asked.out.contains("command line ./act.sh config"), "{asked:?}");
    assert!(asked.out.contains("variable AN_API_KEY") && asked.out.contains("files      all "), "{asked:?}");
    assert_eq!(clone.acted(), None);
    for file in ["skill.json", "SKILL.md"] {
        assert!(keys_of(file).contains("mcp"));
    }
    let show = Run::of(&mut clone.command(&["show", "by_line", "--dir", "skills"]));
    assert!(show.out.contains("./act.sh pinned"), "{show:?}");
    let trust = Run::of(&mut clone.command(&["trust", "skills"]));
    assert!(trust.out.contains("by_line uses the MCP server ./act.sh pinned"), "{trust:?}");
}
