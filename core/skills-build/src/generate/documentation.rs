//! Generates documentation: from the descriptions of skills, and from their texts for documentation tests.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::Catalog;
use skills_core::markdown::Markdown;
use skills_core::options::Options;
use std::path::Path;

/// Returns Markdown that shows the description literally, without links, tags or code.
pub(crate) fn literal(description: &str) -> String {
    let mut text = String::with_capacity(description.len() + 2);
    text.push(' ');
    for character in description.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~') {
            text.push('\\');
        }
        text.push(if matches!(character, '\n' | '\r') { ' ' } else { character });
    }
    text.replace("://", "\\://")
}

/// Returns a module that exists only in documentation tests; `None` if the option is not set or no text has Rust blocks.
pub(crate) fn doctests(catalog: &Catalog, root: &Path, options: &Options) -> Option<TokenStream> {
    if !options.doctest {
        return None;
    }
    let mut modules = Vec::new();
    for skill in catalog.skills() {
        let texts = skill.files.iter().filter(|file| file.path.ends_with(".md") && file.path != "prompt.md");
        for (number, file) in texts.enumerate() {
            let text = std::str::from_utf8(file.bytes(catalog.sources())).unwrap_or_default();
            if !Markdown::parse(text).has_rust() {
                continue;
            }
            let path = Literal::string(&skill.disk_path(root, &file.path).to_string_lossy());
            let name =
                Ident::new(&format!("skill_{}_{number}", skill.name.replace('-', "_")), Span::call_site());
            // rustc reads the value of an attribute before it resolves names that come from the facade.
            modules.push(quote! {
                #[doc = ::core::include_str!(#path)]
                mod #name {}
            });
        }
    }
    (!modules.is_empty()).then(|| {
        quote! {
            #[cfg(doctest)]
            #[doc(hidden)]
            mod __skills_doctests {
                #(#modules)*
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_not_markup() {
        assert_eq!(literal("a [b] <c>\n`d` https://e"), r" a \[b\] \<c\> \`d\` https\://e");
    }
}
