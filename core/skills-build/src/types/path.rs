//! Generates the Rust type of a field from its shape.

use crate::shape::{Format, Shape, Shapes};
use proc_macro2::TokenStream;
use quote::quote;

use super::ident;

/// Returns the type of a shape.
pub(super) fn of(shape: &Shape, shapes: &Shapes) -> TokenStream {
    match shape {
        Shape::Value => quote!(__p::Value),
        Shape::Null => quote!(()),
        Shape::Bool => quote!(__p::bool),
        Shape::Integer(width) => {
            let name = ident(&format!("{width:?}").to_lowercase());
            quote!(__p::#name)
        }
        Shape::Number => quote!(__p::f64),
        Shape::String => quote!(__p::String),
        Shape::Formatted(format) => formatted(*format),
        Shape::Array(item) => {
            let item = of(item, shapes);
            quote!(__p::Vec<#item>)
        }
        Shape::Tuple(items) => {
            let items = items.iter().map(|item| of(item, shapes));
            quote!((#(#items,)*))
        }
        Shape::Map(item) => {
            let item = of(item, shapes);
            quote!(__p::Map<#item>)
        }
        Shape::Nullable(inner) => {
            let inner = of(inner, shapes);
            quote!(__p::Option<#inner>)
        }
        Shape::Named(at) => named(*at, shapes),
        Shape::Boxed(at) => {
            let inner = named(*at, shapes);
            quote!(__p::Box<#inner>)
        }
    }
}

/// Returns the type of strings with a format, which all skills share.
pub(super) fn formatted(format: Format) -> TokenStream {
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
