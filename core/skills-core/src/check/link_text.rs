//! Finds the places in a body that name files: links and mentions. Used by `links`.

const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

/// A link: the start of its label, and its target.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) label: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether the target looks like a file and is not in code.
    pub(super) is_file: bool,
}

/// Finds inline links and images, `[label](target)`, and definitions, `[x]: target`.
///
/// Reads each line once, no matter how many brackets it has.
pub(super) fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
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
        found.push(Link { label: base + label_start, start: base + start, end: base + end, is_file });
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

/// Finds the first phrase of a line that announces a file to create, an example, or something not to do.
/// Returns the end of the phrase.
pub(super) fn proposal(line: &str) -> Option<usize> {
    const WORDS: [&str; 35] = [
        "e.g",
        "such as",
        " like ",
        "create",
        "creating",
        "write ",
        "writing ",
        "generate",
        "add ",
        "adding ",
        "save ",
        "saved ",
        "put ",
        "place ",
        "move ",
        "extract ",
        "delete ",
        "remove ",
        "paste ",
        "produce",
        "mkdir",
        "touch ",
        "never",
        "n't ",
        "not ",
        "avoid",
        "template",
        "for example",
        "for instance",
        // A path after `git clone` is in another directory.
        "git clone ",
        "example:",
        "examples:",
        "├",
        "└",
        "│",
    ];
    // Marks of emphasis may stand between a word and the text after it.
    let is_mark = |c: char| matches!(c, '*' | '_');
    let plain: String = line.to_ascii_lowercase().chars().filter(|c| !is_mark(*c)).collect();
    let ends = WORDS.iter().filter_map(|word| plain.find(word).map(|at| at + word.len()));
    let mut left = ends.min()?;
    for (at, c) in line.char_indices().filter(|(_, c)| !is_mark(*c)) {
        left = left.saturating_sub(c.len_utf8());
        if left == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// Returns `true` if a line introduces a list of files to create: `Store the plan as:`.
pub(super) fn proposes_list(lead: &str) -> bool {
    lead.trim_end_matches(['*', '_', ' ']).ends_with(':') && proposes(lead)
}

/// Returns `true` if a line is about creating or moving something.
fn proposes(line: &str) -> bool {
    const WORDS: [&str; 9] =
        ["create", "extract", "generate", "move", "produce", "save", "scaffold", "store", "write"];
    let line = line.to_lowercase();
    line.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// The largest number of lines before a line that belong to its sentence.
const SENTENCE: usize = 4;

/// Returns the line at an offset together with the lines before and after it that belong to its sentence: a
/// line of running text goes on in the next one, an item of a list begins anew.
pub(super) fn sentence(text: &str, start: usize, end: usize) -> &str {
    let is_new = |line: &str| {
        let line = line.trim_start();
        line.trim().is_empty()
            || is_item(line)
            || line.starts_with(['#', '|', '>'])
            || line.starts_with("```")
    };
    let ends =
        |line: &str| line.trim_end().is_empty() || line.trim_end().ends_with(['.', ':', '!', '?', '|']);
    let here = &text[start..end];
    let mut begin = start;
    for _ in 0..SENTENCE {
        let above = text[..begin].trim_end_matches('\n');
        let above = above.rfind('\n').map_or(0, |feed| feed + 1);
        if above == begin || is_new(&text[begin..end]) || ends(&text[above..begin]) {
            break;
        }
        begin = above;
    }
    let below = text.get(end + 1..).unwrap_or_default();
    let below = &below[..below.find('\n').unwrap_or(below.len())];
    let until = if is_new(below) || ends(here) { end } else { end + 1 + below.len() };
    &text[begin..until]
}

/// Returns `true` if a text before a file says that it is an example, or a file of another skill.
pub(super) fn is_of_others(before: &str) -> bool {
    const ENDS: [&str; 6] = ["skill's", "skill\u{2019}s", "e.g.", "for example", "for instance", "such as"];
    let before = before.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '`' | '*' | '_' | ',' | '(' | '"' | '=')
    });
    let before = before.trim_end_matches("file").trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    ENDS.iter().any(|end| before.ends_with(end))
}

/// Returns `true` if the sentence that continues in the line starting here began with creating or moving
/// something.
pub(super) fn is_proposed_above(text: &str, line: usize) -> bool {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let here = first(text.get(line..).unwrap_or_default());
    let above = text.get(..line).and_then(|text| text.lines().next_back()).unwrap_or_default();
    let goes_on = !is_item(&here) && !here.trim_start().starts_with(['#', '|', '>']);
    let ends = above.trim_end().ends_with(['.', ':', '!', '?', '|'])
        || above.trim_start().starts_with(['#', '`', '>']);
    goes_on && !ends && proposes(above)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['-', '*', '+']) || (digits.len() < line.len() && digits.starts_with(['.', ')']))
}

/// Finds the line that introduces the list to which the item at a line start belongs.
pub(super) fn lead_of_list(text: &str, line: usize) -> Option<&str> {
    const FAR: usize = 16;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let item = text.get(line..)?.lines().next().filter(|line| is_item(line))?;
    let above = text.get(..line)?.lines().rev().take(FAR);
    above
        .into_iter()
        .filter(|above| !above.trim().is_empty())
        .find(|above| !is_item(above) || indent(above) < indent(item))
}

