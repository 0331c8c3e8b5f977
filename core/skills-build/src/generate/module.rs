//! Generates the module of a skill that is a function: its constants and, for programs with typed skills, its
//! types.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::{CatalogSkill, Facts, Signature};
use skills_text::FUNCTION_TIMEOUT_MS;

use super::documentation;
#[cfg(feature = "typed")]
use crate::{generate::call, types};

/// Returns the module of a skill with a `skill.json`. Every name in it goes through `__skills`.
pub(super) fn item(skill: &CatalogSkill, signature: &Signature) -> TokenStream {
    let module = Ident::new(&skill.ident, Span::call_site());
    let title = documentation::text(&skill.description);
    let Facts { name, description, version, .. } = &skill.facts;
    let timeout = skill.timeout_ms.unwrap_or(FUNCTION_TIMEOUT_MS);
    let timeout = Literal::u64_unsuffixed(timeout);
    #[cfg(feature = "typed")]
    let typed = typed(&module, signature);
    #[cfg(not(feature = "typed"))]
    let (typed, _) = (TokenStream::new(), signature);
    quote! {
        #[doc = #title]
        pub mod #module {
            /// The name of the skill.
            pub const NAME: &'static super::__skills::__private::core::primitive::str = #name;
            /// The description of the skill.
            pub const DESCRIPTION: &'static super::__skills::__private::core::primitive::str = #description;
            /// The version of the skill.
            pub const VERSION: &'static super::__skills::__private::core::primitive::str = #version;
            /// The time limit of one attempt, in milliseconds.
            pub const TIMEOUT_MS: super::__skills::__private::core::primitive::u64 = #timeout;
            #typed
        }
    }
}

/// Returns the items for programs with typed skills: types, the tool definition, and the call support.
#[cfg(feature = "typed")]
fn typed(module: &Ident, signature: &Signature) -> TokenStream {
    let types::Types { items, view } = types::types(signature);
    let calls = call::of_function(signature, &view);
    quote! {
        super::__skills::__private::typed! {
            /// Returns the tool definition of the skill for an API.
            ///
            /// `None` if models must not see the skill, or if the API would refuse it.
            pub fn tool(format: super::__skills::__private::ToolFormat) -> __p::Option<&'static __p::str> {
                super::SKILLS.#module.tool(format)
            }
        }
        #items
        #calls
    }
}
