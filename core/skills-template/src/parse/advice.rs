//! Suggestions for unexpected tokens, for habits from other languages.

use super::{Parser, expression::Dialect, token::Token};

impl Parser<'_, '_> {
    /// Returns a suggestion for the current token.
    pub(super) fn advice(&self) -> Option<&'static str> {
        let condition = self.dialect == Dialect::Condition;
        let rest = self.lexer.rest(self.lexer.start);
        match self.lexer.token {
            Token::Word if condition => match self.lexer.spelling() {
                "and" | "AND" => Some("write `&&`"),
                "or" | "OR" => Some("write `||`"),
                "is" => Some("write `==`"),
                _ => None,
            },
            Token::Word => match self.lexer.spelling() {
                "or" | "OR" => Some("write `||`"),
                "and" | "AND" => Some("`&&` and `!` are only allowed in a `condition`"),
                "if" => Some("a choice is written `{{#if …}}…{{else}}…{{/if}}`"),
                _ => None,
            },
            _ if rest.starts_with('{') && !rest.starts_with("{{") && !condition => {
                Some("an expression is written between two braces: `{{…}}`")
            }
            Token::Symbol("(") => Some("arguments of a filter follow `:`"),
            Token::Symbol(symbol) if !condition => match symbol {
                "{{" => Some("close the expression with `}}` first"),
                "&&" | "!" => Some("`&&` and `!` are only allowed in a `condition`"),
                _ if self.compare().is_some() => Some("comparisons are only allowed in a `condition`"),
                _ => None,
            },
            Token::Other if rest.starts_with('=') && condition => Some("write `==`"),
            Token::Other if rest.starts_with('&') && condition => Some("write `&&`"),
            Token::Other if rest.starts_with(',') => Some("several arguments are separated by `:`"),
            Token::Other if rest.starts_with(['“', '”', '„', '‘', '’', '`', '「', '」']) => {
                Some("strings are written in ' or \"")
            }
            Token::Other if rest.starts_with(['+', '*', '/', '%', '-']) => Some("there is no arithmetic"),
            _ => None,
        }
    }
}
