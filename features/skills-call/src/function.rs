//! The functions that a runner calls, from a bundle or from disk.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use skills_registry::{CATALOG_BUDGET, Hit, Mode, NotFound, Registry, Skill, ranked};
use skills_schema::lower::{Options, lower};
use skills_schema::{insert_defaults, validate_str};
use skills_template::{Tree, pipeline::Pipeline};

use super::CallError;
use super::run::document::Document;
use skills_exec::Program;
use skills_runtime::Bundle;
use skills_runtime::trust::{Trust, Untrusted};
use skills_runtime::typed::Checker;

/// A skill with a `skill.json`, ready to run. A cheap handle: copy it.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The skill: its name, mode, limits and schemas.
    pub skill: Skill<'a>,
    /// The tables of the input's schema.
    pub input: &'a Checker,
    /// The tables of the output's schema.
    pub output: &'a Checker,
    /// The prompt of an `llm` skill.
    pub prompt: Option<&'a Tree>,
    /// The steps of a `composite` skill; none when the host runs it.
    pub pipeline: Option<&'a Pipeline>,
}

/// How many hits a search has at most, as that of a registry.
pub(crate) const MOST_HITS: usize = 32;

/// The tables that accept any JSON.
static ANY: LazyLock<Checker> = LazyLock::new(|| lower("true", &Options::default()).tables);

impl<'a> Function<'a> {
    /// Makes a function of a program of tier 3: its output is whatever it prints (SPEC 4.3, 6.3).
    pub(super) fn of_program(program: Program<'a>) -> Option<Self> {
        let Program { skill, input, .. } = program;
        let input = input.filter(|_| skill.tier() == 3 && skill.mode().is_none())?;
        Some(Self { skill, input, output: &ANY, prompt: None, pipeline: None })
    }

    /// Returns `true` if the skill is run by its pipeline.
    pub fn is_pipeline(&self) -> bool {
        self.pipeline.is_some() && self.skill.mode() != Some(Mode::Llm)
    }

    /// Checks an input, which is JSON text, and adds its defaults.
    ///
    /// # Errors
    /// [`CallError::InvalidInput`], with all that does not fit.
    pub fn check_input(&self, input: &str) -> Result<String, CallError> {
        let invalid = |invalid| CallError::InvalidInput { skill: self.skill.name().to_owned(), invalid };
        insert_defaults(self.input, input).map_err(invalid)
    }

    /// Reads an input, for templates to look into.
    pub(super) fn document(&self, input: &str) -> Result<Document, CallError> {
        let invalid = |invalid| CallError::InvalidInput { skill: self.skill.name().to_owned(), invalid };
        Document::parse(input).map_err(invalid)
    }

    /// Checks an output, which is JSON text.
    ///
    /// # Errors
    /// [`CallError::InvalidOutput`], with all that does not fit.
    pub fn check_output(&self, output: &str) -> Result<(), CallError> {
        let invalid = |invalid| CallError::InvalidOutput { skill: self.skill.name().to_owned(), invalid };
        validate_str(self.output, output).map_err(invalid)
    }
}

