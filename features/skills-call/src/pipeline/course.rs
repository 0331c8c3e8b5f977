//! Advances a step: skips or begins it, calls its skill, and handles the result or failure.

use serde_json::json;
use skills_template::render::holds;

use super::machine::{Ready, Run, State, StepResult};
use super::question::{Attempt, Key, PipelineEvent, Question};
use super::work::Work;
use crate::{CallError, ErrorKind, StepState};
use skills_runtime::layers::parse_json;

impl<'p> Run<'p> {
    /// Begins a step whose predecessors have ended, or skips it.
    pub(super) fn begin(&mut self, place: usize) -> Option<Question<'p>> {
        let step = self.step(place);
        let condition = match &step.condition {
            _ if step.needs.iter().any(|need| {
                let state = usize::try_from(*need).ok().and_then(|need| self.steps.get(need));
                matches!(state, Some(State::Skipped))
            }) =>
            {
                Ok(false)
            }
            Some(condition) => holds(condition.root(), &self.scope(place), self.limits.templates),
            None => Ok(true),
        };
        if let Ok(false) = condition {
            self.steps[place] = State::Skipped;
            self.notices.push_back(PipelineEvent::Skipped { step: &step.name });
            self.over(place);
            return None;
        }
        self.notices.push_back(PipelineEvent::Started { step: &step.name });
        self.open += 1;
        let work = match (condition.map_err(|source| self.template(source)), &step.foreach) {
            (Err(error), _) => Err(error),
            (Ok(_), None) => Ok(Work::single()),
            (Ok(_), Some(list)) => self.work(place, list),
        };
        match work {
            Err(error) => self.failed(place, None, error),
            Ok(work) => {
                let is_done = work.is_done();
                self.steps[place] = State::Open(work);
                if !is_done {
                    return self.call(place);
                }
                self.close(place);
            }
        }
        None
    }

    /// Begins one more call of a step.
    pub(super) fn call(&mut self, place: usize) -> Option<Question<'p>> {
        let State::Open(work) = &mut self.steps[place] else { return None };
        let item = work.begin();
        if work.queue() {
            self.ready.push_back(Ready::Call(place));
        }
        self.attempt(Key { step: place, item, attempt: 0 })
    }

    /// Requests an attempt. If its input cannot be built, the attempt fails.
    pub(super) fn attempt(&mut self, key: Key) -> Option<Question<'p>> {
        match self.arguments(key) {
            Ok(input) => {
                self.asked.insert(key, false);
                let (around, step) = (self.around, self.step(key.step));
                let rejected = self.rejected.remove(&key).unwrap_or_default();
                Some(Question::Attempt(Attempt { key, input, rejected, around, step }))
            }
            Err(error) => {
                self.failed(key.step, key.item, error);
                None
            }
        }
    }

    /// Stores the result of a call.
    pub(super) fn made(&mut self, place: usize, item: Option<usize>, text: String, is_resumed: bool) {
        let State::Open(work) = &mut self.steps[place] else { return };
        work.finish(item, text, is_resumed);
        if item.is_some() {
            let step = &*self.pipeline.steps[place].name;
            self.notices.push_back(PipelineEvent::Item { step, done: work.done, total: work.total() });
        }
        if work.is_done() {
            self.close(place);
        } else if work.queue() {
            self.ready.push_back(Ready::Call(place));
        }
    }

    /// Handles the final failure of a call or of the whole step: the failure is used as the result, or it
    /// ends the run.
    pub(super) fn failed(&mut self, place: usize, item: Option<usize>, error: CallError) {
        let (step, text, kind) = (self.step(place), error.to_string(), error.kind());
        if !step.continue_on_error || matches!(error, CallError::Journal { .. }) {
            self.steps[place] = State::Waiting;
            self.notices.push_back(PipelineEvent::Ended { step: &step.name, failure: Some((text, kind)) });
            let (skill, step) = (self.around.skill.to_owned(), step.name.to_string());
            return self.end(Err(CallError::Step { skill, step, item, source: Box::new(error) }));
        }
        // The failure is used as data and may be part of the output, so it contains the text for clients.
        let result = json!({"_error": error.for_clients(), "_failed": true}).to_string();
        match item {
            Some(_) => self.made(place, item, result, false),
            None => self.conclude(place, result, StepState::Failed(text.clone()), Some((text, kind))),
        }
    }

    /// Ends a step whose calls have all ended.
    fn close(&mut self, place: usize) {
        let State::Open(work) = &mut self.steps[place] else { return };
        let state = if work.is_resumed { StepState::Resumed } else { StepState::Done };
        let text = work.take_text();
        self.conclude(place, text, state, None);
    }

    fn conclude(
        &mut self,
        place: usize,
        text: String,
        state: StepState,
        failure: Option<(String, ErrorKind)>,
    ) {
        let step = self.step(place);
        match parse_json(&text) {
            Ok(document) => {
                self.steps[place] = State::Made(StepResult { text, document }, state);
                self.open -= 1;
                self.notices.push_back(PipelineEvent::Ended { step: &step.name, failure });
                self.over(place);
            }
            Err(invalid) => {
                self.failed(place, None, CallError::invalid_output(&step.skill, invalid));
            }
        }
    }

    /// Releases the steps that waited for a step.
    fn over(&mut self, place: usize) {
        self.graph.finish(place);
        self.left -= 1;
        self.settle();
    }

    /// Ends the run if no step is left.
    pub(super) fn settle(&mut self) {
        if self.left == 0 {
            let output = self.output();
            self.end(output);
        }
    }

    /// Ends the run and its running steps, in file order.
    pub(super) fn end(&mut self, output: Result<String, CallError>) {
        self.is_over = true;
        self.asked.clear();
        self.ready.clear();
        for (step, state) in self.pipeline.steps.iter().zip(&mut self.steps) {
            if let State::Open(_) = state {
                *state = State::Waiting;
                let cancelled = CallError::cancelled(&step.skill);
                let failure = Some((cancelled.to_string(), cancelled.kind()));
                self.notices.push_back(PipelineEvent::Ended { step: &step.name, failure });
            }
        }
        self.output = Some(output);
    }
}
