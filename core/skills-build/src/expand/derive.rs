//! Expands `#[derive(Bundle)]`: the same code as `skills!`, in a module beside the type, and the
//! implementations that make the type itself the bundle.

use std::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::arguments::{self, ArgumentError, error, is};
use super::{Bundle, FileOf, argument_errors, bare_compile_error, bundle, guarded};
use crate::generate::allowances;

/// Expands `#[derive(Bundle)] #[skills("directory", option(…)…, crate = path)] struct Name;`.
///
/// Reads the environment like [`expand`](super::expand).
pub fn expand_derive(input: TokenStream, file_of: FileOf<'_>) -> TokenStream {
    guarded("derive(Bundle)", || match Declared::parse(input) {
        Ok(declared) => declared.expand(file_of),
        Err(error) => bare_compile_error(&error.text, error.span),
    })
}

/// The declaration of the type: `pub struct Name;` with the arguments of its attribute.
struct Declared {
    visibility: TokenStream,
    name: Ident,
    /// The arguments of `skills!`, without `crate = path`.
    arguments: TokenStream,
    /// The path of the facade.
    facade: TokenStream,
}

impl Declared {
    fn parse(input: TokenStream) -> Result<Self, ArgumentError> {
        let mut tokens = input.into_iter().peekable();
        let attribute = attribute(&mut tokens)?;
        let mut visibility = TokenStream::new();
        loop {
            match tokens.next() {
                Some(TokenTree::Ident(word)) if word == "struct" => break,
                Some(TokenTree::Ident(word)) if word == "enum" || word == "union" => {
                    return Err(shape(word.span()));
                }
                Some(token) => visibility.extend([token]),
                None => return Err(shape(Span::call_site())),
            }
        }
        let Some(TokenTree::Ident(name)) = tokens.next() else { return Err(shape(Span::call_site())) };
        match (tokens.next(), tokens.next()) {
            (Some(end), None) if is(&end, ';') => {}
            _ => return Err(shape(name.span())),
        }
        let attribute = attribute.ok_or_else(|| {
            let text = format!("name the directory of the skills: #[skills(\"skills/\")] struct {name};");
            error(&text, name.span())
        })?;
        let (arguments, facade) = take_facade(attribute)?;
        Ok(Self { visibility, name, arguments, facade })
    }

    fn expand(self, file_of: FileOf<'_>) -> TokenStream {
        let Self { visibility, name, arguments, facade } = self;
        let module = Ident::new(&snake_case(&name.to_string()), name.span());
        let Bundle { warnings, code } = match arguments::arguments(arguments.into_iter()) {
            Ok(arguments) => bundle(&arguments, file_of)
                .unwrap_or_else(|error| Bundle { code: error, ..Bundle::default() }),
            Err(errors) => return argument_errors(&errors, bare_compile_error),
        };
        let title =
            format!(" The code generated for [`{name}`]: the types of its skills, and the trait `Host`.");
        let allowances = allowances();
        quote! {
            #warnings
            #[doc = #title]
            #allowances
            #visibility mod #module {
                use #facade::{self as __skills};
                #code
            }
            #[automatically_derived]
            #allowances
            impl #facade::__private::core::ops::Deref for #name {
                type Target = #module::Bundle;
                #[inline]
                fn deref(&self) -> &#module::Bundle {
                    &#module::SKILLS
                }
            }
            #[automatically_derived]
            impl #facade::__private::__Generated for #name {}
            #[automatically_derived]
            #allowances
            impl #facade::__private::Bundle for #name {
                fn registry(&'static self) -> &'static #facade::__private::Registry {
                    #facade::__private::Bundle::registry(&#module::SKILLS)
                }
                fn package(&'static self) -> &'static #facade::__private::core::primitive::str {
                    #facade::__private::Bundle::package(&#module::SKILLS)
                }
                #facade::__private::call! {
                    fn functions(
                        &'static self,
                    ) -> #facade::__private::c::Option<&'static #facade::__private::c::Functions> {
                        #facade::__private::Bundle::functions(&#module::SKILLS)
                    }
                }
            }
        }
    }
}

/// Reads the attributes in front of the type, and returns the tokens inside `#[skills(…)]`.
fn attribute(tokens: &mut Peekable<IntoIter>) -> Result<Option<TokenStream>, ArgumentError> {
    let mut found = None;
    while tokens.peek().is_some_and(|token| is(token, '#')) {
        tokens.next();
        let Some(TokenTree::Group(group)) = tokens.next() else { break };
        let mut inside = group.stream().into_iter();
        if !matches!(inside.next(), Some(TokenTree::Ident(word)) if word == "skills") {
            continue;
        }
        match inside.next() {
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Parenthesis && found.is_none() => {
                found = Some(list.stream());
            }
            _ => {
                let text = "write it once, with a directory: #[skills(\"skills/\")]";
                return Err(error(text, group.span()));
            }
        }
    }
    Ok(found)
}

