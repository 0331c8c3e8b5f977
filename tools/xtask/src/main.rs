//! Chores of the workspace. `cargo xtask ci` runs the checks of continuous integration.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its user")]

mod attack;
mod bench;
mod book;
mod ci;
mod circles;
mod command;
mod deny;
mod dist;
mod fuzz;
mod man;
mod mutate;
mod package;
mod pictures;
mod real_model;
mod statements;
mod steps;
mod systems;
mod tools;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask CHORE

Chores:
  attack ROUNDS Attack the built command with hostile files, exchanged files, kills and many clients
  bench [--short] [--write] [NAME…]
                Run all benchmarks, or the named ones, and compare them with their aims; all take 20 minutes
  bench --gate [--write]
                Count the instructions of small runs, and compare them with `bench/gate.txt`; needs valgrind
  book          Build the book into `book` of the target directory; installs mdBook once
  ci            Run all checks that must pass before a change is merged
  deny          Check the dependencies against `deny.toml`
  dist [--check] [--binary FILE]
                Pack one release binary for each channel; `--check` installs and runs each package
  fuzz SECONDS [STREAM]
                Check mutated files of skills for this time; another number creates other inputs
  man           Write the manual pages of the command into `man` of the target directory
  package       Pack every crate, build it from its package alone, document it, and use it
  pictures      Make the pictures of the book from the real program; needs node, npm, chromium, nvim and script
  release --dry-run
                Show the version, the notes and the packages of a release; publish nothing
  systems       Build and run programs with the oldest compiler, and for other systems
  real-model    Run a skill with a small model, downloaded once (200 MB); needs python3, npm and node";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["attack", rounds] => attack::on_fresh(rounds, ""),
        ["attack", rounds, name] => attack::on_fresh(rounds, name),
        ["bench", arguments @ ..] => bench::run(arguments),
        ["book"] => book::run(),
        ["ci"] => ci::all(),
        ["systems"] => systems::run_alone(),
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
