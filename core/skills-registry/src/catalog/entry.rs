//! Renders one skill of a catalog. Its description is folded to one line, cut, and escaped for the style.

use std::borrow::Cow;

use super::style::Style;
use skills_text::{clean, entity};

/// A skill as a catalog shows it.
#[derive(Clone, Copy, Debug)]
pub struct CatalogEntry<'a> {
    /// The name.
    pub name: &'a str,
    /// The description.
    pub description: &'a str,
    /// The location of its `SKILL.md`.
    pub location: &'a str,
    /// Whether the programs it requires are installed. Only [`Style::Omega`] shows it.
    pub installed: bool,
}

/// Appends an entry whose description is cut to `longest` characters.
pub(super) fn push(out: &mut String, entry: &CatalogEntry<'_>, style: Style, longest: usize) {
    let description = shorten(entry.description, longest);
    let (name, location) = (one_line(entry.name), one_line(entry.location));
    let (before, end) = match style {
        Style::Skills => (
            ["  <skill>\n    <name>", "</name>\n    <description>", "</description>\n    <location>"],
            "</location>\n  </skill>\n",
        ),
        Style::AgentSkills => (
            ["<skill>\n<name>\n", "\n</name>\n<description>\n", "\n</description>\n<location>\n"],
            "\n</location>\n</skill>\n",
        ),
        Style::Omega => {
            let installed = if entry.installed { "installed" } else { "not installed" };
            for part in ["- ", &name, " [", installed, "]: ", &description, " → Read ", &location, "\n"] {
                out.push_str(part);
            }
            return;
        }
    };
    for (before, text) in before.into_iter().zip([&*name, &description, &location]) {
        out.push_str(before);
        escape(out, text);
    }
    out.push_str(end);
}

/// Folds line breaks to spaces, so that a text stays on one line, and removes hidden characters.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match clean(text) {
        Cow::Borrowed(text) => folded(text),
        Cow::Owned(text) => Cow::Owned(folded(&text).into_owned()),
    }
}

fn folded(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
        let (mut folded, mut last) = (String::with_capacity(text.len()), ' ');
        for character in text.chars() {
            match character {
                '\n' if last == '\r' => {}
                '\n' | '\r' => folded.push(' '),
                other => folded.push(other),
            }
            last = character;
        }
        Cow::Owned(folded)
    } else {
        Cow::Borrowed(text)
    }
}

/// Folds line breaks to spaces, removes hidden characters and cuts to `longest` characters, including the three dots.
pub fn shorten(text: &str, longest: usize) -> String {
    let mut folded = one_line(text).into_owned();
    if folded.len() > longest && folded.chars().nth(longest).is_some() {
        let kept = folded.char_indices().nth(longest.saturating_sub(3)).map_or(0, |(at, _)| at);
        folded.truncate(kept);
        folded.push_str("...");
    }
    folded
}

/// Appends a text with the five special characters of XML escaped: `& < > " '`.
pub fn escape(out: &mut String, text: &str) {
    if !text.chars().any(|character| entity(character).is_some()) {
        return out.push_str(text);
    }
    for character in text.chars() {
        match entity(character) {
            Some(entity) => out.push_str(entity),
            None => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_folded_cut_and_escaped() {
        // SPEC 8.1
        assert_eq!(shorten("a\nb\r\nc\rd", usize::MAX), "a b c d");
        assert_eq!(shorten(&"é".repeat(200), 200), "é".repeat(200));
        assert_eq!(shorten(&"é".repeat(201), 200), format!("{}...", "é".repeat(197)));
        assert_eq!(shorten(&"x".repeat(400), 100), format!("{}...", "x".repeat(97)));
        let mut out = String::new();
        escape(&mut out, "<a b=\"c\"> & 'd'");
        assert_eq!(out, "&lt;a b=&quot;c&quot;&gt; &amp; &#x27;d&#x27;");
    }
}
