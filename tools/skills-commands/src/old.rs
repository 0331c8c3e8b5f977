//! Spellings of earlier releases. They are accepted with a warning for one release, and are hidden from the
//! help.

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
        for (old, new) in spellings(argument) {
            let with_value = format!("{old}=");
            let mut typed = words.iter().take_while(|word| *word != "--");
            let is_typed = match argument.is_hide_set() {
                true => matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine),
                false => typed.any(|word| *word == old || word.starts_with(&with_value)),
            };
            if is_typed {
                replaced(&old, &new);
            }
        }
    }
}

/// Returns the old spellings of an argument, each with the new one.
pub fn spellings(argument: &Arg) -> Vec<(String, String)> {
    let long = argument.get_long();
    let names = || argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let own = || long.map_or_else(names, |long| format!("--{long}"));
    match replacement(argument) {
        Some(new) => vec![(own(), new)],
        None => {
            let aliases = hidden_aliases(argument).into_iter();
            aliases.map(|alias| (format!("--{alias}"), format!("`{}`", own()))).collect()
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
