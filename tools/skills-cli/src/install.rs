//! `skills install`: installs the skills of directories.

use clap::Args;
use skills_commands::failure::{self, Ended};
use skills_commands::install;
use skills_install::InstallOptions;
use skills_sign::PublicKey;

use crate::origin::Origin;

#[derive(Debug, Args)]
pub(crate) struct InstallFrom {
    #[command(flatten)]
    skills: Origin,
    #[command(flatten)]
    command: install::Install,
    /// Install nothing unless every skill has a signature (skill.oms.sig) by this public key
    #[arg(long, value_name = "PUBLIC.pem", value_parser = crate::key::public)]
    require_signature: Option<PublicKey>,
}

impl InstallFrom {
    /// Installs the skills. Installs nothing if a directory has errors, or if no skill is trusted.
    pub(crate) fn run(&self) -> Ended {
        if self.command.target.paths()?.iter().any(|target| self.skills.holds(target)) {
            return Err(failure::error("the target is inside the source directory; choose another target"));
        }
        let registry = self.skills.registry()?;
        let none = || failure::error("nothing was installed, because of the errors above");
        let registry = registry.ok_or_else(none)?;
        // A directory without skills is an error, so all its skills were left out.
        if registry.is_empty() {
            return Err(failure::error(
                "nothing was installed, because no skill is trusted; run `skills trust DIR`",
            ));
        }
        let options = InstallOptions::new(&self.skills.name()?);
        let options = self.require_signature.iter().cloned().fold(options, InstallOptions::require_signature);
        self.command.run(&registry, options, None)
    }
}
