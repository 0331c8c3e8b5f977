//! Recognizes the syntax of other template languages in a prompt, names it beside ours, and removes the problems that
//! follow from it.

use crate::rule::templates as rules;
use crate::{Diagnostic, Report, Span};

/// The longest tag or expression that is recognized.
const LONGEST: usize = 400;

/// Reports foreign syntax in a prompt. `first` is the index of the prompt's first problem in the report, and
/// `properties` are those of the input.
pub(super) fn check(text: &str, prompt: Span, properties: &[&str], report: &mut Report, first: usize) {
    let own = report.diagnostics.split_off(first.min(report.diagnostics.len()));
    let mut foreign =
        Foreign { text, prompt, bound: Vec::new(), raw: Vec::new(), found: Vec::new(), has_go: false };
    foreign.find_tags();
    foreign.find_braces(properties);
    foreign.find_dollars(properties);
    let kept = foreign.explain(own);
    report.diagnostics.extend(kept);
    report.diagnostics.append(&mut foreign.found);
}

struct Foreign<'t> {
    text: &'t str,
    prompt: Span,
    /// The names that foreign syntax defines: the variable of a loop.
    bound: Vec<&'t str>,
    /// The parts that another language prints as they are.
    raw: Vec<(usize, usize)>,
    found: Vec<Diagnostic>,
    /// Whether the prompt has a block of Go templates.
    has_go: bool,
}

impl<'t> Foreign<'t> {
    fn report(&mut self, start: usize, end: usize, language: &str, help: &str) {
        let written = self.text.get(start..end).unwrap_or_default().lines().next().unwrap_or_default();
        let found = rules::TEMPLATE_LITERAL
            .report_at(self.prompt.part(start, end), format!("`{written}` is syntax of {language}"))
            .label("printed as it is")
            .help(help);
        self.found.push(found);
    }

    /// Finds the tags of Jinja, Liquid and ERB. The end of a block follows from its start, so it is not reported.
    fn find_tags(&mut self) {
        for (open, close, language) in
            [("{%", "%}", "Jinja or Liquid"), ("{#", "#}", "Jinja"), ("<%", "%>", "ERB")]
        {
            let mut from = 0;
            while let Some(start) = self.text[from..].find(open).map(|at| from + at) {
                from = start + open.len();
                // `{{#if …}}` begins with our own braces.
                let is_ours = open == "{#" && self.text[..start].ends_with('{');
                let rest = &self.text[from..];
                let Some(length) = rest.find(close).filter(|length| *length <= LONGEST && !is_ours) else {
                    continue;
                };
                let end = from + length + close.len();
                let inner = rest[..length].trim_matches(['-', '+', '=', ' ', '\t', '\n', '\r']);
                match open {
                    "{#" => self.report(start, end, language, "delete it: prompts have no comments"),
                    "<%" => {
                        if let Some(help) = erb_help(inner) {
                            self.report(start, end, language, help);
                        }
                    }
                    _ => self.jinja(start, end, inner),
                }
                from = end;
            }
        }
    }

    fn jinja(&mut self, start: usize, end: usize, inner: &'t str) {
        let mut words = inner.split_whitespace();
        let (word, name) = (words.next().unwrap_or_default(), words.next());
        let help = match word {
            "for" => {
                self.bound.extend(name.into_iter().flat_map(|name| name.split(',')));
                self.bound.push("loop");
                self.bound.push("forloop");
                "write `{{#each input.list}}…{{item}}…{{/each}}`"
            }
            "if" | "unless" | "case" => "write `{{#if input.name}}…{{else}}…{{/if}}`",
            "raw" | "verbatim" => {
                let behind = &self.text[end..];
                let length = behind.find("{%").unwrap_or(behind.len());
                self.raw.push((end, end + length));
                "write `{{#raw}}…{{/raw}}`"
            }
            "set" | "assign" | "capture" | "with" => {
                self.bound.extend(name);
                "compute the value in the input: prompts have no variables"
            }
            "include" | "extends" | "import" | "macro" | "block" | "render" => {
                "write the text here: a prompt is one file"
            }
            _ if word.starts_with("end") || ["else", "elif", "elsif", "when"].contains(&word) => return,
            _ => "write an expression such as `{{input.name}}`",
        };
        self.report(start, end, "Jinja or Liquid", help);
    }

