//! A skill that has only a `skill.json` becomes a `SKILL.md` that every agent reads (SPEC 9.1).

use std::fmt::Write;

use skills_registry::{Skill, plain_braces};

/// Writes the document: name and description as frontmatter, the prompt as the body.
pub(super) fn document(skill: Skill<'_>) -> String {
    let mut text = String::from("---\nname: ");
    quote(&mut text, skill.name());
    text.push_str("\ndescription: ");
    quote(&mut text, skill.description());
    text.push_str("\n---\n");
    let prompt = plain_braces(skill.prompt().unwrap_or_default());
    let prompt = prompt.trim_end();
    if !prompt.is_empty() {
        text.push('\n');
        text.push_str(prompt);
        text.push('\n');
    }
    text
}

/// Writes a text in double quotes of YAML 1.2: one line, whatever the text is.
fn quote(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            // Controls, line breaks of older YAML, the byte order mark, and what YAML calls not printable.
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _: std::fmt::Result = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}
