//! Parses one line of a `.skillignore` into a pattern for paths, by the rules of `gitignore(5)`.
//!
//! A pattern is a sequence of tokens. Matching follows all alternatives at once, so its cost is at most the length of
//! the path times the length of the pattern, however many stars there are. All matches share a limit.

use std::cell::Cell;

/// One pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Whether it includes a path again that an earlier line excluded.
    pub(crate) negated: bool,
    pub(crate) directory_only: bool,
    /// Whether it is compared with the whole path below its directory, or only with the last name.
    anchored: bool,
    tokens: Vec<Token>,
}

/// The reason why a line is not a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternFault {
    pub(crate) why: &'static str,
    pub(crate) help: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// This byte.
    Byte(u8),
    /// One byte except a slash.
    Any,
    /// One byte of a set, which never contains a slash.
    Class(ByteSet),
    /// Any bytes except slashes.
    Star,
    /// Either empty or the same as the next token: the start of `**/`.
    Optional,
    /// Whole directories, each with its slash.
    Directories,
    /// The rest of the path.
    Rest,
}

/// Parses a line without its line end; `None` for an empty line or a comment. Fails if git would treat the
/// line as a pattern that matches nothing.
pub(crate) fn parse(line: &[u8]) -> Result<Option<Pattern>, PatternFault> {
    let line = trim(line);
    if line.is_empty() || line.starts_with(b"#") {
        return Ok(None);
    }
    if line.len() > LONGEST {
        return Err(PatternFault { why: "no path is that long", help: "write one pattern on each line" });
    }
    let (negated, text) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
    let (directory_only, text) = text.strip_suffix(b"/").map_or((false, text), |rest| (true, rest));
    let anchored = text.contains(&b'/');
    let text = text.strip_prefix(b"/").unwrap_or(text);
    if text.is_empty() {
        return Err(PatternFault { why: "it has no file name", help: "write a name, such as `notes/`" });
    }
    if text.starts_with(b"/") || text.ends_with(b"/") || has_empty_name(text) {
        return Err(PatternFault { why: "no path has two slashes in a row", help: "write one slash" });
    }
    let tokens = Scanner { text, at: 0, tokens: Vec::new() }.scan()?;
    Ok(Some(Pattern { negated, directory_only, anchored, tokens }))
}

/// The longest line, in bytes: as long as a path can be.
const LONGEST: usize = 4096;

/// Returns `true` if there are two slashes in a row. After a star the first may belong to `**/`.
fn has_empty_name(text: &[u8]) -> bool {
    text.windows(3).any(|three| three[0] != b'*' && three.ends_with(b"//"))
}

/// Drops spaces at the end, unless they are escaped with a backslash.
fn trim(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            end = at.min(line.len());
        }
    }
    &line[..end]
}

/// The form of a plain pattern.
pub(crate) enum PatternShape {
    /// This path.
    Path(Vec<u8>),
    /// This name.
    Name(Vec<u8>),
    /// A name with this end.
    End(Vec<u8>),
    /// A pattern with wildcards.
    Other,
}

impl Pattern {
    /// Returns a pattern that matches every path.
    pub(crate) fn everything() -> Self {
        Self { negated: false, directory_only: false, anchored: false, tokens: vec![Token::Star] }
    }

    /// Returns the form of the pattern.
    pub(crate) fn shape(&self) -> PatternShape {
        let shape = match (self.tokens.as_slice(), self.anchored) {
            ([Token::Star, end @ ..], false) => literal_bytes(end).map(PatternShape::End),
            (tokens, false) => literal_bytes(tokens).map(PatternShape::Name),
            (tokens, true) => literal_bytes(tokens).map(PatternShape::Path),
        };
        shape.unwrap_or(PatternShape::Other)
    }

