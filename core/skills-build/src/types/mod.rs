//! Generates Rust for the schemas of a skill: types, their conversion from and to JSON, and the tables that
//! check them.
//!
//! This module makes no decisions: `shape` chooses the types, and `skills_schema` checks the
//! values.

mod default;
mod enumeration;
mod path;
mod root;
mod structure;
#[cfg(test)]
mod tests;
mod union;
mod view;

use crate::shape::{Def, DefKind, Shapes, shapes};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use skills_core::catalog::Signature;
use skills_schema::{Document, Tables};

/// The generated types of a function.
pub(crate) struct Types {
    /// `Input`, `Output` and the types they contain.
    pub(crate) items: TokenStream,
    /// The implementations that let templates read the input, with names in `__c`.
    pub(crate) view: TokenStream,
}

/// Returns the items of a skill's module that depend on its schemas.
pub(crate) fn types(signature: &Signature) -> Types {
    let sources = [
        ("Input", "input", &signature.input, &signature.input_tables),
        ("Output", "output", &signature.output, &signature.output_tables),
    ];
    let shapes = shapes_of(&sources);
    let items = generate(&sources, &shapes);
    let view = shapes.first().map(|shapes| view::items("Input", shapes)).unwrap_or_default();
    let items = quote! {
        super::__skills::__private::typed! {
            use super::__skills::__private::p as __p;
            #items
        }
    };
    Types { items, view }
}

/// A schema: the name of its type, the word for it in documentation, the schema itself, and its tables.
type Source<'s> = (&'s str, &'s str, &'s Document, &'s Tables);

fn shapes_of(sources: &[Source<'_>]) -> Vec<Shapes> {
    let named: Vec<(&str, &Document)> =
        sources.iter().map(|(name, _, document, _)| (*name, *document)).collect();
    shapes(&named)
}

fn generate(sources: &[Source<'_>], all: &[Shapes]) -> TokenStream {
    let types = sources.iter().zip(all).map(|((name, word, document, tables), shapes)| {
        let defs = shapes.defs.iter().map(|def| item(def, shapes));
        let root = root::items(name, word, document.text(), tables, shapes);
        quote!(#(#defs)* #root)
    });
    quote!(#(#types)*)
}

fn item(def: &Def, shapes: &Shapes) -> TokenStream {
    match &def.kind {
        DefKind::Struct(structure) => structure::items(def, structure, shapes),
        DefKind::Enum(variants) => enumeration::items(def, variants),
        DefKind::Union(union) => union::items(def, union, shapes),
    }
}

/// Returns the implementations that read and write a type: `decode` is an expression over `slot`, and `encode`
/// statements over `out`.
fn codec(name: &Ident, decode: &TokenStream, encode: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __p::Decode for #name {
            fn decode(slot: __p::Slot<'_>) -> __p::Decoding<Self> {
                #decode
            }
        }
        #[automatically_derived]
        impl __p::Encode for #name {
            fn encode(&self, out: &mut __p::Writer) {
                #encode
            }
        }
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns the documentation of an item: the description in the schema, or else a default text.
fn doc(description: &str, otherwise: &str) -> TokenStream {
    let paragraphs =
        description.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let paragraphs: Vec<String> = paragraphs
        .filter(|part| !part.is_empty())
        .map(|part| crate::generate::documentation::literal(&part))
        .collect();
    let text = if paragraphs.is_empty() { format!(" {otherwise}") } else { paragraphs.join("\n\n") };
    quote!(#[doc = #text])
}
