//! The compiled schema: a list of numbers and a text. `lower` creates it, generated code contains it, `run`
//! interprets it.
//!
//! Word 0 is the layout's version, followed by the root node, flags, and the list of dynamic anchors. A node
//! is [`node::WORDS`] words; its blocks and lists are anywhere after the header. Index 0 means "absent"
//! everywhere, a text is an (offset, length) pair, and a list is its length followed by its entries.

use crate::pattern::Properties;
use std::borrow::Cow;

/// Returns a length as a word. Longer texts and lists do not fit tables, and are refused elsewhere.
pub(crate) fn saturate(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The version of the layout that this crate writes and runs.
pub(crate) const VERSION: u32 = 2;

/// Positions in the header.
pub(crate) mod header {
    pub(crate) const VERSION: u32 = 0;
    pub(crate) const ROOT: u32 = 1;
    /// 1 if a `$dynamicRef` or `$recursiveRef` needs the dynamic scope.
    pub(crate) const DYNAMIC: u32 = 2;
    /// List of (resource, name offset, name length, node).
    pub(crate) const ANCHORS: u32 = 3;
    /// 1 if no property has a default.
    pub(crate) const NO_DEFAULTS: u32 = 4;
    pub(crate) const WORDS: u32 = 8;
}

/// Positions in a node.
pub(crate) mod node {
    /// Kinds that `type` allows, and flags.
    pub(crate) const TYPES: u32 = 0;
    pub(crate) const OBJECT: u32 = 1;
    pub(crate) const ARRAY: u32 = 2;
    pub(crate) const STRING: u32 = 3;
    pub(crate) const NUMBER: u32 = 4;
    pub(crate) const ENUM: u32 = 5;
    pub(crate) const CONST: u32 = 6;
    pub(crate) const LOGIC: u32 = 7;
    pub(crate) const RESOURCE: u32 = 8;
    /// Kinds that `type`, `enum` and `const` allow.
    pub(crate) const KINDS: u32 = 9;
    pub(crate) const WORDS: u32 = 10;

    /// The words of a node, as the interpreter reads them.
    pub(crate) type Words = [u32; WORDS as usize];

    /// The value must be read more than once, so it is put on a tape first.
    pub(crate) const COMPLEX: u32 = 1 << 8;
    /// `anyOf` or `oneOf` of schemas whose kinds do not overlap: the kind picks the branch.
    pub(crate) const UNION: u32 = 1 << 9;
    /// The schema `false`.
    pub(crate) const NOTHING: u32 = 1 << 10;
}

/// Kinds of values as bits. Integers are `INTEGER`, not `NUMBER`.
pub(crate) mod kind {
    pub(crate) const NULL: u32 = 1;
    pub(crate) const BOOL: u32 = 2;
    pub(crate) const INTEGER: u32 = 4;
    pub(crate) const NUMBER: u32 = 8;
    pub(crate) const STRING: u32 = 16;
    pub(crate) const ARRAY: u32 = 32;
    pub(crate) const OBJECT: u32 = 64;
    pub(crate) const ALL: u32 = 127;
}

/// Positions in an object block.
pub(crate) mod object {
    pub(crate) const MIN: u32 = 0;
    pub(crate) const MAX: u32 = 1;
    pub(crate) const ADDITIONAL: u32 = 2;
    pub(crate) const NAMES: u32 = 3;
    pub(crate) const UNEVALUATED: u32 = 4;
    pub(crate) const COUNT: u32 = 5;
    /// List of (program, source offset, source length, node).
    pub(crate) const PATTERNS: u32 = 6;
    /// List of (name offset, name length, list of required names, node).
    pub(crate) const DEPENDENTS: u32 = 7;
    /// Indices of the properties sorted by name, if there are more than [`LINEAR_SEARCH_MAX`].
    pub(crate) const SORTED: u32 = 8;
    /// The properties: name offset, name length, node, flags, default (as JSON text) offset, default length.
    pub(crate) const FIRST: u32 = 9;
    pub(crate) const STRIDE: u32 = 6;

    pub(crate) const REQUIRED: u32 = 1;
    pub(crate) const DECLARED: u32 = 2;
    /// Up to this many properties are searched linearly.
    pub(crate) const LINEAR_SEARCH_MAX: u32 = 8;
}

/// Positions in an array block.
pub(crate) mod array {
    pub(crate) const MIN: u32 = 0;
    pub(crate) const MAX: u32 = 1;
    pub(crate) const PREFIX: u32 = 2;
    pub(crate) const ITEMS: u32 = 3;
    pub(crate) const CONTAINS: u32 = 4;
    pub(crate) const MIN_CONTAINS: u32 = 5;
    pub(crate) const MAX_CONTAINS: u32 = 6;
    pub(crate) const UNIQUE: u32 = 7;
    pub(crate) const UNEVALUATED: u32 = 8;
    /// 1 if items that `contains` accepts count as evaluated (2020-12).
    pub(crate) const CONTAINS_MARKS: u32 = 9;
    /// 1 if the keyword for the items after the prefix is `additionalItems`, and 0 if it is `items`.
    pub(crate) const OLD_NAME: u32 = 10;
    pub(crate) const FIRST: u32 = 11;
}

/// Positions in a string block.
pub(crate) mod string {
    pub(crate) const MIN: u32 = 0;
    pub(crate) const MAX: u32 = 1;
    /// The pattern's program: its length, then its words.
    pub(crate) const PROGRAM: u32 = 2;
    pub(crate) const PATTERN: u32 = 3;
    pub(crate) const PATTERN_LEN: u32 = 4;
    pub(crate) const FORMAT: u32 = 5;
    pub(crate) const WORDS: u32 = 6;
}

/// Positions in a number block: a word of bits, then for each rule offset, length, small, low, high.
pub(crate) mod number {
    pub(crate) const MINIMUM: u32 = 0;
    pub(crate) const MAXIMUM: u32 = 1;
    pub(crate) const EXCLUSIVE_MINIMUM: u32 = 2;
    pub(crate) const EXCLUSIVE_MAXIMUM: u32 = 3;
    pub(crate) const MULTIPLE_OF: u32 = 4;
    pub(crate) const STRIDE: u32 = 5;
    pub(crate) const WORDS: u32 = 1 + 5 * STRIDE;
}

/// Positions in an `enum` or `const` block.
pub(crate) mod choice {
    pub(crate) const COUNT: u32 = 0;
    /// 1 if an array or object is one of the values.
    pub(crate) const CONTAINERS: u32 = 1;
    /// Indices of the values in the order of [`compare`](crate::run::compare), when there are more than [`LINEAR_SEARCH_MAX`].
    pub(crate) const SORTED: u32 = 2;
    /// The values: kind, text offset, text length.
    pub(crate) const FIRST: u32 = 3;
    pub(crate) const STRIDE: u32 = 3;

    /// Up to this many values are searched one by one.
    pub(crate) const LINEAR_SEARCH_MAX: u32 = 8;

    pub(crate) const NULL: u32 = 0;
    pub(crate) const FALSE: u32 = 1;
    pub(crate) const TRUE: u32 = 2;
    pub(crate) const NUMBER: u32 = 3;
    pub(crate) const STRING: u32 = 4;
    /// An array or object as JSON text.
    pub(crate) const CONTAINER: u32 = 5;
}

/// Positions in a logic block.
pub(crate) mod logic {
    pub(crate) const REF: u32 = 0;
    /// The target of a dynamic reference if no dynamic anchor is in scope.
    pub(crate) const DYNAMIC: u32 = 1;
    pub(crate) const NAME: u32 = 2;
    pub(crate) const NAME_LEN: u32 = 3;
    pub(crate) const ALL: u32 = 4;
    pub(crate) const ANY: u32 = 5;
    pub(crate) const ONE: u32 = 6;
    pub(crate) const NOT: u32 = 7;
    pub(crate) const IF: u32 = 8;
    pub(crate) const THEN: u32 = 9;
    pub(crate) const ELSE: u32 = 10;
    pub(crate) const WORDS: u32 = 11;
}

/// A schema in the form that the interpreter runs: plain data that can be `static`.
///
/// Tables are created by [`lower`](crate::lower::lower), split by [`Tables::parts`] for printing, and put
/// together again, at no cost, by [`Tables::from_static`]. The parts must come from `lower`; the result for
/// any other parts is unspecified.
///
/// ```
/// use skills_schema::{Tables, lower, validate_str};
///
/// let lowered = lower::lower(r#"{"type": "string"}"#, &lower::DocumentOptions::default());
/// let (words, text) = lowered.tables.parts();
/// assert!(validate_str(&Tables::from_parts(words.to_vec(), text.to_owned()), "\"x\"").is_ok());
/// ```
#[derive(Debug)]
pub struct Tables {
    words: Cow<'static, [u32]>,
    text: Cow<'static, str>,
    properties: Properties,
}

impl Clone for Tables {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), text: self.text.clone(), properties: Properties::new() }
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Tables {}

