//! The state machine of a pipeline: it turns answers into questions and finally an output. It neither waits
//! nor runs skills.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use skills_schema::json;
use skills_template::pipeline::{Pipeline, Step};
use skills_template::render::{Number, RenderError, RenderLimits, Scope, Value, evaluate, holds};
use skills_template::{Tree, Type};

use super::dependencies::{StepGraph, named};
use super::question::{Answer, Attempt, Caller, Key, NotAsked, PipelineEvent, PipelineLimits, Question};
use crate::run::attempt::wait;
use crate::{CallError, ErrorKind, StepRecord, StepState};
use skills_runtime::layers::parse_json;
use skills_runtime::typed::Violation;

/// A running pipeline as a state machine: it asks questions, and its driver answers them.
///
/// It has four kinds of methods:
///
/// - questions, one at a time: [`PipelineRun::poll`];
/// - answers and cancellation: [`PipelineRun::finish`], [`PipelineRun::wake`], [`PipelineRun::cancel`];
/// - events: [`PipelineRun::poll_event`];
/// - results: [`PipelineRun::take_output`], [`PipelineRun::records`].
///
/// Questions depend only on the pipeline, the effects of its skills, the input, the limits, and the answers in their
/// order.
pub struct PipelineRun<'p> {
    around: Caller<'p>,
    pipeline: &'p Pipeline,
    input: json::Node,
    limits: PipelineLimits,
    graph: StepGraph,
    steps: Vec<RunState>,
    /// The numbers of running steps and of unfinished steps.
    open: usize,
    left: usize,
    /// The questions without an answer.
    asked: BTreeMap<Key, Asked>,
    /// The rules that the output before this attempt broke.
    rejected: BTreeMap<Key, Vec<Violation>>,
    ready: VecDeque<Ready>,
    events: VecDeque<PipelineEvent<'p>>,
    is_over: bool,
    output: Option<Result<String, CallError>>,
}

/// The kind of a question.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Attempt,
    Wait,
}

enum RunState {
    Waiting,
    Open(Work),
    Skipped,
    /// The step has failed and ended the run, or it was cancelled at the end of the run.
    Stopped,
    Made(StepResult, StepState),
}

/// The result of a step: as text, and as a document for templates.
struct StepResult {
    text: String,
    document: json::Node,
}

/// A question that can be asked next.
enum Ready {
    /// Another call of this step.
    Call(usize),
    /// The wait after this attempt.
    Wait(Key, Duration),
    /// This attempt.
    Again(Key),
}

