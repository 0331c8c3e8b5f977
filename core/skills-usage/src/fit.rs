//! Checks the words of one call against the commands of its program.

use std::ops::Range;

use skills_text::nearest;

use crate::finding::{Finding, Mismatch};
use crate::markdown::CodeKind;
use crate::program::ProgramCall;
use crate::shell::{ShellWord, is_placeholder};
use crate::tree::{Argument, CommandTree, Flag, ValueCount, Values};

/// Adds the places of a call that do not fit the commands. `text` is the text that contains the call.
pub(crate) fn fit(
    text: &str,
    program: &CommandTree,
    call: &ProgramCall<'_>,
    kind: CodeKind,
    found: &mut Vec<Finding>,
) {
    let mut fit = Fit {
        text,
        command: program,
        around: Vec::new(),
        words: call.words,
        next: 0,
        taken: 0,
        is_open: call.is_open || kind == CodeKind::Inline,
        is_loose: false,
        kind,
        found,
    };
    if fit.read().is_some() {
        fit.check_missing(call.name);
    }
}

/// One call while it is read.
struct Fit<'c, 'f> {
    text: &'c str,
    command: &'c CommandTree,
    /// The program and the subcommands above the command.
    around: Vec<&'c CommandTree>,
    words: &'c [ShellWord],
    next: usize,
    /// How many arguments the current command has.
    taken: usize,
    /// Whether arguments may be missing, because the text shows only a part of the call.
    is_open: bool,
    /// Whether a word may stand for several, so that arguments cannot be counted.
    is_loose: bool,
    kind: CodeKind,
    found: &'f mut Vec<Finding>,
}

