//! Marked blocks in texts, which are generated from the commands of a program:
//!
//! ```text
//! <!-- commands: acme db -->
//! - `acme db export <FILE>`: Writes a table
//! <!-- /commands -->
//! ```
//!
//! Everything between the two lines is generated, and nothing outside of them is changed.

use std::ops::Range;

use skills_core::diagnostic::Diagnostic;
use skills_core::markdown::Markdown;
use skills_core::rule::commands::COMMAND_BLOCK;
use skills_core::span::Span;
use skills_text::{cut, nearest};

use crate::tree::{Argument, CommandTree, Flag, ValueCount, Values};

const OPEN: &str = "<!-- commands:";
const CLOSE: &str = "<!-- /commands -->";

/// The note at a block that is wrong as a whole.
const GENERATED: &str = "this block is generated";

/// How many characters of a generated line a report shows.
const MAX_SHOWN: usize = 80;

/// The maximum size of a generated block.
const MAX_TOKENS: usize = 1_000;

/// A place at which a block is wrong.
#[derive(Debug)]
pub(crate) struct BlockFault {
    /// The bytes of the text to show.
    at: Range<usize>,
    title: String,
    label: String,
    help: String,
    /// The bytes between the two lines.
    pub(crate) lines: Range<usize>,
    /// The bytes between the two lines, and their new text.
    pub(crate) renewal: Option<(Range<usize>, String)>,
}

impl BlockFault {
    pub(crate) fn diagnostic(&self, place: Span) -> Diagnostic {
        let found = COMMAND_BLOCK.report_at(place.part(self.at.start, self.at.end), self.title.clone());
        let found = found.label(self.label.clone()).help(self.help.clone());
        match &self.renewal {
            Some((at, new)) => found.replacing(place.part(at.start, at.end), new.clone()),
            None => found,
        }
    }
}

/// Checks the blocks of a text. A block of a program that is not known is passed over.
pub(crate) fn check(text: &str, programs: &[CommandTree]) -> Vec<BlockFault> {
    let mut faults = Vec::new();
    if !text.contains(OPEN) {
        return faults;
    }
    let blocks = Markdown::parse(text).blocks;
    let mut open: Option<(Range<usize>, &str, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (at, end) = (start..start + line.trim_end().len(), start + line.len());
        start = end;
        let trimmed = line.trim();
        if let Some(command) = trimmed.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix("-->")) {
            if blocks.iter().any(|block| block.start <= at.start && at.start < block.end) {
                continue;
            }
            if let Some((at, ..)) = open.replace((at, command.trim(), end)) {
                faults.push(unclosed(at));
            }
        } else if trimmed == CLOSE
            && let Some((opening, command, content)) = open.take()
        {
            faults.extend(compare(text, opening, command, content..at.start, at, programs));
        }
    }
    faults.extend(open.map(|(at, ..)| unclosed(at)));
    faults
}

/// Returns a text with all its blocks renewed, or `None` if they are up to date or cannot be generated.
#[cfg(feature = "clap")]
pub(crate) fn renewed(text: &str, faults: &[BlockFault]) -> Option<String> {
    let mut renewed = String::with_capacity(text.len());
    let mut done = 0;
    for (at, new) in faults.iter().filter_map(|fault| fault.renewal.as_ref()) {
        renewed.push_str(text.get(done..at.start)?);
        renewed.push_str(new);
        done = at.end;
    }
    renewed.push_str(text.get(done..)?);
    (done > 0).then_some(renewed)
}

fn unclosed(at: Range<usize>) -> BlockFault {
    let title = "this block of commands is not closed".to_owned();
    let help = format!("add the line `{CLOSE}` below it");
    BlockFault { at, title, label: GENERATED.to_owned(), help, lines: 0..0, renewal: None }
}

