//! Generates a struct for an object with known properties.

use crate::shape::{Def, Field, Presence, Shapes, Struct, Wire};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{codec, default, doc, ident, path};

/// Returns the struct, and the code for reading, writing and creating it.
pub(super) fn items(def: &Def, structure: &Struct, shapes: &Shapes) -> TokenStream {
    let name = ident(&def.name);
    let title = doc(&def.doc, &format!("An object; its keys are the fields of `{}`.", def.name));
    let fields = structure.fields.iter().map(|field| declare(field, shapes));
    let names = structure.fields.iter().map(|field| field.wire.as_str());
    let wires = names.chain(structure.fixed.iter().map(|(wire, _)| wire.as_str()));
    let slots: Vec<_> = (0..structure.fields.len()).map(|at| ident(&format!("slot_{at}"))).collect();
    let reads = structure.fields.iter().zip(&slots).map(|(field, slot)| read(field, slot, shapes));
    let ignored = structure.fixed.iter().map(|_| quote!(_));
    let taken_from: Vec<TokenStream> = slots.iter().map(|slot| quote!(#slot)).chain(ignored).collect();
    let writes_fixed = structure.fixed.iter().map(|(wire, value)| {
        let value = fixed(value);
        quote!(out.member(#wire, #value);)
    });
    let writes = writes_fixed.chain(structure.fields.iter().map(write));
    let rest = structure.additional.as_ref().map(|(shape, field)| {
        let field = ident(field);
        let item = path::type_path(shape, shapes);
        let base = match default::is_made(structure, shapes) {
            true => "..Default::default()".to_owned(),
            false => format!("..{name}::new(…)"),
        };
        let title = format!(
            " Properties that the schema does not name. A struct literal that ends in `{base}` has none."
        );
        (
            quote!(
                #[doc = #title]
                pub #field: __p::Map<#item>,
            ),
            quote!(#field: __p::rest(slot, NAMES)?,),
            quote!(for (key, value) in &self.#field { out.member(key, value); }),
        )
    });
    let (declared, taken, given) = rest.unwrap_or_default();
    let made = default::of_struct(def, structure, shapes);
    let count = taken_from.len();
    let decode = quote! {
        const NAMES: &[&__p::str; #count] = &[#(#wires),*];
        let [#(#taken_from),*] = slot.fields(NAMES);
        __p::Ok(Self { #(#reads)* #taken })
    };
    let encode = quote! {
        out.open();
        #(#writes)*
        #given
        out.close();
    };
    let codec = codec(&name, &decode, &encode);
    quote! {
        #title
        #[derive(__p::Debug, __p::Clone, __p::PartialEq)]
        pub struct #name { #(#fields)* #declared }
        #codec
        #made
    }
}

fn declare(field: &Field, shapes: &Shapes) -> TokenStream {
    let name = ident(&field.ident);
    let title = doc(&field.doc, &format!("The property `{}`.", field.wire.replace('`', "'")));
    let inner = path::type_path(&field.shape, shapes);
    match field.presence {
        Presence::Optional => quote!(#title pub #name: __p::Option<#inner>,),
        Presence::Required | Presence::Default(_) => quote!(#title pub #name: #inner,),
    }
}

fn read(field: &Field, slot: &proc_macro2::Ident, shapes: &Shapes) -> TokenStream {
    let name = ident(&field.ident);
    let wire = field.wire.as_str();
    match &field.presence {
        Presence::Required => quote!(#name: __p::required(#slot, #wire)?,),
        Presence::Optional => quote!(#name: __p::optional(#slot, #wire)?,),
        Presence::Default(text) => match default::literal(&field.shape, text, shapes) {
            Some(value) => quote! {
                #name: match __p::optional(#slot, #wire)? {
                    __p::Some(value) => value,
                    __p::None => #value,
                },
            },
            None => quote!(#name: __p::or_text(#slot, #wire, #text)?,),
        },
    }
}

fn write(field: &Field) -> TokenStream {
    let name = ident(&field.ident);
    let wire = field.wire.as_str();
    match field.presence {
        Presence::Optional => quote!(if let __p::Some(value) = &self.#name { out.member(#wire, value); }),
        Presence::Required | Presence::Default(_) => quote!(out.member(#wire, &self.#name);),
    }
}

/// Returns a reference to the value of a property with a constant value.
pub(super) fn fixed(value: &Wire) -> TokenStream {
    match value {
        Wire::Text(text) => quote!(&#text),
        Wire::Integer(value) => {
            let value = Literal::i64_suffixed(*value);
            quote!(&#value)
        }
    }
}
