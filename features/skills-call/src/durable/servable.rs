//! Lists the skills that a worker of an engine can serve, when it starts, and distinguishes their versions.

use crate::pipeline::journal::{digest, fingerprint};
use crate::{CallError, Failure, Function, Runner};
use skills_runtime::capabilities::Capabilities;

impl<B> Runner<B> {
    /// Returns the names of the skills that a worker can serve: every pipeline, since its steps may run
    /// elsewhere, and every other function that this process can run. With `only`, checks that the worker can
    /// serve all of these skills, and returns their names.
    ///
    /// # Errors
    /// This process cannot run a skill in `only`, there are no skills to serve, or the workspace does not
    /// exist.
    pub fn servable(&self, only: Option<&[String]>) -> Result<Vec<String>, Failure> {
        if let Some(place) = &self.engine.workspace
            && !place.is_dir()
        {
            return Err(
                format!("the workspace {} is not a directory of this machine", place.display()).into()
            );
        }
        let names = match only {
            Some(only) => {
                only.iter().try_for_each(|name| self.missing(name).map_or(Ok(()), Err))?;
                only.to_vec()
            }
            None => {
                let names = self.skills().iter().map(|skill| skill.name().to_owned());
                names.filter(|name| self.missing(name).is_none()).collect()
            }
        };
        if names.is_empty() { Err("there is no skill that this worker can run".into()) } else { Ok(names) }
    }

    /// Returns a digest that distinguishes versions of a skill. It covers the files of the skill, the files
    /// of all skills that it calls, and everything else that affects the orders of its pipeline, including
    /// the version of this crate.
    ///
    /// # Errors
    /// The function does not exist.
    pub fn state(&self, name: &str) -> Result<String, CallError> {
        let engine = &self.engine;
        let mut bytes = fingerprint(engine, engine.find(name, None)?.skill, None);
        let limits = (engine.concurrency, engine.limits, env!("CARGO_PKG_VERSION"));
        bytes.extend(format!("{limits:?}").as_bytes());
        Ok(digest(&bytes))
    }

    fn missing(&self, name: &str) -> Option<String> {
        if self.engine.layers.callee(name).as_ref().is_some_and(Function::is_pipeline) {
            return None;
        }
        match Capabilities::function(&*self.engine, name) {
            Some(_) => self.backend(name).err().map(|missing| missing.to_string()),
            None => Some(self.skills().not_found(name).to_string()),
        }
    }
}
