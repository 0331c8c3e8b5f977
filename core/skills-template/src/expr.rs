//! The kinds of nodes. Parser, checker, evaluator, printer and code generator all follow this list.

use crate::{Filter, Nodes, TemplateNode};

/// One node of a tree, with its children as handles.
///
/// A node of a prompt or template is *text* ([`Expr::Text`], [`Expr::Concat`], [`Expr::If`], [`Expr::Each`]:
/// it always yields a string), *JSON around templates* ([`Expr::Array`], [`Expr::Object`], only in the deep
/// trees of a [`TreeBuilder`](crate::TreeBuilder)) or an *expression* (the rest: it yields any JSON value, or
/// missing).
#[derive(Clone, Copy, Debug)]
pub enum Expr<'a> {
    /// Text between expressions, with its escapes undone. Yields itself.
    Text(&'a str),
    /// Two or more parts, none of them a `Concat`. Yields the concatenated text of the parts: a string
    /// unchanged, null and missing as "", everything else as JSON.
    Concat(Nodes<'a>),
    /// `{{#if path}}…{{else}}…{{/if}}`. Yields the text of one branch, or "".
    If {
        /// A path. Missing, null, false, 0 and "" are falsy.
        condition: TemplateNode<'a>,
        /// A text node; empty text if the branch is empty.
        then: TemplateNode<'a>,
        /// A text node, if there is an `{{else}}`.
        otherwise: Option<TemplateNode<'a>>,
    },
    /// `{{#each path}}…{{/each}}`. Yields the body's text for each element, with the element as `item` and
    /// its index from 0 as `index`; both shadow outer ones. Null and missing have no elements. Any other
    /// value that is not an array is an error.
    Each {
        /// A path.
        list: TemplateNode<'a>,
        /// A text node.
        body: TemplateNode<'a>,
    },
    /// `a.b.0`: one or more [`Expr::Key`]. The first names a root of the scope (`input`, `steps`, `item`,
    /// `index`). Each further key names a member of an object or, if it is all digits, an element of an
    /// array. Yields the value there, or missing.
    Path(Nodes<'a>),
    /// A name in a path or field, or the key of an object's member. Never evaluated by itself.
    Key(&'a str),
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written, in JSON syntax, so that no precision is lost.
    Number(&'a str),
    /// A string in single or double quotes, with its escapes undone.
    String(&'a str),
    /// `a || b || c` in a template: two or more expressions. Yields the first one that is not null, missing
    /// or "", or else the last one.
    Fallback(Nodes<'a>),
    /// `input | filter: arg: arg`. The number of arguments fits the filter.
    Filter {
        /// The filter.
        filter: Filter,
        /// The value that it is applied to.
        input: TemplateNode<'a>,
        /// Its arguments: a [`Expr::Field`] for a field name, otherwise an expression.
        args: Nodes<'a>,
    },
    /// The field that an argument of `map`, `where`, `sort` or `uniq` names: one or more [`Expr::Key`],
    /// looked up in each element like a path.
    Field(Nodes<'a>),
    /// `a || b` in a condition: two or more operands. Yields true if one is truthy; stops at the first.
    Or(Nodes<'a>),
    /// `a && b` in a condition: two or more operands. Yields true if all are truthy; stops at the first that
    /// is not.
    And(Nodes<'a>),
    /// `!a` in a condition. Yields true if `a` is falsy.
    Not(TemplateNode<'a>),
    /// A comparison such as `a == b` in a condition. Yields true or false.
    Compare {
        /// The operator.
        compare: Compare,
        /// The left operand.
        left: TemplateNode<'a>,
        /// The right operand.
        right: TemplateNode<'a>,
    },
    /// A JSON array around templates. A missing element yields null.
    Array(Nodes<'a>),
    /// A JSON object around templates: alternating keys ([`Expr::Key`]) and values. A member whose value is
    /// missing is left out.
    Object(Nodes<'a>),
}

/// A comparison operator.
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

skills_text::__named!(Compare, "comparison", {
    Equal = "==",
    Unequal = "!=",
    Less = "<",
    LessEqual = "<=",
    Greater = ">",
    GreaterEqual = ">=",
});

impl Compare {
    /// Returns `true` for an ordering operator, whose operands must be two numbers or two strings.
    pub fn orders(self) -> bool {
        !matches!(self, Self::Equal | Self::Unequal)
    }

    pub(crate) fn from_code(code: u32) -> Self {
        Self::ALL.get(code as usize).copied().unwrap_or(Self::Equal)
    }
}

/// Declares the kinds, which are numbered in this order.
macro_rules! kinds {
    ($($kind:ident)+) => {
        /// The node kinds as stored in the words of a tree. The numbers are part of the bundle's format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($kind,)+
        }

        impl Kind {
            #[inline]
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
