//! Reads the help text of a command, as clap, cobra, argparse and similar libraries print it. `skills check
//! --print-commands` runs the program for each text; this module only parses the texts.

use std::error::Error;
use std::fmt;

use crate::tree::{Argument, CommandTree, Flag, ValueCount, Values};

/// How many help texts are read, and how deep commands may be nested.
const MAX_TEXTS: usize = 400;
const DEEPEST: usize = 5;

/// The reason why a program has no usable help text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HelpError {
    /// This program prints nothing.
    Empty(String),
    /// The help text of this program lists neither flags nor commands.
    NoCommands(String),
}

impl fmt::Display for HelpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(program) => write!(f, "`{program} --help` prints nothing"),
            Self::NoCommands(program) => {
                write!(f, "the output of `{program} --help` does not list flags or commands")
            }
        }
    }
}

impl Error for HelpError {}

/// Returns all commands of a program. `ask` returns the help text of a command, given by the names below the program;
/// `None` if there is none. It is called at most 400 times.
///
/// # Errors
/// If the program has no usable help text.
pub fn read(program: &str, ask: &mut dyn FnMut(&[&str]) -> Option<String>) -> Result<CommandTree, HelpError> {
    let text = ask(&[]).ok_or_else(|| HelpError::Empty(program.to_owned()))?;
    let mut root = parse(program, &text);
    if root.flags.is_empty() && root.commands.is_empty() {
        return Err(HelpError::NoCommands(program.to_owned()));
    }
    root.about = about(&text);
    root.examples = shown_examples(&text, program);
    let mut left = MAX_TEXTS;
    below(&mut root, &text, &mut vec![program.to_owned()], &mut left, ask);
    Ok(root)
}

/// Returns the first sentence of the description that stands above the usage of a help text.
fn about(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .next()
        .filter(|line| strip_usage(line).is_none() && !line.ends_with(':'))
        .map_or_else(String::new, sentence)
}

/// Returns the example calls in a text: lines that begin with the command. A comment may follow two spaces.
fn examples(text: &str, command: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("$ "));
    let calls = lines.filter(|line| line.strip_prefix(command).is_some_and(|rest| rest.starts_with(' ')));
    calls.filter_map(|line| Some(line.split("  ").next()?.to_owned())).collect()
}

/// Returns the example calls below the title "Examples" of a help text. A line with an optional part shows the usage.
pub(crate) fn shown_examples(text: &str, command: &str) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.trim_start().to_ascii_lowercase().starts_with("example"))
        .collect();
    let mut calls = examples(&lines.join("\n"), command);
    calls.retain(|call| !call.contains(" ["));
    calls
}

/// Reads the help texts of the subcommands of a command, whose own text is `text`. The path begins with the program.
fn below(
    command: &mut CommandTree,
    text: &str,
    path: &mut Vec<String>,
    left: &mut usize,
    ask: &mut dyn FnMut(&[&str]) -> Option<String>,
) {
    let mut environment = Vec::new();
    for sub in &mut command.commands {
        if sub.name == "help" {
            let name = "COMMAND".to_owned();
            sub.arguments = vec![Argument { name, many: true, ..Argument::default() }];
            continue;
        }
        path.push(sub.name.clone());
        let names: Vec<&str> = path.iter().skip(1).map(String::as_str).collect();
        let asked = if *left > 0 && names.len() <= DEEPEST { ask(&names) } else { None };
        *left = left.saturating_sub(1);
        match asked.filter(|own| own != text) {
            Some(own) => {
                let read = parse(&sub.name, &own);
                let (aliases, about) = (std::mem::take(&mut sub.aliases), std::mem::take(&mut sub.about));
                let deprecated = sub.deprecated.take();
                let examples = shown_examples(&own, &path.join(" "));
                *sub = CommandTree { aliases, deprecated, about, examples, ..read };
                below(sub, &own, path, left, ask);
                environment.append(&mut sub.environment);
            }
            // Nothing is known about it.
            None => sub.open = true,
        }
        path.pop();
    }
    // Only the root has them.
    command.environment.append(&mut environment);
    command.environment.sort();
    command.environment.dedup();
}

