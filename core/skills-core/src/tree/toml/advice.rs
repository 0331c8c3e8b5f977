//! Converts faults of TOML to diagnostics, one for each line.

use std::ops::Range;

use skills_text::sort;
use toml_parser::lexer::TokenKind;
use toml_parser::{Expected, ParseError, Source};

use super::scalar;
use super::table::{TomlFault, Wrong};
use super::text::{TomlText, is_bare, opens, skip_key};
use crate::rule::frontmatter as rule;
use crate::tree::text::quote;
use crate::{Change, Diagnostic, Fix, Report, known};

/// Reports the first fault of each line; the others are usually its consequences.
pub(super) fn report(tree: &TomlText<'_>, mut faults: Vec<TomlFault>, report: &mut Report) {
    sort(&mut faults, &|a, b| a.range.start.cmp(&b.range.start));
    let (mut covered, last) = (0, tree.text.trim_end().len());
    for fault in faults {
        // A fault at the end of the text belongs to its last line.
        let at = fault.range.start.min(last);
        if at < covered {
            continue;
        }
        let line = line_of(tree.text, at);
        let place = FaultPlace { tree, range: fault.range.clone(), line: line.clone() };
        let (diagnostic, end) = place.describe(&fault.wrong);
        report.push(diagnostic);
        covered = line.end.max(end) + 1;
    }
}

struct FaultPlace<'a> {
    tree: &'a TomlText<'a>,
    range: Range<usize>,
    line: Range<usize>,
}

