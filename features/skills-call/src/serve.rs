//! Support functions for generated code: they adapt typed host functions to JSON text and render prompts.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use skills_template::render::{Json, RenderError, RenderLimits, Scope, render};
use skills_template::{Expr, Tree};

use super::{BoxFuture, Context, Dispatch, Failure, Functions, Runner};
use skills_runtime::typed::{Checker, Decode, Encode, from_checked, to_json};

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
