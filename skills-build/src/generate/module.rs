//! The module of one skill: for now its handle, later its typed input and output.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use skills_core::catalog::Skill;

/// Returns the module of the skill in a row of the registry.
///
/// It holds one item: at 5,000 skills each more costs a build about 0.3 s.
pub(super) fn item(row: u32, skill: &Skill) -> TokenStream {
    let module = ident(&skill.ident);
    let description = documentation(&skill.description);
    let row = Literal::u32_unsuffixed(row);
    quote! {
        #[doc = #description]
        #[allow(dead_code, unreachable_pub)]
        pub mod #module {
            /// Returns the skill.
            pub const fn skill() -> super::__skills::__private::Skill<'static> {
                super::__SKILLS.row(#row)
            }
        }
    }
}

/// Turns the name of a module into one that hides nothing the user's module may need.
fn ident(name: &str) -> Ident {
    if let Some(keyword) = name.strip_prefix("r#") {
        return Ident::new_raw(keyword, Span::call_site());
    }
    if HIDING.binary_search(&name).is_ok() {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    Ident::new(name, Span::call_site())
}

/// Crates and types that every module sees: a module of the same name would hide them from the code around it.
///
/// `skills` is the facade under its own name.
const HIDING: [&str; 24] = [
    "alloc",
    "bool",
    "char",
    "core",
    "f128",
    "f16",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "proc_macro",
    "skills",
    "std",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// Turns a description into Markdown that shows it as it is: nothing in it is a link, a tag or code.
fn documentation(description: &str) -> String {
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
    fn names_that_hide_something_get_a_tail() {
        assert!(HIDING.is_sorted());
        assert_eq!(ident("std").to_string(), "std_");
        assert_eq!(ident("u8").to_string(), "u8_");
        assert_eq!(ident("pdf").to_string(), "pdf");
        assert_eq!(ident("r#type").to_string(), "r#type");
    }

    #[test]
    fn a_description_is_no_markup() {
        assert_eq!(documentation("a [b] <c>\n`d`"), r" a \[b\] \<c\> \`d\`");
    }
}
