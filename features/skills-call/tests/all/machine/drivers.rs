//! Drivers of a pipeline: the runner, one that answers in a random order, and one that replays a record.

use std::time::Duration;

use serde_json::{Value, json};
use skills_call::pipeline::{Attempt, Caller, Key, PipelineLimits, PipelineRun, Question, has_effects};
use skills_call::{CallOptions, ErrorKind, Fault, Layers, Runner, StepState};

use super::pipelines::Made;
use crate::functions::host;

/// Numbers that depend on a seed only.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).expect("small")).expect("small")
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// The results of a run that must not depend on the order of answers.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) output: Result<String, String>,
    pub(crate) states: Vec<StepState>,
}

/// Every skill returns its input, after as many failures as the input's `fail` says.
pub(crate) fn work(skill: &str, mut input: Value, attempt: u32) -> Result<Value, String> {
    if input["fail"].as_u64().unwrap_or_default() > u64::from(attempt) {
        return Err("no".to_owned());
    }
    input["by"] = json!(skill);
    Ok(input)
}

pub(crate) fn runner(made: &Made) -> Runner {
    let seen: std::sync::Mutex<std::collections::BTreeMap<String, u32>> = std::sync::Mutex::default();
    Runner::new(made.library).host(host(move |skill, input, _| {
        // The inputs of a pipeline differ, so that an input identifies the number of attempts.
        let mut seen = seen.lock().expect("no panic");
        let tries = seen.entry(format!("{skill} {input}")).or_default();
        let result = work(skill, input, *tries);
        *tries += 1;
        Some(Box::pin(async move { result.map_err(Into::into) }))
    }))
}

/// Runs a pipeline in process with the runner.
pub(crate) fn call(made: &Made) -> Seen {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runner = runner(made);
    let work = runner.call_text("p", made.input.clone(), CallOptions::default());
    match runtime.expect("a runtime").block_on(work) {
        Ok(outcome) => Seen {
            output: Ok(outcome.output),
            states: outcome.steps.into_iter().map(|record| record.state).collect(),
        },
        Err(error) => Seen { output: Err(error.to_string()), states: Vec::new() },
    }
}

pub(crate) fn around() -> Caller<'static> {
    Caller { skill: "p", place: "run/p", depth: 2 }
}

pub(crate) fn start(made: &Made, limits: PipelineLimits) -> PipelineRun<'static> {
    let pipeline = made.library.find("p").and_then(|function| function.pipeline);
    let layers = Layers::from(made.library);
    let effects = |skill: &str| has_effects(&layers, skill);
    PipelineRun::new(around(), pipeline.expect("it has one"), &made.input, limits, &effects)
        .expect("its input is JSON")
}

/// An answer as a journal has it: all text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recorded {
    Output(String),
    Failure(String),
    Over,
}

/// Answers one question at a time, and records everything.
pub(crate) struct Driver {
    random: Random,
    recorded: Vec<(Key, Recorded)>,
    pub(crate) answers: Vec<(Key, Recorded)>,
    /// The requests, and their number before each answer.
    pub(crate) asked: Vec<String>,
    pub(crate) asked_at: Vec<usize>,
}

impl Driver {
    pub(crate) fn random(seed: u64) -> Self {
        Self::replay(seed, &[])
    }

    /// A driver that first gives the recorded answers, and then answers in an order that the seed determines.
    pub(crate) fn replay(seed: u64, recorded: &[(Key, Recorded)]) -> Self {
        let (answers, asked, asked_at) = (Vec::new(), Vec::new(), Vec::new());
        Self { random: Random(seed), recorded: recorded.to_vec(), answers, asked, asked_at }
    }

    pub(crate) fn drive(&mut self, made: &Made) -> Seen {
        self.drive_with(made, |_, _| {})
    }

    /// Drives a pipeline; `before` each answer, something else may be tried.
    pub(crate) fn drive_with(&mut self, made: &Made, before: impl Fn(&mut PipelineRun<'_>, Key)) -> Seen {
        let mut run = start(made, PipelineLimits::default());
        let mut open: Vec<Question<'_>> = Vec::new();
        loop {
            while let Some(question) = run.poll() {
                self.asked.push(line(&question));
                open.push(question);
            }
            self.asked_at.push(self.asked.len());
            if run.is_over() {
                break;
            }
            // Also drawn during the replay, so that the later numbers are the same.
            let drawn = self.random.below(open.len());
            let at = match self.recorded.get(self.answers.len()) {
                Some((key, _)) => {
                    open.iter().position(|question| key_of(question) == *key).expect("asked again")
                }
                None => drawn,
            };
            let question = open.remove(at);
            let key = key_of(&question);
            before(&mut run, key);
            let answer = match self.recorded.get(self.answers.len()) {
                Some((_, answer)) => answer.clone(),
                None => perform(&question),
            };
            self.answers.push((key, answer.clone()));
            match answer {
                Recorded::Over => run.wake(key),
                Recorded::Output(text) => run.finish(key, Ok(text.into())),
                Recorded::Failure(text) => {
                    let kind = ErrorKind::Failed;
                    run.finish(key, Err(Fault::new(kind, text).retryable(true).into()))
                }
            }
            .expect("it was asked");
        }
        let output = run.take_output().expect("it is over");
        let states = match &output {
            Ok(_) => run.records().into_iter().map(|record| record.state).collect(),
            Err(_) => Vec::new(),
        };
        Seen { output: output.map_err(|error| error.to_string()), states }
    }
}

fn key_of(question: &Question<'_>) -> Key {
    match question {
        Question::Attempt(Attempt { key, .. }) | Question::Wait { key, .. } => *key,
    }
}

fn line(question: &Question<'_>) -> String {
    match question {
        Question::Attempt(attempt) => format!("{:?} {} {}", attempt.key, attempt.place(), attempt.input),
        Question::Wait { key, duration, .. } => {
            assert!(*duration <= Duration::from_secs(30));
            format!("{key:?} {duration:?}")
        }
    }
}

fn perform(question: &Question<'_>) -> Recorded {
    let Question::Attempt(attempt) = question else { return Recorded::Over };
    let input = serde_json::from_str(&attempt.input).expect("JSON");
    match work(attempt.skill(), input, attempt.key.attempt) {
        Ok(output) => Recorded::Output(output.to_string()),
        Err(text) => Recorded::Failure(format!("Skill \"{}\" failed: {text}", attempt.skill())),
    }
}
