//! Saves finished steps, so that an interrupted run can continue.

mod file;

use std::any::Any;
use std::any::TypeId;

pub use file::FileStore;
use skills_registry::Skill;
use skills_text::hex;

use crate::run::state::RunnerState;
use crate::{BoxFuture, Failure};

/// Stores the results of finished steps.
///
/// The caller names a run ([`CallOptions::journal`](crate::CallOptions::journal)). The engine derives the key
/// of a step from its place in the run, its skill, and digests of its input and of the files of that skill
/// and of all skills that it calls. Before a saved output is used, it is checked against the schema of the
/// skill's output.
///
/// If the process is interrupted before the result of a finished step is saved, the step runs again. Only
/// steps of pipelines are saved, not the calls that a host function makes.
pub trait StepStore: Send + Sync + 'static {
    /// Locks a run for one call, until the returned value is dropped.
    ///
    /// A store returns an error if another call has locked the run, since two concurrent calls would run its steps
    /// twice. A store that cannot be used by two calls at once returns [`RunLock::default`], which locks nothing.
    fn lock_run<'a>(&'a self, run: &'a str) -> BoxFuture<'a, Result<RunLock, Failure>>;

    /// Looks up a finished step.
    ///
    /// If an entry is damaged, a store either returns [`Saved::Damaged`], which emits an event and runs the
    /// step again, or an error, which fails the call. It must never return data that was not saved.
    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Saved, Failure>>;

    /// Saves a finished step. If saving is interrupted, nothing is saved.
    fn save<'a>(&'a self, run: &'a str, step: &'a str, output: &'a str)
    -> BoxFuture<'a, Result<(), Failure>>;
}

/// The lock of a run; dropping it unlocks the run.
#[derive(Debug, Default)]
pub struct RunLock(
    #[expect(dead_code, reason = "the run is locked until the value is dropped")]
    Option<Box<dyn Any + Send + Sync>>,
);

impl RunLock {
    /// Wraps the object that locks a run, such as a locked file.
    pub fn by(lock: impl Any + Send + Sync) -> Self {
        Self(Some(Box::new(lock)))
    }
}

/// The entry of a store under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// Nothing was saved.
    Nothing,
    /// The output that was saved.
    Output(String),
    /// The entry is damaged; the text says why in a few words.
    Damaged(String),
}

/// Returns the text that distinguishes versions of a skill: the digests of its files and of all skills below
/// it.
pub(crate) fn fingerprint(runner: &RunnerState, skill: Skill<'_>, bundle: Option<TypeId>) -> Vec<u8> {
    let (mut bytes, mut seen, mut left) = (Vec::new(), vec![skill.name()], vec![skill]);
    while let Some(skill) = left.pop() {
        bytes.extend(skill.name().as_bytes());
        for file in skill.files() {
            bytes.push(0);
            bytes.extend(file.path().as_bytes());
            bytes.extend(file.sha256());
        }
        for name in skill.calls() {
            // A skill that does not exist is ignored here: its call fails later.
            if let Ok(callee) = runner.find(name, bundle)
                && !seen.contains(&callee.skill.name())
            {
                seen.push(callee.skill.name());
                left.push(callee.skill);
            }
        }
    }
    bytes
}

/// Returns the SHA-256 digest of bytes in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&hmac_sha256::Hash::hash(bytes))
}
