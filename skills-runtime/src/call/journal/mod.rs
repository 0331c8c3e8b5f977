//! Finished steps are written down, so that an interrupted run goes on where it ended.

mod file;

use std::fmt::Write;

pub use file::FileStore;
use skills_schema::is_valid_str;

use super::{BoxFuture, CallError, Failure, Function};

/// Keeps the results of finished steps.
///
/// A run is named by the caller ([`CallOptions::journal`](super::CallOptions::journal)); a step of it by a key that
/// the engine makes of its place in the run, its skill and the skill's version, and a digest of its input. What is
/// found under a key is checked by the schema of the skill's output before it is used.
///
/// A step that was interrupted between its end and its being written down runs again. Only steps of pipelines are
/// written down, not the calls that a function of the host makes.
pub trait StepStore: Send + Sync + 'static {
    /// Looks a finished step up.
    ///
    /// A store that finds something broken answers with nothing, which runs the step again, or with an error, which
    /// fails the call; never with something that was not saved.
    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>>;

    /// Writes a finished step down: all of it, or nothing when it is interrupted.
    fn save<'a>(&'a self, run: &'a str, step: &'a str, output: &'a str)
    -> BoxFuture<'a, Result<(), Failure>>;
}

/// One step of a run in a store.
pub(super) struct Entry<'a> {
    store: &'a dyn StepStore,
    run: &'a str,
    place: String,
    key: String,
    callee: Function<'a>,
}

impl<'a> Entry<'a> {
    /// Names a step: `around` is the place of the pipeline in the run.
    pub(super) fn new(
        store: &'a dyn StepStore,
        run: &'a str,
        around: &str,
        step: &str,
        item: Option<usize>,
        callee: Function<'a>,
        input: &str,
    ) -> Self {
        let mut place = format!("{around}/{step}");
        if let Some(item) = item {
            place.push_str(&format!("[{item}]"));
        }
        let (name, version) = (callee.skill.name(), callee.skill.version());
        let key = format!("{place} {name} {version} {}", digest(input.as_bytes()));
        Self { store, run, place, key, callee }
    }

    /// Returns the place of the step in the run.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Returns the output that was written down, when it still fits the schema.
    pub(super) async fn load(&self, skill: String) -> Result<Option<String>, CallError> {
        let found = self.store.load(self.run, &self.key).await;
        let found = found.map_err(|source| CallError::Journal { skill, source })?;
        Ok(found.filter(|text| is_valid_str(self.callee.output, text)))
    }

    pub(super) async fn save(&self, skill: String, output: &str) -> Result<(), CallError> {
        let saved = self.store.save(self.run, &self.key, output).await;
        saved.map_err(|source| CallError::Journal { skill, source })
    }
}

/// Returns the SHA-256 digest of bytes in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    hmac_sha256::Hash::hash(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _: std::fmt::Result = write!(hex, "{byte:02x}");
        hex
    })
}
