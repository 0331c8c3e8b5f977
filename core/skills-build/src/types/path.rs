//! Generates the Rust type of a field from its shape.

use crate::shape::{Shapes, TypeShape, TypedFormat};
use proc_macro2::TokenStream;
use quote::quote;

use super::ident;

/// Returns the type of a shape.
pub(super) fn type_path(shape: &TypeShape, shapes: &Shapes) -> TokenStream {
    match shape {
        TypeShape::Value => quote!(__p::Value),
        TypeShape::Null => quote!(()),
        TypeShape::Bool => quote!(__p::bool),
        TypeShape::Integer(width) => {
            let name = ident(&format!("{width:?}").to_lowercase());
            quote!(__p::#name)
        }
        TypeShape::Number => quote!(__p::f64),
        TypeShape::String => quote!(__p::String),
        TypeShape::Formatted(format) => formatted(*format),
        TypeShape::Array(item) => {
            let item = type_path(item, shapes);
            quote!(__p::Vec<#item>)
        }
        TypeShape::Tuple(items) => {
            let items = items.iter().map(|item| type_path(item, shapes));
            quote!((#(#items,)*))
        }
        TypeShape::Map(item) => {
            let item = type_path(item, shapes);
            quote!(__p::Map<#item>)
        }
        TypeShape::Nullable(inner) => {
            let inner = type_path(inner, shapes);
            quote!(__p::Option<#inner>)
        }
        TypeShape::Named(at) => named(*at, shapes),
        TypeShape::Boxed(at) => {
            let inner = named(*at, shapes);
            quote!(__p::Box<#inner>)
        }
    }
}

/// Returns the type of strings with a format, which all skills share.
pub(super) fn formatted(format: TypedFormat) -> TokenStream {
    let name = ident(&format!("{format:?}"));
    quote!(__p::format::#name)
}

fn named(at: usize, shapes: &Shapes) -> TokenStream {
    match shapes.defs.get(at) {
        Some(def) => {
            let name = ident(&def.name);
            quote!(#name)
        }
        None => quote!(__p::Value),
    }
}
