//! Interprets the words around a named file: whether it is to be created, may be missing, or belongs to others. Used by `line`.

use std::ops::Range;

use crate::link_paths::FOLDERS;
use crate::markdown::{Link, Markdown};

/// Returns the end of the first phrase that announces a file to create or to avoid, or an example.
pub(super) fn proposal(line: &str) -> Option<usize> {
    // A path after `git clone` is in another directory.
    const WORDS: &str = "\
        e.g|such as| like |create|creating|write |writing |generate|add |adding |save |saved |\
        put |place |move |extract |delete |remove |paste |produce|mkdir|touch |never|n't |not |\
        avoid|template|for example|for instance|git clone |example:|examples:|├|└|│|\
        retired|removed|deleted|deprecated|renamed|formerly|previously|replaces|used to |\
        cached in|cached at|cache it|cachen";
    // Marks of emphasis may stand between a word and the text after it.
    let is_mark = |c: char| matches!(c, '*' | '_');
    let plain: String = line.to_ascii_lowercase().chars().filter(|c| !is_mark(*c)).collect();
    let ends = WORDS.split('|').filter_map(|word| plain.find(word).map(|at| at + word.len()));
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
/// line of running text continues in the next line, while an item of a list starts a new sentence.
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
    ENDS.iter().any(|end| before.ends_with(end)) || is_possessive(before)
}

/// Returns `true` if a text ends with the possessive form of a name: `World War Watcher's`.
fn is_possessive(text: &str) -> bool {
    const OTHERS: [&str; 6] = ["Here", "It", "Let", "That", "There", "What"];
    let Some(owner) = text.strip_suffix("'s").or_else(|| text.strip_suffix("\u{2019}s")) else {
        return false;
    };
    let word = owner.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    word.starts_with(|c: char| c.is_ascii_uppercase()) && !OTHERS.contains(&word)
}

/// Returns `true` if the line at an offset continues a sentence that begins by creating or moving something.
pub(super) fn is_proposed_above(text: &str, line: usize) -> bool {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let here = first(text.get(line..).unwrap_or_default());
    let above = text.get(..line).and_then(|text| text.lines().next_back()).unwrap_or_default();
    let goes_on = !is_item(&here) && !here.trim_start().starts_with(['#', '|', '>']);
    let ends = above.trim_end().ends_with(['.', ':', '!', '?', '|'])
        || above.trim_start().starts_with(['#', '`', '>']);
    goes_on && !ends && proposes(above)
}

/// Returns `true` if a line begins an item of a list. `**` begins an emphasized text.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(char::is_whitespace))
}

/// Returns `true` if a link is part of a text to be filled in or of an example: its line, or the line above, has a
/// placeholder such as `[Component Name]`; its file is named after one, such as `tool-name.md`; or its line, or the
/// line that introduces its list, says so.
pub(super) fn is_of_template(text: &str, markdown: &Markdown, link: &Link) -> bool {
    const EXAMPLES: [&str; 5] =
        ["pattern:", "might include", "could include", "might look like", "would look like"];
    let Some((start, end)) = short_line(text, link.start) else { return is_named_placeholder(&link.path) };
    let above =
        start.checked_sub(1).and_then(|feed| short_line(text, feed)).map_or(start, |(above, _)| above);
    let line = &text[start..end];
    skills_text::work::count(end - above);
    let lead = lead_of_list(text, start).unwrap_or_default();
    has_placeholder(text, markdown, above..end)
        || is_named_placeholder(&link.path)
        || is_bad(line)
        || [line, lead].iter().any(|line| {
            let line = line.to_ascii_lowercase();
            EXAMPLES.iter().any(|example| line.contains(example))
        })
}

/// Returns `true` if a line shows what not to write: it begins with `Bad:`, as an item of a list or not.
fn is_bad(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+_❌".contains(c));
    line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("bad:"))
        || line.to_ascii_lowercase().starts_with("bad**:")
}

/// Returns the start and the end of the line around an offset, unless it is so long that looking at it for each of its
/// links would take quadratic time. A text to be filled in has no such lines.
fn short_line(text: &str, at: usize) -> Option<(usize, usize)> {
    const MAX_AROUND: usize = 500;
    let (from, to) = (at.saturating_sub(MAX_AROUND), text.len().min(at + MAX_AROUND));
    let feed = |byte: &u8| *byte == b'\n';
    let start = text.as_bytes()[from..at].iter().rposition(feed).map(|feed| from + feed + 1);
    let end = text.as_bytes()[at..to].iter().position(feed).map(|feed| at + feed);
    Some((start.or((from == 0).then_some(0))?, end.or((to == text.len()).then_some(to))?))
}