/// Returns the place of the first line of a block that differs from the generated ones, and says how. `closing` is the line
/// below the block.
fn difference(text: &str, lines: Range<usize>, closing: Range<usize>, new: &str) -> (Range<usize>, String) {
    let mut generated = new.lines();
    let mut start = lines.start;
    for line in text.get(lines).unwrap_or_default().split_inclusive('\n') {
        let at = start..start + line.trim_end().len().max(1);
        start += line.len();
        match generated.next() {
            Some(wanted) if wanted == line.trim_end_matches(['\r', '\n']) => {}
            Some(wanted) => return (at, format!("the generated line is {}", cut(wanted, MAX_SHOWN))),
            None => return (at, "no line is generated here".to_owned()),
        }
    }
    match generated.next() {
        Some(missing) => (closing, format!("this line is missing above: {}", cut(missing, MAX_SHOWN))),
        None => (closing, "the line ends differ".to_owned()),
    }
}

fn compare(
    text: &str,
    at: Range<usize>,
    command: &str,
    content: Range<usize>,
    closing: Range<usize>,
    programs: &[CommandTree],
) -> Option<BlockFault> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let mut named = programs.iter().filter_map(|program| {
        let parts: Vec<&str> = program.name.split(' ').collect();
        words.starts_with(&parts).then_some((program, parts.len()))
    });
    let (program, count) = named.next()?;
    let mut tree = program;
    let mut path = program.name.clone();
    let mut above: Vec<&Flag> = Vec::new();
    for word in words.get(count..).unwrap_or_default() {
        let Some(next) = tree.command(word) else {
            let near = nearest(word, tree.commands.iter().map(|command| command.name.as_str()));
            let help = match near {
                Some(near) => format!("the nearest command is `{path} {near}`"),
                None => format!("`{path} --help` lists the commands"),
            };
            return Some(BlockFault {
                at,
                title: format!("`{path}` has no command `{word}`"),
                label: GENERATED.to_owned(),
                help,
                lines: content,
                renewal: None,
            });
        };
        let flags = own_flags(tree, &above);
        above.extend(flags);
        tree = next;
        path = format!("{path} {}", tree.name);
    }
    let eol =
        if text.get(..content.start).is_some_and(|above| above.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let new = generate(&path, tree, &above).replace('\n', eol);
    let old = text.get(content.clone()).unwrap_or_default();
    if old == new {
        return None;
    }
    let (at, label) = difference(text, content.clone(), closing, &new);
    let title = format!("the block of `{path}` does not fit its commands");
    let help =
        "renew it with `skills check --fix`, or with `BLESS=1 cargo test` if a test checks it".to_owned();
    Some(BlockFault { at, title, label, help, lines: content.clone(), renewal: Some((content, new)) })
}

/// Writes the block of a program with its two comments.
pub fn write_block(program: &CommandTree) -> String {
    format!("{OPEN} {} -->\n{}{CLOSE}\n", program.name, generate(&program.name, program, &[]))
}

/// Writes a call for each command whose example is not in the block of its program: the first example of its help, or the
/// command with everything that it requires. All calls together are at most as long as a block. Calls that do not fit the
/// commands are left out.
pub fn write_calls(program: &CommandTree) -> Vec<String> {
    let block = generate(&program.name, program, &[]);
    let programs = std::slice::from_ref(program);
    let mut left = MAX_TOKENS * 4;
    let mut calls = Vec::new();
    for BlockCommand { path, command, .. } in callable(program.name.clone(), program, &[]) {
        let example = command.examples.first();
        if example.is_some_and(|example| block.contains(&example_line(example))) {
            continue;
        }
        let mut drafts = example.cloned().into_iter().chain([shortest_call(path, command)]);
        let call = drafts.find(|call| crate::check(&format!("```sh\n{call}\n```\n"), programs).is_empty());
        let Some(call) = call else { continue };
        let Some(rest) = left.checked_sub(call.len() + 1) else { break };
        left = rest;
        calls.push(call);
    }
    calls
}

