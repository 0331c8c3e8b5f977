//! A pipeline as the engine runs it: steps with parsed templates and the edges between them. Static data in a
//! bundle.

use std::borrow::Cow;

use crate::Tree;

/// The steps of a `composite` skill, checked and in file order.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The steps, in file order.
    pub steps: Cow<'static, [Step]>,
    /// The object that `outputMapping` creates from the results. Without it, the output is the result of the
    /// last executed step.
    pub mapping: Option<Tree>,
}

/// One step of a [`Pipeline`]. Steps refer to each other by index.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name. Templates access the result as `steps.NAME`.
    pub name: Cow<'static, str>,
    /// The skill to run.
    pub skill: Cow<'static, str>,
    /// The template of the skill's input object.
    pub input: Tree,
    /// The condition for running the step.
    pub condition: Option<Tree>,
    /// The array that the step iterates over.
    pub foreach: Option<Tree>,
    /// The maximum number of concurrent `foreach` items; 0 means the host's limit.
    pub concurrency: u32,
    /// The steps that must finish first, from references and `depends`, ascending.
    pub after: Cow<'static, [u32]>,
    /// The steps whose result `input` or `foreach` uses without a fallback. If one is skipped, this step is
    /// skipped too.
    pub needs: Cow<'static, [u32]>,
    /// The time limit of one attempt in milliseconds. The default is the limit of the skill.
    pub timeout_ms: Option<u64>,
    /// How many times a failed attempt is repeated.
    pub retry: u32,
    /// The delay before the first repetition in milliseconds. It doubles each time, up to 30 seconds.
    pub retry_delay_ms: u64,
    /// Whether a failure is stored as the result instead of failing the call.
    pub continue_on_error: bool,
}
