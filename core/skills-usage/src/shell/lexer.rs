//! The lexer. It reads a text once, word by word. Besides the syntax of shells, it knows notations of documentation that
//! no shell has: placeholders, and groups of alternatives.

use std::ops::Range;

/// One command: the words up to the next operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShellCommand {
    pub(crate) words: Vec<ShellWord>,
    /// Whether it is a synopsis such as `acme run [OPTIONS]`, and not a command line.
    pub(crate) is_synopsis: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ShellWord {
    pub(crate) at: Range<usize>,
    /// The text without quotes.
    pub(crate) text: String,
    /// The place of the first part whose value is not known: a variable, a pattern or a placeholder.
    pub(crate) wild: Option<usize>,
    /// Whether it may stand for any number of words.
    pub(crate) is_open: bool,
    pub(crate) is_quoted: bool,
}

/// How deep `$(…)` may be nested.
const DEEPEST: usize = 4;

pub(super) struct Lexer<'t, 'o> {
    text: &'t str,
    at: usize,
    /// The offset of this text in the whole text.
    base: usize,
    depth: usize,
    line: ShellCommand,
    /// The ends of the here-documents that begin after this line.
    documents: Vec<String>,
    out: &'o mut Vec<ShellCommand>,
}

impl<'t, 'o> Lexer<'t, 'o> {
    pub(super) fn new(text: &'t str, base: usize, out: &'o mut Vec<ShellCommand>) -> Self {
        Self { text, at: 0, base, depth: 0, line: ShellCommand::default(), documents: Vec::new(), out }
    }

    /// Adds all commands of the text.
    pub(super) fn run(mut self) {
        self.words();
        self.end();
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn words(&mut self) {
        while let Some(c) = self.skip_blanks() {
            skills_text::work::count(1);
            let rest = self.rest();
            match c {
                '\n' => {
                    self.at += 1;
                    self.end();
                    self.skip_documents();
                }
                '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
                '&' if rest.starts_with("&>") => {
                    self.at += 1;
                    self.redirection();
                }
                ';' | '&' | '|' | ')' => {
                    self.at += 1;
                    self.end();
                }
                '(' if self.line.words.is_empty() => self.at += 1,
                '(' => match group(rest, '(', ')') {
                    Some(length) => self.open(length),
                    None => {
                        self.at += 1;
                        self.end();
                    }
                },
                '[' => self.optional(),
                '<' if placeholder(rest).is_some() => self.word(),
                '<' | '>' => self.redirection(),
                _ if is_numbered_redirection(rest) => {
                    self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                }
                _ => self.word(),
            }
        }
    }

    /// Moves to the next character that is neither a blank nor a continued line end.
    fn skip_blanks(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let next = rest.trim_start_matches([' ', '\t', '\r', '\u{a0}']);
            self.at += rest.len() - next.len();
            match ["\\\n", "\\\r\n"].into_iter().find(|end| next.starts_with(end)) {
                Some(end) => self.at += end.len(),
                None => return next.chars().next(),
            }
        }
    }

