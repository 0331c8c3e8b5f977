//! `skills list` and `skills prompt`, to the byte.
#![cfg(unix)] // the paths are

use crate::command::{self, Place};

fn place() -> Place {
    Place::new(&[
        ("s/b/prose/SKILL.md", "---\nname: prose\ndescription: 读 \"PDF\" & <forms>.\n---\n# PDF\n"),
        (
            "s/a/SKILL.md",
            "---\nname: tool\ndescription: |\n  Runs\n  twice.\nversion: 2.0.0\nexec: run\nschema: in.json\nrequires: [no-such-program, sh]\n---\n",
        ),
        ("s/a/bin/run", "#!/bin/sh\ncat\n"),
        ("s/a/in.json", "{}"),
        ("s/gone/SKILL.md", "---\nname: gone\ndescription: Lost its program.\nexec: run\n---\n"),
        ("s/gone/scripts/x.sh", "#!/bin/sh\n"),
        (
            "s/add/skill.json",
            "{\"name\": \"add\", \"description\": \"Adds.\", \"category\": \"math\", \"input\": true, \"output\": true, \
             \"mode\": \"code\", \"tags\": [\"a\", \"b\"]}",
        ),
        ("s/mine/SKILL.md", "---\nname: mine\ndescription: Is internal.\ntags: internal\n---\n"),
        ("s/gated/SKILL.md", "---\nname: gated\ndescription: Is gated.\nrequires: cap:root\n---\n"),
    ])
}

/// The records of `place`, with the two that only `--all` shows when `all`.
fn records(place: &Place, all: bool) -> String {
    let path = |path: &str| place.path(path);
    let plain = |name: &str, description: &str, requires: &str, gated: &str| {
        format!(
            "  {{\n    \"name\": \"{name}\",\n    \"version\": \"0.1.0\",\n    \"tier\": 0,\n    \"description\": \
             \"{description}\",\n    \"exec\": null,\n    \"schema\": null,\n    \"path\": \"{}\",\n    \"requires\": \
             {requires}{gated}\n  }},\n",
            path(&format!("s/{name}"))
        )
    };
    let mut text = "[\n".to_owned();
    text += &format!(
        "  {{\n    \"name\": \"add\",\n    \"version\": \"1.0.0\",\n    \"tier\": 0,\n    \"description\": \"Adds.\",\n    \
         \"exec\": null,\n    \"schema\": null,\n    \"path\": \"{}\",\n    \"requires\": [],\n    \"mode\": \"code\",\n    \
         \"category\": \"math\",\n    \"tags\": [\n      \"a\",\n      \"b\"\n    ],\n    \"callable\": false,\n    \
         \"missing\": \"Skill \\\"add\\\" (code) has no host function and no exec\"\n  }},\n",
        path("s/add")
    );
    if all {
        text += &plain("gated", "Is gated.", "[\n      \"cap:root\"\n    ]", ",\n    \"gated\": true");
    }
    text += &format!(
        "  {{\n    \"name\": \"gone\",\n    \"version\": \"0.1.0\",\n    \"tier\": 1,\n    \"description\": \"Lost its \
         program.\",\n    \"exec\": null,\n    \"schema\": null,\n    \"path\": \"{}\",\n    \"requires\": []\n  }},\n",
        path("s/gone")
    );
    if all {
        text += &plain("mine", "Is internal.", "[]", "");
    }
    text += &format!(
        "  {{\n    \"name\": \"prose\",\n    \"version\": \"0.1.0\",\n    \"tier\": 0,\n    \"description\": \"读 \\\"PDF\\\" & \
         <forms>.\",\n    \"exec\": null,\n    \"schema\": null,\n    \"path\": \"{}\",\n    \"requires\": []\n  }},\n",
        path("s/b/prose")
    );
    text += &format!(
        "  {{\n    \"name\": \"tool\",\n    \"version\": \"2.0.0\",\n    \"tier\": 3,\n    \"description\": \"Runs\\ntwice.\",\n    \
         \"exec\": \"run\",\n    \"schema\": \"in.json\",\n    \"path\": \"{}\",\n    \"requires\": [\n      \
         \"no-such-program\",\n      \"sh\"\n    ]\n  }}\n]\n",
        path("s/a")
    );
    text
}