/// Returns `true` if a part of a text has words in brackets that are neither a link nor a box to tick.
fn has_placeholder(text: &str, markdown: &Markdown, place: Range<usize>) -> bool {
    let part = &text[place.clone()];
    part.match_indices('[').any(|(at, _)| {
        let Some((words, behind)) = part[at + 1..].split_once(']') else { return false };
        words.len() > 2
            && words.starts_with(|c: char| c.is_ascii_uppercase())
            && words.chars().all(|c| c.is_ascii_alphanumeric() || " -_/".contains(c))
            && !behind.starts_with(['(', '['])
            && !markdown.is_linked(place.start + at)
            && !markdown.is_code(place.start + at)
    })
}

/// Returns `true` if the name of a file contains the word `name`: `tool-name-linux.md`.
fn is_named_placeholder(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    stem.contains('-') && stem.split('-').any(|part| part == "name")
}

/// Finds the line that introduces the list to which the item at a line start belongs.
pub(super) fn lead_of_list(text: &str, line: usize) -> Option<&str> {
    const MAX_LINES_BACK: usize = 16;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let item = text.get(line..)?.lines().next().filter(|line| is_item(line))?;
    let above = text.get(..line)?.lines().rev().take(MAX_LINES_BACK);
    above
        .into_iter()
        .filter(|above| !above.trim().is_empty())
        .find(|above| !is_item(above) || indent(above) < indent(item))
}

/// Finds the last phrase of a line about a file that need not exist. Returns the start of the phrase.
pub(super) fn wish(line: &str) -> Option<usize> {
    const WORDS: &str = "would be|could be|might be|if present|if available|if it exists|optional|retired|removed|\
        deprecated|no longer|renamed|replaced by|moved to|does not exist|doesn't exist|is missing|if absent|if missing|\
        falls vorhanden|sofern vorhanden|falls nicht vorhanden|falls es fehlt|si existe|si no existe|s'il existe|\
        s'il n'existe|se existir|se não existir|se esiste|se non esiste|если есть|если нет|\
        存在しな|存在すれば|がなければ|無ければ|がない場合|がある場合|見つからな|不存在|如果存在|若存在|若缺失|없으면|있으면";
    const CONDITIONS: [&str; 4] = ["if ", "when ", "unless ", "whether "];
    let line = line.to_ascii_lowercase();
    let exists = line.rfind("exist").filter(|end| CONDITIONS.iter().any(|word| line[..*end].contains(word)));
    WORDS.split('|').filter_map(|word| line.rfind(word)).chain(exists).max()
}

/// Returns `true` if a sentence is about the project of the user.
pub(super) fn is_of_project(sentence: &str) -> bool {
    const WORDS: &str = "checkout|upstream|toolkit root|plugin root|your project|the project|project's|your repo|\
        the repo|repository|repo root|project root|codebase|the user's";
    let line = sentence.to_ascii_lowercase();
    WORDS.split('|').any(|word| line.contains(word)) || lists_project_files(sentence)
}

/// Returns `true` if a list in a sentence contains a path such as `scripts/a.sh` and also a file that only a project has, or
/// a pattern for files: "every `Makefile`, `*.mk` and `scripts/a.sh`".
fn lists_project_files(sentence: &str) -> bool {
    const FILES: [&str; 10] = [
        "Makefile",
        "makefile",
        "GNUmakefile",
        "Justfile",
        "justfile",
        "Dockerfile",
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
        "go.mod",
    ];
    const CONJUNCTIONS: [&str; 6] = ["and", "or", "nor", "&", "+", "/"];
    // Whether the list goes on, and whether it has a file of a project and a path of a skill.
    let (mut goes_on, mut has_project, mut has_path) = (false, false, false);
    for word in sentence.split_whitespace() {
        if CONJUNCTIONS.contains(&word) {
            goes_on = true;
            continue;
        }
        if !goes_on {
            (has_project, has_path) = (false, false);
        }
        let name = word.trim_matches(|c: char| "`()_,;:\"'".contains(c)).trim_end_matches(['.', '`']);
        let name = name.strip_prefix("**").and_then(|name| name.strip_suffix("**")).unwrap_or(name);
        let folder = name.trim_start_matches("./").split_once('/').map_or("", |(folder, _)| folder);
        has_project |= FILES.contains(&name) || name.contains('*') && !FOLDERS.contains(&folder);
        has_path |= matches!(folder, "scripts" | "assets");
        if has_project && has_path {
            return true;
        }
        goes_on = word.ends_with(',');
    }
    false
}

