//! Prints generated code as text for the file that a build script writes. Users read this file where rustc points into it.

use std::fmt::{Display, Write as _};

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A line that is longer breaks after a comma.
const LIST_WIDTH: usize = 100;

/// A line that is longer breaks before any token, unless a single literal makes it so long.
pub(crate) const WIDTH: usize = 400;

const INDENT: &str = "    ";

/// Prints tokens with a line for each attribute, item, statement, field and arm. Lines break only between tokens, so the
/// text parses to the same tokens.
pub(crate) fn print_tokens(tokens: TokenStream) -> String {
    let mut printer = Printer::default();
    printer.print_block(tokens);
    printer.start_line();
    printer.out
}

/// The last token of the line, as far as the space before the next one depends on it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    /// The line or a group begins.
    #[default]
    Start,
    /// An identifier, a literal, the end of a group, or `>` or `?` after one of these.
    Value,
    /// A keyword or a lifetime, which no call and no index follows.
    Keyword,
    /// The end of a block. Only the rest of its statement follows it on the line.
    Block,
    /// A prefix, such as `.`, `&` or `::`.
    Prefix(char),
    /// The first character of an operator, or of a lifetime.
    Joint(char),
    /// Another operator.
    Operator,
}

#[derive(Default)]
struct Printer {
    out: String,
    /// The position in `out` at which the line starts.
    line: usize,
    last: Last,
    depth: usize,
    /// The depth at the start of the line.
    line_depth: usize,
    /// The position in `out` at which the last token starts.
    token: usize,
    /// The position after the last comma of the line, and the depth there.
    comma: Option<(usize, usize)>,
}

impl Printer {
    /// Prints the tokens of a file or of braces: a line ends after each attribute, `;`, `,` and inner block.
    fn print_block(&mut self, tokens: TokenStream) {
        let mut angles = 0_usize;
        for token in tokens {
            if self.last == Last::Block && !continues_statement(&token) {
                self.start_line();
            }
            let last = self.last;
            let ends_line = match &token {
                TokenTree::Group(group) => {
                    group.delimiter() == Delimiter::Bracket && last == Last::Prefix('#')
                }
                TokenTree::Punct(sign) => {
                    match sign.as_char() {
                        '<' => angles += 1,
                        '>' if !matches!(last, Last::Joint('-' | '=')) => angles = angles.saturating_sub(1),
                        ';' => angles = 0,
                        _ => {}
                    }
                    sign.as_char() == ';' || (sign.as_char() == ',' && angles == 0)
                }
                _ => false,
            };
            self.print_token(token);
            if ends_line {
                self.start_line();
            }
        }
    }

    fn print_token(&mut self, token: TokenTree) {
        match token {
            TokenTree::Group(group) => self.print_group(group),
            TokenTree::Ident(ident) => {
                let is_spaced = !matches!(self.last, Last::Start | Last::Prefix(_) | Last::Joint(_));
                self.write(&ident, is_spaced);
                let is_keyword = self.last == Last::Joint('\'') || is_keyword(&self.out[self.token..]);
                self.last = if is_keyword { Last::Keyword } else { Last::Value };
            }
            TokenTree::Literal(literal) => {
                self.write(&literal, !matches!(self.last, Last::Start | Last::Prefix(_)));
                self.last = Last::Value;
            }
            TokenTree::Punct(sign) => self.print_sign(sign.as_char(), sign.spacing()),
        }
    }

    fn print_sign(&mut self, sign: char, spacing: Spacing) {
        let is_spaced = match self.last {
            Last::Start | Last::Joint(_) => false,
            Last::Value | Last::Block => !matches!(sign, ',' | ';' | '.' | '?' | ':' | '!' | '<' | '>'),
            Last::Prefix(before) => !(sign == '\'' || (sign == '&' && before != '&')),
            Last::Keyword => !matches!(sign, ',' | ';' | ':' | '>'),
            Last::Operator => !matches!(sign, ',' | ';'),
        };
        self.write_sign(sign, is_spaced);
        if sign == ',' {
            self.comma = Some((self.out.len(), self.depth));
        }
        self.last = match (self.last, sign) {
            (_, _) if spacing == Spacing::Joint => Last::Joint(sign),
            (Last::Joint(':'), ':') => Last::Prefix(':'),
            (Last::Joint('-' | '='), '>') => Last::Operator,
            (_, '.' | '&' | '!' | '#' | '$' | '<') => Last::Prefix(sign),
            (_, '>' | '?') => Last::Value,
            _ => Last::Operator,
        };
    }

