//! The `--sandbox`, `--resource-limit` and `--env` of the commands that run programs.

use std::process::ExitCode;

use clap::Args;
use skills_exec::{Confine, Confinement, Limits};

use crate::arguments::{named, one_of};
#[cfg(feature = "call")]
use crate::call::Runner;
use crate::terminal;

/// The limits of programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs")]
pub struct Confined {
    /// When to confine programs to the permissions that their skill requests [default: auto, or the policy of this
    /// program if it has one]
    #[arg(long, value_name = "WHEN", value_parser = one_of(named(WHEN, Confine::as_str)))]
    sandbox: Option<Confine>,
    /// Limit each process: memory=256M, cpu=10s, processes=16 or file-size=10M (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    resource_limit: Vec<String>,
    /// Pass a variable of this command's environment to every program, confined or not (repeatable)
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
}

/// When programs are confined.
const WHEN: [(Confine, &str); 3] = [
    (Confine::Auto, "Confine a skill that lists its permissions, or whose files are not trusted"),
    (Confine::Require, "Confine every program; refuse to run where that is not possible"),
    (Confine::Off, "Confine nothing"),
];

impl Confined {
    /// Returns the values of `--sandbox`, `--resource-limit` and `--env` as they were given.
    pub fn words(&self) -> [Vec<String>; 3] {
        let sandbox = self.sandbox.iter().map(Confine::to_string).collect();
        [sandbox, self.resource_limit.clone(), self.env.clone()]
    }

    /// Returns `true` if `--sandbox require` was given.
    pub fn is_required(&self) -> bool {
        self.sandbox == Some(Confine::Require)
    }

    /// Gives a runner the policy of the arguments. For `own` and the errors, see [`change`](Self::change).
    #[cfg(feature = "call")]
    pub fn apply_to(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        let mut changed = Ok(());
        let runner = runner.change_confinement(|policy| {
            self.change(policy.clone(), own).unwrap_or_else(|wrong| {
                changed = Err(wrong);
                policy
            })
        });
        changed.map(|()| runner)
    }

    /// Changes a policy according to the arguments. `own` is `true` if the program that has these commands
    /// set the policy.
    pub fn change(&self, policy: Confinement, own: bool) -> Result<Confinement, ExitCode> {
        let mut limits: Limits = policy.limits;
        for limit in &self.resource_limit {
            limits.set(limit).map_err(|reason| terminal::usage(format!("--resource-limit: {reason}")))?;
        }
        let otherwise = if own { policy.confine } else { Confine::Auto };
        let confine = self.sandbox.unwrap_or(otherwise);
        let policy = policy.confine(confine).limits(limits);
        if confine == Confine::Auto
            && let Some(lack) = Confinement::unavailable()
        {
            terminal::note(format_args!("programs of trusted skills run without a sandbox: {lack}"));
        }
        let mut policy = policy.offer(std::env::vars_os(), []);
        for name in &self.env {
            match std::env::var_os(name) {
                Some(value) => policy = policy.pass(name, value),
                None => terminal::note(format_args!("`--env {name}`: the variable is not set")),
            }
        }
        Ok(policy)
    }
}
