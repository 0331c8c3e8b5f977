//! Links and mentions of files in a body: each names something that is bundled (SPEC 2.11).

use super::draft::Draft;
use super::glance::Glance;
use crate::diagnostic::Report;
use crate::edit::Change;
use crate::percent;
use crate::rule::lints;
use crate::span::{SourceMap, Span};

const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

/// Checks the body of one skill; `glance` is that of its whole file.
pub(super) fn check(draft: &Draft, body: Span, glance: Glance, sources: &SourceMap, report: &mut Report) {
    let text = sources.text(body);
    let links = if glance.has_bracket { links(text) } else { Vec::new() };
    let fences = if links.is_empty() { Vec::new() } else { fences(text) };
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for (start, end) in links {
        if !is_fenced(&fences, start) {
            seen.push((start, end));
            judge(draft, body.part(start, end), &text[start..end], true, report);
        }
    }
    let mentions = if glance.has_slash { mentions(text) } else { Vec::new() };
    for (start, end) in mentions {
        let at = seen.partition_point(|(_, to)| *to <= start);
        if seen.get(at).is_none_or(|(from, _)| *from >= end) {
            judge(draft, body.part(start, end), &text[start..end], false, report);
        }
    }
}

fn judge(draft: &Draft, span: Span, target: &str, is_link: bool, report: &mut Report) {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || path.contains(['<', '>', '{', '}', '*', '$', '…', '[', ']']) || path.contains("...")
    {
        return;
    }
    let decoded = percent::decode(path);
    let decoded = decoded.as_str();
    let what = if is_link { "link" } else { "mention" };
    let mut meant = None;
    let (title, help) = match resolve(decoded) {
        None => (format!("the {what} `{path}` leaves the skill"), outside(decoded)),
        Some(inside) if exists(draft, &inside) => return,
        Some(inside) => {
            let files = draft.skill.dir.files.iter().map(|file| file.path.as_str());
            let help = match skills_registry::nearest(&inside, files) {
                Some(near) => {
                    meant = Some(near);
                    format!("did you mean `{near}`?")
                }
                None => format!("add the file `{inside}` to the skill, or take the {what} out"),
            };
            (format!("the {what} `{path}` points at nothing"), help)
        }
    };
    // What follows `#` or `?` stays; a name with a blank would need another form of link.
    let fix = meant
        .filter(|near| !near.contains([' ', '(', ')']))
        .map(|near| Change::replace(span.part(0, path.len()), near).looked_at());
    report.push(lints::BROKEN_LINK.at(span, title).label("no such file in the skill").help(help).fix(fix));
}

/// Says what to write in place of a path that leaves the skill.
fn outside(path: &str) -> String {
    let sibling = path.strip_prefix("../").and_then(|rest| rest.strip_suffix("/SKILL.md"));
    match sibling.filter(|name| !name.contains('/')) {
        Some(name) => {
            format!("name the skill `{name}` instead: skills are loaded by name, wherever they lie")
        }
        None => "copy the file into the skill: what lies outside is not bundled".to_owned(),
    }
}

fn exists(draft: &Draft, path: &str) -> bool {
    if path.is_empty() {
        return true;
    }
    let files = &draft.skill.dir.files;
    let at = files.partition_point(|file| file.path.as_str() < path);
    let below = |file: &crate::read::File| {
        file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    // Files such as `a-b` sort between `a` and `a/x`.
    files[at..].iter().take_while(|file| file.path.starts_with(path)).any(below)
}

/// Resolves `.` and `..`; nothing when the path leaves the skill.
fn resolve(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Finds the targets of inline links and images, `](target)`, and of definitions, `[x]: target`.
///
/// Each line is gone through once, however many brackets it has.
fn links(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.contains(']') {
            found.extend(links_of_line(line).into_iter().map(|(start, end)| (at + start, at + end)));
        }
        at += line.len();
    }
    found
}

fn links_of_line(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut is_code = false;
    let mut is_first = true;
    while let Some(at) = line[from..].find(']').map(|at| at + from) {
        is_code ^= line[from..at].matches('`').count() % 2 == 1;
        from = at + 1;
        let label = line[..if is_first { at } else { 0 }].trim_start().strip_prefix('[');
        is_first = false;
        let rest = &line[at + 1..];
        let start = match rest.as_bytes().first() {
            Some(b'(') => at + 2,
            Some(b':') if label.is_some_and(|label| !label.starts_with('^')) => {
                line.len() - rest[1..].trim_start_matches([' ', '\t']).len()
            }
            _ => continue,
        };
        let end = match line[start..].strip_prefix('<') {
            Some(inner) => inner.find('>').map(|end| (start + 1, start + 1 + end)),
            None => {
                let length = line[start..].find([')', ' ', '\t', '\n', '\r', '"']);
                Some((start, length.map_or(line.len(), |length| start + length)))
            }
        };
        // A target that is not closed takes the rest of the line: no other can begin in it.
        let Some((start, end)) = end else { break };
        if !is_code && is_relative(&line[start..end]) {
            found.push((start, end));
        }
        is_code ^= line[from..end].matches('`').count() % 2 == 1;
        from = end;
    }
    found
}

/// Tells whether a target is a relative path with the look of a file: no scheme, no anchor, no mail address.
fn is_relative(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|at| !target[..at].contains(['/', '.', '#']));
    !target.is_empty()
        && !target.starts_with(['#', '/'])
        && !scheme
        && !target.contains('@')
        && target.contains(['/', '.'])
}

