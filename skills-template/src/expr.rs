//! What a node can be: the one list that parser, checker, evaluator, printer and code generator follow.

use crate::{Filter, Node, Nodes};

/// One node of a tree, with its children as handles.
///
/// A node of a prompt or template is *text* ([`Expr::Text`], [`Expr::Concat`], [`Expr::If`], [`Expr::Each`]: it
/// always yields a string), *JSON around templates* ([`Expr::Array`], [`Expr::Object`], only in the deep trees of a
/// [`Builder`](crate::Builder)) or an *expression* (the rest: it yields any JSON value, or missing).
#[derive(Clone, Copy, Debug)]
pub enum Expr<'a> {
    /// Text between expressions, with the escapes of SPEC 5.8 undone. Yields itself.
    Text(&'a str),
    /// Two or more parts, none of them a `Concat`. Yields the text of the parts, one behind the other: a string
    /// as it is, null and missing as "", everything else as JSON (SPEC 5.2).
    Concat(Nodes<'a>),
    /// `{{#if path}}…{{else}}…{{/if}}`. Yields the text of one branch, or "" (SPEC 5.8).
    If {
        /// A path; falsy are missing, null, false, 0 and "" (SPEC 5.4).
        condition: Node<'a>,
        /// A text node; empty text when nothing was written.
        then: Node<'a>,
        /// A text node, when there was an `{{else}}`.
        otherwise: Option<Node<'a>>,
    },
    /// `{{#each path}}…{{/each}}`. Yields the body's text for each element, with the element as `item` and its
    /// number from 0 as `index`; both hide outer ones. Null and missing have no elements; any value that is
    /// neither these nor an array is an error (SPEC 5.8).
    Each {
        /// A path.
        list: Node<'a>,
        /// A text node.
        body: Node<'a>,
    },
    /// `a.b.0`: one or more [`Expr::Key`]. The first names a root of the scope (`input`, `steps`, `item`,
    /// `index`), each other one a member of an object or, when all digits, an element of an array. Yields the
    /// value there, or missing.
    Path(Nodes<'a>),
    /// A name in a path or field, or the key of an object's member. Never evaluated by itself.
    Key(&'a str),
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written (JSON's grammar, so nothing of its precision is lost).
    Number(&'a str),
    /// A string in either quotes, with its escapes undone.
    String(&'a str),
    /// `a || b || c` in a template: two or more expressions. Yields the first one that is not null, missing or "",
    /// or else the last one (SPEC 5.1).
    Fallback(Nodes<'a>),
    /// `input | filter: arg: arg` (SPEC 5.3). The number of arguments fits the filter.
    Filter {
        /// Which filter.
        filter: Filter,
        /// The value it works on.
        input: Node<'a>,
        /// Its arguments; a field name is a [`Expr::Field`], anything else an expression.
        args: Nodes<'a>,
    },
    /// The field an argument of `map`, `where`, `sort` or `uniq` names: one or more [`Expr::Key`], to be looked up in
    /// each element as a path would be.
    Field(Nodes<'a>),
    /// `a || b` in a condition: two or more. Yields true when one is truthy; looks no further than needed.
    Or(Nodes<'a>),
    /// `a && b` in a condition: two or more. Yields true when all are truthy; looks no further than needed.
    And(Nodes<'a>),
    /// `!a` in a condition. Yields true when `a` is falsy.
    Not(Node<'a>),
    /// `a == b` and the like in a condition. Yields true or false (SPEC 5.4).
    Compare {
        /// Which comparison.
        compare: Compare,
        /// What stands on its left.
        left: Node<'a>,
        /// What stands on its right.
        right: Node<'a>,
    },
    /// A JSON array around templates. An element that is missing becomes null (SPEC 5.2).
    Array(Nodes<'a>),
    /// A JSON object around templates: keys ([`Expr::Key`]) and values in turn. A member whose value is missing is
    /// left out (SPEC 5.2).
    Object(Nodes<'a>),
}

/// A comparison of SPEC 5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `==`: the same value of the same type, numbers by value; missing equals null.
    Equal,
    /// `!=`: not `==`.
    Unequal,
    /// `<`, on two numbers or two strings; false for anything else.
    Less,
    /// `<=`, likewise.
    LessEqual,
    /// `>`, likewise.
    Greater,
    /// `>=`, likewise.
    GreaterEqual,
}

impl Compare {
    pub(crate) const ALL: [Self; 6] =
        [Self::Equal, Self::Unequal, Self::Less, Self::LessEqual, Self::Greater, Self::GreaterEqual];

    /// Returns the comparison as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    /// Tells whether it asks for an order, so that both sides must be numbers or both strings.
    pub fn orders(self) -> bool {
        !matches!(self, Self::Equal | Self::Unequal)
    }

    pub(crate) fn code(self) -> u32 {
        self as u32
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self::ALL.get(code as usize).copied().unwrap_or(Self::Equal)
    }
}

/// Declares the kinds, whose numbers are their places here.
macro_rules! kinds {
    ($($kind:ident)+) => {
        /// The node kinds as the words of a tree spell them. The numbers are part of the bundle's format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($kind,)+
        }

        impl Kind {
            pub(crate) fn from_code(code: u32) -> Self {
                [$(Self::$kind,)+].get(code as usize).copied().unwrap_or(Self::Null)
            }
        }
    };
}

kinds! {
    Null Bool Number String Key Text Concat If Each Path
    Fallback Filter Field Or And Not Compare Array Object
}
