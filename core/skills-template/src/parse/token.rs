//! Splits the text of an expression into tokens, one at a time.

use crate::{TemplateProblem, TemplateSpan};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name.
    Word,
    /// A number.
    Number,
    /// Its content is in `Lexer::content`.
    String,
    /// A token with a fixed spelling.
    Symbol(&'static str),
    /// A character that does not start any token.
    Other,
    /// The end of the text.
    End,
    /// An invalid token, whose error was recorded.
    Bad,
}

/// The tokens with a fixed spelling. Longer ones come before their prefixes.
const SYMBOLS: [&str; 18] =
    ["{{", "}}", "||", "|", "&&", "==", "!=", "!", "<=", "<", ">=", ">", ":", ".", "[", "]", "(", ")"];

/// Returns `true` if a name may begin with the character.
pub fn begins_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Returns `true` if a name may continue with the character. U+0300 to U+036F are combining accents.
pub fn continues_name(c: char) -> bool {
    c == '_' || c == '-' || c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c)
}

/// A position in the text, and the token that begins there.
#[derive(Debug)]
pub struct Lexer<'t> {
    pub(super) text: &'t str,
    /// The current token.
    pub token: Token,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
    /// The content of the current token if it is a string.
    pub(super) content: String,
    /// Errors inside tokens, for the parser to take.
    pub(super) faults: Vec<(TemplateSpan, TemplateProblem)>,
}

impl<'t> Lexer<'t> {
    /// Starts before the first token of a text.
    pub fn new(text: &'t str) -> Self {
        let (content, faults) = (String::new(), Vec::new());
        Self { text, token: Token::End, start: 0, end: 0, content, faults }
    }

    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    pub(super) fn skip_blanks(&self, at: usize) -> usize {
        self.text.len() - self.rest(at).trim_start().len()
    }

    /// Returns the text of the current token.
    pub fn spelling(&self) -> &'t str {
        self.text.get(self.start..self.end).unwrap_or("")
    }

    /// Returns `true` if the current token is this symbol.
    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.token, Token::Symbol(known) if known == symbol)
    }

    /// Advances to the first token at or after a position.
    pub fn seek(&mut self, at: usize) {
        self.end = at;
        self.advance();
    }

    /// Advances to the next token.
    pub fn advance(&mut self) {
        self.start = self.skip_blanks(self.end);
        let rest = self.rest(self.start);
        let Some(first) = rest.chars().next() else {
            (self.token, self.end) = (Token::End, self.start);
            return;
        };
        if first == '"' || first == '\'' {
            self.read_string(first);
        } else if first.is_ascii_digit()
            || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            self.read_number(rest);
        } else if begins_name(first) {
            (self.token, self.end) = (Token::Word, self.start + name_length(rest));
        } else if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
            (self.token, self.end) = (Token::Symbol(symbol), self.start + symbol.len());
        } else {
            (self.token, self.end) = (Token::Other, self.start + first.len_utf8());
        }
    }

    /// Reads the text after a `.` as a name, which may start with digits. Leaves the token unchanged
    /// if the text is not a name.
    pub fn read_segment(&mut self) -> bool {
        let start = self.skip_blanks(self.end);
        let rest = self.rest(start);
        if !rest.starts_with(|c| continues_name(c) && c != '-') {
            self.advance();
            return false;
        }
        (self.token, self.start, self.end) = (Token::Word, start, start + name_length(rest));
        true
    }

    fn fault(&mut self, start: usize, end: usize, problem: TemplateProblem) {
        self.faults.push((TemplateSpan::new(start, end), problem));
    }

    fn read_number(&mut self, rest: &str) {
        let length = number_length(rest).unwrap_or(0);
        let tail = rest[length..]
            .find(|c| !continues_name(c) && c != '.' && c != '+')
            .unwrap_or(rest.len() - length);
        self.end = self.start + length + tail;
        self.token = Token::Number;
        let found = self.spelling();
        if tail > 0 || !found.parse().is_ok_and(f64::is_finite) {
            self.fault(self.start, self.end, TemplateProblem::BadNumber { found: found.to_owned() });
        }
    }

    fn read_string(&mut self, quote: char) {
        self.content.clear();
        let mut at = self.start + 1;
        loop {
            let rest = self.rest(at);
            let Some(length) = rest.find([quote, '\\']) else {
                self.fault(self.start, self.start + 1, TemplateProblem::UnclosedString);
                (self.token, self.end) = (Token::Bad, self.start + 1);
                return;
            };
            self.content.push_str(&rest[..length]);
            at += length;
            if rest[length..].starts_with(quote) {
                (self.token, self.end) = (Token::String, at + 1);
                return;
            }
            at += self.read_escape(at);
        }
    }

    /// Reads the escape at a backslash and returns its length.
    fn read_escape(&mut self, at: usize) -> usize {
        let rest = self.rest(at + 1);
        let Some(letter) = rest.chars().next() else { return 1 };
        let simple = match letter {
            'n' => Some('\n'),
            't' => Some('\t'),
            '\\' | '\'' | '"' => Some(letter),
            _ => None,
        };
        if let Some(simple) = simple {
            self.content.push(simple);
            return 2;
        }
        let mut length = 1 + letter.len_utf8();
        if letter == 'u' {
            match unicode_escape(&rest[1..]) {
                Ok((c, digits)) => {
                    self.content.push(c);
                    return 2 + digits;
                }
                Err(digits) => length += digits,
            }
        }
        let found = self.text.get(at..at + length).unwrap_or("").to_owned();
        self.fault(at, at + length, TemplateProblem::BadEscape { found });
        length
    }
}

/// Reads four hexadecimal digits.
fn code_unit(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// Reads `XXXX`, or `XXXX\uXXXX` for a surrogate pair. The error is the number of invalid bytes.
fn unicode_escape(rest: &str) -> Result<(char, usize), usize> {
    let digits = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
    let first = code_unit(rest, 0).ok_or(digits)?;
    if let Some(c) = char::from_u32(first) {
        return Ok((c, 4));
    }
    let second = if rest[4..].starts_with("\\u") { code_unit(rest, 6) } else { None };
    match (first, second) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            char::from_u32(code).map(|c| (c, 10)).ok_or(10)
        }
        _ => Err(4),
    }
}

fn name_length(rest: &str) -> usize {
    rest.find(|c| !continues_name(c)).unwrap_or(rest.len())
}

fn count_digits(bytes: &[u8], from: usize) -> usize {
    bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count()
}

/// Returns the length of the JSON number at the start of a text.
pub(crate) fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = usize::from(text.starts_with('-'));
    let whole = count_digits(bytes, at);
    if whole == 0 || (whole > 1 && bytes[at] == b'0') {
        return None;
    }
    at += whole;
    let fraction = count_digits(bytes, at + 1);
    if bytes.get(at) == Some(&b'.') && fraction > 0 {
        at += 1 + fraction;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = count_digits(bytes, at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::number_length;

    // SPEC 5.1
    #[test]
    fn numbers_follow_json() {
        for (text, length) in [("0", 1), ("-1.5e+3x", 7), ("1.", 1), ("1e", 1), ("12:", 2), ("1.2.3", 3)] {
            assert_eq!(number_length(text), Some(length), "{text}");
        }
        for text in ["", "-", "01", "-00", "x", ".5"] {
            assert_eq!(number_length(text), None, "{text}");
        }
    }
}
