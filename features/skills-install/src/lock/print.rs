//! Prints a lock as the text of its file. The same lock always gives the same bytes.

use skills_text::{hex, push_quoted};

use super::{Lock, LockEntry, Next};
use crate::error::FORMAT;

/// Prints a lock as JSON: a line for each file, so that it can be compared by lines.
pub(super) fn print(lock: &Lock) -> String {
    let mut text = format!("{{\n  \"format\": {FORMAT},\n  \"skills\": {{");
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
            text.push_str(&entry(file));
        }
        text.push_str("\n      }\n    }");
    }
    text.push_str("\n  }\n}\n");
    text
}

/// Prints the entry of a file in one line.
fn entry(entry: &LockEntry) -> String {
    let next = entry.next.map(|next| match next {
        Next::Write(digest) => hex(&digest),
        Next::Remove => "removed".to_owned(),
    });
    let fields = [
        entry.digest.map(|digest| format!("\"sha256\": \"{}\"", hex(&digest))),
        entry.executable.then(|| "\"executable\": true".to_owned()),
        next.map(|next| format!("\"next\": \"{next}\"")),
    ];
    let fields: Vec<String> = fields.into_iter().flatten().collect();
    format!("{{{}}}", fields.join(", "))
}
