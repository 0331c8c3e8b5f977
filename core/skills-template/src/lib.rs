//! The expression tree of templates, prompts and conditions, with its parser and its evaluator.
//!
//! ```
//! use skills_template::{Scope, Value, parse_template, render};
//!
//! let tree = parse_template("Hello {{input.name || 'you'}}!").into_result().unwrap();
//! let scope = Scope::default();
//! assert_eq!(render(tree.root(), &scope, Default::default()).unwrap(), "Hello you!");
//! ```
//!
//! `docs/GRAMMAR.md` defines the language; [`Expr`] lists the kinds of nodes in a tree.
#![deny(missing_docs)]

mod builder;
mod error;
mod eval;
mod expr;
mod filter;
mod parse;
pub mod pipeline;
mod print;
mod references;
mod span;
mod tree;

pub use builder::Builder;
pub use error::{Error, Lint, LintKind, Problem};
pub use eval::{
    EvalFault, Json, Limits, Number, Plain, RenderError, Scope, Shape, Typed, Value, apply, evaluate, holds,
    render,
};
pub use expr::{Compare, Expr};
pub use filter::{Filter, Takes, Type};
pub use parse::{
    Class, MAX_DEPTH, MAX_ERRORS, MAX_TEXT, Parsed, escape, highlight, highlight_expression, parse_condition,
    parse_prompt, parse_template,
};
pub use print::{print, print_expression};
pub use references::{Reference, references};
pub use span::Span;
pub use tree::{Node, Nodes, Tree};
