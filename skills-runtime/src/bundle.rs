//! What is known of a bundle by those that take several: its skills, its functions and the package it is part of.

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

    /// Returns what makes the skills callable.
    #[cfg(feature = "call")]
    fn functions(&'static self) -> Option<&'static crate::call::Functions> {
        None
    }
}

impl Bundle for Registry {
    fn registry(&'static self) -> &'static Registry {
        self
    }
}

#[cfg(feature = "call")]
impl Bundle for crate::call::Functions {
    fn registry(&'static self) -> &'static Registry {
        Self::registry(self)
    }

    fn functions(&'static self) -> Option<&'static Self> {
        Some(self)
    }
}
