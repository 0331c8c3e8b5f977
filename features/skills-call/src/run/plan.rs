//! Plans a call without running it: the checked input, the rendered prompt, and the steps.

use serde_json::{Value, json};
use skills_registry::{Backend, Mode};
use skills_schema::json as tree;
use skills_template::pipeline::{Pipeline, Step};
use skills_template::render::{Scope, holds};
use skills_template::{TemplateNode, Tree, references};

use super::state::RunnerState;
use crate::llm::render_prompt;
use crate::pipeline::{has_effects, predecessors};
use crate::{CallError, Missing};
use skills_runtime::capabilities::backend_of;
use skills_runtime::layers::parse_json;

/// The plan of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The name of the skill.
    pub skill: String,
    /// The mode of the skill.
    pub mode: Mode,
    /// The backend that would run the skill, or the missing capability because of which the call would fail.
    pub backend: Result<Backend, Missing>,
    /// The input as JSON text: checked, with its defaults.
    pub input: String,
    /// The prompt of an `llm` skill, rendered with the input.
    pub prompt: Option<String>,
    /// The steps of a pipeline, in file order.
    pub steps: Vec<PlannedStep>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedStep {
    /// The name of the step.
    pub step: String,
    /// The skill that it uses.
    pub skill: String,
    /// Whether the step would run; `None` if that depends on results of other steps.
    pub would_run: Option<bool>,
    /// Whether the step runs over a list.
    pub is_foreach: bool,
    /// The steps that the step waits for.
    pub after: Vec<String>,
}

impl Plan {
    /// Returns the plan as JSON: skill, mode, server (the [`Backend`], or `nothing`), input, and prompt or
    /// steps if there are any.
    pub fn to_json(&self) -> Value {
        let input = serde_json::from_str(&self.input).unwrap_or_else(|_| Value::from(self.input.as_str()));
        let server = self.backend.as_ref().map_or("nothing", |backend| backend.as_str());
        let mut plan = json!({
            "skill": self.skill, "mode": self.mode.as_str(), "server": server, "input": input,
        });
        if let Some(prompt) = &self.prompt {
            plan["prompt"] = prompt.as_str().into();
        }
        if self.backend == Ok(Backend::Pipeline) {
            plan["steps"] = self
                .steps
                .iter()
                .map(|step| {
                    json!({
                        "step": step.step, "skill": step.skill, "would_run": step.would_run,
                        "foreach": step.is_foreach, "after": step.after,
                    })
                })
                .collect();
        }
        plan
    }
}

/// Plans a call by name; the input is JSON text.
pub(crate) fn plan(runner: &RunnerState, name: &str, input: &str) -> Result<Plan, CallError> {
    let function = runner.find(name, None)?;
    let input =
        function.check_input(input.to_owned()).map_err(|invalid| CallError::invalid_input(name, invalid))?;
    let mode = function.skill.mode().unwrap_or(Mode::Code);
    let backend = backend_of(runner, function.skill);
    let prompt = if mode == Mode::Llm { Some(render_prompt(function, &input, runner.limits)?) } else { None };
    let steps = match function.pipeline {
        Some(pipeline) => {
            let input = parse_json(&input).map_err(|invalid| CallError::invalid_input(name, invalid))?;
            steps(runner, name, pipeline, &input)?
        }
        None => Vec::new(),
    };
    Ok(Plan { skill: name.to_owned(), mode, backend, input, prompt, steps })
}

/// Determines which steps would run, as far as that depends only on the input.
fn steps(
    runner: &RunnerState,
    skill: &str,
    pipeline: &Pipeline,
    input: &tree::Node,
) -> Result<Vec<PlannedStep>, CallError> {
    let mut planned: Vec<PlannedStep> = Vec::with_capacity(pipeline.steps.len());
    let waits = predecessors(pipeline, &|name| has_effects(&runner.layers, name));
    for (step, waits) in pipeline.steps.iter().zip(waits) {
        let would_run = would_run(runner, skill, step, input, &planned)?;
        let after = waits.into_iter().filter_map(|place| planned.get(place));
        planned.push(PlannedStep {
            step: step.name.to_string(),
            skill: step.skill.to_string(),
            would_run,
            is_foreach: step.foreach.is_some(),
            after: after.map(|before| before.step.clone()).collect(),
        });
    }
    Ok(planned)
}

fn would_run(
    runner: &RunnerState,
    skill: &str,
    step: &Step,
    input: &tree::Node,
    before: &[PlannedStep],
) -> Result<Option<bool>, CallError> {
    let needs: Vec<Option<bool>> =
        step.needs.iter().filter_map(|place| find_step(before, *place)).map(|need| need.would_run).collect();
    if needs.contains(&Some(false)) {
        return Ok(Some(false));
    }
    let Some(condition) = &step.condition else {
        return Ok(if needs.contains(&None) { None } else { Some(true) });
    };
    // A skipped step has no result, so conditions treat its result as missing.
    if steps_named(condition).any(|name| {
        name.is_none_or(|name| before.iter().any(|step| step.step == name && step.would_run != Some(false)))
    }) {
        return Ok(None);
    }
    let scope = Scope::default().with_json("input", input);
    match holds(condition.root(), &scope, runner.limits) {
        Ok(true) if needs.contains(&None) => Ok(None),
        Ok(holds) => Ok(Some(holds)),
        Err(source) => Err(CallError::template(skill, source)),
    }
}

/// Returns the steps that a tree reads; an item is `None` if the tree reads all of them.
fn steps_named(tree: &Tree) -> impl Iterator<Item = Option<&str>> {
    let paths = references(tree.root()).into_iter().map(|found| found.path.children());
    let steps = paths.filter(|keys| keys.get(0).map(TemplateNode::text) == Some("steps"));
    steps.map(|keys| keys.get(1).map(TemplateNode::text))
}

fn find_step(steps: &[PlannedStep], place: u32) -> Option<&PlannedStep> {
    steps.get(usize::try_from(place).ok()?)
}
