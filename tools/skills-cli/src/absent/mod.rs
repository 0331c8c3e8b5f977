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
    format!("{what} is not part of this build; `cargo install cargo-skills --features {feature}` adds it")
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