/// Returns `true` if a line introduces a list of examples: `Sample grouping for a typical repo:`.
pub(super) fn lists_examples(lead: &str) -> bool {
    const WORDS: [&str; 4] = ["example", "sample", "typical", "hypothetical"];
    let lead = lead.trim_end_matches(['*', '_', ' ']).to_ascii_lowercase();
    lead.ends_with(':') && WORDS.iter().any(|word| lead.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::line::BodyLine;
    use super::{
        is_of_others, is_of_project, is_proposed_above, lead_of_list, lists_examples, proposes_list, sentence,
    };

    fn line(text: &str) -> BodyLine<'_> {
        let mut line = BodyLine::default();
        line.reach(text, 0);
        line
    }

    // SPEC 2.14
    #[test]
    fn lists_of_files_to_create_are_recognized() {
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
    fn files_of_the_project_and_of_other_skills_are_recognized() {
        for before in [
            "in the build skill's `",
            "with `file` (e.g.\n`file=\"",
            "files such as\n`",
            "see Acme Watcher's `",
        ] {
            assert!(is_of_others(before), "{before}");
        }
        for before in ["the skill has `", "See `", "Here's `", "the form's `"] {
            assert!(!is_of_others(before), "{before}");
        }
        let text = "Read the list.\n- A local checkout has\n  `x` and\n  more.\n- Other\n\nEnd";
        let at = text.find("  `x`").unwrap();
        assert_eq!(sentence(text, at, at + 9), "- A local checkout has\n  `x` and\n  more.");
        assert_eq!(sentence(text, 0, 14), "Read the list.");
        assert!(
            is_of_project("Run `scripts/release.sh` in the repository.") && is_of_project("your project's")
        );
        assert!(!is_of_project("Run `scripts/release.sh` to project the values."));
        for sentence in [
            "For every candidate `Makefile`, `*.mk`, and `scripts/dev.sh`: read the file.",
            "Read package.json and ./scripts/build.js.",
            "Format **scripts/a.py**, `src/**/*.ts`",
        ] {
            assert!(is_of_project(sentence), "{sentence}");
        }
        for sentence in [
            "Run `scripts/a.py` for each of `*.md` and `*.txt`.",
            "Read `references/a.md` and `references/lang-*.md`.",
            "Read `references/rules.md` and `package.json`.",
            "Run `scripts/a.py`, **then** read `Makefile`",
        ] {
            assert!(!is_of_project(sentence), "{sentence}");
        }
        assert!(lists_examples("Sample grouping for a typical repo:") && lists_examples("**Example:** "));
        assert!(!lists_examples("Files of the sample") && !lists_examples("Read these:"));
    }

    // SPEC 2.14
    #[test]
    fn sentences_over_two_lines_are_recognized() {
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
    fn examples_of_files_to_create_are_recognized() {
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
            "Removed in 2.0: ",
            "Index lokal cachen (`",
            "The answer is cached in ",
        ] {
            assert!(line(before).is_proposed(before.len()), "{before}");
        }
        for before in ["Run `python ", "See ", "If the form has fields, read ", "For the cache see ", ""] {
            assert!(!line(before).is_proposed(before.len()), "{before}");
        }
        assert!(line("` script would be helpful to store in the skill\nRun it.").is_wished(0));
        assert!(!line("` reads the form.\nIt would be slow.").is_wished(0));
        assert!(line("If `a.md` exists, read it").is_wished(4) && line("`a.md` is retired").is_wished(1));
        for wish in [
            "`a.md` 参照、存在しなければ report を見る。",
            "`a.md` 不存在时跳过",
            "`a.md` lesen, falls vorhanden",
            "lee `a.md` si existe",
        ] {
            assert!(line(wish).is_wished(1), "{wish}");
        }
        assert!(
            !line("`a.md` を読まなければならない").is_wished(1),
            "the line says that the reader must read it"
        );
        assert!(!line("`a.md` exists").is_wished(1) && !line("`a.md` has all formats").is_wished(1));
        let text = "It might be **not** in a.md or b.md";
        assert!(!line(text).is_wished(4) && line(text).is_wished(3), "the wish is behind the name");
        assert!(!line(text).is_proposed(19) && line(text).is_proposed(20), "the proposal is before the name");
    }
}