/// Returns the command with a name that a help text describes. Its subcommands have only names; their own help says more.
///
/// ```
/// let text = "Usage: acme list [OPTIONS] <DIR>\n\nOptions:\n  -f, --format <F>  The form [possible values: text, json]\n";
/// let list = skills_usage::help::parse("list", text);
/// assert_eq!(list.flags[0].names, ["--format", "-f"]);
/// assert_eq!(list.flags[0].values.possible, ["text", "json"]);
/// assert_eq!(list.arguments[0].name, "DIR");
/// ```
pub fn parse(name: &str, text: &str) -> CommandTree {
    let mut command = CommandTree { name: name.to_owned(), ..CommandTree::default() };
    let mut section = Section::Other;
    // The column in which the entries of the section begin. A line that begins further right continues an
    // entry.
    let mut column = None;
    let mut required = Vec::new();
    let (mut has_usage, mut wants_command, mut has_groups, mut lists_values) = (false, false, false, false);
    command.environment = variables(text);
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        if let Some(usage) = strip_usage(trimmed) {
            (has_usage, wants_command) = (true, wants_command || is_for_commands(usage));
            required.extend(required_flags(usage));
            read_usage(usage, &mut command);
            section = if usage.is_empty() { Section::Usage } else { Section::Other };
            continue;
        }
        if indent == 0 && trimmed.ends_with(':') {
            (section, column) = (Section::from_title(trimmed), None);
            has_groups |= section == Section::Commands && !is_whole(trimmed);
            continue;
        }
        if trimmed.is_empty() || indent == 0 {
            continue;
        }
        match section {
            Section::Usage => {
                wants_command |= is_for_commands(trimmed);
                read_usage(trimmed, &mut command);
            }
            Section::Commands if *column.get_or_insert(indent) == indent => {
                read_command(trimmed, &mut command)
            }
            // clap's long help lists the possible values of a flag below it.
            Section::Flags if trimmed.starts_with("- ") => {
                if lists_values && let Some(flag) = command.flags.last_mut() {
                    let value = trimmed.trim_start_matches("- ").split(':').next().unwrap_or_default();
                    flag.values.possible.push(value.to_owned());
                }
            }
            Section::Flags if trimmed.starts_with('-') => {
                lists_values = false;
                read_flag(trimmed, &mut command);
            }
            // A group of commands may have any title.
            Section::Flags
                if wants_command
                    && command.flags.is_empty()
                    && *column.get_or_insert(indent) == indent
                    && trimmed.contains("  ") =>
            {
                has_groups = true;
                read_command(trimmed, &mut command);
            }
            Section::Flags => {
                lists_values |= trimmed == "Possible values:";
                if let Some(flag) = command.flags.last_mut() {
                    if flag.about.is_empty() && !trimmed.starts_with('[') && !lists_values {
                        flag.about = sentence(trimmed);
                        flag.deprecated = deprecated(trimmed);
                    }
                    read_values(trimmed, &mut flag.values);
                    read_default(trimmed, flag);
                }
            }
            Section::Commands | Section::Other => {}
        }
    }
    for flag in command.flags.iter_mut().filter(|flag| required.iter().any(|name| flag.is_named(name))) {
        flag.required = true;
    }
    // If a help text has another form, or shows only a part, the command may accept more than the text says.
    command.open |=
        !has_usage || command.flags.is_empty() || has_groups || wants_command && command.commands.is_empty();
    command
}

/// Returns `true` if a usage line names a place for a command: `acme [OPTIONS] <COMMAND>`.
fn is_for_commands(usage: &str) -> bool {
    let words = usage.split_whitespace().map(|word| word.trim_matches(['[', ']', '<', '>', '.', '…']));
    words.map(str::to_ascii_uppercase).any(|word| matches!(word.as_str(), "COMMAND" | "SUBCOMMAND"))
}

/// Returns `true` if a title is the title of all commands, and not of one group or of common commands.
fn is_whole(title: &str) -> bool {
    let title = title.trim_end_matches(':').to_ascii_lowercase();
    matches!(title.as_str(), "command" | "commands" | "available commands" | "subcommands" | "sub-commands")
        || title.contains("positional")
}

