//! The skills that a command works on, as a client sees them: which of them it can call, and how lists show them.

use skills_registry::{NotFound, Skill, ident_key};
use skills_runtime::capabilities::{self, Capabilities};
use skills_runtime::layers::{Found, Layers};
use skills_runtime::listing::Listed;

/// A client of some skills. It has the capabilities that the program sets, or else only a model and MCP servers. With
/// `--host` it is treated like a program that has every function.
pub struct Client<'c> {
    pub layers: &'c Layers,
    /// The capabilities of the runner if the program sets a runner.
    pub program: Option<&'c dyn Capabilities>,
    pub has_host: bool,
}

impl<'c> Client<'c> {
    pub fn new(layers: &'c Layers) -> Self {
        Self { layers, program: None, has_host: false }
    }

    /// Returns a skill as lists show it, with the path of the skill that hides it. The entry also says whether the skill can
    /// be called, by the same check as `tools`.
    pub fn list_skill<'s>(&self, found: Found<'s>, shadowed_by: Option<String>) -> Listed<'s> {
        let missing_requires = missing_programs(found.skill);
        let (is_gated, is_untrusted) = (found.gated, !found.trust.may_run());
        let listed =
            Listed { is_gated, shadowed_by, is_untrusted, missing_requires, ..Listed::new(found.skill) };
        if is_gated || listed.shadowed_by.is_some() {
            return listed.backend(Err::<(), _>("nobody can call a skill that is gated or hidden"));
        }
        listed.backend(capabilities::backend_with_callees(self, found.skill))
    }

    /// Finds a skill for display: also one that is not trusted.
    ///
    /// # Errors
    /// No skill has the name.
    pub fn find(&self, name: &str) -> Result<Found<'c>, NotFound> {
        let found = self.layers.locate(name).or_else(|| self.layers.withheld(name));
        found.ok_or_else(|| self.layers.not_found(name))
    }
}

/// Returns the name of the skill that a user means by a name, which may have `-` for `_` and the other way round. At most one
/// skill wins such a name. Returns the given name if there is none.
pub fn own_spelling<'n>(layers: &'n Layers, name: &'n str) -> &'n str {
    if layers.get(name).is_some() || layers.untrusted(name).is_some() {
        return name;
    }
    let key = ident_key(name);
    let mut names = layers.all().filter(|found| !found.gated).map(|found| found.skill.name());
    names.find(|own| ident_key(own) == key).unwrap_or(name)
}

impl Capabilities for Client<'_> {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.layers.get(name).filter(|skill| skill.backend().is_some())
    }

    fn serves(&self, name: &str) -> bool {
        self.has_host || self.program.is_some_and(|program| program.serves(name))
    }

    fn has_model(&self) -> bool {
        self.program.is_none_or(Capabilities::has_model)
    }

    fn has_mcp(&self) -> bool {
        self.program.is_none_or(Capabilities::has_mcp)
    }

    fn is_untrusted(&self, name: &str) -> bool {
        self.layers.untrusted(name).is_some()
    }
}

/// Returns the programs that a skill requires and that this machine does not have.
pub(crate) fn missing_programs(skill: Skill<'_>) -> Vec<&str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    skill.missing_programs(&path).collect()
}
