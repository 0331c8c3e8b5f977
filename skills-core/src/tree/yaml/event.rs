//! YAML text becomes parser events with byte ranges; the only file that knows the event parser.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, Options, Parser};

/// Collections may lie this deep in each other; the tree is walked by recursion.
pub(super) const DEPTH: usize = 64;

/// What the parser saw, up to the end or the first fault.
pub(super) struct Scan<'a> {
    /// The events, without those of the stream.
    pub(super) events: Vec<ScannedEvent<'a>>,
    /// The fault that ended it.
    pub(super) fault: Option<ScanFault>,
}

/// One event with its places.
pub(super) struct ScannedEvent<'a> {
    /// The event.
    pub(super) event: Event<'a>,
    /// Where it stands, in bytes.
    pub(super) range: Range<usize>,
    /// Where its tag stands.
    pub(super) tag: Option<Range<usize>>,
}

/// Why the parser gave up.
#[derive(Clone, Debug)]
pub(super) struct ScanFault {
    /// What was wrong.
    pub(super) kind: ErrorKind,
    /// Where, in bytes.
    pub(super) at: usize,
}

/// Runs the event parser over a text.
pub(super) fn scan(text: &str) -> Scan<'_> {
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

/// Keeps a range within the text and on character boundaries; a text in memory always has byte offsets.
fn clip(text: &str, range: Option<Range<usize>>) -> Range<usize> {
    let range = range.unwrap_or(0..0);
    let clip = |at: usize| (0..=at.min(text.len())).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = clip(range.start);
    start..clip(range.end).max(start)
}
