//! Parses the tokens of an expression: paths, literals, filters, fallbacks and conditions. Called for each
//! `{{…}}`.

use skills_text::nearest;

use super::{Parser, Stop, token::Token};
use crate::{
    Compare, Filter, FilterArgument, MAX_DEPTH, TemplateProblem, TemplateSpan, expr::Kind, tree::Id,
};

/// The meaning of `||`, and whether there are comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Template,
    Condition,
}

const VALUE: &str = "a path or a literal";

impl Parser<'_, '_> {
    /// Parses an expression from the current token on. Afterwards the current token is the one after the
    /// expression.
    pub(super) fn expression(&mut self) -> Result<Id, Stop> {
        self.deeper(|parser| match parser.dialect {
            Dialect::Template => parser.chain("||", Kind::Fallback, Self::piped),
            Dialect::Condition => {
                parser.chain("||", Kind::Or, |parser| parser.chain("&&", Kind::And, Self::comparison))
            }
        })
    }

    /// Parses one level deeper, or returns an error at the maximum depth that the stack supports.
    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Result<Id, Stop>) -> Result<Id, Stop> {
        if self.depth == MAX_DEPTH {
            return self.fail(self.token_span(), TemplateProblem::TooDeep);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses one or more operands separated by a symbol.
    fn chain(
        &mut self,
        symbol: &str,
        kind: Kind,
        operand: fn(&mut Self) -> Result<Id, Stop>,
    ) -> Result<Id, Stop> {
        let first = operand(self)?;
        let mut operands = vec![first];
        while self.lexer.is(symbol) {
            self.lexer.advance();
            operands.push(operand(self)?);
        }
        match operands.last() {
            Some(last) if operands.len() > 1 => {
                let span = self.between(first, *last);
                Ok(self.out.tree.parent(kind, 0, &operands, span))
            }
            _ => Ok(first),
        }
    }

    fn comparison(&mut self) -> Result<Id, Stop> {
        let left = self.unary()?;
        let Some(compare) = self.compare() else { return Ok(left) };
        self.lexer.advance();
        let right = self.unary()?;
        if self.compare().is_some() {
            let expected = "`&&`, `||` or the end";
            return self.unexpected(expected, Some("comparisons do not chain: write `a < b && b < c`"));
        }
        let span = self.between(left, right);
        Ok(self.out.tree.parent(Kind::Compare, compare as u32, &[left, right], span))
    }

    pub(super) fn compare(&self) -> Option<Compare> {
        let Token::Symbol(symbol) = self.lexer.token else { return None };
        symbol.parse().ok()
    }

    fn unary(&mut self) -> Result<Id, Stop> {
        if !self.lexer.is("!") {
            return self.piped();
        }
        let start = self.token_span().start;
        self.lexer.advance();
        self.deeper(|parser| {
            let operand = parser.unary()?;
            let span = TemplateSpan { start, end: parser.out.tree.span(operand).end };
            Ok(parser.out.tree.parent(Kind::Not, 0, &[operand], span))
        })
    }

    /// Parses a value and its filters.
    fn piped(&mut self) -> Result<Id, Stop> {
        let mut value = self.primary()?;
        while self.lexer.is("|") {
            self.lexer.advance();
            value = self.filter(value)?;
        }
        Ok(value)
    }

    fn filter(&mut self, input: Id) -> Result<Id, Stop> {
        if self.lexer.token != Token::Word {
            return self.unexpected("the name of a filter", None);
        }
        let (name, name_span) = (self.lexer.spelling(), self.token_span());
        let filter = name.parse::<Filter>().ok();
        if filter.is_none() {
            let known = Filter::called_elsewhere(name).map(Filter::as_str);
            let nearest = known.or_else(|| nearest(name, Filter::ALL.map(Filter::as_str)));
            self.error(name_span, TemplateProblem::UnknownFilter { name: name.to_owned(), nearest });
        }
        self.lexer.advance();
        let takes = filter.map_or(&[][..], Filter::takes);
        let mut nodes = vec![input];
        let mut end = name_span.end;
        while self.lexer.is(":") {
            self.lexer.advance();
            let argument = match takes.get(nodes.len() - 1) {
                Some(FilterArgument::Field) => self.field()?,
                _ => self.primary()?,
            };
            end = self.last_end;
            nodes.push(argument);
        }
        let found = nodes.len() - 1;
        // If the next token is `(` or `,`, the arguments are in the syntax of another language, and their
        // count means nothing.
        let astray = self.lexer.token == Token::Other || self.lexer.is("(");
        if let Some(filter) = filter
            && !astray
            && !(filter.required()..=filter.takes().len()).contains(&found)
        {
            let span = TemplateSpan { start: name_span.start, end };
            self.error(span, TemplateProblem::ArgumentCount { filter, found });
        }
        let span = TemplateSpan { start: self.out.tree.span(input).start, end };
        let code = filter.map_or(0, |filter| filter as u32);
        let node = self.out.tree.parent(Kind::Filter, code, &nodes, span);
        // Trees are walked recursively, even partial trees of texts with errors. So the length of a chain of filters
        // is limited like the nesting.
        match self.out.tree.too_deep() {
            Some(_) => self.fail(span, TemplateProblem::TooDeep),
            None => Ok(node),
        }
    }

    /// Parses the name of a field: a bare word, words separated by dots, or a string.
    fn field(&mut self) -> Result<Id, Stop> {
        let span = self.token_span();
        match self.lexer.token {
            Token::Word => self.keys(Kind::Field),
            Token::String | Token::Number if self.is_key() => {
                let key = self.leaf(Kind::Key)?;
                Ok(self.out.tree.parent(Kind::Field, 0, &[key], span))
            }
            _ => self.unexpected("the name of a field", None),
        }
    }

    /// Returns `true` if the current token can be a key: a string, or a number of only digits.
    fn is_key(&self) -> bool {
        self.lexer.token == Token::String || self.lexer.spelling().bytes().all(|b| b.is_ascii_digit())
    }

    /// Creates a leaf from the current token, which must be a string or a number, and moves to the next
    /// token.
    fn leaf(&mut self, kind: Kind) -> Result<Id, Stop> {
        let is_string = self.lexer.token == Token::String;
        let text = if is_string { &self.lexer.content } else { self.lexer.spelling() };
        let node = self.out.tree.leaf(kind, text, self.token_span());
        self.step()?;
        Ok(node)
    }

    fn primary(&mut self) -> Result<Id, Stop> {
        let span = self.token_span();
        match self.lexer.token {
            Token::Word => self.path_or_word(),
            Token::Number => self.leaf(Kind::Number),
            Token::String => self.leaf(Kind::String),
            Token::Symbol("(") => self.group(")", "`)`"),
            // Braces group a part of a condition, so a condition can be written with braces, without them, or
            // with braces around each path.
            Token::Symbol("{{") if self.dialect == Dialect::Condition && self.open.is_none() => {
                self.open = Some(span);
                let inside = self.group("}}", "`}}`");
                self.open = None;
                inside
            }
            _ => self.unexpected(VALUE, None),
        }
    }

    fn group(&mut self, close: &str, expected: &'static str) -> Result<Id, Stop> {
        self.lexer.advance();
        let inside = self.expression()?;
        if !self.lexer.is(close) {
            return self.unexpected_behind(expected);
        }
        self.step()?;
        Ok(inside)
    }

    /// Parses a path, or one of the words `true`, `false` and `null`.
    fn path_or_word(&mut self) -> Result<Id, Stop> {
        let span = self.token_span();
        let behind = self.lexer.skip_blanks(self.lexer.end);
        let longer = self.lexer.rest(behind).starts_with(['.', '[']);
        let (kind, variant) = match self.lexer.spelling() {
            "null" if !longer => (Kind::Null, 0),
            "true" if !longer => (Kind::Bool, 1),
            "false" if !longer => (Kind::Bool, 0),
            _ => return self.keys(Kind::Path),
        };
        let node = self.out.tree.word(kind, variant, span);
        self.step()?;
        Ok(node)
    }

    /// Parses a path (or field) from its first word on.
    pub(super) fn keys(&mut self, kind: Kind) -> Result<Id, Stop> {
        let first = self.out.tree.leaf(Kind::Key, self.lexer.spelling(), self.token_span());
        let mut keys = vec![first];
        self.step()?;
        loop {
            if self.lexer.is(".") {
                if !self.lexer.read_segment() {
                    return self.unexpected("a name after the `.`", None);
                }
                keys.push(self.out.tree.leaf(Kind::Key, self.lexer.spelling(), self.token_span()));
            } else if self.lexer.is("[") {
                self.lexer.advance();
                match self.lexer.token {
                    Token::String | Token::Number if self.is_key() => keys.push(self.leaf(Kind::Key)?),
                    _ => return self.unexpected("a string or an integer", None),
                }
                if !self.lexer.is("]") {
                    return self.unexpected("`]`", None);
                }
            } else {
                break;
            }
            self.step()?;
        }
        let span = TemplateSpan { start: self.out.tree.span(first).start, end: self.last_end };
        Ok(self.out.tree.parent(kind, 0, &keys, span))
    }

    fn between(&self, first: Id, last: Id) -> TemplateSpan {
        TemplateSpan { start: self.out.tree.span(first).start, end: self.out.tree.span(last).end }
    }
}

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
            Token::Other if rest.starts_with("=>") && condition => Some("write `>=`"),
            Token::Other if rest.starts_with("=<") && condition => Some("write `<=`"),
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