impl Tables {
    /// Puts tables together from static parts, for use in a `static`.
    pub const fn from_static(words: &'static [u32], text: &'static str) -> Self {
        Self { words: Cow::Borrowed(words), text: Cow::Borrowed(text), properties: Properties::new() }
    }

    /// Puts tables together from owned parts.
    pub fn from_parts(words: Vec<u32>, text: String) -> Self {
        Self { words: Cow::Owned(words), text: Cow::Owned(text), properties: Properties::new() }
    }

    /// Returns the numbers and the text of the tables, to be printed as literals.
    pub fn parts(&self) -> (&[u32], &str) {
        (&self.words, &self.text)
    }

    /// Returns `true` if a property may have a default.
    pub(crate) fn has_defaults(&self) -> bool {
        self.view().word(header::NO_DEFAULTS) == 0
    }

    /// Returns the parts as the interpreter reads them.
    pub(crate) fn view(&self) -> View<'_> {
        View { words: &self.words, text: &self.text, properties: &self.properties }
    }
}

/// Borrowed tables as plain slices, so that reading a word is one load.
#[derive(Clone, Copy)]
pub(crate) struct View<'t> {
    words: &'t [u32],
    pub(crate) text: &'t str,
    pub(crate) properties: &'t Properties,
}

impl<'t> View<'t> {
    #[inline]
    pub(crate) fn word(self, at: u32) -> u32 {
        self.words.get(at as usize).copied().unwrap_or(0)
    }

