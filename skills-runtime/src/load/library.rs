//! Lets a runner look up skills in layers: the winner of a name runs, whatever its layer is.

use std::path::PathBuf;

use skills_registry::{Hit, NotFound, Skill};

use super::Layers;
use super::merge::At;
use crate::call::{Function, Library};
use crate::exec::Program;
use crate::trust::{Trust, Untrusted};

impl Layers {
    /// Returns a skill as a function: from its own `skill.json` if it is on disk, otherwise from its bundle.
    fn function_at(&self, at: At) -> Option<Function<'_>> {
        let layer = self.layers.get(at.layer)?;
        if let Some(bundle) = &layer.bundle {
            return bundle.functions?.find(self.skill(at).name());
        }
        let signature = layer.functions.get(usize::try_from(at.row).ok()?)?.signature.as_ref()?;
        Some(Function {
            skill: self.skill(at),
            input: &signature.input_tables,
            output: &signature.output_tables,
            prompt: signature.prompt_tree.as_ref(),
            pipeline: signature.plan.as_ref(),
        })
    }
}

impl Library for Layers {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.function_at(self.at(name)?)
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        let at = self.at(name)?;
        let skill = self.skill(at);
        match self.layers.get(at.layer)?.bundle.and_then(|bundle| bundle.functions) {
            Some(functions) => functions.program_of(skill),
            None => Program::of(skill, self.input_tables(name)),
        }
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.get(name)
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.iter().collect()
    }

    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        self.search_among(query, admits)
    }

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        let name = own.skill.name();
        self.bundles.iter().find(|bundle| bundle.registry.get(name).is_some())?;
        let function = self.typed_at(own.skill).and_then(|at| self.function_at(at)).unwrap_or(own);
        Some(function).filter(|function| !self.is_gated(function.skill))
    }

    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        // A skill on disk is the winner of its name, and its layer has the exact path.
        let found = self.locate(skill.name()).filter(|_| !skill.is_bundled());
        found.and_then(|found| found.directory())
    }

    fn trust(&self, skill: Skill<'_>) -> Trust {
        if skill.is_bundled() {
            return Trust::Program;
        }
        self.locate(skill.name()).map_or(Trust::Nobody, |found| found.trust)
    }

    fn catalog_budget(&self) -> usize {
        self.catalog_budget()
    }

    fn untrusted(&self, name: &str) -> Option<Untrusted> {
        self.untrusted(name)
    }

    fn recheck(&self, skill: Skill<'_>) -> Result<bool, Untrusted> {
        self.recheck(skill)
    }

    fn not_found(&self, name: &str) -> NotFound {
        self.not_found(name)
    }
}
