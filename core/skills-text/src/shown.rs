//! Makes texts of skills safe to write to a terminal or to send to a model. All code that does either uses
//! this module. It also escapes text for XML and HTML.

use std::borrow::Cow;

/// Returns a text on one line that is safe for a terminal: control and hidden characters are escaped.
///
/// A tab is replaced with four spaces.
///
/// ```
/// assert_eq!(skills_text::visible("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    out
}

/// Appends a character like [`visible`] does.
pub fn push_visible(out: &mut String, c: char) {
    match c {
        '\t' => out.push_str("    "),
        '\r' | '\n' => out.extend(c.escape_default()),
        c if is_hidden(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// Returns `true` if a character is invisible, or controls the terminal or the writing direction.
///
/// Joiners and variation selectors are not included: scripts and emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a text of a skill that is safe for a model: each run of characters invisible to people is replaced
/// with U+FFFD, and each character that some programs treat as a line end with a line feed.
///
/// ```
/// assert_eq!(skills_text::clean("plain\u{e0048}\u{e0049}\u{2028}text"), "plain\u{fffd}\ntext");
/// ```
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let (runs, breaks) = (hidden_runs(text), ['\u{2028}', '\u{2029}']);
    if runs.is_empty() && !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (start, end, _) in runs {
        out.push_str(text.get(from..start).unwrap_or_default());
        out.push(char::REPLACEMENT_CHARACTER);
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out.replace(breaks, "\n"))
}

/// Returns `true` if a text has only printable ASCII, tabs and line ends, as most texts do.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
}

/// Finds the runs of characters that a model reads but a person does not see: the start and end of each, and
/// its first character. The TAG characters in the flag of a region are not included.
pub fn hidden_runs(text: &str) -> Vec<(usize, usize, char)> {
    let mut runs: Vec<(usize, usize, char)> = Vec::new();
    if is_plain(text) {
        return runs;
    }
    let (mut flag_ends, mut since, mut count) = (0, 0, 0_usize);
    for (at, c) in text.char_indices() {
        let behind = at + c.len_utf8();
        if c == '\u{1f3f4}' {
            flag_ends = behind + flag(text.get(behind..).unwrap_or_default());
        }
        if is_smuggled(c) && at >= flag_ends {
            add_run(&mut runs, (at, behind, c));
        }
        // One or two of these shape the characters before them; longer runs can hide a text.
        if is_unseen(c) {
            (since, count) = if count == 0 { (at, 1) } else { (since, count + 1) };
        } else {
            count = 0;
        }
        if count > MAX_UNSEEN {
            let first = text.get(since..).and_then(|run| run.chars().next()).unwrap_or(c);
            add_run(&mut runs, (since, behind, first));
        }
    }
    runs
}

/// Adds a run, or extends the last one if it reaches the start of this one.
fn add_run(runs: &mut Vec<(usize, usize, char)>, (start, end, first): (usize, usize, char)) {
    match runs.last_mut() {
        Some((_, last, _)) if *last >= start => *last = end,
        _ => runs.push((start, end, first)),
    }
}

/// How many joiners and variation selectors may follow each other: `\u{fe0f}\u{200d}` in an emoji has two.
const MAX_UNSEEN: usize = 2;

/// Returns the length of the TAG characters that turn a black flag into the flag of a region: two to six
/// letters and digits, and the terminating TAG. Returns 0 for any other text.
fn flag(text: &str) -> usize {
    let letters =
        text.chars().take_while(|c| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'));
    let count = letters.take(7).count();
    let is_whole = (2..=6).contains(&count) && text.chars().nth(count) == Some('\u{e007f}');
    if is_whole { (count + 1) * 4 } else { 0 }
}

/// Returns `true` if a character only joins or shapes its neighbours.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns `true` if a model reads a character that a reviewer of the skill does not see.
fn is_smuggled(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Returns the entity for a character that has a meaning in markup: `& < > " '`.
///
/// ```
/// assert_eq!(skills_text::entity('<'), Some("&lt;"));
/// assert_eq!(skills_text::entity('a'), None);
/// ```
pub fn entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 12.8
    #[test]
    fn a_model_reads_what_a_person_sees() {
        assert!(matches!(clean("plain\ttext\r\n技能 🎉 é\u{200d}\u{fe0f}"), Cow::Borrowed(_)));
        assert_eq!(clean("a\u{202e}b\u{1b}[2Jc\u{0}\u{9b}d"), "a\u{fffd}b\u{fffd}[2Jc\u{fffd}d");
        assert_eq!(clean("a\u{2029}b\u{e0041}\u{e0042}"), "a\nb\u{fffd}");
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        assert_eq!(clean(scotland), scotland, "a flag emoji");
        assert_eq!(
            clean(&format!("{scotland}\u{e0041}")),
            format!("{scotland}\u{fffd}"),
            "a TAG behind a flag"
        );
        assert_eq!(clean("x\u{e007f}"), "x\u{fffd}", "a TAG terminator without a flag");
        let smuggled: String =
            "ignoreall".bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect();
        for end in ["", "\u{e007f}"] {
            let text = format!("x \u{1f3f4}{smuggled}{end} y");
            assert_eq!(clean(&text), "x \u{1f3f4}\u{fffd} y", "TAG characters that do not name a region");
        }
        for byte in ['\u{e0100}', '\u{fe01}', '\u{200b}', '\u{200d}'] {
            let text = format!("x{}y", String::from(byte).repeat(8));
            assert_eq!(clean(&text), "x\u{fffd}y", "variation selectors that encode bytes");
        }
        let family =
            "\u{1f468}\u{200d}\u{2764}\u{fe0f}\u{200d}\u{1f468} \u{845b}\u{e0100} \u{6cc}\u{200c}\u{6cc}";
        assert_eq!(clean(family), family, "scripts and emoji need them");
    }
}
