//! A value as one flat list of tokens, for the rules that look at a value more than once; filled from text here.

use crate::json::{
    Error,
    reader::{Reader, Shape},
};
use std::borrow::Cow;

/// One token. Containers are followed by their members; an object's member is its key (a string) and its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) shape: TokenShape,
    /// Text: offset. Containers: number of members. Booleans: 0 or 1.
    pub(crate) a: u32,
    /// Text: length. Containers: index behind the last token inside.
    pub(crate) b: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenShape {
    Null,
    Bool,
    /// Text in the source.
    Number,
    /// Text in the source.
    String,
    /// Text beside the source: a string that had escapes, or any text of a value that had no source.
    #[cfg_attr(not(feature = "serde_json"), expect(dead_code, reason = "numbers in text need no copy"))]
    OwnNumber,
    OwnString,
    Array,
    Object,
}

/// A value as tokens over its source text.
#[derive(Debug, Default)]
pub(crate) struct Tape<'a> {
    source: &'a str,
    own: String,
    tokens: Vec<Token>,
}

fn narrow(n: usize) -> u32 {
    // Texts of 4 GiB and more are refused before they are read; a value in memory saturates.
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<'a> Tape<'a> {
    pub(crate) fn over(source: &'a str) -> Self {
        Self::sized(source, 16)
    }

    /// A tape with room for so many tokens.
    pub(crate) fn sized(source: &'a str, tokens: usize) -> Self {
        Self { source, own: String::new(), tokens: Vec::with_capacity(tokens) }
    }

    /// A tape that holds one string.
    pub(crate) fn string(text: &'a str) -> Self {
        let token = Token { shape: TokenShape::String, a: 0, b: narrow(text.len()) };
        Self { source: text, own: String::new(), tokens: vec![token] }
    }

    #[inline]
    pub(crate) fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(Token { shape: TokenShape::Null, a: 0, b: 0 })
    }

    #[inline]
    pub(crate) fn text(&self, token: Token) -> &str {
        let from = match token.shape {
            TokenShape::Number | TokenShape::String => self.source,
            _ => &self.own,
        };
        from.get(token.a as usize..token.a as usize + token.b as usize).unwrap_or("")
    }

    /// The index behind the value at `at`.
    #[inline]
    pub(crate) fn after(&self, at: usize) -> usize {
        let token = self.token(at);
        match token.shape {
            TokenShape::Array | TokenShape::Object => token.b as usize,
            _ => at + 1,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, shape: TokenShape, a: usize, b: usize) {
        self.tokens.push(Token { shape, a: narrow(a), b: narrow(b) });
    }

    pub(crate) fn push_own(&mut self, shape: TokenShape, text: &str) {
        self.push(shape, self.own.len(), text.len());
        self.own.push_str(text);
    }

    /// Begins a container; give the result to [`Tape::close`].
    #[inline]
    pub(crate) fn open(&mut self, shape: TokenShape) -> usize {
        self.push(shape, 0, 0);
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

    /// Appends a string that the reader, now at `reader_end`, has just read.
    #[expect(clippy::ptr_arg, reason = "a borrowed string is kept as its place in the text")]
    #[inline]
    pub(crate) fn push_string(&mut self, reader_end: usize, text: &Cow<'a, str>) {
        match text {
            // A borrowed string ends one byte (its quote) before the reader's place.
            Cow::Borrowed(text) => self.push(TokenShape::String, reader_end - 1 - text.len(), text.len()),
            Cow::Owned(text) => self.push_own(TokenShape::OwnString, text),
        }
    }

    /// Appends a key whose opening quote is at `at`.
    #[expect(clippy::ptr_arg, reason = "a borrowed string is kept as its place in the text")]
    #[inline]
    pub(crate) fn push_key(&mut self, at: usize, key: &Cow<'a, str>) {
        match key {
            Cow::Borrowed(text) => self.push(TokenShape::String, at + 1, text.len()),
            Cow::Owned(text) => self.push_own(TokenShape::OwnString, text),
        }
    }

    /// Appends the reader's next value.
    pub(crate) fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        match reader.shape()? {
            Shape::Null => {
                reader.null()?;
                self.push(TokenShape::Null, 0, 0);
            }
            Shape::Bool => {
                let yes = reader.boolean()?;
                self.push(TokenShape::Bool, usize::from(yes), 0);
            }
            Shape::Number => {
                let text = reader.number()?;
                self.push(TokenShape::Number, reader.at() - text.len(), text.len());
            }
            Shape::String => {
                let text = reader.string()?;
                self.push_string(reader.at(), &text);
            }
            Shape::Array => {
                let (opened, mut count) = (self.open(TokenShape::Array), 0);
                let mut frame = reader.open()?;
                while reader.next_item(&mut frame)? {
                    self.read(reader)?;
                    count += 1;
                }
                self.close(opened, count);
            }
            Shape::Object => {
                let (opened, mut count) = (self.open(TokenShape::Object), 0);
                let mut frame = reader.open()?;
                while let Some((key, at)) = reader.next_key(&mut frame)? {
                    self.push_key(at, &key);
                    reader.note(&frame, key, at)?;
                    self.read(reader)?;
                    count += 1;
                }
                self.close(opened, count);
            }
        }
        Ok(())
    }

    /// Appends the value of another tape over the same source.
    #[cfg(feature = "decode")]
    pub(crate) fn extend(&mut self, other: &Tape<'_>) {
        let (own, tokens) = (narrow(self.own.len()), narrow(self.tokens.len()));
        self.own.push_str(&other.own);
        self.tokens.extend(other.tokens.iter().map(|token| match token.shape {
            TokenShape::OwnNumber | TokenShape::OwnString => Token { a: token.a + own, ..*token },
            TokenShape::Array | TokenShape::Object => Token { b: token.b + tokens, ..*token },
            _ => *token,
        }));
    }
}
