//! All layers together: what a program lists, looks up and shows to a model.

use std::fmt;

use skills_core::catalog::Signature;
use skills_registry::{CATALOG_BUDGET, Hit, NotFound, Prompt, Skill, Style, order_hits};
use skills_schema::Tables;

use super::equal::{Hidden, is_matched};
use super::found::{Found, Shadowed};
use super::layer::{Function, Layer};
use super::merge::{At, Merged};
use super::problem::Problem;
use super::source::{Brought, Grants};
use crate::trust::{Doubt, Untrusted};

/// The skills of a bundle and of directories, read once; see the [module](super).
///
/// A skill of a higher layer hides one of the same name below it. One that asks for a capability which the host does
/// not grant is in no list and found by no look-up, but by [`all`](Self::all) (SPEC 2.9).
pub struct Layers {
    pub(super) layers: Vec<Layer>,
    pub(super) merged: Merged,
    pub(super) bundles: Vec<Brought>,
    /// The functions of the bundles that another skill hides.
    pub(super) hidden: Vec<Hidden>,
    pub(super) problems: Vec<Problem>,
    pub(super) grants: Option<Grants>,
}

impl Layers {
    /// Returns how many skills there are, without those that are gated.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Tells whether there is no skill.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the skills that won, sorted by name, without those that are gated or not trusted (SPEC 1.6, 1.8, 2.9, 14.10).
    pub fn iter(&self) -> impl Iterator<Item = Skill<'_>> + Clone {
        self.winners().map(|found| found.skill)
    }

    /// Returns the skills that won, sorted by name, each with its layer; without those that are gated or not trusted.
    pub fn winners(&self) -> impl Iterator<Item = Found<'_>> + Clone {
        self.all().filter(|found| !found.gated && found.trust.may_run())
    }

    /// Finds a skill by its exact name that nobody answers for, and says what to do so that it may run; nothing for one
    /// that may, and for one that is gated (SPEC 14.10).
    pub fn untrusted(&self, name: &str) -> Option<Untrusted> {
        let Some(at) = self.merged.winner(name) else { return self.lost(name) };
        let (found, layer) = (self.found(at), &self.layers[at.layer]);
        let is_meant = found.skill.name() == name && !found.gated && !found.trust.may_run();
        is_meant.then(|| untrusted(found, layer.word(at.row).why.clone()))
    }

    /// Finds a skill that was trusted and is not there any more, such as one whose directory is a link to elsewhere now.
    fn lost(&self, name: &str) -> Option<Untrusted> {
        self.layers.iter().find_map(|layer| {
            let (directory, why) = layer.lost(name)?;
            Some(Untrusted {
                skill: name.to_owned(),
                directory: directory.clone(),
                place: layer.origin.path().cloned().unwrap_or_default(),
                why: Doubt::Changed(why.to_owned()),
            })
        })
    }

    /// Asks again about a skill that is trusted, or signed, as its files were, right before its program runs: they may have
    /// changed since they were read (SPEC 14.12). Tells whether they must stay as they are.
    ///
    /// # Errors
    /// [`Untrusted`], when they have changed.
    pub fn recheck(&self, skill: Skill<'_>) -> Result<bool, Untrusted> {
        let Some(at) = self.at(skill.name()).filter(|_| !skill.is_bundled()) else { return Ok(false) };
        let word = self.layers[at.layer].word(at.row);
        word.recheck().map_err(|why| untrusted(self.found(at), why))
    }

    /// Returns all skills that won, sorted by name, each with its layer; those that are gated or not trusted are marked.
    pub fn all(&self) -> impl Iterator<Item = Found<'_>> + Clone {
        self.merged.winners.iter().map(|at| self.found(*at))
    }

    /// Returns the skills that are hidden by a higher layer, each with the one that hides it (SPEC 1.6).
    pub fn shadowed(&self) -> impl Iterator<Item = Shadowed<'_>> {
        self.merged
            .shadowed
            .iter()
            .map(|(lost, won)| Shadowed { lost: self.found(*lost), won: self.found(*won) })
    }

    /// Finds the skills that a sentence asks for among those that `admits` lets through, best first, 32 at most, by the index
    /// of each layer (SPEC 16.1, 16.3). What is hidden by a higher layer is not found, nor what is gated or not trusted.
    pub fn search_among(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        let won = |skill: Skill<'_>| self.get(skill.name()).is_some_and(|found| found.is(skill));
        let mut hits = Vec::new();
        for layer in &self.layers {
            hits.extend(layer.registry().search_among(query, &|skill| won(skill) && admits(skill)));
        }
        order_hits(&mut hits);
        hits.truncate(32);
        hits
    }

    /// Finds a skill by its exact name (SPEC 1.5); a gated one is not found (SPEC 2.9), nor one that is not trusted.
    pub fn get(&self, name: &str) -> Option<Skill<'_>> {
        self.locate(name).map(|found| found.skill)
    }

    /// Finds a skill by its exact name, with its layer; a gated one is not found.
    pub fn locate(&self, name: &str) -> Option<Found<'_>> {
        self.at(name).map(|at| self.found(at))
    }

    /// Finds a skill by its exact name, or says which there are.
    ///
    /// # Errors
    /// [`NotFound`] when no skill has the name, or the one that has it is gated (SPEC 8.3).
    pub fn find(&self, name: &str) -> Result<Skill<'_>, NotFound> {
        self.get(name).ok_or_else(|| self.not_found(name))
    }

    /// Says that there is no skill of this name, and which there are (SPEC 8.3).
    pub fn not_found(&self, name: &str) -> NotFound {
        NotFound::new(name, self.iter().map(Skill::name))
    }

    /// Returns how many tokens the catalog takes at most: what the highest bundle says, else 8,000 (SPEC 6.9).
    pub fn catalog_budget(&self) -> usize {
        self.bundles.last().map_or(CATALOG_BUDGET, |bundle| bundle.registry.catalog_budget())
    }

    /// Returns the catalog for a system prompt in the style `skills` (SPEC 8.1); see [`prompt_with`](Self::prompt_with).
    pub fn prompt(&self) -> String {
        self.prompt_with(&Prompt::new(Style::Skills))
    }

    /// Returns the skills that a model can call, as a JSON array of definitions for an interface (SPEC 6.3). Of the skills
    /// in the program those are among them that only a function of the host can run.
    #[cfg(any(feature = "tools", feature = "typed"))]
    pub fn tools(&self, format: skills_registry::ToolFormat) -> String {
        let texts: Vec<&str> = self.iter().filter_map(|skill| skill.tool(format)).collect();
        format!("[{}]", texts.join(","))
    }

    /// Returns the catalog for a system prompt (SPEC 8.1), with the real paths of skills on disk, within the budget of the
    /// prompt, else of the [layers](Self::catalog_budget). A capability is granted when the layers or the prompt grant it.
    pub fn prompt_with(&self, prompt: &Prompt<'_>) -> String {
        let grants = |capability: &str| self.grants(capability) || prompt.grants(capability);
        let trusted = self.all().filter(|found| found.trust.may_run());
        let skills = trusted.map(|found| found.skill).filter(|skill| !skill.is_gated(&grants));
        prompt.budget_or(self.catalog_budget()).grant(&|_| true).render(skills)
    }

    /// Tells whether the host has a capability, as [`Builder::grant`](super::Builder::grant) said (SPEC 2.9).
    ///
    /// ```
    /// use skills_runtime::{load::Layers, tools::SkillTool};
    /// let layers = Layers::builder().directory("no/such/dir").grant(|capability| capability == "camera").load()?;
    /// let tool = SkillTool::granted(layers.iter(), &|capability| layers.grants(capability));
    /// assert!(tool.is_none(), "there is no skill");
    /// # Ok::<(), skills_runtime::load::Unreadable>(())
    /// ```
    pub fn grants(&self, capability: &str) -> bool {
        self.grants.as_ref().is_some_and(|grants| grants(capability))
    }

    /// Returns everything that is wrong with the skills, layer by layer in the order of their paths, and then which skills
    /// are shadowed (SPEC 1.6, 1.7).
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the skill that a typed call of a function of the program runs (SPEC 1.6).
    ///
    /// That is the skill which won the name when its input and output schemas are equal to those of `own`, else `own`, whose
    /// types the caller knows. Nothing for a skill that is no function, or when the one to run is gated.
    pub fn typed_winner<'a>(&'a self, own: Skill<'a>) -> Option<Skill<'a>> {
        own.mode()?;
        let skill = self.typed_at(own).map_or(own, |at| self.skill(at));
        Some(skill).filter(|skill| !self.is_gated(*skill))
    }

    /// Where the skill is that won the name of one of the program, may run and has its schemas.
    pub(super) fn typed_at(&self, own: Skill<'_>) -> Option<At> {
        let winner = self.merged.winner(own.name()).filter(|at| self.may_run(*at))?;
        is_matched(own, self.skill(winner), &self.hidden).then_some(winner)
    }

    /// Returns what the `skill.json` of a skill on disk declares, ready to be called; nothing for a skill that is part of
    /// the program, for one that is no function, and for a name that is not found.
    pub fn signature(&self, name: &str) -> Option<&Signature> {
        self.function(name)?.signature.as_ref()
    }

    /// Returns the tables that check the input of a skill on disk: of its `skill.json`, else of the `schema` of its program
    /// (SPEC 3.2, 4.3).
    pub fn input_tables(&self, name: &str) -> Option<&Tables> {
        let function = self.function(name)?;
        let typed = function.signature.as_ref().map(|signature| &signature.input_tables);
        typed.or(function.schema.as_ref())
    }

    fn function(&self, name: &str) -> Option<&Function> {
        let at = self.at(name)?;
        self.layers[at.layer].functions.get(usize::try_from(at.row).ok()?)
    }

    /// Where the skill is that has exactly this name, may run and is not gated.
    pub(super) fn at(&self, name: &str) -> Option<At> {
        let at = self.merged.winner(name)?;
        let skill = self.skill(at);
        (skill.name() == name && self.may_run(at) && !self.is_gated(skill)).then_some(at)
    }

    pub(super) fn may_run(&self, at: At) -> bool {
        self.layers[at.layer].word(at.row).trust.may_run()
    }

    pub(super) fn skill(&self, at: At) -> Skill<'_> {
        self.layers[at.layer].registry().row(at.row)
    }

    fn found(&self, at: At) -> Found<'_> {
        let skill = self.skill(at);
        let layer = &self.layers[at.layer];
        Found { skill, origin: &layer.origin, gated: self.is_gated(skill), trust: layer.word(at.row).trust }
    }

    pub(super) fn is_gated(&self, skill: Skill<'_>) -> bool {
        skill.is_gated(&|capability| self.grants(capability))
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter().map(Skill::name)).finish()
    }
}

fn untrusted(found: Found<'_>, why: Doubt) -> Untrusted {
    Untrusted {
        skill: found.skill.name().to_owned(),
        directory: found.directory().unwrap_or_default(),
        place: found.origin.path().cloned().unwrap_or_default(),
        why,
    }
}
