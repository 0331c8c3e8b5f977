//! Texts become trees: the entry points, and what the parts of the parser share.

mod advice;
pub(crate) mod escape;
mod expression;
mod lint;
mod text;
pub(crate) mod token;

use crate::{
    Error, Lint, Problem, Span, Tree,
    expr::Kind,
    tree::{Growing, Id},
};
pub use escape::escape;
use expression::Dialect;
use token::{Lexer, Token};

/// Levels of parentheses, filters, blocks, arrays and objects that a tree can have.
pub const MAX_DEPTH: usize = 64;

/// Bytes that a text, or all the texts of one tree, can have: 64 MiB.
pub const MAX_TEXT: usize = 1 << 26;

/// Errors that are reported for one tree, and as many lints.
pub const MAX_ERRORS: usize = 100;

/// What became of a text.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; `None` when there is an error.
    pub tree: Option<Tree>,
    /// All that is wrong, in the order of the text.
    pub errors: Vec<Error>,
    /// What looks wrong, in the order of the text.
    pub lints: Vec<Lint>,
}

impl Parsed {
    /// Returns the tree alone.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text; at least one error.
    pub fn into_result(self) -> Result<Tree, Vec<Error>> {
        self.tree.ok_or(self.errors)
    }
}

/// Parses text with `{{ expression }}`, as it stands in a step's `input` (SPEC 5.1).
///
/// The root of the tree tells whether the text is exactly one expression: see [`Node::is_text`](crate::Node::is_text).
pub fn parse_template(text: &str) -> Parsed {
    parse(text, |parser| parser.template())
}

/// Parses text with expressions, blocks and escapes, as it stands in a `prompt.md` (SPEC 5.8).
pub fn parse_prompt(text: &str) -> Parsed {
    parse(text, |parser| parser.prompt())
}

/// Parses a condition, with or without braces around it or around its paths (SPEC 5.4).
pub fn parse_condition(text: &str) -> Parsed {
    parse(text, |parser| parser.condition())
}

fn parse(text: &str, entry: fn(&mut Parser<'_, '_>) -> Id) -> Parsed {
    let mut out = Output::default();
    out.parse(text, 0, entry);
    out.finish()
}

/// What parsing makes; several texts can add to one.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) tree: Growing,
    pub(crate) errors: Vec<Error>,
    pub(crate) lints: Vec<Lint>,
    bytes: usize,
}

impl Output {
    /// Adds a template whose text begins at an offset.
    pub(crate) fn template(&mut self, text: &str, base: u32) -> Id {
        self.parse(text, base, |parser| parser.template())
    }

    fn parse(&mut self, text: &str, base: u32, entry: fn(&mut Parser<'_, '_>) -> Id) -> Id {
        if !self.takes(text, base) {
            return self.tree.word(Kind::Null, 0, Span::default());
        }
        let lexer = Lexer::new(text);
        entry(&mut Parser {
            out: self,
            lexer,
            base,
            dialect: Dialect::Template,
            blocks: false,
            open: None,
            depth: 0,
            last_end: base,
        })
    }

    /// Counts a text against the limit of a tree; one that goes beyond is an error.
    pub(crate) fn takes(&mut self, text: &str, base: u32) -> bool {
        self.bytes = self.bytes.saturating_add(text.len());
        let fits = self.bytes <= MAX_TEXT;
        if !fits {
            self.error(Span::default().shift(base), Problem::TooLong);
        }
        fits
    }

    pub(crate) fn error(&mut self, span: Span, problem: Problem) {
        match self.errors.len() {
            MAX_ERRORS.. => {}
            len if len + 1 == MAX_ERRORS => {
                self.errors.push(Error { span, problem: Problem::TooMany, escaped: None });
            }
            _ => self.errors.push(Error { span, problem, escaped: None }),
        }
    }

    pub(crate) fn finish(mut self) -> Parsed {
        let lints = std::mem::take(&mut self.lints);
        let (tree, errors) = self.finish_anyway();
        Parsed { tree: errors.is_empty().then_some(tree), errors, lints }
    }

