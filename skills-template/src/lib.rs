//! The expression tree of templates, prompts and conditions: its parser and its evaluator.
//!
//! ```
//! use skills_template::{Scope, Value, parse_template, render};
//!
//! let tree = parse_template("Hello {{input.name || 'you'}}!").into_result().unwrap();
//! let scope = Scope::default();
//! assert_eq!(render(tree.root(), &scope, Default::default()).unwrap(), "Hello you!");
//! ```
//!
//! `docs/GRAMMAR.md` defines the language; [`Expr`] lists what a tree is made of.
#![deny(missing_docs)]

mod builder;
mod error;
mod eval;
mod expr;
mod filter;
mod nearest;
mod number;
mod parse;
pub mod pipeline;
mod print;
mod references;
#[cfg(feature = "serde_json")]
mod serde;
mod span;
mod tree;
mod typed;
mod value;

pub use builder::{Builder, parse_deep};
pub use error::{Error, Lint, LintKind, Problem};
pub use eval::{Fault, Limits, RenderError, Scope, apply, evaluate, holds, render};
pub use expr::{Compare, Expr};
pub use filter::{Filter, Takes, Type};
pub use number::Number;
pub use parse::{
    MAX_DEPTH, MAX_ERRORS, MAX_TEXT, Parsed, escape, parse_condition, parse_prompt, parse_template,
};
pub use print::print;
pub use references::{Reference, references};
#[cfg(feature = "serde_json")]
pub use serde::{DeepError, render_deep};
pub use span::Span;
pub use tree::{Node, Nodes, Tree};
pub use typed::{Plain, Typed};
pub use value::{Json, Shape, Value};
