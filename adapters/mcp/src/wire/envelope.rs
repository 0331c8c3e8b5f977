//! Extracts the id of a message that is too long to keep or not valid, so that it can be answered.

use rmcp::model::RequestId;

/// The maximum length of a stored name or value. A longer `id` is ignored.
const KEPT: usize = 1 << 10;

/// The top-level members of a message, which may have any length. Only short values are kept.
#[derive(Default)]
pub(crate) struct Envelope {
    /// The first byte other than whitespace: `{` for a message, `[` for a batch.
    first: Option<u8>,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// The current name or value, if it is at the top level and short.
    token: Vec<u8>,
    is_id: bool,
    id: Option<RequestId>,
    has_method: bool,
    has_id: bool,
    has_answer: bool,
}

impl Envelope {
    /// Reads more bytes.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.step(*byte));
    }

    /// Returns `true` if the message is a batch.
    pub(crate) fn is_batch(&self) -> bool {
        self.first == Some(b'[')
    }

    /// Returns `true` if the message must not be answered: if it is a notification, or an answer itself,
    /// since two sides would otherwise answer each other's errors forever.
    pub(crate) fn is_silent(&self) -> bool {
        self.has_answer || (self.has_method && !self.has_id)
    }

    /// Returns the id of the request.
    pub(crate) fn into_id(self) -> Option<RequestId> {
        self.id
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match (self.is_escaped, byte) {
                (true, _) => self.is_escaped = false,
                (false, b'\\') => self.is_escaped = true,
                (false, b'"') => self.in_string = false,
                _ => {}
            }
            return;
        }
        if byte.is_ascii_whitespace() {
            return;
        }
        self.first.get_or_insert(byte);
        match byte {
            b'{' | b'[' => {
                self.keep(byte);
                self.depth = self.depth.saturating_add(1);
            }
            b'}' | b']' => {
                self.end();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.name(),
            b',' if self.depth == 1 => self.end(),
            _ => {
                self.in_string = byte == b'"';
                self.keep(byte);
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= KEPT {
            self.token.push(byte);
        }
    }

    fn name(&mut self) {
        let name: String = serde_json::from_slice(&self.token).unwrap_or_default();
        self.token.clear();
        self.is_id = name == "id";
        self.has_id |= self.is_id;
        self.has_method |= name == "method";
        self.has_answer |= matches!(name.as_str(), "result" | "error");
    }

    /// Ends a member.
    fn end(&mut self) {
        if self.depth != 1 {
            return;
        }
        if std::mem::take(&mut self.is_id) && self.first == Some(b'{') && self.token.len() <= KEPT {
            self.id = serde_json::from_slice(&self.token).ok();
        }
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::Envelope;

    fn read(text: &str) -> Envelope {
        let mut envelope = Envelope::default();
        // Independent of how the input is chunked.
        text.as_bytes().chunks(3).for_each(|part| envelope.read(part));
        envelope
    }

    // SPEC 11.4
    #[test]
    fn an_id_is_found_at_any_position() {
        let number = |id| Some(RequestId::Number(id));
        let text = |id: &str| Some(RequestId::String(id.into()));
        let long = "x".repeat(5_000);
        for (message, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":"#.to_owned(), number(7)),
            (r#"{"method":"x","params":{"id":1,"a":[{"id":2}]},"id": -3 }"#.to_owned(), number(-3)),
            (format!(r#"{{"method":"{long}","id":"a\"}},{{b"}}"#), text("a\"},{b")),
            (r#" { "\u0069d" : "é" , "method":"x"#.to_owned(), text("é")),
            (r#"{"method":"id","id":null}"#.to_owned(), None),
            (r#"{"method":"x","id":{"id":1}}"#.to_owned(), None),
            (r#"{"method":"x","id":1.5}"#.to_owned(), None),
            (r#"{"method":"x","params":{"id":1}}"#.to_owned(), None),
            (format!(r#"{{"id":"{long}"}}"#), None),
            (r#"[{"id":1,"method":"x"}]"#.to_owned(), None),
            (r#""id":1,"#.to_owned(), None),
            ("}]{".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(read(&message).into_id(), id, "{message}");
        }
    }

    // SPEC 11.4
    #[test]
    fn answers_and_notifications_are_not_answered() {
        let silent =
            [r#"{"id":1,"result":{}}"#, r#"{"error":"x","id":1,"#, r#"{"method":"x","params":{"id":1}}"#];
        silent.iter().for_each(|message| assert!(read(message).is_silent(), "{message}"));
        let others = [
            r#"{"id":1,"method":"x","params":{"result":1,"error":1}}"#,
            r#"{"id":{},"method":"x"}"#,
            "{}",
            "x",
            "",
        ];
        others.iter().for_each(|message| assert!(!read(message).is_silent(), "{message}"));
    }
}
