//! What is known of a bundle by those that take several: its skills, its functions and the package it is part of.

use std::any::Any;

use skills_registry::Registry;

/// The skills of a program or of a library; what `skills!` makes is one.
///
/// A bare [`Registry`] is one, too: its skills are listed and loaded, and no function of it can be called.
pub trait Bundle: Sync + 'static {
    /// Returns the skills.
    fn registry(&'static self) -> &'static Registry;

    /// Returns the name of the package that bundles them; empty when it is not known.
    fn package(&'static self) -> &'static str {
        ""
    }

    /// Returns the functions that make the skills callable: a `skills_call::Functions`, which this crate does not know.
    #[doc(hidden)]
    fn functions(&'static self) -> Option<&'static (dyn Any + Send + Sync)> {
        None
    }
}

impl Bundle for Registry {
    fn registry(&'static self) -> &'static Registry {
        self
    }
}
