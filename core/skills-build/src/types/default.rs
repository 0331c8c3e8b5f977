//! Generates Rust expressions for the defaults in a schema, and `Default` if every field has one.

use crate::shape::{Def, DefKind, Field, Presence, Shapes, Struct, TypeShape, Wire};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use skills_schema::json::{self, Kind as Json, Node};

use super::{ident, path};

/// Returns the expression of a default, or `None` if it is cheaper to parse its text at run time.
pub(super) fn literal(shape: &TypeShape, text: &str, shapes: &Shapes) -> Option<TokenStream> {
    expression(shape, &json::parse(text).ok()?, shapes)
}

fn expression(shape: &TypeShape, node: &Node, shapes: &Shapes) -> Option<TokenStream> {
    match (shape, &node.kind) {
        (TypeShape::Null, Json::Null) => Some(quote!(())),
        (TypeShape::Value, Json::Null) => Some(quote!(__p::Value::Null)),
        (TypeShape::Nullable(_), Json::Null) => Some(quote!(__p::None)),
        (TypeShape::Nullable(inner), _) => {
            let inner = expression(inner, node, shapes)?;
            Some(quote!(__p::Some(#inner)))
        }
        (TypeShape::Bool, Json::Bool(value)) => Some(quote!(#value)),
        (TypeShape::String, Json::String(text)) => Some(quote!(__p::String::from(#text))),
        (TypeShape::Formatted(format), Json::String(text)) => {
            let name = path::formatted(*format);
            Some(quote!(#name::from(#text)))
        }
        (TypeShape::Integer(_), Json::Number(text)) => {
            let value: i64 = text.parse().ok()?;
            let value = Literal::i64_unsuffixed(value);
            Some(quote!(#value))
        }
        (TypeShape::Number, Json::Number(text)) => {
            let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
            let value = Literal::f64_unsuffixed(value);
            Some(quote!(#value))
        }
        (TypeShape::Array(_), Json::Array(items)) if items.is_empty() => Some(quote!(__p::Vec::new())),
        (TypeShape::Array(item), Json::Array(items)) => {
            let items: Option<Vec<_>> = items.iter().map(|node| expression(item, node, shapes)).collect();
            let items = items?;
            Some(quote!(__p::Vec::from([#(#items),*])))
        }
        (TypeShape::Map(_), Json::Object(members)) if members.is_empty() => Some(quote!(__p::Map::new())),
        (TypeShape::Named(at), value) => {
            let def = shapes.defs.get(*at)?;
            let DefKind::Enum(variants) = &def.kind else { return None };
            let variant = variants.iter().find(|variant| match (&variant.wire, value) {
                (Wire::Text(text), Json::String(value)) => text == value,
                (Wire::Integer(wire), Json::Number(text)) => text.parse() == Ok(*wire),
                _ => false,
            })?;
            let (name, variant) = (ident(&def.name), ident(&variant.ident));
            Some(quote!(#name::#variant))
        }
        _ => None,
    }
}

/// Returns the implementation of `Default` if every field has a default. Otherwise, if the struct has fields
/// that a caller may leave out, returns the function `new`, whose parameters are the fields without a
/// default.
pub(super) fn of_struct(def: &Def, structure: &Struct, shapes: &Shapes) -> Option<TokenStream> {
    let name = ident(&def.name);
    let mut arguments = Vec::new();
    let mut fields = Vec::new();
    for field in &structure.fields {
        let ident = ident(&field.ident);
        match initial(field, shapes, 0) {
            Some(value) => fields.push(quote!(#ident: #value,)),
            None => {
                let shape = path::type_path(&field.shape, shapes);
                arguments.push(quote!(#ident: #shape));
                fields.push(quote!(#ident,));
            }
        }
    }
    let rest = structure.additional.as_ref().map(|(_, field)| {
        let field = ident(field);
        quote!(#field: __p::Map::new(),)
    });
    if arguments.is_empty() {
        return Some(quote! {
            #[automatically_derived]
            impl __p::Default for #name {
                fn default() -> Self {
                    Self { #(#fields)* #rest }
                }
            }
        });
    }
    let has_rest =
        rest.is_some() || structure.fields.iter().any(|field| field.presence != Presence::Required);
    has_rest.then(|| {
        let title = format!(
            " Creates the object from the properties that have no empty value. All others are absent, empty or have \
             the default of the schema. Set them in a struct literal that ends in `..{}::new(…)`.",
            def.name
        );
        quote! {
            impl #name {
                #[doc = #title]
                pub fn new(#(#arguments),*) -> Self {
                    Self { #(#fields)* #rest }
                }
            }
        }
    })
}

/// Returns `true` if the struct implements `Default`.
pub(super) fn is_made(structure: &Struct, shapes: &Shapes) -> bool {
    structure.fields.iter().all(|field| initial(field, shapes, 0).is_some())
}

/// Returns the default of a field, if it has one.
fn initial(field: &Field, shapes: &Shapes, depth: usize) -> Option<TokenStream> {
    match &field.presence {
        Presence::Optional => Some(quote!(__p::None)),
        Presence::Default(text) => literal(&field.shape, text, shapes),
        Presence::Required => empty(&field.shape, shapes, depth),
    }
}

/// Returns the empty value of a shape, if it has one.
fn empty(shape: &TypeShape, shapes: &Shapes, depth: usize) -> Option<TokenStream> {
    match shape {
        TypeShape::Value => Some(quote!(__p::Value::Null)),
        TypeShape::Null => Some(quote!(())),
        TypeShape::Bool => Some(quote!(false)),
        TypeShape::Integer(_) => Some(quote!(0)),
        TypeShape::Number => Some(quote!(0.0)),
        TypeShape::String => Some(quote!(__p::String::new())),
        TypeShape::Formatted(_) => Some(quote!(__p::Default::default())),
        TypeShape::Array(_) => Some(quote!(__p::Vec::new())),
        TypeShape::Map(_) => Some(quote!(__p::Map::new())),
        TypeShape::Nullable(_) => Some(quote!(__p::None)),
        TypeShape::Tuple(_) | TypeShape::Boxed(_) => None,
        TypeShape::Named(at) => {
            let def = shapes.defs.get(*at)?;
            let DefKind::Struct(structure) = &def.kind else { return None };
            let is_made = depth < 15
                && structure.fields.iter().all(|field| initial(field, shapes, depth + 1).is_some());
            is_made.then(|| quote!(__p::Default::default()))
        }
    }
}
