//! Summarizes a body in one line, as the replacement for a missing description.
//!
//! `check` uses it for skills that are loaded leniently, and the runtime for programs that request its parts.

use crate::fences::outside;

/// Returns the replacement for a description: the [`first_line`] of a body, cut to 200 characters; without
/// one its [`heading`]; otherwise an empty text.
///
/// ```
/// use skills_core::summary::describe;
/// assert_eq!(describe("# PDF\n\n- a list\n\nReads PDF files.\n"), "Reads PDF files.");
/// assert_eq!(describe("# PDF\n"), "PDF");
/// ```
pub fn describe(body: &str) -> String {
    match first_line(body) {
        Some(line) => shorten(line),
        None => heading(body).unwrap_or_default().to_owned(),
    }
}

/// Returns the first line of running text: not empty, not a heading, quote, rule or list item, and outside
/// code fences.
pub fn first_line(body: &str) -> Option<&str> {
    lines(body).find(|line| !is_heading(line) && !line.starts_with('>') && !is_rule(line) && !is_item(line))
}

/// Returns the text of the first level-1 heading, `# Title`.
pub fn heading(body: &str) -> Option<&str> {
    lines(body).find_map(|line| line.strip_prefix("# ")).map(str::trim)
}

const LONGEST: usize = 200;
const DOTS: &str = "...";

fn shorten(line: &str) -> String {
    if line.chars().nth(LONGEST).is_none() {
        return line.to_owned();
    }
    line.chars().take(LONGEST - DOTS.len()).chain(DOTS.chars()).collect()
}

/// Returns the lines of a text outside code blocks, trimmed and without empty lines.
fn lines(body: &str) -> impl Iterator<Item = &str> {
    outside(body).map(|(_, line)| line.trim()).filter(|line| !line.is_empty())
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Returns `true` if a line is a horizontal rule or an underline: `---`, `***`, `===`.
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | ' '))
}

fn is_item(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < line.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 2.7
    #[test]
    fn the_first_line_of_running_text_is_the_description() {
        let before = "# Title\n\n> a quote\n- item\n* item\n+ item\n1. item\n2) item\n---\n```sh\ncode\n```\n~~~~\n~~~\n~~~~\n";
        assert_eq!(describe(&format!("{before}**Reads** PDF files.\nMore.\n")), "**Reads** PDF files.");
        assert_eq!(describe("#hash is no heading"), "#hash is no heading");
        assert_eq!(describe("-1 is no item"), "-1 is no item");
        assert_eq!(describe("```x``` is no fence"), "```x``` is no fence");
    }

    // SPEC 2.7
    #[test]
    fn without_running_text_the_heading_is_the_description() {
        assert_eq!(describe("## Second\n# First \n- item\n"), "First");
        assert_eq!(describe("```\n# code\n"), "");
        assert_eq!(describe(""), "");
    }

    // SPEC 2.7
    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(describe(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(describe(&"é".repeat(201)), format!("{}...", "é".repeat(197)));
    }
}
