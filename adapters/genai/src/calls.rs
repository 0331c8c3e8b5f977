//! Assembles tool calls from chunks. genai's own assembly is switched off, because it allocates memory for
//! any index that a server sends.
//!
//! A chunk has no index. It has the id of its call, or `call_N` with the server's index if the server sends the
//! id only once. Its arguments are the next piece of text (OpenAI's protocol), the whole text so far
//! (Anthropic, Responses) or a value (Gemini, Ollama).

use genai::chat::ToolCall;
use serde_json::Value;
use skills_call::model::Delta;

/// The error for a piece of a tool call that belongs to no known call, or contradicts the earlier
/// pieces.
#[derive(Debug)]
pub(crate) struct BrokenToolCall;

/// The calls of an answer.
#[derive(Default)]
pub(crate) struct Calls(Vec<Call>);

#[derive(Default)]
struct Call {
    id: String,
    arguments: String,
    depth: Depth,
}

impl Calls {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the size of the arguments of a call in bytes.
    pub(crate) fn size(&self, index: usize) -> usize {
        self.0.get(index).map_or(0, |call| call.arguments.len())
    }

    /// Adds a chunk.
    pub(crate) fn push(&mut self, chunk: ToolCall) -> Result<Vec<Delta>, BrokenToolCall> {
        let ToolCall { call_id, fn_name, fn_arguments, .. } = chunk;
        let text = match fn_arguments {
            Value::String(text) => text,
            Value::Null => String::new(),
            whole => return Ok(self.start(call_id, fn_name, whole.to_string())),
        };
        let known = self.0.iter().rposition(|call| call.id == call_id && !call_id.is_empty());
        let Some(index) = known.or_else(|| self.numbered(&call_id, &fn_name)) else {
            return if fn_name.is_empty() {
                Err(BrokenToolCall)
            } else {
                Ok(self.start(call_id, fn_name, text))
            };
        };
        let call = self.0.get_mut(index).ok_or(BrokenToolCall)?;
        // Only a chunk with the whole text so far repeats the name and the beginning of the object.
        let is_whole = !fn_name.is_empty() && !call.arguments.is_empty();
        let piece = text.strip_prefix(call.arguments.as_str()).filter(|_| is_whole).unwrap_or(&text);
        Ok(call.add(index, piece).into_iter().collect())
    }

    /// Adds a whole call. Some of its pieces may already have been added.
    pub(crate) fn complete(&mut self, whole: ToolCall) -> Result<Vec<Delta>, BrokenToolCall> {
        let ToolCall { call_id, fn_name, fn_arguments, .. } = whole;
        let text = match &fn_arguments {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let Some(index) = self.0.iter().rposition(|call| call.id == call_id) else {
            return Ok(self.start(call_id, fn_name, text));
        };
        let call = self.0.get_mut(index).ok_or(BrokenToolCall)?;
        let is_same = call.arguments == text
            || serde_json::from_str(&call.arguments).is_ok_and(|sent: Value| sent == fn_arguments);
        match call.arguments.is_empty() {
            true => Ok(call.add(index, &text).into_iter().collect()),
            false if is_same => Ok(Vec::new()),
            false => Err(BrokenToolCall),
        }
    }

    /// Gives an empty object to every call without arguments.
    pub(crate) fn fill(&mut self) -> Vec<Delta> {
        let empty = self.0.iter_mut().enumerate().filter(|(_, call)| call.arguments.is_empty());
        empty.filter_map(|(index, call)| call.add(index, "{}")).collect()
    }

    /// Finds the call of a chunk without an id and a name, by the index in `call_N`. Some servers number every
    /// call 0, and some do not begin with 0. So if the call with that index is complete or does not exist, the
    /// chunk belongs to the last call.
    fn numbered(&self, id: &str, name: &str) -> Option<usize> {
        if !name.is_empty() {
            return None;
        }
        // Some servers send an empty id with every piece after the first.
        let number = if id.is_empty() { None } else { id.strip_prefix("call_")?.parse().ok() };
        number
            .filter(|index: &usize| self.0.get(*index).is_some_and(|call| !call.depth.is_closed()))
            .or_else(|| self.0.len().checked_sub(1))
    }

    fn start(&mut self, id: String, name: String, arguments: String) -> Vec<Delta> {
        let index = self.0.len();
        // genai creates ids for Gemini's calls, but it repeats the same ids in each event. It recognizes its ids
        // by this form.
        let is_again = id.starts_with("call#") && self.0.iter().any(|call| call.id == id);
        let id = if id.is_empty() {
            format!("call_{index}")
        } else if is_again {
            format!("call#{name}#{index}")
        } else {
            id
        };
        let mut call = Call { id: id.clone(), ..Call::default() };
        let piece = call.add(index, &arguments);
        self.0.push(call);
        [Delta::ToolCallStart { index, id, name }].into_iter().chain(piece).collect()
    }
}

impl Call {
    fn add(&mut self, index: usize, piece: &str) -> Option<Delta> {
        self.arguments.push_str(piece);
        self.depth.read(piece);
        (!piece.is_empty()).then(|| Delta::ToolCallArguments { index, text: piece.to_owned() })
    }
}

/// Counts brackets to find out whether a JSON object is complete, since an incomplete object cannot
/// be parsed.
#[derive(Default)]
struct Depth {
    open: usize,
    has_begun: bool,
    is_text: bool,
    is_escaped: bool,
}

impl Depth {
    fn is_closed(&self) -> bool {
        self.has_begun && self.open == 0
    }

    fn read(&mut self, piece: &str) {
        for byte in piece.bytes() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_text => self.is_escaped = true,
                b'"' => self.is_text = !self.is_text,
                b'{' | b'[' if !self.is_text => (self.open, self.has_begun) = (self.open + 1, true),
                b'}' | b']' if !self.is_text => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
    }
}