/// The part of a help text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Usage,
    Commands,
    Flags,
    Other,
}

impl Section {
    fn from_title(title: &str) -> Self {
        let title = title.to_ascii_lowercase();
        match title.as_str() {
            title if title.starts_with("example") => Self::Other,
            title if title.contains("command") || title.contains("positional") && title.contains("sub") => {
                Self::Commands
            }
            title if title.contains("argument") || title.contains("environment") => Self::Other,
            // Groups of flags have any title.
            _ => Self::Flags,
        }
    }
}

fn strip_usage(line: &str) -> Option<&str> {
    ["Usage:", "usage:", "USAGE:"].into_iter().find_map(|head| line.strip_prefix(head)).map(str::trim)
}

/// Returns the flags that a usage line of clap names outside of brackets, each with its value: `acme --url <URL> [OPTIONS]`.
/// A line with alternatives does not say which of them is required.
fn required_flags(usage: &str) -> Vec<String> {
    if usage.contains('|') {
        return Vec::new();
    }
    let words: Vec<&str> = usage.split_whitespace().collect();
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [name, value] if name.starts_with("--") && name.len() > 2 && value.starts_with('<') => Some(*name),
        _ => None,
    });
    pairs.map(str::to_owned).collect()
}

/// Reads `acme list [OPTIONS] <DIR> [FILE]...` behind the names of the commands.
fn read_usage(usage: &str, command: &mut CommandTree) {
    if !command.arguments.is_empty() {
        return;
    }
    let mut words = usage.split_whitespace().skip_while(|word| *word != command.name).skip(1).peekable();
    let mut is_value = false;
    while let Some(word) = words.next() {
        let upper = word.trim_matches(['[', ']', '<', '>', '.', '…']).to_ascii_uppercase();
        let many = word.contains("...") || word.contains('…') || words.peek() == Some(&"...");
        let is_group = matches!(upper.as_str(), "OPTIONS" | "OPTION" | "FLAGS" | "--")
            || matches!(upper.as_str(), "COMMAND" | "SUBCOMMAND") && !many;
        if upper.starts_with('-') || word.starts_with("[-") {
            // If the bracket is still open, the next word is the value of the flag: `[-o FILE]`.
            is_value = !word.ends_with(']');
        } else if !std::mem::take(&mut is_value)
            && !is_group
            && word.starts_with(['<', '[', '{']) | is_capital(word)
        {
            command.open |= word.starts_with('{') || upper.contains('|');
            command.arguments.push(Argument {
                name: upper,
                required: !word.starts_with('['),
                many,
                ..Argument::default()
            });
        }
    }
}

fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.trim_end_matches('.').chars().all(|c| !c.is_ascii_lowercase())
}

fn is_command_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c))
}

/// Reads `list, ls   Lists all things`.
fn read_command(line: &str, command: &mut CommandTree) {
    let head = line.split("  ").next().unwrap_or_default();
    let mut names =
        head.split(',').map(|name| name.split_whitespace().next().unwrap_or_default().trim_end_matches(':'));
    let Some(name) = names.next().filter(|name| is_command_name(name)) else { return };
    let mut aliases: Vec<String> = names.filter(|name| is_command_name(name)).map(str::to_owned).collect();
    for mark in ["[aliases: ", "[alias: "] {
        aliases.extend(line.split_once(mark).into_iter().flat_map(|(_, rest)| listed(rest)));
    }
    let about = line.get(head.len()..).unwrap_or_default().trim();
    let deprecated = deprecated(about);
    command.commands.push(CommandTree {
        name: name.to_owned(),
        aliases,
        deprecated,
        about: sentence(about),
        ..CommandTree::default()
    });
}

/// Returns the first sentence of a text, without notes in brackets and without its full stop.
pub(crate) fn sentence(about: &str) -> String {
    let line = if about.starts_with('[') { "" } else { about.split(" [").next().unwrap_or(about).trim() };
    line.split(". ").next().unwrap_or(line).trim_end_matches('.').to_owned()
}

