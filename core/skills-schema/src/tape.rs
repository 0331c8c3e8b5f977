//! A value as a flat list of tokens, for rules that read a value more than once.

use crate::json::{
    Error,
    reader::{JsonReader, ValueType},
};
use std::borrow::Cow;

/// A token. A container is followed by its members; a member of an object is a key (a string) and a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: ValueType,
    /// Whether the text is stored outside the source: a string with escapes, or any text of a value without
    /// source.
    is_own: bool,
    /// Text: offset. Containers: number of members. Booleans: 0 or 1.
    pub(crate) a: u32,
    /// Text: length. Containers: index after the last token inside.
    pub(crate) b: u32,
}

impl Token {
    #[inline]
    pub(crate) fn is_container(self) -> bool {
        matches!(self.kind, ValueType::Array | ValueType::Object)
    }
}

/// A value as tokens over its source text.
#[derive(Debug, Default)]
pub(crate) struct Tape<'a> {
    source: &'a str,
    own: String,
    tokens: Vec<Token>,
}

fn narrow(n: usize) -> u32 {
    // Texts of 4 GiB and more are refused before they are read.
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<'a> Tape<'a> {
    pub(crate) fn over(source: &'a str) -> Self {
        Self::sized(source, 16)
    }

    /// Creates a tape with room for this many tokens.
    pub(crate) fn sized(source: &'a str, tokens: usize) -> Self {
        Self { source, own: String::new(), tokens: Vec::with_capacity(tokens) }
    }

    /// Creates a tape with one string.
    pub(crate) fn string(text: &'a str) -> Self {
        let mut tape = Self::sized(text, 1);
        tape.push(ValueType::String, 0, text.len());
        tape
    }

    #[inline]
    pub(crate) fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(Token { kind: ValueType::Null, is_own: false, a: 0, b: 0 })
    }

    #[inline]
    pub(crate) fn text(&self, token: Token) -> &str {
        let from = if token.is_own { &self.own } else { self.source };
        from.get(token.a as usize..token.a as usize + token.b as usize).unwrap_or("")
    }

    /// Returns the index after the value at `at`.
    #[inline]
    pub(crate) fn after(&self, at: usize) -> usize {
        let token = self.token(at);
        if token.is_container() { token.b as usize } else { at + 1 }
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: ValueType, a: usize, b: usize) {
        self.tokens.push(Token { kind, is_own: false, a: narrow(a), b: narrow(b) });
    }

    pub(crate) fn push_own(&mut self, kind: ValueType, text: &str) {
        let (a, b) = (narrow(self.own.len()), narrow(text.len()));
        self.tokens.push(Token { kind, is_own: true, a, b });
        self.own.push_str(text);
    }

    /// Begins a container. Pass the result to [`Tape::close`].
    #[inline]
    pub(crate) fn open(&mut self, kind: ValueType) -> usize {
        self.push(kind, 0, 0);
        self.tokens.len() - 1
    }

    #[inline]
    pub(crate) fn close(&mut self, opened: usize, count: usize) {
        let end = narrow(self.tokens.len());
        if let Some(token) = self.tokens.get_mut(opened) {
            token.a = narrow(count);
            token.b = end;
        }
    }

    /// Appends a string or key whose opening quote is at `at`.
    #[expect(clippy::ptr_arg, reason = "a borrowed string is stored as its position in the text")]
    #[inline]
    pub(crate) fn push_string(&mut self, at: usize, text: &Cow<'a, str>) {
        match text {
            Cow::Borrowed(text) => self.push(ValueType::String, at + 1, text.len()),
            Cow::Owned(text) => self.push_own(ValueType::String, text),
        }
    }

    /// Appends the reader's next value.
    pub(crate) fn read(&mut self, reader: &mut JsonReader<'a>) -> Result<(), Error> {
        match reader.kind()? {
            ValueType::Null => {
                reader.null()?;
                self.push(ValueType::Null, 0, 0);
            }
            ValueType::Bool => {
                let yes = reader.boolean()?;
                self.push(ValueType::Bool, usize::from(yes), 0);
            }
            ValueType::Number => {
                let text = reader.number()?;
                self.push(ValueType::Number, reader.position() - text.len(), text.len());
            }
            ValueType::String => {
                let at = reader.position();
                self.push_string(at, &reader.string()?);
            }
            ValueType::Array => {
                let (opened, mut count) = (self.open(ValueType::Array), 0);
                let mut frame = reader.open()?;
                while reader.next_item(&mut frame)? {
                    self.read(reader)?;
                    count += 1;
                }
                self.close(opened, count);
            }
            ValueType::Object => {
                let (opened, mut count) = (self.open(ValueType::Object), 0);
                let mut frame = reader.open()?;
                while let Some((key, at)) = reader.next_key(&mut frame)? {
                    self.push_string(at, &key);
                    reader.note(&frame, key, at)?;
                    self.read(reader)?;
                    count += 1;
                }
                self.close(opened, count);
            }
        }
        Ok(())
    }
}