    fn print_group(&mut self, group: Group) {
        let (delimiter, tokens) = (group.delimiter(), group.stream());
        // The tokens are copied while the group has them, too.
        drop(group);
        let [open, close] = match delimiter {
            Delimiter::Brace => return self.print_braces(tokens),
            Delimiter::Parenthesis => ['(', ')'],
            Delimiter::Bracket => ['[', ']'],
            // These delimiters have no text.
            Delimiter::None => return tokens.into_iter().for_each(|token| self.print_token(token)),
        };
        self.write_sign(open, matches!(self.last, Last::Keyword | Last::Operator));
        self.last = Last::Start;
        self.depth += 1;
        for token in tokens {
            if self.last == Last::Block && !continues_statement(&token) {
                self.start_line();
            }
            self.print_token(token);
        }
        self.depth -= 1;
        if self.out.ends_with(',') {
            self.comma = None;
        }
        self.write_sign(close, false);
        self.last = Last::Value;
    }

    fn print_braces(&mut self, tokens: TokenStream) {
        self.write_sign('{', !matches!(self.last, Last::Start | Last::Prefix(':')));
        if !tokens.is_empty() {
            self.depth += 1;
            self.start_line();
            self.print_block(tokens);
            self.depth -= 1;
            self.start_line();
        }
        self.write_sign('}', false);
        self.last = Last::Block;
    }

    /// Writes a word or a literal.
    fn write(&mut self, token: &dyn Display, is_spaced: bool) {
        self.begin_token(is_spaced);
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{token}");
        self.end_token(is_spaced);
    }

    /// Writes a sign. It is written without the machinery of [`Display`], since most tokens are signs.
    fn write_sign(&mut self, sign: char, is_spaced: bool) {
        self.begin_token(is_spaced);
        self.out.push(sign);
        self.end_token(is_spaced);
    }

    /// Writes the space before a token.
    fn begin_token(&mut self, is_spaced: bool) {
        if self.out.len() == self.line {
            self.indent(self.depth);
            self.line_depth = self.depth;
        } else if is_spaced {
            self.out.push(' ');
        }
        self.token = self.out.len();
    }

    /// Breaks the line if the token makes it too long.
    fn end_token(&mut self, is_spaced: bool) {
        if self.out.len() - self.line <= LIST_WIDTH {
            return;
        }
        if let Some((at, depth)) = self.comma.take() {
            self.break_line(at, depth);
        }
        let can_break = is_spaced || self.last == Last::Start;
        if can_break && self.out.len() - self.line > WIDTH && self.out.len() - self.token <= WIDTH {
            self.break_line(self.token, self.depth);
        }
    }

    /// Moves the text from `at` on to a new line.
    fn break_line(&mut self, at: usize, depth: usize) {
        let rest = self.out[at..].trim_start().to_owned();
        let length = self.out.len() - self.token;
        self.out.truncate(self.out[..at].trim_end().len());
        self.out.push('\n');
        (self.line, self.comma) = (self.out.len(), None);
        self.indent(depth.max(self.line_depth + 1));
        self.out.push_str(&rest);
        self.token = self.out.len() - length;
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push_str(INDENT);
        }
    }

    /// Ends the line, unless it is empty.
    fn start_line(&mut self) {
        if self.out.len() > self.line {
            self.out.push('\n');
        }
        self.line = self.out.len();
        self.comma = None;
        self.last = Last::Start;
    }
}

/// Returns `true` if a group is written with a space after the word.
fn is_keyword(word: &str) -> bool {
    matches!(word, "as" | "if" | "in" | "let" | "match" | "move" | "mut" | "return" | "where")
}

