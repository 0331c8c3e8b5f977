//! Where the interpreter takes a value from: straight from text, or from a tape.

use crate::json::Error;
use crate::json::number;
use crate::json::reader::{Frame, Reader, Shape};
use crate::tables::kind;
use crate::tape::{Tape, Token, TokenShape};
use std::borrow::Cow;

/// A stream of values. Every method but `shape` and `kind` moves on.
pub(super) trait Source<'a>: Sized {
    /// An open array or object.
    type Frame;
    type Number: Numeral;
    fn shape(&mut self) -> Result<Shape, Error>;
    /// The kind's bit of the next value.
    fn kind(&mut self) -> Result<u32, Error>;
    fn null(&mut self) -> Result<(), Error>;
    fn boolean(&mut self) -> Result<bool, Error>;
    fn number(&mut self) -> Result<Self::Number, Error>;
    fn string(&mut self) -> Result<Cow<'a, str>, Error>;
    fn open(&mut self) -> Result<Self::Frame, Error>;
    fn next_item(&mut self, frame: &mut Self::Frame) -> Result<bool, Error>;
    fn next_key(&mut self, frame: &mut Self::Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error>;
    /// Notes a key that no other means tells to be repeated.
    #[expect(clippy::ptr_arg, reason = "a borrowed string is cloned for nothing")]
    fn note(&mut self, frame: &Self::Frame, key: &Cow<'a, str>, at: usize) -> Result<(), Error>;
    /// Fails when a key that is known to be repeated is a fault of this source.
    fn repeated(&self, at: usize) -> Result<(), Error>;
    fn skip(&mut self) -> Result<(), Error>;
    /// Takes the next value in a form that can be read more than once.
    fn capture(&mut self) -> Result<Captured<'a>, Error>;
}

/// A number as a source has it.
pub(super) trait Numeral {
    /// Whether it is an integer, as `3.0` is.
    fn is_integer(&self) -> bool;
    /// The value of a short number; see [`number::fixed`].
    fn fixed(&self) -> Option<(i64, u32)>;
    fn text(&self) -> Cow<'_, str>;
}

impl Numeral for &str {
    #[inline]
    fn is_integer(&self) -> bool {
        number::is_integer(self)
    }
    #[inline]
    fn fixed(&self) -> Option<(i64, u32)> {
        number::fixed(self)
    }
    #[inline]
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

/// A value that can be read more than once.
pub(super) enum Captured<'a> {
    Own(Tape<'a>),
    Place(Cursor<'a>),
}

impl Captured<'_> {
    pub(super) fn cursor(&self) -> Cursor<'_> {
        match self {
            Captured::Own(tape) => Cursor::new(tape),
            Captured::Place(cursor) => *cursor,
        }
    }
}

impl<'a> Source<'a> for Reader<'a> {
    type Frame = Frame;
    type Number = &'a str;
    #[inline(always)]
    fn shape(&mut self) -> Result<Shape, Error> {
        Reader::shape(self)
    }
    fn kind(&mut self) -> Result<u32, Error> {
        Ok(match Reader::shape(self)? {
            Shape::Null => kind::NULL,
            Shape::Bool => kind::BOOL,
            Shape::String => kind::STRING,
            Shape::Array => kind::ARRAY,
            Shape::Object => kind::OBJECT,
            Shape::Number => {
                let at = self.at();
                let text = Reader::number(self)?;
                self.seek(at);
                if number::is_integer(text) { kind::INTEGER } else { kind::NUMBER }
            }
        })
    }
    fn null(&mut self) -> Result<(), Error> {
        Reader::null(self)
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        Reader::boolean(self)
    }
    #[inline(always)]
    fn number(&mut self) -> Result<&'a str, Error> {
        Reader::number(self)
    }
    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        Reader::string(self)
    }
    #[inline(always)]
    fn open(&mut self) -> Result<Frame, Error> {
        Reader::open(self)
    }
    #[inline(always)]
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        Reader::next_item(self, frame)
    }
    #[inline(always)]
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'a, str>, usize)>, Error> {
        Reader::next_key(self, frame)
    }
    fn note(&mut self, frame: &Frame, key: &Cow<'a, str>, at: usize) -> Result<(), Error> {
        Reader::note(self, frame, key.clone(), at)
    }
    fn repeated(&self, at: usize) -> Result<(), Error> {
        Err(self.duplicate(at))
    }
    fn skip(&mut self) -> Result<(), Error> {
        Reader::skip(self)
    }
    fn capture(&mut self) -> Result<Captured<'a>, Error> {
        let mut tape = Tape::over(self.text());
        tape.read(self)?;
        Ok(Captured::Own(tape))
    }
}

