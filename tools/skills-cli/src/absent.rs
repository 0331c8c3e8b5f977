//! The commands and options that this build does not contain. Their replacements say how to get the real ones.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::terminal;

use crate::otlp::Otlp;

/// The arguments of a command that this build does not contain. All arguments are accepted.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Absent {
    #[arg(id = "absent", hide = true, num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
    rest: Vec<OsString>,
}

/// Says that this build lacks something, and how to get it.
pub(crate) fn missing_feature(what: &str, feature: &str) -> String {
    format!("{what} is not part of this build; install the command with `--features {feature}`")
}

/// Defines the module of a command, which a build may lack.
macro_rules! stand_in {
    ($module:ident, $Command:ident, $feature:literal) => {
        #[allow(dead_code, reason = "a build lacks only some of the commands")]
        pub(crate) mod $module {
            use super::{Absent, Args, Ended, ExitCode, Otlp, missing_feature, terminal};

            #[derive(Debug, Args)]
            pub(crate) struct $Command {
                #[command(flatten)]
                rest: Absent,
            }

            impl $Command {
                /// Prints that this build lacks the command, and returns exit code 2.
                pub(crate) fn run(&self) -> Ended {
                    let command = concat!("`skills ", stringify!($module), "`");
                    Err::<ExitCode, _>(terminal::usage(missing_feature(command, $feature)))
                }

                /// Returns `None`, because nothing is called.
                pub(crate) fn otlp(&self) -> Option<&Otlp> {
                    None
                }
            }
        }
    };
}

stand_in!(eval, Eval, "eval");
stand_in!(mcp, Mcp, "mcp");
stand_in!(pin, Pin, "mcp");
stand_in!(serve, Serve, "serve");

#[cfg(not(feature = "tokens"))]
/// The name of the method that counts tokens.
pub(crate) const TOKENIZER: &str = "an estimate: this command was built without a tokenizer";

/// Estimates the tokens of a text.
#[cfg(not(feature = "tokens"))]
pub(crate) fn tokens(text: &str) -> usize {
    skills_registry::estimated_tokens(text.len())
}

/// The options that name the model that grades. They are hidden.
#[cfg(all(feature = "eval", not(feature = "model")))]
#[derive(Debug, Args)]
pub(crate) struct Judge {
    #[arg(long, hide = true)]
    judge: Option<String>,
    #[arg(long, hide = true)]
    judge_base_url: Option<String>,
}

#[cfg(all(feature = "eval", not(feature = "model")))]
impl Judge {
    /// Returns the trial unchanged, or prints an error if an option is set.
    pub(crate) fn apply_to(&self, trial: skills_eval::Trial) -> Result<skills_eval::Trial, ExitCode> {
        match (&self.judge, &self.judge_base_url) {
            (None, None) => Ok(trial),
            _ => Err(terminal::usage(missing_feature("`--judge`", "model"))),
        }
    }
}

/// `--otlp`, without the feature of that name.
#[cfg(not(feature = "otlp"))]
pub(crate) mod otlp {
    use clap::Args;
    use skills_call::Runner;

    use skills_commands::failure::CommandError;

    use super::missing_feature;
    use crate::verbose::Part;

    /// The option, which is hidden.
    #[derive(Debug, Args)]
    pub(crate) struct Otlp {
        #[arg(long, hide = true)]
        otlp: Option<String>,
    }

    /// Replaces the trace export, which this build does not contain.
    pub(crate) enum Exporting {}

    impl Otlp {
        /// Returns `None`, or an error if the option is set.
        pub(crate) fn start(&self) -> Result<Option<(Exporting, Vec<Part>)>, CommandError> {
            if self.otlp.is_some() { Err(missing_feature("`--otlp`", "otlp").into()) } else { Ok(None) }
        }

        #[expect(clippy::unused_self, reason = "the real function has the same signature")]
        pub(crate) fn propagate(&self, runner: Runner) -> Runner {
            runner
        }
    }
}

/// Replaces the option `--mcp` in a build without the feature `mcp`.
#[cfg(not(feature = "mcp"))]
pub(crate) mod servers {
    use clap::Args;
    use skills_commands::failure::CommandError;
    use skills_load::LayersBuilder;

    #[derive(Debug, Args)]
    pub(crate) struct SkillServers {}

    impl SkillServers {
        pub(crate) fn is_empty(&self) -> bool {
            true
        }

        pub(crate) fn add(&self, builder: LayersBuilder) -> LayersBuilder {
            builder
        }

        pub(crate) fn identities(&self) -> impl Iterator<Item = (&str, String)> {
            std::iter::empty()
        }

        pub(crate) fn check(&self) -> Result<(), CommandError> {
            Ok(())
        }
    }

    /// The approval of skills of a server.
    pub(crate) mod approval {
        use std::path::PathBuf;
        use std::process::ExitCode;

        use skills_commands::failure::CommandError;
        use skills_load::trust::{TrustStore, TrustStoreError};

        use super::SkillServers;
        use crate::trust::Candidate;

        /// The use of a server, of which there is none.
        pub(crate) enum ServerUse {}

        impl ServerUse {
            pub(crate) fn lines(&self) -> Vec<String> {
                match *self {}
            }

            pub(crate) fn changes(&self, _: &TrustStore) -> Option<String> {
                match *self {}
            }

            pub(crate) fn is_approved(&self, _: &TrustStore) -> bool {
                match *self {}
            }

            pub(crate) fn approve(&self, _: &mut TrustStore) -> Result<(), TrustStoreError> {
                match *self {}
            }
        }

        pub(crate) fn uses<'s>(
            _: &'s SkillServers,
            _: &TrustStore,
        ) -> Result<Vec<(&'s str, ServerUse)>, CommandError> {
            Ok(Vec::new())
        }

        pub(crate) fn withdraw(_: &SkillServers, _: &mut TrustStore) -> Result<Vec<PathBuf>, CommandError> {
            Ok(Vec::new())
        }

        pub(crate) fn candidates(_: &SkillServers, _: &TrustStore) -> Result<Vec<Candidate>, CommandError> {
            Ok(Vec::new())
        }

        pub(crate) fn login(_: &SkillServers) -> Result<(), ExitCode> {
            Ok(())
        }

        pub(crate) fn forget(_: &SkillServers) -> Result<(), CommandError> {
            Ok(())
        }

        pub(crate) fn texts(_: &SkillServers, _: &TrustStore, _: &Candidate) -> String {
            String::new()
        }
    }

    /// The MCP servers of skills of mode `mcp`.
    pub(crate) mod tool_servers {
        use skills_call::Runner;

        /// Returns the runner as it is, because this build has no client.
        pub(crate) fn connect(runner: Runner) -> Runner {
            runner
        }
    }
}
