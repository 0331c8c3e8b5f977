//! The names that generated code uses to make the skills of a bundle callable, and functions that adapt typed host
//! functions to JSON text and render prompts.

pub use core::future::Future;
pub use core::marker::{Send, Sync};
pub use core::ops::FnMut;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::bool;
pub use core::primitive::str;
pub use core::result::Result;
pub use std::borrow::Cow;
pub use std::string::String;

pub use skills_template::Tree;
pub use skills_template::pipeline::{Pipeline, Step};
pub use skills_template::render::{Json, Number, Plain, Shape, Typed};

pub use super::{Context, Dispatch, Failure, Input, Output, Runner};
pub use skills_runtime::layers::{Function, Functions};
pub use skills_runtime::typed::{Checked, Checker, Invalid, from_checked};

use std::sync::Arc;

use skills_template::Expr;
use skills_template::render::{RenderError, RenderLimits, Scope, render};

use super::BoxFuture;
use skills_runtime::typed::{Decode, Encode, to_json};

/// The result of a dispatch: the started function, or `None` if the host has no function for the skill.
pub type Serving<'a> = Option<BoxFuture<'a, Result<String, Failure>>>;

/// A rendered prompt, borrowed if the text is the same for every input.
pub type Prompt = Result<Cow<'static, str>, RenderError>;

/// Returns a runner of a bundle without a host.
pub fn runner<B: 'static>(functions: &'static Functions) -> Runner<B> {
    Runner::of_bundle(functions, None)
}

/// Returns a runner of a bundle with its host.
pub fn hosted<B: 'static>(functions: &'static Functions, host: impl Dispatch) -> Runner<B> {
    Runner::of_bundle(functions, Some(Arc::new(host)))
}

/// Runs a skill with a typed function, which starts when the future is polled.
pub fn serve<'a, I, O, F>(
    tables: &'static Checker,
    input: String,
    context: &'a Context,
    function: impl FnOnce(I) -> F + Send + 'a,
) -> Serving<'a>
where
    I: Decode + 'a,
    O: Encode,
    F: Future<Output = Result<O, Failure>> + Send + 'a,
{
    Some(Box::pin(async move {
        let started = function(from_checked(tables, context.checked(), &input)?);
        drop(input);
        Ok(to_json(&started.await?))
    }))
}

/// Renders a prompt for an input.
///
/// # Errors
/// A filter or `{{#each}}` gets a value of the wrong type, or the text exceeds the size limit.
pub fn prompt(tree: &'static Tree, input: &dyn Json) -> Prompt {
    let scope = Scope::default().with_json("input", input);
    render(tree.root(), &scope, RenderLimits::default()).map(Cow::Owned)
}

/// Returns the text of a prompt without templates.
///
/// # Errors
/// Never; it returns the same type as other prompts.
pub fn fixed_prompt(tree: &'static Tree) -> Prompt {
    match tree.root().expr() {
        Expr::Text(text) => Ok(Cow::Borrowed(text)),
        _ => Ok(Cow::Borrowed("")),
    }
}
