//! The approval of a server's program that a project names: where it starts, and what ends the approval (SPEC 22.10, 22.11).

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::command::{Place, Run};
use crate::pin::{BARE, TOOL, bare};

const OTHER: &str = "#!/bin/sh\necho started >> acted\nexec ./bare.sh\n";

// SPEC 22.10: an approval holds for one project, program and contents of the files that the command line names
#[test]
fn an_approval_does_not_travel() {
    let place = bare();
    place.write("tools/run.sh", OTHER);
    place.write("lib/part", "one");
    place.write("skills.toml", "[mcp.bare]\ncommand = [\"sh\", \"tools/run.sh\", \"--lib=lib\"]\n");
    let acted = || fs::remove_file(place.path("acted")).is_ok();
    let list = || place.run(&["list", "--mcp", "bare"]);
    assert!(place.run(&["trust", "--mcp", "bare", "--yes"]).code == 0 && acted());
    assert!(list().code == 0 && acted());
    for (file, text, change) in [
        ("tools/run.sh", format!("{OTHER}#\n"), "file tools/run.sh"),
        ("lib/part", "two".to_owned(), "file lib/part"),
        ("lib/more", "new".to_owned(), "file lib/more"),
        (
            "skills.toml",
            "[mcp.bare]\ncommand = [\"sh\", \"tools/run.sh\"]\n".to_owned(),
            "command line sh tools/run.sh",
        ),
        (
            "skills.toml",
            "[mcp.bare]\ncommand = [\"sh\", \"tools/run.sh\"]\nenv = [\"A_KEY\"]\n".to_owned(),
            "variable A_KEY",
        ),
    ] {
        place.write(file, &text);
        let refused = list();
        assert!(refused.code == 2 && refused.err.contains(change), "{change}: {refused:?}");
        assert!(!acted(), "{change}");
        assert!(place.run(&["trust", "--mcp", "bare", "--yes"]).code == 0 && acted(), "{change}");
        assert!(list().code == 0 && acted(), "{change}");
    }
    // The same files in another directory are another project.
    let clone =
        Place::new(&[("bare.sh", BARE), ("tools.json", TOOL), ("tools/run.sh", OTHER), ("skills.toml", "")]);
    fs::copy(place.path("skills.toml"), clone.path("skills.toml")).expect("copied");
    fs::copy(place.path("tools/run.sh"), clone.path("tools/run.sh")).expect("copied");
    let config = place.top.with_extension("home").join(".config");
    let there = Run::of(clone.command(&["list", "--mcp", "bare"]).env("XDG_CONFIG_HOME", config));
    assert!(there.code == 2 && there.err.contains("is not approved"), "{there:?}");
    assert!(!fs::exists(clone.path("acted")).expect("a path"));
}

// SPEC 22.11: the repository above the directory with `skills.toml` comes from the same author
#[test]
fn files_of_the_repository_above_the_project_are_bound() {
    const ABOVE: &str = "#!/bin/sh\ncd ..\necho started >> acted\nexec ./bare.sh\n";
    let place = bare();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("above.sh", ABOVE);
    let acted = || fs::remove_file(place.path("acted")).is_ok();
    let run = |arguments: &[&str]| Run::of(place.command(arguments).current_dir(place.path("sub")));
    for name in ["../above.sh", place.path("above.sh").as_str()] {
        place.write("above.sh", ABOVE);
        place.write("sub/skills.toml", &format!("[mcp.bare]\ncommand = [\"sh\", \"{name}\"]\n"));
        assert!(run(&["trust", "--mcp", "bare", "--yes"]).code == 0 && acted(), "{name}");
        assert!(run(&["list", "--mcp", "bare"]).code == 0 && acted(), "{name}");
        place.write("above.sh", &format!("{ABOVE}#\n"));
        let refused = run(&["list", "--mcp", "bare"]);
        assert!(refused.code == 2 && refused.err.contains("above.sh") && !acted(), "{name}: {refused:?}");
    }
}

