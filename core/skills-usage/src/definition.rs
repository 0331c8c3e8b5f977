//! Makes a [`CommandTree`] from the definition of a program that uses clap.

use std::any::TypeId;

use clap::{Arg, ArgAction, Command};

use crate::help::{deprecated, sentence, shown_examples};
use crate::tree::{Argument, ArgumentType, CommandTree, Flag, ValueCount, Values};

impl From<&Command> for CommandTree {
    /// Reads all commands with their flags and arguments.
    ///
    /// A command or a flag is deprecated if its help begins with "deprecated". A name in backquotes in that help,
    /// such as `--new`, is the replacement. A hidden alias of a flag is an old name.
    fn from(command: &Command) -> Self {
        let mut command = command.clone();
        command.build();
        let mut tree = tree(&command);
        let bin = command.get_bin_name().filter(|bin| *bin != tree.name);
        tree.aliases.extend(bin.map(str::to_owned));
        environment(&command, &mut tree.environment);
        tree.environment.sort();
        tree.environment.dedup();
        tree
    }
}

fn tree(command: &Command) -> CommandTree {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    // The text that `--help` prints.
    let help = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let help = help.unwrap_or_default();
    let (positional, flags): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().partition(|arg| arg.is_positional());
    CommandTree {
        name: command.get_name().to_owned(),
        aliases: command.get_all_aliases().map(str::to_owned).collect(),
        deprecated: deprecated(&about),
        open: command.is_allow_external_subcommands_set(),
        flags: flags.into_iter().map(flag).collect(),
        // What follows `--` is not checked.
        arguments: positional.into_iter().filter(|arg| !arg.is_last_set()).flat_map(arguments).collect(),
        commands: command.get_subcommands().map(tree).collect(),
        hidden: command.is_hide_set(),
        examples: shown_examples(&help, command.get_bin_name().unwrap_or(command.get_name())),
        about: sentence(about.lines().next().unwrap_or_default()),
        environment: Vec::new(),
    }
}

fn short_flag(letter: char) -> String {
    format!("-{letter}")
}

fn long_flag(name: &str) -> String {
    format!("--{name}")
}

fn flag(arg: &Arg) -> Flag {
    let mut names: Vec<String> = arg.get_long().into_iter().map(long_flag).collect();
    names.extend(arg.get_short().map(short_flag));
    names.extend(arg.get_visible_aliases().unwrap_or_default().into_iter().map(long_flag));
    names.extend(arg.get_visible_short_aliases().unwrap_or_default().into_iter().map(short_flag));
    let all = arg.get_all_aliases().unwrap_or_default().into_iter().map(long_flag);
    let old = all.chain(arg.get_all_short_aliases().unwrap_or_default().into_iter().map(short_flag));
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    Flag {
        old: old.filter(|name| !names.contains(name)).collect(),
        names,
        deprecated: deprecated(&help),
        takes: takes(arg),
        values: values(arg),
        required: arg.is_required_set(),
        global: arg.is_global_set(),
        about: sentence(help.lines().next().unwrap_or_default()),
        hidden: arg.is_hide_set(),
        value: value_name(arg),
        default: default(arg),
    }
}

fn takes(arg: &Arg) -> ValueCount {
    let range = arg.get_num_args();
    match range.map(|range| (range.min_values(), range.max_values())) {
        _ if !arg.get_action().takes_values() => ValueCount::Nothing,
        _ if arg.is_require_equals_set() => ValueCount::Joined,
        Some((0, 0)) => ValueCount::Nothing,
        Some((0, _)) => ValueCount::Optional,
        Some((1, 1)) | None => ValueCount::One,
        Some(_) => ValueCount::Many,
    }
}

fn value_name(arg: &Arg) -> String {
    let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    name.unwrap_or_else(|| arg.get_id().to_string())
}

/// Returns the default of a flag with values, unless its help does not show it.
fn default(arg: &Arg) -> String {
    if !arg.get_action().takes_values() || arg.is_hide_default_value_set() {
        return String::new();
    }
    let values = arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    values.collect::<Vec<_>>().join(",")
}

/// Returns the arguments of a definition: one for each value that the usage line names.
fn arguments(arg: &Arg) -> Vec<Argument> {
    let (least, most) = arg.get_num_args().map_or((1, 1), |range| (range.min_values(), range.max_values()));
    let names: Vec<String> = match arg.get_value_names().unwrap_or_default() {
        [] => vec![arg.get_id().to_string().to_uppercase(); least.max(1)],
        [name] => vec![name.to_string(); least.max(1)],
        names => names.iter().map(ToString::to_string).collect(),
    };
    let count = names.len();
    let is_repeated = most > count || matches!(arg.get_action(), ArgAction::Append);
    let named = names.into_iter().zip(1..).map(|(name, number)| Argument {
        name,
        required: arg.is_required_set() && least > 0,
        many: is_repeated && number == count,
        rest: arg.is_trailing_var_arg_set(),
        values: values(arg),
    });
    named.collect()
}

fn values(arg: &Arg) -> Values {
    let possible: Vec<_> = arg.get_possible_values();
    let names = possible.iter().flat_map(|value| value.get_name_and_aliases()).map(str::to_owned).collect();
    let kind = if possible.is_empty() { kind(arg) } else { ArgumentType::Text };
    Values {
        possible: names,
        delimiter: arg.get_value_delimiter(),
        kind,
        dashes: arg.is_allow_hyphen_values_set(),
        ignore_case: arg.is_ignore_case_set(),
    }
}

/// Returns the type of the values. A parser of the program may also accept other texts than numbers, such as `10k`.
/// To find out, this function tries some texts.
fn kind(arg: &Arg) -> ArgumentType {
    const OTHERS: [&str; 12] =
        ["x", "1k", "1K", "1s", "1m", "1MB", "1KiB", "50%", "auto", "all", "none", "latest"];
    let parser = arg.get_value_parser();
    let id = parser.type_id();
    macro_rules! is_one_of {
        ($($number:ty),+) => { [$(TypeId::of::<$number>()),+].iter().any(|number| id == *number) };
    }
    let is_integer = is_one_of!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
    let is_float = is_one_of!(f32, f64);
    let accepts = |value: &str| {
        let value_arg = Arg::new("value").allow_hyphen_values(true).value_parser(parser.clone());
        let command = Command::new("probe").no_binary_name(true).disable_help_flag(true).arg(value_arg);
        command.try_get_matches_from([value]).is_ok()
    };
    match (is_integer, is_float) {
        (true, _) if !OTHERS.into_iter().chain(["0.5"]).any(accepts) => ArgumentType::Integer,
        (_, true) if !OTHERS.into_iter().any(accepts) => ArgumentType::Number,
        _ => ArgumentType::Text,
    }
}

fn environment(command: &Command, names: &mut Vec<String>) {
    let of_flags = command.get_arguments().filter_map(|arg| arg.get_env()?.to_str());
    names.extend(of_flags.map(str::to_owned));
    command.get_subcommands().for_each(|command| environment(command, names));
}