    /// Returns the number of its parts.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns `true` if the pattern matches a path relative to the pattern's directory. Takes the steps from `left`, and
    /// returns `false` if there are no more.
    pub(crate) fn matches(&self, path: &str, directory: bool, left: &Cell<u64>) -> bool {
        if self.directory_only && !directory {
            return false;
        }
        let subject = if self.anchored { path } else { path.rsplit('/').next().unwrap_or(path) };
        if let Some(Token::Byte(last)) = self.tokens.last()
            && !subject.as_bytes().ends_with(&[*last])
        {
            return false;
        }
        // The two sets are created for each path, so they count as steps.
        left.set(left.get().saturating_sub(self.tokens.len() as u64 / 16));
        let mut now = Places::new(self.tokens.len() + 1);
        let mut next = now.clone();
        self.enter(&mut now, 0);
        for byte in subject.bytes() {
            let Some(rest) = left.get().checked_sub(1 + now.list.len() as u64) else {
                left.set(0);
                return false;
            };
            left.set(rest);
            skills_text::work::count(1 + now.list.len());
            for at in now.list.drain(..) {
                now.is_in[at] = false;
                if let Some(token) = self.tokens.get(at) {
                    self.step(&mut next, at, token, byte);
                }
            }
            std::mem::swap(&mut now, &mut next);
            if now.list.is_empty() {
                return false;
            }
        }
        now.is_in[self.tokens.len()]
    }

    fn step(&self, next: &mut Places, at: usize, token: &Token, byte: u8) {
        let slash = byte == b'/';
        match token {
            Token::Byte(wanted) if *wanted == byte => self.enter(next, at + 1),
            Token::Any if !slash => self.enter(next, at + 1),
            Token::Class(set) if !slash && set.has(byte) => self.enter(next, at + 1),
            Token::Star if !slash => self.enter(next, at),
            Token::Rest => self.enter(next, at),
            Token::Directories => {
                self.enter(next, at);
                if slash {
                    self.enter(next, at + 1);
                }
            }
            Token::Byte(_) | Token::Any | Token::Class(_) | Token::Star | Token::Optional => {}
        }
    }

    /// Marks a position in the tokens, and the positions reachable from it without a byte.
    fn enter(&self, places: &mut Places, mut at: usize) {
        while places.add(at) {
            match self.tokens.get(at) {
                Some(Token::Star | Token::Rest) => at += 1,
                Some(Token::Optional) => {
                    places.add(at + 1);
                    at += 2;
                }
                _ => return,
            }
        }
    }
}

/// Returns the bytes of tokens without wildcards.
fn literal_bytes(tokens: &[Token]) -> Option<Vec<u8>> {
    tokens.iter().map(|token| if let Token::Byte(byte) = token { Some(*byte) } else { None }).collect()
}

/// A set of positions in the tokens of a pattern.
#[derive(Clone)]
struct Places {
    is_in: Vec<bool>,
    list: Vec<usize>,
}

impl Places {
    fn new(count: usize) -> Self {
        Self { is_in: vec![false; count], list: Vec::new() }
    }

