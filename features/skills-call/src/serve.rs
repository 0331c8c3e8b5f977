//! The functions that generated code calls: they serve a typed host function as JSON text and render prompts.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use skills_template::{Expr, Json, Limits, RenderError, Scope, Tree, render};

use super::{BoxFuture, Context, Dispatch, Failure, Functions, Runner};
use skills_runtime::typed::{Checker, Decode, Encode, from_checked, to_json};

/// The result of a dispatch: the started function, or `None` if the host has no function for the skill.
pub type Serving<'a> = Option<BoxFuture<'a, Result<String, Failure>>>;

/// A rendered prompt; borrowed when the text is the same for every input.
pub type Prompt = Result<Cow<'static, str>, RenderError>;

/// Returns a runner of a bundle without a host.
pub fn runner<B>(library: &'static Functions) -> Runner<B> {
    Runner::of_bundle(library, None)
}

/// Returns a runner of a bundle with its host.
pub fn hosted<B>(library: &'static Functions, host: impl Dispatch) -> Runner<B> {
    Runner::of_bundle(library, Some(Arc::new(host)))
}

/// Lets a typed function serve a skill; it starts when the future is polled.
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
/// A filter or `{{#each}}` meets a type that does not fit, or the text grows over the limit.
pub fn prompt(tree: &'static Tree, input: &dyn Json) -> Prompt {
    let scope = Scope::default().with_json("input", input);
    render(tree.root(), &scope, Limits::default()).map(Cow::Owned)
}

/// Returns a prompt without templates, as it is.
///
/// # Errors
/// Never: the type is that of all prompts.
pub fn fixed_prompt(tree: &'static Tree) -> Prompt {
    match tree.root().expr() {
        Expr::Text(text) => Ok(Cow::Borrowed(text)),
        _ => Ok(Cow::Borrowed("")),
    }
}
