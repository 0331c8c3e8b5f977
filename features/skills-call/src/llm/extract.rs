//! Finds the JSON values in the text of a model's answer. Skips the model's thinking and code in other languages.

use std::borrow::Cow;

use serde_json::Value;
use skills_text::json;

/// The names of tags around a model's thinking: `<think>`, `[THINK]`, `<|START_THINKING|>`, `◁think▷`.
const THINKING: [&str; 12] = [
    "analysis",
    "inner_monologue",
    "monologue",
    "reason",
    "reasoning",
    "reflection",
    "scratchpad",
    "think",
    "thinking",
    "thought",
    "thoughts",
    "thought_process",
];

/// The channels of `<|channel|>NAME` whose text is the answer. All others are thinking or calls of tools.
const ANSWERING: [&str; 3] = ["answer", "final", "response"];

/// The languages of code blocks that can contain the answer. In all others, a value is part of a program.
const ANSWER_LANGUAGES: [&str; 15] = [
    "",
    "answer",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "markdown",
    "md",
    "ndjson",
    "output",
    "plain",
    "plaintext",
    "result",
    "text",
    "txt",
];

/// The longest tag: a name and its attributes.
const MAX_TAG: usize = 200;

/// The number of brackets without a JSON value after which the rest of an answer counts as broken.
const MAX_FAILED: usize = 10_000;

/// The values in an answer.
#[derive(Debug, Default)]
pub(super) struct Extracted<'a> {
    /// The valid values in the order of the text, each with its offset.
    pub(super) values: Vec<(usize, Cow<'a, str>)>,
    /// The last value that is not valid JSON.
    pub(super) broken: Option<Broken>,
    /// Whether the answer ends inside of thinking.
    pub(super) ends_in_thinking: bool,
}

/// A value that is not valid JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Its error, with offsets in the answer.
    pub(super) error: json::Error,
    /// Where the value ends.
    end: usize,
    /// Whether nothing follows it in the answer. It is then what the model answered, and an earlier value is not.
    pub(super) is_last: bool,
}

/// Returns the JSON values in an answer, the last one first. If the whole answer is one JSON value, it returns
/// that value and, if it is a string, the JSON in the string.
///
/// Skips the model's thinking (`<think>…</think>` and its relatives, also if the block is not closed) and code
/// blocks in other languages than JSON.
pub fn candidates(answer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    extract(answer).values.into_iter().rev().map(|(_, value)| value)
}

/// Finds the values in an answer.
pub(super) fn extract(answer: &str) -> Extracted<'_> {
    let mut found = Extracted::default();
    if found.add_whole(without_last_markers(answer), 0) {
        return found;
    }
    let mut scan = Scan {
        text: answer,
        at: 0,
        answer_start: 0,
        found,
        open_fence: None,
        is_quoting_broken: false,
        failed: 0,
        no_fence: usize::MAX,
    };
    while scan.at < answer.len() {
        scan.step();
    }
    let Scan { mut found, answer_start, .. } = scan;
    // Behind the thinking, the rest can be one value as well, also one that is not an object.
    let rest = answer.get(answer_start..).unwrap_or_default();
    if answer_start > 0 && !found.ends_in_thinking {
        let mut whole = Extracted::default();
        if whole.add_whole(without_last_markers(rest), answer_start) {
            return whole;
        }
    }
    if let Some(broken) = &mut found.broken {
        let behind = answer.get(broken.end..).unwrap_or_default();
        broken.is_last =
            without_last_markers(behind).chars().all(|letter| letter.is_whitespace() || letter == '`');
    }
    found
}

impl<'a> Extracted<'a> {
    /// Adds a text that is one value, and returns `true` if it is.
    fn add_whole(&mut self, text: &'a str, offset: usize) -> bool {
        let value = text.trim_matches(is_space);
        let start = offset + text.len() - text.trim_start_matches(is_space).len();
        if prefix(value) != Some(value) {
            return false;
        }
        if let Ok(Value::String(inner)) = serde_json::from_str(value)
            && inner.trim_start().starts_with(['{', '['])
            && prefix(inner.trim()) == Some(inner.trim())
        {
            self.values.push((start, Cow::Owned(inner.trim().to_owned())));
        }
        self.values.push((start, Cow::Borrowed(value)));
        true
    }
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}')
}

