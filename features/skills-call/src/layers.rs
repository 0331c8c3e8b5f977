//! Implements [`Library`](crate::Library) for layers: a call runs the skill that wins the name, from any
//! layer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(unix)]
use skills_exec::cache::CacheError;
use skills_exec::{CheckedCopy, NotRun, Program, RunOptions};
use skills_load::Layers;
#[cfg(unix)]
use skills_load::trust::CheckError;
use skills_registry::{NotFound, Skill};
use skills_runtime::capabilities::Grants;
use skills_runtime::trust::{Trust, Untrusted};

use crate::{Function, Functions, Library};

/// Returns the functions of the bundle that the winning skill belongs to.
fn bundle_of(layers: &Layers, name: &str) -> Option<&'static Functions> {
    layers.bundled_functions(name)?.downcast_ref()
}

/// Converts the reason why the files of a trusted skill cannot be used.
#[cfg(unix)]
fn not_run(error: CheckError) -> NotRun {
    match error {
        CheckError::Untrusted(untrusted) => NotRun::from(*untrusted),
        CheckError::Copy(refused) => NotRun::Unpack(CacheError::Unusable { refused }),
        other => NotRun::Unpack(CacheError::Unusable { refused: other.to_string() }),
    }
}

impl Library for Layers {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        let skill = self.get(name)?;
        if let Some(functions) = bundle_of(self, name) {
            return functions.find(name);
        }
        let signature = self.signature(name)?;
        Some(Function {
            skill,
            input: &signature.input_tables,
            output: &signature.output_tables,
            prompt: signature.prompt_tree.as_ref(),
            pipeline: signature.plan.as_ref(),
        })
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        let skill = self.get(name)?;
        match bundle_of(self, name) {
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

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        let name = own.skill.name();
        let winner = self.is_in_bundle(name).then(|| self.typed_winner(own.skill))??;
        if winner.is(own.skill) { Some(own) } else { self.function(name) }
    }

    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        // For a skill on disk, the layer of the winning skill knows the exact path.
        let found = self.locate(skill.name()).filter(|_| !skill.is_bundled());
        found.and_then(|found| found.directory())
    }

    fn root(&self, skill: Skill<'_>) -> Option<PathBuf> {
        self.real_root(skill.name()).filter(|_| !skill.is_bundled()).map(Path::to_path_buf)
    }

    fn trust(&self, skill: Skill<'_>) -> Trust {
        if skill.is_bundled() && !skill.is_remote() {
            return Trust::Program;
        }
        self.locate(skill.name()).map_or(Trust::Untrusted, |found| found.trust)
    }

    fn hides(&self, name: &str) -> bool {
        self.owns(name)
    }

    fn shadowed(&self) -> Vec<(Skill<'_>, Option<Skill<'_>>)> {
        Self::shadowed(self).map(|found| (found.lost.skill, Some(found.won.skill))).collect()
    }

    fn granting(&self, grants: &Grants) -> Option<Arc<dyn Library>> {
        let grants = Arc::clone(grants);
        Some(Arc::new(Self::granting(self, move |capability| grants(capability))))
    }

    fn catalog_budget(&self) -> usize {
        self.catalog_budget()
    }

    fn untrusted(&self, name: &str) -> Option<Untrusted> {
        self.untrusted(name)
    }

    fn outranked(&self, name: &str) -> Option<Untrusted> {
        self.outranked(name)
    }

    fn checked_copy(&self, skill: Skill<'_>, options: &RunOptions) -> Result<Option<CheckedCopy>, NotRun> {
        self.check_trust(skill).map_err(|untrusted| NotRun::from(*untrusted))?;
        if !self.is_checked(skill) {
            return Ok(None);
        }
        #[cfg(unix)]
        {
            let scratch = options.cache.scratch().map_err(NotRun::Unpack)?;
            let directory = self.copy_checked(skill, scratch.path()).map_err(not_run)?;
            Ok(Some(CheckedCopy::new(directory, scratch)))
        }
        #[cfg(not(unix))]
        {
            let _ = options;
            self.check_in_place(skill).map_err(|untrusted| NotRun::from(*untrusted)).map(|()| None)
        }
    }

    fn not_found(&self, name: &str) -> NotFound {
        self.not_found(name)
    }
}
