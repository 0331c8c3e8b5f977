//! Converts YAML text to parser events with byte ranges. Only this file uses the event parser.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, Options, Parser};

/// The maximum nesting of collections; the tree is walked recursively.
pub(super) const DEPTH: usize = 64;

/// The events up to the end or the first fault.
pub(super) struct Scan<'a> {
    /// The events, without the stream events.
    pub(super) events: Vec<ScannedEvent<'a>>,
    /// The fault that stopped the parser.
    pub(super) fault: Option<ScanFault>,
}

pub(super) struct ScannedEvent<'a> {
    pub(super) event: Event<'a>,
    pub(super) range: Range<usize>,
    pub(super) tag: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
pub(super) struct ScanFault {
    pub(super) kind: ErrorKind,
    pub(super) at: usize,
}

pub(super) fn scan(text: &str) -> Scan<'_> {
    skills_text::work::count(text.len());
    let mut options = Options::default();
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    options.flow_nesting_limit = DEPTH;
    options.block_nesting_limit = DEPTH;
    let mut events = Vec::new();
    for next in Parser::new_from_str_with_options(text, options) {
        match next {
            Ok((Event::StreamStart | Event::StreamEnd, _)) => {}
            Ok((event, span)) => {
                let range = clip(text, span.byte_range());
                let tag = span.tag_span().map(|tag| clip(text, tag.byte_range()));
                events.push(ScannedEvent { event, range, tag });
            }
            Err(error) => {
                let at = error.marker().byte_offset();
                let at = clip(text, at.map(|at| at..at)).start;
                return Scan { events, fault: Some(ScanFault { kind: error.kind().clone(), at }) };
            }
        }
    }
    Scan { events, fault: None }
}

/// Limits a range to the text and to character boundaries.
fn clip(text: &str, range: Option<Range<usize>>) -> Range<usize> {
    let range = range.unwrap_or(0..0);
    let start = skills_text::floor(text, range.start);
    start..skills_text::floor(text, range.end).max(start)
}
