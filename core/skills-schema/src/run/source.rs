//! The sources from which the interpreter reads values. A cursor on a tape is one of them.

use std::ops::Deref;

use crate::json::reader::{Frame, ValueType};
use crate::json::{Error, number, quoted};
use crate::tables::kind;
use crate::tape::{Tape, Token};

/// A stream of values. Every method except `kind`, `bit` and `is_integer` advances it.
pub(super) trait ValueStream: Sized {
    /// An open array or object.
    type Frame;
    type Text: Deref<Target = str>;
    fn kind(&mut self) -> Result<ValueType, Error>;
    /// Returns `true` if the next value, which must be a number, is an integer.
    fn is_integer(&mut self) -> Result<bool, Error>;
    /// Returns the bit of the next value's kind.
    fn bit(&mut self) -> Result<u32, Error> {
        Ok(match self.kind()? {
            ValueType::Null => kind::NULL,
            ValueType::Bool => kind::BOOL,
            ValueType::Number if self.is_integer()? => kind::INTEGER,
            ValueType::Number => kind::NUMBER,
            ValueType::String => kind::STRING,
            ValueType::Array => kind::ARRAY,
            ValueType::Object => kind::OBJECT,
        })
    }
    fn null(&mut self) -> Result<(), Error>;
    fn boolean(&mut self) -> Result<bool, Error>;
    fn number(&mut self) -> Result<&str, Error>;
    fn string(&mut self) -> Result<Self::Text, Error>;
    fn open(&mut self) -> Result<Self::Frame, Error>;
    fn next_item(&mut self, frame: &mut Self::Frame) -> Result<bool, Error>;
    fn next_key(&mut self, frame: &mut Self::Frame) -> Result<Option<(Self::Text, usize)>, Error>;
    /// Records a key. Sources that detect repeated keys in another way do nothing here.
    fn note(&mut self, _frame: &Self::Frame, _key: &Self::Text, _at: usize) -> Result<(), Error> {
        Ok(())
    }
    /// Returns an error for a repeated key, if this source does not allow them.
    fn repeated(&self, _at: usize) -> Result<(), Error> {
        Ok(())
    }
    fn skip(&mut self) -> Result<(), Error>;
    /// Reads the next value in a form that can be read more than once.
    fn capture(&mut self) -> Result<Captured<'_>, Error>;
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

/// A position on a tape.
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

    /// How many tokens the value has.
    pub(super) fn size(self) -> usize {
        self.tape.after(self.at) - self.at
    }

    /// The text of a number or string.
    #[inline]
    pub(crate) fn text(&self) -> &'t str {
        self.tape.text(self.token())
    }

    #[inline]
    fn take_text(&mut self) -> &'t str {
        let text = self.text();
        self.at += 1;
        text
    }

    /// Returns the items of an array, or alternating keys and values of an object.
    #[inline]
    pub(crate) fn inside(self) -> impl Iterator<Item = Cursor<'t>> {
        let token = self.token();
        let end = if token.is_container() { token.b as usize } else { 0 };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let here = Cursor { tape: self.tape, at };
            (at < end).then(|| {
                at = self.tape.after(at);
                here
            })
        })
    }

    /// Returns the members of an object.
    #[inline]
    pub(crate) fn members(self) -> impl Iterator<Item = (&'t str, Cursor<'t>)> {
        let mut inside = self.inside();
        let object = self.token().kind == ValueType::Object;
        std::iter::from_fn(move || {
            let mut key = inside.next().filter(|_| object)?;
            Some((key.take_text(), inside.next()?))
        })
    }
}

impl<'t> ValueStream for Cursor<'t> {
    type Frame = Frame;
    type Text = &'t str;
    fn kind(&mut self) -> Result<ValueType, Error> {
        Ok(self.token().kind)
    }
    fn is_integer(&mut self) -> Result<bool, Error> {
        Ok(number::is_integer(self.text()))
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
    fn number(&mut self) -> Result<&str, Error> {
        Ok(self.take_text())
    }
    fn string(&mut self) -> Result<&'t str, Error> {
        Ok(self.take_text())
    }
    fn open(&mut self) -> Result<Frame, Error> {
        let count = self.token().a;
        self.at += 1;
        Ok(Frame::with_count(count))
    }
    fn next_item(&mut self, frame: &mut Frame) -> Result<bool, Error> {
        let more = frame.count > 0;
        frame.count -= u32::from(more);
        Ok(more)
    }
    fn next_key(&mut self, frame: &mut Frame) -> Result<Option<(&'t str, usize)>, Error> {
        Ok(self.next_item(frame)?.then(|| (self.take_text(), 0)))
    }
    fn skip(&mut self) -> Result<(), Error> {
        self.at = self.tape.after(self.at);
        Ok(())
    }
    fn capture(&mut self) -> Result<Captured<'_>, Error> {
        let here = *self;
        self.skip()?;
        Ok(Captured::Place(here))
    }
}

impl Cursor<'_> {
    /// Appends the value as JSON text.
    pub(crate) fn write(self, out: &mut String) {
        let token = self.token();
        match token.kind {
            ValueType::Null => out.push_str("null"),
            ValueType::Bool => out.push_str(if token.a == 1 { "true" } else { "false" }),
            ValueType::Number => out.push_str(self.text()),
            ValueType::String => quoted(out, self.text()),
            ValueType::Array => {
                out.push('[');
                for (i, item) in self.inside().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    item.write(out);
                }
                out.push(']');
            }
            ValueType::Object => {
                out.push('{');
                for (i, (key, member)) in self.members().enumerate() {
                    out.push_str(if i == 0 { "" } else { "," });
                    quoted(out, key);
                    out.push(':');
                    member.write(out);
                }
                out.push('}');
            }
        }
    }
}
