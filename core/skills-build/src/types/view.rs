//! Generates the code with which templates read the types of an input: fields are borrowed, nothing is
//! written or parsed.

use crate::shape::{Def, DefKind, Presence, Shapes, Struct, Wire};
use proc_macro2::TokenStream;
use quote::quote;

use super::ident;
use super::structure::fixed;

/// Returns `Typed` for all types of a schema, with names in `__c`.
pub(super) fn items(name: &str, shapes: &Shapes) -> TokenStream {
    let defs = shapes.defs.iter().map(view);
    let wrapper = (!shapes.names_root(name)).then(|| plain(name, quote!(__c::Plain::Value(&self.0))));
    quote!(#(#defs)* #wrapper)
}

fn view(def: &Def) -> TokenStream {
    match &def.kind {
        DefKind::Struct(structure) => {
            let name = ident(&def.name);
            let always = structure.fixed.iter().map(|(wire, value)| (wire, fixed(value)));
            let always = always.map(|(wire, value)| quote!(visit(#wire, #value);));
            let fields = structure.fields.iter().map(|field| {
                let (wire, name) = (field.wire.as_str(), ident(&field.ident));
                match field.presence {
                    Presence::Optional => {
                        quote!(if let __c::Some(value) = &self.#name { visit(#wire, value); })
                    }
                    Presence::Required | Presence::Default(_) => quote!(visit(#wire, &self.#name);),
                }
            });
            let rest = structure.additional.as_ref().map(|(_, field)| {
                let field = ident(field);
                quote!(for (key, value) in &self.#field { visit(key, value); })
            });
            let member = member(structure);
            quote! {
                #[automatically_derived]
                impl __c::Typed for #name {
                    fn members<'a>(&'a self, visit: &mut dyn __c::FnMut(&'a __c::str, &'a dyn __c::Json)) {
                        #(#always)*
                        #(#fields)*
                        #rest
                    }
                    #member
                }
            }
        }
        DefKind::Enum(variants) => {
            let is_text = variants.iter().all(|variant| matches!(variant.wire, Wire::Text(_)));
            let shape = match is_text {
                true => quote!(__c::Shape::String(self.as_str())),
                false => quote!(__c::Shape::Number(__c::Number::Int(self.value()))),
            };
            plain(&def.name, quote!(__c::Plain::Is(#shape)))
        }
        DefKind::Union(union) => {
            let arms = union.arms.iter().map(|arm| ident(&arm.ident));
            plain(
                &def.name,
                quote!(__c::Plain::Value(match self { #(Self::#arms(value) => value as &dyn __c::Json,)* })),
            )
        }
    }
}

/// Returns the look-up of one member, so that a path does not visit all of them. Returns `None` for a struct
/// without fields.
fn member(structure: &Struct) -> Option<TokenStream> {
    // If two members have the same key, the last one counts. Members without a field of their own come after
    // the fields.
    let rest = structure.additional.as_ref().map(|(_, field)| {
        let field = ident(field);
        quote! {
            if let __c::Some(value) = self.#field.get(key) {
                return __c::Some(value);
            }
        }
    });
    let fields = structure.fields.iter().map(|field| {
        let (wire, name) = (field.wire.as_str(), ident(&field.ident));
        match field.presence {
            Presence::Optional => quote!(#wire => match &self.#name {
                __c::Some(value) => __c::Some(value),
                __c::None => __c::None,
            },),
            Presence::Required | Presence::Default(_) => quote!(#wire => __c::Some(&self.#name),),
        }
    });
    let always = structure.fixed.iter().map(|(wire, value)| (wire, fixed(value)));
    let always = always.map(|(wire, value)| quote!(#wire => __c::Some(#value),));
    let fields: Vec<TokenStream> = always.chain(fields).collect();
    (!fields.is_empty()).then(|| {
        quote! {
            fn member(&self, key: &__c::str) -> __c::Option<&dyn __c::Json> {
                #rest
                match key {
                    #(#fields)*
                    _ => __c::None,
                }
            }
        }
    })
}

fn plain(name: &str, value: TokenStream) -> TokenStream {
    let name = ident(name);
    quote! {
        #[automatically_derived]
        impl __c::Typed for #name {
            fn plain(&self) -> __c::Option<__c::Plain<'_>> {
                __c::Some(#value)
            }
        }
    }
}
