//! The questions, answers and events of a pipeline: plain data.

use std::fmt;
use std::time::Duration;

use skills_template::pipeline::Step;

use crate::ErrorKind;
use crate::model::Usage;
use crate::run::state::CONCURRENCY;
use skills_runtime::typed::Violation;

/// The call whose skill a pipeline belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller<'p> {
    /// The name of the skill.
    pub skill: &'p str,
    /// The place of the call in its run, such as `report` or `report/nested`.
    pub place: &'p str,
    /// How many calls surround it.
    pub depth: u32,
}

/// The limits on the concurrency and output of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineLimits {
    /// The maximum number of steps that run at once, and of items of a `foreach` without a limit of its own;
    /// 8 by default.
    pub concurrency: usize,
    /// The limits of one template.
    pub templates: skills_template::render::RenderLimits,
}

impl Default for PipelineLimits {
    fn default() -> Self {
        Self { concurrency: CONCURRENCY, templates: skills_template::render::RenderLimits::default() }
    }
}

/// The key of a question. If a run receives the same answers, its questions have the same keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The index of the step in the file, from 0.
    pub step: usize,
    /// The index of the item in the list of a `foreach`, from 0.
    pub item: Option<usize>,
    /// The number of the attempt, from 0.
    pub attempt: u32,
}

/// A request of a pipeline to its driver.
#[derive(Clone, Debug)]
pub enum Question<'p> {
    /// Call a skill; the answer is [`PipelineRun::finish`](super::PipelineRun::finish).
    Attempt(Attempt<'p>),
    /// Wait after the failed attempt with this key, before the next attempt; the answer is
    /// [`PipelineRun::wake`](super::PipelineRun::wake).
    Wait {
        /// The attempt that failed.
        key: Key,
        /// The name of the step.
        step: &'p str,
        /// How long to wait.
        duration: Duration,
    },
}

/// One attempt of one step, or of one item of its list.
#[derive(Clone, Debug)]
pub struct Attempt<'p> {
    /// The key of the attempt.
    pub key: Key,
    /// The input of the skill: JSON text, not checked yet.
    pub input: String,
    /// The rules that the output of the attempt before broke; empty if it failed otherwise. A model is told about them.
    pub rejected: Vec<Violation>,
    pub(super) around: Caller<'p>,
    pub(super) step: &'p Step,
}

impl<'p> Attempt<'p> {
    /// Returns the name of the step.
    pub fn step(&self) -> &'p str {
        &self.step.name
    }

    /// Returns the name of the skill to call. [`Function::is_pipeline`](super::super::Function::is_pipeline)
    /// returns `true` if that skill is a pipeline as well.
    pub fn skill(&self) -> &'p str {
        &self.step.skill
    }

    /// Returns how many calls surround the call of the skill.
    pub fn depth(&self) -> u32 {
        self.around.depth.saturating_add(1)
    }

    /// Returns the time limit that the step sets; `None` if the limit of the skill applies.
    pub fn timeout(&self) -> Option<Duration> {
        self.step.timeout_ms.map(Duration::from_millis)
    }

    /// Returns the place of the step in the run, without the attempt: `report/search`, `report/summarize[3]`.
    pub fn place(&self) -> String {
        let place = format!("{}/{}", self.around.place, self.step.name);
        self.key.item.map_or_else(|| place.clone(), |item| format!("{place}[{item}]"))
    }
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// JSON text that matches the schema of the skill's output.
    pub text: String,
    /// Whether the result was saved earlier instead of created by this attempt.
    pub is_resumed: bool,
    /// The usage of models in other processes; usage in this process is already counted.
    pub usage: Usage,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, is_resumed: false, usage: Usage::default() }
    }
}

/// An event of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineEvent<'p> {
    /// A step begins.
    Started {
        /// The name of the step.
        step: &'p str,
    },
    /// One more item of a `foreach` is done.
    Item {
        /// The name of the step.
        step: &'p str,
        /// How many items are done.
        done: usize,
        /// The number of items.
        total: usize,
    },
    /// A step is skipped.
    Skipped {
        /// The name of the step.
        step: &'p str,
    },
    /// A step has ended, possibly because the run ended.
    Ended {
        /// The name of the step.
        step: &'p str,
        /// The error text and kind, if the step failed; also set if the failure is used as the result of the
        /// step.
        failure: Option<(String, ErrorKind)>,
    },
}

/// The error for an answer to a question that is not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAsked(
    /// The key of the answer.
    pub Key,
);

impl fmt::Display for NotAsked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { step, item, attempt } = self.0;
        write!(f, "no question about attempt {attempt} of step {step} is open")?;
        item.map_or(Ok(()), |item| write!(f, " (item {item})"))
    }
}

impl std::error::Error for NotAsked {}
