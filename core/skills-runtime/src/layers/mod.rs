//! Skills of a bundle, of directories and of servers as one set: the skills that a program lists, looks up, calls and shows
//! to a model.
//!
//! ```text
//! bundle | directory | server -> Layer… -> Layers (winners, shadowed, problems)
//! ```

mod function;
mod layer;
mod problem;
mod schemas;
mod winners;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_registry::{
    CATALOG_BUDGET, Hit, NotFound, Prompt, Registry, Skill, Style, ToolFormat, all_tools, ranked,
};
use skills_schema::Tables as Checker;

use crate::Bundle;
use crate::capabilities::Grants;
#[cfg(unix)]
use crate::trust::CheckError;
#[cfg(not(unix))]
use crate::trust::CheckFault;
use crate::trust::{Trust, TrustReason, Untrusted};
#[doc(hidden)]
pub use function::OwnedFunction;
pub use function::{Function, Functions, parse_json};
pub use layer::Origin;
// The loader makes layers of these.
#[doc(hidden)]
pub use layer::{BundleParts, Layer, LayerTrust, Store, TrustDecisions};
pub use problem::{Level, Problem};
use schemas::{Hidden, is_matched};
#[doc(hidden)]
pub use winners::{Position, Winners};

/// The maximum number of search results, the same as in a registry.
const MAX_HITS: usize = 32;

/// Selects skills: returns `true` for those that outside callers can use.
pub type Selection = Arc<dyn Fn(Skill<'_>) -> bool + Send + Sync>;

/// Ranks skills for a query, best first.
type Ranking = Arc<dyn for<'a> Fn(&str, &[Skill<'a>]) -> Vec<Hit<'a>> + Send + Sync>;

/// The skills of bundles, of directories and of servers as one set: a stack of layers, lowest first.
///
/// For each name, one skill *wins*, and hides the others of that name:
///
/// 1. The trusted skill of the highest layer wins (SPEC 1.6). Names that differ only in `-` and `_` are one name (SPEC 1.5).
/// 2. If no skill of the name is trusted, the untrusted one of the highest layer wins, so an untrusted skill never hides a
///    trusted one (SPEC 14.13).
/// 3. The winner is found by its own spelling only (SPEC 1.5).
/// 4. A *gated* skill, which requires a capability that the host does not grant, is not found, but it still hides others.
///    Otherwise a missing grant would bring an older skill back (SPEC 2.9).
/// 5. A typed call runs the skill of its own bundle, unless the winner is in the same merged set and has equal schemas
///    (SPEC 1.6, 6.6).
///
/// Besides the name, a look-up can leave out gated skills, skills that are not trusted, and skills that
/// [`only`](Self::only) excludes:
///
/// | Look-up | gated | untrusted | excluded | Used for |
/// |---|---|---|---|---|
/// | [`get`](Self::get), [`locate`](Self::locate), [`find`](Self::find), [`iter`](Self::iter), [`winners`](Self::winners), [`search`](Self::search) | no | no | no | outside callers |
/// | [`resolve`](Self::resolve), [`function`](Self::function), [`callee`](Self::callee), [`input_checker`](Self::input_checker) | no | no | yes | calls by name |
/// | [`typed_function`](Self::typed_function), [`typed_winner`](Self::typed_winner) | no | no | yes | typed calls |
/// | [`all`](Self::all), [`shadowed`](Self::shadowed) | yes | yes | no | reports to people |
/// | [`withheld`](Self::withheld), [`untrusted`](Self::untrusted) | no | only these | yes | reasons why a name is not found |
/// | [`outranked`](Self::outranked) | yes | only these | yes | a person who may mean a skill that does not win |
/// | [`trust`](Self::trust), [`directory`](Self::directory), [`root`](Self::root), [`check_trust`](Self::check_trust), [`is_checked`](Self::is_checked) | yes | yes | yes | exactly one skill, by its handle |
///
/// After [`for_display`](Self::for_display), the first three rows have untrusted skills too.
///
/// A bundle alone is converted without reading anything: `Layers::from(&SKILLS)`. `skills_load` reads directories. Clones
/// share the skills.
#[derive(Clone)]
pub struct Layers {
    stack: Arc<Stack>,
    /// The sets that were merged, by their layers.
    parts: Vec<Part>,
    /// The problems of all parts.
    problems: Arc<[Problem]>,
    /// The capabilities of the host, in addition to those of the parts.
    grants: Option<Grants>,
    /// Selects the skills for outside callers, in addition to the parts.
    selection: Option<Selection>,
    /// Ranks search results in place of the search by words.
    ranking: Option<Ranking>,
    /// Whether skills that are not trusted are found too.
    is_display: bool,
}

