//! A running step: its begun and finished calls, and their results.

use skills_schema::json::Node;
use skills_template::Type;
use skills_template::render::Value;

use crate::CallError;

/// The calls of one step: one, or one for each item of its list.
#[derive(Default)]
pub(super) struct Work {
    /// The items of a `foreach` that a filter created.
    list: Option<Vec<Node>>,
    /// The maximum number of concurrent calls.
    limit: usize,
    begun: usize,
    pub(super) done: usize,
    texts: Vec<String>,
    /// Whether all results so far were saved earlier instead of created now.
    pub(super) is_resumed: bool,
    /// Whether the step is in the queue of steps that can begin another call.
    is_queued: bool,
}

impl Work {
    /// Creates the work of a step without a list.
    pub(super) fn single() -> Self {
        Self { limit: 1, texts: vec![String::new()], is_resumed: true, ..Self::default() }
    }

    /// Creates the work of a step over a list.
    pub(super) fn of(list: Value<'_>, limit: usize) -> Result<Self, CallError> {
        let count = match (&list, list.kind()) {
            (_, Type::Array) => list.length(),
            (Value::Missing, _) => return Err(CallError::NotAnArray { found: "no value" }),
            (_, kind) => return Err(CallError::NotAnArray { found: kind.article() }),
        };
        let made = match list {
            Value::Array(items) => items.into_iter().map(Value::into_node).collect(),
            _ => Vec::new(),
        };
        let texts = vec![String::new(); count];
        Ok(Self { list: Some(made), limit, texts, is_resumed: count > 0, ..Self::default() })
    }

    pub(super) fn total(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.texts.len()
    }

    /// Leaves the queue and begins one more call. Returns the index of its item, or `None` for a step without
    /// a list.
    pub(super) fn begin(&mut self) -> Option<usize> {
        self.is_queued = false;
        self.begun += 1;
        self.list.as_ref().map(|_| self.begun - 1)
    }

    /// Returns `true` if the step must be queued for another call and is not queued yet.
    pub(super) fn queue(&mut self) -> bool {
        let may = self.begun < self.texts.len() && self.begun - self.done < self.limit;
        may && !std::mem::replace(&mut self.is_queued, true)
    }

    /// Stores the result of a call.
    pub(super) fn finish(&mut self, item: Option<usize>, text: String, is_resumed: bool) {
        if let Some(place) = self.texts.get_mut(item.unwrap_or_default()) {
            *place = text;
        }
        self.done += 1;
        self.is_resumed &= is_resumed;
    }

    /// Returns an item that a filter created. The template reads all other items directly from the input or a
    /// result.
    pub(super) fn item(&self, item: usize) -> Option<&Node> {
        self.list.as_ref()?.get(item)
    }

    /// Returns the result: the output of the only call, or `{"results": […]}` in the order of the list.
    pub(super) fn take_text(&mut self) -> String {
        match self.list {
            None => self.texts.pop().unwrap_or_default(),
            Some(_) => format!("{{\"results\":[{}]}}", self.texts.join(",")),
        }
    }
}