// SPEC 11.1: the record with its keys in order; SPEC 1.8: sorted by name; SPEC 2.9: defaults and gated skills
// SPEC 18.22, 4.2: the remaining tier; SPEC 12.2: with a diagnostic; SPEC 12.5: byte for byte
#[test]
fn records_follow_the_contract() {
    let place = place();
    for (arguments, all) in
        [(["list", "s", "--json"].as_slice(), false), (&["list", "--json", "--all", "s/"], true)]
    {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (0, records(&place, all).as_str()), "{arguments:?}");
        assert!(
            run.err.contains("s/gone/SKILL.md:4:7: `exec` names a file that does not exist"),
            "{}",
            run.err
        );
    }
    let run = place.run(&["list", "s"]);
    let expected = "add    1.0.0  function (code)  Adds.\ngone   0.1.0  text             Lost its program.\n\
                    prose  0.1.0  text             读 \"PDF\" & <forms>.\ntool   2.0.0  script           [needs no-such-program] Runs twice.\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected));
}

// SPEC 8.1
#[test]
fn catalogs_follow_the_contract() {
    let place = place();
    let at = |dir: &str| place.path(&format!("s/{dir}/SKILL.md"));
    let escaped = "读 &quot;PDF&quot; &amp; &lt;forms&gt;.";
    let entries = [
        ("gone", "Lost its program.", at("gone")),
        ("prose", escaped, at("b/prose")),
        ("tool", "Runs twice.", at("a")),
    ];
    // `mine` is tagged `internal` (SPEC 6.3), `gated` is refused (SPEC 2.9), `add` has no SKILL.md.
    let skill = |(name, description, location): &(&str, &str, String)| {
        format!(
            "  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n    \
             <location>{location}</location>\n  </skill>\n"
        )
    };
    let skills: String = entries.iter().map(skill).collect();
    let expected = format!(
        "\n\nThe following skills provide specialized instructions for specific tasks.\nUse the skill tool to load a \
         skill's full instructions when the task matches its description.\n\n<available_skills>\n{skills}\
         </available_skills>\n"
    );
    for arguments in [["prompt", "s"].as_slice(), &["prompt", "s", "--style", "skills"]] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (0, expected.as_str()));
    }
    let skill = |(name, description, location): &(&str, &str, String)| {
        format!(
            "<skill>\n<name>\n{name}\n</name>\n<description>\n{description}\n</description>\n<location>\n{location}\n\
             </location>\n</skill>\n"
        )
    };
    let skills: String = entries.iter().map(skill).collect();
    let run = place.run(&["prompt", "s", "--style", "agent-skills"]);
    assert_eq!(run.out, format!("<available_skills>\n{skills}</available_skills>\n"));
    let run = place.run(&["prompt", "s", "--style", "omega"]);
    let expected = format!(
        "\n\nYou have the following skills available. Before using any skill, you MUST read its file for full \
         instructions. If a tool is not installed, the skill file contains installation instructions — install it \
         first, then use it.\n\nSkills:\n- gone [installed]: Lost its program. → Read {}\n- prose [installed]: 读 \
         \"PDF\" & <forms>. → Read {}\n- tool [not installed]: Runs twice. → Read {}\n",
        at("gone"),
        at("b/prose"),
        at("a")
    );
    assert_eq!(run.out, expected);
}

// SPEC 8.1: the budget; dropped skills are named
#[test]
fn a_small_budget_drops_skills_from_the_end() {
    let run = place().run(&["prompt", "s", "--budget", "0", "--style", "agent-skills"]);
    assert_eq!(
        run.out,
        "<available_skills>\n</available_skills>\n3 more skills not shown: gone, prose, tool\n"
    );
}

// SPEC 1.2: a root without skills is an empty list at run time, a file is an error
#[test]
fn roots_without_skills() {
    let place = Place::new(&[("empty/x.md", ""), ("file", "x")]);
    for (command, out) in [
        ("list empty", ""),
        ("list empty --json", "[]\n"),
        // SPEC 8.1: not even a line feed
        ("prompt empty", ""),
        ("prompt empty --style omega", ""),
        ("prompt empty --style agent-skills", "<available_skills>\n</available_skills>\n"),
    ] {
        let run = place.run(&command.split(' ').collect::<Vec<_>>());
        let note = "No skills found in empty\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, out, note), "{command}");
    }
    // SPEC 11.25
    for command in [
        "list missing",
        "prompt missing",
        "tools missing --format mcp",
        "call x --dir missing",
        "weigh missing",
    ] {
        let run = place.run(&command.split(' ').collect::<Vec<_>>());
        let error = "error: there is no directory `missing`\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (2, "", error), "{command}");
    }
    let nowhere = command::Run::of(place.command(&["list"]).env("HOME", place.path("empty")));
    assert_eq!((nowhere.code, nowhere.out.as_str()), (0, ""));
    let read = nowhere.err.starts_with("No skills found in ") && nowhere.err.ends_with(", skills\n");
    assert!(read, "{}", nowhere.err);
    // SPEC 11.10
    place.write("plugins/a b/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n");
    let below = command::Run::of(place.command(&["list"]).env("HOME", place.path("empty")));
    let note = ", skills\nnote: `plugins/a b` has skills: add `--dir 'plugins/a b'`\n";
    assert!(below.code == 0 && below.err.ends_with(note), "{}", below.err);
    for command in ["list", "prompt"] {
        let run = place.run(&[command, "file"]);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.starts_with("error: file:1:1: read skills dir file: "), "{}", run.err);
    }
}

