//! Formats keys and values as one JSON object on one line, for the JSON and SARIF printers.

use std::fmt::Write;

use skills_core::tree::text;
use skills_text::is_hidden;

/// A JSON object under construction.
pub(crate) struct Object(String);

impl Object {
    /// Starts an object.
    pub(crate) fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a string.
    pub(crate) fn text(self, key: &str, value: &str) -> Self {
        self.raw(key, &quote(value))
    }

    /// Adds a whole number.
    pub(crate) fn number(self, key: &str, value: usize) -> Self {
        self.raw(key, &value.to_string())
    }

    /// Adds a value that is already JSON.
    pub(crate) fn raw(mut self, key: &str, value: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&quote(key));
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    /// Adds an array of values that are already JSON.
    pub(crate) fn list(self, key: &str, items: &[String]) -> Self {
        self.raw(key, &format!("[{}]", items.join(",")))
    }

    /// Returns the text.
    pub(crate) fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Formats a JSON string. Characters that a terminal must not show are escaped too.
pub(crate) fn quote(text: &str) -> String {
    let quoted = text::quote(text);
    if !quoted.contains(is_hidden) {
        return quoted;
    }
    let mut out = String::with_capacity(quoted.len());
    for c in quoted.chars() {
        if !is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_survives_an_independent_reader() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b");
            let quoted = quote(&text);
            assert!(!quoted.chars().any(is_hidden), "{quoted:?}");
            let read: String = serde_json::from_str(&quoted).expect("quoted text is JSON");
            assert_eq!(read, text);
        }
    }

    #[test]
    fn objects_keep_their_order() {
        let object = Object::new().text("b", "x\"y").number("a", 1).list("c", &["1".into(), "{}".into()]);
        assert_eq!(object.end(), r#"{"b":"x\"y","a":1,"c":[1,{}]}"#);
        assert_eq!(Object::new().end(), "{}");
    }
}
