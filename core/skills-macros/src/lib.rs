//! The procedural macros behind `skills!` and `projects!`: a thin layer over `skills-build`, which has the
//! code and the tests.

use proc_macro::TokenStream;

/// Bundles a directory of skills. Called by the macro `skills!` of the facade, which documents it.
#[doc(hidden)]
#[proc_macro]
pub fn __skills(input: TokenStream) -> TokenStream {
    skills_build::expand(input.into(), &|span| span.unwrap().local_file()).into()
}

/// Bundles a directory of projects. Called by the macro `projects!` of the facade, which documents it.
#[doc(hidden)]
#[proc_macro]
pub fn __projects(input: TokenStream) -> TokenStream {
    skills_build::expand_projects(input.into(), &|span| span.unwrap().local_file()).into()
}
