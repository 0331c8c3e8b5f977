//! Parses JSON text into a tree with the byte range of every value and key. Used for schemas and skill.json.

use super::reader::{JsonReader, ValueType};
use super::{Error, ErrorKind};
use crate::order;
use std::ops::Range;

/// A value and its byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The byte range in the text, including brackets and quotes.
    pub span: Range<usize>,
    /// The value itself.
    pub kind: Kind,
}

/// A JSON value; numbers keep their text. The children are of type `N`: nodes, or numbers of values stored
/// elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<N = Node> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// The items in order.
    Array(Vec<N>),
    /// The members in order; repeated keys are all kept.
    Object(Vec<Member<N>>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<N = Node> {
    /// The key, unescaped.
    pub key: String,
    /// The byte range of the key, including the quotes.
    pub key_span: Range<usize>,
    /// The value.
    pub value: N,
}

impl Node {
    /// Returns the value of the (last) member with this key, if the node is an object that has one.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.members().iter().rev().find(|m| m.key == key).map(|m| &m.value)
    }

    /// Replaces the (last) member of an object with this key, or adds one at the end. Does nothing if the
    /// node is not an object.
    pub fn set(&mut self, key: &str, value: Node) {
        let Kind::Object(members) = &mut self.kind else { return };
        match members.iter_mut().rev().find(|member| member.key == key) {
            Some(member) => member.value = value,
            None => members.push(Member { key: key.to_owned(), key_span: 0..0, value }),
        }
    }

    /// Removes the (last) member of an object with this key and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Node> {
        let Kind::Object(members) = &mut self.kind else { return None };
        let at = members.iter().rposition(|member| member.key == key)?;
        Some(members.remove(at).value)
    }

    /// Returns the members of an object, or an empty slice for any other node.
    pub fn members(&self) -> &[Member] {
        if let Kind::Object(members) = &self.kind { members } else { &[] }
    }

    /// Returns the items of an array, or an empty slice for any other node.
    pub fn items(&self) -> &[Node] {
        if let Kind::Array(items) = &self.kind { items } else { &[] }
    }

    /// Returns the string, if the node is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Kind::String(text) = &self.kind { Some(text) } else { None }
    }
}

impl<N> Kind<N> {
    /// Returns the type of the value.
    pub fn json_type(&self) -> ValueType {
        match self {
            Self::Null => ValueType::Null,
            Self::Bool(_) => ValueType::Bool,
            Self::Number(_) => ValueType::Number,
            Self::String(_) => ValueType::String,
            Self::Array(_) => ValueType::Array,
            Self::Object(_) => ValueType::Object,
        }
    }

    /// Names the type of the value: `a string`, `an object`, `null`, …
    pub fn article(&self) -> &'static str {
        self.json_type().article()
    }

    /// Replaces each child, in order.
    pub fn map<M>(self, each: &mut dyn FnMut(N) -> M) -> Kind<M> {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(yes) => Kind::Bool(yes),
            Self::Number(text) => Kind::Number(text),
            Self::String(text) => Kind::String(text),
            Self::Array(items) => Kind::Array(items.into_iter().map(each).collect()),
            Self::Object(members) => {
                let mut mapped = Vec::with_capacity(members.len());
                for Member { key, key_span, value } in members {
                    mapped.push(Member { key, key_span, value: each(value) });
                }
                Kind::Object(mapped)
            }
        }
    }
}

/// The result of reading a text: the tree as far as it could be read, and every error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedJson {
    /// The tree. `None` if an error made it impossible to continue.
    pub root: Option<Node>,
    /// All errors in text order. Empty if the text is JSON. Reading continues after comments, trailing commas
    /// and duplicate keys; any other error ends it.
    pub faults: Vec<Error>,
}

