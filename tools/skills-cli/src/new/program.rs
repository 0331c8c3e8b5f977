//! The first skill of a program: when to use it, its commands as a generated block, and an example of each.

use skills_commands::failure::CommandError;
use skills_usage::{CommandSet, CommandTree, write_block, write_calls};

/// How many commands a description names. Every conversation begins with all descriptions.
const MAX_NAMED: usize = 12;

/// Chooses the program of a skill. If a file describes several programs, the name of the skill selects one.
pub(super) fn choose<'p>(
    programs: &'p CommandSet,
    name: Option<&str>,
) -> Result<&'p CommandTree, CommandError> {
    if let [program] = programs.0.as_slice() {
        return Ok(program);
    }
    let names: Vec<String> = programs.0.iter().map(skill_name).collect();
    let chosen = programs.0.iter().zip(&names).find(|(_, known)| Some(known.as_str()) == name);
    chosen.map(|(program, _)| program).ok_or_else(|| match names.is_empty() {
        true => "the file describes no program".into(),
        false => {
            format!("the file describes several programs: take one of the names {}", names.join(", ")).into()
        }
    })
}

/// Returns the name of the skill of a program: `cargo-skills` for `cargo skills`.
pub(super) fn skill_name(program: &CommandTree) -> String {
    let name = program.name.to_ascii_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Returns what a program does and when to use it, for the frontmatter.
pub(super) fn describe(program: &CommandTree) -> String {
    let name = &program.name;
    let about = match program.about.as_str() {
        "" => format!("Calls the program {name}"),
        about => about.to_owned(),
    };
    let offered = program.commands.iter().filter(|command| command.is_offered());
    let named: Vec<&str> = offered.map(|command| command.name.as_str()).collect();
    let commands = match named.get(..MAX_NAMED) {
        Some(first) if named.len() > MAX_NAMED => format!("{} and others", first.join(", ")),
        _ => named.join(", "),
    };
    match commands.as_str() {
        "" => format!("{about}. Use when the user names {name}."),
        commands => {
            format!("{about}. Use when the user names {name}, or needs one of its commands: {commands}.")
        }
    }
}

/// Returns the text of the skill below its title.
pub(super) fn explain(program: &CommandTree) -> String {
    let name = &program.name;
    let groups: String = program
        .commands
        .iter()
        .filter(|command| command.is_offered() && !command.commands.is_empty() && !command.about.is_empty())
        .map(|command| format!("- `{name} {}`: {}\n", command.name, command.about))
        .collect();
    let groups = match groups.as_str() {
        "" => groups,
        groups => format!("\nThese commands have commands of their own:\n\n{groups}"),
    };
    let help = if program.commands.is_empty() { name.clone() } else { format!("{name} COMMAND") };
    let calls: String = write_calls(program).iter().map(|call| format!("{call}\n")).collect();
    let examples = match calls.as_str() {
        "" => String::new(),
        calls => format!("\n## Examples\n\n```sh\n{calls}```\n"),
    };
    format!(
        "## When to use it\n\n\
         Use `{name}` when the user names it, or when a task needs one of the commands below.\n{groups}\n\
         ## Commands\n\n\
         Take the command that does the task, with the flags that it needs. `{help} --help` prints more.\n\n\
         {}{examples}",
        write_block(program)
    )
}
