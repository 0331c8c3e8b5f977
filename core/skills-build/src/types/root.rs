//! Generates the type of a whole schema: its tables, its text, and its conversion from and to JSON.

use crate::shape::Shapes;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use skills_schema::Tables;

use super::{codec, ident, path};

/// Returns the items for the root, including a wrapper type if the value has no named type.
pub(super) fn items(name: &str, word: &str, schema: &str, tables: &Tables, shapes: &Shapes) -> TokenStream {
    let wrapper = (!shapes.names_root(name)).then(|| wrap(name, word, shapes));
    let (words, text) = tables.parts();
    let words = words.iter().map(|word| Literal::u32_unsuffixed(*word));
    let ident = ident(name);
    let constant = super::ident(&format!("__{}", name.to_uppercase()));
    let summary = format!(" Returns the JSON Schema of the {word}.");
    let read = format!(" Reads the {word} from JSON text and checks it against its schema.");
    let lenient = format!(
        " Reads the {word} as [`from_json`](Self::from_json) does, but repairs what models get wrong: `null` for an \
         absent property, `\"3\"` for 3, `\"true\"` for true, JSON text for an array or object. Returns the list of repairs, too."
    );
    let write = format!(" Writes the {word} as JSON text.");
    quote! {
        #wrapper
        #[doc(hidden)]
        pub static #constant: __p::Checker = __p::Checker::from_static(&[#(#words),*], #text);
        impl #ident {
            #[doc = #summary]
            pub const fn schema() -> &'static __p::str {
                #schema
            }
            #[doc = #read]
            ///
            /// # Errors
            /// If the text is not JSON, or breaks rules of the schema. The error lists all of them with their
            /// positions.
            pub fn from_json(text: &__p::str) -> __p::Result<Self, __p::Invalid> {
                __p::from_json(&#constant, text)
            }
            #[doc = #lenient]
            ///
            /// # Errors
            /// If the text is not JSON, or breaks rules of the schema after all repairs.
            pub fn from_json_lenient(text: &__p::str) -> __p::Result<(Self, __p::Vec<__p::Repair>), __p::Invalid> {
                let repaired = __p::repair(&#constant, text)?;
                __p::Ok((Self::from_json(&repaired.text)?, repaired.repairs))
            }
            #[doc = #write]
            pub fn to_json(&self) -> __p::String {
                __p::to_json(self)
            }
        }
        __p::serde_impls!(#ident, #constant);
    }
}

fn wrap(name: &str, word: &str, shapes: &Shapes) -> TokenStream {
    let ident = ident(name);
    let inner = path::type_path(&shapes.root, shapes);
    let title = format!(" The {word}.");
    let decode = quote!(__p::Ok(Self(__p::Decode::decode(slot)?)));
    let codec = codec(&ident, &decode, &quote!(__p::Encode::encode(&self.0, out);));
    quote! {
        #[doc = #title]
        #[derive(__p::Debug, __p::Clone, __p::PartialEq)]
        pub struct #ident(
            /// The value.
            pub #inner,
        );
        #codec
    }
}
