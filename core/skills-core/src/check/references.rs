//! Checks the headings and environment variables that a body names, and the languages of its code blocks.

use std::borrow::Cow;

use skills_text::{Places, nearest};

use super::draft::Draft;
use super::links;
use super::read_fields::openclaw_requires;
use crate::fences::{fences, has_rust, outside};
use crate::options::{Options, TextCheck};
use crate::rule::claims as rules;
use crate::{Change, Report, SourceMap, Span};

pub(super) fn check(draft: &Draft, sources: &SourceMap, options: &Options, report: &mut Report) {
    let Some(document) = &draft.skill.document else { return };
    let text = sources.text(document.body);
    if document.text_scan.has_bracket {
        headings(draft, document.body, text, sources, report);
    }
    variables(draft, document.body, text, options, report);
    if options.doctest && has_rust(text) {
        blocks_without_language(document.body, text, report);
    }
}

/// Checks that the headings that links name exist.
fn headings(draft: &Draft, body: Span, text: &str, sources: &SourceMap, report: &mut Report) {
    let mut own: Option<Vec<String>> = None;
    for (at, path, heading) in links::headings(text) {
        let is_name = !heading.is_empty() && heading.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
        if !is_name {
            continue;
        }
        let other;
        let known = match path.as_ref() {
            "" => own.get_or_insert_with(|| anchors(text)),
            path => {
                let file = draft.skill.dir.file(path.trim_start_matches("./"));
                let file = file.filter(|file| file.path.ends_with(".md"));
                let bytes = file.map(|file| file.bytes(sources));
                let Some(text) = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
                other = anchors(text);
                &other
            }
        };
        // The comparison is exact, because browsers distinguish capital letters in the names of headings.
        if known.iter().any(|anchor| anchor == heading) {
            continue;
        }
        let place = body.part(at.end - heading.len(), at.end);
        let whose = if path.is_empty() { Cow::Borrowed("the text") } else { Cow::Owned(format!("`{path}`")) };
        let found = rules::BROKEN_HEADING
            .at(place, format!("{whose} has no heading `#{heading}`"))
            .label("no such heading");
        report.push(match nearest(heading, known.iter().map(String::as_str)) {
            Some(near) => found.near(near),
            None => {
                found.help("name a heading in small letters, with `-` for spaces and without punctuation")
            }
        });
    }
}

/// Returns the anchors of a text: its headings, as GitHub names them, and the ids of elements.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut above = "";
    for (_, line) in outside(text) {
        skills_text::work::count(line.len());
        let trimmed = line.trim();
        let marks = trimmed.len() - trimmed.trim_start_matches('#').len();
        let is_line = |sign: char| !trimmed.is_empty() && trimmed.trim_matches(sign).is_empty();
        let title = match trimmed.get(marks..) {
            Some(title) if (1..=6).contains(&marks) && title.starts_with([' ', '\t']) => Some(title),
            _ if is_line('=') || is_line('-') => Some(above).filter(|above| !above.is_empty()),
            _ => None,
        };
        if let Some(title) = title {
            push_heading(title.trim().trim_end_matches('#').trim_end(), &mut found);
        }
        for mark in ["id=\"", "name=\"", "{#"] {
            let ids = line.match_indices(mark).filter_map(|(at, _)| line.get(at + mark.len()..));
            found.extend(ids.filter_map(|rest| Some(rest.split(['"', '}']).next()?.to_owned())));
        }
        above = trimmed;
    }
    found
}

fn push_heading(title: &str, found: &mut Vec<String>) {
    // The target of a link is not a part of the heading.
    let mut plain = String::new();
    let mut rest = title;
    while let Some((before, behind)) = rest.split_once("](") {
        plain.push_str(before);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    let dashed = plain.to_lowercase().replace(' ', "-");
    let slug: String = dashed.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    let again = found.iter().filter(|known| **known == slug).count();
    found.push(if again == 0 { slug.clone() } else { format!("{slug}-{again}") });
    if again > 0 {
        // The next heading of this name gets the next number.
        found.push(slug);
    }
}

/// Variables that every program knows.
const COMMON: &str = "\
    PATH HOME LANG LC_ALL TZ TMPDIR USER SHELL EDITOR PAGER TERM NO_COLOR DEBUG CI HTTP_PROXY \
    HTTPS_PROXY NO_PROXY PYTHONPATH";

/// Checks the environment variables that the text tells the reader to set. If the skill declares variables, or the
/// commands of a program are known, each variable must be declared or read by such a program.
fn variables(draft: &Draft, body: Span, text: &str, options: &Options, report: &mut Report) {
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
                .at(
                    body.part(start, start + length),
                    format!("neither the skill nor a program declares the variable `{name}`"),
                )
                .label("not among the known variables");
            report.push(match near {
                Some(near) => found.near(near),
                None => found.help(format!("add it to the declared variables: {}", declared.join(", "))),
            });
        }
    }
}

/// Returns the variables that a skill declares in `permissions` and in the metadata of openclaw.
fn declared(draft: &Draft) -> Vec<&str> {
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
    names
}

fn blocks_without_language(body: Span, text: &str, report: &mut Report) {
    for fence in fences(text).iter().filter(|fence| fence.info.trim().is_empty()) {
        let line = text.get(fence.start..fence.content.start).unwrap_or_default().trim_end();
        let end = fence.start + line.len();
        let start = end - line.trim_start().len();
        report.push(
            rules::DOCTEST_UNMARKED
                .at(body.part(start, end), "rustdoc takes a block without a language as Rust")
                .label("a documentation test")
                .help("name the language of the block, such as `text`")
                .fix(Change::replace(body.part(end, end), "text").safe_fix()),
        );
    }
}
