//! The state machine of a pipeline: it turns answers into questions and finally an output. It neither waits
//! nor runs skills.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use skills_schema::json;
use skills_template::pipeline::{Pipeline, Step};

use super::graph::Graph;
use super::question::{Answer, Caller, Key, Limits, NotAsked, PipelineEvent, Question};
use super::work::Work;
use crate::run::attempt::wait;
use crate::{CallError, StepRecord, StepState};
use skills_runtime::layers::parse_json;
use skills_runtime::typed::Violation;

/// A running pipeline as a state machine: it asks questions, and its driver answers them.
///
/// It has four kinds of methods:
///
/// - questions, one at a time: [`Run::poll`];
/// - answers and cancellation: [`Run::finish`], [`Run::wake`], [`Run::cancel`];
/// - events: [`Run::poll_notice`];
/// - results: [`Run::take_output`], [`Run::records`].
///
/// Questions depend only on the pipeline, the effects of its skills, the input, the limits, and the answers in their
/// order.
pub struct Run<'p> {
    pub(super) around: Caller<'p>,
    pub(super) pipeline: &'p Pipeline,
    pub(super) input: json::Node,
    pub(super) limits: Limits,
    pub(super) graph: Graph,
    pub(super) steps: Vec<State>,
    /// The numbers of running steps and of unfinished steps.
    pub(super) open: usize,
    pub(super) left: usize,
    /// The questions without an answer; the value is `true` for a wait.
    pub(super) asked: BTreeMap<Key, bool>,
    /// The rules that the output before this attempt broke.
    pub(super) rejected: BTreeMap<Key, Vec<Violation>>,
    pub(super) ready: VecDeque<Ready>,
    pub(super) notices: VecDeque<PipelineEvent<'p>>,
    pub(super) is_over: bool,
    pub(super) output: Option<Result<String, CallError>>,
}

pub(super) enum State {
    Waiting,
    Open(Work),
    Skipped,
    Made(StepResult, StepState),
}

/// The result of a step: as text, and as a document for templates.
pub(super) struct StepResult {
    pub(super) text: String,
    pub(super) document: json::Node,
}

/// A question that can be asked next.
pub(super) enum Ready {
    /// Another call of this step.
    Call(usize),
    /// The wait after this attempt.
    Wait(Key, Duration),
    /// This attempt.
    Again(Key),
}

impl<'p> Run<'p> {
    /// Begins a run. The input is JSON text that was checked and has its defaults
    /// ([`Function::check_input`](super::super::Function::check_input)). `has_effects` returns `true` for the
    /// name of a skill whose calls can change something; usually it calls [`has_effects`](super::has_effects)
    /// with the layers.
    ///
    /// # Errors
    /// [`CallError::InvalidInput`] if the input is not valid JSON.
    pub fn new(
        around: Caller<'p>,
        pipeline: &'p Pipeline,
        input: &str,
        limits: Limits,
        has_effects: &dyn Fn(&str) -> bool,
    ) -> Result<Self, CallError> {
        let input = parse_json(input).map_err(|invalid| CallError::invalid_input(around.skill, invalid))?;
        let count = pipeline.steps.len();
        let mut run = Self {
            around,
            pipeline,
            input,
            limits,
            graph: Graph::new(pipeline, has_effects),
            steps: std::iter::repeat_with(|| State::Waiting).take(count).collect(),
            open: 0,
            left: count,
            asked: BTreeMap::new(),
            rejected: BTreeMap::new(),
            ready: VecDeque::new(),
            notices: VecDeque::new(),
            is_over: false,
            output: None,
        };
        run.settle();
        Ok(run)
    }

    /// Returns the next question; `None` if the run is over or waits for answers.
    pub fn poll(&mut self) -> Option<Question<'p>> {
        while !self.is_over {
            // A new step asks its first question before running steps ask further questions, so that a long
            // list does not delay other steps.
            let place = if self.open < self.limits.concurrency.max(1) { self.graph.next() } else { None };
            let question = match place {
                Some(place) => self.begin(place),
                None => match self.ready.pop_front()? {
                    Ready::Call(place) => self.call(place),
                    Ready::Again(key) => self.attempt(key),
                    Ready::Wait(key, duration) => {
                        self.asked.insert(key, true);
                        Some(Question::Wait { key, step: &self.step(key.step).name, duration })
                    }
                },
            };
            if question.is_some() {
                return question;
            }
        }
        None
    }

    /// Accepts the answer to an attempt.
    ///
    /// # Errors
    /// The attempt is not running; nothing changes.
    pub fn finish(&mut self, key: Key, result: Result<Answer, CallError>) -> Result<(), NotAsked> {
        self.answered(key, false)?;
        match result {
            Ok(Answer { text, is_resumed, .. }) => self.made(key.step, key.item, text, is_resumed),
            Err(error) => match self.wait_after(key, &error) {
                Some(duration) => {
                    let violations = error.violations();
                    if !violations.is_empty() {
                        self.rejected.insert(next_attempt(key), violations.into_owned());
                    }
                    self.ready.push_back(Ready::Wait(key, duration));
                }
                None => self.failed(key.step, key.item, error),
            },
        }
        Ok(())
    }

    /// Ends a wait.
    ///
    /// # Errors
    /// No wait has this key; nothing changes.
    pub fn wake(&mut self, key: Key) -> Result<(), NotAsked> {
        self.answered(key, true)?;
        self.ready.push_back(Ready::Again(next_attempt(key)));
        Ok(())
    }

    /// Cancels the run unless it is over: its output is [`CallError::Cancelled`], and its running steps end
    /// as cancelled.
    pub fn cancel(&mut self) {
        if !self.is_over {
            self.end(Err(CallError::cancelled(self.around.skill)));
        }
    }

    /// Returns the next notice.
    pub fn poll_notice(&mut self) -> Option<PipelineEvent<'p>> {
        self.notices.pop_front()
    }

    /// Returns `true` if the run is over. Questions without an answer are then obsolete.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the result of the run once, after the run is over: an error, or JSON text that the caller
    /// checks ([`Function::check_output`](super::super::Function::check_output)).
    pub fn take_output(&mut self) -> Option<Result<String, CallError>> {
        self.output.take()
    }

    /// Returns the states of the ended steps, in file order.
    pub fn records(&self) -> Vec<StepRecord> {
        let records = self.pipeline.steps.iter().zip(&self.steps).filter_map(|(step, state)| {
            let state = match state {
                State::Made(_, state) => state.clone(),
                State::Skipped => StepState::Skipped,
                State::Waiting | State::Open(_) => return None,
            };
            Some(StepRecord { step: step.name.to_string(), skill: step.skill.to_string(), state })
        });
        records.collect()
    }

    pub(super) fn step(&self, place: usize) -> &'p Step {
        &self.pipeline.steps[place]
    }

    /// Returns how long to wait before the attempt after this one; `None` if it was the last.
    fn wait_after(&self, key: Key, error: &CallError) -> Option<Duration> {
        let step = self.step(key.step);
        let is_last = key.attempt >= step.retry;
        wait(Duration::from_millis(step.retry_delay_ms), key.attempt, error).filter(|_| !is_last)
    }

    /// Removes a question that was answered.
    fn answered(&mut self, key: Key, is_wait: bool) -> Result<(), NotAsked> {
        match self.asked.get(&key) {
            Some(asked) if *asked == is_wait => drop(self.asked.remove(&key)),
            _ => return Err(NotAsked(key)),
        }
        Ok(())
    }
}

fn next_attempt(key: Key) -> Key {
    Key { attempt: key.attempt.saturating_add(1), ..key }
}
