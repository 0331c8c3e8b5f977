//! A pipeline as the engine runs it: steps with parsed templates and the edges between them; static data in a bundle.

use std::borrow::Cow;

use crate::Tree;

/// The steps of a `composite` skill, checked and in file order (SPEC 5.6, 5.7).
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The steps, in file order.
    pub steps: Cow<'static, [Step]>,
    /// The object that `outputMapping` makes of the results; without one the output is that of the last executed step.
    pub mapping: Option<Tree>,
}

/// One step of a [`Pipeline`]; steps are named by their place in it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name, by which templates find the result as `steps.NAME`.
    pub name: Cow<'static, str>,
    /// The skill that runs.
    pub skill: Cow<'static, str>,
    /// The object that becomes the input of the skill.
    pub input: Tree,
    /// What must hold for the step to run (SPEC 5.4).
    pub condition: Option<Tree>,
    /// The array that the step runs over.
    pub foreach: Option<Tree>,
    /// How many items of `foreach` run at once; 0 for as many as the host allows.
    pub concurrency: u32,
    /// The steps that must be finished before: those that it refers to and those in `depends`, ascending.
    pub after: Cow<'static, [u32]>,
    /// The steps whose result `input` or `foreach` names without a fallback: when one is skipped, so is this (SPEC 5.4).
    pub needs: Cow<'static, [u32]>,
    /// The time limit of one attempt in milliseconds; that of the skill when absent.
    pub timeout_ms: Option<u64>,
    /// How often a failed attempt is repeated.
    pub retry: u32,
    /// The wait before the first repetition in milliseconds; it doubles up to 30 seconds.
    pub retry_delay_ms: u64,
    /// Whether a failure takes the place of the result instead of failing the call.
    pub continue_on_error: bool,
}
