//! The skills of a program, with the other facts that the commands need: the program's name, and the
//! capabilities that it grants.

use std::process::ExitCode;

use skills_registry::{NotFound, Prompt, Registry};
use skills_runtime::capabilities::Capabilities;

use crate::call::Runner;
use crate::failure;
use crate::skill_source::{Grants, SkillEntry, SkillSource};

/// The skills of a program, for [`BundleCommand::run_with`](crate::BundleCommand::run_with).
///
/// ```
/// # use skills_registry::{Layout, Registry, write};
/// # let SKILLS = Registry::new(write(&[], Layout::Joined, 8_000)?.into_tables());
/// let bundle = skills_commands::Bundle::new("my-agent", &SKILLS).grant(&|capability| capability == "camera");
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[must_use]
#[derive(Clone)]
pub struct Bundle<'a> {
    pub(crate) name: &'a str,
    pub(crate) registry: &'a Registry,
    grants: Grants<'a>,
    pub(crate) runner: Option<Runner>,
    pub(crate) version: Option<&'a str>,
}

impl<'a> Bundle<'a> {
    /// Names a program and its skills.
    ///
    /// The lock file of an installation identifies the skills by this name, so it must not change between
    /// versions.
    pub fn new(name: &'a str, registry: &'a Registry) -> Self {
        Self { name, registry, grants: &|_| false, runner: None, version: None }
    }

    /// Sets the function that decides which capabilities the program has: it is called with `x` for `cap:x`.
    /// By default the program has no capability.
    pub fn grant(self, grants: &'a dyn Fn(&str) -> bool) -> Self {
        Self { grants, ..self }
    }

    /// Sets the version of the program. `version` prints it beside the program's name, and MCP clients
    /// receive it. By default `version` prints no version, and MCP clients receive the version of this crate.
    pub fn version(self, version: &'a str) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Returns the runner that the program set, or prints an error if there is none.
    pub(crate) fn own_runner(&self) -> Result<Runner, ExitCode> {
        let none = "the skills of this program cannot be called: it has no runner";
        self.runner.clone().ok_or_else(|| failure::error(none))
    }
}

impl SkillSource for Bundle<'_> {
    fn all(&self) -> Vec<SkillEntry<'_>> {
        self.registry.iter().map(|skill| SkillEntry::bundled(skill, self.grants)).collect()
    }

    fn offered(&self) -> Vec<SkillEntry<'_>> {
        self.all().into_iter().filter(|item| !item.gated).collect()
    }

    fn shadowed(&self) -> Vec<SkillEntry<'_>> {
        Vec::new()
    }

    fn find(&self, name: &str) -> Result<SkillEntry<'_>, NotFound> {
        let found = self.registry.get(name).map(|skill| SkillEntry::bundled(skill, self.grants));
        found.filter(|item| !item.gated).ok_or_else(|| self.registry.not_found(name, self.grants))
    }

    fn withheld(&self, _: &str) -> Option<SkillEntry<'_>> {
        None
    }

    fn is_untrusted(&self, _: &str) -> bool {
        false
    }

    fn capabilities(&self) -> Option<&dyn Capabilities> {
        self.runner.as_ref().map(Runner::capabilities)
    }

    fn prompt(&self, prompt: Prompt<'_>) -> String {
        self.registry.prompt_with(&prompt.grant(self.grants)).into_owned()
    }
}

impl std::fmt::Debug for Bundle<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Bundle")
            .field("name", &self.name)
            .field("registry", self.registry)
            .finish_non_exhaustive()
    }
}
