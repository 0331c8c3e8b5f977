//! The skills of a program and what the commands must know of it: its name, and what it grants.

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
    /// The lock file of an installation knows the skills by the name, so it must stay the same from version to version
    /// (SPEC 9.1).
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

    /// Sets which capabilities the program has: it is asked about `x` for `cap:x` (default: none; SPEC 2.9).
    pub fn grant(self, grants: &'a dyn Fn(&str) -> bool) -> Self {
        Self { grants, ..self }
    }

    /// Sets what calls skills, such as `SKILLS.runner()` or `SKILLS.with(host)`; without it `call`, `mcp` and `serve`
    /// refuse.
    ///
    /// The runner knows its own skills and capabilities ([`Runner::grant`](skills_call::Runner::grant)); it works
    /// without the runtime of the program.
    #[cfg(feature = "call")]
    pub fn runner<B>(self, runner: Runner<B>) -> Self {
        Self { runner: Some(runner.untyped()), ..self }
    }

    /// Sets the version of the program that `version` prints and clients of MCP are told, beside its name (default: none,
    /// and to clients that of this crate).
    pub fn version(self, version: &'a str) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Returns what calls the skills; that there is nothing is told.
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