/// The layers as they were read.
struct Stack {
    layers: Vec<Arc<Layer>>,
    /// The merged names. `None` for a single bundle: it has its own order and hides nothing.
    winners: Option<Winners>,
    /// The functions of bundles that another skill hides.
    hidden: Vec<Hidden>,
}

/// Some of the layers, with the grants and the selection of the set that they come from.
#[derive(Clone)]
struct Part {
    /// The position after the last layer.
    end: usize,
    /// Whether [`Layers::merge`] added the part, so that [`Layers::replace`] keeps it.
    is_merged: bool,
    grants: Option<Grants>,
    selection: Option<Selection>,
    problems: Arc<[Problem]>,
}

/// A skill of a [`Layers`], with its layer.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// The source of its layer.
    pub origin: &'a Origin,
    /// Whether a required capability is refused, so that lists and look-ups leave it out.
    pub gated: bool,
    /// Whether and why it is trusted.
    pub trust: Trust,
}

impl Found<'_> {
    /// Returns `true` if the skill can be listed, found, run and shown to a model: it is trusted, and every
    /// capability that it requires is granted.
    pub fn is_offered(&self) -> bool {
        !self.gated && self.trust.may_run()
    }

    /// Returns `true` if the skill would be offered if it were trusted.
    pub fn is_withheld(&self) -> bool {
        !self.gated && !self.trust.may_run()
    }

    /// Returns the absolute path of the skill's directory, or `None` for a skill that is only in the program.
    pub fn directory(&self) -> Option<PathBuf> {
        self.origin.path().map(|root| join(root, self.skill.dir()))
    }

    fn to_untrusted(self, why: TrustReason) -> Untrusted {
        Untrusted {
            skill: self.skill.name().to_owned(),
            directory: self.directory().unwrap_or_default(),
            place: self.origin.path().cloned().unwrap_or_default(),
            why,
        }
    }
}

/// Returns the directory of a skill below a root. An empty path would add a slash to the end.
fn join(root: &Path, directory: &str) -> PathBuf {
    if directory.is_empty() { root.to_owned() } else { root.join(directory) }
}

/// A skill that is hidden by a skill of a higher layer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Shadowed<'a> {
    /// The hidden skill.
    pub lost: Found<'a>,
    /// The skill that hides it. Its name may differ in `-` and `_`.
    pub won: Found<'a>,
}

impl Stack {
    fn new(layers: Vec<Arc<Layer>>) -> Self {
        if let [only] = layers.as_slice()
            && only.own_bundle().is_some()
        {
            return Self { layers, winners: None, hidden: Vec::new() };
        }
        let names: Vec<_> = layers.iter().map(|layer| layer.names()).collect();
        let winners = Winners::new(&names);
        Self::with_winners(layers, winners)
    }

    fn with_winners(layers: Vec<Arc<Layer>>, mut winners: Winners) -> Self {
        // A source that several merged sets contain is not hidden by itself.
        winners.shadowed.retain(|(lost, _)| !is_repeated(&layers, lost.layer));
        let mut hidden = Vec::new();
        for bundle in layers.iter().filter_map(|layer| layer.bundle) {
            for own in bundle.registry.iter().filter(|own| own.mode().is_some()) {
                let winner = winners.find(own.name());
                if winner.is_some_and(|at| !layers[at.layer].registry().row(at.row).is(own)) {
                    hidden.push(Hidden::new(own));
                }
            }
        }
        Self { layers, winners: Some(winners), hidden }
    }

    /// Returns the position of the winner of a name. In merged layers, its own name may differ in `-` and `_`.
    fn winner(&self, name: &str) -> Option<Position> {
        match &self.winners {
            Some(winners) => winners.find(name),
            None => Some(Position { layer: 0, row: self.layers.first()?.find_row(name)? }),
        }
    }

