//! Formats the help: colours, examples that fit 80 columns, and the list of commands, grouped by task. `skills -h` lists
//! the names of the usual commands on one screen, and `skills --help` describes all. The list includes the commands that
//! this build does not contain.

use std::fmt::Write;

use clap::Command;
use clap::builder::styling::{AnsiColor, Styles};
use skills_commands::terminal::table::wrap;

/// The groups in the order of a skill's life, and their commands.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Write skills", &["new", "init", "plugin"]),
    ("Check skills", &["check", "explain", "weigh", "graph"]),
    ("Run skills", &["list", "show", "search", "prompt", "tools", "call", "exec", "eval"]),
    ("Serve skills", &["serve", "mcp"]),
    ("Use skills of other projects", &["add", "update", "sync", "remove", "trust"]),
    ("Ship skills", &["install", "status", "uninstall", "package"]),
];

/// The last group of `--help`: commands that few people type, which `-h` leaves out.
const SELDOM: (&str, &[&str]) = (
    "Seldom needed",
    &["migrate", "pin", "engine", "sign", "verify", "expand", "schema", "completions", "manual", "lsp"],
);

/// The colours of cargo, ruff and uv.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The last column at which the comments of examples may begin.
const COMMENT: usize = 44;

/// The width that every terminal has.
const WIDTH: usize = 80;

/// Returns the command with colours, and with a help that lists its subcommands by group.
pub(crate) fn grouped(command: Command) -> Command {
    let command = with_examples(command.styles(STYLES));
    let (style, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let (mut names_only, mut described) = (String::new(), String::new());
    for (title, names) in GROUPS {
        // Clap wraps the text between two codes of styles, and begins a new line only at a line end inside of it. So
        // the line end follows a code.
        let _ = write!(names_only, "{style}\n{title}:{style:#} {}", names.join(" "));
    }
    for (title, names) in GROUPS.into_iter().chain([SELDOM]) {
        let _ = writeln!(described, "{style}\n{title}:{style:#}");
        for name in names {
            let about = command.find_subcommand(name).map(about).unwrap_or_default();
            let _ = writeln!(described, "  {literal}{name:11}{literal:#}  {about}");
        }
    }
    let options = format!("{style}Options:{style:#}");
    // The text before the help differs between `-h` and `--help`.
    let command = command.before_help(names_only);
    command.before_long_help(described.trim_end().to_owned()).help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{{before-help}}{options}\n{{options}}{{after-help}}"
    ))
}

/// Lays out the examples of a command and of its subcommands.
fn with_examples(command: Command) -> Command {
    let short = command.get_after_help().map(|text| examples(&text.to_string()));
    let long = command.get_after_long_help().map(|text| examples(&text.to_string()));
    let command = match short {
        Some(text) => command.after_help(text),
        None => command,
    };
    let command = match long {
        Some(text) => command.after_long_help(text),
        None => command,
    };
    command.mut_subcommands(with_examples)
}

/// Styles the heading of examples. Comments stand in a column, and wrap in it; below long examples they are indented.
fn examples(text: &str) -> String {
    let header = STYLES.get_header();
    // The examples with their comments, between other lines.
    let mut lines: Vec<Result<(&str, String), String>> = Vec::new();
    for line in text.lines() {
        let heading = line.strip_prefix("Examples").filter(|rest| rest.starts_with(':'));
        match (line.strip_prefix("  "), heading, lines.last_mut()) {
            (_, Some(rest), _) => lines.push(Err(format!("{header}Examples{rest}{header:#}"))),
            (None, None, _) => lines.push(Err(wrap(line, Some(WIDTH), 0))),
            (Some(rest), None, Some(Ok((_, comment)))) if rest.starts_with("  ") => {
                let space = if comment.is_empty() { "" } else { " " };
                comment.push_str(&format!("{space}{}", rest.trim_start()));
            }
            (Some(rest), None, _) => {
                let (example, comment) = rest.split_once("  ").unwrap_or((rest, ""));
                lines.push(Ok((example, comment.trim_start().to_owned())));
            }
        }
    }
    let lengths = lines.iter().flatten().map(|(example, _)| example.chars().count() + 4);
    let column = lengths.filter(|length| *length <= COMMENT).max().unwrap_or(COMMENT);
    let laid_out = lines.into_iter().map(|line| match line {
        Err(other) => other,
        Ok((example, comment)) if comment.is_empty() => format!("  {example}"),
        Ok((example, comment)) if example.chars().count() + 4 > COMMENT => {
            format!("  {example}\n{}", wrap(&format!("      {comment}"), Some(WIDTH), 6))
        }
        Ok((example, comment)) => {
            let comment = wrap(&format!("{:column$}{comment}", ""), Some(WIDTH), column);
            format!("  {example:0$}{1}", column - 2, comment.trim_start())
        }
    });
    laid_out.collect::<Vec<_>>().join("\n")
}

/// Returns the summary of a command. If this build does not contain the command, says how to get it.
fn about(command: &Command) -> String {
    if command.get_arguments().any(|argument| argument.get_id() == "absent") {
        let feature = if command.get_name() == "pin" { "mcp" } else { command.get_name() };
        return format!("not in this build; add it with `--features {feature}`");
    }
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, SELDOM};

    // SPEC 11.23: each command is in one group; its line fits into 80 columns, and `-h` has the 26 usual ones on one screen
    #[test]
    fn every_command_is_listed_once() {
        let usual: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(usual.len(), 26);
        let mut grouped = [&usual, SELDOM.1].concat();
        grouped.sort_unstable();
        let mut command = crate::command();
        let long = command.render_long_help().to_string();
        let listed = long.lines().take_while(|line| *line != "Options:");
        let short = command.clone().term_width(80).render_help().to_string();
        assert!(short.lines().count() <= 24, "{short}");
        for line in listed.chain(short.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        all.retain(|name| *name != "help");
        assert_eq!(grouped, all);
        let lists = short.lines().filter(|line| GROUPS.iter().any(|(title, _)| line.starts_with(title)));
        let named: Vec<&str> =
            lists.flat_map(|line| line.rsplit(':').next().unwrap_or_default().split_whitespace()).collect();
        assert_eq!(named, usual, "{short}");
    }
}
