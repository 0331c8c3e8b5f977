//! Finished steps are written down, so that an interrupted run goes on where it ended.

mod file;

use std::any::Any;

pub use file::FileStore;
use skills_registry::{Skill, hex};
use skills_schema::validate_str;

use super::Attempt;
use crate::call::run::CallFrame;
use crate::call::run::engine::Engine;
use crate::call::{BoxFuture, CallError, Event, Failure, Function};

/// Keeps the results of finished steps.
///
/// A run is named by the caller ([`CallOptions::journal`](crate::call::CallOptions::journal)); a step of it by a key that
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

/// What a store has under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// Nothing was saved.
    Nothing,
    /// The output that was saved.
    Output(String),
    /// What was saved is broken: why, in a few words.
    Damaged(String),
}

/// One step of a run in a store.
pub(super) struct StepEntry<'a> {
    store: &'a dyn StepStore,
    run: &'a str,
    place: String,
    key: String,
    callee: Function<'a>,
    frame: CallFrame<'a>,
    step: &'a str,
}

impl<'a> StepEntry<'a> {
    /// Names what an attempt of the pipeline in `frame` makes; nothing when the call is not written down.
    pub(super) fn of(
        frame: CallFrame<'a>,
        attempt: &Attempt<'a>,
        is_typed: bool,
    ) -> Result<Option<Self>, CallError> {
        let engine = &frame.call.engine;
        let (Some(_), Some(run), Some(store)) = (frame.place, &frame.call.journal, &engine.store) else {
            return Ok(None);
        };
        let callee = engine.find(attempt.skill(), is_typed)?;
        let place = attempt.place();
        let state = digest(&fingerprint(engine, callee.skill, is_typed));
        let key = format!("{place} {} {state} {}", attempt.skill(), digest(attempt.input.as_bytes()));
        Ok(Some(Self { store: store.as_ref(), run, place, key, callee, frame, step: attempt.step() }))
    }

    /// Returns the place of the step in the run.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Returns the output that was written down, when it is whole and still fits the schema; else tells why not.
    pub(super) async fn load(&self) -> Result<Option<String>, CallError> {
        let found = self.store.load(self.run, &self.key).await;
        let reason = match found.map_err(|source| self.failed(source))? {
            Saved::Nothing => return Ok(None),
            Saved::Damaged(reason) => reason,
            Saved::Output(text) => match validate_str(self.callee.output, &text) {
                Ok(()) => return Ok(Some(text)),
                Err(invalid) => format!("it does not fit the output's schema: {invalid}"),
            },
        };
        self.frame.call.tell(|| Event::StepDamaged {
            call: self.frame.id,
            skill: self.frame.name(),
            step: self.step.to_owned(),
            reason,
        });
        Ok(None)
    }

    pub(super) async fn save(&self, output: &str) -> Result<(), CallError> {
        self.store.save(self.run, &self.key, output).await.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: Failure) -> CallError {
        CallError::Journal { skill: self.frame.name(), source }
    }
}

/// Puts together what tells two states of a skill apart: the digests of its files, and of all skills below it.
fn fingerprint(engine: &Engine, skill: Skill<'_>, is_typed: bool) -> Vec<u8> {
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
fn digest(bytes: &[u8]) -> String {
    hex(&hmac_sha256::Hash::hash(bytes))
}
