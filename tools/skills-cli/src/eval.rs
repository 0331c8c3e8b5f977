//! `skills eval`: runs the test cases of skills with a model or from a cassette.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, ValueEnum};
use skills_call::{Loader, OnDemand, Runner};
use skills_eval::{Ask, Cassette, Difference, Price, Report, Suite, Trial};
use skills_exec::{DEFAULT_TIMEOUT_TYPED, choose_timeout};

#[cfg(not(feature = "model"))]
use crate::absent::Judge;
use crate::servers::tool_servers;
use crate::source::{SkillPlaces, Skills};
use skills_commands::call::interrupt;
use skills_commands::confined::Confined;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::model::ModelArgs;
use skills_commands::output::{self, OutputArgs};
use skills_commands::terminal::table::wrap;
use skills_commands::terminal::{Ink, Live, Tone, can_change_lines};
use skills_commands::{failure, terminal};
use skills_text::visible;

#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    skills: SkillPlaces,
    /// Test only this skill (repeatable); its trigger queries still choose among all skills [default: all]
    #[arg(long, value_name = "NAME", help_heading = "Cases")]
    skill: Vec<String>,
    /// Run only test cases or only trigger queries
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Cases")]
    only: Option<Only>,
    /// The number of runs of each case and query
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Cases")]
    runs: u32,
    /// The number of concurrent runs
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Cases")]
    jobs: u32,
    /// Do not also run prompts without their skill, for comparison
    #[arg(long, help_heading = "Cases")]
    no_baseline: bool,
    /// Let the model choose and load the skill for a prompt
    #[arg(long, help_heading = "Cases")]
    choose: bool,
    /// Show the model only the skills that best match a message; it finds others with `search_skills`
    #[arg(long, help_heading = "Cases")]
    on_demand: bool,
    /// Replay the answers in this file without asking a model
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "anew"], help_heading = "Recordings")]
    replay: Option<PathBuf>,
    /// Record all exchanges with a model in this file; recorded requests are not sent again
    #[arg(long, value_name = "FILE", help_heading = "Recordings")]
    record: Option<PathBuf>,
    /// Send all requests again and replace the recording
    #[arg(long, requires = "record", help_heading = "Recordings")]
    anew: bool,
    /// The pass rate that runs with skills and trigger queries must reach, from 0 to 1; otherwise the exit code is 1
    #[arg(long, value_name = "RATE", default_value_t = 1.0, value_parser = rate, help_heading = "Grading")]
    threshold: f64,
    /// The share of runs, from 0 to 1, above which a query counts as having triggered the skill
    #[arg(long, value_name = "RATE", default_value_t = 0.5, value_parser = rate, help_heading = "Grading")]
    trigger_threshold: f64,
    /// Do not fail if assertions in prose were not graded because there is no judge
    #[arg(long, help_heading = "Grading")]
    allow_ungraded: bool,
    /// The price of a million input tokens and output tokens of the model, such as 3/15
    #[arg(long, value_name = "IN/OUT", value_parser = price, help_heading = "Prices")]
    price: Option<(f64, f64)>,
    /// The same for the judge [default: the price of the model]
    #[arg(long, value_name = "IN/OUT", value_parser = price, requires = "price", help_heading = "Prices")]
    judge_price: Option<(f64, f64)>,
    /// Compare with an earlier report of `--format json`
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    against: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<Format>,
    /// Also write an HTML report with charts to this file
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    html: Option<PathBuf>,
    /// The time limit of each attempt: milliseconds, or `300ms`, `1.5s`, `5m` [default: the limit that the skill sets]
    #[arg(long, value_name = "DUR", help_heading = "Programs")]
    timeout: Option<String>,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    judge: Judge,
}

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    /// Test cases, which check the answers to messages and calls
    Cases,
    /// Trigger queries, which check the skill that the model chooses
    Queries,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A report for a terminal
    Text,
    /// JSON, for programs and `--against`
    Json,
    /// JUnit XML, for CI
    Junit,
}

impl output::Format for Format {
    const DEFAULT: &str = "text";
    const JSON: Self = Self::Json;
}

