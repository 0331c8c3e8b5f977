//! Generates from a [`Catalog`] the module that `skills!` expands to: static tables, `SKILLS` with a
//! field for each skill, and a module for each that is a function.
//!
//! Generation fails only if the skills are too large. All names go through `__skills`, which the macro binds
//! to the facade.

#[cfg(feature = "typed")]
mod call;
pub(crate) mod documentation;
pub(crate) mod module;
mod registry;
#[cfg(test)]
pub(crate) mod tests;

use std::path::Path;

#[cfg(feature = "typed")]
pub use call::host_stub;
use proc_macro2::TokenStream;
use quote::quote;
use skills_core::catalog::Catalog;
use skills_core::lower::{self, Digest};
use skills_registry::{Layout, Parts, TooLarge, write};

/// Where the bytes of the skills are stored.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// In files beside the generated one, with this stem and the endings `.bytes` and `.rows`.
    Files(&'a str),
    /// In the code itself. The skills' files are included one by one from this directory.
    Inline(&'a Path),
}

/// The facts about the program that its registry has.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its version.
    pub version: Option<String>,
    /// The command that prints a skill.
    pub stub: Option<String>,
}

/// A generated module, and the files it includes.
#[derive(Debug)]
pub struct Code {
    /// The items of the module, in order.
    pub items: Vec<TokenStream>,
    /// The tables that [`Form::Files`] needs beside the module.
    pub parts: Parts,
}

/// Returns the attribute that turns off lints for the module with the generated items, because users cannot edit the
/// generated code to satisfy them. `missing_docs` and `missing_debug_implementations` stay on, because the items satisfy them.
pub(crate) fn allowances() -> TokenStream {
    quote! {
        #[allow(
            dead_code,
            missing_copy_implementations,
            non_camel_case_types,
            single_use_lifetimes,
            unnameable_types,
            unreachable_pub,
            unused_imports,
            unused_lifetimes,
            unused_qualifications,
            unused_results,
            variant_size_differences,
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            clippy::restriction
        )]
    }
}

/// Turns a catalog into Rust.
///
/// `digest` returns the SHA-256 of a file, see [`Digest`]; `label` names the directory in the documentation;
/// each prompt that is rendered at compile time has at most `budget` tokens.
///
/// # Errors
/// [`TooLarge`] when the skills have more than 4 GiB.
pub fn generate(
    catalog: &Catalog,
    label: &str,
    form: Form<'_>,
    program: &Program,
    budget: usize,
    digest: &mut Digest<'_>,
) -> Result<Code, TooLarge> {
    let compiled = lower::compile_bundled(catalog, digest);
    let layout = if matches!(form, Form::Files(_)) { Layout::Joined } else { Layout::Separate };
    let parts = write(&compiled, layout, budget)?.digested(&lower::bundle_digest(&compiled));
    let parts = parts.with_program(program.version.as_deref(), program.stub.as_deref())?;
    let (tables, parts) = match form {
        Form::Files(stem) => (registry::included(stem), parts),
        Form::Inline(root) => (registry::inline(root, catalog.skills(), &compiled, &parts), Parts::default()),
    };
    let mut items = registry::items(label, &tables, catalog.skills());
    let functions = catalog.skills().iter().filter_map(|skill| Some((skill, skill.signature.as_ref()?)));
    items.extend(functions.map(|(skill, signature)| module::function_module(skill, signature)));
    items.push(module::exports(catalog.skills()));
    #[cfg(feature = "typed")]
    items.push(call::bundle_support(label, catalog.skills()));
    Ok(Code { items, parts })
}
