//! Finds the code in a Markdown text that may hold command lines: fenced blocks of a shell, and inline code.

use std::ops::Range;

use skills_core::markdown::Markdown;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) at: Range<usize>,
    pub(crate) kind: CodeKind,
}

/// Where a piece of code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeKind {
    /// In a block that names a shell.
    Shell,
    /// In a block without a language, which may also hold output.
    Unmarked,
    /// In a sentence, which may name only a part of a command.
    Inline,
}

/// Returns the pieces of code in the order of the text.
pub(crate) fn code(text: &str) -> Vec<Code> {
    let markdown = Markdown::parse(text);
    let blocks = markdown.blocks.into_iter().filter(|block| !block.is_indented);
    let mut found: Vec<Code> = blocks
        .filter_map(|block| Some(Code { kind: kind(&block.info)?, at: block.content }))
        .chain(markdown.inline_code.into_iter().map(|place| inline(text, place)))
        .collect();
    skills_text::sort(&mut found, &|a, b| a.at.start.cmp(&b.at.start));
    found
}

/// Returns inline code without its backquotes.
fn inline(text: &str, place: Range<usize>) -> Code {
    let code = text.get(place.clone()).unwrap_or_default();
    let quotes = code.len() - code.trim_start_matches('`').len();
    Code { at: place.start + quotes..place.end - quotes, kind: CodeKind::Inline }
}

/// Returns the kind of a block by its info string; `None` if it holds something else.
fn kind(info: &str) -> Option<CodeKind> {
    let language = info.trim().split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    match language.as_str() {
        "" => Some(CodeKind::Unmarked),
        "bash" | "sh" | "shell" | "zsh" | "console" | "terminal" | "shell-session" | "shellsession" => {
            Some(CodeKind::Shell)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeKind, code};

    // SPEC 23.3
    #[test]
    fn code_is_found_with_its_kind() {
        let text = "Run `a b`, ``c ` d`` and `e\nf`, not `g\n\nh`.\n```sh\ni\n```\n~~~\nj\n~~~\n```json\nk\n```\n| `l` |\n";
        let found: Vec<(&str, CodeKind)> =
            code(text).iter().map(|code| (&text[code.at.clone()], code.kind)).collect();
        assert_eq!(
            found,
            [
                ("a b", CodeKind::Inline),
                ("c ` d", CodeKind::Inline),
                ("e\nf", CodeKind::Inline),
                ("i\n", CodeKind::Shell),
                ("j\n", CodeKind::Unmarked),
                ("l", CodeKind::Inline),
            ]
        );
    }
}
