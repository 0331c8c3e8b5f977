//! `--mcp`: the skills of MCP servers, with the command itself as the server (SPEC 22).
#![cfg(unix)]

use std::process::Command;

use crate::command::{Place, Run};

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\nRead with care.\n";
const COUNT: &str = "---\nname: count\ndescription: Counts words.\nexec: run\n---\nCounts.\n";

struct Fixture {
    place: Place,
    server: String,
}

impl Fixture {
    fn new() -> Self {
        let place = Place::new(&[
            ("theirs/pdf/SKILL.md", PDF),
            ("theirs/pdf/references/forms.md", "Forms.\n"),
            ("theirs/count/SKILL.md", COUNT),
            ("theirs/count/run", "#!/bin/sh\necho '\"counted\"'\n"),
            ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Is here.\n---\nHere.\n"),
            ("home/note", ""),
            // An approval covers the files of the repository that git does not ignore.
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".gitignore", "home/\n"),
        ]);
        let server = format!("docs={} mcp theirs", env!("CARGO_BIN_EXE_skills"));
        Self { place, server }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        let home = self.place.top.join("home");
        command.env("HOME", home).env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
        command
    }

    /// Runs a command with the server.
    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).args(["--mcp", &self.server]))
    }
}

// SPEC 22.4
#[test]
fn a_server_without_skills_is_named() {
    let fixture = Fixture::new();
    fixture.place.write("empty/note", "");
    let server = format!("none={} mcp empty", env!("CARGO_BIN_EXE_skills"));
    let list = Run::of(&mut fixture.command(&["list", "--mcp", &server]));
    assert_eq!(list.code, 0, "{list:?}");
    assert!(format!("{}{}", list.out, list.err).contains("No skills found in none ("), "{list:?}");
}

// SPEC 22.4, 22.5, 22.8
#[test]
fn the_skills_of_a_server_are_listed_approved_and_used() {
    let fixture = Fixture::new();
    let list = fixture.run(&["list"]);
    assert_eq!(list.code, 0, "{list:?}");
    assert!(list.out.contains("docs__pdf") && list.out.contains("[untrusted]"), "{list:?}");
    assert!(!list.out.contains("Is here."), "only the server is read: {list:?}");
    assert!(list.err.contains("skills trust --mcp"), "{list:?}");
    let prompt = fixture.run(&["prompt"]);
    assert!(!prompt.out.contains("docs__pdf"), "{prompt:?}");
    let exec = fixture.run(&["exec", "docs__count"]);
    assert!(exec.code == 1 && exec.err.contains("skills trust --mcp"), "{exec:?}");
    let show = fixture.run(&["show", "docs__pdf"]);
    assert!(show.out.contains("Read with care.") && show.out.contains("references/forms.md"), "{show:?}");

    let unknown = fixture.run(&["trust", "--skill", "nobody", "--yes"]);
    assert!(unknown.code == 1 && unknown.err.contains("nobody"), "{unknown:?}");
    let one = fixture.run(&["trust", "--skill", "pdf", "--yes"]);
    assert!(one.code == 0 && one.out.contains("references/forms.md  7 bytes"), "{one:?}");
    assert!(one.out.ends_with("approved: docs__pdf\n"), "{one:?}");
    let prompt = fixture.run(&["prompt"]);
    assert!(prompt.out.contains("docs__pdf") && !prompt.out.contains("docs__count"), "{prompt:?}");
    assert_eq!(fixture.run(&["trust", "--yes"]).code, 0);
    let search = fixture.run(&["search", "read", "a", "PDF"]);
    assert!(search.out.contains("docs__pdf"), "{search:?}");
    let exec = fixture.run(&["exec", "docs__count"]);
    assert!(exec.code == 0 && exec.out.contains("counted"), "{exec:?}");
    // With a directory, both are listed, and the skill on disk keeps its name.
    let both = fixture.run(&["show", "pdf", "--dir", "skills"]);
    assert!(both.out.contains("Here."), "{both:?}");

    fixture.place.write("theirs/pdf/references/forms.md", "Other forms.\n");
    let prompt = fixture.run(&["prompt"]);
    assert!(!prompt.out.contains("docs__pdf") && prompt.err.contains("have changed"), "{prompt:?}");
    let again = fixture.run(&["trust", "--yes"]);
    assert!(again.out.contains("references/forms.md") && !again.out.contains("SKILL.md"), "{again:?}");
    assert!(
        again.out.contains("the text of references/forms.md that was approved is not in the cache"),
        "{again:?}"
    );
    assert!(again.out.contains("\n  +Other forms.\n"), "{again:?}");
    // What was read after the approval is compared line by line.
    fixture.place.write("theirs/pdf/SKILL.md", &PDF.replace("with care", "~/.ssh first"));
    let changed = fixture.run(&["trust", "--yes"]);
    assert!(changed.out.contains("\n  -Read with care.\n  +Read ~/.ssh first.\n"), "{changed:?}");
    assert!(!changed.out.contains("Other forms."), "only the changed file is shown: {changed:?}");
    let listed = Run::of(&mut fixture.command(&["trust", "--list"]));
    assert!(listed.out.contains("skill://pdf/SKILL.md of "), "{listed:?}");
    let cache = fixture.place.top.join("home/.cache/skills/mcp");
    let servers = || cache.read_dir().expect("a cache").count();
    assert_eq!(servers(), 1);
    assert_eq!(fixture.run(&["trust", "--revoke"]).code, 0);
    assert_eq!(servers(), 0, "the files of the server are removed");
    assert!(!fixture.run(&["prompt"]).out.contains("docs__pdf"));
}

