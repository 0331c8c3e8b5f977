//! Prints tokens with a line for each attribute, item and statement, so that users can read the places in a
//! generated file that rustc points to.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

pub(crate) fn print(tokens: TokenStream) -> String {
    let mut out = String::new();
    add(tokens, 0, &mut out);
    out
}

/// Appends tokens inside `depth` braces. Lines break only between tokens, so the text parses to the same
/// tokens.
fn add(tokens: TokenStream, depth: usize, out: &mut String) {
    let mut line: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let is_attribute = |group: &proc_macro2::Group| {
            group.delimiter() == Delimiter::Bracket
                && matches!(&line[..], [TokenTree::Punct(sign)] if sign.as_char() == '#')
        };
        let ends = match &token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace && !group.stream().is_empty() =>
            {
                end(&mut line, depth, " {", out);
                add(group.stream(), depth + 1, out);
                end(&mut line, depth, "}", out);
                continue;
            }
            TokenTree::Group(group) => is_attribute(group),
            TokenTree::Punct(sign) => sign.as_char() == ';',
            _ => false,
        };
        line.push(token);
        if ends {
            end(&mut line, depth, "", out);
        }
    }
    end(&mut line, depth, "", out);
}

fn end(line: &mut Vec<TokenTree>, depth: usize, sign: &str, out: &mut String) {
    let tokens: TokenStream = std::mem::take(line).into_iter().collect();
    let text = format!("{tokens}{sign}");
    if !text.is_empty() {
        out.push_str(&format!("{:depth$}{}\n", "", text.trim_start(), depth = depth * 4));
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    // SPEC 6.2: a method of `Host` has its own line.
    #[test]
    fn items_are_on_separate_lines() {
        let tokens = quote! {
            #[doc = " A; b {"]
            pub trait Host: Send { #[doc = "c"] fn a(&self, b: Vec<u8>) -> u8; fn d(); }
            impl X {}
        };
        let text = super::print(tokens.clone());
        let starts: Vec<&str> = text.lines().map(|line| line.get(..8).unwrap_or(line)).collect();
        assert_eq!(
            starts,
            ["# [doc =", "pub trai", "    # [d", "    fn a", "    fn d", "}", "impl X {"],
            "{text}"
        );
        assert_eq!(text.parse::<proc_macro2::TokenStream>().expect("tokens").to_string(), tokens.to_string());
    }
}