/// Where functions are looked up: a bundle, or layers of bundles and directories.
///
/// A skill that the host has not granted its capabilities is not in it (SPEC 2.9).
pub trait Library: Send + Sync + 'static {
    /// Finds a function by its exact name.
    fn function(&self, name: &str) -> Option<Function<'_>>;

    /// Finds the program of a skill by its exact name, with the tables of its input where there are any: those of the
    /// function, or of the file that `schema` names. With tables a program of tier 3 can be called, too (SPEC 6.3).
    ///
    /// The default knows the tables of functions.
    fn program(&self, name: &str) -> Option<Program<'_>> {
        Program::of(self.skill(name)?, self.function(name).map(|function| function.input))
    }

    /// Finds any skill by its exact name, function or not.
    fn skill(&self, name: &str) -> Option<Skill<'_>>;

    /// Returns all skills, sorted by name.
    fn skills(&self) -> Vec<Skill<'_>>;

    /// Finds the skills that a sentence asks for among those that `admits` lets through, best first, 32 at most (SPEC 16.3).
    /// Skills that the library does not list are not found.
    ///
    /// The default ranks all its skills; a library with an index of its own asks that.
    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        let hits = ranked(self.skills(), query).into_iter();
        hits.filter(|hit| admits(hit.skill)).take(MOST_HITS).collect()
    }

    /// Finds the function that a typed call means: `own`, which is that of the bundle, unless the one that
    /// [`Library::function`] finds has the same schemas (SPEC 1.6). The default, for a library of one layer, is that one.
    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        self.function(own.skill.name())
    }

    /// Returns the directory of a skill that lies on disk, where its program runs in place; nothing for one that is
    /// part of the program, whose files are unpacked (SPEC 7.4).
    ///
    /// The default reads it off [`Skill::location`].
    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        let location = skill.location();
        if location.starts_with("skill://") {
            None
        } else {
            Path::new(location).parent().map(Path::to_path_buf)
        }
    }

    /// Returns the real path of the directory of skills that a skill on disk was read from, as it was then. A sandbox opens
    /// the skill's directory only below it. The default knows none.
    fn root(&self, _skill: Skill<'_>) -> Option<PathBuf> {
        None
    }

    /// Returns who answers for the place that a skill of this library comes from (SPEC 14.8).
    ///
    /// The default: the program for one that is part of it, and for one on disk whoever named its directory.
    fn trust(&self, skill: Skill<'_>) -> Trust {
        if skill.is_bundled() { Trust::Program } else { Trust::Named }
    }

    /// Returns how many tokens the catalog of the skills takes at most (SPEC 6.9); 8,000 by default.
    fn catalog_budget(&self) -> usize {
        CATALOG_BUDGET
    }

    /// Finds a skill by its exact name that is in no list since nobody answers for the place it comes from, and says what to
    /// do so that it may run (SPEC 14.10). The default has none.
    fn untrusted(&self, _name: &str) -> Option<Untrusted> {
        None
    }

    /// Asks again about a skill of this library, right before its program runs (SPEC 14.12), and tells whether its
    /// files must stay as they are. The default has no doubts.
    ///
    /// # Errors
    /// [`Untrusted`], when its files are not what was trusted any more.
    fn recheck(&self, _skill: Skill<'_>) -> Result<bool, Untrusted> {
        Ok(false)
    }

    /// Creates the error for an unknown name, with the names of the skills.
    fn not_found(&self, name: &str) -> NotFound {
        NotFound::new(name, self.skills().into_iter().map(Skill::name))
    }
}

/// The functions of a bundle: what generated code holds in a static.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Functions {
    registry: &'static Registry,
    functions: &'static [Function<'static>],
    programs: &'static [(Skill<'static>, Checker)],
}

impl Functions {
    /// Makes the functions of a bundle; they are sorted by name.
    pub const fn new(registry: &'static Registry, functions: &'static [Function<'static>]) -> Self {
        Self { registry, functions, programs: &[] }
    }

    /// Adds the skills of tier 3 that are no functions, each with the tables of its `schema`; they are sorted by name.
    pub const fn programs(self, programs: &'static [(Skill<'static>, Checker)]) -> Self {
        Self { programs, ..self }
    }

    /// Returns the skills that these are functions of.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// Grants the skills the capabilities that the host has: it is asked about `x` for `cap:x`, each time skills are
    /// listed or looked up. Without this none is granted (SPEC 2.9).
    pub fn grant(self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Granted {
        Granted { functions: self, grants: Arc::new(grants) }
    }

    /// Finds a function, granted or not.
    pub(crate) fn find(&self, name: &str) -> Option<Function<'static>> {
        let at = self.functions.binary_search_by(|function| function.skill.name().cmp(name)).ok()?;
        self.functions.get(at).copied()
    }

    /// Finds the program of one of the skills.
    pub(crate) fn program_of<'a>(&self, skill: Skill<'a>) -> Option<Program<'a>> {
        let schema = self.programs.binary_search_by(|(program, _)| program.name().cmp(skill.name()));
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

impl Library for Functions {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.find(name).filter(|function| !function.skill.is_gated(&|_| false))
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        self.program_of(self.skill(name)?)
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.registry.get(name).filter(|skill| !skill.is_gated(&|_| false))
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.registry.iter().filter(|skill| !skill.is_gated(&|_| false)).collect()
    }

    fn catalog_budget(&self) -> usize {
        self.registry.catalog_budget()
    }
}

/// The functions of a bundle in a host that has capabilities; made by [`Functions::grant`].
#[derive(Clone)]
pub struct Granted {
    functions: Functions,
    grants: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Library for Granted {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.functions.find(name).filter(|function| !function.skill.is_gated(&*self.grants))
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        self.functions.program_of(self.skill(name)?)
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.functions.registry.get(name).filter(|skill| !skill.is_gated(&*self.grants))
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.functions.registry.iter().filter(|skill| !skill.is_gated(&*self.grants)).collect()
    }

    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        let is_open = |skill: Skill<'_>| !skill.is_gated(&*self.grants) && admits(skill);
        self.functions.registry.search_among(query, &is_open).collect()
    }

    fn catalog_budget(&self) -> usize {
        self.functions.registry.catalog_budget()
    }
}

impl fmt::Debug for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Granted").field("functions", &self.functions).finish_non_exhaustive()
    }
}