/// Reads a whole text, recording comments, trailing commas and duplicate keys as errors.
///
/// ```
/// let parsed = skills_text::json::read(r#"{"a": 1, "a": 2, /* no */}"#);
/// assert_eq!(parsed.faults.len(), 3);
/// assert!(parsed.root.is_some());
/// ```
pub fn read(text: &str) -> ParsedJson {
    if u32::try_from(text.len()).is_err() {
        let fault = Error { kind: ErrorKind::TooLong, start: 0, end: 0 };
        return ParsedJson { root: None, faults: vec![fault] };
    }
    let mut builder = Builder { reader: JsonReader::new(text), faults: Vec::new(), depth: 0 };
    let root = builder.whole().map_err(|fault| builder.faults.push(fault)).ok();
    ParsedJson { root, faults: builder.faults }
}

/// Reads a whole text strictly.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Node, Error> {
    let parsed = read(text);
    match (parsed.root, parsed.faults.into_iter().min_by_key(|fault| fault.start)) {
        (Some(root), None) => Ok(root),
        (_, Some(fault)) => Err(fault),
        (None, None) => Err(Error { kind: ErrorKind::UnexpectedEnd, start: text.len(), end: text.len() }),
    }
}

/// Parses a text that contains one JSON object, such as a value of `metadata`. Returns `None` for any other
/// text.
pub fn object_in(text: &str) -> Option<Node> {
    parse(text).ok().filter(|node| matches!(node.kind, Kind::Object(_)))
}

struct Builder<'a> {
    reader: JsonReader<'a>,
    faults: Vec<Error>,
    depth: u32,
}