impl<'p> PipelineRun<'p> {
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
        limits: PipelineLimits,
        has_effects: &dyn Fn(&str) -> bool,
    ) -> Result<Self, CallError> {
        let input = parse_json(input).map_err(|invalid| CallError::invalid_input(around.skill, invalid))?;
        let count = pipeline.steps.len();
        let mut run = Self {
            around,
            pipeline,
            input,
            limits,
            graph: StepGraph::new(pipeline, has_effects),
            steps: std::iter::repeat_with(|| RunState::Waiting).take(count).collect(),
            open: 0,
            left: count,
            asked: BTreeMap::new(),
            rejected: BTreeMap::new(),
            ready: VecDeque::new(),
            events: VecDeque::new(),
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
            let at = if self.open < self.limits.concurrency.max(1) { self.graph.next() } else { None };
            let question = match at {
                Some(at) => self.begin(at),
                None => match self.ready.pop_front()? {
                    Ready::Call(at) => self.call(at),
                    Ready::Again(key) => self.attempt(key),
                    Ready::Wait(key, duration) => {
                        self.asked.insert(key, Asked::Wait);
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
        self.take_question(key, Asked::Attempt)?;
        match result {
            Ok(Answer { text, is_resumed, .. }) => self.store_result(key.step, key.item, text, is_resumed),
            Err(error) => match self.wait_after(key, &error) {
                Some(duration) => {
                    let violations = error.violations();
                    if !violations.is_empty() {
                        self.rejected.insert(next_attempt(key), violations.into_owned());
                    }
                    self.ready.push_back(Ready::Wait(key, duration));
                }
                None => self.fail_step(key.step, key.item, error),
            },
        }
        Ok(())
    }

    /// Ends a wait.
    ///
    /// # Errors
    /// No wait has this key; nothing changes.
    pub fn wake(&mut self, key: Key) -> Result<(), NotAsked> {
        self.take_question(key, Asked::Wait)?;
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

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<PipelineEvent<'p>> {
        self.events.pop_front()
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

    /// Returns the states of the steps that have a result or were skipped, in file order.
    pub fn records(&self) -> Vec<StepRecord> {
        let records = self.pipeline.steps.iter().zip(&self.steps).filter_map(|(step, state)| {
            let state = match state {
                RunState::Made(_, state) => state.clone(),
                RunState::Skipped => StepState::Skipped,
                RunState::Waiting | RunState::Open(_) | RunState::Stopped => return None,
            };
            Some(StepRecord { step: step.name.to_string(), skill: step.skill.to_string(), state })
        });
        records.collect()
    }

    fn step(&self, at: usize) -> &'p Step {
        &self.pipeline.steps[at]
    }

    /// Returns how long to wait before the attempt after this one; `None` if it was the last.
    fn wait_after(&self, key: Key, error: &CallError) -> Option<Duration> {
        let step = self.step(key.step);
        let is_last = key.attempt >= step.retry;
        wait(Duration::from_millis(step.retry_delay_ms), key.attempt, error).filter(|_| !is_last)
    }

    /// Removes a question that was answered.
    fn take_question(&mut self, key: Key, kind: Asked) -> Result<(), NotAsked> {
        if self.asked.get(&key) != Some(&kind) {
            return Err(NotAsked(key));
        }
        self.asked.remove(&key);
        Ok(())
    }

    /// Begins a step whose predecessors have ended, or skips it.
    fn begin(&mut self, at: usize) -> Option<Question<'p>> {
        let step = self.step(at);
        let work = match self.is_wanted(at) {
            Ok(false) => {
                self.steps[at] = RunState::Skipped;
                self.events.push_back(PipelineEvent::Skipped { step: &step.name });
                self.release_followers(at);
                return None;
            }
            Ok(true) => match &step.foreach {
                None => Ok(Work::single()),
                Some(list) => self.open_list(at, list),
            },
            Err(error) => Err(error),
        };
        self.events.push_back(PipelineEvent::Started { step: &step.name });
        self.open += 1;
        match work {
            Err(error) => self.fail_step(at, None, error),
            Ok(work) => {
                let is_done = work.is_done();
                self.steps[at] = RunState::Open(work);
                if !is_done {
                    return self.call(at);
                }
                self.close(at);
            }
        }
        None
    }

    /// Returns `true` if no step is skipped whose result the step needs, and if its condition holds.
    fn is_wanted(&self, at: usize) -> Result<bool, CallError> {
        let step = self.step(at);
        let mut needs = step.needs.iter().filter_map(|need| self.steps.get(usize::try_from(*need).ok()?));
        if needs.any(|state| matches!(state, RunState::Skipped)) {
            return Ok(false);
        }
        let Some(condition) = &step.condition else { return Ok(true) };
        holds(condition.root(), &self.scope(at), self.limits.templates)
            .map_err(|source| self.template(source))
    }

    /// Begins one more call of a step.
    fn call(&mut self, at: usize) -> Option<Question<'p>> {
        let RunState::Open(work) = &mut self.steps[at] else { return None };
        let item = work.begin();
        if work.queue() {
            self.ready.push_back(Ready::Call(at));
        }
        self.attempt(Key { step: at, item, attempt: 0 })
    }

    /// Requests an attempt. If its input cannot be built, the attempt fails.
    fn attempt(&mut self, key: Key) -> Option<Question<'p>> {
        match self.arguments(key) {
            Ok(input) => {
                self.asked.insert(key, Asked::Attempt);
                let (around, step) = (self.around, self.step(key.step));
                let rejected = self.rejected.remove(&key).unwrap_or_default();
                Some(Question::Attempt(Attempt { key, input, rejected, around, step }))
            }
            Err(error) => {
                self.fail_step(key.step, key.item, error);
                None
            }
        }
    }

    /// Stores the result of a call.
    fn store_result(&mut self, at: usize, item: Option<usize>, text: String, is_resumed: bool) {
        let RunState::Open(work) = &mut self.steps[at] else { return };
        work.finish(item, text, is_resumed);
        if item.is_some() {
            let step = &*self.pipeline.steps[at].name;
            self.events.push_back(PipelineEvent::Item { step, done: work.done, total: work.total() });
        }
        if work.is_done() {
            self.close(at);
        } else if work.queue() {
            self.ready.push_back(Ready::Call(at));
        }
    }

    /// Handles the final failure of a call or of the whole step: the failure is used as the result, or it
    /// ends the run.
    fn fail_step(&mut self, at: usize, item: Option<usize>, error: CallError) {
        let (step, text, kind) = (self.step(at), error.to_string(), error.kind());
        if !step.continue_on_error || matches!(error, CallError::Journal { .. }) {
            self.steps[at] = RunState::Stopped;
            self.events.push_back(PipelineEvent::Ended { step: &step.name, failure: Some((text, kind)) });
            let (skill, step) = (self.around.skill.to_owned(), step.name.to_string());
            return self.end(Err(CallError::Step { skill, step, item, source: Box::new(error) }));
        }
        // The failure is used as data and may be part of the output, so it contains the text for clients.
        let result = serde_json::json!({"_error": error.for_clients(), "_failed": true}).to_string();
        match item {
            Some(_) => self.store_result(at, item, result, false),
            None => self.conclude(at, result, StepState::Failed(text.clone()), Some((text, kind))),
        }
    }

    /// Ends a step whose calls have all ended.
    fn close(&mut self, at: usize) {
        let RunState::Open(work) = &mut self.steps[at] else { return };
        let state = if work.is_resumed { StepState::Resumed } else { StepState::Done };
        let text = work.take_text();
        self.conclude(at, text, state, None);
    }

    fn conclude(&mut self, at: usize, text: String, state: StepState, failure: Option<(String, ErrorKind)>) {
        let step = self.step(at);
        match parse_json(&text) {
            Ok(document) => {
                self.steps[at] = RunState::Made(StepResult { text, document }, state);
                self.open -= 1;
                self.events.push_back(PipelineEvent::Ended { step: &step.name, failure });
                self.release_followers(at);
            }
            Err(invalid) => {
                self.fail_step(at, None, CallError::invalid_output(&step.skill, invalid));
            }
        }
    }

    /// Releases the steps that waited for a step.
    fn release_followers(&mut self, at: usize) {
        self.graph.finish(at);
        self.left -= 1;
        self.settle();
    }

    /// Ends the run if no step is left.
    fn settle(&mut self) {
        if self.left == 0 {
            let output = self.output();
            self.end(output);
        }
    }

    /// Ends the run and its running steps, in file order.
    fn end(&mut self, output: Result<String, CallError>) {
        self.is_over = true;
        self.asked.clear();
        self.ready.clear();
        for (step, state) in self.pipeline.steps.iter().zip(&mut self.steps) {
            if let RunState::Open(_) = state {
                *state = RunState::Stopped;
                let cancelled = CallError::cancelled(&step.skill);
                let failure = Some((cancelled.to_string(), cancelled.kind()));
                self.events.push_back(PipelineEvent::Ended { step: &step.name, failure });
            }
        }
        self.output = Some(output);
    }

    /// Returns the values that a step can read: the input of the pipeline, and the results of the steps
    /// it refers to.
    fn scope(&self, at: usize) -> Scope<'_> {
        self.seen(named(self.step(at), at))
    }

    fn seen(&self, indices: impl Iterator<Item = usize>) -> Scope<'_> {
        let results = indices.filter_map(|at| {
            let result = self.result(at)?;
            Some((&*self.pipeline.steps[at].name, Value::borrow(&result.document)))
        });
        let steps = Value::Object(results.collect());
        Scope::default().with_json("input", &self.input).with("steps", steps)
    }

    fn result(&self, at: usize) -> Option<&StepResult> {
        match &self.steps[at] {
            RunState::Made(result, _) => Some(result),
            _ => None,
        }
    }

    /// Evaluates the list of a step.
    fn open_list(&self, at: usize, list: &Tree) -> Result<Work, CallError> {
        let limit = match self.step(at).concurrency {
            0 => self.limits.concurrency.max(1),
            limit => usize::try_from(limit).unwrap_or(usize::MAX),
        };
        let scope = self.scope(at);
        let list = evaluate(list.root(), &scope, self.limits.templates);
        Work::over_list(list.map_err(|source| self.template(source))?, limit)
    }

    /// Returns the input of one call as JSON text.
    fn arguments(&self, key: Key) -> Result<String, CallError> {
        let (step, limits) = (self.step(key.step), self.limits.templates);
        let mut scope = self.scope(key.step);
        if let (Some(index), Some(list), RunState::Open(work)) =
            (key.item, &step.foreach, &self.steps[key.step])
        {
            let item = match work.item(index) {
                Some(made) => Value::borrow(made),
                // The item is read from the original list, without a copy.
                None => {
                    match evaluate(list.root(), &scope, limits).map_err(|source| self.template(source))? {
                        Value::Borrowed(list) => list.item(index).map_or(Value::Null, Value::borrow),
                        _ => Value::Null,
                    }
                }
            };
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            scope = scope.with("item", item).with("index", Value::Number(Number::Int(index)));
        }
        self.write(&step.input, &scope, limits, "input")
    }

    /// Builds the output: from the mapping if there is one, or else from the last step that ran, or else
    /// `{}`.
    fn output(&self) -> Result<String, CallError> {
        let Some(mapping) = &self.pipeline.mapping else {
            let last = (0..self.steps.len()).rev().find_map(|at| self.result(at));
            return Ok(last.map_or_else(|| "{}".to_owned(), |result| result.text.clone()));
        };
        self.write(mapping, &self.seen(0..self.steps.len()), self.limits.templates, "outputMapping")
    }

    fn write(
        &self,
        tree: &Tree,
        scope: &Scope<'_>,
        limits: RenderLimits,
        expression: &str,
    ) -> Result<String, CallError> {
        // Enough for typical arguments, so that the text rarely grows.
        let mut text = String::with_capacity(128);
        let written = evaluate(tree.root(), scope, limits).and_then(|value| {
            value.write_text(&mut text, limits).map_err(|fault| RenderError {
                fault,
                expression: expression.to_owned(),
                span: None,
            })
        });
        written.map_err(|source| self.template(source))?;
        Ok(text)
    }

    fn template(&self, source: RenderError) -> CallError {
        CallError::template(self.around.skill, source)
    }
}

