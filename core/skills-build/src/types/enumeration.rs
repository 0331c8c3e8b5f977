//! Generates an enum for a list of strings or integers.

use crate::shape::{Def, Variant, Wire};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{codec, doc, ident};

/// Returns the enum, and the code for reading and writing it.
pub(super) fn items(def: &Def, variants: &[Variant]) -> TokenStream {
    let name = ident(&def.name);
    let title = doc(&def.doc, "One of a few values.");
    let idents: Vec<_> = variants.iter().map(|variant| ident(&variant.ident)).collect();
    let declared = variants.iter().zip(&idents).map(|(variant, ident)| {
        let title = match &variant.wire {
            Wire::Text(text) => doc(&variant.doc, &format!("`{}`", text.replace('`', "'").escape_debug())),
            Wire::Integer(value) => doc(&variant.doc, &format!("`{value}`")),
        };
        quote!(#title #ident,)
    });
    let is_text = variants.iter().all(|variant| matches!(variant.wire, Wire::Text(_)));
    let values = variants.iter().map(|variant| match &variant.wire {
        Wire::Text(text) => quote!(#text),
        Wire::Integer(value) => {
            let value = Literal::i64_unsuffixed(*value);
            quote!(#value)
        }
    });
    let count = variants.len();
    let (kind, function, summary, found) = match is_text {
        true => (
            quote!(&'static __p::str),
            quote!(as_str),
            " Returns the string used in JSON.",
            quote!(slot.position(&Self::__VALUES)),
        ),
        false => (
            quote!(__p::i64),
            quote!(value),
            " Returns the number used in JSON.",
            quote!(__p::place(slot, &Self::__VALUES)),
        ),
    };
    let decode = quote! {
        match #found {
            __p::Some(at) => __p::Ok(Self::__ALL[at]),
            __p::None => __p::variant(__p::None, slot),
        }
    };
    let codec = codec(&name, &decode, &quote!(__p::Encode::encode(&self.#function(), out);));
    quote! {
        #title
        #[derive(__p::Debug, __p::Clone, __p::Copy, __p::PartialEq, __p::Eq)]
        pub enum #name { #(#declared)* }
        impl #name {
            const __VALUES: [#kind; #count] = [#(#values),*];
            const __ALL: [Self; #count] = [#(Self::#idents),*];
            #[doc = #summary]
            pub const fn #function(self) -> #kind {
                Self::__VALUES[self as __p::usize]
            }
        }
        #codec
    }
}