    /// Returns the position of exactly this skill, whether it wins its name or not. If its bundle occurs more than once, this
    /// is the highest one.
    fn position(&self, skill: Skill<'_>) -> Option<Position> {
        let layer = self.layers.iter().rposition(|layer| layer.registry().contains(skill))?;
        Some(Position { layer, row: self.layers[layer].find_row(skill.name())? })
    }

    fn skill(&self, at: Position) -> Skill<'_> {
        self.layers[at.layer].registry().row(at.row)
    }
}

/// Returns `true` if a higher layer has the same source, such as the same bundle.
fn is_repeated(layers: &[Arc<Layer>], at: usize) -> bool {
    let own = &layers[at];
    layers[at + 1..].iter().any(|above| match (own.own_bundle(), above.own_bundle()) {
        (Some(own), Some(above)) => std::ptr::eq(own.registry, above.registry),
        (None, None) => own.origin == above.origin,
        _ => false,
    })
}

impl Layers {
    /// Combines layers, lowest first, with the winners of their names.
    #[doc(hidden)]
    pub fn new(layers: Vec<Layer>, winners: Winners) -> Self {
        Self::from_stack(Stack::with_winners(layers.into_iter().map(Arc::new).collect(), winners))
    }

    fn from_stack(stack: Stack) -> Self {
        let parts = vec![Part {
            end: stack.layers.len(),
            is_merged: false,
            grants: None,
            selection: None,
            problems: Arc::default(),
        }];
        Self {
            stack: Arc::new(stack),
            parts,
            problems: Arc::default(),
            grants: None,
            selection: None,
            ranking: None,
            is_display: false,
        }
    }

    /// Sets the problems that were found when the layers were read.
    #[doc(hidden)]
    pub fn with_problems(mut self, problems: Vec<Problem>) -> Self {
        if let [part] = self.parts.as_mut_slice() {
            part.problems = problems.into();
        }
        Self { problems: join_problems(&self.parts), ..self }
    }

    /// Returns the same skills for a host that has more capabilities: those that are already granted, and those
    /// for which `grants` returns `true`. It is called with `x` for `cap:x`.
    pub fn granting(mut self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.grants = either(self.grants, Some(Arc::new(grants)));
        self
    }

