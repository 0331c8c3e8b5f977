//! JSON text as a source of the interpreter; on the way it is put on a tape, where the value is wanted.

use super::source::{Captured, Source};
use crate::json::reader::{Frame, Kind, Reader};
use crate::json::{Error, number};
use crate::tape::Tape;
use std::borrow::Cow;

pub(super) struct Text<'a> {
    pub(super) reader: Reader<'a>,
    /// What was read, where it is wanted.
    pub(super) tape: Option<Tape<'a>>,
    /// Containers that are open, by their tokens.
    open: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str, is_kept: bool) -> Self {
        // Typical inputs have a token for every dozen bytes.
        let tape = is_kept.then(|| Tape::sized(text, text.len() / 10 + 8));
        Self { reader: Reader::new(text), tape, open: Vec::new() }
    }

    #[inline]
    fn push(&mut self, kind: Kind, a: usize, b: usize) {
        if let Some(tape) = &mut self.tape {
            tape.push(kind, a, b);
        }
    }

    #[inline]
    fn close(&mut self, frame: &Frame) {
        if let (Some(tape), Some(opened)) = (&mut self.tape, self.open.pop()) {
            tape.close(opened, frame.count as usize);
        }
    }
}

impl<'a> Source for Text<'a> {
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
        let text = self.reader.string()?;
        if let Some(tape) = &mut self.tape {
            tape.push_string(self.reader.at(), &text);
        }
        Ok(text)
    }
    #[inline(always)]
    fn open(&mut self) -> Result<Frame, Error> {
        if let Some(tape) = &mut self.tape {
            let is_object = self.reader.byte() == Some(b'{');
            self.open.push(tape.open(if is_object { Kind::Object } else { Kind::Array }));
        }
        self.reader.open()
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
        match (&key, &mut self.tape) {
            (Some((key, at)), Some(tape)) => tape.push_key(*at, key),
            (Some(_), None) => {}
            (None, _) => self.close(frame),
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
        match &mut self.tape {
            Some(tape) => tape.read(&mut self.reader),
            None => self.reader.skip(),
        }
    }
    fn capture(&mut self) -> Result<Captured<'_>, Error> {
        let mut captured = Tape::over(self.reader.text());
        captured.read(&mut self.reader)?;
        if let Some(tape) = &mut self.tape {
            tape.extend(&captured);
        }
        Ok(Captured::Own(captured))
    }
}
