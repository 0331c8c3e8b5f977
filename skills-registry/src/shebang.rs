//! The first line of a script, which names its interpreter.

/// Returns the interpreter that the `#!` line of a script names and the one argument it may give it, empty where there is
/// none; nothing for what is no script.
///
/// ```
/// use skills_registry::shebang;
/// assert_eq!(shebang(b"#! /bin/sh  -e -u \n exit"), Some((&b"/bin/sh"[..], &b"-e -u"[..])));
/// assert_eq!(shebang(b"exit"), None);
/// ```
pub fn shebang(script: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line(script)?;
    let end = line.iter().position(|byte| is_blank(*byte)).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    Some((interpreter, trim(argument)))
}

/// Tells whether the `#!` line of a script ends as on Windows, in CR LF: systems take the CR for a part of what the line
/// names, and find no such interpreter.
///
/// ```
/// use skills_registry::has_crlf_shebang;
/// assert!(has_crlf_shebang(b"#!/bin/sh\r\nexit\r\n") && has_crlf_shebang(b"#!/bin/sh\r"));
/// assert!(!has_crlf_shebang(b"#!/bin/sh\nexit\r\n") && !has_crlf_shebang(b"exit\r\n"));
/// ```
pub fn has_crlf_shebang(script: &[u8]) -> bool {
    line(script).is_some_and(|line| line.ends_with(b"\r"))
}

fn line(script: &[u8]) -> Option<&[u8]> {
    script.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next().map(trim)
}

/// What kernels take for a blank.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !is_blank(*byte);
    let (first, last) = (line.iter().position(is_text), line.iter().rposition(is_text));
    first.zip(last).and_then(|(first, last)| line.get(first..=last)).unwrap_or_default()
}
