//! Lets the interpreter read JSON text.

use super::source::{Captured, ValueStream};
use crate::json::reader::{Frame, JsonReader, ValueType};
use crate::json::{Error, number};
use crate::tape::Tape;
use std::borrow::Cow;

/// A text that is read from its beginning.
pub(super) struct Text<'a> {
    pub(super) reader: JsonReader<'a>,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { reader: JsonReader::new(text) }
    }
}

impl<'a> ValueStream for Text<'a> {
    type Frame = Frame;
    type Text = Cow<'a, str>;
    #[inline(always)]
    fn kind(&mut self) -> Result<ValueType, Error> {
        self.reader.kind()
    }
    fn is_integer(&mut self) -> Result<bool, Error> {
        let at = self.reader.position();
        let text = self.reader.number()?;
        self.reader.seek(at);
        Ok(number::is_integer(text))
    }
    fn null(&mut self) -> Result<(), Error> {
        self.reader.null()
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        self.reader.boolean()
    }
    #[inline(always)]
    fn number(&mut self) -> Result<&str, Error> {
        self.reader.number()
    }
    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        self.reader.string()
    }
    #[inline(always)]
    fn open(&mut self) -> Result<Frame, Error> {
        self.reader.open()
    }
    #[inline(always)]
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        self.reader.next_item(frame)
    }
    #[inline(always)]
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error> {
        self.reader.next_key(frame)
    }
    fn note(&mut self, frame: &Frame, key: &Cow<'a, str>, at: usize) -> Result<(), Error> {
        self.reader.note(frame, key.clone(), at)
    }
    fn repeated(&self, at: usize) -> Result<(), Error> {
        Err(self.reader.duplicate(at))
    }
    fn skip(&mut self) -> Result<(), Error> {
        self.reader.skip()
    }
    fn capture(&mut self) -> Result<Captured<'_>, Error> {
        let mut captured = Tape::over(self.reader.text());
        captured.read(&mut self.reader)?;
        Ok(Captured::Own(captured))
    }
}
