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
use skills_text::nearest;

use crate::tree::{Argument, CommandTree, Flag, ValueCount, Values};

const OPEN: &str = "<!-- commands:";
const CLOSE: &str = "<!-- /commands -->";

/// The maximum size of a generated block.
const MAX_TOKENS: usize = 1_000;

/// A place at which a block is wrong.
#[derive(Debug)]
pub(crate) struct BlockFault {
    /// The bytes of the text to show.
    at: Range<usize>,
    title: String,
    help: String,
    /// The bytes between the two lines, and their new text.
    pub(crate) renewal: Option<(Range<usize>, String)>,
}

impl BlockFault {
    pub(crate) fn diagnostic(&self, place: Span) -> Diagnostic {
        let found = COMMAND_BLOCK.report_at(place.part(self.at.start, self.at.end), self.title.clone());
        let found = found.label("this block is generated").help(self.help.clone());
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
            faults.extend(compare(text, opening, command, content..at.start, programs));
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
    BlockFault { at, title, help: format!("add the line `{CLOSE}` below it"), renewal: None }
}

fn compare(
    text: &str,
    at: Range<usize>,
    command: &str,
    content: Range<usize>,
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
                help,
                renewal: None,
            });
        };
        tree = next;
        path = format!("{path} {}", tree.name);
    }
    let eol =
        if text.get(..content.start).is_some_and(|above| above.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let new = generate(&path, tree).replace('\n', eol);
    let old = text.get(content.clone()).unwrap_or_default();
    (old != new).then(|| BlockFault {
        at,
        title: format!("the block of `{path}` does not fit its commands"),
        help: "renew it with `skills check --fix`, or with `BLESS=1 cargo test` if a test checks it"
            .to_owned(),
        renewal: Some((content, new)),
    })
}

/// Writes the block of a program with its two comments.
pub fn write_block(program: &CommandTree) -> String {
    format!("{OPEN} {} -->\n{}{CLOSE}\n", program.name, generate(&program.name, program))
}

/// Writes a call for each command whose example is not in the block of its program: the first example of its help, or the
/// command with everything that it requires. All calls together are at most as long as a block. Calls that do not fit the
/// commands are left out.
pub fn write_calls(program: &CommandTree) -> Vec<String> {
    let block = generate(&program.name, program);
    let programs = std::slice::from_ref(program);
    let mut left = MAX_TOKENS * 4;
    let mut calls = Vec::new();
    for (path, command) in callable(program.name.clone(), program) {
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

/// Generates the lines of a block: as many details as fit into a prompt.
pub(crate) fn generate(path: &str, tree: &CommandTree) -> String {
    let mut text = String::new();
    let commands = callable(path.to_owned(), tree);
    for detail in [Detail::All, Detail::Flags, Detail::Names, Detail::Commands] {
        text.clear();
        commands.iter().for_each(|(path, command)| push(&mut text, path, command, detail));
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

/// Returns the commands that do something, with their paths: without hidden and deprecated ones, and without those that only
/// lead to others.
fn callable(path: String, tree: &CommandTree) -> Vec<(String, &CommandTree)> {
    let shown: Vec<&CommandTree> = tree.commands.iter().filter(|command| command.is_offered()).collect();
    let mut found = Vec::new();
    if shown.is_empty() || tree.flags.iter().any(is_shown) || !tree.arguments.is_empty() {
        found.push((path.clone(), tree));
    }
    for command in shown {
        found.extend(callable(format!("{path} {}", command.name), command));
    }
    found
}

/// Adds a command.
fn push(text: &mut String, path: &str, command: &CommandTree, detail: Detail) {
    text.push_str(&format!("- `{path}"));
    for argument in &command.arguments {
        text.push_str(&format!(" {}", synopsis(argument)));
    }
    text.push('`');
    if !command.about.is_empty() {
        text.push_str(&format!(": {}", command.about));
    }
    text.push('\n');
    let flags = command.flags.iter().filter(|flag| is_shown(flag));
    match detail {
        Detail::Commands => {}
        Detail::Names => {
            let names: Vec<_> = flags.map(|flag| format!("`{}`", flag.name())).collect();
            if !names.is_empty() {
                text.push_str(&format!("  - flags: {}\n", names.join(", ")));
            }
        }
        Detail::Flags | Detail::All => flags.for_each(|flag| push_flag(text, flag)),
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
            assert_eq!(checked(&text(BLOCK)), (text(BLOCK), vec![]));
        }
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
            let text = generate("acme", &CommandTree { commands, ..named("acme") });
            assert!(text.len() <= MAX_TOKENS * 4, "{count}: {}", text.len());
            assert!(text.contains(kept), "{count}: {text}");
        }
    }
}