    /// Ends the current command.
    fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.words.is_empty() {
            self.out.push(line);
        }
    }

    /// Adds a word that stands for any number of words, and moves past it.
    fn open(&mut self, length: usize) {
        let at = self.base + self.at..self.base + self.at + length;
        self.at += length;
        self.line.is_synopsis = true;
        self.line.words.push(ShellWord { at, wild: Some(0), is_open: true, ..ShellWord::default() });
    }

    /// Reads `[--flag VALUE]`. Alternatives in brackets are not checked.
    fn optional(&mut self) {
        let rest = self.rest();
        let length = group(rest, '[', ']').filter(|_| !rest.starts_with("[ "));
        let Some(length) = length else { return self.word() };
        let inside = rest.get(1..length - 1).unwrap_or_default();
        if !inside.starts_with('-') || inside.contains('|') {
            return self.open(length + dots(&rest[length..]));
        }
        let mut lines = Vec::new();
        Lexer { depth: self.depth + 1, ..Lexer::new(inside, self.base + self.at + 1, &mut lines) }.run();
        self.line.words.extend(lines.into_iter().flat_map(|line| line.words));
        self.line.is_synopsis = true;
        self.at += length + dots(&rest[length..]);
    }

    /// Skips `> FILE`, `2>&1` and `<<< WORD`, and records the word that ends a here-document.
    fn redirection(&mut self) {
        let rest = self.rest();
        if rest.starts_with("<(") || rest.starts_with(">(") {
            let start = self.at;
            self.at += 1;
            let word = ShellWord {
                at: self.base + start..self.base + start + 1,
                wild: Some(0),
                is_quoted: true,
                ..ShellWord::default()
            };
            self.line.words.push(word);
            return self.nested(1, '(', ')');
        }
        let is_document = rest.starts_with("<<") && !rest.starts_with("<<<");
        let mark = rest.trim_start_matches(['<', '>', '&', '|']);
        let mark = if is_document { mark.strip_prefix('-').unwrap_or(mark) } else { mark };
        self.at += rest.len() - mark.len();
        if !matches!(self.skip_blanks(), None | Some('\n' | ';' | '|' | ')' | '<' | '>')) {
            let count = self.line.words.len();
            self.word();
            let target = self.line.words.split_off(count).pop();
            self.documents.extend(target.filter(|_| is_document).map(|word| word.text));
        }
    }

    /// Skips the here-documents that were announced on the line before.
    fn skip_documents(&mut self) {
        for end in std::mem::take(&mut self.documents) {
            while self.at < self.text.len() {
                let rest = self.rest();
                let line = rest.split_inclusive('\n').next().unwrap_or_default();
                self.at += line.len();
                if line.trim() == end {
                    break;
                }
            }
        }
    }

    /// Reads the commands in a group that begins at the current position, and moves past the group. `open` is the
    /// length of its opening mark.
    fn nested(&mut self, open: usize, from: char, to: char) {
        let rest = self.rest();
        let length = balanced(rest, from, to).unwrap_or(open);
        let inside = rest.get(open..length.saturating_sub(to.len_utf8())).unwrap_or_default();
        if self.depth < DEEPEST {
            let base = self.base + self.at + open;
            Lexer { depth: self.depth + 1, ..Lexer::new(inside, base, self.out) }.run();
        }
        self.at += length;
    }

    fn word(&mut self) {
        let start = self.at;
        let mut word = ShellWord::default();
        while let Some(c) = self.peek() {
            let rest = self.rest();
            match c {
                ' ' | '\t' | '\r' | '\n' | '\u{a0}' | ';' | '&' | '|' | '(' | ')' | '>' => break,
                '<' => match placeholder(rest) {
                    Some(length) => self.wild(&mut word, length),
                    None => break,
                },
                '\'' | '"' | '`' => self.quoted(&mut word, c),
                '\\' => {
                    let next = rest[1..].chars().next();
                    word.text.extend(next.filter(|c| *c != '\n'));
                    self.at += 1 + next.map_or(0, char::len_utf8);
                }
                '$' => self.variable(&mut word),
                '{' => match group(rest, '{', '}') {
                    Some(length) => self.wild(&mut word, length),
                    None => self.literal(&mut word, c),
                },
                '*' | '?' | '…' | '[' | ']' => self.wild(&mut word, c.len_utf8()),
                _ => self.literal(&mut word, c),
            }
        }
        if self.at == start {
            // The character does not begin a word, for example because it is a closing bracket.
            self.at += self.peek().map_or(1, char::len_utf8);
            return;
        }
        word.at = self.base + start..self.base + self.at;
        word.is_open = matches!(word.text.as_str(), "$@" | "$*")
            || !word.is_quoted && (word.text.ends_with("...") || word.text.ends_with('…'));
        if !word.is_quoted && word.text.ends_with("...") {
            word.wild = word.wild.or(Some(0));
        }
        self.line.words.push(word);
    }

    fn literal(&mut self, word: &mut ShellWord, c: char) {
        word.text.push(c);
        self.at += c.len_utf8();
    }

    /// Adds a part whose value is not known.
    fn wild(&mut self, word: &mut ShellWord, length: usize) {
        word.wild.get_or_insert(word.text.len());
        word.text.push_str(self.rest().get(..length).unwrap_or_default());
        self.at += length;
    }

    /// Reads `$NAME`, `${NAME}` and `$(COMMAND)`.
    fn variable(&mut self, word: &mut ShellWord) {
        let rest = self.rest();
        let behind = &rest[1..];
        if behind.starts_with('(') {
            word.wild.get_or_insert(word.text.len());
            self.at += 1;
            return self.nested(1, '(', ')');
        }
        let length = match behind.chars().next() {
            Some('{') => behind.find('}').map_or(behind.len(), |end| end + 1),
            Some(c) if c.is_alphabetic() || c == '_' => {
                behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len())
            }
            Some(c) if c.is_ascii_digit() || "@*#?$!".contains(c) => c.len_utf8(),
            _ => return self.literal(word, '$'),
        };
        self.wild(word, 1 + length);
    }

    /// Reads a quoted part. A quote that is never closed is a character, as in `don't`.
    fn quoted(&mut self, word: &mut ShellWord, quote: char) {
        let inside = &self.rest()[1..];
        let Some(length) = closing(inside, quote) else { return self.literal(word, quote) };
        word.is_quoted = true;
        if quote == '`' {
            word.wild.get_or_insert(word.text.len());
            return self.nested(1, '`', '`');
        }
        self.at += 1;
        let end = self.at + length;
        while self.at < end {
            match self.peek() {
                Some('$') if quote == '"' => self.variable(word),
                Some('\\') if quote == '"' => {
                    let next = self.rest()[1..].chars().next();
                    word.text.extend(next);
                    self.at += 1 + next.map_or(0, char::len_utf8);
                }
                Some(c @ ('<' | '>' | '…')) => {
                    word.wild.get_or_insert(word.text.len());
                    self.literal(word, c);
                }
                Some(c) => self.literal(word, c),
                None => break,
            }
        }
        self.at = self.at.max(end) + 1;
    }
}