/// Writes a command with what it requires. The values are the first possible ones, or placeholders.
fn shortest_call(path: String, command: &CommandTree) -> String {
    let mut words = vec![path];
    for flag in command.flags.iter().filter(|flag| flag.required) {
        let value = value(&flag.values, flag.value_name());
        words.push(match flag.takes {
            ValueCount::Nothing | ValueCount::Optional => flag.name().to_owned(),
            ValueCount::Joined => format!("{}={value}", flag.name()),
            ValueCount::One | ValueCount::Many => format!("{} {value}", flag.name()),
        });
    }
    // An optional argument before a required one cannot be left out.
    let count = command.arguments.iter().rposition(|argument| argument.required).map_or(0, |last| last + 1);
    words
        .extend(command.arguments.iter().take(count).map(|argument| value(&argument.values, &argument.name)));
    words.join(" ")
}

fn value(values: &Values, name: &str) -> String {
    values.possible.first().cloned().unwrap_or_else(|| format!("<{name}>"))
}

/// Generates the lines of a block: as many details as fit into a prompt. `above` are the flags of the commands above.
pub(crate) fn generate(path: &str, tree: &CommandTree, above: &[&Flag]) -> String {
    let mut text = String::new();
    let mut commands = callable(path.to_owned(), tree, above);
    // A block of a part of the program also has the flags that all commands take.
    let inherited = above.iter().copied().filter(|flag| tree.flags.iter().any(|own| is_same(own, flag)));
    let inherited: Vec<&Flag> = inherited.collect();
    match commands.first_mut().filter(|first| first.path == path) {
        Some(first) => first.flags.extend(inherited),
        None if inherited.is_empty() => {}
        None => commands.insert(0, BlockCommand { path: path.to_owned(), command: tree, flags: inherited }),
    }
    for detail in [Detail::All, Detail::Flags, Detail::Names, Detail::Commands] {
        text.clear();
        commands.iter().for_each(|listed| push(&mut text, listed, detail));
        if text.len().div_ceil(4) <= MAX_TOKENS {
            return text;
        }
    }
    let last = format!("- `{path} --help` lists more commands\n");
    let most = MAX_TOKENS * 4 - last.len();
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if kept.len() + line.len() > most {
            break;
        }
        kept.push_str(line);
    }
    kept + &last
}

/// How much a block tells about each command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Detail {
    Commands,
    Names,
    Flags,
    All,
}

/// A command of a block, with its flags.
struct BlockCommand<'t> {
    path: String,
    command: &'t CommandTree,
    /// The flags that the commands above do not have.
    flags: Vec<&'t Flag>,
}

/// Returns the commands that do something. It leaves out hidden and deprecated commands, commands that only lead to others,
/// and the commands for the skills of the program, which a reader of the skill has used already.
fn callable<'t>(path: String, tree: &'t CommandTree, above: &[&'t Flag]) -> Vec<BlockCommand<'t>> {
    let offered = tree.commands.iter().filter(|command| command.is_offered());
    let shown: Vec<&CommandTree> = offered.filter(|command| !command.is_of_skills()).collect();
    let flags = own_flags(tree, above);
    let known = [above, &flags].concat();
    let mut found = Vec::new();
    if shown.is_empty() || !flags.is_empty() || !tree.arguments.is_empty() {
        found.push(BlockCommand { path: path.clone(), command: tree, flags });
    }
    for command in shown {
        found.extend(callable(format!("{path} {}", command.name), command, &known));
    }
    found
}

/// Returns the flags that a block lists at a command. It lists a flag of the commands above only there.
fn own_flags<'t>(tree: &'t CommandTree, above: &[&Flag]) -> Vec<&'t Flag> {
    let shown = tree.flags.iter().filter(|flag| is_shown(flag));
    shown.filter(|flag| !above.iter().any(|other| is_same(flag, other))).collect()
}

/// Returns `true` if two commands have one flag in common: a global one.
fn is_same(flag: &Flag, other: &Flag) -> bool {
    flag.names == other.names && flag.takes == other.takes && flag.about == other.about
}