    /// Narrows the set to some skills: lists, look-ups and searches treat the others as missing. Skills may still call them.
    /// If this is called again, a skill must be accepted by both functions.
    pub fn only(mut self, selected: impl Fn(Skill<'_>) -> bool + Send + Sync + 'static) -> Self {
        self.selection = both(self.selection, Some(Arc::new(selected)));
        self
    }

    /// Replaces the ranking of searches, for lists, tools of models and routes. The search by words does not know that `bill`
    /// and `invoice` mean the same; a program with a model of embeddings does. `rank` gets the skills that may be found, and
    /// returns the matching skills, best first. It can call [`ranked`], the search by words, and combine both.
    ///
    /// ```
    /// use skills_runtime::{Hit, Registry, Skill, ranked};
    /// use skills_runtime::layers::Layers;
    /// # static SKILLS: Registry = Registry::new(skills_runtime::Tables::fixed(&[], &[]));
    ///
    /// /// The likeness of two texts: the product of their vectors, which a model of embeddings computes.
    /// fn likeness(_query: &str, _description: &str) -> f32 {
    ///     0.5
    /// }
    ///
    /// let layers = Layers::from(&SKILLS).ranked_by(|query, skills| {
    ///     let by_words = ranked(skills.iter().copied(), query);
    ///     let place = |skill: Skill<'_>| by_words.iter().position(|hit| hit.skill.name() == skill.name());
    ///     let score = |skill: Skill<'_>| {
    ///         likeness(query, skill.description()) + place(skill).map_or(0.0, |at| 1.0 / (at + 1) as f32)
    ///     };
    ///     let mut hits: Vec<Hit<'_>> = skills.iter().map(|skill| Hit::new(*skill, score(*skill))).collect();
    ///     hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    ///     hits
    /// });
    /// assert!(layers.search("a bill", &|_| true).is_empty(), "the bundle is empty");
    /// ```
    pub fn ranked_by(
        mut self,
        rank: impl for<'a> Fn(&str, &[Skill<'a>]) -> Vec<Hit<'a>> + Send + Sync + 'static,
    ) -> Self {
        self.ranking = Some(Arc::new(rank));
        self
    }

    /// Adds other layers above these ones. The grants and the narrowing of each set stay as they are. The ranking is that of
    /// the others, if they have one.
    pub fn merge(mut self, above: Self) -> Self {
        self.ranking = above.ranking.clone().or(self.ranking);
        let mut layers = self.stack.layers.clone();
        for mut part in above.to_parts() {
            part.end += layers.len();
            self.parts.push(Part { is_merged: true, ..part });
        }
        layers.extend(above.stack.layers.iter().cloned());
        self.stack = Arc::new(Stack::new(layers));
        self.problems = join_problems(&self.parts);
        self
    }

    /// Replaces the layers by others, which lie above the sets that were merged before. Those sets, the grants and the narrowing
    /// are kept.
    pub fn replace(self, other: Self) -> Self {
        let (mut layers, mut parts, mut start) = (Vec::new(), Vec::new(), 0);
        for part in self.parts {
            let own = start..part.end;
            start = part.end;
            if part.is_merged {
                layers.extend(self.stack.layers[own].iter().cloned());
                parts.push(Part { end: layers.len(), ..part });
            }
        }
        let below = layers.len();
        let own = other.to_parts().into_iter();
        parts.extend(own.map(|part| Part { end: part.end + below, is_merged: false, ..part }));
        let ranking = other.ranking.or(self.ranking);
        let mut stack = other.stack;
        if below > 0 {
            layers.extend(stack.layers.iter().cloned());
            stack = Arc::new(Stack::new(layers));
        }
        Self { stack, problems: join_problems(&parts), parts, ranking, ..self }
    }

    /// Returns the same skills for a command that only shows them to a person: skills that are not trusted are found too.
    /// Their programs do not run, and they are not in the [catalog](Self::prompt).
    #[must_use]
    pub fn for_display(&self) -> Self {
        Self { is_display: true, ..self.clone() }
    }

    /// Returns the parts, each with what applies to the whole set.
    fn to_parts(&self) -> Vec<Part> {
        let parts = self.parts.iter().map(|part| Part {
            end: part.end,
            is_merged: part.is_merged,
            grants: either(part.grants.clone(), self.grants.clone()),
            selection: both(part.selection.clone(), self.selection.clone()),
            problems: Arc::clone(&part.problems),
        });
        parts.collect()
    }

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
        self.positions()
            .filter(|at| self.is_selected(*at))
            .map(|at| self.found(at))
            .filter(|found| self.is_found(found))
    }

    /// Returns all winning skills, sorted by name, each with its layer. Gated and untrusted ones are included
    /// and marked.
    pub fn all(&self) -> impl Iterator<Item = Found<'_>> + Clone {
        self.positions().filter(|at| self.is_selected(*at)).map(|at| self.found(at))
    }

    /// Returns the skills that are hidden by a higher layer, each with the skill that hides it.
    pub fn shadowed(&self) -> impl Iterator<Item = Shadowed<'_>> {
        let shadowed = self.stack.winners.iter().flat_map(|winners| &winners.shadowed);
        let selected = shadowed.filter(|(lost, _)| self.is_selected(*lost));
        selected.map(|(lost, won)| Shadowed { lost: self.found(*lost), won: self.found(*won) })
    }

    /// Returns `true` if a bundle is one of the layers, or if its source directory is read in its place.
    #[doc(hidden)]
    pub fn has_bundle(&self, registry: &Registry) -> bool {
        let mut bundles = self.stack.layers.iter().filter_map(|layer| layer.bundle);
        bundles.any(|bundle| std::ptr::eq(bundle.registry, registry))
    }

    /// Finds a skill by its exact name. Gated and untrusted skills are not found.
    pub fn get(&self, name: &str) -> Option<Skill<'_>> {
        self.locate(name).map(|found| found.skill)
    }

    /// Finds a skill by its exact name, with its layer. Gated skills are not found.
    pub fn locate(&self, name: &str) -> Option<Found<'_>> {
        self.find_offered(name).filter(|at| self.is_selected(*at)).map(|at| self.found(at))
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

    /// Finds the skills that match a sentence and that `admits` accepts: at most 32, best first.
    /// Hidden, gated and untrusted skills are not found.
    pub fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        if let (None, None, [only]) = (&self.ranking, &self.stack.winners, self.stack.layers.as_slice()) {
            // A bundle has an index.
            let hits = only.registry().search_among(query, &|skill: Skill<'_>| {
                self.is_granted(0, skill) && self.selects_in(0, skill) && admits(skill)
            });
            return hits.collect();
        }
        let admitted: Vec<Skill<'_>> = self.iter().filter(|skill| admits(*skill)).collect();
        let mut hits = self.rank(query, &admitted);
        hits.truncate(MAX_HITS);
        hits
    }

    /// Ranks some of the skills for a query, best first: by [`ranked_by`](Self::ranked_by), or else by words.
    pub fn rank<'a>(&self, query: &str, skills: &[Skill<'a>]) -> Vec<Hit<'a>> {
        match &self.ranking {
            Some(rank) => rank(query, skills),
            None => ranked(skills.iter().copied(), query),
        }
    }

    /// Returns `true` if there are skills that outside callers cannot use.
    pub fn is_narrowed(&self) -> bool {
        self.selection.is_some() || self.parts.iter().any(|part| part.selection.is_some())
    }

    /// Returns `true` if the host has a capability for all skills.
    ///
    /// ```
    /// use skills_runtime::Registry;
    /// use skills_runtime::layers::Layers;
    /// use skills_runtime::tools::SkillTool;
    /// # static SKILLS: Registry = Registry::new(skills_runtime::Tables::fixed(&[], &[]));
    /// let layers = Layers::from(&SKILLS).granting(|capability| capability == "camera");
    /// let tool = SkillTool::granted(layers.iter(), &|capability| layers.grants(capability));
    /// assert!(tool.is_none(), "there is no skill");
    /// ```
    pub fn grants(&self, capability: &str) -> bool {
        self.grants.as_ref().is_some_and(|grants| grants(capability))
            || self.parts.iter().all(|part| part.grants.as_ref().is_some_and(|grants| grants(capability)))
    }

    /// Returns the problems of each merged set, lowest set first: layer by layer and sorted by path, followed by the skills
    /// that another skill of the same set hides. [`shadowed`](Self::shadowed) has those that another set hides, too.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the maximum size of the catalog in tokens: the budget of the highest bundle, or else 8,000.
    pub fn catalog_budget(&self) -> usize {
        let highest = self.stack.layers.iter().rev().find_map(|layer| layer.bundle);
        highest.map_or(CATALOG_BUDGET, |bundle| bundle.registry.catalog_budget())
    }

    /// Returns the catalog for a system prompt in the style `skills`; see [`prompt_with`](Self::prompt_with).
    pub fn prompt(&self) -> String {
        self.prompt_with(&Prompt::new(Style::Skills))
    }

    /// Returns the catalog for a system prompt, with the real paths of skills on disk. The budget of the
    /// prompt applies, or else the budget of the [layers](Self::catalog_budget). A capability is granted if
    /// the layers or the prompt grant it.
    pub fn prompt_with(&self, prompt: &Prompt<'_>) -> String {
        let offered = self.positions().filter(|at| {
            self.may_run(*at)
                && self.is_selected(*at)
                && !self
                    .stack
                    .skill(*at)
                    .is_gated(&|capability| self.grants_in(at.layer, capability) || prompt.grants(capability))
        });
        let skills = offered.map(|at| self.stack.skill(at));
        prompt.budget_or(self.catalog_budget()).grant(&|_| true).render(skills)
    }

    /// Returns the tool definitions of all functions for an API, as a JSON array, like
    /// [`Registry::all_tools`](crate::Registry::all_tools). This includes functions that cannot run here. The `tools` of a runner are only the tools
    /// that can run, and the tool that loads skills.
    pub fn all_tools(&self, format: ToolFormat) -> String {
        all_tools(self.iter(), format)
    }

    /// Finds the function that calls by a name run: a skill with a `skill.json`, or a program with a `schema`. Skills that
    /// are hidden from outside callers are found.
    pub fn callee(&self, name: &str) -> Option<Function<'_>> {
        self.function(name).or_else(|| {
            let skill = self.resolve(name)?;
            Function::from_program(skill, self.input_checker(name)?)
        })
    }

    /// Finds a skill with a `skill.json` by its exact name, also one that is hidden from outside callers.
    pub fn function(&self, name: &str) -> Option<Function<'_>> {
        if let (None, [only]) = (&self.stack.winners, self.stack.layers.as_slice()) {
            let function = only.bundle?.functions?.find(name)?;
            return self.is_granted(0, function.skill).then_some(function);
        }
        let at = self.find_offered(name)?;
        self.stack.layers[at.layer].function(at.row, self.stack.skill(at))
    }

    /// Finds the skill that calls from inside of a skill reach by a name, whether outside callers can use it or not.
    pub fn resolve(&self, name: &str) -> Option<Skill<'_>> {
        self.find_offered(name).map(|at| self.stack.skill(at))
    }

    /// Returns the checker of the input of a skill: of a function, or of a program with a `schema`.
    pub fn input_checker(&self, name: &str) -> Option<&Checker> {
        let at = self.find_offered(name)?;
        self.stack.layers[at.layer].input_checker(at.row, self.stack.skill(at))
    }

    /// Returns the function to run for a typed call of a function of a bundle; see [`typed_winner`](Self::typed_winner).
    pub fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        let winner = self.typed_winner(own.skill)?;
        if winner.is(own.skill) { Some(own) } else { self.function(winner.name()) }
    }

    /// Returns the skill to run for a typed call of a function of a bundle.
    ///
    /// This is the skill that won the name, if it comes from the same set of layers as the bundle, and if its input and
    /// output schemas equal the schemas of `own`, whose types the caller uses. Otherwise it is `own`. Returns `None` if the
    /// skill is not a function, if its bundle is not among the layers, or if the skill to run is gated.
    pub fn typed_winner<'a>(&'a self, own: Skill<'a>) -> Option<Skill<'a>> {
        own.mode()?;
        let layer = self.stack.layers.iter().rposition(|layer| layer.is_of_bundle(own))?;
        let winner = self.stack.winners.as_ref().and_then(|winners| winners.find(own.name()));
        let typed = winner.filter(|at| {
            self.part(at.layer) == self.part(layer)
                && self.may_run(*at)
                && is_matched(own, self.stack.skill(*at), &self.stack.hidden)
        });
        let (layer, skill) = typed.map_or((layer, own), |at| (at.layer, self.stack.skill(at)));
        self.is_granted(layer, skill).then_some(skill)
    }

    /// Returns the directory of a skill on disk, where its program runs. Returns `None` for a skill of a bundle or of a
    /// server, whose files are unpacked.
    pub fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        let at = self.find_on_disk(skill)?;
        let layer = &self.stack.layers[at.layer];
        match &layer.real {
            // Trust was decided for the files at the real path, and a link may lead elsewhere by now.
            Some(real) if layer.decisions().is_some() => Some(join(real, skill.dir())),
            _ => self.found(at).directory(),
        }
    }

    /// Returns the directory of skills from which a skill on disk was read, as its real path at that time. A sandbox opens
    /// the skill's directory only below this path.
    pub fn root(&self, skill: Skill<'_>) -> Option<PathBuf> {
        self.find_on_disk(skill).and_then(|at| self.stack.layers[at.layer].real.clone())
    }

    /// Returns how much the source of a skill is trusted. A skill that is neither in these layers nor in the program is not
    /// trusted.
    pub fn trust(&self, skill: Skill<'_>) -> Trust {
        if is_in_program(skill) {
            return Trust::Program;
        }
        self.stack.position(skill).map_or(Trust::Untrusted, |at| self.stack.layers[at.layer].trust(at.row))
    }

    /// Finds a skill by its exact name that is not offered only because it is not trusted. Programs show it
    /// to people, and never to a model.
    pub fn withheld(&self, name: &str) -> Option<Found<'_>> {
        let found = self.winner(name).map(|at| self.found(at))?;
        (found.is_withheld() && !self.is_display).then_some(found)
    }

    /// Finds an untrusted skill by its exact name, with the command that would make it trusted. Returns
    /// `None` for a trusted skill and for a gated one.
    pub fn untrusted(&self, name: &str) -> Option<Untrusted> {
        if self.stack.winner(name).is_none() {
            return self.find_lost(name);
        }
        let found = self.withheld(name)?;
        let at = self.winner(name)?;
        Some(found.to_untrusted(self.stack.layers[at.layer].reason(at.row)))
    }

    /// Finds an untrusted skill whose layer is above the layer of the skill that wins its name. A person who
    /// names the skill may mean either one.
    pub fn outranked(&self, name: &str) -> Option<Untrusted> {
        let won = self.find_offered(name)?;
        let shadowed = &self.stack.winners.as_ref()?.shadowed;
        let (lost, _) = shadowed
            .iter()
            .rev()
            .find(|(lost, by)| *by == won && lost.layer > won.layer && !self.may_run(*lost))?;
        Some(self.found(*lost).to_untrusted(self.stack.layers[lost.layer].reason(lost.row)))
    }

    /// Finds a skill that was trusted and no longer exists, for example because its directory was replaced by a link.
    fn find_lost(&self, name: &str) -> Option<Untrusted> {
        self.stack.layers.iter().find_map(|layer| {
            let (directory, why) = layer.decisions()?.find_lost(name)?;
            Some(Untrusted {
                skill: name.to_owned(),
                directory,
                place: layer.origin.path().cloned().unwrap_or_default(),
                why: TrustReason::Changed(why),
            })
        })
    }

    /// Returns `true` if the program of a skill may only run from files that are checked again right before: the
    /// user trusted exactly these files, or they must be signed.
    pub fn is_checked(&self, skill: Skill<'_>) -> bool {
        self.find_checked(skill).is_some()
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
        let at = self.find_checked(skill);
        let Some((at, decisions)) = at.and_then(|at| Some((at, self.stack.layers[at.layer].decisions()?)))
        else {
            return Err(CheckError::Copy(format!("`{}` has no digests to check", skill.name())));
        };
        let found = self.found(at);
        let real = self.stack.layers[at.layer].real.as_ref().map(|root| root.join(found.skill.dir()));
        let directory = real.or_else(|| found.directory()).unwrap_or_default();
        decisions
            .copy(at.row, &directory, to)
            .map_err(|fault| fault.name_skill(|why| found.to_untrusted(why)))
    }

    /// Checks the files of a [checked](Self::is_checked) skill where they are, on a system that cannot run a program
    /// from a private copy.
    ///
    /// # Errors
    /// The files have changed since they were trusted or signed.
    #[cfg(not(unix))]
    pub fn check_in_place(&self, skill: Skill<'_>) -> Result<(), Box<Untrusted>> {
        let at = self.find_checked(skill);
        let Some((at, decisions)) = at.and_then(|at| Some((at, self.stack.layers[at.layer].decisions()?)))
        else {
            return Ok(());
        };
        let found = self.found(at);
        decisions.check_in_place(at.row).map_err(|fault| {
            let why = match fault {
                CheckFault::Trust(why) => why,
                CheckFault::Copy(reason) => TrustReason::Changed(reason),
            };
            Box::new(found.to_untrusted(why))
        })
    }

    /// Checks, right before its program runs, that a skill is trusted. A skill which the user writes must still be in the
    /// directory whose edits are followed.
    ///
    /// # Errors
    /// It is not trusted, another directory has taken its place, or another user can have changed its files. A skill that is
    /// neither in these layers nor in the program is not trusted.
    pub fn check_trust(&self, skill: Skill<'_>) -> Result<(), Box<Untrusted>> {
        if is_in_program(skill) {
            return Ok(());
        }
        let Some(at) = self.stack.position(skill) else {
            return Err(Box::new(Untrusted {
                skill: skill.name().to_owned(),
                directory: PathBuf::new(),
                place: PathBuf::new(),
                why: TrustReason::Undecided,
            }));
        };
        let layer = &self.stack.layers[at.layer];
        let checked = match layer.decisions() {
            _ if !layer.trust(at.row).may_run() => Err(layer.reason(at.row)),
            Some(decisions) => decisions.check_followed(at.row),
            None => Ok(()),
        };
        checked.map_err(|why| Box::new(self.found(at).to_untrusted(why)))
    }

    /// Returns the position of exactly this skill, unless its files are in memory.
    fn find_on_disk(&self, skill: Skill<'_>) -> Option<Position> {
        if skill.is_bundled() { None } else { self.stack.position(skill) }
    }

    /// Returns the position of a skill whose files are checked before its program runs.
    fn find_checked(&self, skill: Skill<'_>) -> Option<Position> {
        let at = self.find_on_disk(skill)?;
        self.stack.layers[at.layer].decisions()?.is_fixed(at.row).then_some(at)
    }

    /// Returns the positions of the winning skills, sorted by name.
    fn positions(&self) -> impl Iterator<Item = Position> + Clone {
        let (merged, single) = match (&self.stack.winners, self.stack.layers.first()) {
            (Some(winners), _) => (winners.winners.as_slice(), 0),
            (None, Some(layer)) => (&[][..], u32::try_from(layer.registry().len()).unwrap_or(u32::MAX)),
            (None, None) => (&[][..], 0),
        };
        merged.iter().copied().chain((0..single).map(|row| Position { layer: 0, row }))
    }

    /// Returns the position of the skill with exactly this name, if it may run and is not gated.
    fn find_offered(&self, name: &str) -> Option<Position> {
        self.winner(name).filter(|at| self.is_found(&self.found(*at)))
    }

    /// Returns the position of the winner with exactly this name, whether it is offered or not.
    fn winner(&self, name: &str) -> Option<Position> {
        self.stack.winner(name).filter(|at| self.stack.skill(*at).name() == name)
    }

    /// Returns `true` if lists and look-ups find a skill.
    fn is_found(&self, found: &Found<'_>) -> bool {
        found.is_offered() || (self.is_display && !found.gated)
    }

    fn is_selected(&self, at: Position) -> bool {
        self.selects_in(at.layer, self.stack.skill(at))
    }

    fn selects_in(&self, layer: usize, skill: Skill<'_>) -> bool {
        let part = self.parts.get(self.part(layer)).and_then(|part| part.selection.as_ref());
        [part, self.selection.as_ref()].into_iter().flatten().all(|selects| selects(skill))
    }

    fn is_granted(&self, layer: usize, skill: Skill<'_>) -> bool {
        !skill.is_gated(&|capability| self.grants_in(layer, capability))
    }

    fn grants_in(&self, layer: usize, capability: &str) -> bool {
        let part = self.parts.get(self.part(layer)).and_then(|part| part.grants.as_ref());
        [part, self.grants.as_ref()].into_iter().flatten().any(|grants| grants(capability))
    }

    /// Returns the position of the part that a layer belongs to.
    fn part(&self, layer: usize) -> usize {
        self.parts.iter().take_while(|part| part.end <= layer).count()
    }

    fn may_run(&self, at: Position) -> bool {
        self.stack.layers[at.layer].trust(at.row).may_run()
    }

    fn found(&self, at: Position) -> Found<'_> {
        let (layer, skill) = (&self.stack.layers[at.layer], self.stack.skill(at));
        let gated = !self.is_granted(at.layer, skill);
        Found { skill, origin: &layer.origin, gated, trust: layer.trust(at.row) }
    }
}

