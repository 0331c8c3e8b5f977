//! Classifies the tokens of a text, so that an editor can colour a template that is still being typed.

use std::ops::Range;

use skills_template::{Filter, Lexer, Token};

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The first name of a path: `input`, `steps`, `item` or `index`.
    Root,
    /// A further name of a path, or the name of a field.
    Key,
    /// The name of a filter.
    Filter,
    /// `#if`, `/if`, `#each`, `/each`, `#raw`, `/raw`, `else`, `true`, `false` or `null`.
    Keyword,
    /// A string, with its quotes.
    String,
    /// A number.
    Number,
    /// An operator, such as `|` or `==`.
    Operator,
}

/// Returns the classes and the bytes of all tokens inside `{{` and `}}`, in the order of the text.
pub(crate) fn highlight(text: &str) -> Vec<(Class, Range<usize>)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(open) = text.get(at..).and_then(|rest| rest.find("{{")).map(|open| at + open) {
        if text[open..].starts_with("{{{{") {
            at = open + 4;
            continue;
        }
        at = tokens(text, block(text, open + 2, &mut found), &mut found);
    }
    found
}

/// Returns the classes and the bytes of all tokens of a condition or of another text without braces.
pub(crate) fn highlight_expression(text: &str) -> Vec<(Class, Range<usize>)> {
    let mut found = Vec::new();
    tokens(text, 0, &mut found);
    found
}

/// Finds the name of a block at a position, and returns the position behind it.
fn block(text: &str, at: usize, found: &mut Vec<(Class, Range<usize>)>) -> usize {
    let start = text.len() - text[at..].trim_start().len();
    let rest = &text[start..];
    let sign = usize::from(rest.starts_with(['#', '/']));
    let end = rest[sign..].find(|c: char| !c.is_alphanumeric()).map_or(rest.len(), |end| sign + end);
    if sign == 0 && &rest[..end] != "else" {
        return at;
    }
    found.push((Class::Keyword, start..start + end));
    start + end
}

/// Adds the tokens from a position to the end of its expression, and returns the position behind them.
fn tokens(text: &str, at: usize, found: &mut Vec<(Class, Range<usize>)>) -> usize {
    let mut lexer = Lexer::new(text);
    lexer.seek(at);
    let mut before = "";
    loop {
        let spelling = lexer.spelling();
        let class = match lexer.token {
            Token::End => return text.len(),
            Token::Symbol("}}") => return lexer.end,
            Token::Symbol("{{") => return lexer.start,
            Token::Word => Some(word(spelling, before)),
            Token::Number => Some(Class::Number),
            Token::String => Some(Class::String),
            Token::Symbol("." | ":" | "(" | ")" | "[" | "]") | Token::Other | Token::Bad => None,
            Token::Symbol(_) => Some(Class::Operator),
        };
        found.extend(class.map(|class| (class, lexer.start..lexer.end)));
        before = spelling;
        // A key after a dot may start with digits.
        if lexer.is(".") {
            lexer.read_segment();
        } else {
            lexer.advance();
        }
    }
}

fn word(word: &str, before: &str) -> Class {
    match (before, word) {
        (".", _) => Class::Key,
        ("|", _) if word.parse::<Filter>().is_ok() => Class::Filter,
        (_, "input" | "steps" | "item" | "index") => Class::Root,
        (_, "true" | "false" | "null") => Class::Keyword,
        _ => Class::Key,
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, highlight, highlight_expression};

    // SPEC 17.23
    #[test]
    fn tokens_of_a_prompt_have_classes() {
        let text = "{{{{no}}}} {{#if input.a}}{{ steps.b.0 | default: 'x' }}{{else}}{{item}} {{/if}}";
        let found: Vec<(Class, &str)> =
            highlight(text).into_iter().map(|(class, bytes)| (class, &text[bytes])).collect();
        let wanted = [
            (Class::Keyword, "#if"),
            (Class::Root, "input"),
            (Class::Key, "a"),
            (Class::Root, "steps"),
            (Class::Key, "b"),
            (Class::Key, "0"),
            (Class::Operator, "|"),
            (Class::Filter, "default"),
            (Class::String, "'x'"),
            (Class::Keyword, "else"),
            (Class::Root, "item"),
            (Class::Keyword, "/if"),
        ];
        assert_eq!(found, wanted);
    }

    // SPEC 17.23: text that is being typed has the tokens of its finished part
    #[test]
    fn unfinished_text_has_tokens() {
        let words = |text: &'static str| -> Vec<&str> {
            highlight(text).into_iter().map(|(_, bytes)| &text[bytes]).collect()
        };
        assert_eq!(words("{{"), Vec::<&str>::new());
        assert_eq!(words("{{input."), ["input"]);
        assert_eq!(words("{{input.a | {{steps.b}}"), ["input", "a", "|", "steps", "b"]);
        assert_eq!(words("{{ é.技 \u{0} 'a}} b"), ["é", "技", "a"]);
        let text = "steps.one.sum > 3 && !item";
        let found: Vec<&str> =
            highlight_expression(text).into_iter().map(|(_, bytes)| &text[bytes]).collect();
        assert_eq!(found, ["steps", "one", "sum", ">", "3", "&&", "!", "item"]);
    }
}