impl Eval {
    /// Tries the skills and prints the report.
    pub(crate) fn run(&self) -> Ended {
        let runner = Runner::from(self.skills.read()?);
        let suite = self.wanted(Suite::from_layers(runner.skills()).map_err(failure::error)?);
        if let Some(name) = self.skill.iter().find(|name| runner.skills().get(name).is_none()) {
            return Err(failure::not_found(&runner.skills().not_found(name)));
        }
        if suite.is_empty() {
            return Err(failure::error(
                "there is nothing to run: no skill has cases in evals/evals.json or trigger queries in evals/*.json",
            ));
        }
        // The catalog lists the skills, so the description of the loading tool must not list them again.
        let runner = runner.loader(Loader::Skill);
        let runner = if self.on_demand { runner.on_demand(OnDemand::default()) } else { runner };
        let runner = self.confined.apply_to(runner, false)?;
        // A replay does not call a model. So CI needs no key, even if it uses the arguments of the recording.
        let runner = if self.replay.is_some() {
            runner
        } else {
            self.model.apply_to(tool_servers::connect(runner))?
        };
        let needs_model = suite.skills.iter().any(|tests| {
            !tests.queries.is_empty() || tests.cases.iter().any(|case| matches!(case.ask, Ask::Prompt { .. }))
        });
        if self.replay.is_none() && runner.server_access().language_model().is_none() && needs_model {
            return Err(terminal::usage(
                "the cases need a model: name one with `--model`, or a recording with `--replay`",
            ));
        }
        let timeout =
            self.timeout.as_deref().map(|given| choose_timeout(Some(given), None, DEFAULT_TIMEOUT_TYPED));
        let timeout = timeout.transpose().map_err(terminal::usage)?;
        let (trial, cassette) = self.trial(runner, timeout)?;
        self.judge_all(&trial, &cassette, &suite)
    }

    fn wanted(&self, mut suite: Suite) -> Suite {
        suite.retain(|tests| self.skill.is_empty() || self.skill.contains(&tests.skill));
        for tests in &mut suite.skills {
            match self.only {
                Some(Only::Cases) => tests.queries.clear(),
                Some(Only::Queries) => tests.cases.clear(),
                None => {}
            }
        }
        suite
    }

    fn trial(&self, runner: Runner, timeout: Option<Duration>) -> Result<(Trial, Cassette), ExitCode> {
        let cassette = match (&self.replay, &self.record) {
            (Some(path), _) => Cassette::replay(path).map_err(failure::error)?,
            (None, Some(path)) if self.anew => Cassette::record_anew(path),
            (None, Some(path)) => Cassette::record(path).map_err(failure::error)?,
            (None, None) => Cassette::none(),
        };
        let price = Price { model: self.price, judge: self.judge_price };
        let count = usize::try_from(self.jobs).unwrap_or(usize::MAX);
        let trial = Trial::new(runner)
            .cassette(cassette.clone())
            .runs(self.runs)
            .concurrency(count)
            .baseline(!self.no_baseline)
            .choosing(self.choose)
            .trigger_threshold(self.trigger_threshold)
            .timeout(timeout)
            .price(price);
        let trial = if self.replay.is_some() { trial } else { self.judge.apply_to(trial)? };
        Ok((trial, cassette))
    }

    /// Runs the trial and reports the results in every requested form.
    fn judge_all(&self, trial: &Trial, cassette: &Cassette, suite: &Suite) -> Ended {
        let progress = TrialProgress::default();
        let shown = progress.clone();
        let trial = trial.clone().on_progress(move |at| shown.update(at));
        let done = interrupt::run(trial.run(suite))?;
        progress.end();
        // Requests that were answered are paid for, so save them even if the trial was interrupted.
        cassette.save().map_err(failure::error)?;
        let report = done.map_err(|signal| {
            failure::error("interrupted; the recorded exchanges are kept");
            signal.code()
        })?;
        let report = report.map_err(failure::error)?;
        let difference = self.against.as_deref().map(|path| Difference::to(&report, path));
        let difference = difference.transpose().map_err(failure::error)?;
        if let Some(path) = &self.html {
            std::fs::write(path, report.page())
                .map_err(|problem| failure::error(CommandError::unwritable(path, problem)))?;
        }
        let written = self.print(&report, difference.as_ref());
        let passes = report.passes(self.threshold, self.allow_ungraded);
        Ok(if passes { written } else { ExitCode::FAILURE })
    }

