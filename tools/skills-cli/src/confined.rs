//! The `--sandbox`, `--limit` and `--env` of the commands that run programs.

use std::process::ExitCode;

use clap::Args;
#[cfg(feature = "call")]
use skills_call::Runner;
use skills_exec::{Confine, Confinement, Limits};

use crate::choice::{Row, one_of};
use crate::terminal;

/// What programs may do.
#[derive(Debug, Args)]
pub(crate) struct Confined {
    /// Let programs do only what their skill asks for: `auto` where it says so or nobody answers for its files, `require`
    /// always [default: auto; what the program says, where it has a policy]
    #[arg(long, value_name = "WHEN", value_parser = one_of(WHEN))]
    sandbox: Option<Confine>,
    /// What each process may take: memory=256M, cpu=10s, processes=16, file-size=10M (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,
    /// Pass a variable of this command's environment to every program, confined or not (repeatable)
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
}

/// When programs are confined.
const WHEN: [Row<Confine>; 3] = [
    ("auto", "Where a skill says what it asks for, or nobody answers for its files", Confine::Auto),
    ("require", "Always; where that cannot be had, nothing runs", Confine::Require),
    ("off", "Never", Confine::Off),
];

impl Confined {
    /// Returns the values of `--sandbox`, `--limit` and `--env` as they were given.
    #[cfg(feature = "standalone")]
    pub(crate) fn words(&self) -> [Vec<String>; 3] {
        let sandbox = WHEN.into_iter().filter(|(.., confine)| Some(*confine) == self.sandbox);
        let sandbox = sandbox.map(|(word, ..)| word.to_owned()).collect();
        [sandbox, self.limit.clone(), self.env.clone()]
    }

    /// Changes a policy as the arguments say; `own` is whether the program that has these commands set it.
    pub(crate) fn change(&self, policy: Confinement, own: bool) -> Result<Confinement, ExitCode> {
        let mut limits: Limits = policy.limits;
        for limit in &self.limit {
            limits.set(limit).map_err(|reason| terminal::usage(format!("--limit: {reason}")))?;
        }
        let otherwise = if own { policy.confine } else { Confine::Auto };
        let confine = self.sandbox.unwrap_or(otherwise);
        let policy = policy.confine(confine).limits(limits);
        if confine == Confine::Auto
            && self.sandbox.is_some()
            && let Some(lack) = Confinement::lack()
        {
            terminal::line(&format!("note: programs of trusted skills run without a sandbox: {lack}"));
        }
        let mut policy = policy.offer(std::env::vars_os(), []);
        for name in &self.env {
            match std::env::var_os(name) {
                Some(value) => policy = policy.pass(name, value),
                None => terminal::line(&format!("note: `--env {name}`: the variable is not set")),
            }
        }
        Ok(policy)
    }

    /// Gives a runner the policy of the arguments; `own`, and what fails, as for [`change`](Self::change).
    #[cfg(feature = "call")]
    pub(crate) fn give(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
        let mut given = Ok(());
        let runner = runner.change_confinement(|policy| {
            self.change(policy.clone(), own).unwrap_or_else(|wrong| {
                given = Err(wrong);
                policy
            })
        });
        given.map(|()| runner)
    }
}
