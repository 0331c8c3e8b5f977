//! The syntax tree of a pattern, from the parser to the compiler.

use skills_text::order;

/// A regular expression.
#[derive(Debug, Clone)]
pub(super) enum Expr {
    Empty,
    Char(char),
    /// `.`: any character except a line end.
    Any,
    Set(Set),
    Cat(Vec<Expr>),
    Alt(Vec<Expr>),
    /// A capturing group with its number (from 1).
    Group(u32, Box<Expr>),
    Repeat(Repeat),
    Start,
    End,
    /// `\b`, or `\B` when negated.
    Word {
        negated: bool,
    },
    Look {
        body: Box<Expr>,
        behind: bool,
        negated: bool,
    },
    Back(u32),
    /// A reference by name, until all names are known.
    Named(String),
}

#[derive(Debug, Clone)]
pub(super) struct Repeat {
    pub(super) body: Box<Expr>,
    pub(super) min: u32,
    /// The maximum count; `u32::MAX` means no limit.
    pub(super) max: u32,
    pub(super) greedy: bool,
    /// The groups inside, first and one past the last. Each iteration clears them.
    pub(super) groups: (u32, u32),
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    pub(super) negated: bool,
    /// Inclusive ranges of code points.
    pub(super) ranges: Vec<(u32, u32)>,
    /// `\p{…}` with its negation.
    pub(super) properties: Vec<(bool, String)>,
}

impl Set {
    pub(super) fn from_ranges(ranges: &[(u32, u32)], negated: bool) -> Self {
        Self { negated, ranges: ranges.to_vec(), properties: Vec::new() }
    }

    /// Adds the characters of another set. The other set may be negated only if it has only ranges or a
    /// single property.
    pub(super) fn add(&mut self, other: Set) {
        if !other.negated {
            self.ranges.extend(other.ranges);
            self.properties.extend(other.properties);
            return;
        }
        let mut from = 0;
        let ranges = other.ranges;
        for i in order(ranges.len(), &|a, b| ranges[a].cmp(&ranges[b])) {
            let (lo, hi) = ranges[i];
            if lo > from {
                self.ranges.push((from, lo - 1));
            }
            from = hi + 1;
        }
        self.ranges.push((from, 0x10_FFFF));
    }
}

pub(super) const DIGIT: &[(u32, u32)] = &[(0x30, 0x39)];
pub(super) const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// WhiteSpace and LineTerminator of ECMA-262.
pub(super) const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
