//! Prints the text of a lock file. The same entries always give the same bytes.

use skills_text::{hex, push_quoted};

use super::{Installed, LockEntry, Next};
use crate::error::FORMAT;

/// The text of a lock file, to which skills and files are added in order: a line for each file, so that it can be
/// compared by lines. A skill without files is left out.
#[derive(Debug, Default)]
pub(crate) struct LockText {
    text: String,
    /// The lines before the first file of a skill, until it is added.
    head: String,
}

impl LockText {
    /// Begins a skill.
    pub(crate) fn skill(&mut self, name: &str, bundle: &str, version: &str, stub: Option<&str>) {
        self.head.clear();
        for (before, value) in [
            ("\n    ", Some(name)),
            (": {\n      \"bundle\": ", Some(bundle)),
            (",\n      \"version\": ", Some(version)),
            (",\n      \"stub\": ", stub),
        ] {
            let Some(value) = value else { continue };
            self.head.push_str(before);
            push_quoted(&mut self.head, value);
        }
        self.head.push_str(",\n      \"files\": {");
    }

    /// Adds a file of the skill.
    pub(crate) fn file(&mut self, path: &str, entry: &LockEntry) {
        let before = match (self.head.is_empty(), self.text.is_empty()) {
            (true, _) => [",", "", ""],
            (false, true) => ["{\n  \"format\": ", FORMAT, ",\n  \"skills\": {"],
            (false, false) => ["\n      }\n    },", "", ""],
        };
        push_all(&mut self.text, &[before[0], before[1], before[2], &self.head, "\n        "]);
        self.head.clear();
        push_quoted(&mut self.text, path);
        let next = match entry.next {
            Some(Next::Write(digest)) => hex(&digest),
            Some(Next::Remove) => "removed".to_owned(),
            None => String::new(),
        };
        let digest = entry.digest.map(|digest| hex(&digest)).unwrap_or_default();
        let executable = if entry.executable { "true" } else { "" };
        let mut before = ": {";
        for (key, quote, value) in [
            ("\"sha256\": ", "\"", &*digest),
            ("\"executable\": ", "", executable),
            ("\"next\": ", "\"", &next),
        ] {
            if !value.is_empty() {
                push_all(&mut self.text, &[before, key, quote, value, quote]);
                before = ", ";
            }
        }
        self.text.push('}');
    }

    /// Adds a skill of a lock as it is.
    pub(crate) fn copy(&mut self, skill: &Installed) {
        self.skill(&skill.name, &skill.bundle, &skill.version, skill.stub.as_deref());
        for (path, entry) in &skill.files {
            self.file(path, entry);
        }
    }

    /// Returns the text, which is empty without skills.
    pub(crate) fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push_str("\n      }\n    }\n  }\n}\n");
        }
        self.text
    }
}

/// Appends several texts: one call instead of many inlined ones.
#[inline(never)]
fn push_all(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}