    /// Finds `{input.name}`, as in an f-string, and `{name}` of a property that the prompt does not use otherwise.
    fn find_braces(&mut self, properties: &[&str]) {
        let mut from = 0;
        while let Some(start) = self.text[from..].find('{').map(|at| from + at) {
            from = start + 1;
            let rest = &self.text[from..];
            let before = &self.text[skills_text::floor(self.text, start.saturating_sub(LONGEST))..start];
            let is_inside = before.rsplit_once("{{").is_some_and(|(_, inner)| !inner.contains("}}"));
            if is_inside || rest.starts_with('{') || self.text[..start].ends_with('{') {
                // Skip the whole run of braces.
                from += rest.len() - rest.trim_start_matches('{').len();
                continue;
            }
            let length = rest.find(|c: char| !is_path(c)).unwrap_or(rest.len());
            let path = &rest[..length];
            let is_closed = rest[length..].starts_with('}') && !rest[length..].starts_with("}}");
            let is_format =
                rest[length..].starts_with([':', '!']) && rest.find('}').is_some_and(|at| at < 40);
            let Some(help) = (is_closed || is_format).then(|| self.help_for(path, properties)).flatten()
            else {
                continue;
            };
            let end = from + rest.find('}').unwrap_or(length) + 1;
            if self.text[..start].ends_with('$') {
                self.report(start - 1, end, "JavaScript or a shell", &help);
            } else {
                self.report(start, end, "a Python f-string", &help);
            }
        }
    }

    /// Finds `$ARGUMENTS` of Claude Code, and `$name` of a property that the prompt does not use otherwise.
    fn find_dollars(&mut self, properties: &[&str]) {
        for (start, _) in self.text.match_indices('$') {
            let rest = &self.text[start + 1..];
            let length = rest.find(|c: char| !is_path(c)).unwrap_or(rest.len());
            let name = rest[..length].trim_end_matches(['.', '-']);
            let end = start + 1 + name.len();
            if name == "ARGUMENTS" {
                let help = "write the properties of the input, such as `{{input.name}}`";
                self.report(start, end, "a command of Claude Code", help);
            } else if let Some(help) = self.help_for(name, properties) {
                self.report(start, end, "a shell", &help);
            }
        }
    }

    /// Returns the help for a path in foreign signs; `None` if it is probably meant as text.
    fn help_for(&self, path: &str, properties: &[&str]) -> Option<String> {
        let (root, rest) = path.split_once('.').unwrap_or((path, ""));
        let is_input = root == "input" && properties.contains(&rest.split('.').next().unwrap_or_default());
        let is_property = properties.contains(&root) && !self.uses(root);
        match (is_input, is_property) {
            (true, _) => Some(format!("write it as: {{{{{path}}}}}")),
            (_, true) => Some(format!("write it as: {{{{input.{path}}}}}")),
            _ => None,
        }
    }

    /// Returns `true` if an expression of the prompt reads a property.
    fn uses(&self, property: &str) -> bool {
        let path = format!("input.{property}");
        self.text.match_indices("{{").any(|(at, _)| expression(&self.text[at + 2..]).contains(&path))
    }

    /// Explains problems by the language that the expression around them comes from. One expression has one problem, and
    /// problems that follow from foreign blocks are removed.
    fn explain(&mut self, own: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut kept: Vec<Diagnostic> = Vec::new();
        let mut seen: Vec<usize> = Vec::new();
        for mut found in own {
            let at = usize::try_from(found.span.start.saturating_sub(self.prompt.start)).unwrap_or_default();
            let open = self.text.get(..at).and_then(|before| before.rfind("{{"));
            // The span of a block may begin with its braces.
            let here = self.text.get(at..).filter(|rest| rest.starts_with("{{")).map(|_| at);
            let Some(open) = here.or(open) else {
                kept.push(found);
                continue;
            };
            let inner = expression(&self.text[open + 2..]);
            let is_path = found.rule.code == rules::TEMPLATE_PATH.code;
            let root = inner.trim().split(|c: char| !is_path_part(c)).next().unwrap_or_default();
            let is_bound = self.bound.contains(&root) || (self.has_go && root == "end");
            let is_raw = self.raw.iter().any(|(start, end)| (*start..*end).contains(&open));
            if seen.contains(&open) && is_syntax(&found) || is_path && is_bound || is_raw {
                continue;
            }
            if let Some(help) = self.foreign_help(inner, open, &found) {
                found.help = help;
                found.fix = None;
            }
            if is_syntax(&found) {
                seen.push(open);
            }
            kept.push(found);
        }
        kept
    }