/// Returns the place of the quote that closes a quoted text.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().take(MAX_QUOTED).find_map(|(at, c)| {
        skills_text::work::count(1);
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped && quote == '"';
        ends.then_some(at)
    })
}

/// Returns the length of a text up to the bracket that closes its first one. Brackets in quotes do not count.
fn balanced(text: &str, from: char, to: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices().take(MAX_QUOTED / 10) {
        skills_text::work::count(1);
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if from == to && c == to && at > 0 => return Some(at + c.len_utf8()),
            None if from == to => {}
            None if c == from => depth += 1,
            None if c == to => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None => {}
        }
    }
    None
}

/// Returns the length of the dots that follow an optional part: `[FILE]...`.
fn dots(text: &str) -> usize {
    ["...", "…"].into_iter().find(|dots| text.starts_with(dots)).map_or(0, str::len)
}

fn is_numbered_redirection(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    behind.len() < text.len() && behind.starts_with(['<', '>'])
}

/// The maximum length of a quoted part in characters. For a nested part the limit is a tenth, because it is searched
/// again for each bracket in it.
const MAX_QUOTED: usize = 20_000;

/// Returns the length of a placeholder such as `<FILE>` at the start of a text. `<in >out` is a redirection.
pub(super) fn placeholder(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.get(..skills_text::floor(inner, LONGEST.min(inner.len())))?;
    let end = inner.find(['>', '\n', '<', ';', '&'])?;
    let inside = inner.get(..end)?;
    let is_name = inside.starts_with(|c: char| c.is_alphanumeric() || "-_./@[{:".contains(c));
    (inner[end..].starts_with('>') && is_name && !inside.ends_with(' ')).then_some(end + 2)
}

/// Returns the length of a group from its opening bracket to the closing one on the same line.
pub(super) fn group(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST) {
        skills_text::work::count(1);
        match c {
            '\n' => return None,
            c if c == open => depth += 1,
            c if c == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns `true` if a value stands for another: `FILE`, `<file>`, `YOUR_TOKEN`, `...`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let is_capitals =
        value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-.:,/[]|=".contains(c));
    value.starts_with(|c: char| c.is_ascii_uppercase() || c == '[') && is_capitals
        || value.contains(['<', '>', '{', '}', '|', '…'])
        || value.contains("...")
        || value.contains("xxx")
}

/// The maximum length of a notation. The limit keeps the time to read a text proportional to its length.
const LONGEST: usize = 200;