/// Adds a command.
fn push(text: &mut String, listed: &BlockCommand<'_>, detail: Detail) {
    let BlockCommand { path, command, flags } = listed;
    text.push_str(&format!("- `{path}"));
    for argument in &command.arguments {
        text.push_str(&format!(" {}", synopsis(argument)));
    }
    text.push('`');
    if !command.about.is_empty() {
        text.push_str(&format!(": {}", command.about));
    }
    text.push('\n');
    match detail {
        Detail::Commands => {}
        Detail::Names => {
            let names: Vec<_> = flags.iter().map(|flag| format!("`{}`", flag.name())).collect();
            if !names.is_empty() {
                text.push_str(&format!("  - flags: {}\n", names.join(", ")));
            }
        }
        Detail::Flags | Detail::All => flags.iter().for_each(|flag| push_flag(text, flag)),
    }
    if detail == Detail::All
        && let Some(example) = command.examples.first()
    {
        text.push_str(&example_line(example));
    }
}

fn example_line(example: &str) -> String {
    format!("  - example: `{example}`\n")
}

/// Returns `true` if a block tells about a flag. Every command has a help.
fn is_shown(flag: &Flag) -> bool {
    !flag.hidden && flag.deprecated.is_none() && !flag.is_named("--help") && !flag.is_named("--version")
}

fn push_flag(text: &mut String, flag: &Flag) {
    let value = flag.value_name();
    let value = match flag.takes {
        ValueCount::Nothing => String::new(),
        ValueCount::One => format!(" <{value}>"),
        ValueCount::Optional => format!(" [<{value}>]"),
        ValueCount::Joined => format!("[=<{value}>]"),
        ValueCount::Many => format!(" <{value}>..."),
    };
    text.push_str(&format!("  - `{}{value}`", flag.name()));
    let mut notes = Vec::new();
    if flag.required {
        notes.push("required".to_owned());
    }
    if flag.takes != ValueCount::Nothing && !flag.values.possible.is_empty() {
        notes.push(flag.values.possible.join(", "));
    }
    if !flag.default.is_empty() {
        notes.push(format!("default {}", flag.default));
    }
    if !notes.is_empty() {
        text.push_str(&format!(" ({})", notes.join("; ")));
    }
    if !flag.about.is_empty() {
        text.push_str(&format!(": {}", flag.about));
    }
    text.push('\n');
}

