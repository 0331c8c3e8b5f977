//! Spellings of earlier releases: they are accepted for one release, hidden from the help, with a warning.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::terminal;

/// The start of the help of a hidden argument that stands in for another.
const OLD: &str = "Old spelling of ";

/// Warns about each old spelling among the arguments: hidden aliases of options, and hidden arguments whose help
/// names the new spelling. `words` are the arguments as they were typed.
pub fn warn(command: &Command, matches: &ArgMatches, words: &[String]) {
    let (mut command, mut matches) = (command, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { return };
        (command, matches) = (found, below);
    }
    for argument in command.get_arguments() {
        for alias in hidden_aliases(argument) {
            let (long, with_value) = (format!("--{alias}"), format!("--{alias}="));
            let mut typed = words.iter().take_while(|word| *word != "--");
            if typed.any(|word| *word == long || word.starts_with(&with_value)) {
                let new = argument.get_long().unwrap_or_default();
                replaced(&long, &format!("`--{new}`"));
            }
        }
        if let Some(new) = replacement(argument)
            && matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
        {
            let old = argument.get_long().map_or_else(
                || argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect(),
                |long| format!("--{long}"),
            );
            replaced(&old, &new);
        }
    }
}

/// Returns the old names of an option.
fn hidden_aliases(argument: &Arg) -> Vec<&str> {
    let visible = argument.get_visible_aliases().unwrap_or_default();
    let all = argument.get_all_aliases().unwrap_or_default();
    all.into_iter().filter(|alias| !visible.contains(alias)).collect()
}

/// Returns what replaces a hidden argument.
fn replacement(argument: &Arg) -> Option<String> {
    let help = argument.get_help().filter(|_| argument.is_hide_set())?.to_string();
    help.strip_prefix(OLD).map(str::to_owned)
}

/// Warns that an argument was renamed.
pub fn replaced(old: &str, new: &str) {
    terminal::warning(format_args!(
        "`{old}` is now {new}; the next release no longer accepts the old spelling"
    ));
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::{hidden_aliases, replacement};

    // SPEC 11.26
    #[test]
    fn old_spellings_are_found_in_the_definitions() {
        let argument = Arg::new("bind").long("bind").alias("http").visible_alias("address");
        assert_eq!(hidden_aliases(&argument), ["http"]);
        assert_eq!(replacement(&argument), None);
        let old = Arg::new("old").long("dir").hide(true).help("Old spelling of DIR, by position");
        assert_eq!(replacement(&old).as_deref(), Some("DIR, by position"));
        assert_eq!(replacement(&Arg::new("absent").hide(true)), None);
        Command::new("x").arg(argument).arg(old).debug_assert();
    }
}