impl<'c> Fit<'c, '_> {
    /// Reads all words; `None` if the rest of the line cannot be checked.
    fn read(&mut self) -> Option<()> {
        while let Some(word) = self.words.get(self.next) {
            self.next += 1;
            let text = word.text.as_str();
            let is_flag = text.len() > 1 && text.starts_with('-') && text.parse::<f64>().is_err();
            if word.is_open || word.wild == Some(0) && text.starts_with('$') && !word.is_quoted {
                // The word may stand for flags, for arguments or for nothing.
                self.lose_count();
                self.command.commands.is_empty().then_some(())?;
            } else if text == "--" {
                // Arguments, perhaps of another program.
                return None;
            } else if is_flag && !self.takes_dashes() {
                self.flag(word);
            } else {
                self.argument(word)?;
            }
        }
        Some(())
    }

    /// Returns the flags of the current command, and the global ones of the commands above it.
    fn flags(&self) -> impl Iterator<Item = &'c Flag> {
        let around =
            self.around.iter().rev().flat_map(|command| command.flags.iter().filter(|flag| flag.global));
        self.command.flags.iter().chain(around)
    }

    fn find(&self, name: &str) -> Option<&'c Flag> {
        self.flags().find(|flag| flag.is_named(name))
    }

    /// Returns `true` if the next argument may begin with a dash.
    fn takes_dashes(&self) -> bool {
        self.argument_at(self.taken)
            .is_some_and(|argument| argument.rest && self.taken > 0 || argument.values.dashes)
    }

    /// Returns the argument that takes the value with a number.
    fn argument_at(&self, nth: usize) -> Option<&'c Argument> {
        let arguments = &self.command.arguments;
        arguments.get(nth).or_else(|| arguments.last().filter(|last| last.many || last.rest))
    }

    /// Records that the following arguments cannot be counted.
    fn lose_count(&mut self) {
        (self.is_open, self.is_loose) = (true, true);
    }

    /// Reads a flag and its values.
    fn flag(&mut self, word: &'c ShellWord) {
        let text = word.text.as_str();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        // Flags such as `--help` end the program before it looks at other arguments.
        let is_help = matches!(name, "--help" | "-h" | "--version" | "-V");
        self.is_open |= is_help;
        if word.wild.is_some_and(|wild| wild < name.len()) {
            return self.lose_count();
        }
        match self.find(name) {
            Some(flag) => self.known(flag, word, name, value),
            None if is_help => {}
            None if text.starts_with("--") => self.unknown_flag(self.part(word, name), name),
            None => self.short(word),
        }
    }

    /// Reads a flag by its whole name.
    fn known(&mut self, flag: &'c Flag, word: &'c ShellWord, name: &str, value: Option<&str>) {
        let at = self.part(word, name);
        match flag.old.iter().any(|old| old == name) {
            true => {
                let new = Some(flag.name().to_owned()).filter(|new| !new.is_empty());
                let problem = if new.is_some() { Mismatch::Renamed } else { Mismatch::Deprecated };
                self.add(at.clone(), problem, name, new);
            }
            false => self.check_deprecated(&flag.deprecated, at.clone(), name),
        }
        match value {
            Some(_) if flag.takes == ValueCount::Nothing => self.add(at, Mismatch::NeedlessValue, name, None),
            Some(value) => {
                let start = word.at.end.saturating_sub(value.len());
                let at = if self.text.get(start..word.at.end) == Some(value) {
                    start..word.at.end
                } else {
                    word.at.clone()
                };
                let is_known = word.wild.is_none() && !word.is_open;
                self.check_value(&flag.values, name, is_known.then_some(value), at);
            }
            None => self.values(flag, at, name),
        }
    }

    /// Reads a cluster of short flags: `-xvf FILE`, `-j4`.
    fn short(&mut self, word: &'c ShellWord) {
        let text = word.text.as_str();
        for (at, c) in text.char_indices().skip(1) {
            let name = format!("-{c}");
            let Some(flag) = self.find(&name) else {
                // A long word is probably a long flag with only one dash.
                let name = if at == 1 { text.split('=').next().unwrap_or(text) } else { &name };
                return self.unknown_flag(self.part(word, text), name);
            };
            if flag.takes == ValueCount::Nothing {
                continue;
            }
            let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
            match rest.strip_prefix('=').unwrap_or(rest) {
                "" => self.values(flag, word.at.clone(), &name),
                value => self.check_value(&flag.values, &name, word.known().map(|_| value), word.at.clone()),
            }
            return;
        }
    }

    /// Reads the values that follow a flag.
    fn values(&mut self, flag: &'c Flag, at: Range<usize>, name: &str) {
        let most = match flag.takes {
            ValueCount::Nothing | ValueCount::Joined => return,
            ValueCount::One | ValueCount::Optional => 1,
            ValueCount::Many => usize::MAX,
        };
        let mut count = 0;
        while let Some(word) = self.words.get(self.next).filter(|_| count < most) {
            let text = word.text.as_str();
            let is_value =
                !text.starts_with('-') || text == "-" || flag.values.dashes || text.parse::<f64>().is_ok();
            let is_command = flag.takes != ValueCount::One && self.command.command(text).is_some();
            if !is_value || is_command {
                break;
            }
            self.next += 1;
            count += 1;
            self.is_open |= word.is_open;
            self.check_value(&flag.values, name, word.known(), word.at.clone());
        }
        if count == 0 && flag.takes != ValueCount::Optional && !self.is_open {
            self.add(at, Mismatch::NoValue, name, None);
        }
    }

    /// Reads a subcommand or an argument; `None` if the rest cannot be checked.
    fn argument(&mut self, word: &'c ShellWord) -> Option<()> {
        let command = self.command;
        let known = word.known().filter(|text| !is_placeholder(text));
        if let Some(next) = known.and_then(|name| command.command(name)) {
            self.check_deprecated(&next.deprecated, word.at.clone(), &word.text);
            self.around.push(std::mem::replace(&mut self.command, next));
            self.taken = 0;
            return Some(());
        }
        // `acme list/show` names two commands.
        let names_command = known
            .is_none_or(|name| name == "help" || name.split('/').all(|name| command.command(name).is_some()));
        if !command.commands.is_empty() && names_command {
            return None;
        }
        let argument = self.argument_at(self.taken);
        match argument {
            Some(argument) => {
                // If an earlier argument takes many values, the position of this argument is not known.
                let is_clear = command.arguments.iter().rev().skip(1).all(|argument| !argument.many);
                if is_clear && !self.is_loose {
                    self.check_value(&argument.values, &argument.name, known, word.at.clone());
                }
                self.taken += 1;
                (!argument.rest).then_some(())
            }
            None if command.open || self.is_loose => Some(()),
            None if !command.commands.is_empty() => {
                self.unknown_command(word, known?);
                None
            }
            None => {
                self.extra(word);
                None
            }
        }
    }

    fn unknown_command(&mut self, word: &ShellWord, name: &str) {
        let near = nearest(name, self.command.command_names()).map(str::to_owned);
        // In a block without a language, the line may be output: `acme 1.2.3`, `acme: 3 files`, `acme timed out after 3 s`.
        let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let is_sentence = near.is_none()
            && self.words.len() > 3
            && !self.words.iter().any(|word| word.text.starts_with('-'));
        let is_output = self.kind == CodeKind::Unmarked && (!is_name || is_sentence);
        if !is_output {
            self.add(word.at.clone(), Mismatch::Command, name, near);
        }
    }

    fn extra(&mut self, word: &ShellWord) {
        if self.kind != CodeKind::Unmarked || !self.around.is_empty() {
            self.add(word.at.clone(), Mismatch::Extra, &word.text, None);
        }
    }

    fn unknown_flag(&mut self, at: Range<usize>, name: &str) {
        // Its value may follow.
        self.lose_count();
        if self.command.open {
            return;
        }
        let names = self.flags().flat_map(|flag| flag.names.iter().map(String::as_str));
        let near = nearest(name, names.filter(|known| known.len() > 2)).map(str::to_owned);
        self.add(at, Mismatch::Flag, name, near);
    }

    fn check_deprecated(&mut self, replacement: &Option<String>, at: Range<usize>, name: &str) {
        if let Some(replacement) = replacement {
            let near = (!replacement.is_empty()).then(|| replacement.clone());
            self.add(at, Mismatch::Deprecated, name, near);
        }
    }

    /// Checks a value; `None` if it is not known.
    fn check_value(&mut self, values: &Values, of: &str, value: Option<&str>, at: Range<usize>) {
        let Some(value) = value else { return };
        if values.accept(value) || is_placeholder(value) || value.contains('$') || value == "etc." {
            return;
        }
        let near = nearest(value, values.possible.iter().map(String::as_str)).map(str::to_owned);
        let problem = Mismatch::Value { of: of.to_owned(), expected: values.describe() };
        self.add(at, problem, value, near);
    }

    /// Reports the arguments and flags that a complete call lacks.
    fn check_missing(&mut self, name: &ShellWord) {
        if self.is_open {
            return;
        }
        let command = self.command;
        let Some(last) = self.words.get(..self.next).and_then(<[ShellWord]>::last).or(Some(name)) else {
            return;
        };
        let given: Vec<&str> =
            self.words.iter().map(|word| word.text.split('=').next().unwrap_or_default()).collect();
        let mut required = command.flags.iter().filter(|flag| flag.required);
        let flag = required.find(|flag| !given.iter().any(|name| flag.is_named(name)));
        let argument =
            command.arguments.get(self.taken..).unwrap_or_default().iter().find(|argument| argument.required);
        let missing = argument.map(|argument| format!("`{}`", argument.name));
        if let Some(name) = missing.or_else(|| flag.map(|flag| format!("`{}`", flag.name()))) {
            self.add(last.at.clone(), Mismatch::Missing { name }, "", None);
        }
    }

    /// Returns the place of the first part of a word. If the word is written with quotes or escapes, returns
    /// the place of the whole word.
    fn part(&self, word: &ShellWord, name: &str) -> Range<usize> {
        let end = word.at.start + name.len();
        if self.text.get(word.at.start..end) == Some(name) { word.at.start..end } else { word.at.clone() }
    }

    fn add(&mut self, at: Range<usize>, problem: Mismatch, written: &str, nearest: Option<String>) {
        let path = self.around.iter().copied().chain([self.command]);
        let names: Vec<&str> = path.map(|command| command.name.as_str()).collect();
        let finding = Finding { at, problem, command: names.join(" "), written: written.to_owned(), nearest };
        self.found.push(finding);
    }
}
