//! Recognizes whether a command line calls one of the programs.

use crate::markdown::CodeKind;
use crate::shell::{ShellCommand, ShellWord};
use crate::tree::CommandTree;

/// Words that may stand before the program and do not change which program runs.
const LEADS: [&str; 16] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "sudo", "env", "exec", "nohup",
    "command", "&&",
];

/// Programs that run another program with the arguments after them; `xargs` adds more arguments.
const RUNNERS: [&str; 6] = ["npx", "bunx", "uvx", "pnpx", "xargs", "timeout"];

/// Returns the program that a line calls, and its words.
pub(crate) fn called<'p, 'l>(
    line: &'l ShellCommand,
    kind: CodeKind,
    programs: &'p [CommandTree],
) -> Option<(&'p CommandTree, ProgramCall<'l>)> {
    let mut words = line.words.as_slice();
    let mut is_open = line.is_synopsis;
    while let Some((first, rest)) = words.split_first() {
        let text = first.text.as_str();
        let is_lead = !first.is_quoted && (is_assignment(text) || LEADS.contains(&text));
        if !is_lead && !RUNNERS.contains(&text) {
            break;
        }
        words = rest;
        if text == "timeout" {
            words = words.get(1..).unwrap_or_default();
        } else if !is_lead {
            is_open |= text == "xargs";
            while let Some((_, rest)) = words.split_first().filter(|(flag, _)| flag.text.starts_with('-')) {
                words = rest;
            }
        }
    }
    let (program, count) = programs.iter().find_map(|program| Some((program, count(program, words)?)))?;
    let (name, words) = words.split_at_checked(count)?;
    let name = name.last()?;
    // `acme = "1.2"` and `acme: text` are not commands.
    let is_code = words.first().is_some_and(|word| {
        !word.is_quoted
            && (word.text.starts_with(['=', ':', '+']) || matches!(word.text.as_str(), "->" | "is" | "was"))
    });
    // `acme list - Lists things` is the title of a help text.
    let is_title =
        |pair: &[ShellWord]| matches!(pair, [dash, _] if matches!(dash.text.as_str(), "-" | "–" | "—"));
    let is_title = kind == CodeKind::Unmarked && words.windows(2).any(is_title);
    (!is_code && !is_title).then_some((program, ProgramCall { name, words, is_open }))
}

#[derive(Debug)]
pub(crate) struct ProgramCall<'l> {
    /// The last word of its name.
    pub(crate) name: &'l ShellWord,
    pub(crate) words: &'l [ShellWord],
    /// Whether there may be more arguments than the line shows.
    pub(crate) is_open: bool,
}

/// Returns how many words form the name of a program.
fn count(program: &CommandTree, words: &[ShellWord]) -> Option<usize> {
    let names = std::iter::once(&program.name).chain(&program.aliases);
    let mut names = names.filter_map(|name| {
        let parts: Vec<&str> = name.split(' ').collect();
        let fits = parts.iter().zip(words).enumerate().all(|(nth, (part, word))| {
            let text = word.known().unwrap_or_default();
            *part == if nth == 0 { base(text) } else { text }
        });
        (fits && parts.len() <= words.len()).then_some(parts.len())
    });
    names.next()
}

/// Returns the name of a program without its directory and the ending of Windows.
fn base(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
