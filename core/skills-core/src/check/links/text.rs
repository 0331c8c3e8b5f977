//! Finds the places in a body that name files: links and mentions.

const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

/// A link: the start of its label, and its target.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) label: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether the target looks like a file and is not in code.
    pub(super) is_file: bool,
    /// Whether the target is a heading of the same text, `#heading`, and is not in code.
    pub(super) is_heading: bool,
}

/// Finds inline links and images, `[label](target)`, and definitions, `[x]: target`.
///
/// Reads each line once, no matter how many brackets it has.
pub(super) fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        skills_text::work::count(line.len());
        if line.contains(']') {
            links_of_line(line, at, &mut found);
        }
        at += line.len();
    }
    found
}

fn links_of_line(line: &str, base: usize, found: &mut Vec<Link>) {
    let mut from = 0;
    let mut is_code = false;
    let mut is_first = true;
    while let Some(at) = line[from..].find(']').map(|at| at + from) {
        let label_start = line[from..at].rfind('[').map_or(at, |open| from + open);
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
        // An unclosed target extends to the end of the line, so no other link can begin in it.
        let Some((start, end)) = end else { break };
        let is_file = !is_code && is_relative(&line[start..end]);
        let is_heading = !is_code && line[start..end].starts_with('#');
        found.push(Link {
            label: base + label_start,
            start: base + start,
            end: base + end,
            is_file,
            is_heading,
        });
        is_code ^= line[from..end].matches('`').count() % 2 == 1;
        from = end;
    }
}

/// Returns `true` if a target looks like a relative file path: without scheme, anchor or mail address.
fn is_relative(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|at| !target[..at].contains(['/', '.', '#']));
    !target.is_empty()
        && !target.starts_with(['#', '/'])
        && !scheme
        && !target.contains('@')
        && target.contains(['/', '.'])
}

/// Finds words such as `scripts/run.py`: a path below one of the three folders, without any path before it.
pub(super) fn mentions(text: &str) -> Vec<(usize, usize)> {
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
        // `scripts/` alone names the folder, not a file. `lib/a.b_c` names an item of a module.
        let ending = word.rsplit_once('.').map(|(_, ending)| ending);
        if ending.is_some_and(|ending| !ending.contains('_')) {
            found.push((start, slash + 1 + word.len()));
        }
        from = slash + 1 + length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{links, mentions};

    fn texts(text: &str, spans: Vec<(usize, usize)>) -> Vec<&str> {
        spans.into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    // SPEC 2.11
    #[test]
    fn relative_links_are_found() {
        let text = "[a](a.md) ![b](img/b.png \"t\") [c](<c d.md>) [d]: d.md\n[e]: e.md\n[x](https://x.y) [y](#z) \
            `[q](q.md)` [m](mailto:a@b.c) [n](word) [^1]: note.md";
        let files = links(text).into_iter().filter(|link| link.is_file).map(|link| (link.start, link.end));
        assert_eq!(texts(text, files.collect()), ["a.md", "img/b.png", "c d.md", "e.md"]);
    }

    // SPEC 2.14
    #[test]
    fn labels_are_known() {
        let text = "see [references/a.md](https://x.y) and [b `c`](b.md)";
        let labels = links(text).into_iter().map(|link| (link.label, link.start)).collect();
        assert_eq!(texts(text, labels), ["[references/a.md](", "[b `c`]("]);
    }

    // SPEC 2.11
    #[test]
    fn mentions_are_found() {
        let text = "Run `python scripts/a.py`, see references/b.md. and ./assets/c/d.png; not x/scripts/e.py, \
            $DIR/scripts/f.py, https://h/scripts/g.py, the scripts/ folder, scripts/run, scripts/lib/a.b_c";
        assert_eq!(texts(text, mentions(text)), ["scripts/a.py", "references/b.md", "./assets/c/d.png"]);
    }
}
