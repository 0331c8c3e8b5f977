//! Generates an enum for a value with one of several shapes.

use crate::shape::{Def, Keys, Shapes, Sign, Union, ValueType};
use proc_macro2::TokenStream;
use quote::quote;

use super::{codec, doc, ident, path};

/// Returns the enum, and the code for reading and writing it.
pub(super) fn items(def: &Def, union: &Union, shapes: &Shapes) -> TokenStream {
    let name = ident(&def.name);
    let title = doc(&def.doc, "One of several types.");
    let idents: Vec<_> = union.arms.iter().map(|arm| ident(&arm.ident)).collect();
    let declared = union.arms.iter().zip(&idents).map(|(arm, ident)| {
        let title = doc(&arm.doc, &format!("The value is of the type `{}`.", arm.ident));
        let inner = path::type_path(&arm.shape, shapes);
        quote!(#title #ident(#inner),)
    });
    let is_by_keys = union.arms.iter().any(|arm| matches!(arm.sign, Sign::Keys(_)));
    let decode = if is_by_keys { by_keys(union) } else { by_sign(union) };
    let encode = quote!(match self { #(Self::#idents(value) => __p::Encode::encode(value, out),)* });
    let codec = codec(&name, &decode, &encode);
    quote! {
        #title
        #[derive(__p::Debug, __p::Clone, __p::PartialEq)]
        pub enum #name { #(#declared)* }
        #codec
    }
}

/// Returns the code that chooses an arm by the JSON type or by the tag.
fn by_sign(union: &Union) -> TokenStream {
    let arms = union.arms.iter().filter_map(|arm| {
        let name = ident(&arm.ident);
        let sign = match &arm.sign {
            Sign::Tag(value) => quote!(__p::Some(#value)),
            Sign::Kind(kind) => kind_of(*kind),
            Sign::Keys(_) => return None,
        };
        Some(quote!(#sign => __p::Ok(Self::#name(__p::Decode::decode(slot)?)),))
    });
    let sign = match &union.tag {
        Some(tag) => quote!(__p::tag(slot, #tag)),
        None => quote!(slot.kind()),
    };
    quote! {
        match #sign {
            #(#arms)*
            _ => __p::variant(__p::None, slot),
        }
    }
}

/// Returns the code that chooses the first arm whose properties fit and whose type can hold the value.
fn by_keys(union: &Union) -> TokenStream {
    let arms = union.arms.iter().map(|arm| {
        let name = ident(&arm.ident);
        let fits = match &arm.sign {
            Sign::Keys(Keys { required, fixed, known }) => {
                let fixed = fixed.iter().map(|(key, value)| quote!((#key, #value)));
                let known = match known {
                    Some(known) => quote!(__p::Some(&[#(#known),*])),
                    None => quote!(__p::None),
                };
                quote!(__p::has_keys(slot, &[#(#required),*], &[#(#fixed),*], #known))
            }
            Sign::Kind(kind) => {
                let kind = kind_of(*kind);
                quote!(slot.kind() == #kind)
            }
            Sign::Tag(_) => quote!(true),
        };
        quote! {
            if #fits {
                if let __p::Ok(value) = __p::Decode::decode(slot) {
                    return __p::Ok(Self::#name(value));
                }
            }
        }
    });
    quote! {
        #(#arms)*
        __p::variant(__p::None, slot)
    }
}

fn kind_of(kind: ValueType) -> TokenStream {
    let kind = ident(&format!("{kind:?}"));
    quote!(__p::ValueType::#kind)
}
