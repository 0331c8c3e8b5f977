//! A lock becomes the text of its file, the same bytes for the same lock.

use std::fmt::Write;

use skills_registry::push_quoted;

use super::{Digest, Lock, LockEntry, Next};

/// Prints a lock as JSON: a line for each file, so that it can be compared by lines.
pub(super) fn print(lock: &Lock) -> String {
    let mut text = format!("{{\n  \"format\": {},\n  \"skills\": {{", super::FORMAT);
    for (at, (name, skill)) in lock.skills.iter().enumerate() {
        text.push_str(if at == 0 { "\n    " } else { ",\n    " });
        push_quoted(&mut text, name);
        text.push_str(": {\n      \"bundle\": ");
        push_quoted(&mut text, &skill.bundle);
        text.push_str(",\n      \"version\": ");
        push_quoted(&mut text, &skill.version);
        text.push_str(",\n      \"files\": {");
        for (at, (path, file)) in skill.files.iter().enumerate() {
            text.push_str(if at == 0 { "\n        " } else { ",\n        " });
            push_quoted(&mut text, path);
            text.push_str(": ");
            entry(&mut text, file);
        }
        text.push_str("\n      }\n    }");
    }
    text.push_str("\n  }\n}\n");
    text
}

fn entry(text: &mut String, entry: &LockEntry) {
    let mut separator = '{';
    let mut field = |text: &mut String, key: &str, value: &str| {
        text.push(separator);
        if separator == ',' {
            text.push(' ');
        }
        separator = ',';
        text.push('"');
        text.push_str(key);
        text.push_str("\": ");
        text.push_str(value);
    };
    if let Some(digest) = &entry.digest {
        field(text, "sha256", &hex(digest));
    }
    if entry.executable {
        field(text, "executable", "true");
    }
    match &entry.next {
        Some(Next::Write(digest)) => field(text, "next", &hex(digest)),
        Some(Next::Remove) => field(text, "next", "\"removed\""),
        None => {}
    }
    text.push('}');
}

/// A digest as 64 digits in quotes.
fn hex(digest: &Digest) -> String {
    let mut text = String::from("\"");
    for byte in digest {
        let _: std::fmt::Result = write!(text, "{byte:02x}");
    }
    text.push('"');
    text
}