impl Builder<'_> {
    fn whole(&mut self) -> Result<Node, Error> {
        let root = self.value()?;
        self.space();
        self.reader.finish()?;
        Ok(root)
    }

    /// Skips whitespace and comments, recording each comment.
    #[inline(never)]
    fn space(&mut self) {
        loop {
            self.reader.space();
            let start = self.reader.position();
            let Some(end) = self.reader.comment(start) else { return };
            self.faults.push(Error { kind: ErrorKind::Comment, start, end });
            self.reader.seek(end);
        }
    }

    fn value(&mut self) -> Result<Node, Error> {
        self.space();
        let start = self.reader.position();
        let kind = match self.reader.kind()? {
            ValueType::Null => self.reader.null().map(|()| Kind::Null)?,
            ValueType::Bool => Kind::Bool(self.reader.boolean()?),
            ValueType::Number => Kind::Number(self.reader.number()?.to_owned()),
            ValueType::String => Kind::String(self.reader.string()?.into_owned()),
            container => {
                if self.depth >= super::DEPTH {
                    return Err(self.reader.fail(ErrorKind::TooDeep));
                }
                self.depth += 1;
                self.reader.seek(start + 1);
                let kind = if container == ValueType::Array { self.array()? } else { self.object()? };
                self.depth -= 1;
                kind
            }
        };
        Ok(Node { span: start..self.reader.position(), kind })
    }

    /// Steps to the next member. Returns `false` after reading the closing bracket. Records each comma without a value
    /// after it.
    fn more(&mut self, first: bool, close: u8) -> Result<bool, Error> {
        let mut comma: Option<usize> = None;
        loop {
            self.space();
            let (at, byte) = (self.reader.position(), self.reader.byte());
            let is_comma = byte == Some(b',') && !first;
            if !is_comma && byte != Some(close) {
                let is_separated = first || comma.is_some();
                return if is_separated { Ok(true) } else { Err(self.reader.fail(ErrorKind::ExpectedComma)) };
            }
            if let Some(start) = comma {
                self.faults.push(Error { kind: ErrorKind::TrailingComma, start, end: start + 1 });
            }
            self.reader.seek(at + 1);
            if !is_comma {
                return Ok(false);
            }
            comma = Some(at);
        }
    }

    fn array(&mut self) -> Result<Kind, Error> {
        let mut items = Vec::new();
        while self.more(items.is_empty(), b']')? {
            items.push(self.value()?);
        }
        Ok(Kind::Array(items))
    }

    fn object(&mut self) -> Result<Kind, Error> {
        let mut members: Vec<Member> = Vec::new();
        while self.more(members.is_empty(), b'}')? {
            if self.reader.byte() != Some(b'"') {
                return Err(self.reader.fail(ErrorKind::ExpectedKey));
            }
            let start = self.reader.position();
            let key = self.reader.string()?.into_owned();
            let key_span = start..self.reader.position();
            self.space();
            if self.reader.byte() != Some(b':') {
                return Err(self.reader.fail(ErrorKind::ExpectedColon));
            }
            self.reader.seek(self.reader.position() + 1);
            let value = self.value()?;
            members.push(Member { key, key_span, value });
        }
        self.repeated(&members);
        Ok(Kind::Object(members))
    }

    fn repeated(&mut self, members: &[Member]) {
        let by_key = order(members.len(), &|a, b| members[a].key.cmp(&members[b].key));
        let mut again = vec![false; members.len()];
        for pair in by_key.windows(2) {
            again[pair[1]] = members[pair[0]].key == members[pair[1]].key;
        }
        for (member, _) in members.iter().zip(again).filter(|(_, again)| *again) {
            let Range { start, end } = member.key_span;
            self.faults.push(Error { kind: ErrorKind::DuplicateKey, start, end });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_every_recoverable_fault_with_its_bytes() {
        // SPEC 3.3: comments, trailing commas and duplicate keys are errors that say so.
        let text = "{\"a\": [1, 2,], // x\n \"b\": 1, \"\\u0061\": 2, }";
        let parsed = read(text);
        let mut got: Vec<_> = parsed.faults.iter().map(|f| (f.kind, &text[f.start..f.end])).collect();
        got.sort_by_key(|(kind, _)| format!("{kind:?}"));
        let want = [
            (ErrorKind::Comment, "// x"),
            (ErrorKind::DuplicateKey, "\"\\u0061\""),
            (ErrorKind::TrailingComma, ","),
            (ErrorKind::TrailingComma, ","),
        ];
        assert_eq!(got, want);
        let root = parsed.root.expect("the faults are recoverable");
        let array = root.get("b").expect("kept");
        assert_eq!(&text[array.span.clone()], "1");
    }

    #[test]
    fn an_extra_comma_hides_no_fault() {
        // SPEC 3.3, 1.7: each comma without a value after it is a fault, and reading continues.
        let parsed = read("[1,, 2 , ,\n,3,]");
        let got: Vec<_> = parsed.faults.iter().map(|fault| (fault.kind, fault.start)).collect();
        assert_eq!(got, [2, 7, 9, 13].map(|at| (ErrorKind::TrailingComma, at)));
        let root = parsed.root.expect("the faults are recoverable");
        assert!(matches!(root.kind, Kind::Array(items) if items.len() == 3));
        assert_eq!(parse("[,1]").expect_err("no value").kind, ErrorKind::ExpectedValue);
    }

    #[test]
    fn unrecoverable_faults_have_a_place() {
        // SPEC 3.3: a fault has an offset, also at the end of the text.
        for (text, kind, start) in [
            ("", ErrorKind::UnexpectedEnd, 0),
            ("{\"a\" 1}", ErrorKind::ExpectedColon, 5),
            ("[1 2]", ErrorKind::ExpectedComma, 3),
            ("\"\\ud800x\"", ErrorKind::LoneSurrogate, 1),
            ("01", ErrorKind::BadNumber, 1),
            ("[tru]", ErrorKind::ExpectedValue, 4),
            ("{} x", ErrorKind::TrailingData, 3),
            ("\"a\nb\"", ErrorKind::ControlCharacter, 2),
        ] {
            let fault = parse(text).expect_err(text);
            assert_eq!((fault.kind, fault.start), (kind, start), "{text}");
        }
    }
}