// SPEC 22.4: the schema of an approved script is read at once, whatever its name is
#[test]
fn a_script_of_a_server_has_its_schema() {
    let fixture = Fixture::new();
    let lines = "---\nname: lines\ndescription: Counts lines. Use for texts.\nexec: run.sh\nschema: ./schemas/in.json\n---\nCount.\n";
    fixture.place.write("theirs/lines/SKILL.md", lines);
    fixture.place.write("theirs/lines/run.sh", "#!/bin/sh\necho 3\n");
    let schema = r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#;
    fixture.place.write("theirs/lines/schemas/in.json", schema);
    assert_eq!(fixture.run(&["trust", "--yes"]).code, 0);
    let tools = fixture.run(&["tools", "--format", "mcp"]);
    assert!(tools.code == 0 && tools.out.contains("docs__lines"), "{tools:?}");
    let called = fixture.run(&["call", "docs__lines", "--input", r#"{"text": "a"}"#]);
    assert_eq!((called.code, called.out.as_str()), (0, "3\n"), "{called:?}");
    let refused = fixture.run(&["call", "docs__lines", "--input", "{}"]);
    assert!(refused.code == 1 && refused.err.contains("required"), "{refused:?}");
    assert!(fixture.run(&["show", "docs__lines"]).out.contains("Count."));
}

// SPEC 22.6: a refused body is an error, and not the text of the skill
#[test]
fn a_body_that_differs_from_the_list_is_an_error() {
    let fixture = Fixture::new();
    let bin = env!("CARGO_BIN_EXE_skills");
    let server = format!("docs=sh -c '{bin} mcp theirs | sed -u s/care/harm/'");
    let run = |words: &[&str]| Run::of(fixture.command(words).args(["--mcp", &server]));
    let show = run(&["show", "docs__pdf"]);
    assert!(show.code == 1 && show.out.is_empty() && show.err.contains("its digest differs"), "{show:?}");
    let json = run(&["show", "docs__pdf", "--json"]);
    assert!(json.code == 1 && json.err.contains("its digest differs"), "{json:?}");
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert!(value["error"].as_str().is_some_and(|error| error.contains("its digest differs")), "{json:?}");
    assert_eq!(run(&["trust", "--yes"]).code, 0);
    let weigh = run(&["weigh"]);
    assert!(weigh.code == 1 && weigh.err.contains("its digest differs"), "{weigh:?}");
}

// SPEC 22.7
#[test]
fn cached_skills_remain_if_a_server_is_gone() {
    let fixture = Fixture::new();
    assert_eq!(fixture.run(&["trust", "--yes"]).code, 0);
    assert!(fixture.run(&["show", "docs__pdf"]).out.contains("Read with care."));
    std::fs::rename(fixture.place.top.join("theirs"), fixture.place.top.join("gone")).expect("moved");
    let show = fixture.run(&["show", "docs__pdf"]);
    assert!(show.out.contains("Read with care."), "{show:?}");
    assert!(show.err.contains("approved skills are read from the cache"), "{show:?}");
}

// SPEC 22.8
#[test]
fn a_program_in_skills_toml_is_not_started_without_approval() {
    let fixture = Fixture::new();
    let config =
        format!("[mcp.docs]\ncommand = [\"{}\", \"mcp\", \"theirs\"]\n", env!("CARGO_BIN_EXE_skills"));
    fixture.place.write("skills.toml", &config);
    let run = |arguments: &[&str]| Run::of(&mut fixture.command(arguments));
    let list = run(&["list", "--mcp", "docs"]);
    assert!(list.code == 2 && list.err.contains("skills trust --mcp docs"), "{list:?}");
    let silent = run(&["trust", "--mcp", "docs"]);
    assert!(
        silent.code == 2 && silent.out.contains("\n  command line "),
        "shown before the question: {silent:?}"
    );
    assert_eq!(run(&["trust", "--mcp", "docs", "--yes"]).code, 0);
    let list = run(&["list", "--mcp", "docs"]);
    assert!(list.code == 0 && list.out.contains("docs__pdf"), "{list:?}");
    fixture.place.write("skills.toml", "[mcp.docs]\nurl = \"x\"\ncommand = [\"y\"]\n");
    let check = run(&["check", "skills"]);
    assert!(
        check.code == 1 && format!("{}{}", check.out, check.err).contains("either `url` or `command`"),
        "{check:?}"
    );
}
