//! Summarizes a body in one line, as the replacement for a missing description.
//!
//! `check` uses it for skills that are loaded leniently, and the runtime for programs that request its parts.

use crate::markdown::Markdown;

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
        None => heading(body).unwrap_or_default(),
    }
}

/// Returns the first line of running text: of the first paragraph that is neither in a list nor in a quote.
pub fn first_line(body: &str) -> Option<&str> {
    let paragraph = Markdown::parse(body).first_paragraph?;
    body.get(paragraph)?.lines().map(str::trim).find(|line| !line.is_empty())
}

/// Returns the text of the first heading of level 1.
pub fn heading(body: &str) -> Option<String> {
    let headings = Markdown::parse(body).headings;
    headings.into_iter().find(|heading| heading.level == 1).map(|heading| heading.title.trim().to_owned())
}

const LONGEST: usize = 200;
const DOTS: &str = "...";

fn shorten(line: &str) -> String {
    if line.chars().nth(LONGEST).is_none() {
        return line.to_owned();
    }
    line.chars().take(LONGEST - DOTS.len()).chain(DOTS.chars()).collect()
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