/// Returns `true` if a token after a block belongs to the same statement.
fn continues_statement(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => matches!(sign.as_char(), ',' | ';' | '.' | '?'),
        TokenTree::Ident(word) => word == "else" || word == "as",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::generate::{Form, Program, generate};
    use quote::quote;

    /// Operators of two signs. `>>` is left out, because rustc also reads it as the ends of two lists of generics.
    const OPERATORS: &str = ":: -> => == != <= >= && || .. << += -= *= /= %= ^= &= |= .=";

    /// Appends each token with its delimiters, and operators as rustc reads them.
    fn flatten(tokens: TokenStream, flat: &mut Vec<String>) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    flat.push(format!("{:?}", group.delimiter()));
                    flatten(group.stream(), flat);
                    flat.push("end".to_owned());
                }
                TokenTree::Punct(sign) if sign.spacing() == Spacing::Joint => {
                    let next = tokens.peek().map(ToString::to_string).unwrap_or_default();
                    let operator = format!("{}{next}", sign.as_char());
                    let is_joint = OPERATORS.split(' ').any(|known| known == operator);
                    flat.push(format!("{}{}", sign.as_char(), if is_joint { "+" } else { "" }));
                }
                other => flat.push(other.to_string()),
            }
        }
    }

    /// Prints tokens, and checks that the text has the same tokens, short lines and no blank lines.
    fn print(tokens: TokenStream) -> String {
        let text = print_tokens(tokens.clone());
        let (mut wanted, mut found) = (Vec::new(), Vec::new());
        flatten(tokens, &mut wanted);
        flatten(text.parse().expect("tokens"), &mut found);
        let differs = wanted.iter().zip(&found).position(|(wanted, found)| wanted != found);
        let before = differs.unwrap_or_default().saturating_sub(5);
        assert!(
            wanted == found,
            "{:?}\n{:?}",
            wanted.get(before..before + 10),
            found.get(before..before + 10)
        );
        for line in text.lines() {
            let indent = line.len() - line.trim_start().len();
            let literals = found.iter().filter(|token| token.len() > WIDTH / 2 && line.contains(*token));
            let longest = literals.map(String::len).max().unwrap_or_default();
            assert!(line.len() <= WIDTH || indent + longest >= WIDTH, "{line}");
            assert_eq!(line.trim_end(), line);
            assert!(!line.is_empty());
        }
        text
    }

    // SPEC 18.17
    #[test]
    fn the_code_of_bundled_skills_has_short_lines() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for dir in ["skills", "examples/skills", "docs/book/desk/skills", "docs/book/skills"] {
            let loaded = skills_core::load(&top.join(dir), dir, &Default::default());
            let program = Program::default();
            let code =
                generate(&loaded.catalog, dir, Form::Files("s"), &program, 8000, &mut |_, _, _| [0; 32]);
            let items = code.expect("it is small").items;
            assert!(items.len() > 5, "{dir}");
            for item in items {
                assert_eq!(print(item.clone()), print_tokens(item));
            }
        }
    }

    // SPEC 6.2: a method of `Host` has its own line.
    #[test]
    fn items_are_on_separate_lines() {
        let text = print(quote! {
            #[doc = " A; b {"]
            pub trait Host: Send { #[doc = "c"] fn a(&self, b: Vec<u8>, c: Map<u8, u8>) -> &'static [u8; 3]; fn d(); }
            impl<'a, T> X<T> for ::core::Y {}
            static Z: A = A { b: &[1, 2], c: env!("D"), .. };
            fn e() { match f.g { "h" => if !i { j() } else { k }, _ => None, } }
        });
        let expected = "\
#[doc = \" A; b {\"]
pub trait Host: Send {
    #[doc = \"c\"]
    fn a(&self, b: Vec<u8>, c: Map<u8, u8>) -> &'static [u8; 3];
    fn d();
}
impl<'a, T> X<T> for::core::Y {}
static Z: A = A {
    b: &[1, 2],
    c: env!(\"D\"),
    ..
};
fn e() {
    match f.g {
        \"h\" => if !i {
            j()
        } else {
            k
        },
        _ => None,
    }
}
";
        assert_eq!(text, expected);
    }

    // SPEC 18.17
    #[test]
    fn long_lists_and_long_lines_are_broken() {
        let (numbers, word, long) = (1000..1100_u32, "a".repeat(120), "b".repeat(WIDTH));
        let text = print(quote! {
            const A: &[u32] = &[#(#numbers),*];
            const B: (&str, &str) = (#word, (#word, #word));
            const C: &str = #word == #word == #word == #word == #long;
        });
        assert!(text.starts_with("const A: &[u32] = &[1000u32, "), "{text}");
        assert!(text.contains(",\n    1009u32, "), "{text}");
        assert!(text.contains(&format!("(\"{word}\",\n    (\"{word}\",\n        \"{word}\"));\n")), "{text}");
        assert!(text.contains(&format!("const C: &str = \"{word}\" == ")), "{text}");
        let short = text.lines().filter(|line| !line.contains(&long)).map(str::len).max();
        assert!(short.is_some_and(|longest| longest > LIST_WIDTH && longest <= WIDTH), "{text}");
    }
}
