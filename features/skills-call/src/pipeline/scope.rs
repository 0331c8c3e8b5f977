//! Evaluates the templates of a pipeline: the inputs and lists of steps, and the output.

use skills_template::Tree;
use skills_template::render::{Number, RenderError, RenderLimits, Scope, Value, evaluate};

use super::machine::{Run, State, StepResult};
use super::order::named;
use super::question::Key;
use super::work::Work;
use crate::CallError;

impl Run<'_> {
    /// Returns the values that a step can read: the input of the pipeline, and the results of the steps
    /// it refers to.
    pub(super) fn scope(&self, place: usize) -> Scope<'_> {
        self.seen(named(self.step(place), place))
    }

    fn seen(&self, places: impl Iterator<Item = usize>) -> Scope<'_> {
        let results = places.filter_map(|place| {
            let result = self.result(place)?;
            Some((&*self.pipeline.steps[place].name, Value::borrow(&result.document)))
        });
        let steps = Value::Object(results.collect());
        Scope::default().with_json("input", &self.input).with("steps", steps)
    }

    fn result(&self, place: usize) -> Option<&StepResult> {
        match &self.steps[place] {
            State::Made(result, _) => Some(result),
            _ => None,
        }
    }

    /// Evaluates the list of a step.
    pub(super) fn work(&self, place: usize, list: &Tree) -> Result<Work, CallError> {
        let limit = match self.step(place).concurrency {
            0 => self.limits.concurrency.max(1),
            limit => usize::try_from(limit).unwrap_or(usize::MAX),
        };
        let scope = self.scope(place);
        let list = evaluate(list.root(), &scope, self.limits.templates);
        Work::of(list.map_err(|source| self.template(source))?, limit)
    }

    /// Returns the input of one call as JSON text.
    pub(super) fn arguments(&self, key: Key) -> Result<String, CallError> {
        let (step, limits) = (self.step(key.step), self.limits.templates);
        let mut scope = self.scope(key.step);
        if let (Some(index), Some(list), State::Open(work)) = (key.item, &step.foreach, &self.steps[key.step])
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
    pub(super) fn output(&self) -> Result<String, CallError> {
        let Some(mapping) = &self.pipeline.mapping else {
            let last = (0..self.steps.len()).rev().find_map(|place| self.result(place));
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

    pub(super) fn template(&self, source: RenderError) -> CallError {
        CallError::template(self.around.skill, source)
    }
}