// SPEC 1.1: a leading `~/` is the home directory, and a root can be a skill
#[test]
fn the_home_directory_and_a_single_skill() {
    let place = place();
    let mut command = place.command(&["list", "~/b"]);
    let run = command::Run::of(command.env("HOME", place.path("s")));
    assert_eq!(run.out, "prose  0.1.0  text  读 \"PDF\" & <forms>.\n");
    let run = place.run(&["list", "s/b/prose", "--json"]);
    assert!(run.out.contains(&format!("\"path\": \"{}\"", place.path("s/b/prose"))), "{}", run.out);
}

// SPEC 1.7, 2.4, 2.6, 2.7: a broken skill is reported in one line and skipped, or loaded if it can be repaired
#[test]
fn broken_skills_never_stop_the_others() {
    let place = Place::new(&[
        ("s/colon/SKILL.md", "---\nname: colon\ndescription: Use: this\n---\n"),
        ("s/Caps/SKILL.md", "---\nname: Caps Lock\ndescription: Odd name.\n---\n"),
        ("s/mute/SKILL.md", "---\nname: mute\n---\n"),
        ("s/open/SKILL.md", "---\nname: open\n"),
        ("s/a/same/SKILL.md", "---\nname: same\ndescription: First.\n---\n"),
        ("s/b/same/SKILL.md", "---\nname: same\ndescription: Second.\n---\n"),
    ]);
    let run = place.run(&["list", "s"]);
    assert!(run.out.contains("colon      0.1.0  text  Use: this\n"), "{}", run.out);
    assert!(run.out.contains("Caps Lock  0.1.0"), "{}", run.out);
    assert!(
        run.out.contains("First.") && !run.out.contains("Second.") && !run.out.contains("mute"),
        "{}",
        run.out
    );
    let starts = [
        "warning: s/Caps/SKILL.md:2:7: ",
        "warning: s/b/same/SKILL.md:2:7: two skills have the name `same`",
        "warning: s/colon/SKILL.md:3:17: ",
        "error: s/mute/SKILL.md:1:1: ",
        "error: s/open/SKILL.md:1:1: ",
    ];
    for start in starts {
        assert_eq!(run.err.lines().filter(|line| line.starts_with(start)).count(), 1, "{start}\n{}", run.err);
    }
    // SPEC 11.14
    assert_eq!((run.code, run.err.lines().count()), (1, starts.len()), "{}", run.err);
    assert!(run.err.contains("; repaired: the value was read as if it were quoted"), "{}", run.err);
    // A command for one skill prints the problem of that skill, and the number of other problems.
    for (name, expected) in [("colon", "warning: s/colon/"), ("mute", "error: s/mute/")] {
        let run = place.run(&["show", name, "--dir", "s"]);
        let lines: Vec<&str> = run.err.lines().collect();
        assert!(lines[0].starts_with(expected), "{}", run.err);
        assert_eq!(lines[1], "note: 4 other problems; run `skills check DIR`");
    }
}

// SPEC 2.11: lists do not print control characters
#[test]
fn control_characters_are_escaped_in_lists() {
    let text = "---\nname: red\ndescription: \"A \\e[31mred\\x07 \\u202e text\"\n---\n";
    let place = Place::new(&[("s/red/SKILL.md", text)]);
    let run = place.run(&["list", "s"]);
    assert_eq!(run.out, "red  0.1.0  text  A \\u{1b}[31mred\\u{7} \\u{202e} text\n");
    assert!(run.err.contains("hidden character U+001B") && !run.err.contains('\u{1b}'), "{}", run.err);
    assert!(!place.run(&["list", "s", "--json"]).out.contains(['\u{1b}', '\u{7}']));
}

