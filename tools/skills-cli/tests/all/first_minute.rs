//! The first minute of somebody who writes a skill in an empty directory, and of somebody who clones it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::command::{Place, Run};

const INPUT: [&str; 2] = ["--input", r#"{"text": "one"}"#];

/// Runs a command that must succeed, and returns what it prints. It prints no note, warning or error.
fn print(place: &Place, directory: &str, arguments: &[&str]) -> String {
    let run = Run::of(place.command(arguments).current_dir(place.top.join(directory)));
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}: {run:?}");
    run.out
}

/// Serves the skills of a directory, and returns the list that clients get, and the first lines of standard error.
fn serve(place: &Place, directory: &str) -> (String, String) {
    let mut command = place.command(&["serve", "--bind", "127.0.0.1:0"]);
    let command =
        command.current_dir(place.top.join(directory)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Ended(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /v1/skills HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    process.0.kill().unwrap();
    let mut errors = String::new();
    process.0.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (body, errors)
}

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn git(place: &Place, arguments: &[&str]) {
    let mut command = Command::new("git");
    place.at_home(&mut command);
    let user = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
    assert!(command.args(user).args(arguments).status().unwrap().success(), "git {arguments:?}");
}

// SPEC 2.7, 14.21: a new skill without a description is shown without a word about it, which `check` reports
#[test]
fn a_new_skill_without_a_description_is_shown() {
    let place = Place::new(&[("work/x", "")]);
    let here = |arguments: &[&str]| print(&place, "work", arguments);
    here(&["new", "hello"]);
    for command in
        ["list", "show hello", "search hello", "prompt", "weigh", "graph --all", "tools --format mcp"]
    {
        here(&command.split(' ').collect::<Vec<_>>());
    }
    let checked = Run::of(place.command(&["check"]).current_dir(place.top.join("work")));
    assert!(checked.out.contains("description-placeholder"), "{checked:?}");
}

// SPEC 14.10, 14.21: each step does what its name says, without a note; in a clone nothing runs or reaches a model
#[test]
fn every_step_of_the_first_minute_works() {
    let place = Place::new(&[("work/.keep", "")]);
    let here = |arguments: &[&str]| print(&place, "work", arguments);
    fs::remove_file(place.top.join("work/.keep")).unwrap();
    here(&["new", "hello", "--exec", "sh", "--description", "Greets people. Use to greet."]);
    assert!(here(&["list"]).starts_with("hello "));
    assert!(here(&["show", "hello"]).contains("because you write it"));
    assert!(here(&["search", "hello"]).contains("hello  Greets people."));
    assert!(here(&["prompt"]).contains("Greets people."));
    assert!(here(&[&["exec", "hello"][..], &INPUT].concat()).contains("received"));
    assert!(here(&[&["call", "hello"][..], &INPUT].concat()).contains("received"));
    let program = place.top.join("work/skills/hello/scripts/run.sh");
    let text = fs::read_to_string(&program).unwrap();
    fs::write(&program, text.replace("%s}", "{\"changed\": %s}}")).unwrap();
    fs::write(place.top.join("work/skills/hello/more.md"), "A new file.\n").unwrap();
    assert!(here(&[&["exec", "hello"][..], &INPUT].concat()).contains("changed"));
    assert!(here(&[&["call", "hello"][..], &INPUT].concat()).contains("changed"));
    assert!(here(&["weigh"]).contains("hello"));
    assert!(here(&["graph"]).contains("hello"));
    let (served, errors) = serve(&place, "work");
    assert!(served.contains("Greets people."), "{served}");
    let next = errors.strip_suffix("/v1/skills; `--ui` adds a web page at /\n");
    assert!(next.is_some_and(|next| next.starts_with("the list of skills is at http://")), "{errors}");
    let checked = Run::of(place.command(&["check"]).current_dir(place.top.join("work")));
    assert!(checked.code == 0 && checked.out == "1 skill, no problems\n", "{checked:?}");

    fs::remove_file(place.top.join("work/skills/hello/more.md")).unwrap();
    git(&place, &["init", "-q", "work"]);
    git(&place, &["-C", "work", "add", "."]);
    git(&place, &["-C", "work", "commit", "-qm", "Greet"]);
    git(&place, &["clone", "-q", "work", "clone"]);
    let there = |arguments: &[&str]| Run::of(place.command(arguments).current_dir(place.top.join("clone")));
    let next =
        format!("1 skill is not trusted, and does nothing; `skills trust {}`", place.path("clone/skills"));
    for command in ["exec", "call"] {
        let run = there(&[&[command, "hello"][..], &INPUT].concat());
        assert!(run.code == 1 && run.out.is_empty(), "{run:?}");
        assert!(run.err.contains("`skills trust "), "{run:?}");
        let follow =
            format!("if you write it, run `skills trust --follow-edits {}`", place.path("clone/skills"));
        assert!(run.err.contains(&follow), "{run:?}");
    }
    let run = there(&["prompt"]);
    assert!(run.err.contains(&next) && !run.out.contains("hello"), "{run:?}");
    let (served, errors) = serve(&place, "clone");
    assert!(served == "[]" && errors.contains(&next), "{served}{errors}");
    let run = there(&["mcp"]);
    assert!(run.err.contains(&next) && run.out.is_empty(), "{run:?}");
    for command in [&["list"][..], &["show", "hello"], &["search", "hello"], &["weigh"], &["graph"]] {
        assert!(there(command).out.contains("hello"), "{command:?}");
    }
    // A pull into the author's directory is an edit of the author.
    fs::write(
        place.top.join("clone/skills/hello/scripts/run.sh"),
        "#!/bin/sh\necho '{\"received\": {\"pulled\": 1}}'\n",
    )
    .unwrap();
    git(&place, &["-C", "clone", "commit", "-qam", "Change"]);
    git(&place, &["-C", "work", "pull", "-q", "--ff-only", "../clone", "HEAD"]);
    assert!(here(&[&["call", "hello"][..], &INPUT].concat()).contains("pulled"));
}
