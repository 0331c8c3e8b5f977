//! Completes JSON text that is still being typed: closes open brackets and fills in missing values, so that
//! the parser of `skills-core` can read it, and describes the position of the cursor.

use std::ops::Range;

use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::tree::{Node, json};

/// The maximum nesting of values.
const DEPTH: usize = 64;

/// The element at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The keys and indexes of the value, or of the object that contains the key.
    pub(crate) path: Vec<String>,
    pub(crate) is_key: bool,
    /// Whether it is in quotes.
    pub(crate) is_quoted: bool,
    /// The typed text without quotes, up to the end of the word.
    pub(crate) word: Range<usize>,
    /// The existing keys of the object.
    pub(crate) siblings: Vec<String>,
    /// Whether a colon follows the key.
    pub(crate) has_colon: bool,
}

/// Parses a text that may be incomplete; returns a tree whose spans are meaningless, and the element at an
/// offset.
pub(crate) fn read(text: &str, offset: usize) -> (Option<Node>, Option<Cursor>) {
    let start = text.len() - skills_text::unmarked(text).len();
    let mut draft = Draft { text, at: start, offset, out: String::new(), path: Vec::new(), cursor: None };
    draft.value(0);
    let (out, cursor) = (draft.out, draft.cursor);
    let mut sources = SourceMap::new("");
    let file = sources.add("draft.json".to_owned(), out, None);
    (json::parse(sources.file(file), &mut Report::default()), cursor)
}

struct Draft<'t> {
    text: &'t str,
    at: usize,
    offset: usize,
    out: String,
    path: Vec<String>,
    cursor: Option<Cursor>,
}

