//! Checks the versions of programs: the entries of `requires` such as `acme >= 0.4`, and the versions that the texts name.

use std::ops::Range;

use skills_registry::requirement;
use skills_text::is_digits;

use super::draft::{Check, SkillDraft};
use crate::rule::claims as rules;
use crate::{Report, Span, Spanned};

/// The maximum number of programs whose versions are searched in a text. It bounds the work.
const MAX_PROGRAMS: usize = 32;

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    // Programs with their minimum versions.
    let mut required: Vec<(&str, &str)> = Vec::new();
    for entry in &draft.fields.requires {
        match requirement(&entry.value) {
            (program, Some(version)) if is_name(program) && numbers(version).is_some() => {
                required.push((program, version));
            }
            _ if entry.value.starts_with("cap:") => {}
            _ => entry_form(entry, check.report),
        }
    }
    let Some(document) = draft.skill.document.as_ref().filter(|_| !required.is_empty()) else { return };
    let about = draft.frontmatter().and_then(|frontmatter| frontmatter.tree.get("compatibility"));
    for place in about.map(|node| node.span).into_iter().chain([document.body]) {
        let is_whole = place != document.body;
        mentions(place, is_whole, required.get(..MAX_PROGRAMS).unwrap_or(&required), check);
    }
}

/// Reports an entry that names a version in another form: `acme 0.4`, `acme@0.4`, `acme >= 0.4, < 1`.
fn entry_form(entry: &Spanned<String>, report: &mut Report) {
    let text = entry.value.trim();
    let signs = [' ', '\t', '<', '>', '=', '^', '~', '@', '!', '('];
    let Some(end) = text.find(signs) else { return };
    let (program, rest) = text.split_at(end);
    let version = rest.trim_start_matches(signs).trim_start_matches(['v', 'V']);
    if !is_name(program) || !version.starts_with(|c: char| c.is_ascii_digit()) {
        return;
    }
    let found = rules::REQUIRES_VERSION
        .report_at(entry.span, format!("`{text}` is looked up as the name of a program"))
        .label("expected `PROGRAM` or `PROGRAM >= VERSION`");
    let plain = version.trim_end_matches(['+', ')']);
    report.push(match numbers(plain).filter(|_| !rest.contains(['<', '!'])) {
        Some(_) => found.near_string(&format!("{program} >= {plain}")),
        None => found.help("name the minimum version only: `PROGRAM >= VERSION`"),
    });
}

/// Reports older versions than required and, in a text about the whole skill, newer minimum versions.
fn mentions(place: Span, is_whole: bool, required: &[(&str, &str)], check: &mut Check<'_>) {
    let sources = check.sources;
    let text = sources.text(place);
    let folded = text.to_ascii_lowercase();
    for (program, required) in required {
        let Some(least) = numbers(required) else { continue };
        let name = program.to_ascii_lowercase();
        skills_text::work::count(text.len());
        for (at, _) in folded.match_indices(&name) {
            let Some(mention) = mention(text, at, at + name.len()) else { continue };
            let named = text.get(mention.version.clone()).unwrap_or_default();
            let Some(version) = numbers(named) else { continue };
            // `0.4` means any release 0.4.x, so only the numbers that both versions have are compared.
            let common = version.len().min(least.len());
            let (own, other) = (version.get(..common), least.get(..common));
            let is_wrong = own < other || is_whole && mention.is_least && own > other;
            if is_wrong && !is_about_past(text, at) {
                let place = place.part(mention.version.start, mention.version.end);
                let title = format!(
                    "the text names {program} {named}, but the skill requires `{program} >= {required}`"
                );
                let found = rules::REQUIRES_VERSION.report_at(place, title).label("not the required version");
                check.report.push(found.near(required));
            }
        }
    }
}

/// A version that follows the name of a program.
struct Mention {
    version: Range<usize>,
    /// Whether newer versions are named, too: `>= 0.3`, `0.3+`, `0.3 or later`.
    is_least: bool,
}

/// Reads the version behind a name: `acme 0.3`, `acme@0.3`, `` `acme` v0.3 ``, `acme version 0.3`, `Node.js >= 18`.
fn mention(text: &str, start: usize, end: usize) -> Option<Mention> {
    if text.get(..start)?.ends_with(|c: char| c.is_alphanumeric() || "-_./@".contains(c)) {
        return None;
    }
    let rest = text.get(end..)?;
    let rest = rest.strip_prefix(".js").unwrap_or(rest);
    let marks = [' ', '\n', '`', '*'];
    let behind = rest.trim_start_matches(marks);
    let between = rest.strip_suffix(behind).unwrap_or_default();
    if between.matches('\n').count() > 1 {
        return None;
    }
    let mut version = behind;
    for sign in [">=", "≥", "==", "@", "version ", "Version ", "^", "~"] {
        version = version.strip_prefix(sign).map_or(version, str::trim_start);
    }
    let version = version.strip_prefix('v').unwrap_or(version);
    let from = text.len() - version.len();
    let is_marked = version.len() < behind.len();
    let is_apart = is_marked || rest.starts_with([' ', '\n', '`', '*']);
    let (named, tail) =
        version.split_at(version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len()));
    let named = named.trim_end_matches('.');
    let later = tail.trim_start_matches(['x', '`', '*']);
    let is_least = behind.starts_with(['>', '≥']) || LATER.iter().any(|word| later.starts_with(word));
    // A single number may not be a version: `acme 3 files`.
    let is_version = is_marked || is_least || named.contains('.');
    let is_ended = !tail.starts_with(|c: char| c.is_alphanumeric() && c != 'x' || c == '%' || c == '_');
    (is_apart && is_version && is_ended && !named.is_empty())
        .then(|| Mention { version: from..from + named.len(), is_least })
}

/// Words behind a version that include newer ones.
const LATER: [&str; 8] =
    ["+", " or later", " or newer", " or higher", " or above", " and later", " and newer", " and up"];

/// Words that occur in sentences about versions other than the required one.
const PAST: &str = "\
    added before below changed deprecated dropped earlier former formerly introduced legacy \
    longer migrate migrating not old older prior removed renamed since until was";

/// Returns `true` if the line before a place or behind it speaks of the past, as in "until acme 0.3".
fn is_about_past(text: &str, at: usize) -> bool {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    line.split(|c: char| !c.is_alphanumeric())
        .any(|word| PAST.split(' ').any(|past| word.eq_ignore_ascii_case(past)))
}

/// Returns `true` if a text is the name or the path of a program.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || "./_".contains(c))
        && text.chars().all(|c| c.is_alphanumeric() || "-_./+".contains(c))
}

/// Reads a version: numbers with dots. What follows a `-` or `+` is not compared.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let plain = text.strip_prefix('v').unwrap_or(text).split(['-', '+']).next()?;
    plain.split('.').map(|part| part.parse().ok().filter(|_| is_digits(part))).collect()
}