/// Reads `-f, --format <FORMAT>   The format [possible values: text, json]`.
fn read_flag(line: &str, command: &mut CommandTree) {
    let head = line.split("  ").next().unwrap_or_default();
    let about = line.get(head.len()..).unwrap_or_default().trim();
    let mut flag = Flag { deprecated: deprecated(about), about: sentence(about), ..Flag::default() };
    read_default(about, &mut flag);
    for word in head.split(' ').map(|word| word.trim_end_matches(',')).filter(|word| !word.is_empty()) {
        let is_optional = word.contains("[=") || word.starts_with('[');
        let (name, value) = word.split_at(word.find(['=', '[', '<']).unwrap_or(word.len()));
        if !name.starts_with('-') || value.len() > 1 {
            let takes = match () {
                () if word.contains("[=") => ValueCount::Joined,
                () if is_optional => ValueCount::Optional,
                () if word.ends_with("...")
                    && flag.takes == ValueCount::Nothing
                    && !name.starts_with('-') =>
                {
                    ValueCount::Many
                }
                () => ValueCount::One,
            };
            flag.takes = match flag.takes {
                _ if word == "..." => flag.takes,
                // A further value: `--range <FROM> <TO>`.
                ValueCount::One if !is_optional && !flag.value.is_empty() => ValueCount::Many,
                ValueCount::Optional if !flag.value.is_empty() => ValueCount::Optional,
                _ => takes,
            };
            read_choices(word, &mut flag.values);
            if flag.value.is_empty() {
                flag.value =
                    word.trim_start_matches(name).trim_matches(['[', ']', '<', '>', '=', '.']).to_owned();
            }
        }
        if name.starts_with('-') {
            flag.names.push(name.trim_end_matches('.').to_owned());
        }
    }
    // The long name comes first, because it is the one to use.
    flag.names.sort_by_key(|name| !name.starts_with("--"));
    read_values(about, &mut flag.values);
    if !flag.names.is_empty() {
        command.flags.push(flag);
    }
}

/// Reads `[env: ACME_TOKEN=]`, as clap prints the variables that set flags.
fn variables(text: &str) -> Vec<String> {
    let found = text.split("[env: ").skip(1);
    let names = found.filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Reads `[default: csv]`. In a long help, it stands below the flag.
fn read_default(about: &str, flag: &mut Flag) {
    if let Some((_, rest)) = about.split_once("[default: ")
        && let Some((value, _)) = rest.split_once(']')
    {
        value.clone_into(&mut flag.default);
    }
}

/// Reads `{text,json}` of argparse.
fn read_choices(word: &str, values: &mut Values) {
    if let Some(inside) = word.split_once('{').and_then(|(_, rest)| rest.split_once('}')) {
        values.possible = inside.0.split([',', '|']).map(str::to_owned).collect();
    }
}

/// Reads `[possible values: text, json]`.
fn read_values(about: &str, values: &mut Values) {
    if let Some((_, rest)) = about.split_once("[possible values: ") {
        values.possible = listed(rest).collect();
    }
}

/// Returns the items of a list up to the closing bracket; no items if the bracket is on another line.
fn listed(text: &str) -> impl Iterator<Item = String> {
    let inside = text.split_once(']').map_or("", |(inside, _)| inside);
    inside.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty())
}

/// If a help text says that something is deprecated, returns the replacement: the first code in the text, or an empty
/// text. The word "deprecated" counts at the start, after a mark, or in a sentence of its own.
pub(crate) fn deprecated(help: &str) -> Option<String> {
    let parts = help.split(['.', ';', '(', '[', '\n']).map(str::trim_start);
    let mut starts = parts.filter_map(|part| part.get(..10));
    let is_deprecated =
        help.contains("Deprecated") || starts.any(|word| word.eq_ignore_ascii_case("deprecated"));
    let code = help.split('`').nth(1).filter(|code| !code.contains(' ')).unwrap_or_default();
    is_deprecated.then(|| code.to_owned())
}
