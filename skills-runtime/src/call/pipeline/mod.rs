//! A pipeline runs: steps as soon as what they refer to is there, under a limit, inside the future of the call.
//!
//! ```text
//! Graph -> step (condition, skip) -> one call | foreach -> results -> output
//! ```
//!
//! Nothing is spawned, so dropping the call drops every step.

mod foreach;
mod graph;
mod step;

use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt};
use skills_template::pipeline::Pipeline;
use skills_template::{RenderError, Scope, Value, evaluate};

use self::graph::{Graph, predecessors};
use self::step::{Done, StepResult, StepRun};
use super::document::Document;
use super::run::{Frame, Produced};
use super::{CallError, Event, StepRecord, StepState};

/// Runs the steps of a pipeline, and makes the output of their results (SPEC 5.6, 5.7).
pub(super) async fn run(frame: Frame<'_>, pipeline: &Pipeline) -> Result<Produced, CallError> {
    let input = frame.document()?;
    let steps = &*pipeline.steps;
    let mut graph = Graph::new(steps);
    let mut done: Vec<Option<Finished>> = vec![None; steps.len()];
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < frame.call.engine.concurrency
            && let Some(place) = graph.next()
        {
            let step = &steps[place];
            let is_skipped = |need: &u32| {
                let finished = usize::try_from(*need).ok().and_then(|need| done.get(need));
                finished.is_some_and(|finished| finished.as_ref().is_some_and(Finished::is_skipped))
            };
            if step.needs.iter().any(is_skipped) {
                skip(frame, &step.name);
                done[place] = Some(Finished::skipped());
                graph.finish(place);
                continue;
            }
            let before = predecessors(step, place).filter_map(|before| {
                let result = done[before].as_ref()?.result.as_ref()?;
                Some((&*steps[before].name, Arc::clone(result)))
            });
            let run = StepRun { frame, step, input: &input, before: before.collect() };
            running.push(async move { (place, step::run(&run).await) });
        }
        let Some((place, result)) = running.next().await else { break };
        done[place] = Some(match result? {
            Done::Skipped => {
                skip(frame, &steps[place].name);
                Finished::skipped()
            }
            Done::Made(result, state) => Finished { result: Some(Arc::new(result)), state },
        });
        graph.finish(place);
    }
    let text = output(frame, pipeline, &input, &done)?;
    let records = steps.iter().zip(done).filter_map(|(step, finished)| {
        let (step, skill) = (step.name.to_string(), step.skill.to_string());
        Some(StepRecord { step, skill, state: finished?.state })
    });
    Ok(Produced { text, steps: records.collect(), ..Produced::default() })
}

/// A step that is over.
#[derive(Clone)]
struct Finished {
    result: Option<Arc<StepResult>>,
    state: StepState,
}

impl Finished {
    fn skipped() -> Self {
        Self { result: None, state: StepState::Skipped }
    }

    fn is_skipped(&self) -> bool {
        self.state == StepState::Skipped
    }
}

fn skip(frame: Frame<'_>, step: &str) {
    frame.call.tell(|| Event::StepSkipped { call: frame.id, skill: frame.name(), step: step.to_owned() });
}

/// Makes the output: by the mapping, else that of the last step in the file that ran, else `{}` (SPEC 5.7).
fn output(
    frame: Frame<'_>,
    pipeline: &Pipeline,
    input: &Document,
    done: &[Option<Finished>],
) -> Result<String, CallError> {
    let result = |finished: &Option<Finished>| finished.as_ref().and_then(|finished| finished.result.clone());
    let Some(mapping) = &pipeline.mapping else {
        let last = done.iter().rev().find_map(result);
        return Ok(last.map_or_else(|| "{}".to_owned(), |result| result.text.clone()));
    };
    let results: Vec<_> =
        pipeline.steps.iter().zip(done).map(|(step, done)| (&*step.name, result(done))).collect();
    let results = results.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?)));
    let scope = scope(input, results);
    let limits = frame.call.engine.limits;
    let mut text = String::new();
    let value = evaluate(mapping.root(), &scope, limits);
    let written = value.and_then(|value| {
        let expression = || "outputMapping".to_owned();
        let located = |fault| RenderError { fault, expression: expression(), span: None };
        value.write_text(&mut text, limits).map_err(located)
    });
    written.map_err(|source| CallError::Template { skill: frame.name(), source })?;
    Ok(text)
}

/// Makes the scope of templates: the input of the pipeline, and the results of steps.
fn scope<'a>(input: &'a Document, results: impl Iterator<Item = (&'a str, &'a StepResult)>) -> Scope<'a> {
    let results = results.map(|(name, result)| (name, Value::of(&result.document)));
    let steps = Value::Object(results.collect());
    Scope::default().with_json("input", input).with("steps", steps)
}