    /// Returns `N` words from `at` on after one bounds check, or zeros if they are out of range.
    #[inline]
    pub(crate) fn block<const N: usize>(self, at: u32) -> &'t [u32; N] {
        self.words.get(at as usize..).and_then(<[u32]>::first_chunk).unwrap_or(&[0; N])
    }

    /// Returns the properties of the object block at `at`.
    #[inline]
    pub(crate) fn properties(self, at: u32) -> &'t [[u32; object::STRIDE as usize]] {
        let from = (at + object::FIRST) as usize;
        let len = (self.word(at + object::COUNT) * object::STRIDE) as usize;
        self.words.get(from..from + len).unwrap_or(&[]).as_chunks().0
    }

    /// Returns the text whose offset and length are the words at `at`.
    #[inline]
    pub(crate) fn text_at(self, at: u32) -> &'t str {
        let from = self.word(at) as usize;
        self.text.get(from..from + self.word(at + 1) as usize).unwrap_or("")
    }

    /// Returns `true` if the text with this offset and length is `text`.
    #[inline]
    pub(crate) fn is(self, offset: u32, length: u32, text: &str) -> bool {
        if length as usize != text.len() {
            return false;
        }
        let from = offset as usize;
        // Names with the same length mostly differ in their first byte, and comparing it is cheaper than a
        // call.
        self.text
            .as_bytes()
            .get(from..from + text.len())
            .is_some_and(|known| known.first() == text.as_bytes().first() && known == text.as_bytes())
    }

    /// Returns the entries of the list or pattern program at `at`. Empty if `at` is 0.
    pub(crate) fn list(self, at: u32) -> &'t [u32] {
        let from = at as usize + 1;
        let count = if at == 0 { 0 } else { self.word(at) as usize };
        self.words.get(from..from + count).unwrap_or(&[])
    }

    /// Returns the kinds that any node of the list at `at` allows.
    pub(crate) fn kinds(self, at: u32) -> u32 {
        self.list(at).iter().fold(0, |kinds, branch| kinds | self.word(branch + node::KINDS))
    }

    /// Returns the root node. The error is the layout version of tables that another version of this crate
    /// created.
    pub(crate) fn root(self) -> Result<u32, u32> {
        match self.word(header::VERSION) {
            VERSION => Ok(self.word(header::ROOT)),
            other => Err(other),
        }
    }
}