impl<'a> FaultPlace<'a> {
    fn text(&self, range: Range<usize>) -> &'a str {
        self.tree.text.get(range).unwrap_or_default()
    }

    fn syntax(&self, range: Range<usize>, title: &str, label: &str, help: String) -> Diagnostic {
        rule::TOML_SYNTAX.report_at(self.tree.span(range), title).label(label).help(help)
    }

    /// Creates a diagnostic that replaces a range of the line.
    fn instead(&self, range: Range<usize>, title: &str, typed: &str) -> Diagnostic {
        // A long line may have very many faults.
        let fixed = match self.line.len() > 400 {
            true => typed.to_owned(),
            false => {
                let (before, behind) =
                    (self.text(self.line.start..range.start), self.text(range.end..self.line.end));
                format!("{before}{typed}{behind}")
            }
        };
        self.syntax(range.clone(), title, &format!("expected `{typed}`"), format!("write `{}`", fixed.trim()))
            .fix(Change::replace(self.tree.span(range), typed).unsafe_fix())
    }

    /// Creates a diagnostic that deletes a range.
    fn unwanted(&self, range: Range<usize>, title: &str) -> Diagnostic {
        let fix = Change::delete(self.tree.span(range.clone())).unsafe_fix();
        let help = format!("delete it: {}", self.text(range.clone()).escape_debug());
        self.syntax(range, title, "unexpected text", help).fix(fix)
    }

    /// Describes a fault. Returns the end of the text whose later faults are its consequences.
    fn describe(&self, wrong: &Wrong) -> (Diagnostic, usize) {
        let range = self.range.clone();
        let found = match wrong {
            Wrong::Twice(first) => self.duplicate(first.as_ref(), true),
            Wrong::NoTable(first) => self.duplicate(first.as_ref(), false),
            Wrong::Depth => {
                let help = "move part of this key one level up: at most 64 levels are allowed";
                self.syntax(range, "tables and lists are nested too deeply", "level 65", help.to_owned())
            }
            Wrong::NoValue | Wrong::Value | Wrong::Syntax(_) => {
                if let Some(found) = describe_line(self) {
                    return found;
                }
                match wrong {
                    Wrong::Syntax(error) => self.generic(error),
                    Wrong::NoValue => {
                        let help = "write a value after `=`: a quoted text, a number, `true` or `false`";
                        self.syntax(range, "no value after `=`", "expected a value", help.to_owned())
                    }
                    _ => {
                        let line = self.text(self.line.clone()).trim();
                        let help = format!("correct this line or delete it: {line}");
                        self.syntax(range, "invalid number, date or time", "invalid value", help)
                    }
                }
            }
        };
        (found, self.range.end)
    }

    /// Describes a fault with the words of the parser.
    fn generic(&self, error: &ParseError) -> Diagnostic {
        let (range, title) = (self.range.clone(), error.description());
        let found = self.text(range.clone());
        if title == "string values must be quoted" {
            let whole = self.text(self.line.clone()).trim();
            let help = match whole.split_once('=') {
                Some((key, value)) if value.trim() == found => {
                    format!("quote it: {} = {}", key.trim(), quote(found))
                }
                _ => format!("quote it: {}", quote(found)),
            };
            let fix = Change::replace(self.tree.span(range.clone()), quote(found)).unsafe_fix();
            return self.syntax(range, title, "text without quotes", help).fix(fix);
        }
        if title.contains("escaped value") || title.contains("unicode value") {
            let help = "write a backslash as `\\\\`, or use single quotes";
            let title = "invalid escape sequence";
            return self.syntax(range, title, "expected an escape sequence", help.to_owned());
        }
        // A letter after a closing quote shows that the quote was probably meant as text.
        let (before, behind) = self.tree.text.split_at_checked(self.range.start).unwrap_or_default();
        let is_in_text = before.ends_with(['"', '\'']) && behind.starts_with(char::is_alphanumeric);
        match error.expected().unwrap_or_default() {
            [Expected::Literal("\n"), Expected::Literal(_)] => {
                let help = "add a line break here, or a comma in a list";
                self.syntax(range, title, "expected a line break", help.to_owned())
            }
            [Expected::Literal(",")] if is_in_text => {
                let help = "write the text in double quotes, and `\\\"` for each quote inside it";
                let (title, label) =
                    ("a quote ends the string before it", "an earlier quote ends the string");
                self.syntax(range, title, label, help.to_owned())
            }
            [Expected::Literal(sign)] if found.is_empty() && *sign != "\n" => {
                self.syntax(range, title, &format!("expected `{sign}`"), format!("add `{sign}` here"))
            }
            [Expected::Literal(word)] if *word != "\n" => self.instead(range, title, word),
            [Expected::Description(what), ..] if found.is_empty() => {
                self.syntax(range, title, &format!("expected a {what}"), format!("add a {what} here"))
            }
            _ if found.is_empty() => {
                let help = format!("correct this line or delete it: {}", self.text(self.line.clone()).trim());
                self.syntax(range, title, "invalid here", help)
            }
            _ => self.unwanted(range, title),
        }
    }

    fn duplicate(&self, first: Option<&Range<usize>>, is_twice: bool) -> Diagnostic {
        let span = self.tree.span(self.range.clone());
        let name = self.text(self.range.clone()).trim_matches(['"', '\'']);
        let (title, label) = match is_twice {
            true => (format!("the key `{name}` is given twice"), "given again here"),
            false => (format!("`{name}` is given as a value and as a table"), "used as a table here"),
        };
        let diagnostic = rule::TOML_DUPLICATE_KEY
            .report_at(span, title)
            .label(label)
            .help(format!("delete one of the two `{name}`"));
        match first.map(|first| self.tree.span(first.clone())) {
            Some(first) => diagnostic
                .fix(is_twice.then(|| Change::DeleteLines(span).unsafe_fix().repeats(first)))
                .related(first, "first given here"),
            None => diagnostic,
        }
    }

    /// Creates a fix that replaces the first and the last byte of a range.
    fn ends(&self, range: &Range<usize>, typed: &str) -> Fix {
        let (first, last) = (range.start..range.start + 1, range.end - 1..range.end);
        Fix::from_changes([first, last].map(|end| Change::replace(self.tree.span(end), typed)).to_vec())
    }
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end);
    start..end
}

