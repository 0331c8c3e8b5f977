//! Checks the headings and environment variables that a body names, and the languages of its code blocks.

use std::borrow::Cow;

use skills_text::{Places, nearest, percent_decoded_text};

use super::draft::{Check, SkillDraft};
use super::read_fields::openclaw_requires;
use crate::markdown::{Link, Markdown, slug};
use crate::options::TextCheck;
use crate::rule::{claims as rules, lints};
use crate::{Change, Diagnostic, Level, Report, Span};

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let Check { sources, options, .. } = *check;
    let Some(document) = &draft.skill.document else { return };
    let text = sources.text(document.body);
    if document.text_scan.has_bracket {
        headings(draft, document.body, document.markdown(sources), check);
    }
    variables(draft, document.body, text, check);
    if options.doctest && document.markdown(sources).has_rust() {
        blocks_without_language(document.body, text, document.markdown(sources), check.report);
    }
}

/// Checks that the headings that links name exist.
fn headings(draft: &SkillDraft, body: Span, markdown: &Markdown, check: &mut Check<'_>) {
    let sources = check.sources;
    let mut own: Option<Vec<String>> = None;
    let (mut hidden, mut blocks) = (None, Vec::new());
    for link in &markdown.links {
        let Some((path, heading)) = link.path.split_once('#') else { continue };
        let heading = anchor_name(heading);
        let path = percent_decoded_text(path);
        if !is_heading_name(heading) {
            continue;
        }
        let other;
        let known = match path.as_ref() {
            "" => own.get_or_insert_with(|| markdown.anchors()),
            path => {
                let file = draft.skill.dir.file(path.trim_start_matches("./"));
                let file = file.filter(|file| file.path.ends_with(".md"));
                let bytes = file.map(|file| file.bytes(sources));
                let Some(text) = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
                other = Markdown::parse(text).anchors();
                &other
            }
        };
        // The comparison is exact, because browsers distinguish capital letters in the names of headings.
        if known.iter().any(|anchor| anchor == heading) {
            continue;
        }
        let place = body.part(link.target.end - heading.len(), link.target.end);
        let whose = if path.is_empty() { Cow::Borrowed("the text") } else { Cow::Owned(format!("`{path}`")) };
        let is_own = path.is_empty();
        let hidden = hidden.get_or_insert_with(|| markdown.hidden_headings(sources.text(body)));
        let hidden = hidden.get(heading).filter(|_| is_own);
        if let Some(hidden) = hidden {
            // One block has one fault, and `unclosed-fence` names a block that is too long, unless it is allowed.
            let is_named = markdown.is_too_long(sources.text(body), hidden) && {
                let (options, file) = (check.options, sources.file_of(body));
                options.levels.level(&lints::UNCLOSED_FENCE, options.profile, &file.path) > Level::Allow
            };
            if is_named || blocks.contains(&hidden.opening.start) {
                continue;
            }
            blocks.push(hidden.opening.start);
        }
        let block =
            hidden.map(|hidden| (body.part(hidden.opening.start, hidden.opening.end), hidden.is_html));
        let title = format!("{whose} has no heading `#{heading}`");
        let text = link_text(sources.text(body), link);
        check.report.push(missing_heading(place, title, block, near_heading(heading, text, known)));
    }
}

/// Returns the name of a heading in the part of a link behind `#`. GitHub puts `user-content-` before all such names, and
/// accepts links without it.
pub(super) fn anchor_name(fragment: &str) -> &str {
    fragment.strip_prefix("user-content-").unwrap_or(fragment)
}

/// Returns the heading that a link probably means: the only one with the same letters and digits, or the only one whose
/// title is the text of the link, with or without numbers before it, or the only one that begins with these words, or else
/// a similar one.
pub(super) fn near_heading<'k>(heading: &str, text: &str, known: &'k [String]) -> Option<&'k str> {
    let title = slug(text);
    let title = without_numbers(&title);
    let same = only(known.iter().filter(|anchor| letters(anchor).eq(letters(heading))));
    let titled = only(known.iter().filter(|anchor| !title.is_empty() && without_numbers(anchor) == title));
    let longer = only(known.iter().filter(|anchor| is_beginning(heading, anchor)));
    let near = same.or(titled).or(longer).map(String::as_str);
    near.or_else(|| nearest(heading, known.iter().map(String::as_str)))
}

/// Returns the item of an iterator that has exactly one.
pub(super) fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// Returns `true` if the name of a heading begins with the words of another name, which has at least two.
fn is_beginning(words: &str, anchor: &str) -> bool {
    let words = words.trim_end_matches('-');
    words.trim_start_matches('-').contains('-')
        && anchor.strip_prefix(words).is_some_and(|rest| rest.starts_with('-'))
}

fn without_numbers(anchor: &str) -> &str {
    anchor.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
}

/// Returns the text between the brackets of a link.
pub(super) fn link_text<'t>(text: &'t str, link: &Link) -> &'t str {
    let label = text.get(link.start..link.target.start).unwrap_or_default();
    label.rsplit_once(']').map_or("", |(label, _)| label.trim_start_matches(['!', '[']))
}

