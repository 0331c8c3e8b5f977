//! A bundle and the layers over it as one library: the winner of a name runs, whatever layer it is from (SPEC 1.6).

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::{NotFound, Skill};

use super::{Function, Functions, Library};
use crate::exec::Program;
use crate::load::Layers;

/// What [`Runner::layers`](super::Runner::layers) looks skills up in.
pub(super) struct Layered {
    pub(super) bundle: Option<Functions>,
    pub(super) layers: Arc<Layers>,
}

impl Layered {
    /// Makes a function of a skill: of its own `skill.json` when it lies on disk, else of the bundle.
    fn prepare<'a>(&'a self, skill: Skill<'a>) -> Option<Function<'a>> {
        if skill.is_bundled() {
            return self.bundle.as_ref()?.find(skill.name());
        }
        let signature = self.layers.signature(skill.name())?;
        Some(Function {
            skill,
            input: &signature.input_tables,
            output: &signature.output_tables,
            prompt: signature.prompt_tree.as_ref(),
            pipeline: signature.plan.as_ref(),
        })
    }
}

impl Library for Layered {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.prepare(self.layers.get(name)?)
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        let skill = self.layers.get(name)?;
        match &self.bundle {
            Some(bundle) if skill.is_bundled() => bundle.program_of(skill),
            _ => Program::of(skill, self.layers.input_tables(name)),
        }
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.layers.get(name)
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.layers.iter().collect()
    }

    fn typed_function(&self, name: &str) -> Option<Function<'_>> {
        self.prepare(self.layers.typed_winner(name)?)
    }

    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        // One that is not bundled is the winner of its name, whose layer knows the path without loss.
        let found = self.layers.locate(skill.name()).filter(|_| !skill.is_bundled());
        found.and_then(|found| found.directory())
    }

    fn not_found(&self, name: &str) -> NotFound {
        self.layers.not_found(name)
    }
}
