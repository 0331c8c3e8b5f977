//! All layers together: the skills that a program lists, looks up and shows to a model.

use std::any::Any;
use std::fmt;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::Arc;

use skills_core::catalog::Signature;
use skills_registry::{CATALOG_BUDGET, Hit, NotFound, Prompt, Skill, Style, ranked};
use skills_schema::Tables;

use super::equal::{Hidden, is_matched};
use super::found::{Found, Shadowed};
use super::layer::BundleParts;
use super::layer::{Function, Layer};
use super::merge::{At, Merged};
use super::problem::Problem;
#[cfg(unix)]
use crate::trust::CheckError;
#[cfg(not(unix))]
use crate::trust::CheckFault;
use crate::trust::{TrustReason, Untrusted};
use skills_runtime::capabilities::Grants;

/// The skills of a bundle and of directories, read once. See the [module](super).
///
/// A skill of a higher layer hides a skill with the same name below it. A skill that requires a capability
/// the host does not grant is not listed and not found by look-ups, except by [`all`](Self::all).
///
/// Clones share the skills.
#[derive(Clone)]
pub struct Layers {
    pub(super) read: Arc<ReadLayers>,
    pub(super) problems: Arc<[Problem]>,
    pub(super) grants: Option<Grants>,
    /// Whether skills that are not trusted are found too.
    pub(super) is_display: bool,
}

/// The layers as they were read.
pub(super) struct ReadLayers {
    pub(super) layers: Vec<Layer>,
    pub(super) merged: Merged,
    pub(super) bundles: Vec<BundleParts>,
    /// The functions of bundles that another skill hides.
    pub(super) hidden: Vec<Hidden>,
}