fn next_attempt(key: Key) -> Key {
    Key { attempt: key.attempt.saturating_add(1), ..key }
}

/// The calls of one step: one, or one for each item of its list.
#[derive(Default)]
struct Work {
    /// The items of a `foreach` that a filter created.
    list: Option<Vec<json::Node>>,
    /// The maximum number of concurrent calls.
    limit: usize,
    begun: usize,
    done: usize,
    texts: Vec<String>,
    /// Whether all results so far were saved earlier instead of created now.
    is_resumed: bool,
    /// Whether the step is in the queue of steps that can begin another call.
    is_queued: bool,
}

impl Work {
    /// Creates the work of a step without a list.
    fn single() -> Self {
        Self { limit: 1, texts: vec![String::new()], is_resumed: true, ..Self::default() }
    }

    /// Creates the work of a step over a list.
    fn over_list(list: Value<'_>, limit: usize) -> Result<Self, CallError> {
        let count = match (&list, list.kind()) {
            (_, Type::Array) => list.length(),
            (Value::Missing, _) => return Err(CallError::NotAnArray { found: "no value" }),
            (_, kind) => return Err(CallError::NotAnArray { found: kind.article() }),
        };
        let made = match list {
            Value::Array(items) => items.into_iter().map(Value::into_node).collect(),
            _ => Vec::new(),
        };
        let texts = vec![String::new(); count];
        Ok(Self { list: Some(made), limit, texts, is_resumed: count > 0, ..Self::default() })
    }

