//! Splits shell code into commands and words, each with its place. Nothing is expanded or run.

mod lexer;

use std::ops::Range;

use crate::markdown::CodeKind;
use lexer::Lexer;
pub(crate) use lexer::{ShellCommand, ShellWord, is_placeholder};

impl ShellWord {
    pub(crate) fn known(&self) -> Option<&str> {
        (self.wild.is_none() && !self.is_open).then_some(self.text.as_str())
    }
}

/// Returns the commands in a part of a text.
pub(crate) fn lines(text: &str, at: Range<usize>, kind: CodeKind) -> Vec<ShellCommand> {
    let code = text.get(at.clone()).unwrap_or_default();
    let mut found = Vec::new();
    if kind == CodeKind::Inline {
        // A line feed in inline code is a space.
        Lexer::new(&code.replace('\n', " "), at.start, &mut found).run();
        return found;
    }
    let prompts = prompts(code);
    match prompts.is_empty() {
        true => Lexer::new(code, at.start, &mut found).run(),
        false => {
            for prompt in prompts {
                Lexer::new(&code[prompt.clone()], at.start + prompt.start, &mut found).run();
            }
        }
    }
    found
}

/// Returns the commands of a session: the text after each prompt, with the lines that continue it. All other lines are
/// output.
fn prompts(code: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut goes_on = false;
    for line in code.split_inclusive('\n') {
        let end = at + line.len();
        let prompt = ["$ ", "% ", "❯ "].into_iter().find(|prompt| line.trim_start().starts_with(prompt));
        match (goes_on, prompt, found.last_mut()) {
            (true, _, Some(last)) => last.end = end,
            (_, Some(prompt), _) => {
                let indent = line.len() - line.trim_start().len();
                found.push(at + indent + prompt.len()..end);
            }
            _ => {}
        }
        goes_on = (goes_on || prompt.is_some()) && line.trim_end().ends_with('\\');
        at = end;
    }
    found
}
