//! The questions of a pipeline, their answers, and its reports, as plain data.

use std::fmt;
use std::time::Duration;

use skills_template::pipeline::Step;

use crate::ErrorKind;
use crate::model::Usage;
use crate::run::engine::CONCURRENCY;

/// The call whose skill a pipeline belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around<'p> {
    /// The name of the skill.
    pub skill: &'p str,
    /// Where in a run the call is, such as `report` or `report/nested`.
    pub place: &'p str,
    /// How many calls are around it (SPEC 6.4).
    pub depth: u32,
}

/// How much a pipeline may do at once and put out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps, and how many items of one `foreach` without a limit of its own, run at once: 8 by default.
    pub concurrency: usize,
    /// The limits of one template evaluation.
    pub templates: skills_template::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Self { concurrency: CONCURRENCY, templates: skills_template::Limits::default() }
    }
}

/// Names a question. The same run with the same answers has the same keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The place of the step in the file, from 0.
    pub step: usize,
    /// The place of the item in the list of a `foreach`, from 0.
    pub item: Option<usize>,
    /// The attempt, from 0.
    pub attempt: u32,
}

/// An order of a pipeline to its driver.
#[derive(Clone, Debug)]
pub enum Question<'p> {
    /// A skill is to be called; answered by [`Run::finish`](super::Run::finish).
    Attempt(Attempt<'p>),
    /// Time is to pass before the attempt after the one of this key; answered by [`Run::wake`](super::Run::wake).
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
    /// The name of the attempt.
    pub key: Key,
    /// The input of the skill: JSON text, not checked yet.
    pub input: String,
    pub(super) around: Around<'p>,
    pub(super) step: &'p Step,
}

impl<'p> Attempt<'p> {
    /// Returns the name of the step.
    pub fn step(&self) -> &'p str {
        &self.step.name
    }

    /// Returns the name of the skill to call. Whether that is a pipeline itself says
    /// [`Function::is_pipeline`](super::super::Function::is_pipeline).
    pub fn skill(&self) -> &'p str {
        &self.step.skill
    }

    /// Returns how many calls are around that of the skill (SPEC 6.4).
    pub fn depth(&self) -> u32 {
        self.around.depth.saturating_add(1)
    }

    /// Returns the time limit, where the step sets one; else it is that of the skill (SPEC 5.7).
    pub fn timeout(&self) -> Option<Duration> {
        self.step.timeout_ms.map(Duration::from_millis)
    }

    /// Returns where in the run this is, whatever the attempt: `report/search`, `report/summarize[3]`.
    pub fn place(&self) -> String {
        let place = format!("{}/{}", self.around.place, self.step.name);
        self.key.item.map_or_else(|| place.clone(), |item| format!("{place}[{item}]"))
    }
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// JSON text that fits the schema of the skill's output.
    pub text: String,
    /// Whether it was found, and not made now.
    pub is_resumed: bool,
    /// What models cost that were asked elsewhere; what this process asked is counted already.
    pub usage: Usage,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, is_resumed: false, usage: Usage::default() }
    }
}

/// Something that happened in a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice<'p> {
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
        /// How many there are.
        total: usize,
    },
    /// A step does not run (SPEC 5.4).
    Skipped {
        /// The name of the step.
        step: &'p str,
    },
    /// A step that began is done, also when the run ended before it.
    Ended {
        /// The name of the step.
        step: &'p str,
        /// Why it failed, and the kind of that; also where the failure took the place of its result.
        failure: Option<(String, ErrorKind)>,
    },
}

/// An answer to what was not asked, or was answered already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAsked(
    /// The answer.
    pub Key,
);

impl fmt::Display for NotAsked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { step, item, attempt } = self.0;
        write!(f, "nothing is asked about attempt {attempt} of step {step}")?;
        item.map_or(Ok(()), |item| write!(f, " (item {item})"))
    }
}

impl std::error::Error for NotAsked {}
