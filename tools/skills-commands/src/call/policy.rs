//! Applies `--sandbox`, `--resource-limit` and `--env` to a runner.

use std::process::ExitCode;

use skills_call::Runner;

use crate::confined::Confined;

impl Confined {
    /// Gives a runner the policy of the arguments. For `own` and the errors, see [`change`](Self::change).
    pub fn give(&self, runner: Runner, own: bool) -> Result<Runner, ExitCode> {
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
