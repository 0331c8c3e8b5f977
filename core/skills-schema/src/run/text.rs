//! Lets the interpreter read JSON text, and puts the value on a tape if it is needed later.

use super::source::{Captured, Source};
use crate::json::reader::{Frame, Kind, Reader};
use crate::json::{Error, number};
use crate::tape::Tape;
use std::borrow::Cow;

/// A text and, with `KEPT`, the tape of the values read so far.
pub(super) struct Text<'a, const KEPT: bool> {
    pub(super) reader: Reader<'a>,
    pub(super) tape: Tape<'a>,
    /// The tokens of the open containers.
    open: Vec<usize>,
}

impl<'a, const KEPT: bool> Text<'a, KEPT> {
    pub(super) fn new(text: &'a str) -> Self {
        // Typical inputs have one token for every dozen bytes.
        let tape = Tape::sized(text, if KEPT { text.len() / 10 + 8 } else { 0 });
        Self { reader: Reader::new(text), tape, open: Vec::new() }
    }

    #[inline]
    fn push(&mut self, kind: Kind, a: usize, b: usize) {
        if KEPT {
            self.tape.push(kind, a, b);
        }
    }

    #[inline]
    fn close(&mut self, frame: &Frame) {
        if let Some(opened) = self.open.pop() {
            self.tape.close(opened, frame.count as usize);
        }
    }
}

impl<'a, const KEPT: bool> Source for Text<'a, KEPT> {
    type Frame = Frame;
    type Number = &'a str;
    type Text = Cow<'a, str>;
    #[inline(always)]
    fn kind(&mut self) -> Result<Kind, Error> {
        self.reader.kind()
    }
    fn is_integer(&mut self) -> Result<bool, Error> {
        let at = self.reader.at();
        let text = self.reader.number()?;
        self.reader.seek(at);
        Ok(number::is_integer(text))
    }
    fn null(&mut self) -> Result<(), Error> {
        self.push(Kind::Null, 0, 0);
        self.reader.null()
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        let yes = self.reader.boolean()?;
        self.push(Kind::Bool, usize::from(yes), 0);
        Ok(yes)
    }
    #[inline(always)]
    fn number(&mut self) -> Result<&'a str, Error> {
        let text = self.reader.number()?;
        self.push(Kind::Number, self.reader.at() - text.len(), text.len());
        Ok(text)
    }
    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        let at = self.reader.at();
        let text = self.reader.string()?;
        if KEPT {
            self.tape.push_string(at, &text);
        }
        Ok(text)
    }
    #[inline(always)]
    fn open(&mut self) -> Result<Frame, Error> {
        if KEPT {
            let is_object = self.reader.byte() == Some(b'{');
            self.open.push(self.tape.open(if is_object { Kind::Object } else { Kind::Array }));
        }
        self.reader.open()
    }
    #[inline(always)]
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        let more = self.reader.next_item(frame)?;
        if KEPT && !more {
            self.close(frame);
        }
        Ok(more)
    }
    #[inline(always)]
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error> {
        let key = self.reader.next_key(frame)?;
        match &key {
            Some((key, at)) if KEPT => self.tape.push_string(*at, key),
            None if KEPT => self.close(frame),
            _ => {}
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
        if KEPT { self.tape.read(&mut self.reader) } else { self.reader.skip() }
    }
    fn capture(&mut self) -> Result<Captured<'_>, Error> {
        let mut captured = Tape::over(self.reader.text());
        captured.read(&mut self.reader)?;
        if KEPT {
            self.tape.extend(&captured);
        }
        Ok(Captured::Own(captured))
    }
}