impl Draft<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn skip(&mut self, skipped: &[char]) {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace() || skipped.contains(c)) {
            self.at += c.len_utf8();
        }
    }

    fn is_at(&self, range: &Range<usize>) -> bool {
        self.cursor.is_none() && range.start <= self.offset && self.offset <= range.end
    }

    fn note(&mut self, is_key: bool, is_quoted: bool, word: Range<usize>, siblings: &[String]) {
        let behind = self.text.get(self.at..).unwrap_or_default().trim_start();
        self.cursor = Some(Cursor {
            path: self.path.clone(),
            is_key,
            is_quoted,
            word,
            siblings: siblings.to_vec(),
            has_colon: behind.starts_with(':'),
        });
    }

    fn value(&mut self, depth: usize) {
        let before = self.at;
        self.skip(&[]);
        match self.peek() {
            Some('{') if depth < DEPTH => self.object(depth),
            Some('[') if depth < DEPTH => self.array(depth),
            Some('"') => {
                let word = self.string();
                if self.is_at(&word) {
                    self.note(false, true, word.clone(), &[]);
                }
                self.write(word);
            }
            None | Some(',' | '}' | ']' | ':' | '{' | '[') => {
                if self.is_at(&(before..self.at)) {
                    self.note(false, false, self.offset..self.offset, &[]);
                }
                self.out.push_str("null");
                // Skips a value that is nested too deeply.
                self.at += usize::from(matches!(self.peek(), Some('{' | '[')));
            }
            Some(_) => {
                let word = self.word();
                if self.is_at(&word) {
                    self.note(false, false, word.clone(), &[]);
                }
                let text = &self.text[word];
                let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
                self.out.push_str(if is_json { text } else { "null" });
            }
        }
    }

    fn object(&mut self, depth: usize) {
        self.at += 1;
        self.out.push('{');
        let mut siblings: Vec<String> = Vec::new();
        loop {
            let before = self.at;
            self.skip(&[',']);
            match self.peek() {
                Some('"') => {}
                found => {
                    if self.is_at(&(before..self.at)) {
                        self.note(true, false, self.offset..self.offset, &siblings);
                    }
                    match found {
                        Some('}') => {
                            self.at += 1;
                            break;
                        }
                        None | Some(']') => break,
                        Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => {}
                        Some(c) => {
                            self.at += c.len_utf8();
                            continue;
                        }
                    }
                }
            }
            if self.is_at(&(before..self.at.saturating_sub(1))) {
                self.note(true, false, self.offset..self.offset, &siblings);
            }
            let is_quoted = self.peek() == Some('"');
            let word = if is_quoted { self.string() } else { self.word() };
            if self.is_at(&word) {
                self.note(true, is_quoted, word.clone(), &siblings);
            }
            let key = self.text[word.clone()].to_owned();
            self.out.push_str(if siblings.is_empty() { "" } else { "," });
            self.write(word);
            self.out.push(':');
            siblings.push(key.clone());
            let line = self.at;
            self.skip(&[]);
            if self.peek() != Some(':') {
                self.out.push_str("null");
                self.at = line;
                continue;
            }
            self.at += 1;
            self.path.push(key);
            // A key on the next line is not a value of this key.
            if self.is_key_next() {
                let end = self.text[self.at..].find('\n').map_or(self.text.len(), |feed| self.at + feed);
                if self.is_at(&(self.at..end)) {
                    self.note(false, false, self.offset..self.offset, &[]);
                }
                self.out.push_str("null");
            } else {
                self.value(depth + 1);
            }
            self.path.pop();
        }
        self.out.push('}');
        if let Some(cursor) = self.cursor.as_mut().filter(|cursor| cursor.is_key && cursor.path == self.path)
        {
            // Later keys count as existing, too.
            let own = self.text[cursor.word.clone()].to_owned();
            siblings.retain(|key| *key != own);
            cursor.siblings = siblings;
        }
    }

    fn array(&mut self, depth: usize) {
        self.at += 1;
        self.out.push('[');
        for nth in 0_usize.. {
            let before = self.at;
            self.skip(&[',', ':']);
            self.path.push(nth.to_string());
            let is_end = matches!(self.peek(), None | Some(']' | '}'));
            if self.is_at(&(before..self.at.saturating_sub(usize::from(!is_end)))) {
                self.note(false, false, self.offset..self.offset, &[]);
            }
            if is_end {
                self.path.pop();
                if self.peek() == Some(']') {
                    self.at += 1;
                }
                break;
            }
            self.out.push_str(if nth == 0 { "" } else { "," });
            self.value(depth + 1);
            self.path.pop();
        }
        self.out.push(']');
    }

    /// Reads a string, which ends at the end of its line at the latest; returns the range inside the quotes.
    fn string(&mut self) -> Range<usize> {
        let start = self.at + 1;
        let mut escaped = false;
        for (at, c) in self.text[start..].char_indices() {
            match c {
                '\n' | '\r' => {
                    // Characters after a value on its line do not belong to it.
                    let text = self.text[start..start + at].trim_end_matches([' ', '\t', ',', ']', '}']);
                    self.at = start + text.len();
                    return start..self.at;
                }
                '"' if !escaped => {
                    self.at = start + at + 1;
                    return start..start + at;
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        self.at = self.text.len();
        start..self.at
    }

    fn word(&mut self) -> Range<usize> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c)).unwrap_or(rest.len());
        let word = self.at..self.at + end;
        self.at = word.end;
        word
    }

    fn is_key_next(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let next = rest.trim_start();
        let Some(inside) = next.strip_prefix('"').filter(|_| rest[..rest.len() - next.len()].contains('\n'))
        else {
            return false;
        };
        let line = inside.split('\n').next().unwrap_or_default();
        line.split_once('"').is_some_and(|(_, behind)| behind.trim_start().starts_with(':'))
    }

    /// Writes a string with the contents of a range of the text; characters that are invalid in JSON are left
    /// out.
    fn write(&mut self, word: Range<usize>) {
        let text = &self.text[word];
        let whole = format!("\"{text}\"");
        match serde_json::from_str::<serde_json::Value>(&whole).is_ok() {
            true => self.out.push_str(&whole),
            false => self.out.push_str(&serde_json::Value::from(text).to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, read};

    fn at(marked: &str) -> Cursor {
        let offset = marked.find('§').unwrap();
        let (tree, cursor) = read(&marked.replace('§', ""), offset);
        assert!(tree.is_some(), "{marked}");
        cursor.unwrap_or_else(|| panic!("nothing at the mark: {marked}"))
    }

    // SPEC 17.12
    #[test]
    fn a_text_is_read_while_it_is_typed() {
        for (marked, path, is_key) in [
            ("{ \"§", "", true),
            ("{ §", "", true),
            ("{ \"a\": 1, \"b§\": 2 }", "", true),
            ("{ \"a\": 1, § }", "", true),
            ("{ \"mode\": \"§", "mode", false),
            ("{ \"mode\": §\n}", "mode", false),
            ("{\n  \"mode\": §\n  \"calls\": []\n}", "mode", false),
            ("{\n  \"mode\": \"ll§\n  \"calls\": []\n}", "mode", false),
            ("{ \"calls\": [\"a\", \"§\"] }", "calls.1", false),
            ("{ \"calls\": [§", "calls.0", false),
            (
                "{ \"pipeline\": [{ \"step\": \"a\", \"skill\": \"§\n  }, { \"step\": \"b\" }] }",
                "pipeline.0.skill",
                false,
            ),
            ("{ \"pipeline\": [{ \"input\": { \"§\" }, \"skill\": \"add\" }] }", "pipeline.0.input", true),
            ("{ \"pipeline\": [{ \"step\": \"one\", \"§ }, { \"step\": \"two\" }] }", "pipeline.0", true),
        ] {
            let cursor = at(marked);
            assert_eq!((cursor.path.join(".").as_str(), cursor.is_key), (path, is_key), "{marked}");
        }
        assert_eq!(at("{ \"a\": 1, \"§\": 0, \"c\": 2 }").siblings, ["a", "c"]);
    }

    // SPEC 17.12, 12.1
    #[test]
    fn any_broken_text_is_read() {
        let text = "{ \"a\": [1, {\"b\": \"x\\\"y\"}, tru], \"c\" \"d\": {{ \"é🎉\": ] } , \"e\": \"open\n \"f\": 1 }";
        for cut in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for from in [0, cut / 2].into_iter().filter(|at| text.is_char_boundary(*at)) {
                let (tree, _) = read(&text[from..cut], (cut - from) / 2);
                assert!(tree.is_some(), "{}", &text[from..cut]);
            }
        }
        assert!(read(&"[".repeat(10_000), 5).0.is_some());
        assert!(read(&"{\"a\":".repeat(10_000), 5).0.is_some());
    }
}