    fn print(&self, report: &Report, difference: Option<&Difference>) -> ExitCode {
        match self.output.format() {
            Format::Text => {
                let changes = difference.map(|difference| format!("\n{}", difference.text()));
                terminal::exact(&coloured(&(report.text() + &changes.unwrap_or_default())))
            }
            Format::Json => {
                let mut value = report.to_json();
                if let Some(members) = value.as_object_mut() {
                    members.insert("format_version".to_owned(), output::FORMAT_VERSION.into());
                    members
                        .extend(difference.map(|difference| ("difference".to_owned(), difference.to_json())));
                }
                terminal::json(&format!("{value:#}\n"))
            }
            Format::Junit => {
                if let Some(difference) = difference {
                    difference.text().lines().for_each(terminal::line);
                }
                terminal::text(&report.junit(self.threshold))
            }
        }
    }
}

/// Colours the results in a report, and wraps its lines for a terminal.
fn coloured(text: &str) -> String {
    let (ink, columns) = (Ink::of_output(), terminal::columns());
    let mut out = String::new();
    for line in text.lines() {
        let line = visible(line);
        let indent = line.len() - line.trim_start().len();
        let word = line.trim_start().split([' ', ':']).next().unwrap_or_default();
        let tone = match word {
            "passed" => Tone::Good,
            "failed" | "error" | "worse" => Tone::Error,
            "ungraded" | "not" => Tone::Warning,
            _ if indent == 0 => Tone::Name,
            _ => Tone::Plain,
        };
        let wrapped = wrap(&line, columns, indent + 2);
        // A heading is coloured whole, and any other line at its first word.
        let end = if indent == 0 { wrapped.len() } else { indent + word.len() };
        let (head, rest) = wrapped.split_at_checked(end).unwrap_or((&wrapped, ""));
        let (blank, head) = head.split_at_checked(indent).unwrap_or(("", head));
        out.push_str(&format!("{blank}{}{rest}\n", ink.paint(tone, head)));
    }
    out
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("a rate is a number from 0 to 1".to_owned()),
    }
}

/// Parses the cost of a million input tokens and of a million output tokens: `3/15`, or `3` for both.
fn price(text: &str) -> Result<(f64, f64), String> {
    let (input, output) = text.split_once('/').unwrap_or((text, text));
    match [input, output].map(|text| text.trim().parse::<f64>()) {
        [Ok(input), Ok(output)] if [input, output].iter().all(|price| price.is_finite() && *price >= 0.0) => {
            Ok((input, output))
        }
        _ => Err("a price is two numbers, as 3/15".to_owned()),
    }
}

/// The arguments that name the model that grades outputs which code cannot check.
#[cfg(feature = "model")]
#[derive(Debug, Args)]
#[command(next_help_heading = "Judge")]
struct Judge {
    /// The model that grades assertions in prose and rubrics, named as for `--model` [default: do not grade them]
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    /// The address of the judge, as for `--base-url`
    #[arg(long, value_name = "URL", requires = "judge")]
    judge_base_url: Option<String>,
}

#[cfg(feature = "model")]
impl Judge {
    /// Sets the judge of a trial if the arguments name one. Sends no request.
    fn apply_to(&self, trial: Trial) -> Result<Trial, ExitCode> {
        if let Some(judge) = &self.judge {
            return Ok(trial.judge(skills_commands::model::client(judge, self.judge_base_url.as_deref())?));
        }
        Ok(trial)
    }
}

/// The progress line on standard error. It is shown only if lines can change there.
#[derive(Clone, Default)]
struct TrialProgress {
    live: Arc<Mutex<Live>>,
}

impl TrialProgress {
    /// Updates the line.
    fn update(&self, at: skills_eval::Progress<'_>) {
        self.show(&[format!("{}/{} runs: {}", at.done, at.total, visible(at.skill))]);
    }

    /// Erases the line.
    fn end(&self) {
        self.show(&[]);
    }

    fn show(&self, lines: &[String]) {
        if can_change_lines() {
            self.live.lock().unwrap_or_else(PoisonError::into_inner).show(&[], lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::price;

    // SPEC 16.15
    #[test]
    fn a_price_is_one_number_or_two() {
        assert_eq!(price("3/15"), Ok((3.0, 15.0)));
        assert_eq!(price("0.25"), Ok((0.25, 0.25)));
        for wrong in ["", "/", "3/", "-1/2", "NaN/1", "a", "1/inf", "1/2/3"] {
            assert!(price(wrong).is_err(), "{wrong}");
        }
    }
}
