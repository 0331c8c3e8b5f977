//! Builds a [`Node`] from parser events: applies tags, expands aliases, checks keys.

use std::ops::Range;

use granit_parser::{Event, ScalarStyle, StructureStyle, Tag};
use skills_text::Places;

use super::anchor::Anchors;
use super::event::ScannedEvent;
use super::text::YamlText;
use super::{fault, objection, scalar};
use crate::tree::{MapEntry, Node, Scalar, ScalarType, Value};
use crate::{Report, Span};

/// Builds the first document, and reports its faults. Returns `true` if some text is left out.
pub(super) fn build<'a>(
    text: &'a YamlText<'a>,
    events: &'a [ScannedEvent<'a>],
    report: &'a mut Report,
) -> (Option<Node>, bool) {
    let mut builder =
        Builder { text, events, at: 0, end: 0, anchors: Anchors::default(), report, lossy: false };
    let root = builder.document();
    (root, builder.lossy)
}

struct Builder<'a> {
    text: &'a YamlText<'a>,
    events: &'a [ScannedEvent<'a>],
    at: usize,
    /// The end of the last token that is part of a value.
    end: usize,
    anchors: Anchors,
    report: &'a mut Report,
    lossy: bool,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Option<&'a ScannedEvent<'a>> {
        let item = self.events.get(self.at)?;
        self.at += 1;
        Some(item)
    }

    fn peek(&self) -> Option<&'a Event<'a>> {
        self.events.get(self.at).map(|item| &item.event)
    }

    fn document(&mut self) -> Option<Node> {
        let mut root = None;
        let mut documents = 0;
        while let Some(item) = self.next() {
            match &item.event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents == 2 {
                        self.lossy = true;
                        self.report.push(objection::second_document(self.text, item.range.clone()));
                    }
                }
                Event::DocumentEnd => {}
                _ => {
                    self.at -= 1;
                    let node = self.node();
                    if documents < 2 {
                        root = node;
                    }
                }
            }
            if documents >= 2 {
                break;
            }
        }
        root
    }

    fn node(&mut self) -> Option<Node> {
        let item = self.next()?;
        let (anchor, node) = match &item.event {
            Event::Alias(id) => return Some(self.alias(*id, item)),
            Event::UnresolvedAlias(name) => return Some(self.unknown_alias(name, item)),
            Event::Scalar(value, style, anchor, tag) => {
                (*anchor, self.scalar(value, *style, tag.as_deref(), item))
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.anchors.open(*anchor);
                self.check_indent(*style, item);
                let items = self.items();
                (
                    *anchor,
                    self.collection(Value::List(items), *style == StructureStyle::Flow, tag.as_deref(), item),
                )
            }
            Event::MappingStart(style, anchor, tag) => {
                self.anchors.open(*anchor);
                self.check_indent(*style, item);
                let entries = self.entries();
                (
                    *anchor,
                    self.collection(
                        Value::Map(entries),
                        *style == StructureStyle::Flow,
                        tag.as_deref(),
                        item,
                    ),
                )
            }
            _ => return None,
        };
        self.anchors.close(anchor, &node);
        Some(node)
    }

    fn collection(
        &mut self,
        value: Value,
        is_flow: bool,
        tag: Option<&Tag>,
        item: &ScannedEvent<'_>,
    ) -> Node {
        if is_flow {
            let closed = self.at.checked_sub(1).and_then(|at| self.events.get(at));
            self.end = closed.map_or(self.end, |closed| closed.range.end.max(self.end));
        }
        let wanted = if matches!(value, Value::Map(_)) { "map" } else { "seq" };
        if let Some(tag) = tag
            && !is_unspecific(tag)
            && tag.core_suffix() != Some(wanted)
        {
            self.tag_fault(item, None);
        }
        Node { span: self.text.span(item.range.start..self.end.max(item.range.start)), value }
    }

    fn items(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        while let Some(event) = self.peek() {
            if *event == Event::SequenceEnd {
                self.at += 1;
                break;
            }
            let Some(node) = self.node() else { break };
            items.push(node);
        }
        items
    }

    fn entries(&mut self) -> Vec<MapEntry> {
        // Each entry, and whether it is a `<<` that merges its value.
        let mut entries: Vec<(MapEntry, bool)> = Vec::new();
        let mut places = Places::default();
        while let Some(event) = self.peek() {
            if *event == Event::MappingEnd {
                self.at += 1;
                break;
            }
            let may_merge = matches!(event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let implicit = self.events[self.at].range.is_empty() && matches!(event, Event::Scalar(..));
            let key_at = self.events[self.at].range.start;
            let Some(key) = self.node() else { break };
            let Some(value) = self.node() else { break };
            let Some(name) = self.key(&key, implicit.then_some(key_at)) else { continue };
            let is_merge = may_merge && is_mergeable(&value);
            if !is_merge {
                if let Some((first, _)) = places.get(&name).and_then(|at| entries.get(at)) {
                    self.report.push(objection::duplicate_key(&name, key.span, first.key_span));
                    continue;
                }
                places.insert(name.clone(), entries.len());
            }
            entries.push((MapEntry { key: name, key_span: key.span, value }, is_merge));
        }
        merged(entries, places)
    }

    fn key(&mut self, key: &Node, implicit: Option<usize>) -> Option<String> {
        let objection = match (key.as_scalar(), implicit) {
            (Some(scalar), None) => return Some(scalar.text.clone()),
            (Some(_), Some(at)) => objection::no_key(self.text, at),
            (None, _) => objection::collection_key(self.text, key),
        };
        self.report.push(objection);
        self.lossy = true;
        None
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        item: &ScannedEvent<'_>,
    ) -> Node {
        let mut range = item.range.clone();
        let empty = style == ScalarStyle::Plain && range.is_empty();
        let text = match (style, self.text.mask) {
            _ if empty => String::new(),
            (ScalarStyle::Plain, Some(mask)) => value.replace(mask, ":"),
            _ => value.to_owned(),
        };
        if empty && self.text.text[range.start..].starts_with(':') {
            range = range.start + 1..range.start + 1;
        }
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            range = self.block_scalar(range);
        }
        let plain = style == ScalarStyle::Plain;
        let kind = if plain { scalar::resolve(&text) } else { ScalarType::String };
        let kind = match tag {
            None => kind,
            Some(tag) if is_unspecific(tag) => ScalarType::String,
            Some(tag) => match tag.core_suffix().and_then(|tag| scalar::fits(tag, &text)) {
                Some(kind) => kind,
                None => {
                    self.tag_fault(item, Some(&text));
                    kind
                }
            },
        };
        self.end = self.end.max(range.end);
        Node { span: self.text.span(range), value: Value::Scalar(Scalar { kind, text }) }
    }

    /// Extends the range of a block scalar to its `|` or `>`, and removes trailing line ends.
    fn block_scalar(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text.text;
        let from = self.end.min(range.start);
        let until = from + text[from..range.start].trim_end().len();
        let line = text[from..until].rfind('\n').map_or(from, |at| from + at + 1);
        let header = &text[line..until];
        let header = header.find(" #").map_or(header, |at| &header[..at]);
        let start = header.rfind(['|', '>']).map_or(range.start, |at| line + at);
        let end = start + text[start..range.end.max(start)].trim_end().len();
        start..end
    }

    fn tag_fault(&mut self, item: &ScannedEvent<'_>, text: Option<&str>) {
        let range = item.tag.clone().unwrap_or(item.range.clone());
        self.report.push(objection::tag(self.text, range, text));
    }

    fn check_indent(&mut self, style: StructureStyle, item: &ScannedEvent<'_>) {
        if style != StructureStyle::Block {
            return;
        }
        let before = &self.text.text[..item.range.start];
        // Search only back to the last space, because a line may be as long as the file.
        let line = before.trim_end_matches([' ', '\t']).len();
        let is_line = before[..line].chars().next_back().is_none_or(|last| last == '\n');
        if is_line && before[line..].contains('\t') {
            self.report.push(fault::tab(self.text, line));
        }
    }

    fn alias(&mut self, id: usize, item: &ScannedEvent<'_>) -> Node {
        self.end = self.end.max(item.range.end);
        let span = self.text.span(item.range.clone());
        match self.anchors.expand(id) {
            Ok(node) => Node { span, value: node.value },
            Err(refusal) => {
                self.report.push(objection::alias(self.text, item.range.clone(), refusal));
                self.missing(span)
            }
        }
    }

    fn unknown_alias(&mut self, name: &str, item: &ScannedEvent<'_>) -> Node {
        self.end = self.end.max(item.range.end);
        self.report.push(objection::unknown_alias(self.text, item.range.clone(), name));
        self.missing(self.text.span(item.range.clone()))
    }

    fn missing(&mut self, span: Span) -> Node {
        self.lossy = true;
        Node { span, value: Value::Scalar(Scalar { kind: ScalarType::Null, text: String::new() }) }
    }
}

fn is_unspecific(tag: &Tag) -> bool {
    tag.parts() == ("", "!")
}

/// Returns `true` if a plain key `<<` with this value merges; otherwise it is an ordinary key.
fn is_mergeable(value: &Node) -> bool {
    match &value.value {
        Value::Map(_) => true,
        Value::List(items) => !items.is_empty() && items.iter().all(|item| item.as_map().is_some()),
        Value::Scalar(_) => false,
    }
}

/// Replaces each `<<` with the entries of its maps. Keys of the map itself have precedence, then earlier merges.
fn merged(entries: Vec<(MapEntry, bool)>, mut places: Places) -> Vec<MapEntry> {
    let mut all = Vec::with_capacity(entries.len());
    for (entry, is_merge) in entries {
        let maps = match entry.value.value {
            Value::List(maps) if is_merge => maps,
            _ if is_merge => vec![entry.value],
            _ => {
                all.push(entry);
                continue;
            }
        };
        for map in maps {
            let Value::Map(entries) = map.value else { continue };
            all.extend(entries.into_iter().filter(|entry| places.insert(entry.key.clone(), 0).is_none()));
        }
    }
    all
}
