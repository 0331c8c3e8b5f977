//! Turns problems into tokens that rustc reports at a span.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::arguments::ArgumentError;

/// Returns a `compile_error!` at a span.
///
/// All its tokens have this span, since rustc uses their spans for the error.
pub(super) fn error(text: &str, span: Span) -> TokenStream {
    let text = text.trim_end();
    respan(quote!(__skills::__private::core::compile_error! { #text }), span)
}

/// Orders errors so that rustc shows them in the given order.
///
/// rustc expands macros that are named through an import after all others, in reverse order.
pub(super) fn errors<'a>(texts: impl DoubleEndedIterator<Item = &'a str>, span: Span) -> TokenStream {
    texts.rev().map(|text| error(text, span)).collect()
}

/// Returns the errors in arguments, each made by [`error`] or [`bare_error`].
pub(super) fn argument_errors(errors: &[ArgumentError], error: fn(&str, Span) -> TokenStream) -> TokenStream {
    errors.iter().map(|wrong| error(&wrong.text, wrong.span)).collect()
}

/// Returns a `compile_error!` for use when the path of the facade is unknown.
pub(super) fn bare_error(text: &str, span: Span) -> TokenStream {
    respan(quote!(::core::compile_error! { #text }), span)
}

/// Returns code that makes rustc print a warning with this text, by using a deprecated item.
pub(super) fn warning(code: &str, text: &str, span: Span) -> TokenStream {
    let name = Ident::new(&code.replace('-', "_"), span);
    let text = text.trim_end();
    let item = quote! {
        const _: () = {
            #[deprecated(note = #text)]
            #[allow(non_upper_case_globals)]
            const #name: () = ();
            let _ = #name;
        };
    };
    respan(item, span)
}

fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = TokenTree::Group(Group::new(group.delimiter(), respan(group.stream(), span)));
            }
            token.set_span(span);
            token
        })
        .collect()
}