    /// Ends the parsing with a tree, errors or not.
    pub(crate) fn finish_anyway(mut self) -> (Tree, Vec<Error>) {
        if let Some(span) = self.tree.too_deep()
            && self.errors.is_empty()
        {
            self.error(span, Problem::TooDeep);
        }
        // There are few, mostly in order; the standard sort would be forty functions in every build.
        for end in 1..self.errors.len() {
            let mut at = end;
            while at > 0 && self.errors[at - 1].span > self.errors[at].span {
                self.errors.swap(at - 1, at);
                at -= 1;
            }
        }
        (self.tree.finish(), self.errors)
    }
}

/// An error has been noted, and the expression cannot be parsed further.
#[derive(Debug)]
struct Stop;

struct Parser<'t, 'o> {
    out: &'o mut Output,
    lexer: Lexer<'t>,
    /// What the offsets of spans begin with.
    base: u32,
    dialect: Dialect,
    /// Whether the text is a prompt, which has blocks.
    blocks: bool,
    /// The `{{` around the current token.
    open: Option<Span>,
    depth: usize,
    /// Where the last token that [`Parser::step`] left behind ends.
    last_end: u32,
}

impl Parser<'_, '_> {
    fn condition(&mut self) -> Id {
        self.dialect = Dialect::Condition;
        self.lexer.seek(0);
        let result = match self.expression() {
            Ok(root) if self.lexer.token == Token::End => Ok(root),
            Ok(_) => self.unexpected_behind("the end"),
            Err(stop) => Err(stop),
        };
        self.take_faults();
        result.unwrap_or_else(|Stop| self.placeholder())
    }

    /// Stands where an expression could not be parsed; the tree is thrown away.
    fn placeholder(&mut self) -> Id {
        self.out.tree.word(Kind::Null, 0, Span::default())
    }

    /// Leaves the current token, which was used, behind.
    fn step(&mut self) -> Result<(), Stop> {
        self.last_end = self.token_span().end;
        self.lexer.advance();
        self.take_faults();
        if self.lexer.token == Token::Bad { Err(Stop) } else { Ok(()) }
    }

    fn take_faults(&mut self) {
        for (span, problem) in std::mem::take(&mut self.lexer.faults) {
            self.error(span.shift(self.base), problem);
        }
    }

    fn token_span(&self) -> Span {
        self.span(self.lexer.start, self.lexer.end)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start, end).shift(self.base)
    }

    fn error(&mut self, span: Span, problem: Problem) {
        self.out.error(span, problem);
    }

    fn fail(&mut self, span: Span, problem: Problem) -> Result<Id, Stop> {
        self.error(span, problem);
        Err(Stop)
    }

    /// The current token cannot stand here.
    fn unexpected(&mut self, expected: &'static str, advice: Option<&'static str>) -> Result<Id, Stop> {
        self.take_faults();
        if self.lexer.token == Token::Bad {
            return Err(Stop);
        }
        if let (Token::End, Some(open)) = (self.lexer.token, self.open) {
            return self.fail(open, Problem::Unclosed);
        }
        let advice = advice.or_else(|| self.advice());
        let found = self.found();
        self.fail(self.token_span(), Problem::Unexpected { expected, found, advice })
    }

    /// The current token cannot stand behind an expression, which could go on or end with `close`.
    fn unexpected_behind(&mut self, close: &'static str) -> Result<Id, Stop> {
        let expected = match (self.dialect, close) {
            (Dialect::Template, "`)`") => "`|`, `||` or `)`",
            (Dialect::Template, _) => "`|`, `||` or `}}`",
            (Dialect::Condition, "`)`") => "an operator or `)`",
            (Dialect::Condition, "`}}`") => "an operator or `}}`",
            (Dialect::Condition, _) => "an operator or the end",
        };
        self.unexpected(expected, None)
    }

    fn found(&self) -> String {
        match self.lexer.token {
            Token::End => "the end".to_owned(),
            Token::String => "a string".to_owned(),
            Token::Symbol("}}") if self.open.is_none() && self.dialect == Dialect::Condition => {
                "a stray `}}`".to_owned()
            }
            _ => format!("`{}`", self.lexer.spelling()),
        }
    }
}
