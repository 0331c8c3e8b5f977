//! Tests that generated code causes no lint, whether it comes from a build script or a macro, beside imports of the same
//! names.
#![deny(missing_docs, warnings, clippy::pedantic, clippy::nursery)]
#![deny(
    clippy::absolute_paths,
    clippy::exhaustive_structs,
    clippy::missing_trait_methods,
    clippy::single_char_lifetime_names
)]
#![deny(elided_lifetimes_in_paths, explicit_outlives_requirements, keyword_idents_2024, let_underscore_drop)]
#![deny(
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations
)]
#![deny(non_ascii_idents, redundant_imports, redundant_lifetimes, rust_2018_idioms, single_use_lifetimes)]
#![deny(trivial_casts, trivial_numeric_casts, unit_bindings, unnameable_types, unreachable_pub, unsafe_code)]
#![deny(unused_crate_dependencies, unused_import_braces, unused_lifetimes, unused_macro_rules)]
#![deny(unused_qualifications, unused_results, variant_size_differences)]

/// Code from a build script.
pub mod built {
    use skills::{Registry, Skill};

    skills::skills!("../functions");

    /// Returns the first skill.
    #[must_use]
    pub fn first(skills: &'static Registry) -> Option<Skill<'static>> {
        skills.iter().next()
    }
}
/// Code from the macro.
pub mod expanded {
    use skills::{Registry, Skill};

    skills::skills!("../notes");

    /// Returns the first skill.
    #[must_use]
    pub fn first(skills: &'static Registry) -> Option<Skill<'static>> {
        skills.iter().next()
    }
}
/// Code from the derive macro.
pub mod derived {
    use skills::{Bundle, Registry};

    /// The notes.
    #[derive(Bundle, Debug, Clone, Copy)]
    #[non_exhaustive]
    #[skills("../notes")]
    pub struct Notes;

    /// Returns the skills.
    #[must_use]
    pub fn registry() -> &'static Registry {
        &Notes
    }
}
