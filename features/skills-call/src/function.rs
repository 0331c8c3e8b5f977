//! Skills as functions, and the [`Library`] trait that finds them in a bundle or in directories.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use skills_registry::{CATALOG_BUDGET, Hit, Mode, NotFound, Registry, Skill, ident_key, ranked};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{insert_defaults, json, validate_str};
use skills_template::{Tree, pipeline::Pipeline};

use super::CallError;
use skills_exec::{CheckedCopy, NotRun, Program, RunOptions};
use skills_runtime::Bundle;
use skills_runtime::capabilities::Grants;
use skills_runtime::trust::{Trust, Untrusted};
use skills_runtime::typed::{Checker, Invalid};

/// A skill with a `skill.json`, ready to run. The handle is cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The skill: its name, mode, limits and schemas.
    pub skill: Skill<'a>,
    /// The checker of the input schema.
    pub input: &'a Checker,
    /// The checker of the output schema.
    pub output: &'a Checker,
    /// The prompt of an `llm` skill.
    pub prompt: Option<&'a Tree>,
    /// The steps of a `composite` skill; `None` if the host runs it.
    pub pipeline: Option<&'a Pipeline>,
}

/// The maximum number of search results, the same as in a registry.
const MAX_HITS: usize = 32;

/// A checker that accepts any JSON.
static ANY: LazyLock<Checker> = LazyLock::new(|| lower("true", &DocumentOptions::default()).tables);

impl<'a> Function<'a> {
    /// Converts a program of tier 3 into a function. Its output is whatever it prints.
    pub(super) fn of_program(program: Program<'a>) -> Option<Self> {
        let Program { skill, input, .. } = program;
        let input = input.filter(|_| skill.tier() == 3 && skill.mode().is_none())?;
        Some(Self { skill, input, output: &ANY, prompt: None, pipeline: None })
    }

    /// Returns `true` if the skill runs as a pipeline.
    pub fn is_pipeline(&self) -> bool {
        self.pipeline.is_some() && self.skill.mode() != Some(Mode::Llm)
    }

    /// Checks an input, which is JSON text, and adds its defaults.
    ///
    /// # Errors
    /// [`CallError::InvalidInput`], with all violations.
    pub fn check_input(&self, input: String) -> Result<String, CallError> {
        let changed = match insert_defaults(self.input, &input)
            .map_err(|invalid| CallError::invalid_input(self.skill.name(), invalid))?
        {
            Cow::Owned(changed) => Some(changed),
            Cow::Borrowed(_) => None,
        };
        Ok(changed.unwrap_or(input))
    }

    /// Parses an input into a document for templates.
    pub(super) fn document(&self, input: &str) -> Result<json::Node, CallError> {
        parse_json(input).map_err(|invalid| CallError::invalid_input(self.skill.name(), invalid))
    }

    /// Checks an output, which is JSON text.
    ///
    /// # Errors
    /// [`CallError::InvalidOutput`], with all violations.
    pub fn check_output(&self, output: &str) -> Result<(), CallError> {
        validate_str(self.output, output)
            .map_err(|invalid| CallError::invalid_output(self.skill.name(), invalid))
    }
}

