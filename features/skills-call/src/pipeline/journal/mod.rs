//! Finished steps are written down, so that an interrupted run goes on where it ended.

mod file;

use std::any::Any;

pub use file::FileStore;
use skills_registry::{Skill, hex};

use crate::run::engine::Engine;
use crate::{BoxFuture, Failure};

/// Keeps the results of finished steps.
///
/// A run is named by the caller ([`CallOptions::journal`](crate::CallOptions::journal)); a step of it by a key that
/// the engine makes of its place in the run, its skill, and digests of the input and of the files of that skill and of
/// all that it calls. What is found under a key is checked by the schema of the skill's output before it is used.
///
/// A step that was interrupted between its end and its being written down runs again. Only steps of pipelines are
/// written down, not the calls that a function of the host makes.
pub trait StepStore: Send + Sync + 'static {
    /// Holds a run for one call, as long as what is returned lives. The default holds nothing.
    ///
    /// A store answers with an error when another call holds the run: two at once would do its steps twice.
    fn hold<'a>(&'a self, _run: &'a str) -> BoxFuture<'a, Result<Held, Failure>> {
        Box::pin(async { Ok(Held::default()) })
    }

    /// Looks a finished step up.
    ///
    /// A store that finds something broken says so, which is told and runs the step again, or answers with an error,
    /// which fails the call; never with something that was not saved.
    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Saved, Failure>>;

    /// Writes a finished step down: all of it, or nothing when it is interrupted.
    fn save<'a>(&'a self, run: &'a str, step: &'a str, output: &'a str)
    -> BoxFuture<'a, Result<(), Failure>>;
}

/// A run that is held; dropped, it is free.
#[derive(Debug, Default)]
pub struct Held(
    #[expect(dead_code, reason = "what holds the run does so by being there")]
    Option<Box<dyn Any + Send + Sync>>,
);

impl Held {
    /// Keeps what holds a run, such as a locked file.
    pub fn by(lock: impl Any + Send + Sync) -> Self {
        Self(Some(Box::new(lock)))
    }
}

/// The content of a store under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// Nothing was saved.
    Nothing,
    /// The output that was saved.
    Output(String),
    /// The saved step is damaged; with the reason in a few words.
    Damaged(String),
}

/// Puts together what tells two states of a skill apart: the digests of its files, and of all skills below it.
pub(crate) fn fingerprint(engine: &Engine, skill: Skill<'_>, is_typed: bool) -> Vec<u8> {
    let (mut bytes, mut seen, mut left) = (Vec::new(), vec![skill.name()], vec![skill]);
    while let Some(skill) = left.pop() {
        bytes.extend(skill.name().as_bytes());
        for file in skill.files() {
            bytes.push(0);
            bytes.extend(file.path().as_bytes());
            bytes.extend(file.sha256());
        }
        for name in skill.calls() {
            // A skill that is not there fails when it is called.
            if let Ok(callee) = engine.find(name, is_typed)
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
