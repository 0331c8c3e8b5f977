//! The traits that generated code implements for the typed input and output of a skill, so that rustc checks
//! calls.

use skills_runtime::typed::{Checked, Invalid};

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
