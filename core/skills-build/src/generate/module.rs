//! Generates the module of each function, with its constants and types, and the names that the module with the call of
//! `skills!` gets.

use super::{allowances, documentation};
#[cfg(feature = "typed")]
use crate::{generate::call, types};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::{Backend, CatalogSkill, Facts, Signature};
use skills_text::FUNCTION_TIMEOUT_MS;

/// Returns the module of a skill with a `skill.json`. Every name in it goes through `__skills`.
pub(super) fn function_module(skill: &CatalogSkill, signature: &Signature) -> TokenStream {
    let module = Ident::new(&skill.ident, Span::call_site());
    let title = documentation::literal(&skill.description);
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
    let calls = call::function_support(signature, &view);
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

/// The name of the module that contains the generated code. rustc shows it if a module calls `skills!` twice, or if
/// a function calls it.
pub(crate) const MODULE: &str = "call_skills_once_in_a_module";

/// Returns the modules of the names, and the macro that imports from them. The macro takes the beginning of the path
/// of [`MODULE`].
pub(super) fn exports(skills: &[CatalogSkill]) -> TokenStream {
    let functions = skills.iter().filter(|skill| skill.signature.is_some()).map(|skill| skill.ident.as_str());
    let names: Vec<Ident> = ["SKILLS", "Bundle"].into_iter().chain(functions).map(ident).collect();
    let has_host = cfg!(feature = "typed") && skills.iter().any(|skill| skill.backend == Some(Backend::Host));
    let host = has_host.then(|| ident("Host"));
    let host = host.as_slice();
    let (module, allowances) = (ident(MODULE), allowances());
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case)]
        pub mod __exports {
            #(pub mod #names { pub use super::super::#names; })*
            #(
                pub mod #host {
                    super::super::__skills::__private::call! { pub use super::super::#host; }
                }
            )*
        }
        #[doc(hidden)]
        #[allow(unused_macros, unused_macro_rules)]
        macro_rules! __reexport {
            ($($path:tt)*) => {
                #allowances
                pub use $($path)* #module::__exports::{#(#names::*,)* #(#host::*,)*};
            };
        }
        #[doc(hidden)]
        pub(crate) use __reexport;
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