/// Describes a mistake in the line of a fault; returns the end of the text that the description covers.
fn describe_line(place: &FaultPlace<'_>) -> Option<(Diagnostic, usize)> {
    let (start, end) = (place.line.start, place.line.end);
    let written = place.text(start..end);
    let whole = written.trim();
    let first = start + written.len() - written.trim_start().len();
    let on_line = |found: Diagnostic| Some((found, end));
    if let Some(range) = false_blank(written, start) {
        let code = place.text(range.clone()).chars().next().map_or(0, u32::from);
        let (label, help) = (format!("this is U+{code:04X}"), format!("replace U+{code:04X} with a space"));
        let fix = Change::replace(place.tree.span(range.clone()), " ").unsafe_fix();
        let title = "a character that only looks like a space";
        return on_line(place.syntax(range, title, &label, help).fix(fix));
    }
    if is_item(whole) {
        return Some(items(place, first));
    }
    if let Some(below) = items_below(place) {
        return Some(items(place, below));
    }
    if let Some(at) = slashes(written) {
        let range = start + at..start + at + 2;
        return on_line(place.instead(range, "a comment begins with `#`", "#"));
    }
    if let Some(found) = describe_quotes(place, place.range.start, false) {
        return on_line(found);
    }
    let rest = skip_key(whole)?.trim_start();
    let at = first + whole.len() - rest.len();
    let after = rest.strip_prefix('-').unwrap_or(rest).trim_start_matches(['=', '>', ':']);
    let sign = &rest[..rest.len() - after.len()];
    match sign {
        "=" => describe_value(place, at + 1),
        "" | "-" | ":" => match words(whole, rest) {
            Some(key) => {
                let range = first..first + key.len();
                on_line(place.instead(range, "keys with several words must be quoted", &quote(key)))
            }
            None if place.range.start <= at + 1 => {
                let value = rest.trim_start_matches(':').trim();
                let is_below = value.is_empty() || value.starts_with(['|', '>']);
                // The fault covers the indented lines below the key.
                let below = place.tree.text.get(end + 1..).filter(|_| is_below).unwrap_or_default();
                let below = below.split_inclusive('\n').take_while(|line| line.starts_with([' ', '\t']));
                Some((no_equals(place, first, whole), end + below.map(str::len).sum::<usize>()))
            }
            None => None,
        },
        _ => {
            let title = "a key and its value are separated by `=`";
            on_line(place.instead(at..at + sign.len(), title, "="))
        }
    }
}

/// Describes a mistake in the value that begins at an offset.
fn describe_value(place: &FaultPlace<'_>, from: usize) -> Option<(Diagnostic, usize)> {
    let end = place.line.end;
    let written = place.text(from..end);
    let value = written.trim();
    let start = from + written.len() - written.trim_start().len();
    let on_line = |found: Diagnostic| Some((found, end));
    if let Some(found) = describe_quotes(place, start, true) {
        return on_line(found);
    }
    let tail_title = "unexpected character at the end of a line";
    let Some(sign) = ['"', '\''].into_iter().find(|sign| value.starts_with(*sign)) else {
        // A value that is complete except for the character after it.
        let plain = value.split(" #").next().unwrap_or_default().trim_end();
        let bare = plain.trim_end_matches([',', ';', ' ']);
        let is_tail = bare.len() < plain.len() && scalar::kind(bare).is_some();
        return match bare.to_ascii_lowercase().as_str() {
            _ if is_tail => on_line(place.unwanted(start + bare.len()..start + plain.len(), tail_title)),
            word @ ("true" | "false") if word != bare => {
                on_line(place.instead(start..start + bare.len(), "invalid boolean", word))
            }
            _ => None,
        };
    };
    let length = Source::new(value).lex().next()?.span().end();
    let is_closed = length > 1 && value.get(..length)?.ends_with(sign);
    if !is_closed {
        return describe_unclosed(place, start, sign);
    }
    let tail = value[length..].trim_start();
    let tail_at = start + value.len() - tail.len();
    if tail.starts_with(char::is_alphanumeric) && tail.ends_with(sign) && !opens(tail) {
        let inside = &value[1..value.len() - 1];
        let (typed, title) = match sign {
            '\'' => (quote(inside), "an apostrophe ends the string in single quotes"),
            _ => {
                let typed = format!("\"{}\"", inside.replace("\\\"", "\"").replace('"', "\\\""));
                (typed, "a quote ends the string before its last word")
            }
        };
        return on_line(place.instead(start..start + value.len(), title, &typed));
    }
    let signs = tail.len() - tail.trim_start_matches([',', ';', ' ', '\t']).len();
    if signs == 0 {
        return None;
    }
    if opens(&tail[signs..]) {
        let range = tail_at..tail_at + signs;
        let help = format!("replace `{}` with a line break", tail[..signs].trim());
        let fix = Change::replace(place.tree.span(range.clone()), "\n").unsafe_fix();
        let found = place.syntax(range, "two keys on one line", "expected a line break", help).fix(fix);
        return on_line(found);
    }
    on_line(place.unwanted(tail_at..tail_at + tail[..signs].trim_end().len(), tail_title))
}