/// Finds words such as `scripts/run.py`: one of the three folders, with nothing of a path before it.
fn mentions(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(slash) = text.get(from..).and_then(|rest| rest.find('/')).map(|at| at + from) {
        from = slash + 1;
        let Some(folder) = FOLDERS.into_iter().find(|folder| text[..slash].ends_with(folder)) else {
            continue;
        };
        let mut start = slash - folder.len();
        if text[..start].ends_with("./") {
            start -= 2;
        }
        let before = text[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || "/_-.$}>~@\\*:".contains(c)) {
            continue;
        }
        let rest = &text[slash + 1..];
        let length =
            rest.find(|c: char| !(c.is_alphanumeric() || "/_-.+<>{}*$[]…".contains(c))).unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches(['.', '-', '_']);
        // A bare `scripts/` speaks of the folder; only a file or folder below it is a promise.
        if !word.is_empty() && word.contains('.') {
            found.push((start, slash + 1 + word.len()));
        }
        from = slash + 1 + length;
    }
    found
}

/// Returns the byte ranges of fenced code blocks.
fn fences(text: &str) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if let Some(mark) = trimmed.chars().next().filter(|c| matches!(c, '`' | '~')) {
            let length = trimmed.chars().take_while(|c| *c == mark).count();
            match open {
                Some((start, kind, least))
                    if kind == mark && length >= least && trimmed[length..].trim().is_empty() =>
                {
                    ranges.push((start, at + line.len()));
                    open = None;
                }
                None if length >= 3 => open = Some((at, mark, length)),
                _ => {}
            }
        }
        at += line.len();
    }
    ranges.extend(open.map(|(start, ..)| (start, text.len())));
    ranges
}

fn is_fenced(fences: &[(usize, usize)], at: usize) -> bool {
    fences.get(fences.partition_point(|(_, end)| *end <= at)).is_some_and(|(start, _)| *start <= at)
}

#[cfg(test)]
mod tests {
    use super::{fences, links, mentions, resolve};

    fn texts(text: &str, spans: Vec<(usize, usize)>) -> Vec<&str> {
        spans.into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    // SPEC 2.11
    #[test]
    fn relative_links_are_found() {
        let text = "[a](a.md) ![b](img/b.png \"t\") [c](<c d.md>) [d]: d.md\n[e]: e.md\n[x](https://x.y) [y](#z) \
            `[q](q.md)` [m](mailto:a@b.c) [n](word) [^1]: note.md";
        assert_eq!(texts(text, links(text)), ["a.md", "img/b.png", "c d.md", "e.md"]);
    }

    // SPEC 2.11
    #[test]
    fn mentions_are_found() {
        let text = "Run `python scripts/a.py`, see references/b.md. and ./assets/c/d.png; not x/scripts/e.py, \
            $DIR/scripts/f.py, https://h/scripts/g.py, the scripts/ folder, scripts/run";
        assert_eq!(texts(text, mentions(text)), ["scripts/a.py", "references/b.md", "./assets/c/d.png"]);
    }

    #[test]
    fn paths_resolve_inside_the_skill() {
        assert_eq!(resolve("./a//b/../c").as_deref(), Some("a/c"));
        assert_eq!(resolve("../a"), None);
        assert_eq!(resolve("a/../../b"), None);
        assert_eq!(resolve("/etc/passwd"), None);
    }

    #[test]
    fn code_blocks_are_known() {
        let text = "a\n```sh\nb\n```\nc\n~~~~\n~~~\nd";
        assert_eq!(texts(text, fences(text)), ["```sh\nb\n```\n", "~~~~\n~~~\nd"]);
    }
}
