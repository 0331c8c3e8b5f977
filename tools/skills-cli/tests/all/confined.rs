//! `--sandbox`, `--limit` and `--env` of the commands that run programs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use crate::command::{Place, Run};

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");

fn skill(name: &str, permissions: &str) -> String {
    let permissions = match permissions {
        "" => String::new(),
        text => format!("metadata:\n  permissions: '{text}'\n"),
    };
    format!("---\nname: {name}\ndescription: Does {name} things.\nexec: run\n{permissions}---\n# {name}\n")
}

fn place() -> Place {
    let function = |permissions: &str| {
        format!(
            "{{\"name\": \"typed\", \"description\": \"D.\", \"category\": \"c\", \"input\": {{}}, \"output\": {{}}, \"mode\": \"code\", \
             \"permissions\": {permissions}}}"
        )
    };
    Place::new(&[
        ("s/silent/SKILL.md", &skill("silent", "")),
        ("s/silent/run", "#!/bin/sh\ncat note; :\n"),
        ("s/reads/SKILL.md", &skill("reads", r#"{"read": ["$WORKSPACE"], "env": ["PLAIN", "A_TOKEN"]}"#)),
        ("s/reads/run", "#!/bin/sh\ncat note; echo \"$PLAIN|$A_TOKEN\"; echo x >made || echo held\n"),
        ("s/typed/SKILL.md", "---\nexec: run\n---\n# T\n"),
        ("s/typed/skill.json", &function(r#"{"write": ["$TMPDIR"]}"#)),
        ("s/typed/run", "#!/bin/sh\ncat note >/dev/null 2>&1 && echo '\"read\"' || echo '\"held\"'\n"),
        ("s/limited/SKILL.md", &skill("limited", "")),
        ("s/limited/run", "#!/bin/sh\nulimit -v\n"),
        ("s/tells/SKILL.md", &skill("tells", "")),
        ("s/tells/run", "#!/bin/sh\necho \"$PLAIN|$A_TOKEN\"\n"),
        ("note", "note\n"),
    ])
}

fn out(run: &Run) -> String {
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    value["stdout"].as_str().unwrap().to_owned()
}

// SPEC 13.5, 13.6, 13.9, 13.17
#[test]
fn a_program_is_confined_to_its_permissions() {
    let place = place();
    let exec = |name, rest: &[&str]| {
        let mut command = place.command(&["exec", name, "--dir", "s"]);
        Run::of(command.args(rest).env("PLAIN", "plain").env("A_TOKEN", "token"))
    };
    let run = exec("reads", &["--sandbox", "auto"]);
    assert!(!run.err.contains("run without a sandbox"), "{run:?}");
    assert_eq!(out(&run), "note\nplain|\nheld\n", "{run:?}");
    assert_eq!(out(&exec("reads", &[])), "note\nplain|\nheld\n", "`auto` is the default");
    assert_eq!(out(&exec("reads", &["--sandbox", "auto", "--env", "A_TOKEN"])), "note\nplain|token\nheld\n");
    assert_eq!(out(&exec("silent", &["--sandbox", "auto"])), "note\n");
    assert_eq!(out(&exec("silent", &["--sandbox", "require"])), "");
    assert_eq!(out(&exec("reads", &["--sandbox", "off"])), "note\n|\n");
    // A variable that the user names is always passed, even to a program that does not request it.
    for sandbox in ["off", "require"] {
        let named = ["--sandbox", sandbox, "--env", "A_TOKEN", "--env", "PLAIN", "--env", "ABSENT"];
        let run = exec("tells", &named);
        assert_eq!(out(&run), "plain|token\n", "{sandbox}: {run:?}");
        assert!(run.err.contains("`--env ABSENT`: the variable is not set"), "{run:?}");
        assert_eq!(out(&exec("tells", &["--sandbox", sandbox])), "|\n");
    }
    assert!(place.top.join("made").exists());
    let call = |rest: &[&str]| Run::of(place.command(&["call", "typed", "--dir", "s"]).args(rest)).out;
    assert_eq!(call(&["--sandbox", "auto"]), "\"held\"\n");
    assert_eq!(call(&["--sandbox", "off"]), "\"read\"\n");
}

// SPEC 13.11
#[test]
fn limits_are_given_by_name() {
    let place = place();
    let exec = |limits: &[&str]| {
        let mut command = place.command(&["exec", "limited", "--dir", "s"]);
        limits.iter().for_each(|limit| {
            command.args(["--resource-limit", limit]);
        });
        Run::of(&mut command)
    };
    assert_eq!(out(&exec(&["memory=256M", "cpu=5s"])), "262144\n");
    assert_eq!(out(&exec(&["memory=1G", "memory=512M"])), "524288\n", "the last one counts");
    for (limit, expected) in [
        ("memory=lots", "such as memory=256M"),
        ("memroy=1G", "did you mean `memory`?"),
        ("memory", "write NAME=VALUE"),
        ("processes=few", "such as processes=16"),
        ("cpu=0", "such as cpu=10s"),
    ] {
        let run = exec(&[limit]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{limit}: {run:?}");
        assert!(run.err.contains(expected), "{limit}: {}", run.err);
    }
    for command in [&["call", "typed", "--dir", "s"][..], &["serve", "s"], &["mcp", "s"]] {
        let run = place.run(&[command, &["--resource-limit", "memory=lots"]].concat());
        assert_eq!(run.code, 2, "{command:?}: {run:?}");
        assert!(run.err.contains("such as memory=256M"), "{command:?}: {}", run.err);
    }
    let run = place.run(&["exec", "limited", "--dir", "s", "--sandbox", "always"]);
    assert!(run.code == 2 && run.err.contains("auto, require, off"), "{run:?}");
}

// SPEC 13.7: a bundled skill in Python that runs git in the workspace works in the sandbox, too
#[test]
#[ignore = "needs git and python3"]
fn a_bundled_skill_runs_confined() {
    test_bed::need("git");
    test_bed::need("python3");
    let text = |path| std::fs::read_to_string(format!("{SKILLS}/git-changelog/{path}")).unwrap();
    let asks = text("SKILL.md").replacen(
        "\n---\n",
        "\nmetadata:\n  permissions: '{\"read\": [\"$WORKSPACE\"]}'\n---\n",
        1,
    );
    let place = Place::new(&[("repository/a.txt", "a"), ("s/git-changelog/SKILL.md", &asks)]);
    let copied = std::process::Command::new("cp")
        .args(["-rn", &format!("{SKILLS}/git-changelog"), &place.path("s/")])
        .status();
    assert!(copied.unwrap().success());
    for arguments in
        [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "feat(cli): run programs", "--no-gpg-sign"]]
    {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@b.c"]).args(arguments);
        assert!(git.current_dir(place.top.join("repository")).status().unwrap().success(), "{arguments:?}");
    }
    let ran = |sandbox| {
        place.run(&["exec", "git-changelog", "--dir", "s", "--workspace", "repository", "--sandbox", sandbox])
    };
    let (free, confined) = (ran("off"), ran("auto"));
    assert!(free.code == 0 && out(&free).contains("run programs"), "{free:?}");
    assert_eq!((confined.code, out(&confined)), (0, out(&free)), "{confined:?}");
    let kept: serde_json::Value =
        serde_json::from_str(&place.run(&["show", "git-changelog", "--dir", "s", "--json"]).out).unwrap();
    assert_eq!(kept["permissions"]["read"][0], "$WORKSPACE");
}
