//! Text that is written to a tape while it is checked, so that a typed value can be filled from it.

use crate::json::Error;
use crate::json::reader::{Frame, Reader, Shape};
use crate::run::source::{Captured, Source};
use crate::tape::{Tape, TokenShape};
use std::borrow::Cow;

pub(super) struct Recorder<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) tape: Tape<'a>,
    /// Containers that are open, by their tokens.
    open: Vec<usize>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // Typical inputs have a token for every dozen bytes.
        Self { reader: Reader::new(text), tape: Tape::sized(text, text.len() / 10 + 8), open: Vec::new() }
    }

    #[inline]
    fn close(&mut self, frame: &Frame) {
        if let Some(opened) = self.open.pop() {
            self.tape.close(opened, frame.count as usize);
        }
    }
}

impl<'a> Source<'a> for Recorder<'a> {
    type Frame = Frame;
    type Number = &'a str;
    #[inline(always)]
    fn shape(&mut self) -> Result<Shape, Error> {
        self.reader.shape()
    }
    fn kind(&mut self) -> Result<u32, Error> {
        Source::kind(&mut self.reader)
    }
    fn null(&mut self) -> Result<(), Error> {
        self.tape.push(TokenShape::Null, 0, 0);
        self.reader.null()
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        let yes = self.reader.boolean()?;
        self.tape.push(TokenShape::Bool, usize::from(yes), 0);
        Ok(yes)
    }
    #[inline(always)]
    fn number(&mut self) -> Result<&'a str, Error> {
        let text = self.reader.number()?;
        self.tape.push(TokenShape::Number, self.reader.at() - text.len(), text.len());
        Ok(text)
    }
    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        let text = self.reader.string()?;
        self.tape.push_string(self.reader.at(), &text);
        Ok(text)
    }
    #[inline(always)]
    fn open(&mut self) -> Result<Frame, Error> {
        let object = self.reader.byte() == Some(b'{');
        let frame = self.reader.open()?;
        self.open.push(self.tape.open(if object { TokenShape::Object } else { TokenShape::Array }));
        Ok(frame)
    }
    #[inline(always)]
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        let more = self.reader.next_item(frame)?;
        if !more {
            self.close(frame);
        }
        Ok(more)
    }
    #[inline(always)]
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error> {
        let key = self.reader.next_key(frame)?;
        match &key {
            Some((key, at)) => self.tape.push_key(*at, key),
            None => self.close(frame),
        }
        Ok(key)
    }
    fn note(&mut self, frame: &Frame, key: &Cow<'a, str>, at: usize) -> Result<(), Error> {
        self.reader.note(frame, key.clone(), at)
    }
    fn repeated(&self, at: usize) -> Result<(), Error> {
        Err(self.reader.duplicate(at))
    }
    fn skip(&mut self) -> Result<(), Error> {
        self.tape.read(&mut self.reader)
    }
    fn capture(&mut self) -> Result<Captured<'a>, Error> {
        let captured = self.reader.capture()?;
        if let Captured::Own(tape) = &captured {
            self.tape.extend(tape);
        }
        Ok(captured)
    }
}
