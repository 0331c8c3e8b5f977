//! The skills of a program, with the facts about them that the commands need: the program's name and the
//! capabilities that it grants.

#[cfg(feature = "call")]
use skills_call::Runner;
use skills_registry::Registry;

use crate::skill_source::{Grants, SkillSource};

/// The skills of a program, for [`BundleCommand::run_with`](crate::BundleCommand::run_with).
///
/// ```
/// # use skills_registry::{Layout, Registry, write};
/// # let SKILLS = Registry::new(write(&[], Layout::Joined, 8_000)?.into_tables());
/// let bundle = skills_cli::Bundle::new("my-agent", &SKILLS).grant(&|capability| capability == "camera");
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[must_use]
#[derive(Clone)]
pub struct Bundle<'a> {
    pub(crate) name: &'a str,
    pub(crate) registry: &'a Registry,
    grants: Grants<'a>,
    #[cfg(feature = "call")]
    pub(crate) runner: Option<Runner>,
    pub(crate) version: Option<&'a str>,
}

impl<'a> Bundle<'a> {
    /// Names a program and its skills.
    ///
    /// The lock file of an installation identifies the skills by this name, so it must not change between
    /// versions.
    pub fn new(name: &'a str, registry: &'a Registry) -> Self {
        Self {
            name,
            registry,
            grants: &|_| false,
            #[cfg(feature = "call")]
            runner: None,
            version: None,
        }
    }

    /// Sets the function that decides which capabilities the program has: it is called with `x` for `cap:x`.
    /// By default the program has no capability.
    pub fn grant(self, grants: &'a dyn Fn(&str) -> bool) -> Self {
        Self { grants, ..self }
    }

    /// Sets the runner that calls skills, such as `SKILLS.runner()` or `SKILLS.with(host)`. Without a runner,
    /// `call`, `mcp` and `serve` refuse to run.
    ///
    /// The runner knows its own skills and capabilities ([`Runner::grant`](skills_call::Runner::grant)). It
    /// works without the runtime of the program.
    #[cfg(feature = "call")]
    pub fn runner<B>(self, runner: Runner<B>) -> Self {
        Self { runner: Some(runner.untyped()), ..self }
    }

    /// Sets the version of the program. `version` prints it beside the program's name, and MCP clients
    /// receive it. By default `version` prints no version, and MCP clients receive the version of this crate.
    pub fn version(self, version: &'a str) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Returns the runner that the program set, or prints an error if there is none.
    #[cfg(feature = "call")]
    pub(crate) fn own_runner(&self) -> Result<Runner, std::process::ExitCode> {
        let none = "this program lets nobody call its skills: it has given no runner";
        self.runner.clone().ok_or_else(|| crate::failure::error(none))
    }

    pub(crate) fn skill_source(&self) -> SkillSource<'_> {
        #[cfg(feature = "call")]
        let capabilities = self.runner.as_ref().map(Runner::capabilities);
        #[cfg(not(feature = "call"))]
        let capabilities = None;
        SkillSource::Bundle(self.registry, self.grants, capabilities)
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