/// A place on a tape.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub(crate) tape: &'t Tape<'t>,
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    #[inline]
    pub(crate) fn new(tape: &'t Tape<'_>) -> Self {
        Self { tape, at: 0 }
    }

    #[inline]
    pub(crate) fn token(&self) -> Token {
        self.tape.token(self.at)
    }

    #[inline]
    fn text(&mut self) -> &'t str {
        let text = self.tape.text(self.token());
        self.at += 1;
        text
    }

    /// The items of an array, or keys and values of an object in turn.
    #[inline]
    pub(crate) fn inside(self) -> impl Iterator<Item = Cursor<'t>> {
        let token = self.token();
        let end = match token.shape {
            TokenShape::Array | TokenShape::Object => token.b as usize,
            _ => 0,
        };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let here = Cursor { tape: self.tape, at };
            (at < end).then(|| {
                at = self.tape.after(at);
                here
            })
        })
    }

    /// The members of an object.
    #[inline]
    pub(crate) fn members(self) -> impl Iterator<Item = (&'t str, Cursor<'t>)> {
        let mut inside = self.inside();
        let object = self.token().shape == TokenShape::Object;
        std::iter::from_fn(move || {
            let mut key = inside.next().filter(|_| object)?;
            Some((key.text(), inside.next()?))
        })
    }
}

impl<'t> Source<'t> for Cursor<'t> {
    type Frame = Frame;
    type Number = &'t str;
    fn shape(&mut self) -> Result<Shape, Error> {
        Ok(match self.token().shape {
            TokenShape::Null => Shape::Null,
            TokenShape::Bool => Shape::Bool,
            TokenShape::Number | TokenShape::OwnNumber => Shape::Number,
            TokenShape::String | TokenShape::OwnString => Shape::String,
            TokenShape::Array => Shape::Array,
            TokenShape::Object => Shape::Object,
        })
    }
    fn kind(&mut self) -> Result<u32, Error> {
        Ok(match self.token().shape {
            TokenShape::Null => kind::NULL,
            TokenShape::Bool => kind::BOOL,
            TokenShape::String | TokenShape::OwnString => kind::STRING,
            TokenShape::Array => kind::ARRAY,
            TokenShape::Object => kind::OBJECT,
            TokenShape::Number | TokenShape::OwnNumber => {
                if number::is_integer(self.tape.text(self.token())) { kind::INTEGER } else { kind::NUMBER }
            }
        })
    }
    fn null(&mut self) -> Result<(), Error> {
        self.at += 1;
        Ok(())
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        let yes = self.token().a == 1;
        self.at += 1;
        Ok(yes)
    }
    fn number(&mut self) -> Result<&'t str, Error> {
        Ok(self.text())
    }
    fn string(&mut self) -> Result<Cow<'t, str>, Error> {
        Ok(Cow::Borrowed(self.text()))
    }
    fn open(&mut self) -> Result<Frame, Error> {
        let count = self.token().a;
        self.at += 1;
        Ok(Frame::of(count))
    }
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        let more = frame.count > 0;
        frame.count -= u32::from(more);
        Ok(more)
    }
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(Cow<'t, str>, usize)>, Error> {
        if !self.next_item(frame)? {
            return Ok(None);
        }
        Ok(Some((Cow::Borrowed(self.text()), 0)))
    }
    fn note(&mut self, _frame: &Frame, _key: &Cow<'t, str>, _at: usize) -> Result<(), Error> {
        Ok(())
    }
    fn repeated(&self, _at: usize) -> Result<(), Error> {
        Ok(())
    }
    fn skip(&mut self) -> Result<(), Error> {
        self.at = self.tape.after(self.at);
        Ok(())
    }
    fn capture(&mut self) -> Result<Captured<'t>, Error> {
        let here = *self;
        self.skip()?;
        Ok(Captured::Place(here))
    }
}