// SPEC 11.14: a skill with an error is missing from the list, and the exit code is 1; warnings change nothing
#[test]
fn a_list_with_errors_is_printed_and_exits_with_1() {
    let good = ("s/good/SKILL.md", "---\nname: good\ndescription: Is good.\n---\n");
    let repaired = ("s/colon/SKILL.md", "---\nname: colon\ndescription: Use: this\n---\n");
    let place = Place::new(&[good, repaired]);
    for arguments in [["list", "s"].as_slice(), &["list", "s", "--json"]] {
        let run = place.run(arguments);
        assert!(run.err.starts_with("warning: ") && !run.err.contains("error:"), "{}", run.err);
        assert!(run.code == 0 && run.out.contains("good") && run.out.contains("colon"), "{run:?}");
    }
    place.write("s/mute/SKILL.md", "---\nname: mute\n---\n");
    for arguments in [["list", "s"].as_slice(), &["list", "s", "--json"], &["list", "s", "--search", "good"]]
    {
        let run = place.run(arguments);
        assert!(run.err.contains("error: s/mute/SKILL.md:1:1: "), "{}", run.err);
        assert!(run.code == 1 && run.out.contains("good") && !run.out.contains("mute"), "{run:?}");
    }
}

// SPEC 11.15: missing programs are shown; SPEC 2.9: a capability is not a program
#[test]
fn missing_programs_are_named() {
    let place = place();
    let run = place.run(&["show", "tool", "--dir", "s"]);
    assert!(
        run.out.contains("\nrequired programs that this machine lacks\n  no-such-program\n"),
        "{}",
        run.out
    );
    let run = place.run(&["show", "tool", "--dir", "s", "--json"]);
    assert!(
        run.out.ends_with(",\n  \"missing_requires\": [\n    \"no-such-program\"\n  ]\n}\n"),
        "{}",
        run.out
    );
    assert!(!place.run(&["show", "prose", "--dir", "s", "--json"]).out.contains("missing_requires"));
    let run = place.run(&["list", "s", "--all"]);
    assert!(
        run.out.contains("text             [gated] Is gated.\n")
            && run.out.contains("[needs no-such-program] Runs")
    );
    let nothing = command::Run::of(place.command(&["list", "s"]).env("PATH", place.path("s")));
    assert!(
        nothing.out.contains("script           [needs no-such-program, sh] Runs twice."),
        "{}",
        nothing.out
    );
    place.write("s/no-such-program", "#!/bin/sh\n");
    let all =
        command::Run::of(place.command(&["list", "s"]).env("PATH", format!("{}:/bin", place.path("s"))));
    assert!(all.out.contains("script           Runs twice."), "{}", all.out);
}

// SPEC 11.14: left out skills are named once, with the reason
#[test]
fn skills_that_are_left_out_are_named() {
    let place = place();
    let note = "note: not listed, because they require a refused capability: `gated`; `--all` lists all skills\n\
        note: not listed, because they are internal: `mine`; `--all` lists all skills\n";
    for arguments in [&["list", "s"][..], &["list", "s", "--json"]] {
        let run = place.run(arguments);
        assert!(run.err.ends_with(note), "{}", run.err);
    }
    assert!(!place.run(&["list", "s", "--all"]).err.contains("not listed"));
}