/// A source of functions: a bundle, or layers of bundles and directories.
///
/// Skills whose required capabilities the host has not granted are not included.
pub trait Library: Send + Sync + 'static {
    /// Finds a function by its exact name.
    fn function(&self, name: &str) -> Option<Function<'_>>;

    /// Finds the program of a skill by its exact name. If the skill is a function or its file has a `schema`,
    /// the result includes the checker of the input. With a checker, a program of tier 3 can be called as
    /// well.
    ///
    /// The default implementation has checkers only for functions.
    fn program(&self, name: &str) -> Option<Program<'_>> {
        Program::of(self.skill(name)?, self.function(name).map(|function| function.input))
    }

    /// Finds any skill by its exact name, whether it is a function or not.
    fn skill(&self, name: &str) -> Option<Skill<'_>>;

    /// Returns `true` if this library has a skill of this name, or of a name that differs only in `-` and `_`. It
    /// hides skills of these names in other libraries. This includes a skill whose required capability is not
    /// granted: otherwise another skill would run in its place. The default looks for a listed skill.
    fn hides(&self, name: &str) -> bool {
        self.skill(name).is_some() || is_among(self.skills(), name)
    }

    /// Returns the listed skills that are hidden by another skill of this library, each with the skill that hides it,
    /// if that skill is listed. The default, for a library with one layer, returns none.
    fn shadowed(&self) -> Vec<(Skill<'_>, Option<Skill<'_>>)> {
        Vec::new()
    }

    /// Returns the same library for a host with more capabilities: `grants` is called with `x` for `cap:x`.
    /// The default returns `None`: the library alone decides which capabilities are granted.
    fn granting(&self, _grants: &Grants) -> Option<Arc<dyn Library>> {
        None
    }

    /// Returns all skills, sorted by name.
    fn skills(&self) -> Vec<Skill<'_>>;

    /// Returns the skills that match a query, best first, at most 32. Only skills for which `admits` returns
    /// `true` are considered, and skills that the library does not list are never found.
    ///
    /// The default ranks all skills; a library with its own index should search that.
    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        let hits = ranked(self.skills(), query).into_iter();
        hits.filter(|hit| admits(hit.skill)).take(MAX_HITS).collect()
    }

    /// Finds the function for a typed call. Returns the function that [`Library::function`] finds if it has
    /// the same schemas as `own`, the function of the bundle; otherwise returns `own`. The default, for a
    /// library with one layer, calls [`Library::function`].
    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        self.function(own.skill.name())
    }

    /// Returns the directory of a skill on disk, where its program runs in place. Returns `None` for a skill
    /// that is part of the program, whose files are unpacked.
    ///
    /// The default uses [`Skill::location`].
    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        if skill.is_bundled() { None } else { Path::new(skill.location()).parent().map(Path::to_path_buf) }
    }

    /// Returns the canonical path, at load time, of the skills directory that a skill on disk was read from.
    /// A sandbox opens the skill's directory only below this path. The default returns `None`.
    fn root(&self, _skill: Skill<'_>) -> Option<PathBuf> {
        None
    }

    /// Returns how much the source of a skill of this library is trusted.
    ///
    /// By default, skills that are part of the program are trusted because of the program, and skills on disk
    /// because the user named their directory. Skills on servers are not trusted.
    fn trust(&self, skill: Skill<'_>) -> Trust {
        if skill.is_remote() {
            return Trust::Untrusted;
        }
        if skill.is_bundled() { Trust::Program } else { Trust::Named }
    }

    /// Returns the maximum size of the skill catalog in tokens; 8,000 by default.
    fn catalog_budget(&self) -> usize {
        CATALOG_BUDGET
    }

    /// Finds, by its exact name, a skill that is not listed because its source is not trusted. The result
    /// says how to trust it. The default returns `None`.
    fn untrusted(&self, _name: &str) -> Option<Untrusted> {
        None
    }

    /// Finds an untrusted skill of higher precedence than the skill with this name. A call by this name runs
    /// the trusted skill. A command that a person types is refused instead.
    fn outranked(&self, _name: &str) -> Option<Untrusted> {
        None
    }

    /// If the files of a skill must be the files that were trusted or signed, checks them again right before
    /// the program runs. Returns the private copy that was checked and from which the program runs. The
    /// default returns `None`: the program runs in the directory of its skill.
    ///
    /// # Errors
    /// [`NotRun`] if the files have changed since they were trusted, or if they cannot be copied.
    fn checked_copy(&self, _skill: Skill<'_>, _options: &RunOptions) -> Result<Option<CheckedCopy>, NotRun> {
        Ok(None)
    }

    /// Returns the error for an unknown name, which lists the existing skills.
    fn not_found(&self, name: &str) -> NotFound {
        NotFound::new(name, self.skills().into_iter().map(Skill::name))
    }
}

