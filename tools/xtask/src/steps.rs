//! Runs steps one after the other, also after one that fails. At the end, prints the time of each, the test results and
//! the steps that failed.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::command::{cargo, run};

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    times: Vec<(String, Duration, Option<Duration>)>,
    tests: Tests,
    left_out: Vec<String>,
    failed: Vec<String>,
}

/// The sums of the summaries that `cargo test` prints for each program.
#[derive(Default)]
struct Tests {
    programs: usize,
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Steps {
    /// Runs a step. If it fails, records it for [`outcome`](Self::outcome).
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce(&mut Self) -> Result<(), String>) {
        println!("=== {name}");
        let (begin, before) = (Instant::now(), children());
        let outcome = step(self);
        let cpu = children().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.times.push((name.to_owned(), begin.elapsed(), cpu));
        if let Err(problem) = outcome {
            println!("FAILED {name}: {problem}");
            self.failed.push(name.to_owned());
        }
    }

    /// Returns the names of the steps that failed as an error.
    pub(crate) fn outcome(&self) -> Result<(), String> {
        if self.failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", self.failed.join(", "))) }
    }

    /// Runs cargo with arguments as a step.
    pub(crate) fn cargo(&mut self, name: &str, arguments: &[&str], environment: &[(&str, &str)]) {
        self.run(name, |_| run(cargo().args(arguments).envs(environment.iter().copied())));
    }

    /// Runs tests, and records their summaries.
    pub(crate) fn test(&mut self, name: &str, arguments: &[&str], environment: &[(&str, &str)]) {
        self.run(name, |steps| {
            println!("cargo {}", arguments.join(" "));
            let status = steps.tests.listen(arguments, environment)?;
            if status.success() { Ok(()) } else { Err(format!("cargo ended with {status}")) }
        });
    }

    /// Records that tests were left out, and why.
    pub(crate) fn leave_out(&mut self, why: &str) {
        println!("LEFT OUT: {why}");
        self.left_out.push(why.to_owned());
    }

    /// Formats the times of all steps, and the test results.
    pub(crate) fn summary(&self) -> String {
        let mut out = String::from("\n   wall s    CPU s  step\n");
        for (name, wall, cpu) in &self.times {
            let cpu = cpu.map_or_else(|| "-".to_owned(), |cpu| format!("{:.1}", cpu.as_secs_f64()));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:9.1} {cpu:>8}  {name}", wall.as_secs_f64());
        }
        let Tests { programs, passed, failed, ignored } = &self.tests;
        let _ = writeln!(
            out,
            "\ntests: {passed} passed, {failed} failed, {ignored} ignored, in {programs} programs"
        );
        for why in &self.left_out {
            let _ = writeln!(out, "left out: {why}");
        }
        out
    }
}

impl Tests {
    /// Runs cargo, prints each line immediately, and counts the test results.
    fn listen(&mut self, arguments: &[&str], environment: &[(&str, &str)]) -> Result<ExitStatus, String> {
        let problem = |error: std::io::Error| format!("cargo cannot be heard: {error}");
        let mut child = cargo()
            .args(arguments)
            .envs(environment.iter().copied())
            // With `--quiet`, the harness prints its summary, but no line for each of a thousand tests.
            .env("CARGO_TERM_QUIET", "false")
            // The long form of tests with random inputs or moments.
            .env(test_bed::ROUNDS, "4")
            .stdout(Stdio::piped())
            .spawn()
            .map_err(problem)?;
        let mut shown = std::io::stdout();
        for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
            let line = line.map_err(problem)?;
            writeln!(shown, "{line}").map_err(problem)?;
            self.count(&line);
        }
        child.wait().map_err(problem)
    }

    /// Counts a summary line: `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    fn count(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let number = |word: &str| {
            let part = result.split([';', '.']).find_map(|part| part.trim().strip_suffix(word));
            part.and_then(|number| number.trim().parse::<usize>().ok()).unwrap_or(0)
        };
        self.programs += 1;
        self.passed += number("passed");
        self.failed += number("failed");
        self.ignored += number("ignored");
    }
}

/// Returns the CPU time of all child processes that have ended, or `None` if the system does not provide it
/// in a file.
pub(crate) fn children() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    // Fields 16 and 17 of proc(5), counted from the state, which is the third; a tick is 10 ms on Linux.
    Some(Duration::from_millis(10 * (ticks(13)? + ticks(14)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_summed() {
        let mut tests = Tests::default();
        tests.count(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s",
        );
        tests.count("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s");
        tests.count("test tests::closing ... ok");
        assert_eq!((tests.programs, tests.passed, tests.failed, tests.ignored), (2, 13, 2, 1));
    }

    #[test]
    fn a_failed_step_fails_the_run_and_ends_nothing() {
        let mut steps = Steps::default();
        let mut is_run = false;
        steps.run("first", |_| Err("broken".to_owned()));
        steps.run("second", |_| {
            is_run = true;
            Ok(())
        });
        assert!(is_run);
        assert_eq!(steps.outcome(), Err("failed: first".to_owned()));
    }
}