/// A script that leaves a mark outside of the project, reads a file beside it, and becomes a server.
const MARKED: &str = "#!/bin/sh\necho started >> \"$HOME/acted\"\n. ./tools/part.sh\nexec ./bare.sh\n";

/// A project whose server is started by the given words.
fn project(words: &[&str]) -> Place {
    let place = bare();
    place.write("tools/run.sh", MARKED);
    place.write("tools/part.sh", "true\n");
    place.write("Makefile", "serve:\n\t@exec sh tools/run.sh\n");
    symlink("tools/run.sh", place.path("launch")).expect("made");
    fs::create_dir_all(place.home()).expect("made");
    configure(&place, words);
    place
}

fn configure(place: &Place, words: &[&str]) {
    place.write("skills.toml", &format!("[mcp.bare]\ncommand = {words:?}\n"));
}

fn acted(place: &Place) -> bool {
    fs::remove_file(place.home().join("acted")).is_ok()
}

fn trust(place: &Place) -> Run {
    place.run(&["trust", "--mcp", "bare", "--yes"])
}

fn list(place: &Place) -> Run {
    place.run(&["list", "--mcp", "bare"])
}

// SPEC 22.11: however a command line leads to the repository, every file of it counts
#[test]
fn an_approval_ends_with_a_change_of_any_file_of_the_repository() {
    for words in [
        &["sh", "tools/run.sh"][..],
        &["sh", "-c", "exec sh \"$PWD/tools/run.sh\""],
        &["sh", "-c", "exec sh t*/r*.sh"],
        &["sh", "-c", "eval \"$(printf '. ./too%s/run.sh' ls)\""],
        &["env", "tools/run.sh"],
        &["env", "-S", "sh tools/run.sh"],
        &["find", ".", "-name", "run.sh", "-exec", "sh", "{}", ";"],
        &["./launch"],
        &["./tools/../launch"],
    ] {
        let place = project(words);
        let trusted = trust(&place);
        assert!(trusted.code == 0 && acted(&place), "{words:?}: {trusted:?}");
        let (listed, started) = (list(&place), acted(&place));
        assert!(listed.code == 0 && started, "{words:?}: {listed:?}");
        for (file, text, change) in [
            ("tools/part.sh", "true #\n", "changed: file tools/part.sh"),
            ("tools/new.sh", "", "added: file tools/new.sh"),
            ("sub/Makefile", "", "added: file sub/Makefile"),
        ] {
            place.write(file, text);
            let refused = list(&place);
            assert!(refused.code == 2 && refused.err.contains(change), "{words:?}: {refused:?}");
            assert!(!acted(&place), "{words:?}: {change}");
            if file == "tools/part.sh" {
                place.write(file, "true\n")
            } else {
                fs::remove_file(place.path(file)).expect("removed")
            }
        }
        let (listed, started) = (list(&place), acted(&place));
        assert!(listed.code == 0 && started, "the files are as they were: {words:?}: {listed:?}");
    }
}