/// The state of the search.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// The end of the last thinking.
    answer_start: usize,
    found: Extracted<'a>,
    /// The number of backticks or tildes that opened the current code block.
    open_fence: Option<(char, usize)>,
    /// Whether the quotes of an earlier value are not in pairs, so that brackets are counted without them.
    is_quoting_broken: bool,
    /// The number of brackets that began no JSON value.
    failed: usize,
    /// A code block that opens with so many backticks has no closing line in the rest of the text.
    no_fence: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Handles what begins at the current place, and moves behind it.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(next) = rest.find(['{', '[', '<', '`', '~', '◁']) else {
            self.at = self.text.len();
            return;
        };
        self.at += next;
        let rest = self.rest();
        match rest.chars().next() {
            Some('`' | '~') => self.fence(rest),
            Some('<' | '◁') => self.tag(rest),
            Some('[') if rest.starts_with("[THINK]") || rest.starts_with("[/THINK]") => self.tag(rest),
            Some('{' | '[') => self.value(rest),
            _ => self.at = self.text.len(),
        }
    }

    /// Moves into a code block that can contain the answer, and behind any other.
    fn fence(&mut self, rest: &'a str) {
        let mark = if rest.starts_with('`') { '`' } else { '~' };
        let inside = rest.trim_start_matches(mark);
        let length = rest.len() - inside.len();
        let is_line_start = self.is_at_line_start();
        self.at += length;
        if length < 3 || (mark == '~' && !is_line_start) {
            return;
        }
        let language = language(inside);
        let line = first_line(inside).trim();
        let is_opening = is_line_start && !language.is_empty() && line == language;
        if self.open_fence.is_some_and(|(open, least)| open == mark && length >= least) && !is_opening {
            self.open_fence = None;
            return;
        }
        let is_value = prefix(language) == Some(language);
        if is_value || ANSWER_LANGUAGES.contains(&language.to_ascii_lowercase().as_str()) {
            self.open_fence = Some((mark, length));
            let language = if is_value { "" } else { language };
            if let Some((offset, value)) = fenced_scalar(inside, language) {
                self.found.add_whole(value, self.at + offset);
                self.at += offset + value.len();
            }
            return;
        }
        self.at += self.fence_end(inside, mark, length).unwrap_or(inside.len());
    }

    /// Returns the end of a code block: the next line of enough backticks or, without such a line, the next ones.
    fn fence_end(&mut self, inside: &str, mark: char, length: usize) -> Option<usize> {
        let run: String = std::iter::repeat_n(mark, length).collect();
        let next = inside.find(&run)?;
        if !inside.get(..next)?.contains('\n') {
            return Some(next + length);
        }
        if length < self.no_fence {
            let mut offset = 0;
            for line in inside.split_inclusive('\n') {
                offset += line.len();
                let marks = line.trim();
                if marks.len() >= length && marks.chars().all(|letter| letter == mark) {
                    return Some(offset);
                }
            }
            self.no_fence = length;
        }
        Some(next + length)
    }

    /// Returns `true` if only spaces and the marks of lists and quotes stand before the current place in its line.
    fn is_at_line_start(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before
            .chars()
            .rev()
            .take_while(|letter| *letter != '\n')
            .all(|letter| letter.is_whitespace() || matches!(letter, '>' | '-' | '*' | '\u{feff}'))
    }

    /// Moves behind thinking.
    fn tag(&mut self, rest: &'a str) {
        if let Some(answer) = rest.strip_prefix("<channel|>") {
            self.at = self.text.len() - answer.len();
            return self.begin_answer();
        }
        let Some(tag) = Tag::parse(rest) else {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            return;
        };
        self.at += tag.len;
        let inside = self.rest();
        if tag.name == "channel" && !tag.is_end {
            let channel = inside.trim_start();
            let end = channel.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(channel.len());
            let channel = channel.get(..end).unwrap_or_default().to_ascii_lowercase();
            if ANSWERING.contains(&channel.as_str()) {
                self.begin_answer();
                if let Some(at) = first_line(inside).find("<|message") {
                    self.at += at;
                    self.at += Tag::parse(self.rest()).map_or(0, |tag| tag.len);
                    self.answer_start = self.at;
                }
                return;
            }
            match inside
                .match_indices('<')
                .find(|(at, _)| is_channel_end(inside.get(*at..).unwrap_or_default()))
            {
                Some((at, _)) => {
                    self.at += at;
                    self.answer_start = self.at;
                }
                None => self.end_in_thinking(),
            }
        } else if tag.is_thinking() && tag.is_end {
            // The opening tag was part of the prompt.
            self.begin_answer();
        } else if tag.is_thinking() {
            match thinking_end(inside) {
                Some(end) => {
                    self.at += end;
                    self.answer_start = self.at;
                }
                None => self.end_in_thinking(),
            }
        }
    }

    /// Forgets what stands before the answer: it was thinking.
    fn begin_answer(&mut self) {
        self.found = Extracted::default();
        self.answer_start = self.at;
    }

    fn end_in_thinking(&mut self) {
        self.at = self.text.len();
        self.found.ends_in_thinking = true;
    }

    /// Adds the value at the current place. Nothing inside of a broken value is a value of its own.
    fn value(&mut self, rest: &'a str) {
        if let Some(value) = prefix(rest) {
            if !self.is_prose(value) {
                self.found.values.push((self.at, Cow::Borrowed(value)));
            }
            self.at += value.len();
            return;
        }
        self.failed += 1;
        if !looks_like_json(rest) && self.failed < MAX_FAILED {
            self.at += 1;
            return;
        }
        let end = if self.failed < MAX_FAILED { self.broken_end(rest) } else { rest.len() };
        let value = rest.get(..end).unwrap_or(rest);
        match json::parse(value) {
            Ok(_) => self.found.values.push((self.at, Cow::Borrowed(value))),
            Err(error) => {
                let (start, error_end) = (self.at + error.start, self.at + error.end);
                let error = json::Error { start, end: error_end, ..error };
                self.found.broken = Some(Broken { error, end: self.at + end, is_last: false });
            }
        }
        self.at += end;
    }

    /// Returns `true` for brackets of Markdown: a box of a list of tasks, a link, and the number of a footnote.
    fn is_prose(&self, value: &str) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let after = self.text.get(self.at + value.len()..).unwrap_or_default();
        if !value.starts_with('[') {
            return false;
        }
        let is_box = value.len() == 3 && value.trim_matches(['[', ']']).trim().is_empty();
        let is_attached =
            before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, ']' | ')'));
        is_box || is_attached || after.starts_with(['(', '['])
    }

    /// Returns where a broken value ends: at the bracket that closes it, or at the end of the text.
    fn broken_end(&mut self, rest: &str) -> usize {
        if !self.is_quoting_broken {
            if let Some(end) = closing(rest, true) {
                return end;
            }
            self.is_quoting_broken = true;
        }
        closing(rest, false).unwrap_or(rest.len())
    }
}

