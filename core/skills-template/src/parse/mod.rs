//! Parses texts to trees: the entry points, and the shared state of the parser.

mod expression;
mod lint;
mod text;
pub(crate) mod token;

use crate::{
    Lint, TemplateError, TemplateProblem, TemplateSpan, Tree,
    expr::Kind,
    tree::{Growing, Id},
};
use expression::Dialect;
pub use text::{escape, escape_always};
pub use token::{Lexer, Token, begins_name, continues_name};

/// The maximum nesting depth of parentheses, filters, blocks, arrays and objects.
pub const MAX_DEPTH: usize = 64;

/// The maximum size in bytes of a text, or of all texts of one tree: 64 MiB.
pub const MAX_TEXT: usize = 1 << 26;

/// The maximum number of errors, and of lints, to report for one tree.
pub const MAX_ERRORS: usize = 100;

/// The result of parsing.
#[derive(Debug)]
pub struct ParsedTemplate {
    /// The tree. `None` if there is an error.
    pub tree: Option<Tree>,
    /// If there is an error: a tree with a placeholder for each part that could not be parsed, so that a
    /// checker can look at the other parts. It must not be evaluated.
    pub partial: Option<Tree>,
    /// All errors, in text order.
    pub errors: Vec<TemplateError>,
    /// All lints, in text order.
    pub lints: Vec<Lint>,
}

impl ParsedTemplate {
    /// Returns only the tree.
    ///
    /// # Errors
    ///
    /// All errors in the text; at least one.
    pub fn into_result(self) -> Result<Tree, Vec<TemplateError>> {
        self.tree.ok_or(self.errors)
    }
}

/// Parses text with `{{ expression }}`, as in a step's `input`.
///
/// [`TemplateNode::is_text`](crate::TemplateNode::is_text) of the root returns `false` if the text is exactly one expression.
pub fn parse_template(text: &str) -> ParsedTemplate {
    parse(text, |parser| parser.template())
}

/// Parses text with expressions, blocks and escapes, as in a `prompt.md`.
pub fn parse_prompt(text: &str) -> ParsedTemplate {
    parse(text, |parser| parser.prompt())
}

/// Parses a condition, with or without braces around it or around its paths.
pub fn parse_condition(text: &str) -> ParsedTemplate {
    parse(text, |parser| parser.condition())
}

fn parse(text: &str, entry: fn(&mut Parser<'_, '_>) -> Id) -> ParsedTemplate {
    let mut out = ParseOutput::default();
    out.parse(text, 0, entry);
    out.finish()
}

/// The output of parsing. It can contain the results of several texts.
#[derive(Debug, Default)]
pub(crate) struct ParseOutput {
    pub(crate) tree: Growing,
    pub(crate) errors: Vec<TemplateError>,
    pub(crate) lints: Vec<Lint>,
    bytes: usize,
}

impl ParseOutput {
    /// Adds a template whose text begins at an offset.
    pub(crate) fn template(&mut self, text: &str, base: u32) -> Id {
        self.parse(text, base, |parser| parser.template())
    }

    fn parse(&mut self, text: &str, base: u32, entry: fn(&mut Parser<'_, '_>) -> Id) -> Id {
        if !self.takes(text, base) {
            return self.tree.word(Kind::Null, 0, TemplateSpan::default());
        }
        skills_text::work::count(text.len());
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

    /// Counts a text against the size limit of a tree. Adds an error if the limit is exceeded.
    pub(crate) fn takes(&mut self, text: &str, base: u32) -> bool {
        self.bytes = self.bytes.saturating_add(text.len());
        let fits = self.bytes <= MAX_TEXT;
        if !fits {
            self.error(TemplateSpan::default().shift(base), TemplateProblem::TooLong);
        }
        fits
    }

    pub(crate) fn error(&mut self, span: TemplateSpan, problem: TemplateProblem) {
        match self.errors.len() {
            MAX_ERRORS.. => {}
            len if len + 1 == MAX_ERRORS => {
                self.errors.push(TemplateError { span, problem: TemplateProblem::TooMany, escaped: None });
            }
            _ => self.errors.push(TemplateError { span, problem, escaped: None }),
        }
    }

    pub(crate) fn finish(mut self) -> ParsedTemplate {
        let lints = std::mem::take(&mut self.lints);
        let (tree, errors) = self.finish_anyway();
        let (tree, partial) = if errors.is_empty() { (Some(tree), None) } else { (None, Some(tree)) };
        ParsedTemplate { tree, partial, errors, lints }
    }

    /// Finishes with a tree, even if there are errors.
    pub(crate) fn finish_anyway(mut self) -> (Tree, Vec<TemplateError>) {
        if let Some(span) = self.tree.too_deep()
            && self.errors.is_empty()
        {
            self.error(span, TemplateProblem::TooDeep);
        }
        // There are only a few errors, and they are almost sorted. The sort of the standard library would add
        // forty functions to every build.
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

/// An error was recorded, and the expression cannot be parsed further.
#[derive(Debug)]
struct Stop;

struct Parser<'t, 'o> {
    out: &'o mut ParseOutput,
    lexer: Lexer<'t>,
    /// The base offset of spans.
    base: u32,
    dialect: Dialect,
    /// Whether the text is a prompt, which may have blocks.
    blocks: bool,
    /// The `{{` around the current token.
    open: Option<TemplateSpan>,
    depth: usize,
    /// The end of the last token that [`Parser::step`] consumed.
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

    /// Returns a placeholder for an expression that could not be parsed. The tree is discarded.
    fn placeholder(&mut self) -> Id {
        self.out.tree.word(Kind::Null, 0, TemplateSpan::default())
    }

    /// Consumes the current token.
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

    fn token_span(&self) -> TemplateSpan {
        self.span(self.lexer.start, self.lexer.end)
    }

    fn span(&self, start: usize, end: usize) -> TemplateSpan {
        TemplateSpan::new(start, end).shift(self.base)
    }

    fn error(&mut self, span: TemplateSpan, problem: TemplateProblem) {
        self.out.error(span, problem);
    }

    fn fail(&mut self, span: TemplateSpan, problem: TemplateProblem) -> Result<Id, Stop> {
        self.error(span, problem);
        Err(Stop)
    }

    /// Records an error for the current token, which is not allowed here.
    fn unexpected(&mut self, expected: &'static str, advice: Option<&'static str>) -> Result<Id, Stop> {
        self.take_faults();
        if self.lexer.token == Token::Bad {
            return Err(Stop);
        }
        if let (Token::End, Some(open)) = (self.lexer.token, self.open) {
            return self.fail(open, TemplateProblem::Unclosed);
        }
        let advice = advice.or_else(|| self.advice());
        let found = self.found();
        self.fail(self.token_span(), TemplateProblem::Unexpected { expected, found, advice })
    }

    /// Records an error for the current token, which is not allowed after an expression. The expression could
    /// continue or end with `close`.
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