// SPEC 22.11
#[test]
fn a_program_that_names_nothing_of_the_repository_starts_in_an_empty_directory() {
    let elsewhere = bare();
    let script = "#!/bin/sh\n{ pwd; ls -A; } > \"$HOME/place\"\ncd \"${0%/*}\" && exec ./bare.sh\n";
    elsewhere.write("acme-server", script);
    let program = elsewhere.path("acme-server");
    let place = project(&[&program, "stdio", "--log=info"]);
    let trusted = trust(&place);
    assert!(trusted.code == 0 && trusted.out.contains("directory  an empty one, because"), "{trusted:?}");
    assert!(trusted.out.contains("\n  not covered: "), "{trusted:?}");
    let seen = || fs::read_to_string(place.home().join("place")).expect("a file");
    let directory = seen();
    assert_eq!(directory.lines().count(), 1, "it is empty: {directory}");
    assert!(!directory.starts_with(&place.path("")), "{directory}");
    assert!(!fs::exists(directory.trim_end()).expect("a path"), "it is removed: {directory}");
    place.write("tools/run.sh", "");
    assert_eq!(list(&place).code, 0, "nothing of the repository reaches the program");
    // Each of these words leads to the repository, so the program starts in the project.
    symlink(place.path(""), elsewhere.path("alias")).expect("made");
    for word in [
        ".",
        "--root=.",
        "tools",
        "../x",
        "/",
        "tools.run",
        "-Itools",
        "x:tools/part",
        "*",
        "make",
        &place.path(""),
        &elsewhere.path("alias/not-yet"),
        &format!("-abI{}", place.path("lib").replace('/', "//")),
        &format!("missing/../../../../..{}", place.path("x").replace("/x", "/./x")),
        &format!("{}/../x", elsewhere.path("missing")),
    ] {
        configure(&place, &[&program, word]);
        let trusted = trust(&place);
        assert!(trusted.code == 0 && trusted.out.contains("files      all "), "{word}: {trusted:?}");
        assert_eq!(seen().lines().next().map(|line| format!("{line}/")), Some(place.path("")), "{word}");
        place.write("tools/run.sh", &format!("# {word}\n"));
        let refused = list(&place);
        assert!(
            refused.code == 2 && refused.err.contains("changed: file tools/run.sh"),
            "{word}: {refused:?}"
        );
    }
}

// SPEC 22.11
#[test]
fn a_server_that_misses_its_project_says_how_to_name_it() {
    let place = project(&["cat", "no-such-file"]);
    let failed = trust(&place);
    assert!(
        failed.code != 0 && failed.err.contains("it started in an empty directory, because"),
        "{failed:?}"
    );
    let long = "x".repeat(5000);
    configure(&place, &["cat", &long]);
    let refused = trust(&place);
    assert!(
        refused.code != 0 && refused.err.contains("5003 bytes, and a person can review 4096"),
        "{refused:?}"
    );
}

// SPEC 22.11: a program that a word or a `#!` line names is resolved once
#[test]
fn an_approval_is_bound_to_each_program_that_is_looked_up() {
    let tools = Place::new(&[
        ("one/interp", "#!/bin/sh\nexec sh \"$@\"\n"),
        ("two/interp", "#!/bin/sh\nexec sh \"$@\"\n"),
    ]);
    for words in [&["env", "interp", "tools/run.sh"][..], &["./tools/script"]] {
        let place = project(words);
        place.write("tools/script", &MARKED.replace("/bin/sh", "/usr/bin/env interp"));
        let run = |arguments: &[&str], first: &str| {
            let path = std::env::var("PATH").expect("a path");
            Run::of(place.command(arguments).env("PATH", format!("{}:{path}", tools.path(first))))
        };
        let trusted = run(&["trust", "--mcp", "bare", "--yes"], "one");
        assert!(trusted.code == 0 && acted(&place), "{words:?}: {trusted:?}");
        assert!(
            trusted.out.contains(&format!("program {}", tools.path("one/interp"))),
            "{words:?}: {trusted:?}"
        );
        let refused = run(&["list", "--mcp", "bare"], "two");
        assert!(
            refused.code == 2 && refused.err.contains(&tools.path("two/interp")),
            "{words:?}: {refused:?}"
        );
        assert!(!acted(&place), "{words:?}");
        let same = run(&["list", "--mcp", "bare"], "one");
        assert!(same.code == 0 && acted(&place), "{words:?}: {same:?}");
    }
}

// SPEC 22.10: a word that may be a name is no command line that the user typed
#[test]
fn a_name_that_skills_toml_does_not_define_starts_no_program() {
    let user = Place::new(&[]);
    user.write("docs", MARKED);
    let place = project(&["sh", "tools/run.sh"]);
    let path = format!("{}:{}", user.path(""), std::env::var("PATH").expect("a path"));
    for config in
        ["", "[mcp.docs]\nurl = \"http://[::1]:1\"\ncommand = [\"x\"]\n", "mcp = 3\n", "[mcp.docs\n"]
    {
        place.write("skills.toml", config);
        for arguments in [
            &["list", "--mcp", "docs"][..],
            &["search", "--mcp", "docs", "x"],
            &["list", "--mcp", "own=docs"],
        ] {
            let refused = Run::of(place.command(arguments).env("PATH", &path));
            let is_shown = refused.err.contains("is not approved: command line docs");
            assert!(refused.code == 2 && is_shown && !acted(&place), "{config}: {refused:?}");
        }
    }
}

