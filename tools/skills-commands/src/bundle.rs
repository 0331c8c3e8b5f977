//! The skills of a program, with the other facts that the commands need: the program's name, and the
//! capabilities that it grants.

use std::process::ExitCode;

use skills_install::Agent;
use skills_registry::Registry;
use skills_runtime::layers::Layers;

use crate::call::Runner;
use crate::client::Client;
use crate::failure;

/// The skills of a program, for [`BundleCommand::run_with`](crate::BundleCommand::run_with).
///
/// ```
/// # use skills_registry::{Registry, Tables};
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
/// let bundle = skills_commands::Bundle::new("my-agent", &SKILLS).grant(|capability| capability == "camera");
/// ```
#[must_use]
#[derive(Clone)]
pub struct Bundle<'a> {
    pub(crate) name: &'a str,
    pub(crate) registry: &'static Registry,
    pub(crate) layers: Layers,
    pub(crate) runner: Option<Runner>,
    pub(crate) version: Option<&'a str>,
    pub(crate) agents: Vec<Agent>,
}

impl<'a> Bundle<'a> {
    /// Names a program and its skills.
    ///
    /// The lock file of an installation identifies the skills by this name, so it must not change between
    /// versions.
    pub fn new(name: &'a str, registry: &'static Registry) -> Self {
        let layers = Layers::from(registry);
        Self { name, registry, layers, runner: None, version: None, agents: Vec::new() }
    }

    /// Sets the function that decides which capabilities the program has: it is called with `x` for `cap:x`.
    /// By default the program has no capability.
    pub fn grant(self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { layers: self.layers.granting(grants), ..self }
    }

    /// Sets the version of the program. `version` prints it beside the program's name, and MCP clients
    /// receive it. By default `version` prints no version, and MCP clients receive the version of this crate.
    pub fn version(self, version: &'a str) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Returns the skills with the capabilities of the runner that the program set.
    pub(crate) fn client(&self) -> Client<'_> {
        let program = self.runner.as_ref().map(|runner| runner.server_access().capabilities());
        Client { program, ..Client::new(&self.layers) }
    }

    /// Sets the agents that `install`, `status` and `uninstall` mean if the user names neither an agent nor a directory.
    /// By default the user must name one.
    ///
    /// ```
    /// # use skills_registry::{Registry, Tables};
    /// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
    /// use skills_install::Agent;
    /// let bundle = skills_commands::Bundle::new("my-agent", &SKILLS).agents([Agent::Claude]);
    /// ```
    pub fn agents(self, agents: impl IntoIterator<Item = Agent>) -> Self {
        Self { agents: agents.into_iter().collect(), ..self }
    }

    /// Returns the runner that the program set, or prints an error if there is none.
    pub(crate) fn own_runner(&self) -> Result<Runner, ExitCode> {
        let none = "the skills of this program cannot be called: it has no runner";
        self.runner.clone().ok_or_else(|| failure::error(none))
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