impl Layers {
    /// Returns the number of skills, without gated ones.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns `true` if there are no skills.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the winning skills, sorted by name, without gated and untrusted ones.
    pub fn iter(&self) -> impl Iterator<Item = Skill<'_>> + Clone {
        self.winners().map(|found| found.skill)
    }

    /// Returns the winning skills, sorted by name, each with its layer, without gated and untrusted ones.
    pub fn winners(&self) -> impl Iterator<Item = Found<'_>> + Clone {
        self.all().filter(|found| self.is_found(found))
    }

    /// Finds a skill by its exact name that is not offered only because it is not trusted. Programs show it
    /// to people, and never to a model.
    pub fn withheld(&self, name: &str) -> Option<Found<'_>> {
        self.winner(name).map(|at| self.found(at)).filter(|found| found.is_withheld() && !self.is_display)
    }

    /// Finds an untrusted skill by its exact name, with the command that would make it trusted. Returns
    /// `None` for a trusted skill and for a gated one.
    pub fn untrusted(&self, name: &str) -> Option<Untrusted> {
        if self.read.merged.winner(name).is_none() {
            return self.lost(name);
        }
        let at = self.winner(name).filter(|at| self.found(*at).is_withheld() && !self.is_display)?;
        Some(untrusted(self.found(at), self.read.layers[at.layer].decision(at.row).why.clone()))
    }

    /// Finds an untrusted skill whose layer is above the layer of the skill that wins its name. A person who
    /// names the skill may mean either one.
    pub fn outranked(&self, name: &str) -> Option<Untrusted> {
        let won = self.at(name)?;
        let (lost, _) = self
            .read
            .merged
            .shadowed
            .iter()
            .rev()
            .find(|(lost, by)| *by == won && lost.layer > won.layer && !self.may_run(*lost))?;
        Some(untrusted(self.found(*lost), self.read.layers[lost.layer].decision(lost.row).why.clone()))
    }

    /// Returns `true` if a trusted skill has this name, or a name that differs only in `-` and `_`, even if a
    /// required capability is refused. Such a skill hides skills of other sources.
    #[doc(hidden)]
    pub fn owns(&self, name: &str) -> bool {
        self.read.merged.winner(name).is_some_and(|at| self.may_run(at))
    }

    /// Returns the same skills for a host that has more capabilities: those that the layers grant, and those
    /// for which `grants` returns `true`.
    pub fn granting(&self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let own = self.grants.clone();
        Self {
            grants: Some(Arc::new(move |capability: &str| {
                own.as_ref().is_some_and(|own| own(capability)) || grants(capability)
            })),
            ..self.clone()
        }
    }

    /// Returns the same skills for a command that only shows them to a person: skills that are not trusted are found too.
    /// Their programs do not run, and they are not in the [catalog](Self::prompt).
    #[must_use]
    pub fn for_display(&self) -> Self {
        Self { is_display: true, ..self.clone() }
    }

    /// Finds a skill that was trusted and no longer exists, for example because its directory was replaced by a link.
    fn lost(&self, name: &str) -> Option<Untrusted> {
        self.read.layers.iter().find_map(|layer| {
            let (directory, why) = layer.lost(name)?;
            Some(Untrusted {
                skill: name.to_owned(),
                directory: directory.clone(),
                place: layer.origin.path().cloned().unwrap_or_default(),
                why: TrustReason::Changed(why.to_owned()),
            })
        })
    }

    /// Returns `true` if the program of a skill may only run from files that are checked again right before: the
    /// user trusted exactly these files, or they must be signed.
    pub fn is_checked(&self, skill: Skill<'_>) -> bool {
        self.checked_at(skill).is_some()
    }

    /// Copies the files of a [checked](Self::is_checked) skill into the empty directory `to`, and checks the copy.
    /// Returns the directory of the skill in the copy, from which its program must run. Other skills are not
    /// copied.
    ///
    /// # Errors
    /// The files have changed since they were trusted or signed, they cannot be copied, or the skill is not a
    /// checked one.
    #[cfg(unix)]
    pub fn copy_checked(&self, skill: Skill<'_>, to: &Path) -> Result<PathBuf, CheckError> {
        let Some(at) = self.checked_at(skill) else {
            return Err(CheckError::Copy(format!("`{}` has no digests to check", skill.name())));
        };
        let (layer, found) = (&self.read.layers[at.layer], self.found(at));
        let real = layer.real.as_ref().map(|root| root.join(found.skill.dir()));
        let directory = real.or_else(|| found.directory()).unwrap_or_default();
        layer.decision(at.row).copy(&directory, to).map_err(|fault| fault.of_skill(found))
    }

    /// Checks the files of a [checked](Self::is_checked) skill where they are, on a system that cannot run a program
    /// from a private copy.
    ///
    /// # Errors
    /// The files have changed since they were trusted or signed.
    #[cfg(not(unix))]
    pub fn check_in_place(&self, skill: Skill<'_>) -> Result<(), Box<Untrusted>> {
        let Some(at) = self.checked_at(skill) else { return Ok(()) };
        let decision = self.read.layers[at.layer].decision(at.row);
        decision.check_in_place().map_err(|fault| {
            let why = match fault {
                CheckFault::Trust(why) => why,
                CheckFault::Copy(reason) => TrustReason::Changed(reason),
            };
            Box::new(untrusted(self.found(at), why))
        })
    }

    /// Checks, right before its program runs, that a skill is trusted. A skill which the user writes must still be in the
    /// directory whose edits are followed.
    ///
    /// # Errors
    /// It is not trusted, another directory has taken its place, or another user can have changed its files.
    pub fn check_trust(&self, skill: Skill<'_>) -> Result<(), Box<Untrusted>> {
        let Some(at) = self.at(skill.name()).filter(|_| !skill.is_bundled()) else { return Ok(()) };
        let decision = self.read.layers[at.layer].decision(at.row);
        let checked =
            if decision.trust.may_run() { decision.check_followed() } else { Err(decision.why.clone()) };
        checked.map_err(|why| Box::new(untrusted(self.found(at), why)))
    }

    /// Returns the position of a skill whose files are checked before its program runs.
    fn checked_at(&self, skill: Skill<'_>) -> Option<At> {
        if skill.is_bundled() {
            return None;
        }
        self.at(skill.name()).filter(|at| self.read.layers[at.layer].decision(at.row).is_fixed())
    }

    /// Returns all winning skills, sorted by name, each with its layer. Gated and untrusted ones are included
    /// and marked.
    pub fn all(&self) -> impl Iterator<Item = Found<'_>> + Clone {
        self.read.merged.winners.iter().map(|at| self.found(*at))
    }

    /// Returns the skills that are hidden by a higher layer, each with the skill that hides it.
    pub fn shadowed(&self) -> impl Iterator<Item = Shadowed<'_>> {
        self.read
            .merged
            .shadowed
            .iter()
            .map(|(lost, won)| Shadowed { lost: self.found(*lost), won: self.found(*won) })
    }

    /// Finds the skills that match a sentence and that `admits` accepts: at most 32, best first.
    /// Hidden, gated and untrusted skills are not found.
    pub fn search_among(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        let hits = ranked(self.iter(), query).into_iter();
        hits.filter(|hit| admits(hit.skill)).take(32).collect()
    }

    /// Finds a skill by its exact name. Gated and untrusted skills are not found.
    pub fn get(&self, name: &str) -> Option<Skill<'_>> {
        self.locate(name).map(|found| found.skill)
    }

    /// Finds a skill by its exact name, with its layer. Gated skills are not found.
    pub fn locate(&self, name: &str) -> Option<Found<'_>> {
        self.at(name).map(|at| self.found(at))
    }

    /// Finds a skill by its exact name, with an error that lists the available names.
    ///
    /// # Errors
    /// [`NotFound`] if no skill has the name, or if it is gated.
    pub fn find(&self, name: &str) -> Result<Skill<'_>, NotFound> {
        self.get(name).ok_or_else(|| self.not_found(name))
    }

    /// Creates the error for an unknown name, with the available names.
    pub fn not_found(&self, name: &str) -> NotFound {
        NotFound::new(name, self.iter().map(Skill::name))
    }

    /// Returns the maximum size of the catalog in tokens: the budget of the highest bundle, or else 8,000.
    pub fn catalog_budget(&self) -> usize {
        self.read.bundles.last().map_or(CATALOG_BUDGET, |bundle| bundle.registry.catalog_budget())
    }

    /// Returns the catalog for a system prompt in the style `skills`; see [`prompt_with`](Self::prompt_with).
    pub fn prompt(&self) -> String {
        self.prompt_with(&Prompt::new(Style::Skills))
    }

    /// Returns the tool definitions of all functions for an API, as a JSON array, like
    /// [`Registry::all_tools`](skills_registry::Registry::all_tools). This includes functions that cannot run
    /// here. The `tools` of a runner are only the tools that can run, and the tool that loads skills.
    pub fn all_tools(&self, format: skills_registry::ToolFormat) -> String {
        skills_registry::all_tools(self.iter(), format)
    }

    /// Returns the catalog for a system prompt, with the real paths of skills on disk. The budget of the
    /// prompt applies, or else the budget of the [layers](Self::catalog_budget). A capability is granted if
    /// the layers or the prompt grant it.
    pub fn prompt_with(&self, prompt: &Prompt<'_>) -> String {
        let skills = self
            .all()
            .filter(|found| {
                found
                    .is_offered_with(&|capability: &str| self.grants(capability) || prompt.grants(capability))
            })
            .map(|found| found.skill);
        prompt.budget_or(self.catalog_budget()).grant(&|_| true).render(skills)
    }

    /// Returns `true` if the host has a capability, according to [`Builder::grant`](super::Builder::grant).
    ///
    /// ```
    /// use skills_load::Layers;
    /// use skills_runtime::tools::SkillTool;
    /// let layers = Layers::builder().directory("no/such/dir").grant(|capability| capability == "camera").load()?;
    /// let tool = SkillTool::granted(layers.iter(), &|capability| layers.grants(capability));
    /// assert!(tool.is_none(), "there is no skill");
    /// # Ok::<(), skills_load::Unreadable>(())
    /// ```
    pub fn grants(&self, capability: &str) -> bool {
        self.grants.as_ref().is_some_and(|grants| grants(capability))
    }

    /// Returns all problems, layer by layer and sorted by path, followed by the shadowed skills.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the skill to run for a typed call of a function of the program.
    ///
    /// This is the skill that won the name, if its input and output schemas equal the schemas of `own`, whose
    /// types the caller uses. Otherwise it is `own`. Returns `None` if the skill is not a function, or if the
    /// skill to run is gated.
    pub fn typed_winner<'a>(&'a self, own: Skill<'a>) -> Option<Skill<'a>> {
        own.mode()?;
        let skill = self.typed_at(own).map_or(own, |at| self.skill(at));
        Some(skill).filter(|skill| !skill.is_gated(&|capability| self.grants(capability)))
    }

    /// Returns the position of the skill that won the name of a skill of the program, if it may run and has
    /// the same schemas.
    pub(super) fn typed_at(&self, own: Skill<'_>) -> Option<At> {
        let winner = self.read.merged.winner(own.name()).filter(|at| self.may_run(*at))?;
        is_matched(own, self.skill(winner), &self.read.hidden).then_some(winner)
    }

    /// Returns the declarations in the `skill.json` of a skill on disk, ready to be called. Returns `None`
    /// for a skill of the program, for a skill that is not a function, and for an unknown name.
    pub fn signature(&self, name: &str) -> Option<&Signature> {
        self.function(name)?.signature.as_ref()
    }

    /// Returns the tables that check the input of a skill on disk. They come from its `skill.json` or else
    /// from the `schema` of its program.
    pub fn input_tables(&self, name: &str) -> Option<&Tables> {
        let function = self.function(name)?;
        let typed = function.signature.as_ref().map(|signature| &signature.input_tables);
        typed.or(function.schema.as_ref())
    }

    /// Returns the directory of skills from which the winner of a name was read, as its real path at that time.
    #[doc(hidden)]
    pub fn real_root(&self, name: &str) -> Option<&Path> {
        self.read.layers.get(self.at(name)?.layer)?.real.as_deref()
    }

    /// Returns the functions of the bundle that the winner of a name is part of.
    #[doc(hidden)]
    pub fn bundled_functions(&self, name: &str) -> Option<&'static (dyn Any + Send + Sync)> {
        self.read.layers.get(self.at(name)?.layer)?.bundle?.functions
    }

    /// Returns `true` if a bundle among the layers has a skill of this name.
    #[doc(hidden)]
    pub fn is_in_bundle(&self, name: &str) -> bool {
        self.read.bundles.iter().any(|bundle| bundle.registry.get(name).is_some())
    }

    fn function(&self, name: &str) -> Option<&Function> {
        let at = self.at(name)?;
        self.read.layers[at.layer].functions.get(usize::try_from(at.row).ok()?)
    }

    /// Returns the position of the skill with exactly this name, if it may run and is not gated.
    pub(super) fn at(&self, name: &str) -> Option<At> {
        self.winner(name).filter(|at| self.is_found(&self.found(*at)))
    }

    /// Returns `true` if lists and look-ups find a skill.
    fn is_found(&self, found: &Found<'_>) -> bool {
        found.is_offered() || (self.is_display && !found.gated)
    }

    /// Returns the position of the winner with exactly this name, whether it is offered or not.
    fn winner(&self, name: &str) -> Option<At> {
        self.read.merged.winner(name).filter(|at| self.skill(*at).name() == name)
    }

    pub(super) fn may_run(&self, at: At) -> bool {
        self.read.layers[at.layer].decision(at.row).trust.may_run()
    }

    pub(super) fn skill(&self, at: At) -> Skill<'_> {
        self.read.layers[at.layer].registry().row(at.row)
    }

    fn found(&self, at: At) -> Found<'_> {
        let skill = self.skill(at);
        let layer = &self.read.layers[at.layer];
        Found {
            skill,
            origin: &layer.origin,
            gated: skill.is_gated(&|capability| self.grants(capability)),
            trust: layer.decision(at.row).trust,
        }
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter().map(Skill::name)).finish()
    }
}

pub(crate) fn untrusted(found: Found<'_>, why: TrustReason) -> Untrusted {
    Untrusted {
        skill: found.skill.name().to_owned(),
        directory: found.directory().unwrap_or_default(),
        place: found.origin.path().cloned().unwrap_or_default(),
        why,
    }
}