// SPEC 22.11: a program of the user may be a link into the repository, or in a directory of it
#[test]
fn a_program_in_path_that_is_in_the_repository_is_bound() {
    for (words, is_link) in [
        (&["tool"][..], true),
        (&["env", "tool"], true),
        (&["wrapper"], true),
        (&["env", "FIRST=elsewhere"], false),
    ] {
        let user = Place::new(&[]);
        let place = project(words);
        let inside = ["tools/tool", "bin/helper"];
        place.write(inside[0], MARKED);
        place.write(inside[1], "#!/bin/sh\ntrue\n");
        place.write(".git/HEAD", "ref: refs/heads/main\n");
        user.write("wrapper", &MARKED.replace("/bin/sh", &user.path("interp")));
        place.write("tools/interp", "#!/bin/sh\nexec sh \"$@\"\n");
        symlink(place.path(inside[0]), user.path("tool")).expect("made");
        symlink(place.path("tools/interp"), user.path("interp")).expect("made");
        let directory = if is_link { user.path("") } else { place.path("bin") };
        let run = |arguments: &[&str]| {
            let path = std::env::var("PATH").expect("a path");
            Run::of(place.command(arguments).env("PATH", format!("{directory}:{path}")))
        };
        let trusted = run(&["trust", "--mcp", "bare", "--yes"]);
        let shown = format!("{}{}", trusted.out, trusted.err);
        assert!(shown.contains("files      all "), "{words:?}: {trusted:?}");
        acted(&place);
        place.write(inside[usize::from(!is_link)], &format!("{MARKED}#\n"));
        let refused = run(&["list", "--mcp", "bare"]);
        assert!(refused.code == 2 && !acted(&place), "{words:?}: {refused:?}");
        // What git ignores is of this machine.
        place.write(".gitignore", "/bin/\n");
        let trusted = run(&["trust", "--mcp", "bare", "--yes"]);
        let shown = format!("{}{}", trusted.out, trusted.err);
        assert_eq!(shown.contains("files      all "), is_link, "{words:?}: {trusted:?}");
    }
}

// SPEC 22.11, 14.12: a link out of the repository counts with its target
#[test]
fn the_target_of_a_link_out_of_the_repository_is_bound() {
    let outside = Place::new(&[("part.sh", "true\n"), ("lib/deep/x", "one")]);
    let place = project(&["sh", "tools/run.sh"]);
    fs::remove_file(place.path("tools/part.sh")).expect("removed");
    symlink(outside.path("part.sh"), place.path("tools/part.sh")).expect("made");
    symlink(outside.path("lib"), place.path("lib")).expect("made");
    let trusted = trust(&place);
    assert!(trusted.code == 0 && acted(&place), "{trusted:?}");
    for (file, text, change) in [
        ("part.sh", "true #\n", "changed: file tools/part.sh"),
        ("lib/deep/x", "two", "changed: file lib/deep/x"),
    ] {
        let before = fs::read_to_string(outside.path(file)).expect("a file");
        outside.write(file, text);
        let refused = list(&place);
        assert!(refused.code == 2 && refused.err.contains(change) && !acted(&place), "{refused:?}");
        outside.write(file, &before);
        assert!(list(&place).code == 0 && acted(&place), "{change}");
    }
}

