//! Characters that a person does not see and a model reads (SPEC 2.11).

use super::body::offset;
use crate::diagnostic::{Diagnostic, Report};
use crate::rule::lints;
use crate::span::{SourceMap, Span};

/// Checks one text.
pub(super) fn check(span: Span, sources: &SourceMap, report: &mut Report) {
    let text = sources.text(span);
    if is_plain(text.as_bytes()) {
        return;
    }
    let mut flag = false;
    let mut run: Option<(usize, usize, char)> = None;
    for (at, c) in text.char_indices() {
        // A flag of a region is a black flag, TAG letters, and the TAG that ends it.
        flag = c == '\u{1f3f4}' || (flag && matches!(c, '\u{e0020}'..='\u{e007e}'));
        let hidden = is_hidden(c) && !(flag || c == '\u{e007f}' && follows_tag(text, at));
        match (&mut run, hidden) {
            (Some((_, end, _)), true) if *end == at => *end = at + c.len_utf8(),
            (_, true) => {
                if let Some(run) = run.replace((at, at + c.len_utf8(), c)) {
                    tell(span, run, report);
                }
            }
            _ => {}
        }
    }
    if let Some(run) = run {
        tell(span, run, report);
    }
}

fn follows_tag(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    before.find(|c| !matches!(c, '\u{e0020}'..='\u{e007e}')) == Some('\u{1f3f4}')
}

/// Tells whether a text is made of printable ASCII, tabs and line ends only; reads eight bytes at a time, since
/// build scripts run unoptimised.
fn is_plain(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([
            chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7],
        ]);
        // A high bit is a byte of 0x80 and above, below 0x20, or 0x7f; line ends and tabs are looked at one by one.
        let low = word.wrapping_sub(0x2020_2020_2020_2020) & !word;
        if (word | low | word.wrapping_add(0x0101_0101_0101_0101)) & HIGH != 0
            && !chunk.iter().all(|byte| is_plain_byte(*byte))
        {
            return false;
        }
    }
    chunks.remainder().iter().all(|byte| is_plain_byte(*byte))
}

fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{e0000}'..='\u{e007f}')
}

fn tell(base: Span, (start, end, first): (usize, usize, char), report: &mut Report) {
    let kind = match first {
        '\u{e0000}'..='\u{e007f}' => "TAG characters, which spell text that nobody sees",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "bidirectional controls, which reorder what is seen"
        }
        _ => "control characters",
    };
    report.push(
        Diagnostic::new(
            &lints::HIDDEN_UNICODE,
            offset(base, start, end),
            format!("hidden character U+{:04X}", u32::from(first)),
            format!("delete it: these are {kind}"),
        )
        .label("not visible here"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, usize)> {
        let mut sources = SourceMap::new(".");
        let id = sources.add("SKILL.md".into(), text.into(), None);
        let mut report = Report::default();
        check(sources.file(id).span(0..usize::MAX), &sources, &mut report);
        report.diagnostics.iter().map(|d| (d.span.start as usize, d.span.end as usize)).collect()
    }

    // SPEC 2.11
    #[test]
    fn hidden_characters_are_found() {
        assert_eq!(found("plain\ttext\r\n技能 🎉 é"), []);
        assert_eq!(found("a\u{202e}b"), [(1, 4)]);
        assert_eq!(found("a\u{e0041}\u{e0042}b\u{1}"), [(1, 9), (10, 11)]);
        assert_eq!(found("12345678\u{7f}12345678\u{0}"), [(8, 9), (17, 18)]);
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        assert_eq!(found(scotland), [], "a flag emoji");
        assert_eq!(found(&format!("{scotland}\u{e0041}")).len(), 1, "a TAG behind a flag");
    }

    #[test]
    fn every_byte_is_judged_alike_in_words_and_alone() {
        for byte in 0..=u8::MAX {
            let mut word = *b"abcdefgh";
            word[3] = byte;
            assert_eq!(is_plain(&word), is_plain_byte(byte), "{byte:#x}");
        }
    }
}
