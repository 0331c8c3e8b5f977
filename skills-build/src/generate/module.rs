//! The module of one skill: for now its handle, later its typed input and output.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::Skill;

use crate::types;

/// Returns the module of the skill in a row of the registry; its name hides nothing that the code around it needs.
///
/// It holds one item: at 5,000 skills each more costs a build about 0.3 s.
pub(super) fn item(row: u32, skill: &Skill) -> TokenStream {
    let module = Ident::new(&skill.ident, Span::call_site());
    let description = documentation(&skill.description);
    let types = skill.signature.as_ref().map(types::items);
    let row = Literal::u32_unsuffixed(row);
    quote! {
        #[doc = #description]
        #[allow(dead_code, unreachable_pub, unused_qualifications, clippy::all)]
        pub mod #module {
            /// Returns the skill.
            pub const fn skill() -> super::__skills::__private::Skill<'static> {
                super::__SKILLS.row(#row)
            }
            #types
        }
    }
}

/// Turns a description into Markdown that shows it as it is: nothing in it is a link, a tag or code.
pub(crate) fn documentation(description: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_no_markup() {
        assert_eq!(documentation("a [b] <c>\n`d`"), r" a \[b\] \<c\> \`d\`");
    }
}