/// Describes a string in single or double quotes that its line does not close.
fn describe_unclosed(place: &FaultPlace<'_>, start: usize, sign: char) -> Option<(Diagnostic, usize)> {
    let end = start + place.text(start..place.line.end).trim_end().len();
    let inside = place.text(start + 1..end);
    let kind = Source::new(place.text(start..end)).lex().next().map(|token| token.kind());
    if matches!(kind, Some(TokenKind::MlBasicString | TokenKind::MlLiteralString)) {
        return None;
    }
    // Straight quotes at the end may be apostrophes of a word.
    let last = inside.chars().next_back().filter(|c| is_quote(*c));
    if last.is_some_and(|last| !last.is_ascii() || inside.matches(last).count() == 1) {
        return Some((straight(place, start..end), place.line.end));
    }
    if let Some(close) = end_below(place.tree.text, place.line.end, sign) {
        let quotes = if sign == '\'' { "'''" } else { "\"\"\"" };
        let title = "a string over several lines needs three quotes";
        let label = "a string in single or double quotes ends with its line";
        let help = format!("write `{quotes}` at both ends of the text");
        let fix = place.ends(&(start..close), quotes);
        return Some((place.syntax(start..close, title, label, help).fix(fix), close));
    }
    let whole = place.text(place.line.clone()).trim();
    let fix = Change::replace(place.tree.span(end..end), sign.to_string()).unsafe_fix();
    let (label, help) = (format!("expected `{sign}`"), format!("close it: {whole}{sign}"));
    Some((place.syntax(end..end, "unclosed string", &label, help).fix(fix), place.line.end))
}

/// Finds the quote that ends a string on a later line.
fn end_below(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut at = from;
    for line in text.get(from..)?.split_inclusive('\n') {
        if opens(line) {
            return None;
        }
        if let Some(found) = line.find(quote) {
            return (found + 1 == line.trim_end().len()).then_some(at + found + 1);
        }
        at += line.len();
    }
    None
}

/// Describes a text in typographic quotes, which word processors and keyboards write.
fn describe_quotes(place: &FaultPlace<'_>, at: usize, is_alone: bool) -> Option<Diagnostic> {
    let text = place.text(at..place.line.end);
    let open = text.chars().next()?;
    let closes: &[char] = match open {
        '“' | '„' | '”' => &['”', '“'],
        '‘' | '‚' | '’' => &['’', '‘'],
        '«' | '»' => &['»', '«'],
        '‹' | '›' => &['›', '‹'],
        '`' | '´' => &['`', '´'],
        _ => return None,
    };
    let inside = &text[open.len_utf8()..];
    // If the text is the only one on its line, an apostrophe does not end it.
    let close = if is_alone { inside.rfind(closes) } else { inside.find(closes) };
    let end = close.and_then(|close| Some(close + inside[close..].chars().next()?.len_utf8()));
    let length = open.len_utf8() + end.unwrap_or(inside.trim_end().len());
    Some(straight(place, at..at + length))
}

/// Describes a text in quotes that TOML does not know.
fn straight(place: &FaultPlace<'_>, range: Range<usize>) -> Diagnostic {
    let typed = quote(place.text(range.clone()).trim().trim_matches(is_quote));
    place.instead(range, "TOML allows only the straight quotes `\"` and `'`", &typed)
}

/// Returns `true` if a character is a quote, in TOML or in typography.
fn is_quote(c: char) -> bool {
    "\"'“”„‘’‚«»‹›`´".contains(c)
}

/// Finds characters outside of quotes that look like spaces but are not white space in TOML.
fn false_blank(line: &str, start: usize) -> Option<Range<usize>> {
    let is_false =
        |c: char| c.is_whitespace() && !" \t\r\n".contains(c) || c == '\u{200b}' || c == '\u{feff}';
    let at = line.find(is_false)?;
    if line[..at].matches(is_quote).count() % 2 == 1 || line[..at].contains('#') {
        return None;
    }
    let length = line[at..].len() - line[at..].trim_start_matches(is_false).len();
    Some(start + at..start + at + length)
}

/// Finds `//` at the start of a line or after a value.
fn slashes(line: &str) -> Option<usize> {
    let lead = line.len() - line.trim_start().len();
    if line[lead..].starts_with("//") {
        return Some(lead);
    }
    let at = line.find(" //")?;
    (line[..at].matches(['"', '\'']).count().is_multiple_of(2) && !line[..at].contains('#')).then_some(at + 1)
}

/// Returns a key of several words in front of an `=`; `rest` is the line behind the first word.
fn words<'t>(line: &'t str, rest: &str) -> Option<&'t str> {
    let sign = line.find('=')?;
    let key = line[..sign].trim_end();
    let is_plain = !key.contains(|c: char| "\"'[]{}#,:".contains(c)) && !rest.starts_with('-');
    (is_plain && key.contains([' ', '\t'])).then_some(key)
}