// SPEC 11.25: a skill that `new` writes is found without naming a directory; its program runs once it is trusted
#[test]
fn the_directory_skills_is_found() {
    let place = Place::new(&[("home/x", "")]);
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command::Run::of(command.env("HOME", place.path("home")).env_remove("XDG_CONFIG_HOME"))
    };
    assert_eq!(run(&["new", "notes", "--description", "Takes notes. Use for meetings."]).code, 0);
    assert!(run(&["list"]).out.starts_with("notes "), "{:?}", run(&["list"]));
    assert_eq!(run(&["show", "notes"]).code, 0);
    let checked = run(&["check"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(checked.out.contains("1 skill"), "{checked:?}");
    assert_eq!(run(&["expand"]).code, 0);
    // Its author has just written it (SPEC 14.21).
    assert!(!run(&["exec", "notes"]).err.contains("not_trusted"));
    assert_eq!(run(&["trust", "--revoke", "skills"]).code, 0);
    assert!(run(&["exec", "notes"]).err.contains("not_trusted"));
}

// SPEC 11.31: skills that `list` does not read are named as in `check`
#[test]
fn skills_that_are_passed_over_are_named() {
    let text = |name: &str| format!("---\nname: {name}\ndescription: Is {name}.\n---\n");
    let place = Place::new(&[
        ("s/a/SKILL.md", &text("a")),
        ("s/.claude/skills/b/SKILL.md", &text("b")),
        ("s/node_modules/c/SKILL.md", &text("c")),
        ("s/d/SKILL.md", &text("d")),
        ("s/backup/a-2/SKILL.md", &text("a-2")),
        ("s/.skillignore", "d\n"),
    ]);
    let run = place.run(&["list", "s"]);
    assert_eq!(run.out.lines().count(), 2, "{run:?}");
    assert_eq!(
        run.err,
        "note: in s, 3 passed over: 1 below node_modules (node_modules/c/SKILL.md), 1 in a hidden \
         directory (.claude/skills/b), 1 left out by `.skillignore` (d/SKILL.md); to list one, name its directory: `skills list DIR`\n"
    );
    assert_eq!(place.run(&["list", "s", "-q"]).err, "");
    assert_eq!(place.run(&["list", "s/.claude/skills"]).err, "");
}

// SPEC 1.11: `check` allows several skills with one name and names them; a list has only the first
#[test]
fn a_name_of_several_skills_is_a_warning() {
    let text =
        |name: &str, more: &str| format!("---\nname: {name}\ndescription: Is {name}.\n---\nA.{more}\n");
    let place = Place::new(&[
        ("s/x/skills/pdf/SKILL.md", &text("pdf", "")),
        ("s/y/skills/pdf/SKILL.md", &text("pdf", "Other.")),
        ("s/z/skills/a/copy/SKILL.md", &text("copy", "")),
        ("s/z/skills/b/copy/SKILL.md", &text("copy", "")),
        ("s/.claude/skills/pdf/SKILL.md", &text("pdf", "")),
    ]);
    let run = place.run(&["check", "s", "--ci"]);
    let warning = "warning: several skills have the same name: `pdf` (x/skills/pdf, y/skills/pdf), `copy` \
                   (z/skills/a/copy, z/skills/b/copy); `list`, and a program that reads s as one directory, have only the first \
                   of each; `check --bundle` shows all\n";
    assert!(run.code == 0 && run.err.ends_with(warning), "{run:?}");
    assert!(!place.run(&["check", "s/x"]).err.contains("several skills"));
    assert!(!place.run(&["check", "s", "--bundle"]).err.contains("several skills"));
}

// SPEC 11.33
#[test]
fn a_list_follows_few_of_many_warnings() {
    let warned = |count: usize| {
        let text = |at: usize| format!("---\nname: s{at}\ndescription: Reads.\nkey{at}: MIT\n---\n");
        let files: Vec<_> = (0..count).map(|at| (format!("s/s{at}/SKILL.md"), text(at))).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let run = Place::new(&files).run(&["list", "s"]);
        assert_eq!(run.out.lines().count(), count, "{run:?}");
        run.err
    };
    assert_eq!(warned(6).matches("warning: ").count(), 6);
    let err = warned(9);
    assert_eq!(err.matches("warning: ").count(), 5, "{err}");
    assert!(err.ends_with("note: 4 more warnings; `skills check DIR` shows them\n"), "{err}");
}

// SPEC 11.38
#[test]
fn a_list_has_no_limit_of_a_bundle_and_prints_equal_messages_once() {
    let place = Place::new(&[
        ("s/a/SKILL.md", "---\nname: a\n---\n"),
        ("s/b/SKILL.md", "---\nname: b\n---\n"),
        ("s/c/SKILL.md", "---\nname: c\ndescription: Reads.\n---\nText\n"),
    ]);
    for name in ["u", "v", "w", "x", "y", "z"] {
        for nth in 0..5 {
            let file = std::path::PathBuf::from(place.path(&format!("s/{name}/assets/{nth}.bin")));
            std::fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
            std::fs::File::create(&file).expect("a file").set_len(9 << 20).expect("a size");
        }
        let text = format!("---\nname: {name}\ndescription: Reads.\n---\nText\n");
        std::fs::write(place.path(&format!("s/{name}/SKILL.md")), text).expect("a text");
    }
    let run = place.run(&["list", "s"]);
    assert!(run.out.contains("z") && !run.err.contains("bundle-too-large"), "{run:?}");
    assert_eq!(run.err.matches("no `description`").count(), 1, "{}", run.err);
    assert!(run.err.contains("1 more problem with this message"), "{}", run.err);
}
