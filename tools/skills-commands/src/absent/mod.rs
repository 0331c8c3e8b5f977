//! Replacements for commands and options that this build does not contain. They say how to get the real ones.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use crate::terminal;

/// The arguments of a command that this build does not contain. All arguments are accepted.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Absent {
    #[arg(hide = true, num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
    rest: Vec<OsString>,
}

/// Defines a command, which a build may lack.
macro_rules! stand_in {
    ($Command:ident, $name:literal, $feature:literal) => {
        #[derive(Debug, clap::Args)]
        #[command(hide = true)]
        pub(crate) struct $Command {
            #[command(flatten)]
            rest: crate::absent::Absent,
        }

        impl $Command {
            /// Prints that a program that bundles skills lacks the command.
            pub(crate) fn run_in(&self, _: &crate::bundle::Bundle<'_>) -> crate::failure::Ended {
                Err(crate::absent::refuse(concat!("`", $name, "`"), $feature))
            }
        }
    };
}
#[cfg(not(feature = "call"))]
pub(crate) use stand_in;

#[cfg(not(feature = "mcp"))]
pub(crate) mod mcp {
    stand_in!(Channel, "mcp", "mcp");
}

#[cfg(not(feature = "serve"))]
pub(crate) mod serve {
    stand_in!(Listener, "serve", "serve");
}

/// Prints that the program was built without a feature, and returns exit code 2.
pub(crate) fn refuse(what: &str, feature: &str) -> ExitCode {
    terminal::usage(format!(
        "this program was built without {what}; build it with the feature `{feature}` to add it"
    ))
}

#[cfg(all(test, not(any(feature = "call", feature = "mcp", feature = "model", feature = "serve"))))]
mod tests {
    use std::process::ExitCode;

    use clap::FromArgMatches;
    use skills_registry::{Registry, Tables};

    use crate::BundleCommand;

    static NONE: Registry = Registry::new(Tables::fixed(&[], &[]));

    fn run(words: &[&str]) -> ExitCode {
        let command = <BundleCommand as clap::Subcommand>::augment_subcommands(clap::Command::new("agent"));
        let matches = command.try_get_matches_from([&["agent"], words].concat()).expect("accepted");
        BundleCommand::from_arg_matches(&matches).expect("a command").run(&NONE)
    }

    // SPEC 11.1: a command that is not built is hidden, takes any arguments and refuses with 2; the others work
    #[test]
    fn a_command_that_is_not_built_is_refused() {
        for command in ["call", "graph", "mcp", "serve"] {
            assert_eq!(run(&[command, "--any", "argument"]), ExitCode::from(2), "{command}");
        }
        assert_eq!(run(&["list"]), ExitCode::SUCCESS);
        let mut command =
            <BundleCommand as clap::Subcommand>::augment_subcommands(clap::Command::new("agent"));
        let help = command.render_help().to_string();
        assert!(help.contains("\n  list ") && !help.contains("\n  serve "), "{help}");
    }
}
