//! What programs without typed skills have of functions: nothing but their constants.

use proc_macro2::{Ident, TokenStream};
use skills_core::catalog::{Signature, Skill};

/// Returns what the module of a function holds besides its constants.
pub(super) fn of_function(_: &Ident, _: &Signature) -> TokenStream {
    TokenStream::new()
}

/// Returns what a bundle says of its functions to those that take several bundles.
pub(super) fn of_trait() -> TokenStream {
    TokenStream::new()
}

/// Returns what a bundle holds for its functions.
pub(super) fn of_bundle(_: &str, _: &[Skill]) -> TokenStream {
    TokenStream::new()
}
