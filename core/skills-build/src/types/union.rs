//! Generates an enum for a value with one of several shapes.

use crate::shape::{Def, Shapes, Sign, Union};
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
        let inner = path::of(&arm.shape, shapes);
        quote!(#title #ident(#inner),)
    });
    let signs = union.arms.iter().map(|arm| match &arm.sign {
        Sign::Tag(value) => quote!(__p::Some(#value)),
        Sign::Kind(kind) => {
            let kind = ident(&format!("{kind:?}"));
            quote!(__p::Kind::#kind)
        }
    });
    let sign = match &union.tag {
        Some(tag) => quote!(__p::tag(slot, #tag)),
        None => quote!(slot.kind()),
    };
    let decode = quote! {
        match #sign {
            #(#signs => __p::Ok(Self::#idents(__p::Decode::decode(slot)?)),)*
            _ => __p::variant(__p::None, slot),
        }
    };
    let encode = quote!(match self { #(Self::#idents(value) => __p::Encode::encode(value, out),)* });
    let codec = codec(&name, &decode, &encode);
    quote! {
        #title
        #[derive(__p::Debug, __p::Clone, __p::PartialEq)]
        pub enum #name { #(#declared)* }
        #codec
    }
}
