//! What a body may hold: not too much, nothing hidden, nothing that downloads and runs (SPEC 2.11).

use super::draft::Draft;
use super::glance::Glance;
use super::{links, unicode};
use crate::diagnostic::Report;
use crate::rule::lints;
use crate::span::{FileId, SourceMap, Span};

const MOST_LINES: usize = 500;
const MOST_TOKENS: usize = 5_000;

/// Checks the texts of one skill that a model reads.
pub(super) fn check(draft: &Draft, sources: &SourceMap, report: &mut Report) {
    if let Some(document) = &draft.skill.document {
        let glance = visible(document.file, sources, report);
        if let Some(frontmatter) = &document.frontmatter {
            unicode::check_values(&frontmatter.tree, sources, report);
        }
        let body = document.body;
        length(body, glance, sources, report);
        links::check(draft, body, glance, sources, report);
        if glance.has_bar {
            pipe_to_shell(body, sources, report);
        }
    }
    if let Some(prompt) = draft.skill.prompt {
        let glance = visible(prompt, sources, report);
        length(sources.file(prompt).span(0..usize::MAX), glance, sources, report);
    }
    if let Some(manifest) = &draft.skill.manifest {
        visible(manifest.file, sources, report);
        unicode::check_values(&manifest.tree, sources, report);
    }
}

/// Looks at a whole text, and says what in it nobody sees.
fn visible(file: FileId, sources: &SourceMap, report: &mut Report) -> Glance {
    let file = sources.file(file);
    let glance = Glance::of(&file.text);
    if !glance.is_plain {
        unicode::check(file.span(0..usize::MAX), sources, report);
    }
    glance
}

/// Estimates tokens as the whole system does: a quarter of the bytes, rounded up.
pub(super) fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// Judges how long a text is; `glance` is that of its whole file.
fn length(span: Span, glance: Glance, sources: &SourceMap, report: &mut Report) {
    let text = sources.text(span);
    let tokens = tokens(text);
    if glance.feeds < MOST_LINES && tokens <= MOST_TOKENS {
        return;
    }
    let lines = text.split('\n').count() - usize::from(text.ends_with('\n'));
    let (title, label) = if lines > MOST_LINES {
        (format!("the text has {lines} lines, more than {MOST_LINES}"), "the text begins here")
    } else if tokens > MOST_TOKENS {
        (format!("the text has about {tokens} tokens, more than {MOST_TOKENS}"), "the text begins here")
    } else {
        return;
    };
    lints::LONG_BODY.at(span.head(), title).label(label).help(
        "move details into files below `references/` and name them here: they are then read only when needed",
    ).add_to(report);
}

/// Finds `curl … | sh` and its kin on one line.
fn pipe_to_shell(body: Span, sources: &SourceMap, report: &mut Report) {
    let text = sources.text(body);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.contains('|') {
            pipes_of_line(line, body.part(at, at + line.len()), report);
        }
        at += line.len();
    }
}

fn pipes_of_line(line: &str, place: Span, report: &mut Report) {
    let Some(fetch) = ["curl ", "wget "].into_iter().filter_map(|word| line.find(word)).min() else { return };
    for (at, _) in line.match_indices('|').filter(|(at, _)| *at > fetch) {
        // A shell stands directly behind the pipe; the rest of a long line is not looked at for each one.
        let behind: String = line[at + 1..].chars().take(64).collect();
        let mut words = behind.split_whitespace();
        let shell = words.find(|word| !matches!(*word, "sudo" | "-E" | "env")).unwrap_or_default();
        let shell = shell.trim_end_matches(['`', '"', '\'', ')', ';', '.', ',']);
        let shell = shell.rsplit('/').next().unwrap_or(shell);
        if !matches!(
            shell,
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "python" | "python3" | "node" | "perl" | "ruby"
        ) {
            continue;
        }
        let until = at + 1 + behind.find(shell).unwrap_or(0) + shell.len();
        lints::PIPE_TO_SHELL
            .at(place.part(fetch, until), format!("a download is piped into `{shell}`"))
            .label("runs whatever the server sends")
            .help("download to a file, check it, then run it; or name a package that brings the program")
            .add_to(report);
    }
}