/// Returns `true` if a skill is compiled into the program. A skill of a server is in memory too, but not trusted.
fn is_in_program(skill: Skill<'_>) -> bool {
    skill.is_bundled() && !skill.is_remote()
}

/// Returns the problems of all parts, lowest first.
fn join_problems(parts: &[Part]) -> Arc<[Problem]> {
    match parts {
        [only] => Arc::clone(&only.problems),
        parts => parts.iter().flat_map(|part| part.problems.iter().cloned()).collect(),
    }
}

/// Combines two grants: a capability is granted if one of them grants it.
fn either(one: Option<Grants>, other: Option<Grants>) -> Option<Grants> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Arc::new(move |capability| one(capability) || other(capability))),
        (one, other) => one.or(other),
    }
}

/// Combines two selections: a skill is selected if both select it.
fn both(one: Option<Selection>, other: Option<Selection>) -> Option<Selection> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Arc::new(move |skill| one(skill) && other(skill))),
        (one, other) => one.or(other),
    }
}

impl<B: Bundle + ?Sized> From<&'static B> for Layers {
    /// Creates the layers of one bundle. Nothing is read or merged.
    fn from(bundle: &'static B) -> Self {
        Self::from_stack(Stack::new(vec![Arc::new(Layer::from_bundle(BundleParts::new(bundle)))]))
    }
}

impl From<Arc<Layers>> for Layers {
    /// Shares the layers of a snapshot.
    fn from(layers: Arc<Layers>) -> Self {
        Arc::unwrap_or_clone(layers)
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter().map(Skill::name)).finish()
    }
}
