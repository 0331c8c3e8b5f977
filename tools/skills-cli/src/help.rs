//! The list of commands in `skills --help`: grouped by task, with the commands that this build lacks.

use std::fmt::Write;

use clap::Command;

/// The groups in the order of a skill's life, and their commands.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Write skills", &["new", "init", "pin", "migrate", "plugin", "schema", "lsp"]),
    ("Check skills", &["check", "explain", "commands", "weigh", "graph", "expand"]),
    ("Run skills", &["list", "show", "search", "prompt", "tools", "call", "exec", "eval", "learn"]),
    ("Serve skills", &["serve", "mcp", "worker", "runs"]),
    ("Use skills of other projects", &["add", "update", "outdated", "sync", "remove"]),
    ("Ship skills", &["install", "status", "uninstall", "vendor", "publish", "sign", "verify"]),
    ("Operate", &["trust", "completions", "manual"]),
];

/// Returns the command with a help that lists its subcommands by group.
pub(crate) fn grouped(command: Command) -> Command {
    let style = *command.get_styles().get_header();
    let mut list = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(list, "{style}{title}:{style:#}");
        for name in names {
            let about = command.find_subcommand(name).map(about).unwrap_or_default();
            let _ = writeln!(list, "  {name:11}  {about}");
        }
        list.push('\n');
    }
    let options = format!("{style}Options:{style:#}");
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{options}\n{{options}}{{after-help}}"
    ))
}

/// Returns the summary of a command, or how to get it if this build lacks it.
fn about(command: &Command) -> String {
    if command.get_arguments().any(|argument| argument.get_id() == "absent") {
        let feature = if command.get_name() == "pin" { "mcp" } else { command.get_name() };
        return format!("not in this build; add it with `--features {feature}`");
    }
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::GROUPS;

    // SPEC 11.23: each command is in one group, and its line fits into 80 columns
    #[test]
    fn every_command_is_listed_once() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let mut command = crate::command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
        let help = command.render_help().to_string();
        let listed = help.lines().take_while(|line| *line != "Options:");
        for line in listed {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
