//! Writes Rust values as JSON text.

use skills_schema::json::quoted;

use super::Map;

/// A type that can be written as JSON.
pub trait Encode {
    /// Writes the value.
    fn encode(&self, out: &mut Writer);
}

/// A writer of JSON text.
#[derive(Debug)]
pub struct Writer {
    text: String,
}

impl Default for Writer {
    /// Creates a writer with space for a typical object, so that its buffer does not have to grow several
    /// times.
    fn default() -> Self {
        Self { text: String::with_capacity(128) }
    }
}

impl Writer {
    /// Opens an object.
    pub fn open(&mut self) {
        self.text.push('{');
    }

    /// Closes an object.
    pub fn close(&mut self) {
        self.text.push('}');
    }

    /// Writes one member of an object.
    pub fn member(&mut self, key: &str, value: &dyn Encode) {
        if !self.text.ends_with('{') {
            self.text.push(',');
        }
        self.string(key);
        self.text.push(':');
        value.encode(self);
    }

    /// Writes a string with its quotes.
    pub fn string(&mut self, text: &str) {
        quoted(&mut self.text, text);
    }

    /// Appends text that is already JSON.
    pub fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        self.text
    }

    fn list<'e>(&mut self, items: impl Iterator<Item = &'e dyn Encode>) {
        self.text.push('[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            item.encode(self);
        }
        self.text.push(']');
    }
}

impl Encode for String {
    fn encode(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl Encode for &str {
    fn encode(&self, out: &mut Writer) {
        out.string(self);
    }
}

macro_rules! plain {
    ($($name:ty)+) => {
        $(impl Encode for $name {
            fn encode(&self, out: &mut Writer) {
                out.raw(&self.to_string());
            }
        })+
    };
}
plain!(bool i32 i64 u32 u64 serde_json::Value);

impl Encode for f64 {
    /// Writes an integral number without a fraction, and infinity or NaN as `null`, like serde_json.
    fn encode(&self, out: &mut Writer) {
        match *self {
            value if !value.is_finite() => out.raw("null"),
            value if value.fract() == 0.0 && value.abs() < 1e15 => out.raw(&format!("{value:.0}")),
            value => out.raw(&format!("{value:?}")),
        }
    }
}

impl Encode for () {
    fn encode(&self, out: &mut Writer) {
        out.raw("null");
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self, out: &mut Writer) {
        match self {
            Some(value) => value.encode(out),
            None => out.raw("null"),
        }
    }
}

impl<T: Encode> Encode for Box<T> {
    fn encode(&self, out: &mut Writer) {
        T::encode(self, out);
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut Writer) {
        out.text.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.text.push(',');
            }
            item.encode(out);
        }
        out.text.push(']');
    }
}

impl<T: Encode> Encode for Map<T> {
    fn encode(&self, out: &mut Writer) {
        out.open();
        for (key, value) in self {
            out.member(key, value);
        }
        out.close();
    }
}

macro_rules! tuple {
    ($($name:ident $at:tt),+) => {
        impl<$($name: Encode),+> Encode for ($($name,)+) {
            fn encode(&self, out: &mut Writer) {
                out.list([$(&self.$at as &dyn Encode),+].into_iter());
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
