//! Generates the static registry of a bundle, and the unit type `SKILLS` that dereferences to it.

use std::path::Path;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::CatalogSkill;
use skills_registry::{CompiledSkill, Parts};

use super::documentation;

/// Returns tables that are stored in files beside the generated one.
pub(super) fn included(stem: &str) -> TokenStream {
    let [bytes, rows] = ["bytes", "rows"].map(|ending| format!("{stem}.{ending}"));
    quote! {
        &[__skills::__private::core::include_bytes!(#bytes)],
        __skills::__private::core::include_bytes!(#rows),
    }
}

/// Returns the tables as literals. The files of the skills are included one by one, so that rustc watches
/// them.
///
/// A macro of the facade expands to the inclusions. This way the procedural macro, which runs unoptimised,
/// creates fewer tokens.
pub(super) fn inline(
    root: &Path,
    skills: &[CatalogSkill],
    compiled: &[CompiledSkill<'_>],
    parts: &Parts,
) -> TokenStream {
    let files = skills.iter().zip(compiled).flat_map(|(skill, compiled)| {
        compiled.files.iter().map(move |file| {
            let path = skill.disk_path(root, file.path);
            (skill, file, Literal::string(&path.to_string_lossy()))
        })
    });
    let [bytes, rows] = [&parts.bytes, &parts.rows].map(|bytes| Literal::byte_string(bytes));
    if !skills.iter().any(|skill| skill.has_program_version) {
        let files = files.map(|(.., path)| path);
        return quote!(__skills::__private::pieces!(#bytes #(#files)*), #rows);
    }
    let pieces = files.map(|(skill, file, path)| {
        if !skill.has_program_version || file.path != "SKILL.md" {
            return quote!(__skills::__private::core::include_bytes!(#path));
        }
        // The file on disk differs from the bundled one, and is only watched.
        let filled = Literal::byte_string(file.bytes);
        quote!({
            const _: &[u8] = __skills::__private::core::include_bytes!(#path);
            #filled
        })
    });
    quote!(&[#bytes, #(#pieces),*], #rows)
}

/// Returns the name under which the skills are installed: the name of the package. If the directory is not
/// `skills`, the name of the directory is added, since a package may have several bundles.
fn id(label: &str) -> TokenStream {
    let package = quote!(__skills::__private::core::env!("CARGO_PKG_NAME"));
    if label == "skills" {
        return package;
    }
    let is_absolute = Path::new(label).is_absolute();
    let name = label.rsplit('/').next().filter(|_| is_absolute).unwrap_or(label);
    quote!(__skills::__private::core::concat!(#package, ":", #name))
}

/// Returns `SKILLS`, its type, and the registry it dereferences to.
///
/// Each skill is a field of `SKILLS`. 5,000 fields take 0.1 s to compile; 5,000 modules with a function each
/// take 0.5 s.
pub(super) fn items(label: &str, tables: &TokenStream, skills: &[CatalogSkill]) -> Vec<TokenStream> {
    let title =
        format!(" The skills of `{label}`: each is a field, and `SKILLS` dereferences to a `Registry`.");
    let names: Vec<Ident> = skills.iter().map(|skill| Ident::new(&skill.ident, Span::call_site())).collect();
    let descriptions = skills.iter().map(|skill| documentation::literal(&skill.description));
    #[cfg(feature = "typed")]
    let functions = super::call::functions_method();
    #[cfg(not(feature = "typed"))]
    let functions = TokenStream::new();
    let rows = (0_u32..).map(Literal::u32_unsuffixed);
    let id = id(label);
    vec![
        quote! {
            #[doc = #title]
            pub static SKILLS: Bundle = Bundle {
                __private: (),
                #(#names: __SKILLS.row(#rows),)*
            };
        },
        quote! {
            /// The type of [`SKILLS`].
            pub struct Bundle {
                __private: (),
                #(#[doc = #descriptions] pub #names: __skills::__private::Skill<'static>,)*
            }
        },
        quote! {
            #[doc(hidden)]
            static __SKILLS: __skills::__private::Registry =
                __skills::__private::Registry::new(__skills::__private::Tables::fixed(#tables));
        },
        quote! {
            #[automatically_derived]
            impl __skills::__private::core::ops::Deref for Bundle {
                type Target = __skills::__private::Registry;
                #[inline]
                fn deref(&self) -> &__skills::__private::Registry {
                    &__SKILLS
                }
            }
        },
        quote! {
            #[automatically_derived]
            impl __skills::__private::__Generated for Bundle {}
            #[automatically_derived]
            impl __skills::__private::Bundle for Bundle {
                fn registry(&'static self) -> &'static __skills::__private::Registry {
                    &__SKILLS
                }
                fn package(&'static self) -> &'static __skills::__private::core::primitive::str {
                    __skills::__private::core::env!("CARGO_PKG_NAME")
                }
                #functions
            }
        },
        quote!(__skills::__private::installing! { Bundle #id }),
        quote! {
            #[automatically_derived]
            impl __skills::__private::core::fmt::Debug for Bundle {
                fn fmt(
                    &self,
                    formatter: &mut __skills::__private::core::fmt::Formatter<'_>,
                ) -> __skills::__private::core::fmt::Result {
                    __skills::__private::core::fmt::Debug::fmt(&__SKILLS, formatter)
                }
            }
        },
    ]
}