/// Returns the first line of a text, at most as long as a tag.
fn first_line(text: &str) -> &str {
    let start = text.get(..skills_text::floor(text, MAX_TAG)).unwrap_or_default();
    start.lines().next().unwrap_or_default()
}

/// Returns the word after the backticks of a code block, without a file name or attributes behind it.
fn language(inside: &str) -> &str {
    let line = first_line(inside).trim_start_matches([' ', '\t']);
    let end = line.find(|letter| !is_part(letter)).unwrap_or(line.len());
    line.get(..end).unwrap_or_default().trim_start_matches("application/")
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '+' | '#' | '.' | '/' | '_' | '-')
}

/// Returns the string, number or other scalar of a code block that contains nothing else, with its offset. Objects and
/// arrays are found by the search.
fn fenced_scalar<'a>(inside: &'a str, language: &str) -> Option<(usize, &'a str)> {
    let block = inside.trim_start_matches([' ', '\t']).trim_start_matches("application/");
    let block = block.strip_prefix(language)?.trim_start();
    if block.starts_with(['{', '[']) {
        return None;
    }
    let value = prefix(block)?;
    let behind = block.get(value.len()..)?.trim_start();
    (behind.is_empty() || behind.starts_with(['`', '~'])).then_some((inside.len() - block.len(), value))
}

