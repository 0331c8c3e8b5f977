//! `skills::commands::check`: the skills of a program against its own commands.

use clap::{Arg, ArgAction, Command};

skills::skills!("tests/commands/lies");

fn acme(list: &'static str) -> Command {
    let format = Arg::new("format").long("format").value_parser(["text", "json"]);
    let all = Arg::new("all").long("all").action(ArgAction::SetTrue);
    let dir = Arg::new("dir").value_name("DIR").required(true);
    Command::new("acme").subcommand(Command::new(list).arg(format).arg(all).arg(dir))
}

// SPEC 23.7: file, line, column, caret and the nearest name, in all texts of the skill; allowed rules are not
// reported
#[test]
fn lies_are_reported_with_their_places() {
    let problems = skills::commands::check(&SKILLS, &acme("list")).unwrap_err().to_string();
    let expected = "\
error[skills::command-unknown]: `acme` has no command `lst`
   --> acme/SKILL.md:11:8
    |
 11 | $ acme lst docs
    |        ^^^ no such command
    = help: change it to `list`

error[skills::command-flag]: `acme list` has no flag `--fromat`
   --> acme/SKILL.md:13:5
    |
 13 |     --fromat json docs
    |     ^^^^^^^^ no such flag
    = help: change it to `--format`

error[skills::command-value]: `--format` of `acme list` does not accept `yaml`
  --> acme/references/more.md:3:25
   |
 3 | Use `acme list --format yaml`.
   |                         ^^^^ not one of its values
   = help: write `text` or `json`
";
    assert_eq!(problems.trim(), expected.trim());
}

// SPEC 23.7
#[test]
fn other_programs_are_left_alone() {
    assert!(skills::commands::check(&SKILLS, &Command::new("other")).is_ok());
}

// SPEC 23.13: a misspelt variable of the program, in a skill that declares none
#[test]
fn variables_of_the_program_are_known() {
    let acme = acme("list").arg(Arg::new("token").long("token").env("ACME_TOKEN"));
    let problems = skills::commands::check(&SKILLS, &acme).unwrap_err().to_string();
    assert!(
        problems.contains("neither the skill nor a program declares the variable `ACME_TOKN`"),
        "{problems}"
    );
    assert!(problems.contains("change it to `ACME_TOKEN`"), "{problems}");
    assert!(!problems.contains("the variable `OTHER_KEY`"), "{problems}");
}