    fn total(&self) -> usize {
        self.texts.len()
    }

    fn is_done(&self) -> bool {
        self.done == self.texts.len()
    }

    /// Leaves the queue and begins one more call. Returns the index of its item, or `None` for a step without
    /// a list.
    fn begin(&mut self) -> Option<usize> {
        self.is_queued = false;
        self.begun += 1;
        self.list.as_ref().map(|_| self.begun - 1)
    }

    /// Returns `true` if the step must be queued for another call and is not queued yet.
    fn queue(&mut self) -> bool {
        let may = self.begun < self.texts.len() && self.begun - self.done < self.limit;
        may && !std::mem::replace(&mut self.is_queued, true)
    }

    /// Stores the result of a call.
    fn finish(&mut self, item: Option<usize>, text: String, is_resumed: bool) {
        if let Some(result) = self.texts.get_mut(item.unwrap_or_default()) {
            *result = text;
        }
        self.done += 1;
        self.is_resumed &= is_resumed;
    }

    /// Returns an item that a filter created. The template reads all other items directly from the input or a
    /// result.
    fn item(&self, item: usize) -> Option<&json::Node> {
        self.list.as_ref()?.get(item)
    }

    /// Returns the result: the output of the only call, or `{"results": […]}` in the order of the list.
    fn take_text(&mut self) -> String {
        match self.list {
            None => self.texts.pop().unwrap_or_default(),
            Some(_) => format!("{{\"results\":[{}]}}", self.texts.join(",")),
        }
    }
}