/// Finds the last phrase of a line about a file that may exist. Returns the start of the phrase.
pub(super) fn wish(line: &str) -> Option<usize> {
    const WORDS: [&str; 4] = ["would be", "could be", "might be", "if it exists"];
    let line = line.to_ascii_lowercase();
    WORDS.iter().filter_map(|word| line.rfind(word)).max()
}

/// Returns `true` if a file has a made-up name: `scripts/foo.py`, `references/your-guide.md`.
pub(super) fn is_placeholder(path: &str) -> bool {
    const NAMES: [&str; 12] = [
        "foo",
        "bar",
        "baz",
        "qux",
        "xxx",
        "xyz",
        "example",
        "sample",
        "placeholder",
        "filename",
        "file",
        "script",
    ];
    const STARTS: [&str; 4] = ["my", "your", "some", "example"];
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let first = stem.split(['-', '_']).next().unwrap_or_default();
    NAMES.contains(&stem) || first.len() < stem.len() && (STARTS.contains(&first) || stem.ends_with("name"))
}

/// Returns `true` if a line is about the project of the user.
pub(super) fn is_of_project(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "checkout",
        "upstream",
        "toolkit root",
        "plugin root",
        "your project",
        "the project",
        "project's",
        "your repo",
        "the repo",
        "repository",
        "repo root",
        "project root",
        "codebase",
        "the user's",
    ];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::link_line::Line;
    use super::{
        is_of_others, is_of_project, is_placeholder, is_proposed_above, lead_of_list, links, mentions,
        proposes_list, sentence,
    };

    fn line(text: &str) -> Line<'_> {
        let mut line = Line::default();
        line.reach(text, 0);
        line
    }

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

    // SPEC 2.14
    #[test]
    fn lists_of_what_to_make_are_known() {
        let text = "Store the plan as:\n\n  - `references/a.md`\n  - `references/b.md`\nRead:\n1. `references/c.md`\nNo list.\n";
        let lead = |what: &str| {
            lead_of_list(text, text[..text.find(what).unwrap()].rfind('\n').map_or(0, |at| at + 1))
        };
        assert_eq!(lead("references/b.md"), Some("Store the plan as:"));
        assert_eq!(lead("references/c.md"), Some("Read:"));
        assert_eq!(lead("No list"), None);
        assert_eq!(lead("Store"), None);
        assert!(proposes_list("Store the plan as:") && proposes_list("2. **Create these files:**"));
        for lead in ["Read:", "Files that create value:x", "Store", "Restored files:"] {
            assert!(!proposes_list(lead), "{lead}");
        }
    }

    // SPEC 2.14
    #[test]
    fn placeholders_and_files_of_the_project_are_known() {
        for path in ["scripts/foo.py", "references/your-guide.md", "assets/my_logo.png", "scripts/script.sh"]
        {
            assert!(is_placeholder(path), "{path}");
        }
        assert!(is_placeholder("scripts/script_name.py"));
        for before in ["in the build skill's `", "with `file` (e.g.\n`file=\"", "files such as\n`"] {
            assert!(is_of_others(before), "{before}");
        }
        assert!(!is_of_others("the skill has `") && !is_of_others("See `"));
        let text = "Read the list.\n- A local checkout has\n  `x` and\n  more.\n- Other\n\nEnd";
        let at = text.find("  `x`").unwrap();
        assert_eq!(sentence(text, at, at + 9), "- A local checkout has\n  `x` and\n  more.");
        assert_eq!(sentence(text, 0, 14), "Read the list.");
        for path in
            ["references/examples.md", "scripts/barcode.py", "references/my.md", "assets/file-types.md"]
        {
            assert!(!is_placeholder(path), "{path}");
        }
        assert!(
            is_of_project("Run `scripts/release.sh` in the repository.") && is_of_project("your project's")
        );
        assert!(!is_of_project("Run `scripts/release.sh` to project the values."));
    }

    // SPEC 2.14
    #[test]
    fn sentences_over_two_lines_are_known() {
        let above = |text: &str| is_proposed_above(text, text.rfind('\n').unwrap() + 1);
        assert!(above("- Candidate: extract the section (lines 1-2)\n  to `references/a.md`"));
        for text in [
            "Write the report.\nSee `references/a.md`",
            "Create:\n- `references/a.md`",
            "Read it\nin `references/a.md`",
            "`references/a.md`\nx",
        ] {
            assert!(!above(text), "{text}");
        }
    }

    // SPEC 2.14
    #[test]
    fn examples_of_what_to_make_are_known() {
        for before in [
            "Create `",
            "an allowed path (e.g., `",
            "echo x > ",
            "│   └── ",
            "Never run ",
            "- **Example**: `",
            "- **Examples**: `a.md` for a, `",
            "Paste the result into `",
            "git clone https://x.y/z.git cd z ./",
        ] {
            assert!(line(before).is_proposed(before.len()), "{before}");
        }
        for before in ["Run `python ", "See ", "If the form has fields, read ", ""] {
            assert!(!line(before).is_proposed(before.len()), "{before}");
        }
        assert!(line("` script would be helpful to store in the skill\nRun it.").is_wished(0));
        assert!(!line("` reads the form.\nIt would be slow.").is_wished(0));
        let text = "It might be **not** in a.md or b.md";
        assert!(!line(text).is_wished(4) && line(text).is_wished(3), "the wish is behind the name");
        assert!(!line(text).is_proposed(19) && line(text).is_proposed(20), "the proposal is before the name");
    }
}
