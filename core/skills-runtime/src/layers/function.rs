//! Skills that can be called: the checkers of their inputs and outputs, their prompts and their pipelines.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use skills_registry::{Registry, Skill};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Invalid, Tables as Checker, insert_defaults, json, validate_str};
use skills_template::Tree;
use skills_template::pipeline::Pipeline;

use crate::Bundle;

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

/// A checker that accepts any JSON.
static ANY: LazyLock<Checker> = LazyLock::new(|| lower("true", &DocumentOptions::default()).tables);

impl<'a> Function<'a> {
    /// Converts a program of tier 3 and the checker of its `schema` into a function. Its output is whatever it
    /// prints. Returns `None` for any other skill.
    pub(super) fn from_program(skill: Skill<'a>, input: &'a Checker) -> Option<Self> {
        let is_program = skill.program().is_some() && skill.tier() == 3 && skill.mode().is_none();
        is_program.then(|| Self { skill, input, output: &ANY, prompt: None, pipeline: None })
    }

    /// Returns `true` if the skill runs as a pipeline.
    pub fn is_pipeline(&self) -> bool {
        self.pipeline.is_some()
    }

    /// Checks an input, which is JSON text, and adds its defaults.
    ///
    /// # Errors
    /// All violations of the schema.
    pub fn check_input(&self, input: String) -> Result<String, Invalid> {
        let changed = match insert_defaults(self.input, &input)? {
            Cow::Owned(changed) => Some(changed),
            Cow::Borrowed(_) => None,
        };
        Ok(changed.unwrap_or(input))
    }

    /// Checks an output, which is JSON text.
    ///
    /// # Errors
    /// All violations of the schema.
    pub fn check_output(&self, output: &str) -> Result<(), Invalid> {
        validate_str(self.output, output)
    }
}

/// Parses JSON text into a tree that templates can read.
///
/// # Errors
/// The text is not JSON.
pub fn parse_json(text: &str) -> Result<json::Node, Invalid> {
    json::parse(text).map_err(|error| Invalid::malformed(text, error))
}

/// The functions of a bundle, which generated code stores in a static.
#[derive(Clone, Copy)]
#[must_use]
pub struct Functions {
    registry: &'static Registry,
    functions: &'static [Function<'static>],
    programs: &'static [(Skill<'static>, Checker)],
}

impl Functions {
    /// Creates the functions of a bundle. They must be sorted by name.
    #[doc(hidden)]
    pub const fn new(registry: &'static Registry, functions: &'static [Function<'static>]) -> Self {
        Self { registry, functions, programs: &[] }
    }

    /// Adds the tier 3 skills that are not functions, each with the checker of its `schema`. They must be
    /// sorted by name.
    #[doc(hidden)]
    pub const fn programs(mut self, programs: &'static [(Skill<'static>, Checker)]) -> Self {
        self.programs = programs;
        self
    }

    /// Returns the registry of the skills that these functions belong to.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// Finds a function by its exact name, whether its capabilities are granted or not.
    pub fn find(&self, name: &str) -> Option<Function<'static>> {
        let at = self.functions.binary_search_by(|own| own.skill.name_bytes().cmp(name.as_bytes())).ok()?;
        self.functions.get(at).copied()
    }

    /// Returns the checker of the input of a skill: of a function, or of a program with a `schema`.
    pub(super) fn input_checker(&self, name: &str) -> Option<&'static Checker> {
        let program = self.programs.binary_search_by(|(own, _)| own.name_bytes().cmp(name.as_bytes()));
        match program.ok().and_then(|at| self.programs.get(at)) {
            Some((_, checker)) => Some(checker),
            None => Some(self.find(name)?.input),
        }
    }
}

impl crate::__Generated for Functions {}

impl Bundle for Functions {
    fn registry(&'static self) -> &'static Registry {
        self.registry
    }

    fn functions(&'static self) -> Option<&'static Functions> {
        Some(self)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions").field("registry", &self.registry).finish_non_exhaustive()
    }
}

/// The declarations of a skill that was read at run time, for which the tables of a registry have no space.
#[derive(Debug, Default)]
pub struct OwnedFunction {
    /// The checker of the input: of its `skill.json`, or else of the `schema` of its program.
    pub input: Option<Checker>,
    /// The checker of the output. Only a skill with a `skill.json` has one.
    pub output: Option<Checker>,
    /// The prompt of an `llm` skill.
    pub prompt: Option<Tree>,
    /// The steps of a `composite` skill.
    pub pipeline: Option<Pipeline>,
}

impl OwnedFunction {
    /// Returns the function of a skill, or `None` if the skill has no `skill.json`.
    pub(super) fn bind<'a>(&'a self, skill: Skill<'a>) -> Option<Function<'a>> {
        Some(Function {
            skill,
            input: self.input.as_ref()?,
            output: self.output.as_ref()?,
            prompt: self.prompt.as_ref(),
            pipeline: self.pipeline.as_ref(),
        })
    }
}