/// The functions of a bundle, which generated code stores in a static, and the capabilities of the host. Skills that
/// require other capabilities are not found.
#[derive(Clone)]
#[must_use]
pub struct Functions {
    registry: &'static Registry,
    functions: &'static [Function<'static>],
    programs: &'static [(Skill<'static>, Checker)],
    grants: Option<Grants>,
}

impl Functions {
    /// Creates the functions of a bundle. They must be sorted by name.
    pub const fn new(registry: &'static Registry, functions: &'static [Function<'static>]) -> Self {
        Self { registry, functions, programs: &[], grants: None }
    }

    /// Adds the tier 3 skills that are not functions, each with the checker of its `schema`. They must be
    /// sorted by name.
    pub const fn programs(mut self, programs: &'static [(Skill<'static>, Checker)]) -> Self {
        self.programs = programs;
        self
    }

    /// Returns the registry of the skills that these functions belong to.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// Grants capabilities to the skills: `grants` is called with `x` for `cap:x`, each time skills are
    /// listed or looked up. By default no capability is granted. Earlier grants are replaced.
    pub fn grant(self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { grants: Some(Arc::new(grants)), ..self }
    }

    fn is_open(&self, skill: Skill<'_>) -> bool {
        !skill.is_gated(&|capability| self.grants.as_ref().is_some_and(|grants| grants(capability)))
    }

    /// Finds a function, whether its capabilities are granted or not.
    pub(crate) fn find(&self, name: &str) -> Option<Function<'static>> {
        let at = self
            .functions
            .binary_search_by(|function| function.skill.name_bytes().cmp(name.as_bytes()))
            .ok()?;
        self.functions.get(at).copied()
    }

    pub(crate) fn program_of<'a>(&self, skill: Skill<'a>) -> Option<Program<'a>> {
        let schema =
            self.programs.binary_search_by(|(program, _)| program.name_bytes().cmp(skill.name_bytes()));
        let tables = schema.ok().and_then(|at| Some(&self.programs.get(at)?.1));
        Program::of(skill, tables.or_else(|| Some(self.find(skill.name())?.input)))
    }
}

impl Bundle for Functions {
    fn registry(&'static self) -> &'static Registry {
        Self::registry(self)
    }

    fn functions(&'static self) -> Option<&'static (dyn Any + Send + Sync)> {
        Some(self)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions").field("registry", &self.registry).finish_non_exhaustive()
    }
}

impl Library for Functions {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.find(name).filter(|function| self.is_open(function.skill))
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        self.program_of(self.skill(name)?)
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.registry.get(name).filter(|skill| self.is_open(*skill))
    }

    fn hides(&self, name: &str) -> bool {
        self.registry.get(name).is_some() || is_among(self.registry.iter(), name)
    }

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        self.function(own.skill.name()).filter(|found| found.skill.is(own.skill))
    }

    fn granting(&self, grants: &Grants) -> Option<Arc<dyn Library>> {
        let (own, more) = (self.grants.clone(), Arc::clone(grants));
        Some(Arc::new(self.clone().grant(move |capability: &str| {
            own.as_ref().is_some_and(|own| own(capability)) || more(capability)
        })))
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.registry.iter().filter(|skill| self.is_open(*skill)).collect()
    }

    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        self.registry.search_among(query, &|skill: Skill<'_>| self.is_open(skill) && admits(skill)).collect()
    }

    fn catalog_budget(&self) -> usize {
        self.registry.catalog_budget()
    }
}

/// Returns `true` if one of some skills has a name that differs from `name` only in `-` and `_`.
fn is_among<'a>(skills: impl IntoIterator<Item = Skill<'a>>, name: &str) -> bool {
    // Other names have only one spelling.
    name.contains(['-', '_']) && {
        let key = ident_key(name);
        skills.into_iter().any(|skill| skill.name().len() == key.len() && ident_key(skill.name()) == key)
    }
}

/// Parses JSON text into a tree that templates can read.
pub(super) fn parse_json(text: &str) -> Result<json::Node, Invalid> {
    json::parse(text).map_err(|error| Invalid::malformed(text, error))
}
