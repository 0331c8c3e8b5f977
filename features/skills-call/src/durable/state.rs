//! Hashes that detect changes of a skill, for runs that outlive a change of its files.

use crate::pipeline::journal::{digest, fingerprint};
use crate::{CallError, Runner};

impl<B> Runner<B> {
    /// Returns what tells two states of a skill apart: a digest of its files, of those of all that it calls, and of all else
    /// that what its pipeline asks for depends on, this crate's version among it (SPEC 19.6).
    ///
    /// # Errors
    /// The library has no such function.
    pub fn state(&self, name: &str) -> Result<String, CallError> {
        let engine = &self.engine;
        let mut bytes = fingerprint(engine, engine.find(name, false)?.skill, false);
        let limits = (engine.concurrency, engine.limits, env!("CARGO_PKG_VERSION"));
        bytes.extend(format!("{limits:?}").as_bytes());
        Ok(digest(&bytes))
    }
}