fn synopsis(argument: &Argument) -> String {
    let dots = if argument.many { "..." } else { "" };
    match argument.required {
        true => format!("<{}>{dots}", argument.name),
        false => format!("[{}]{dots}", argument.name),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TOKENS, check, generate};
    use crate::tree::{Argument, CommandTree, Flag, ValueCount};

    fn named(name: &str) -> CommandTree {
        CommandTree { name: name.to_owned(), about: "Does it".to_owned(), ..CommandTree::default() }
    }

    fn acme() -> CommandTree {
        let flag = |name: &str| Flag {
            names: vec![format!("--{name}")],
            takes: ValueCount::One,
            value: "N".to_owned(),
            default: "3".to_owned(),
            ..Flag::default()
        };
        let hidden = Flag { hidden: true, ..flag("secret") };
        let file = Argument { name: "FILE".to_owned(), required: true, many: true, ..Argument::default() };
        let export = CommandTree {
            flags: vec![flag("limit"), hidden],
            arguments: vec![file],
            examples: vec!["acme db export x".to_owned()],
            ..named("export")
        };
        let debug = CommandTree { hidden: true, ..named("debug") };
        let dump = CommandTree { deprecated: Some("export".to_owned()), ..named("dump") };
        let db = CommandTree { commands: vec![export, debug, dump], ..named("db") };
        CommandTree { commands: vec![db], ..named("acme") }
    }

    const BLOCK: &str = "- `acme db export <FILE>...`: Does it\n  - `--limit <N>` (default 3)\n  - example: `acme db export x`\n";

    /// Returns a text with renewed blocks, and the titles of the faults.
    fn checked(text: &str) -> (String, Vec<String>) {
        let faults = check(text, &[acme()]);
        let mut new = text.to_owned();
        for (at, block) in faults.iter().rev().filter_map(|fault| fault.renewal.clone()) {
            new.replace_range(at, &block);
        }
        (new, faults.into_iter().map(|fault| fault.title).collect())
    }

    // SPEC 23.15
    #[test]
    fn a_block_is_renewed_and_nothing_else() {
        for eol in ["\n", "\r\n"] {
            let text = |block: &str| {
                format!("A é\n\n<!-- commands: acme db -->\n{block}<!-- /commands -->\n\nB\n")
                    .replace('\n', eol)
            };
            for old in ["", "old\n", "- `acme db dump`\n\nmore\n"] {
                let (new, titles) = checked(&text(old));
                assert_eq!(new, text(BLOCK));
                assert_eq!(titles, ["the block of `acme db` does not fit its commands"]);
            }
            for (old, at, label) in [
                (
                    BLOCK.replace("default 3", "default 2"),
                    "(default 2)",
                    "the generated line is   - `--limit <N>` (default 3)",
                ),
                (format!("{BLOCK}- `acme db old`\n"), "- `acme db old`", "no line is generated here"),
                (
                    BLOCK.replace("  - example: `acme db export x`\n", ""),
                    "<!-- /commands -->",
                    "this line is missing above:   - example: `acme db export x`",
                ),
            ] {
                let text = text(&old);
                let faults = check(&text, &[acme()]);
                assert_eq!(faults[0].label, label);
                assert!(text[faults[0].at.clone()].contains(at), "{text}");
            }
            assert_eq!(checked(&text(BLOCK)), (text(BLOCK), vec![]));
        }
    }

    // SPEC 23.15: the commands for the skills of the program are left out, unless the block names them
    #[test]
    fn the_commands_for_skills_are_left_out() {
        let names = ["install", "list", "prompt", "search", "show", "status", "uninstall"];
        let skill = CommandTree { commands: names.map(named).into(), ..named("skill") };
        let mut program = acme();
        program.commands.push(skill.clone());
        assert_eq!(generate("acme", &program, &[]), BLOCK);
        assert!(generate("acme skill", &skill, &[]).starts_with("- `acme skill install`: Does it\n"));
    }

    // SPEC 23.15
    #[test]
    fn blocks_that_cannot_be_renewed_stay() {
        let title = |text: &str| {
            let (new, titles) = checked(text);
            assert_eq!(new, text);
            titles.join("; ")
        };
        assert_eq!(title("<!-- commands: acme db -->\nx\n"), "this block of commands is not closed");
        assert_eq!(title("<!-- commands: acme bd -->\n<!-- /commands -->\n"), "`acme` has no command `bd`");
        assert_eq!(title("<!-- commands: other -->\nx\n<!-- /commands -->\n"), "");
        assert_eq!(title("```md\n<!-- commands: acme db -->\n<!-- /commands -->\n```\n"), "", "an example");
        // The first block has no end, so it must not end at the end of the second one.
        let (new, titles) =
            checked("<!-- commands: acme db -->\nmine\n<!-- commands: acme db -->\n<!-- /commands -->\n");
        assert!(new.contains("mine") && titles.len() == 2, "{new}{titles:?}");
    }

    // SPEC 23.15
    #[test]
    fn a_block_fits_into_a_prompt() {
        for (count, kept) in [
            (40, "example"),
            (60, "(default 3)"),
            (80, "flags: `--limit`"),
            (150, "sub149"),
            (900, "more commands"),
        ] {
            let mut sub = acme().commands[0].commands[0].clone();
            sub.arguments.clear();
            let commands =
                (0..count).map(|at| CommandTree { name: format!("sub{at}"), ..sub.clone() }).collect();
            let text = generate("acme", &CommandTree { commands, ..named("acme") }, &[]);
            assert!(text.len() <= MAX_TOKENS * 4, "{count}: {}", text.len());
            assert!(text.contains(kept), "{count}: {text}");
        }
    }
}