/// A tag in one of the notations of models: `<name>`, `[name]`, `<|name|>`, `◁name▷`.
struct Tag {
    /// The name in lower case, without `start_`, `end_` and a namespace.
    name: String,
    is_end: bool,
    len: usize,
}

impl Tag {
    fn parse(text: &str) -> Option<Self> {
        let open = text.chars().next()?;
        let close = match open {
            '<' => '>',
            '[' => ']',
            '◁' => '▷',
            _ => return None,
        };
        let limit = skills_text::floor(text, MAX_TAG);
        let end = text.get(..limit)?.find(close)?;
        let inside = text.get(open.len_utf8()..end)?.trim_start_matches('|');
        let (is_slash, inside) = match inside.strip_prefix('/') {
            Some(inside) => (true, inside),
            None => (false, inside),
        };
        let word_end = inside
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | ':' | '-'))
            .unwrap_or(inside.len());
        let word = inside.get(..word_end)?.to_ascii_lowercase();
        if word.is_empty() || inside.get(word_end..)?.contains(open) {
            return None;
        }
        let name = word.rsplit(':').next()?;
        let (is_end, name) = match (name.strip_prefix("end_"), name.strip_prefix("start_")) {
            (Some(name), _) => (true, name),
            (None, Some(name)) => (is_slash, name),
            (None, None) => (is_slash, name),
        };
        Some(Self { name: name.to_owned(), is_end, len: end + close.len_utf8() })
    }

    fn is_thinking(&self) -> bool {
        THINKING.contains(&self.name.as_str())
    }
}

/// Returns `true` if a channel ends where the text begins.
fn is_channel_end(text: &str) -> bool {
    ["<|end", "<|start", "<|channel", "<|return", "<|call", "<channel|>"]
        .iter()
        .any(|end| text.starts_with(end))
}

/// Returns the end of thinking: behind the first closing tag.
fn thinking_end(inside: &str) -> Option<usize> {
    inside.match_indices(['<', '[', '◁']).find_map(|(at, _)| {
        let tag = Tag::parse(inside.get(at..)?)?;
        (tag.is_thinking() && tag.is_end).then_some(at + tag.len)
    })
}

/// Removes what some servers leave of the model's tokens: `<|end|>`, `<|im_end|>`, `</s>`.
fn without_last_markers(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some(at) = text.rfind('<') {
        let marker = text.get(at..).unwrap_or_default();
        let is_marker = (marker.starts_with("<|") && marker.ends_with("|>")) || marker == "</s>";
        if !is_marker {
            break;
        }
        text = text.get(..at).unwrap_or_default().trim_end();
    }
    text
}

/// Returns `true` if a text begins as an object or an array does, also in JavaScript or Python. Prose with
/// brackets, such as `{name}` and `[0, 1)`, does not.
fn looks_like_json(text: &str) -> bool {
    let is_object = text.starts_with('{');
    let inside = text.get(1..).unwrap_or_default().trim_start();
    if inside.is_empty() || inside.starts_with(['"', '\'', '“', '‘', '”']) {
        return true;
    }
    if !is_object {
        return inside.starts_with(['{', '[']);
    }
    let word = inside
        .trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '-'));
    inside.starts_with("//")
        || inside.starts_with("/*")
        || inside.starts_with('#')
        || (word.len() < inside.len() && word.trim_start().starts_with(':'))
}

