//! Checks the text of a body: its length, hidden characters, and downloads that are executed.

use skills_registry::estimated_tokens;

use super::draft::{Check, SkillDraft};
use super::{pipes, unicode};
use crate::rule::lints;
use crate::{FileId, Options, Report, SourceMap, Span, TextScan, parse};

const MAX_LINES: usize = 500;
const MAX_TOKENS: usize = 5_000;

/// Checks the texts of one skill that are sent to a model.
pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    if let Some(document) = &draft.skill.document {
        let text_scan = document.text_scan;
        visible(document.file, text_scan, draft.is_garbled(), check);
        if let Some(frontmatter) = &document.frontmatter {
            unicode::check_values(&frontmatter.tree, check);
        }
        let body = document.body;
        length(body, text_scan, check);
        if text_scan.has_bar {
            pipes::check(draft, body, check);
        }
    }
    if let Some(prompt) = draft.skill.prompt {
        let text_scan = TextScan::scan(&sources.file(prompt).text);
        visible(prompt, text_scan, false, check);
        length(sources.file(prompt).span(0..usize::MAX), text_scan, check);
    }
    if let Some(manifest) = &draft.skill.manifest {
        visible(manifest.file, TextScan::scan(&sources.file(manifest.file).text), false, check);
        unicode::check_values(&manifest.tree, check);
    }
}

/// Reports a block of code that hides the rest of the text.
pub(super) fn check_fences(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    let Some(document) = &draft.skill.document else { return };
    let text = sources.text(document.body);
    if !text.contains("```") && !text.contains("~~~") {
        return;
    }
    let markdown = document.markdown(sources);
    if let Some(stray) = markdown.stray_fence() {
        let found = lints::UNCLOSED_FENCE
            .report_at(first_line(document.body, text, stray.start), "this line closes no block of code")
            .label("no block is open here, so it opens one");
        check.report.push(match &stray.outer {
            Some(outer) => found
                .related(
                    first_line(document.body, text, outer.start),
                    "this block ended at the end of a block in it",
                )
                .help("open and close the outer block with a longer line"),
            None => found.help("delete the line, or open the block above"),
        });
    } else if let Some(block) = markdown.open_block(text) {
        let place = first_line(document.body, text, block.start);
        let line = sources.text(place);
        let count = line.chars().take_while(|c| matches!(c, '`' | '~')).count();
        let signs = if line.starts_with('~') { "tildes" } else { "backquotes" };
        lints::UNCLOSED_FENCE
            .report_at(place, "this block of code is not closed")
            .label("the rest of the text is code")
            .help(format!("close the block with a line of {count} {signs}"))
            .add_to(check.report);
    }
}

/// Returns the place of the line of a body that begins at an offset.
fn first_line(body: Span, text: &str, start: usize) -> Span {
    let line = text.get(start..).and_then(|text| text.lines().next()).unwrap_or_default().trim_end();
    body.part(start, start + line.len())
}

/// Reports a skill that has no effect: without a text, or that nobody can call. Functions and programs are called by code.
pub(super) fn check_use(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    let is_callable =
        draft.has_manifest() || draft.fields.exec.is_some() || !draft.fields.mcp_servers.is_empty();
    let Some(document) = draft.skill.document.as_ref().filter(|_| !is_callable && draft.is_sound()) else {
        return;
    };
    if draft.frontmatter().is_some() && is_blank(sources.text(document.body)) {
        lints::BODY_EMPTY
            .report_at(draft.head, "the skill has no text after its frontmatter")
            .label("a model that loads the skill learns nothing")
            .help("write the instructions below the closing line `---`")
            .add_to(check.report);
    }
    if let Some(users) = line_of(draft, "user-invocable", false)
        && let Some(models) = line_of(draft, "disable-model-invocation", true)
    {
        lints::SKILL_UNREACHABLE
            .report_at(users, "neither models nor users can call the skill")
            .label("hides the skill from users")
            .related(models, "hides the skill from models")
            .help("delete one of the two lines")
            .add_to(check.report);
    }
}

/// Returns the place of a flag of the frontmatter, if it has a value.
fn line_of(draft: &SkillDraft, key: &str, value: bool) -> Option<Span> {
    let entry = draft.entry(key).filter(|entry| entry.value.truth() == Some(value))?;
    Some(entry.key_span.to(entry.value.span))
}

/// Returns `true` if a text has only white space and comments.
fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some((_, behind)) = rest.strip_prefix("<!--").and_then(|comment| comment.split_once("-->")) {
        rest = behind.trim_start();
    }
    rest.is_empty()
}

/// Reports hidden characters. A garbled text has control characters because of its wrong decoding.
fn visible(file: FileId, text_scan: TextScan, is_garbled: bool, check: &mut Check<'_>) {
    let sources = check.sources;
    if !text_scan.is_plain {
        unicode::check(sources.file(file).span(0..usize::MAX), is_garbled, check);
    }
}

/// Checks the length of a text; `text_scan` describes its whole file.
fn length(span: Span, text_scan: TextScan, check: &mut Check<'_>) {
    let sources = check.sources;
    let text = sources.text(span);
    let tokens = estimated_tokens(text.len());
    if text_scan.feeds < MAX_LINES && tokens <= MAX_TOKENS {
        return;
    }
    let lines = text.split('\n').count() - usize::from(text.ends_with('\n'));
    let (title, label) = if lines > MAX_LINES {
        (format!("the text has {lines} lines, more than {MAX_LINES}"), "the text begins here")
    } else if tokens > MAX_TOKENS {
        (format!("the text has about {tokens} tokens, more than {MAX_TOKENS}"), "the text begins here")
    } else {
        return;
    };
    lints::LONG_BODY.report_at(span.head(), title).label(label).help(
        "move details into files below `references/` and name them here, so that they are read only when needed",
    ).add_to(check.report);
}

/// Checks the Markdown texts of the skill number `at` with the check that the options contain.
pub(super) fn check_texts(
    draft: &mut SkillDraft,
    at: usize,
    sources: &mut SourceMap,
    options: &Options,
    report: &mut Report,
) {
    let Some(check) = options.texts.get() else { return };
    let mut places: Vec<Span> = draft.skill.document.iter().map(|document| document.body).collect();
    let dir = &mut draft.skill.dir;
    let others: Vec<String> = dir
        .files
        .iter()
        .map(|file| file.path.clone())
        .filter(|path| path.to_ascii_lowercase().ends_with(".md") && path != "SKILL.md")
        .collect();
    for path in others {
        let file = parse::add_source(dir, &path, at, sources);
        places.extend(file.map(|file| sources.file(file).span(0..usize::MAX)));
    }
    for place in places {
        check.check(sources.text(place), place, report);
    }
}
