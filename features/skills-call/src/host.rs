//! The object-safe trait for host functions, which generated code implements for every `Host`.

use std::sync::Arc;

use skills_runtime::typed::{Checked, Invalid};

pub use futures_util::future::BoxFuture;

/// Runs host functions by name: JSON text in, JSON text out.
pub trait Dispatch: Send + Sync + 'static {
    /// Starts the function for a skill. Returns `None` if the host has no function for it.
    ///
    /// The input is already checked and has its defaults; the caller checks the output. The function must not
    /// start before the future is polled.
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a super::Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>>;

    /// Returns `true` if there is a function for a skill, without running it.
    ///
    /// The default calls [`Dispatch::call`] and drops the future before it is polled.
    fn serves(&self, skill: &str) -> bool {
        self.call(skill, String::new(), &super::Context::default()).is_some()
    }
}

impl<D: Dispatch + ?Sized> Dispatch for Arc<D> {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a super::Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        D::call(self, skill, input, context)
    }

    fn serves(&self, skill: &str) -> bool {
        D::serves(self, skill)
    }
}

/// The input of one skill of one bundle.
pub trait Input: Sized + Send {
    /// The bundle that the skill belongs to.
    type Bundle: 'static;

    /// The output type of the skill.
    type Output: Output;

    /// The name of the skill.
    const NAME: &'static str;

    /// Converts the input to JSON text.
    fn to_json(&self) -> String;
}

/// The output of a skill.
pub trait Output: Sized {
    /// Parses the output from JSON text.
    ///
    /// # Errors
    /// The text is not valid JSON, or it violates the skill's output schema.
    fn from_json(text: &str) -> Result<Self, Invalid>;

    /// Parses the output from JSON text. Checks it, unless `checked` says that the skill's own checker has
    /// already checked it.
    ///
    /// # Errors
    /// As [`Output::from_json`].
    #[doc(hidden)]
    fn from_checked(text: &str, _checked: Checked) -> Result<Self, Invalid> {
        Self::from_json(text)
    }
}

/// The error type of host functions: any error, or a text converted with `.into()`.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
