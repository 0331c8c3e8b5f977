//! A text of a skill becomes what a terminal may be shown of it: the command and the reports call it.

/// Returns a text as a terminal may show it, on one line: what controls the terminal or hides is an escape.
///
/// A tab is four blanks.
///
/// ```
/// assert_eq!(skills_registry::visible("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    out
}

/// Adds a character as [`visible`] shows it.
pub fn push_visible(out: &mut String, c: char) {
    match c {
        '\t' => out.push_str("    "),
        '\r' | '\n' => out.extend(c.escape_default()),
        c if is_hidden(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// Tells whether a character controls the terminal, the writing direction or nothing that can be seen.
///
/// Joiners and variation selectors are not among them: scripts and emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}