/// Returns the letters and digits of a text, in small letters.
pub(super) fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Returns `true` if the part of a link behind `#` may be the name of a heading. One long word of small letters and digits,
/// such as `9f2f0735d57ix`, is a mark of a web site in a copy of its pages.
pub(super) fn is_heading_name(fragment: &str) -> bool {
    const SHORTEST_MARK: usize = 10;
    let is_word = fragment.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let digits = fragment.bytes().filter(u8::is_ascii_digit).count();
    let is_mark = is_word && digits > 1 && fragment.len() >= SHORTEST_MARK;
    !fragment.is_empty() && !is_mark && fragment.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
}

/// Returns the finding about a heading that a link names and the text lacks. `block` is the opening line of a block that
/// contains such a line, and whether it is one of HTML; `near` is the heading that is probably meant.
pub(super) fn missing_heading(
    place: Span,
    title: String,
    block: Option<(Span, bool)>,
    near: Option<&str>,
) -> Diagnostic {
    let found = rules::BROKEN_HEADING.report_at(place, title).label("no such heading");
    match (block, near) {
        (Some((block, true)), _) => found
            .related(block, "this block of HTML contains a line of this text")
            .help("leave an empty line before the heading"),
        (Some((block, false)), _) => found
            .related(block, "this block of code contains a line of this text")
            .help("close the block of code before the heading"),
        (None, Some(near)) => found.near(near),
        (None, None) => {
            found.help("name a heading in small letters, with `-` for spaces and without punctuation")
        }
    }
}

/// Variables that every program knows.
const COMMON: &str = "\
    PATH HOME LANG LC_ALL TZ TMPDIR USER SHELL EDITOR PAGER TERM NO_COLOR DEBUG CI HTTP_PROXY \
    HTTPS_PROXY NO_PROXY PYTHONPATH";

/// Checks the environment variables that the text tells the reader to set. If the skill declares variables, or the
/// commands of a program are known, each variable must be declared or read by such a program.
fn variables(draft: &SkillDraft, body: Span, text: &str, check: &mut Check<'_>) {
    let options = check.options;
    let declared = declared(draft);
    let mut known = declared.clone();
    known.extend(options.texts.get().map(TextCheck::environment).unwrap_or_default());
    if known.is_empty() {
        return;
    }
    let mut reported = Places::default();
    for mark in ["export ", "set `", "Set `", "$env:"] {
        for (at, _) in text.match_indices(mark) {
            let start = at + mark.len();
            let rest = &text[start..];
            let length = rest
                .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
                .unwrap_or(rest.len());
            let (name, behind) = rest.split_at(length);
            let is_set = match mark {
                "export " => behind.starts_with('='),
                "$env:" => behind.trim_start().starts_with('='),
                _ => behind.starts_with(['`', '=']),
            };
            let is_own = length > 2 && name.starts_with(|c: char| c.is_ascii_uppercase());
            let is_known = known.contains(&name) || COMMON.split(' ').any(|common| common == name);
            if !is_set || !is_own || is_known || reported.insert(name.to_owned(), start).is_some() {
                continue;
            }
            let near = nearest(name, known.iter().copied());
            if near.is_none() && declared.is_empty() {
                continue; // It may be a variable of another program.
            }
            let found = rules::ENV_UNDECLARED
                .report_at(
                    body.part(start, start + length),
                    format!("neither the skill nor a program declares the variable `{name}`"),
                )
                .label("not among the known variables");
            check.report.push(match near {
                Some(near) => found.near(near),
                None => found.help(format!("add it to the declared variables: {}", declared.join(", "))),
            });
        }
    }
}

/// Returns the variables that a skill declares in `permissions` and in the metadata of openclaw.
fn declared(draft: &SkillDraft) -> Vec<&str> {
    let permissions = draft
        .fields
        .permissions
        .iter()
        .chain(draft.typed.iter().filter_map(|typed| typed.permissions.as_ref()));
    let mut names: Vec<&str> = permissions.flat_map(|asked| &asked.value.env).map(String::as_str).collect();
    let metadata = draft.frontmatter().and_then(|frontmatter| frontmatter.tree.get("metadata"));
    let listed = metadata.map(|metadata| openclaw_requires(metadata, "env")).unwrap_or_default();
    names.extend(listed.iter().filter_map(|item| Some(item.as_scalar()?.text.as_str())));
    let primary = metadata.and_then(|metadata| metadata.get("openclaw")?.get("primaryEnv")?.as_scalar());
    names.extend(primary.map(|scalar| scalar.text.as_str()));
    skills_text::sort(&mut names, &|a, b| a.cmp(b));
    names.dedup();
    names
}

fn blocks_without_language(body: Span, text: &str, markdown: &Markdown, report: &mut Report) {
    let blocks = markdown.blocks.iter().filter(|block| block.info.is_empty() && !block.is_indented);
    for block in blocks {
        let line = text.get(block.start..block.content.start).unwrap_or_default().trim_end();
        let end = block.start + line.len();
        report.push(
            rules::DOCTEST_UNMARKED
                .report_at(body.part(block.start, end), "rustdoc takes a block without a language as Rust")
                .label("a documentation test")
                .help("name the language of the block, such as `text`")
                .fix(Change::replace(body.part(end, end), "text").safe_fix()),
        );
    }
}