/// Removes `crate = path` from the arguments. The default path is `::skills`.
fn take_facade(arguments: TokenStream) -> Result<(TokenStream, TokenStream), ArgumentError> {
    let mut rest: Vec<TokenTree> = Vec::new();
    let mut facade = None;
    let mut tokens = arguments.into_iter();
    while let Some(token) = tokens.next() {
        if !matches!(&token, TokenTree::Ident(word) if word == "crate") {
            rest.push(token);
            continue;
        }
        let is_assigned = tokens.next().is_some_and(|mark| is(&mark, '='));
        let path: TokenStream = tokens.by_ref().take_while(|token| !is(token, ',')).collect();
        if !is_assigned || path.is_empty() {
            return Err(error("write the path of this library: crate = ::my_skills", token.span()));
        }
        // Remove the comma in front of `crate`: the comma behind it was already consumed.
        let before = rest.pop();
        let next: Vec<TokenTree> = tokens.by_ref().collect();
        if !next.is_empty() {
            rest.extend(before);
            rest.extend(next);
        }
        facade = Some(path);
        break;
    }
    Ok((rest.into_iter().collect(), facade.unwrap_or_else(|| quote!(::skills))))
}

fn shape(span: Span) -> ArgumentError {
    error("a bundle is a struct without fields: #[skills(\"skills/\")] struct MySkills;", span)
}

/// Returns the name of the module beside a type: `MySkills` has `my_skills`.
fn snake_case(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut snake = String::new();
    let mut was_lower = false;
    for character in name.chars() {
        if character.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = character.is_lowercase() || character.is_numeric();
        snake.extend(character.to_lowercase());
    }
    // The name of the type may already be in snake case, like the name of its module.
    if snake == name { format!("{snake}_skills") } else { snake }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(String, String, String, String), String> {
        let declared = Declared::parse(text.parse().unwrap()).map_err(|error| error.text)?;
        let Declared { visibility, name, arguments, facade } = declared;
        Ok((visibility.to_string(), name.to_string(), arguments.to_string(), facade.to_string()))
    }

    // SPEC 6.12
    #[test]
    fn a_declaration_has_a_visibility_a_name_and_arguments() {
        let (visibility, name, arguments, facade) =
            parsed("/// Text.\n#[skills(\"a\", deny(long_body))] pub(crate) struct Mine;").unwrap();
        assert_eq!((visibility.as_str(), name.as_str()), ("pub (crate)", "Mine"));
        assert_eq!((arguments.as_str(), facade.as_str()), ("\"a\" , deny (long_body)", ":: skills"));
        for (text, arguments) in [
            ("#[skills(\"a\", crate = ::b::c)] struct M;", "\"a\""),
            ("#[skills(\"a\", crate = ::b::c, file_cap(1))] struct M;", "\"a\" , file_cap (1)"),
            ("#[skills(\"a\", file_cap(1), crate = ::b::c)] struct M;", "\"a\" , file_cap (1)"),
        ] {
            let (_, _, found, facade) = parsed(text).unwrap();
            assert_eq!((found.as_str(), facade.as_str()), (arguments, ":: b :: c"), "{text}");
        }
    }

    // SPEC 6.12
    #[test]
    fn other_declarations_are_refused_with_a_correction() {
        for (text, error) in [
            ("struct M;", "name the directory of the skills: #[skills(\"skills/\")] struct M;"),
            ("#[skills] struct M;", "write it once, with a directory: #[skills(\"skills/\")]"),
            (
                "#[skills(\"a\")] #[skills(\"b\")] struct M;",
                "write it once, with a directory: #[skills(\"skills/\")]",
            ),
            ("#[skills(\"a\", crate)] struct M;", "write the path of this library: crate = ::my_skills"),
        ] {
            assert_eq!(parsed(text).unwrap_err(), error, "{text}");
        }
        for text in
            ["enum M {}", "struct M { a: u8 }", "struct M(u8);", "struct M<T>;", "union M {}", "struct"]
        {
            assert!(parsed(text).unwrap_err().starts_with("a bundle is a struct without fields"), "{text}");
        }
    }

    #[test]
    fn modules_are_named_after_types() {
        for (name, module) in [
            ("MySkills", "my_skills"),
            ("HTTPSkills", "httpskills"),
            ("A2B", "a2_b"),
            ("team", "team_skills"),
        ] {
            assert_eq!(snake_case(name), module);
        }
    }
}
