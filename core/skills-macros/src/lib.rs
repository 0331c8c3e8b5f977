//! The procedural macros behind `skills!` and `derive(Bundle)`: a thin layer over `skills-build`, which
//! contains the code and the tests.

use proc_macro::TokenStream;

/// Bundles a directory of skills. Called by the macro `skills!` of the facade, which documents it.
#[doc(hidden)]
#[proc_macro]
pub fn __skills(input: TokenStream) -> TokenStream {
    skills_build::expand(input.into(), &|span| span.unwrap().local_file()).into()
}

/// Makes a struct without fields a bundle of skills.
///
/// `#[skills("skills/")]` names the directory and takes the options of the macro `skills!`. The struct
/// dereferences to the registry and has a field for each skill. The types of skills with a `skill.json` and
/// the trait `Host` are in a module beside it, named after it: `MySkills` has `my_skills`. A program can
/// have several such structs, each with its own visibility and documentation. If the library is renamed,
/// add `crate = ::its_name`.
///
/// # Errors
/// Every problem of every skill is a compile error at the directory, as with `skills!`.
///
/// ```ignore
/// // The directory belongs to the program, so the same code is run in `tests/all/derive.rs`.
/// /// The skills of this program.
/// #[derive(skills::Bundle)]
/// #[skills("skills/")]
/// pub struct MySkills;
///
/// fn main() {
///     assert!(MySkills.len() > 0);
///     println!("{}", MySkills.commit_message.body());
/// }
/// ```
#[proc_macro_derive(Bundle, attributes(skills))]
pub fn derive_bundle(input: TokenStream) -> TokenStream {
    skills_build::expand_derive(input.into(), &|span| span.unwrap().local_file()).into()
}
