//! Finds code blocks between fences, and the lines outside them. Used for descriptions, links, conflicts and
//! outlines.
//!
//! A block begins with three or more backquotes or tildes, and ends with a line of at least as many of the
//! same characters, or at the end of the text (CommonMark, 4.5). Indentation is ignored, because a block in a
//! list may have any indentation. Within a block of Markdown, a fence with a language opens an inner block:
//! authors intend this, although CommonMark ends the outer block at the end of the inner one.

use std::ops::Range;

/// A fenced code block.
#[derive(Clone, Debug)]
pub struct Fence<'t> {
    /// Where its opening line begins.
    pub start: usize,
    /// Where the line after it begins.
    pub end: usize,
    /// The text of the opening line after the fence, such as `json input`.
    pub info: &'t str,
    /// The lines between the fences.
    pub content: Range<usize>,
}

impl Fence<'_> {
    /// Returns `true` if the opening line names a shell language.
    pub(crate) fn is_shell(&self) -> bool {
        let word = self.info.trim_start().split([' ', ',', '{']).next().unwrap_or_default();
        let shells = ["bash", "sh", "shell", "zsh", "fish", "console", "terminal", "powershell", "cmd"];
        shells.iter().any(|shell| word.eq_ignore_ascii_case(shell))
    }
}

/// Returns the lines outside code blocks, each with its place and its line feed.
///
/// ```
/// let lines = skills_core::fences::outside("a\n~~~\nb\n~~~\n```c```\n");
/// assert_eq!(lines.collect::<Vec<_>>(), [(0, "a\n"), (12, "```c```\n")]);
/// ```
pub fn outside(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut reader = Reader::default();
    placed(text).filter(move |(_, line)| matches!(reader.read(line), Line::Outside))
}

/// Returns the code blocks in order.
pub fn fences(text: &str) -> Vec<Fence<'_>> {
    let mut reader = Reader::default();
    let mut found = Vec::new();
    let mut open = None;
    for (at, line) in placed(text) {
        match reader.read(line) {
            Line::Opens(info) => open = Some((at, info, at + line.len())),
            Line::Closes => found.extend(open.take().map(|(start, info, from)| Fence {
                start,
                end: at + line.len(),
                info,
                content: from..at,
            })),
            Line::Inside | Line::Outside => {}
        }
    }
    let end = text.len();
    found.extend(open.map(|(start, info, from)| Fence { start, end, info, content: from..end }));
    found
}

/// Returns `true` if a text has a block that rustdoc takes for Rust: its words include `rust`, or are only words such
/// as `no_run` and `compile_fail`.
pub fn has_rust(text: &str) -> bool {
    fences(text).iter().any(|fence| {
        let mut words =
            fence.info.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).peekable();
        let is_known = |word: &str| {
            matches!(word, "should_panic" | "no_run" | "compile_fail" | "test_harness" | "standalone_crate")
                || word.starts_with("ignore")
                || word.starts_with("edition20")
        };
        words.peek().is_some()
            && (fence.info.split([',', ' ']).any(|word| word.trim() == "rust") || words.all(is_known))
    })
}

/// Returns the block that contains a place.
pub(crate) fn fence_at<'f, 't>(fences: &'f [Fence<'t>], at: usize) -> Option<&'f Fence<'t>> {
    fences.get(fences.partition_point(|fence| fence.end <= at)).filter(|fence| fence.start <= at)
}

/// The role of a line for the code blocks of a text.
enum Line<'t> {
    Outside,
    Inside,
    /// An opening fence, with the text after it.
    Opens(&'t str),
    Closes,
}

/// The fence of the open block, and for a block of Markdown how many inner blocks are open in it.
#[derive(Default)]
struct Reader<'t>(Option<(&'t str, Option<usize>)>);

impl<'t> Reader<'t> {
    fn read(&mut self, line: &'t str) -> Line<'t> {
        let line = line.trim();
        match (self.0, run(line)) {
            (Some((open, inner)), Some((run, info))) if run.starts_with(open) => {
                self.0 = match (inner, info) {
                    (None | Some(0), "") => {
                        self.0 = None;
                        return Line::Closes;
                    }
                    (Some(depth), "") => Some((open, Some(depth - 1))),
                    (Some(depth), _) if !info.contains('`') => Some((open, Some(depth + 1))),
                    (inner, _) => Some((open, inner)),
                };
                Line::Inside
            }
            (Some(_), _) => Line::Inside,
            // A line with more backquotes after the run is inline code, such as ```x```.
            (None, Some((run, info))) if !(run.starts_with('`') && info.contains('`')) => {
                let is_markdown = matches!(info.trim().to_ascii_lowercase().as_str(), "markdown" | "md");
                self.0 = Some((run, is_markdown.then_some(0)));
                Line::Opens(info)
            }
            (None, _) => Line::Outside,
        }
    }
}

/// Returns the run of three or more backquotes or tildes at the start of a line, and the text after it.
fn run(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    line.split_at_checked(line.len() - info.len()).filter(|(run, _)| run.len() >= 3)
}

fn placed(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let at = *next;
        *next += line.len();
        Some((at, line))
    })
}

#[cfg(test)]
mod tests {
    use super::{fence_at, fences, outside};

    // SPEC 2.11
    #[test]
    fn blocks_of_code_are_known() {
        let text =
            "a\n``` sh\nb\n```\nc\n~~~~\n~~~\n```\n~~~~\n```d``` e\n  ````\n```\n  ````\r\nf\n~~~ `g`\nh";
        let blocks: Vec<&str> = fences(text).iter().map(|fence| &text[fence.start..fence.end]).collect();
        assert_eq!(
            blocks,
            ["``` sh\nb\n```\n", "~~~~\n~~~\n```\n~~~~\n", "  ````\n```\n  ````\r\n", "~~~ `g`\nh"]
        );
        assert_eq!(
            fences(text).iter().map(|fence| fence.is_shell()).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        let lines: Vec<&str> = outside(text).map(|(at, line)| &text[at..at + line.len()]).collect();
        assert_eq!(lines, ["a\n", "c\n", "```d``` e\n", "f\n"]);
        let nested = "```markdown\n```sh\na\n```\n[b](c.md)\n```\nd\n```sh\n```x\n```\ne\n";
        let lines: Vec<&str> = outside(nested).map(|(_, line)| line).collect();
        assert_eq!(lines, ["d\n", "e\n"], "only a block of Markdown has inner blocks");
        for (at, _) in text.char_indices() {
            let is_inside = fence_at(&fences(text), at).is_some();
            assert_eq!(is_inside, outside(text).all(|(line, whole)| at < line || at >= line + whole.len()));
        }
    }
}
