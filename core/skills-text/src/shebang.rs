//! Parses the first line of a script, which names its interpreter.

/// Returns the interpreter in a script's `#!` line and its argument, which may be empty. Returns `None` if
/// the file is not a script.
///
/// ```
/// use skills_text::shebang;
/// assert_eq!(shebang(b"#! /bin/sh  -e -u \n exit"), Some((&b"/bin/sh"[..], &b"-e -u"[..])));
/// assert_eq!(shebang(b"exit"), None);
/// ```
pub fn shebang(script: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line(script)?;
    let end = line.iter().position(|byte| is_blank(*byte)).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    Some((interpreter, trim(argument)))
}

/// Returns `true` if the `#!` line of a script ends in CR LF. Unix systems take the CR as part of the
/// interpreter's name and do not find it.
///
/// ```
/// use skills_text::has_crlf_shebang;
/// assert!(has_crlf_shebang(b"#!/bin/sh\r\nexit\r\n") && has_crlf_shebang(b"#!/bin/sh\r"));
/// assert!(!has_crlf_shebang(b"#!/bin/sh\nexit\r\n") && !has_crlf_shebang(b"exit\r\n"));
/// ```
pub fn has_crlf_shebang(script: &[u8]) -> bool {
    line(script).is_some_and(|line| line.ends_with(b"\r"))
}

fn line(script: &[u8]) -> Option<&[u8]> {
    script.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next().map(trim)
}

/// Returns `true` for a space or tab, the separators that kernels accept.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !is_blank(*byte);
    let (first, last) = (line.iter().position(is_text), line.iter().rposition(is_text));
    first.zip(last).and_then(|(first, last)| line.get(first..=last)).unwrap_or_default()
}
