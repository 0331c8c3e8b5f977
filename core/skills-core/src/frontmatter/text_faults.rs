//! Faults that affect a whole text and cause most other findings in it. `frontmatter` checks for them first.

use std::ops::Range;

use skills_text::shell_word;

use crate::markdown::Markdown;
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::span::{SourceFile, SourceMap};

/// Reports git's conflict markers. Returns `true` if there are any.
pub(crate) fn conflict(source: &SourceFile, report: &mut Report) -> bool {
    let text = source.text.as_str();
    if !text.contains("<<<<<<< ") {
        return false;
    }
    let (mut open, mut middle) = (None, None);
    let markdown = Markdown::parse(text);
    let mut next = 0;
    for line in text.split_inclusive('\n') {
        let at = next;
        next += line.len();
        // In a code block they are an example.
        if markdown.block_at(at).is_some() {
            continue;
        }
        let content = line.trim_end();
        let place = at..at + content.len();
        match (content, open.clone(), middle) {
            (line, ..) if line.starts_with("<<<<<<< ") => (open, middle) = (Some(place), None),
            ("=======", Some(_), _) => middle = Some(at),
            (line, Some(first), Some(_)) if line.starts_with(">>>>>>>") => {
                rule::CONFLICT_MARKERS
                    .report_at(source.span(first), "the text contains an unresolved merge conflict")
                    .label("the conflict starts here")
                    .help("resolve the conflict, and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`")
                    .related(source.span(place), "the conflict ends here")
                    .add_to(report);
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Returns `true` if part of a text was decoded twice, and reports the first such part.
pub(crate) fn garbled(source: &SourceFile, sources: &SourceMap, report: &mut Report) -> bool {
    let text = source.text.as_str();
    if first_garbled(text).is_none() && first_read_as_gbk(text).is_none() {
        return false;
    }
    // Code and texts about this fault show it on purpose.
    let folded = text.to_lowercase();
    if ABOUT.iter().any(|words| folded.contains(words)) {
        return false;
    }
    let prose = without_code(text);
    if let Some(place) = first_read_as_gbk(&prose) {
        rule::DECODED_TWICE
            .report_at(source.span(place), "the text was decoded twice")
            .label("a program read the UTF-8 of this text as GBK")
            .help("save it again from its source: characters that GBK lacks are lost")
            .add_to(report);
        return true;
    }
    let Some((place, meant)) = first_garbled(&prose) else { return false };
    let latin = text.chars().all(|c| u32::from(c) < 0x100);
    let windows = text.chars().all(|c| byte(c).is_some());
    let shown: String =
        text.get(place.clone()).unwrap_or_default().chars().flat_map(char::escape_default).collect();
    let meant = match meant.chars().all(|c| !c.is_control() && !c.is_whitespace()) {
        true => format!("`{meant}`"),
        false => "an invisible character".to_owned(),
    };
    let path = sources.display_path(source.span(0..0));
    let path = shell_word(&path);
    let help = if latin || windows {
        let encoding = if latin { "LATIN1" } else { "WINDOWS-1252" };
        format!("decode it once more: `iconv -f UTF-8 -t {encoding} {path} > fixed && mv fixed {path}`")
    } else {
        "save it again from its source: a program read its UTF-8 as Latin-1 and wrote that as UTF-8"
            .to_owned()
    };
    rule::DECODED_TWICE
        .report_at(source.span(place), "the text was decoded twice")
        .label(format!("`{shown}` was {meant}"))
        .help(help)
        .add_to(report);
    true
}

/// Words of texts about this fault.
const ABOUT: [&str; 8] = [
    "mojibake",
    "garbled",
    "double-encod",
    "double encod",
    "encoding error",
    "encoding issue",
    "encoding problem",
    "wrong encoding",
];

/// Finds the first place where UTF-8 was decoded as GBK: the rare characters that the first bytes of punctuation, arrows
/// and emoji give. Chinese texts do not contain two of them.
fn first_read_as_gbk(text: &str) -> Option<Range<usize>> {
    const MARKS: [char; 9] = ['锛', '紝', '銆', '鈥', '鈫', '鈹', '鉁', '鈿', '馃'];
    let mut marks = text.char_indices().filter(|(_, character)| MARKS.contains(character));
    let (first, character) = marks.next()?;
    marks.next().map(|_| first..first + character.len_utf8())
}

/// Replaces the code of a text by spaces, so that all places stay the same.
fn without_code(text: &str) -> String {
    let markdown = Markdown::parse(text);
    let mut bytes = text.as_bytes().to_vec();
    let blocks = markdown.blocks.iter().map(|block| block.content.clone());
    for place in blocks.chain(markdown.inline_code.iter().cloned()) {
        bytes[place].fill(b' ');
    }
    // A line that also has the right text shows both: `| Ã© | é |`.
    let mut next = 0;
    for line in text.split_inclusive('\n') {
        let start = next;
        next += line.len();
        let mut rest = start..start + line.trim_end().len();
        if first_pair(line).is_some_and(|(_, meant)| line.contains(&meant)) {
            bytes[std::mem::take(&mut rest)].fill(b' ');
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Finds the first place where the UTF-8 bytes of a character were decoded as characters, and returns that
/// character.
fn first_garbled(text: &str) -> Option<(Range<usize>, String)> {
    let (first, is_sure) = garbled_characters(text);
    first.filter(|_| is_sure)
}

/// Finds the first such character, whether or not it may be intended.
fn first_pair(text: &str) -> Option<(Range<usize>, String)> {
    garbled_characters(text).0
}

/// Returns the first such character, and `true` if they are not intended.
fn garbled_characters(text: &str) -> (Option<(Range<usize>, String)>, bool) {
    // Read as Latin-1, the first UTF-8 byte of a non-ASCII character is usually a letter between `À` and `ÿ`.
    // In UTF-8, these letters start with this byte.
    if !text.as_bytes().contains(&0xc3) {
        return (None, false);
    }
    let mut first = None;
    let mut count = 0;
    let mut has_control = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, lead)) = characters.next() {
        let length = match byte(lead) {
            Some(0xc2..=0xc3 | 0xd0..=0xd1) => 2,
            Some(0xe2..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            _ => continue,
        };
        let mut bytes: Vec<u8> = byte(lead).into_iter().collect();
        let mut end = at + lead.len_utf8();
        let mut control = false;
        let mut ahead = characters.clone();
        while bytes.len() < length {
            let Some((_, c)) = ahead.next() else { break };
            let Some(next @ 0x80..=0xbf) = byte(c) else { break };
            control |= matches!(c, '\u{80}'..='\u{9f}');
            bytes.push(next);
            end += c.len_utf8();
        }
        let Some(meant) = String::from_utf8(bytes).ok().filter(|meant| meant.len() == length) else {
            continue;
        };
        characters = ahead;
        has_control |= control;
        count += 1;
        first.get_or_insert((at..end, meant));
    }
    // A single pair may be intended, as in `«CAFÃ»`. A pair with a control character is never intended,
    // because nobody types one.
    (first, has_control || count > 1)
}

/// Returns the byte for a character in Windows-1252 or, if Windows-1252 does not have it, in Latin-1. Returns
/// `None` for ASCII.
fn byte(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ 0x80..=0xff => u8::try_from(code).ok(),
        0..0x80 => None,
        _ => encode_windows_1252(c),
    }
}

/// The characters of the bytes 0x80 to 0x9f in Windows-1252, with NUL for undefined bytes. All other bytes are the same as in Latin-1.
const WINDOWS_1252: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/// Returns the character of a byte in Windows-1252, in which editors save text by mistake; `None` for an undefined byte.
pub(crate) fn decode_windows_1252(byte: u8) -> Option<char> {
    match byte {
        0x80..0xa0 => WINDOWS_1252.chars().nth(usize::from(byte - 0x80)).filter(|c| *c != '\0'),
        byte => Some(char::from(byte)),
    }
}

/// Returns the byte of a character in Windows-1252; `None` if the encoding lacks it.
pub(crate) fn encode_windows_1252(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0..0x80 | 0xa0..0x100) => u8::try_from(code).ok(),
        _ => (0x80..).zip(WINDOWS_1252.chars()).find(|(_, known)| *known == c).map(|(byte, _)| byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 2.15
    #[test]
    fn code_shows_the_fault_on_purpose() {
        let text = "Send `CafÃ© naÃ¯ve`.\n\n```\nItâ€™s\n```\n";
        assert!(first_garbled(text).is_some() && first_garbled(&without_code(text)).is_none());
        let other = format!("{text}Itâ€™s â€œquotedâ€\u{9d}");
        assert_eq!(first_garbled(&without_code(&other)).map(|(place, _)| place.start), Some(text.len() + 2));
    }

    // SPEC 2.15
    #[test]
    fn text_that_was_decoded_twice_is_recognized() {
        for (text, meant) in [
            ("Itâ€™s â€œquotedâ€\u{9d}", "’"),
            ("â\u{80}\u{94}", "—"),
            ("CafÃ© and naÃ¯ve", "é"),
            ("ð\u{9f}\u{9a}\u{80}", "🚀"),
            ("Ð\u{9f}Ñ\u{80}", "П"),
        ] {
            assert_eq!(first_garbled(text).map(|(_, meant)| meant).as_deref(), Some(meant), "{text}");
        }
        for text in [
            "Café «CAFÉ» naïve, 5 °C × 3 ± 2 £",
            "Ãlso Â and Ã",
            "«NÃ»",
            "— “quoted” …",
            "技能 é",
            "é»¿ once",
            "Ñandú",
        ] {
            assert_eq!(first_garbled(text), None, "{text}");
        }
    }

    #[test]
    fn a_byte_is_read_back_as_it_was_written() {
        let defined: Vec<u8> = (0..=0xff).filter(|byte| decode_windows_1252(*byte).is_some()).collect();
        assert_eq!(defined.len(), 256 - 5);
        for byte in defined {
            assert_eq!(decode_windows_1252(byte).and_then(encode_windows_1252), Some(byte), "{byte:#x}");
        }
        assert_eq!(
            (decode_windows_1252(0x80), encode_windows_1252('技'), encode_windows_1252('\u{81}')),
            (Some('€'), None, None)
        );
    }
}
