//! Fits texts into the space that they have: shortens them, and breaks lines.

/// Returns at most `most` characters from the start of a text, followed by `…` if it was cut.
///
/// ```
/// use skills_text::cut;
/// assert_eq!((cut("né", 2), cut("née", 2)), ("né".to_owned(), "né…".to_owned()));
/// ```
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        Some(head) => format!("{head}…"),
        None => text.to_owned(),
    }
}

/// Returns at most `most` characters from the end of a text, after `…` if it was cut.
///
/// ```
/// use skills_text::cut_start;
/// assert_eq!((cut_start("né", 2), cut_start("née", 2)), ("né".to_owned(), "…ée".to_owned()));
/// ```
pub fn cut_start(text: &str, most: usize) -> String {
    let left_out = text.chars().count().saturating_sub(most);
    match text.char_indices().nth(left_out).and_then(|(start, _)| text.get(start..)) {
        Some(tail) if left_out > 0 => format!("…{tail}"),
        _ => text.to_owned(),
    }
}

/// Returns the largest character boundary that is at most `at`, or the end of the text.
///
/// ```
/// assert_eq!([1, 2, 3, 9].map(|at| skills_text::floor("né", at)), [1, 1, 3, 3]);
/// ```
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// Breaks a line at the ends of words so that it fits the columns. Further lines start with `indent` spaces. A
/// word that is longer than a line stays whole, because people copy paths and addresses. `width` measures a
/// text in columns.
///
/// ```
/// let wrapped = skills_text::wrap("a note of words", Some(8), 2, str::len);
/// assert_eq!(wrapped, "a note\n  of\n  words");
/// ```
pub fn wrap(line: &str, columns: Option<usize>, indent: usize, width: impl Fn(&str) -> usize) -> String {
    let Some(columns) = columns.filter(|columns| width(line) > *columns) else { return line.to_owned() };
    let head = line.len() - line.trim_start().len();
    let mut out = line.get(..head).unwrap_or_default().to_owned();
    let mut used = head;
    let mut is_first = true;
    for word in line.split_whitespace() {
        let width = width(word);
        if !is_first && used + 1 + width > columns {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        } else if !is_first {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
        is_first = false;
    }
    out
}
