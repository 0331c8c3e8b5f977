//! Chores of the workspace. `cargo xtask ci` runs the checks of continuous integration.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its user")]

mod attack;
mod bench;
mod book;
mod ci;
mod command;
mod deny;
mod dist;
mod fuzz;
mod man;
mod mutate;
mod package;
mod pictures;
mod real_model;
mod steps;
mod tools;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask CHORE

Chores:
  attack ROUNDS The built command against hostile files, exchanges, kills and crowds
  bench [--short] [--write] [NAME…]
                The benchmarks with their aims, or those named; all take 20 minutes
  book          The book as pages, in `book` of the target directory; installs mdBook once
  ci            Everything that must hold before a change lands
  deny          Check the dependencies against `deny.toml`
  dist [--check] [--binary FILE]
                What people install, of one release binary; `--check` installs and runs each
  fuzz SECONDS [STREAM]
                Mutated inputs for every parser, for so long each; another number makes others
  man           The manual pages of the command, in `man` of the target directory
  package       Every crate as a registry would hold it: packed, built from that alone, documented, and used
  pictures      The pictures of the book, from the real program; needs node, npm, chromium, nvim and script
  release --dry-run
                Shows the version, the notes and the packages of a release; publishes nothing
  real-model    A small model, fetched once (200 MB), answers a skill; needs python3, npm and node";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["attack", rounds] => attack::on_fresh(rounds, ""),
        ["attack", rounds, name] => attack::on_fresh(rounds, name),
        ["bench", arguments @ ..] => bench::run(arguments),
        ["book"] => book::run(),
        ["ci"] => ci::all(),
        ["package"] => package::all(),
        ["pictures"] => pictures::make(),
        ["release", "--dry-run"] => package::dry_run(),
        ["real-model"] => real_model::answer(),
        ["dist", arguments @ ..] => dist::run(arguments),
        ["deny"] => deny::run(),
        ["man"] => man::run(),
        ["fuzz", seconds] => fuzz::run(seconds, "0"),
        ["fuzz", seconds, stream] => fuzz::run(seconds, stream),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