    /// Returns the help for an expression that another language would accept.
    fn foreign_help(&mut self, inner: &'t str, open: usize, found: &Diagnostic) -> Option<String> {
        let (bare, is_dollar) = (inner.trim(), self.text[..open].ends_with('$'));
        let stripped = bare.trim_matches(['-', ' ']);
        let word = stripped.split(|c: char| c.is_whitespace() || c == '.').next().unwrap_or_default();
        if is_dollar {
            return Some(format!(
                "this is an expression of GitHub Actions; to print it, write `${{{{{{{{{inner}}}}}}}}}`"
            ));
        }
        let help = match word {
            _ if bare.starts_with('{') => {
                "Handlebars prints text unchanged with three braces; here two do: `{{input.name}}`"
            }
            _ if bare.starts_with('>') => "this is a partial of Handlebars: write its text here",
            _ if bare.starts_with('!') => {
                "this is a comment of Handlebars: delete it, because prompts have no comments"
            }
            _ if bare.starts_with("@index") => "this is syntax of Handlebars; write `{{index}}`",
            _ if bare.starts_with('@') => "this is a variable of Handlebars; a list has `item` and `index`",
            _ if bare.starts_with("../") => "this is a path of Handlebars; begin it with `input`",
            _ if bare.starts_with("#unless") => {
                "this is a block of Handlebars; write `{{#if input.name}}{{else}}…{{/if}}`"
            }
            _ if bare.starts_with("#with") => {
                "this is a block of Handlebars; write whole paths: `{{input.a.b}}`"
            }
            _ if bare.starts_with('^') => {
                "this is a block of Mustache; write `{{#if input.name}}{{else}}…{{/if}}`"
            }
            _ if bare.starts_with('#') && bare.contains(" as |") => {
                let names = bare.split('|').nth(1).unwrap_or_default();
                self.bound.extend(names.split_whitespace());
                "this is syntax of Handlebars; without `as`, the loop has `item` and `index`"
            }
            "this" => "this is syntax of Handlebars; write `{{item}}`",
            "range" | "end" | "define" | "template" | "block" if !is_call(stripped) => {
                self.has_go = true;
                match word {
                    "range" => "this is a block of Go templates; write `{{#each input.list}}…{{/each}}`",
                    _ => "this is syntax of Go templates; write `{{#if input.name}}…{{/if}}`",
                }
            }
            "if" | "with" | "else" if stripped.contains(' ') => {
                self.has_go = true;
                "this is a block of Go templates; write `{{#if input.name}}…{{else}}…{{/if}}`"
            }
            _ if stripped.starts_with('.') && is_syntax(found) => {
                return Some(format!("this is syntax of Go templates; write `{{{{input{stripped}}}}}`"));
            }
            _ if stripped.contains(" if ") && stripped.contains(" else ") => {
                "this is a choice of Jinja; write `{{#if input.name}}…{{else}}…{{/if}}`"
            }
            _ if stripped.contains('?') && stripped.contains(" : ") => {
                "this is a choice of JavaScript; write `{{#if input.name}}…{{else}}…{{/if}}`"
            }
            _ if is_call(stripped) && !stripped.contains('|') => {
                "this calls a method, as in Python or JavaScript; write a filter: `{{input.name | upcase}}`"
            }
            _ if found.help.starts_with("begin the path with") => {
                return Some(format!("{}, or write `{{{{{{{{{inner}}}}}}}}}` to print it", found.help));
            }
            _ => return None,
        };
        Some(help.to_owned())
    }
}

fn is_syntax(found: &Diagnostic) -> bool {
    [rules::TEMPLATE_SYNTAX.code, rules::TEMPLATE_BLOCK.code].contains(&found.rule.code)
}

fn is_call(text: &str) -> bool {
    text.contains('(') && text.contains(')') && text.contains('.')
}

fn is_path(c: char) -> bool {
    is_path_part(c) || matches!(c, '.' | '-')
}

fn is_path_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the text up to the closing braces.
fn expression(text: &str) -> &str {
    let text = text.get(..skills_text::floor(text, LONGEST.min(text.len()))).unwrap_or(text);
    text.split("}}").next().unwrap_or_default()
}

/// Returns the help for a tag of ERB; `None` for the end of a block.
fn erb_help(inner: &str) -> Option<&'static str> {
    let word = inner.split_whitespace().next().unwrap_or_default();
    match word {
        "end" | "else" | "elsif" => None,
        "if" | "unless" => Some("write `{{#if input.name}}…{{else}}…{{/if}}`"),
        _ if inner.starts_with('#') => Some("delete it: prompts have no comments"),
        _ if inner.contains(".each") => Some("write `{{#each input.list}}…{{item}}…{{/each}}`"),
        _ => Some("write an expression such as `{{input.name}}`"),
    }
}
