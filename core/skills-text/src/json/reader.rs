//! A pull parser for JSON text, used by the interpreter, the tape and the tree.

use super::{Error, ErrorKind};
use crate::order;
use std::borrow::Cow;

/// The maximum nesting depth of arrays and objects.
pub const DEPTH: u32 = 128;

/// An open array or object: the read position, and the start of its keys in the reader's list.
pub struct Frame {
    /// When reading a text, the number of members read so far; when reading a tape, the number of members
    /// left.
    pub count: u32,
    base: usize,
}

impl Frame {
    /// Creates a frame with this count of members.
    pub fn with_count(count: u32) -> Self {
        Self { count, base: 0 }
    }
}

/// Reads JSON text strictly: comments, trailing commas and (if requested) repeated keys are errors.
pub struct JsonReader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// Keys of the open objects, with their offsets, to detect repeated keys.
    keys: Vec<(Cow<'a, str>, usize)>,
    /// Whether what was read has no space between its tokens and no escape that a writer would write otherwise.
    pub is_compact: bool,
}

/// Objects with more keys than this are checked for repeated keys by sorting when they close.
const SCAN_MAX_KEYS: usize = 16;

impl<'a> JsonReader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, keys: Vec::new(), is_compact: true }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn seek(&mut self, at: usize) {
        self.at = at;
    }

    #[inline]
    pub fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub fn space(&mut self) {
        let from = self.at;
        self.at = space(self.text.as_bytes(), from);
        self.is_compact &= self.at == from;
        crate::work::count(1 + self.at - from);
    }

    /// Returns an error at the current byte or character.
    #[cold]
    pub fn fail(&self, kind: ErrorKind) -> Error {
        self.fail_at(kind, self.at)
    }

    #[cold]
    pub fn fail_at(&self, kind: ErrorKind, at: usize) -> Error {
        match self.text.get(at..).and_then(|rest| rest.chars().next()) {
            Some('/' | '#')
                if matches!(
                    kind,
                    ErrorKind::ExpectedValue
                        | ErrorKind::ExpectedKey
                        | ErrorKind::ExpectedColon
                        | ErrorKind::ExpectedComma
                        | ErrorKind::TrailingData
                ) =>
            {
                Error { kind: ErrorKind::Comment, start: at, end: self.comment(at).unwrap_or(at + 1) }
            }
            Some(c) => Error { kind, start: at, end: at + c.len_utf8() },
            None => Error { kind: ErrorKind::UnexpectedEnd, start: self.text.len(), end: self.text.len() },
        }
    }

    /// Returns the end of a comment that begins at `at`.
    pub fn comment(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        let end = match rest {
            [b'/', b'*', ..] => rest.windows(2).position(|pair| pair == b"*/").map(|end| end + 2),
            [b'/', b'/', ..] | [b'#', ..] => rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')),
            _ => return None,
        };
        Some(end.map_or(self.text.len(), |end| at + end))
    }

    /// Skips whitespace and returns the kind of the next value.
    #[inline]
    pub fn kind(&mut self) -> Result<ValueType, Error> {
        self.space();
        match self.byte() {
            Some(b'"') => Ok(ValueType::String),
            Some(b'{') => Ok(ValueType::Object),
            Some(b'[') => Ok(ValueType::Array),
            Some(b'-' | b'0'..=b'9') => Ok(ValueType::Number),
            Some(b't' | b'f') => Ok(ValueType::Bool),
            Some(b'n') => Ok(ValueType::Null),
            _ => Err(self.fail(ErrorKind::ExpectedValue)),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Error> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        for expected in word.bytes() {
            if self.byte() != Some(expected) {
                break;
            }
            self.at += 1;
        }
        Err(self.fail(ErrorKind::ExpectedValue))
    }

    pub fn null(&mut self) -> Result<(), Error> {
        self.word("null")
    }

    pub fn boolean(&mut self) -> Result<bool, Error> {
        let yes = self.byte() == Some(b't');
        self.word(if yes { "true" } else { "false" })?;
        Ok(yes)
    }

    fn digits(&mut self) -> Result<(), Error> {
        let from = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        if self.at == from { Err(self.fail(ErrorKind::BadNumber)) } else { Ok(()) }
    }

    /// Reads a number and returns its text.
    pub fn number(&mut self) -> Result<&'a str, Error> {
        let from = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
            if let Some(b'0'..=b'9') = self.byte() {
                return Err(self.fail(ErrorKind::BadNumber));
            }
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[from..self.at])
    }

    /// Reads a string at the current position. It is borrowed if it has no escape.
    #[inline(always)]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        let from = self.at + 1;
        let end = special(self.text.as_bytes(), from);
        self.at = end;
        match self.byte() {
            Some(b'"') => {
                self.at = end + 1;
                Ok(Cow::Borrowed(&self.text[from..end]))
            }
            _ => self.escaped(from).map(Cow::Owned),
        }
    }

    /// Reads the rest of a string from an escape or error at the current position.
    #[cold]
    fn escaped(&mut self, from: usize) -> Result<String, Error> {
        let mut out = String::from(&self.text[from..self.at]);
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.fail(ErrorKind::ControlCharacter)),
                None => return Err(self.fail(ErrorKind::UnexpectedEnd)),
            }
            let end = special(self.text.as_bytes(), self.at);
            out.push_str(&self.text[self.at..end]);
            self.at = end;
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let start = self.at;
        self.at += 1;
        let c = match self.byte() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => {
                self.is_compact = false;
                '/'
            }
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => return Err(self.fail(ErrorKind::BadEscape)),
        };
        self.at += 1;
        Ok(c)
    }

    fn hex(&mut self) -> Result<u32, Error> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.byte().and_then(|b| char::from(b).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.fail(ErrorKind::BadEscape))?;
            self.at += 1;
        }
        Ok(unit)
    }

    fn unicode(&mut self, start: usize) -> Result<char, Error> {
        self.is_compact = false;
        self.at += 1;
        let mut code = self.hex()?;
        if (0xD800..0xDC00).contains(&code) && self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.hex()?;
            if !(0xDC00..0xE000).contains(&low) {
                return Err(Error { kind: ErrorKind::LoneSurrogate, start, end: self.at });
            }
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        char::from_u32(code).ok_or(Error { kind: ErrorKind::LoneSurrogate, start, end: self.at })
    }

    /// Opens the array or object at the next bracket.
    #[inline]
    pub fn open(&mut self) -> Result<Frame, Error> {
        if self.depth >= DEPTH {
            return Err(self.fail(ErrorKind::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        Ok(Frame { count: 0, base: self.keys.len() })
    }

    /// Skips the comma before the next member. Returns `false` after reading the closing bracket instead.
    #[inline(always)]
    fn more(&mut self, frame: &mut Frame, close: u8, missing: ErrorKind) -> Result<bool, Error> {
        self.space();
        if self.byte() == Some(close) {
            self.at += 1;
            self.depth -= 1;
            return Ok(false);
        }
        if frame.count > 0 {
            if self.byte() != Some(b',') {
                return Err(self.fail(ErrorKind::ExpectedComma));
            }
            let comma = self.at;
            self.at += 1;
            self.space();
            if self.byte() == Some(close) {
                return Err(self.fail_at(ErrorKind::TrailingComma, comma));
            }
        } else if self.byte() == Some(b',') {
            return Err(self.fail(missing));
        }
        frame.count += 1;
        Ok(true)
    }

    /// Moves to the array's next item. Returns `false` at its end.
    #[inline(always)]
    pub fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        self.more(frame, b']', ErrorKind::ExpectedValue)
    }

    /// Reads the object's next key and its colon. Returns `None` at the end.
    #[inline(always)]
    pub fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error> {
        if !self.more(frame, b'}', ErrorKind::ExpectedKey)? {
            self.close(frame)?;
            return Ok(None);
        }
        if self.byte() != Some(b'"') {
            return Err(self.fail(ErrorKind::ExpectedKey));
        }
        let at = self.at;
        let key = self.string()?;
        if self.byte() != Some(b':') {
            self.space();
            if self.byte() != Some(b':') {
                return Err(self.fail(ErrorKind::ExpectedColon));
            }
        }
        self.at += 1;
        Ok(Some((key, at)))
    }

    /// Returns the error for the key at `at`, which repeats an earlier key.
    #[cold]
    pub fn duplicate(&self, at: usize) -> Error {
        let mut reader = JsonReader::new(self.text);
        reader.at = at;
        let end = reader.string().map_or(at + 1, |_| reader.at);
        Error { kind: ErrorKind::DuplicateKey, start: at, end }
    }

    /// Records a key of the innermost open object.
    ///
    /// # Errors
    /// If the key is repeated. In large objects this is detected when the object closes.
    pub fn note(&mut self, frame: &Frame, key: Cow<'a, str>, at: usize) -> Result<(), Error> {
        let known = &self.keys[frame.base..];
        if known.len() < SCAN_MAX_KEYS && known.iter().any(|(k, _)| *k == key) {
            return Err(self.duplicate(at));
        }
        self.keys.push((key, at));
        Ok(())
    }

    fn close(&mut self, frame: &Frame) -> Result<(), Error> {
        let known = &self.keys[frame.base..];
        if known.len() > SCAN_MAX_KEYS {
            let by_key = order(known.len(), &|a, b| known[a].cmp(&known[b]));
            if let Some(pair) = by_key.windows(2).find(|pair| known[pair[0]].0 == known[pair[1]].0) {
                return Err(self.duplicate(known[pair[1]].1));
            }
        }
        self.keys.truncate(frame.base);
        Ok(())
    }

    /// Reads and discards one value.
    pub fn skip(&mut self) -> Result<(), Error> {
        match self.kind()? {
            ValueType::Null => self.null(),
            ValueType::Bool => self.boolean().map(|_| ()),
            ValueType::Number => self.number().map(|_| ()),
            ValueType::String => self.string().map(|_| ()),
            ValueType::Array => {
                let mut frame = self.open()?;
                while self.next_item(&mut frame)? {
                    self.skip()?;
                }
                Ok(())
            }
            ValueType::Object => {
                let mut frame = self.open()?;
                while let Some((key, at)) = self.next_key(&mut frame)? {
                    self.note(&frame, key, at)?;
                    self.skip()?;
                }
                Ok(())
            }
        }
    }

    /// Checks that only whitespace is left.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.space();
        if self.at < self.text.len() { Err(self.fail(ErrorKind::TrailingData)) } else { Ok(()) }
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Sets bit 7 of every byte of the result where `word` is zero. Bytes above the first match may be wrong.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// Returns the offset of the first `"`, `\` or control character at or after `from`, or the length.
#[inline(always)]
pub(crate) fn special(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quote = zeros(word ^ (ONES * b'"' as u64));
        let slash = zeros(word ^ (ONES * b'\\' as u64));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let hit = quote | slash | control;
        if hit != 0 {
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the offset of the first byte at or after `from` that is not JSON whitespace.
#[inline]
fn space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The type of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, integer or not.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl ValueType {
    /// Returns the name with its article, for messages: `a string`, `an object`, `null`, …
    pub fn article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_byte_loop() {
        // SPEC 3.3: every control character, quote and escape is seen at any offset within a word.
        for special_byte in 0..=255u8 {
            for at in 0..20 {
                let mut bytes = vec![b'a'; 20];
                bytes[at] = special_byte;
                bytes[19] = b'"';
                let slow = bytes.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20);
                assert_eq!(Some(special(&bytes, 0)), slow, "{special_byte} at {at}");
            }
        }
    }
}
