//! The module of a skill that is a function: its constants, and what programs with typed skills have of it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::{Facts, Signature, Skill};

use super::{documentation, typed};

/// Returns the module of a skill with a `skill.json`; every name in it goes through `__skills`.
pub(super) fn item(skill: &Skill, signature: &Signature) -> TokenStream {
    let module = Ident::new(&skill.ident, Span::call_site());
    let title = documentation::text(&skill.description);
    let Facts { name, description, version, .. } = &skill.facts;
    let timeout = skill.timeout_ms.unwrap_or(TIMEOUT);
    let timeout = Literal::u64_unsuffixed(timeout);
    let typed = typed::of_function(&module, signature);
    quote! {
        #[doc = #title]
        #[allow(dead_code, unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery)]
        pub mod #module {
            /// The name of the skill.
            pub const NAME: &'static super::__skills::__private::core::primitive::str = #name;
            /// What the skill is for.
            pub const DESCRIPTION: &'static super::__skills::__private::core::primitive::str = #description;
            /// The version of the skill.
            pub const VERSION: &'static super::__skills::__private::core::primitive::str = #version;
            /// The time limit of one attempt, in milliseconds.
            pub const TIMEOUT_MS: super::__skills::__private::core::primitive::u64 = #timeout;
            #typed
        }
    }
}

/// The time limit that SPEC 3.1 gives a skill without one, in milliseconds.
const TIMEOUT: u64 = 30_000;