// SPEC 22.11: `pin` ends no approval with the files that it writes, and renews none that has ended
#[test]
fn approvals_last_when_skills_are_pinned() {
    let place = project(&["sh", "tools/run.sh"]);
    let pin = |to: &str| place.run(&["pin", "./bare.sh", "--to", to, "--yes"]);
    assert_eq!(trust(&place).code, 0);
    assert_eq!(pin("one").code, 0);
    assert_eq!(list(&place).code, 0);
    place.write("tools.json", &TOOL.replace("Greets", "Meets"));
    assert_eq!(trust(&place).code, 0);
    assert_eq!(place.run(&["pin", "./bare.sh", "--update", "--to", "one", "--yes"]).code, 0);
    assert_eq!(list(&place).code, 0);
    place.write("tools/part.sh", "true #\n");
    assert_eq!(pin("two").code, 0);
    let refused = list(&place);
    assert!(
        refused.code == 2 && refused.err.contains("approved:\nchanged: file tools/part.sh\nif"),
        "{refused:?}"
    );
}

// SPEC 22.11: files that git ignores are of this machine, unless git tracks them or the command line names them
#[test]
#[ignore = "needs git"]
fn files_that_git_ignores_do_not_count() {
    test_bed::need("git");
    let place = project(&["sh", "tools/run.sh"]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert_eq!(Run::of(command.args(arguments).current_dir(&place.top)).code, 0, "{arguments:?}");
    };
    place.write(".gitignore", "target/\nnode_modules/\n*.log\n");
    place.write("target/out", "one");
    place.write("node_modules/sub/x.js", "one");
    place.write("node_modules/y.js", "one");
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["add", "--force", "node_modules/sub/x.js"]);
    let holds = |file: &str, text: &str| {
        let before = fs::read_to_string(place.path(file)).ok();
        place.write(file, text);
        let holds = list(&place).code == 0;
        match before {
            Some(before) => place.write(file, &before),
            None => fs::remove_file(place.path(file)).expect("removed"),
        }
        holds
    };
    assert_eq!(trust(&place).code, 0);
    for file in ["target/out", "target/new", "node_modules/y.js", "node_modules/z/a", "tools/a.log", ".git/x"]
    {
        assert!(holds(file, "two"), "{file}");
    }
    for file in ["node_modules/sub/x.js", "tools/part.sh", "untracked", ".gitignore"] {
        assert!(!holds(file, "true\n#\n"), "{file}");
    }
    // A fifo and a socket cannot be in a repository.
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().expect("mkfifo").success());
    assert_eq!(list(&place).code, 0);
    configure(&place, &["sh", "tools/run.sh", "target", "node_modules/y.js"]);
    assert_eq!(trust(&place).code, 0);
    for file in ["target/out", "target/new", "node_modules/y.js"] {
        assert!(!holds(file, "two"), "{file}");
    }
    assert!(holds("node_modules/z/a", "two"), "it is not named");
    // A submodule belongs to the repository around it.
    place.write(
        "module/skills.toml",
        "[mcp.bare]\ncommand = [\"sh\", \"-c\", \"cd ..; exec sh tools/run.sh\"]\n",
    );
    let module = place.top.join("module");
    let in_module = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
        assert_eq!(Run::of(command.current_dir(&module)).code, 0, "{arguments:?}");
    };
    in_module(&["init", "--quiet"]);
    in_module(&["add", "--all"]);
    in_module(&["commit", "--quiet", "-m", "one"]);
    git(&["add", "module"]);
    let run = |arguments: &[&str]| Run::of(place.command(arguments).current_dir(&module)).code;
    assert_eq!((run(&["trust", "--mcp", "bare", "--yes"]), run(&["list", "--mcp", "bare"])), (0, 0));
    place.write("tools/part.sh", "true #\n");
    assert_eq!(run(&["list", "--mcp", "bare"]), 2);
    place.write("tools/part.sh", "true\n");
    // An index that cannot be read says nothing about tracked files.
    place.write("a.log", "");
    assert_eq!((trust(&place).code, list(&place).code), (0, 0));
    place.write(".git/index", "damaged");
    assert!(list(&place).code == 2 && trust(&place).code == 0);
    assert!(!holds("node_modules/z/a", "two"));
}
