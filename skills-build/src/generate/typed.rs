//! What programs with typed skills have of functions: their types, their definitions as tools, and what makes them callable.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use skills_core::catalog::{Signature, Skill};

use super::call;
use crate::types;

/// Returns what the module of a function holds besides its constants.
pub(super) fn of_function(module: &Ident, signature: &Signature) -> TokenStream {
    let types = types::types(signature);
    let calls = call::of_function(signature, &types.view);
    let types = types.items;
    quote! {
        super::__skills::__private::typed! {
            /// Returns the definition of the skill as a tool for an interface (SPEC 6.3).
            ///
            /// Nothing when the skill is kept from models, or the interface would refuse it.
            pub fn tool(format: super::__skills::__private::ToolFormat) -> __p::Option<&'static __p::str> {
                super::SKILLS.#module.tool(format)
            }
        }
        #types
        #calls
    }
}

/// Returns what a bundle says of its functions to those that take several bundles.
pub(super) fn of_trait() -> TokenStream {
    call::of_trait()
}

/// Returns what a bundle holds for its functions.
pub(super) fn of_bundle(label: &str, skills: &[Skill]) -> TokenStream {
    call::of_bundle(label, skills)
}
