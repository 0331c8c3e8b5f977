//! The expression tree of templates, prompts and conditions, and its parser. [`render`](mod@render) evaluates the trees,
//! with the feature `render`.
//!
//! ```
//! use skills_template::{parse_template, references};
//!
//! let tree = parse_template("Hello {{input.name || 'you'}}!").into_result().unwrap();
//! assert_eq!(references(tree.root()).len(), 1);
//! ```
//!
//! `docs/GRAMMAR.md` defines the language; [`Expr`] lists the kinds of nodes in a tree.
#![deny(missing_docs)]

mod builder;
mod error;
mod expr;
mod filter;
mod parse;
pub mod pipeline;
#[cfg(feature = "render")]
pub mod render;
mod tree;

pub use builder::TreeBuilder;
pub use error::{Lint, LintKind, TemplateError, TemplateProblem, TemplateSpan};
pub use expr::{Compare, Expr};
pub use filter::{Filter, FilterArgument, Type};
pub use parse::{
    Lexer, MAX_DEPTH, MAX_ERRORS, MAX_TEXT, ParsedTemplate, Token, begins_name, continues_name, escape,
    escape_always, parse_condition, parse_prompt, parse_template,
};
pub use tree::{Nodes, Reference, TemplateNode, Tree, references};