    /// Adds a position. Returns `false` if the set has it.
    fn add(&mut self, at: usize) -> bool {
        let is_new = !std::mem::replace(&mut self.is_in[at], true);
        if is_new {
            self.list.push(at);
        }
        is_new
    }
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn scan(mut self) -> Result<Vec<Token>, PatternFault> {
        while let Some(byte) = self.next() {
            match byte {
                b'\\' => {
                    let Some(escaped) = self.next() else {
                        return Err(PatternFault {
                            why: "a backslash at the end escapes nothing",
                            help: "write `\\\\` for a backslash",
                        });
                    };
                    self.tokens.push(Token::Byte(escaped));
                }
                b'?' => self.tokens.push(Token::Any),
                b'*' => self.stars(),
                b'[' => {
                    let class = self.class()?;
                    self.tokens.push(Token::Class(class));
                }
                byte => self.tokens.push(Token::Byte(byte)),
            }
        }
        Ok(self.tokens)
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Parses a run of stars: two stars between slashes (or at the ends) match directories, any other run
    /// matches only within a name. As in git, but not in its manual, the first special character counts as
    /// the start of a name: `a**/b` matches `a/x/b`.
    fn stars(&mut self) {
        let before = &self.text[..self.at - 1];
        let starts_name = before.ends_with(b"/") || !before.iter().any(|byte| b"*?[\\".contains(byte));
        let first = self.at;
        while self.peek() == Some(b'*') {
            self.at += 1;
        }
        match self.peek() {
            None if self.at > first && starts_name => self.tokens.push(Token::Rest),
            Some(b'/') if self.at > first && starts_name => {
                self.at += 1;
                self.tokens.extend([Token::Optional, Token::Directories]);
            }
            _ => self.tokens.push(Token::Star),
        }
    }

    /// Parses a set after its `[`.
    fn class(&mut self) -> Result<ByteSet, PatternFault> {
        const OPEN: PatternFault = PatternFault {
            why: "`[` is never closed",
            help: "close the set with `]`, or write `\\[` for the character",
        };
        let mut set = ByteSet::default();
        let negated = matches!(self.peek(), Some(b'!' | b'^'));
        self.at += usize::from(negated);
        let mut before: Option<u8> = None;
        let mut first = true;
        loop {
            let byte = self.next().ok_or(OPEN)?;
            let ends_range = !matches!(self.peek(), None | Some(b']'));
            before = match (byte, before) {
                (b']', _) if !first => break,
                (b'\\', _) => {
                    let escaped = self.next().ok_or(OPEN)?;
                    set.add(escaped);
                    Some(escaped)
                }
                (b'-', Some(from)) if ends_range => {
                    let to = match self.next().ok_or(OPEN)? {
                        b'\\' => self.next().ok_or(OPEN)?,
                        to => to,
                    };
                    (from..=to).for_each(|byte| set.add(byte));
                    None
                }
                (b'[', _) if self.peek() == Some(b':') => self.named(&mut set)?,
                (byte, _) => {
                    set.add(byte);
                    Some(byte)
                }
            };
            first = false;
        }
        if negated {
            set.negate();
        }
        Ok(set)
    }

    /// Parses `[:name:]` after its `[`; without `:]` the bracket is an ordinary member.
    fn named(&mut self, set: &mut ByteSet) -> Result<Option<u8>, PatternFault> {
        let rest = &self.text[self.at + 1..];
        let end = rest.iter().position(|byte| *byte == b']');
        let Some(name) = end.and_then(|end| rest[..end].strip_suffix(b":")) else {
            set.add(b'[');
            return Ok(Some(b'['));
        };
        let holds: fn(&u8) -> bool = match name {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| matches!(byte, b' '..=b'~'),
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| matches!(byte, b'\t'..=b'\r' | b' '),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => {
                return Err(PatternFault {
                    why: "there is no such character class",
                    help: "write a class such as `[[:digit:]]`",
                });
            }
        };
        (0..=u8::MAX).filter(holds).for_each(|byte| set.add(byte));
        self.at += 1 + name.len() + 2;
        Ok(None)
    }
}

/// A set of bytes, such as `[a-z]` in a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ByteSet(Box<[u64; 4]>);

impl ByteSet {
    fn add(&mut self, byte: u8) {
        let (word, bit) = (usize::from(byte / 64), byte % 64);
        self.0[word] |= 1 << bit;
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    fn negate(&mut self) {
        self.0.iter_mut().for_each(|word| *word = !*word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(line: &str, path: &str) -> bool {
        let pattern = parse(line.as_bytes()).expect("a good line").expect("no comment");
        pattern.matches(path.trim_end_matches('/'), path.ends_with('/'), &Cell::new(u64::MAX))
    }

    // SPEC 1.3; tests/skillignore.rs compares more patterns with git
    #[test]
    fn the_forms_of_the_manual() {
        assert!(matches("*.log", "a/b/c.log"));
        assert!(!matches("/*.log", "a/c.log"));
        assert!(matches("a/**/c", "a/c") && matches("a/**/c", "a/x/y/c") && !matches("a/**/c", "a/xc"));
        assert!(matches("**/c", "c") && matches("**/c", "a/b/c"));
        assert!(matches("a/**", "a/b/c") && !matches("a/**", "a"));
        assert!(matches("doc/", "x/doc/") && !matches("doc/", "x/doc"));
        assert!(matches("\\#a", "#a") && matches("\\!a", "!a"));
        assert!(matches("a\\ ", "a ") && matches("a  ", "a"));
        assert!(matches("[a-c]x", "bx") && !matches("[!a-c]x", "bx") && matches("[[:digit:]]", "7"));
    }

    // SPEC 12.1
    #[test]
    fn many_stars_are_cheap() {
        let line = "**/a*a*".repeat(200) + "b";
        assert!(!matches(&line, &"a/".repeat(2000)));
    }

    // SPEC 1.3
    #[test]
    fn lines_that_can_match_nothing_are_faults() {
        for line in ["!", "/", "!/", "a\\", "[a", "[", "a//b", "[[:letter:]]", "[a\\", "//a"] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
        for line in ["", "   ", "# a", "#"] {
            assert!(parse(line.as_bytes()).is_ok_and(|pattern| pattern.is_none()), "{line:?}");
        }
    }
}
