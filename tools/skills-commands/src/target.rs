//! The directories where skills are installed: a directory named by its path, or the directory of an agent.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_install::{Agent, InstallOptions, Scope};
use skills_text::{UnknownName, nearest};

use crate::arguments::{Completed, expand_path};
use crate::failure::Ended;
use crate::{failure, terminal};

/// The target of an installation.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The directory that contains `skills/`
    #[arg(long, value_name = "TARGET", conflicts_with = "agent")]
    to: Option<PathBuf>,
    /// An agent that reads the skills (repeatable): claude, codex, generic, opencode, gemini, goose, cursor, copilot and
    /// others; `all` for every agent that is found on this machine, and `list` to print all names
    #[arg(
        long,
        value_name = "AGENT",
        value_delimiter = ',',
        value_parser = Completed { words: agent_words, parse: parse_agent },
        hide_possible_values = true
    )]
    agent: Vec<Wanted>,
    /// The agents that are meant if the arguments name no target.
    #[arg(skip)]
    pub(crate) default_agents: Vec<Agent>,
    /// Use the skills in the current project only, or in all of your projects
    #[arg(long, value_enum, default_value_t = For::Project, conflicts_with = "to")]
    scope: For,
}

/// For whom skills are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// The agent's directory in the current directory
    Project,
    /// The agent's directory in your home directory
    User,
}

/// The agents that are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    One(Agent),
    All,
    /// Print the names, and do nothing else.
    List,
}

/// Returns the words that `--agent` accepts, for completions.
fn agent_words() -> Vec<&'static str> {
    Agent::all().map(Agent::as_str).chain(["all", "list"]).collect()
}

fn parse_agent(name: &str) -> Result<Wanted, String> {
    match name {
        "all" => return Ok(Wanted::All),
        "list" => return Ok(Wanted::List),
        _ => {}
    }
    name.parse().map(Wanted::One).map_err(|_: UnknownName| {
        match nearest(name, Agent::all().map(Agent::as_str)) {
            Some(near) => format!("no such agent; did you mean `{near}`?"),
            None => "no such agent; `--agent list` prints all names".to_owned(),
        }
    })
}

/// Prints the names of all agents, sorted.
fn print_agents() -> ExitCode {
    let mut names: Vec<&str> = Agent::all().map(Agent::as_str).collect();
    names.sort_unstable();
    terminal::exact(&names.iter().map(|name| format!("{name}\n")).collect::<String>())
}

/// Prints how to name a target, and the agents that were found.
fn no_target(home: Option<&Path>, project: &Path) -> ExitCode {
    let code = terminal::usage("there is no target: name an agent with `--agent`, or use `--to`");
    let found: Vec<&str> =
        Agent::all().filter(|agent| agent.is_present(home, project)).map(Agent::as_str).collect();
    terminal::line("  --agent AGENT  the directory from which an agent reads skills");
    terminal::line("  --to TARGET    any other directory; the skills are in TARGET/skills");
    terminal::note(match found.as_slice() {
        [] => "no agent was found on this machine".to_owned(),
        found => format!("agents found on this machine: {}", found.join(", ")),
    });
    code
}

impl TargetArgs {
    /// Returns the directories that contain `skills/`: one directory, or the directory of each agent that is meant.
    pub fn paths(&self) -> Result<Vec<PathBuf>, ExitCode> {
        let home = std::env::home_dir();
        let project = Path::new("");
        if let Some(to) = &self.to {
            return Ok(vec![expand_path(to)]);
        }
        let mut agents: Vec<Agent> = Vec::new();
        if self.agent.is_empty() {
            if self.default_agents.is_empty() {
                return Err(no_target(home.as_deref(), project));
            }
            agents.extend(&self.default_agents);
        }
        for wanted in &self.agent {
            match wanted {
                Wanted::One(agent) => agents.push(*agent),
                Wanted::All => {
                    agents.extend(Agent::all().filter(|agent| agent.is_present(home.as_deref(), project)));
                }
                Wanted::List => return Err(print_agents()),
            }
        }
        if agents.is_empty() {
            return Err(terminal::usage("no agent was found on this machine; name one with `--agent`"));
        }
        let mut paths = Vec::new();
        for agent in agents {
            let path = self.path_of(agent, home.as_deref())?;
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        Ok(paths)
    }

    /// Runs an action at each target. If there are several targets, prints their names. Returns the worst
    /// exit code.
    pub fn each(&self, mut run: impl FnMut(&Path) -> ExitCode) -> Ended {
        let paths = self.paths()?;
        let mut code = ExitCode::SUCCESS;
        for path in &paths {
            if paths.len() > 1 {
                terminal::status(&format!("{}:", path.join("skills").display()));
            }
            let this = run(path);
            if this != ExitCode::SUCCESS {
                code = this;
            }
        }
        Ok(code)
    }

    /// Makes an installation refuse an agent's directory in the project if a link leads it out of the repository,
    /// because the authors of the repository chose the link. A directory that `--to` names, and directories in the
    /// home, are the user's own choice.
    pub fn confined(&self, options: InstallOptions) -> Result<InstallOptions, ExitCode> {
        if self.to.is_some() || self.scope == For::User {
            return Ok(options);
        }
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.map_err(|problem| failure::error(format!("the current directory: {problem}")))?;
        let repository = here.ancestors().find(|directory| directory.join(".git").exists());
        Ok(options.within(repository.unwrap_or(&here)))
    }

    fn path_of(&self, agent: Agent, home: Option<&Path>) -> Result<PathBuf, ExitCode> {
        match (self.scope, home) {
            (For::Project, _) => Ok(agent.target(Scope::Project("".as_ref()))),
            (For::User, Some(home)) => Ok(agent.target(Scope::User(home))),
            (For::User, None) => {
                Err(terminal::usage("the home directory is unknown; name the target with `--to`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 11.1: a program sets the agents that are meant without arguments, and arguments have precedence
    #[test]
    fn a_program_sets_its_default_agents() {
        let mut target = TargetArgs {
            to: None,
            agent: Vec::new(),
            scope: For::Project,
            default_agents: vec![Agent::Claude, Agent::Generic],
        };
        assert_eq!(target.paths(), Ok(vec![PathBuf::from(".claude"), PathBuf::from(".agents")]));
        target.agent = vec![Wanted::One(Agent::Generic)];
        assert_eq!(target.paths(), Ok(vec![PathBuf::from(".agents")]));
    }
}
