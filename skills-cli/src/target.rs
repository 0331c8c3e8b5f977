//! Where skills are installed: a directory by its path, or that of an agent (SPEC 9.4).

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use skills_registry::expand_home;
use skills_runtime::install::{Agent, Scope};

/// The target of an installation.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The directory that `skills/` lies in
    #[arg(long, value_name = "TARGET", required_unless_present = "agent", conflicts_with = "agent")]
    to: Option<PathBuf>,
    /// The agent whose directory it is
    #[arg(long, value_name = "AGENT", value_parser = agents())]
    agent: Option<Agent>,
    /// For all who work in the current directory, or for you in all directories
    #[arg(long, value_enum, default_value_t = For::Project, conflicts_with = "to")]
    scope: For,
}

/// For whom skills are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// The project: the current directory
    Project,
    /// The user: the home directory
    User,
}

fn agents() -> impl TypedValueParser<Value = Agent> {
    PossibleValuesParser::new(Agent::ALL.map(Agent::as_str))
        .try_map(|name| Agent::from_name(&name).ok_or("no such agent"))
}

impl Target {
    /// Returns the directory that `skills/` lies in.
    ///
    /// # Errors
    /// The scope is the user, and there is no home directory; or no target is given.
    pub(crate) fn path(&self) -> Result<PathBuf, String> {
        let home = std::env::home_dir();
        match (&self.to, self.agent, self.scope) {
            (Some(to), ..) => Ok(expand_home(to, home.as_deref())),
            (None, Some(agent), For::Project) => Ok(agent.target(Scope::Project("".as_ref()))),
            (None, Some(agent), For::User) => {
                let home = home.ok_or("there is no home directory: name the target by `--to`")?;
                Ok(agent.target(Scope::User(&home)))
            }
            (None, None, _) => Err("no target is given: name it by `--to` or `--agent`".to_owned()),
        }
    }
}
