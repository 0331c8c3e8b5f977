//! Digests that distinguish versions of a skill, for runs that outlive a change of its files.

use crate::pipeline::journal::{digest, fingerprint};
use crate::{CallError, Runner};

impl<B> Runner<B> {
    /// Returns a digest that distinguishes versions of a skill. It covers the files of the skill, the files
    /// of all skills that it calls, and everything else that affects the orders of its pipeline, including
    /// the version of this crate.
    ///
    /// # Errors
    /// The function does not exist.
    pub fn state(&self, name: &str) -> Result<String, CallError> {
        let engine = &self.engine;
        let mut bytes = fingerprint(engine, engine.find(name, false)?.skill, false);
        let limits = (engine.concurrency, engine.limits, env!("CARGO_PKG_VERSION"));
        bytes.extend(format!("{limits:?}").as_bytes());
        Ok(digest(&bytes))
    }
}