/// Returns `true` if a line is an item of a YAML list; `-` may also be a key.
fn is_item(line: &str) -> bool {
    (line.starts_with("- ") || line == "-") && !opens(line)
}

/// Returns the offset of the YAML list below a key without a value.
fn items_below(place: &FaultPlace<'_>) -> Option<usize> {
    let is_open = place.text(place.line.clone()).trim_end().ends_with(['=', ':']);
    let below = place.text(place.line.end..place.tree.text.len());
    let item = below.trim_start();
    let is_item = is_open && is_item(item.lines().next().unwrap_or_default().trim_end());
    is_item.then_some(place.line.end + below.len() - item.len())
}

/// Describes the items of a YAML list.
fn items(place: &FaultPlace<'_>, start: usize) -> (Diagnostic, usize) {
    let text = place.tree.text;
    let (mut end, mut items) = (start, Vec::new());
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        let Some(item) =
            line.trim().strip_prefix('-').filter(|item| item.is_empty() || item.starts_with(' '))
        else {
            break;
        };
        items.push(value_of(item.trim()));
        end += line.len();
    }
    let end = start + text.get(start..end).unwrap_or_default().trim_end().len();
    let list = format!("[{}]", items.join(", "));
    let title = "a list is written in brackets";
    let above = text.get(..start).unwrap_or_default().trim_end();
    let above_at = above.rfind('\n').map_or(0, |end| end + 1);
    let found = |help: String| place.syntax(start..end, title, "YAML list items", help);
    let diagnostic = match above[above_at..].strip_suffix([':', '=']).map(str::trim) {
        None => found(format!("write it after its key: {list}")),
        Some(key) => {
            let typed = format!("{key} = {list}");
            let fix = Change::replace(place.tree.span(above_at..end), typed.clone()).unsafe_fix();
            found(format!("write `{typed}`")).fix(fix)
        }
    };
    (diagnostic, end)
}

/// Describes a line without `=`, which may be a field of YAML.
fn no_equals(place: &FaultPlace<'_>, start: usize, whole: &str) -> Diagnostic {
    let whole_span = place.tree.span(start..start + whole.len());
    let replace = |typed: String| Change::replace(whole_span, typed).unsafe_fix();
    let title = "key with no value";
    let Some((key, value)) = whole.split_once(':') else {
        let (first, rest) = whole.split_once([' ', '\t']).unwrap_or((whole, ""));
        let is_key = known::find(first).is_some() || scalar_of(rest).is_some();
        let (help, fix) = match is_key {
            true if rest.is_empty() => (format!("add `=` and a value after `{first}`"), None),
            true => {
                let typed = format!("{first} = {}", value_of(rest));
                (format!("write `{typed}`"), Some(replace(typed)))
            }
            false => (format!("add a key before it, as in `key = {}`", quote(whole)), None),
        };
        let at = start + whole.len() - skip_key(whole).unwrap_or(whole).trim_start().len();
        return place.syntax(at..at, title, "expected `=`", help).fix(fix);
    };
    let (key, value) = (key.trim(), value.trim());
    let is_plain = key.chars().all(|c| is_bare(c) || c == '.') || key.starts_with(['"', '\'']);
    let key = if is_plain { key.to_owned() } else { quote(key) };
    let below = place.text(place.line.end..place.tree.text.len()).trim_start_matches(['\r', '\n']);
    let colon = start + whole.find(':').unwrap_or(0);
    let found = |help: String| {
        place.syntax(colon..colon + 1, "found a colon instead of `=`", "TOML requires `=` here", help)
    };
    if value.starts_with(['|', '>']) {
        let quotes = "\"\"\"";
        return found(format!("write `{key} = {quotes}`, and `{quotes}` after the last line of the text"));
    }
    match value {
        "" if below.starts_with([' ', '\t']) => {
            found(format!("write `[{key}]` below all other keys, and `=` in its lines"))
        }
        "" => found(format!("write `{key} =` and a value")),
        value => {
            let typed = format!("{key} = {}", value_of(value));
            found(format!("write `{typed}`")).fix(replace(typed))
        }
    }
}

/// Returns the text if it begins with a TOML value.
fn scalar_of(text: &str) -> Option<&str> {
    (scalar::kind(text).is_some() || text.starts_with(['"', '\'', '['])).then_some(text)
}

/// Formats a value of another language as a TOML value.
fn value_of(text: &str) -> String {
    scalar_of(text).map_or_else(|| quote(text), str::to_owned)
}
