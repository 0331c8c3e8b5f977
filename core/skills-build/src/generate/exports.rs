//! Generates the names of a bundle that the module with the call of `skills!` gets.
//!
//! Each name has a module of its own, from which it is imported by a glob, so that an item of the user with this name
//! takes precedence. With a single glob, rustc would warn about such an item if it is private
//! (`hidden_glob_reexports`).

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use skills_core::catalog::{Backend, CatalogSkill};

use super::allowances;

/// The name of the module that contains the generated code. rustc shows it if a module calls `skills!` twice, or if
/// a function calls it.
pub(crate) const MODULE: &str = "call_skills_once_in_a_module";

/// Returns the modules of the names, and the macro that imports from them. The macro takes the beginning of the path
/// of [`MODULE`].
pub(super) fn items(skills: &[CatalogSkill]) -> TokenStream {
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