/// Returns the end of the bracket at the start of a text. With `quotes`, ignores brackets in strings.
fn closing(text: &str, quotes: bool) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match byte {
            b'\\' if in_string => is_escaped = true,
            b'"' if quotes => in_string = !in_string,
            b'\n' => in_string = false,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the JSON value at the start of a text, without the text after it.
fn prefix(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()?;
    text.get(..values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::{candidates, extract};

    fn last(answer: &str) -> Option<String> {
        candidates(answer).next().map(std::borrow::Cow::into_owned)
    }

    fn broken(answer: &str) -> Option<(&'static str, bool)> {
        extract(answer).broken.map(|broken| (broken.error.kind.as_str(), broken.is_last))
    }

    // SPEC 7.12
    #[test]
    fn the_last_value_comes_first() {
        for (answer, value) in [
            (" {\"a\": 1}\n", "{\"a\": 1}"),
            ("\u{feff}{\"a\": 1}", "{\"a\": 1}"),
            ("[1, 2]", "[1, 2]"),
            ("\"text\"<|im_end|>", "\"text\""),
            ("Here it is:\n```json\n{\"a\": 1}\n```\nDone.", "{\"a\": 1}"),
            ("```JSON title=\"x\"\n{\"a\": 1}\n```", "{\"a\": 1}"),
            ("Here: ```json {\"a\": 1}``` as you asked.", "{\"a\": 1}"),
            ("~~~\n{\"a\": 1}\n~~~", "{\"a\": 1}"),
            ("```\n\"text\"\n```", "\"text\""),
            ("The number is:\n```json\n42\n```", "42"),
            ("See {this}: {\"a\": {\"b\": 2}} and {\"c\": 3}", "{\"c\": 3}"),
            ("Of ```{\"a\": 1}``` and ```{\"a\": 2}``` take {\"a\": 3}", "{\"a\": 3}"),
            ("<answer>{\"a\": 1}</answer>", "{\"a\": 1}"),
            ("In [0, 1) it is {\"a\": 1}.", "{\"a\": 1}"),
            ("$\\boxed{{\"a\": 1}}$", "{\"a\": 1}"),
            ("{{\"a\": 1}}", "{\"a\": 1}"),
            ("My list: [\"x\"]. Now: [\"y\"]", "[\"y\"]"),
            ("{\"a\": 1} as in [1](x), values[2] and\n- [ ] more", "{\"a\": 1}"),
        ] {
            assert_eq!(last(answer).as_deref(), Some(value), "{answer}");
        }
        for nothing in ["", "none", "{", "{\"a\": ", "```json\n", "```", "<", "<|", "[", "~~~"] {
            assert_eq!(last(nothing), None, "{nothing}");
        }
        let whole = "{\"a\": \"```[1]``` <think>\"}";
        assert!(candidates(whole).eq([whole]), "markers in a string are text");
        assert_eq!(last(&format!("Here: {whole} Done.")).as_deref(), Some(whole));
        let string = "\"{\\\"a\\\": 1}\"";
        assert!(candidates(string).eq([string, "{\"a\": 1}"]), "the string first, then the JSON in it");
    }

    // SPEC 7.12
    #[test]
    fn thinking_is_skipped() {
        let (no, yes) = ("{\"a\": 0}", "{\"a\": 1}");
        for answer in [
            format!("<think>{no}</think>{yes}"),
            format!("<THINKING level=\"2\">{no}</THINKING>\n\n{yes}"),
            format!("<reasoning>\n{no}</reasoning>\n```json\n{yes}\n```"),
            format!("maybe {no}\n</think>\n{yes}"),
            format!("<think>a <think> b {no}</think> c {no}</think>{yes}"),
            format!("<think>{no}</think>{no}<think>no, {no}</think>{yes}"),
            format!("{yes}\n<think>or {no}? no"),
            format!("[THINK]{no}[/THINK]{yes}"),
            format!("◁think▷{no}◁/think▷{yes}"),
            format!("<|START_THINKING|>{no}<|END_THINKING|><|START_RESPONSE|>{yes}<|END_RESPONSE|>"),
            format!("<seed:think>{no}</seed:think>{yes}"),
            format!(
                "<|channel|>analysis<|message|>{no}<|end|><|start|>assistant<|channel|>final<|message|>{yes}<|return|>"
            ),
            format!("{no}<|channel|>final <|constrain|>json<|message|>{yes}"),
            format!("<|channel>thought\n{no}<channel|>{yes}"),
            format!("analysisMaybe {no}.assistantfinal{yes}"),
        ] {
            assert!(candidates(&answer).next().is_some_and(|value| value == yes), "{answer}");
        }
        for answer in [format!("<think>{no}"), format!("<|channel|>analysis<|message|>{no}")] {
            assert!(extract(&answer).ends_in_thinking && last(&answer).is_none(), "{answer}");
        }
        assert_eq!(last("<think>7</think>\n\"yes\"\n").as_deref(), Some("\"yes\""));
        assert_eq!(last("<|channel|>final<|message|>42<|return|>").as_deref(), Some("42"));
    }

    // SPEC 7.12
    #[test]
    fn code_in_other_languages_is_skipped() {
        let yes = "{\"a\": 1}";
        for answer in [
            format!("```bash\necho '{{}}'\n```\n{yes}"),
            format!("{yes}\n```python\nprint({{\"a\": 0}})\n```"),
            format!("{yes}\n~~~js\nlet x = {{\"a\": 0}};\n~~~"),
            format!("{yes}\n```sh\necho '{{\"a\": 0}}'"),
            format!("{yes} and not ```bash echo '{{\"a\": 0}}'``` of course"),
            format!("````markdown\n# Title\n```json\n{yes}\n```\n````\nHope it helps."),
            format!("````python\n\"\"\"\n```json\n{{\"a\": 0}}\n```\n\"\"\"\n````\n{yes}"),
        ] {
            assert_eq!(last(&answer).as_deref(), Some(yes), "{answer}");
        }
        let nested = "```json\n{\"code\": \"```rust\\nfn f() {}\\n```\"}\n```";
        assert_eq!(last(nested).as_deref(), Some("{\"code\": \"```rust\\nfn f() {}\\n```\"}"));
    }

    // SPEC 7.12
    #[test]
    fn nothing_inside_of_a_broken_value_is_a_value() {
        for (answer, error) in [
            ("{\"a\": {\"b\": 1},}", "trailing comma"),
            ("Here:\n```json\n{\"a\": {\"b\": 1},}\n```", "trailing comma"),
            ("{// why\n\"a\": {}}", "comments are not JSON"),
            ("{'a': {\"b\": 1}}", "expected a key in double quotes"),
            ("{a: {\"b\": 1}}", "expected a key in double quotes"),
            ("{“a”: {\"b\": 1}}", "expected a key in double quotes"),
            ("{\"a\": NaN, \"b\": {}}", "expected a JSON value"),
            ("{\"a\": {\"b\": 1}, \"c\": \"because", "the JSON text ends inside a value"),
            ("{\"a\": \"He said \"hi\" to me\", \"b\": {}}", "expected `,` or the closing bracket"),
            ("[{\"a\": 1},]", "trailing comma"),
        ] {
            assert_eq!((last(answer), broken(answer)), (None, Some((error, true))), "{answer}");
        }
        let both = "{\"a\": 0,} Sorry: {\"a\": 1}";
        assert_eq!(
            (last(both).as_deref(), broken(both)),
            (Some("{\"a\": 1}"), Some(("trailing comma", false)))
        );
        assert_eq!(broken("{\"a\": 1} and {\"a\": 2,}<|im_end|>\n"), Some(("trailing comma", true)));
    }

    // SPEC 12.1
    #[test]
    fn no_answer_takes_long_or_panics() {
        for unit in [
            "{",
            "{\"a\":",
            "[",
            "[1,",
            "[{\"a\":1},",
            "```",
            "```{",
            "```x\n",
            "~~~y\n",
            "{\"a\":[{},",
            "\u{fffd}{\"",
            "{\"\\u",
            "<",
            "<think>",
            "</think>",
            "<|channel|>",
            "<|channel|>final",
            "{'",
            "{\"a\" b}",
            "{x:1}",
            "[THINK]",
            "◁",
        ] {
            let giant = unit.repeat(50_000);
            assert!(candidates(&giant).count() <= 100_000, "{unit}");
        }
    }
}
