//! Checks that the skills that a body tells the reader to use exist: "use the `csv` skill".

use std::ops::Range;

use super::super::draft::SkillDraft;
use super::super::surroundings::Surroundings;
use super::prose::sentence;
use crate::rule::lints;
use crate::{Report, SourceMap};

/// Checks one body, if other skills are known. Each name is reported once.
pub(super) fn check(draft: &SkillDraft, around: &Surroundings<'_>, sources: &SourceMap, report: &mut Report) {
    let Some(document) = &draft.skill.document else { return };
    let text = sources.text(document.body);
    let found = named_skills(text);
    if found.is_empty() || is_about_skills(draft) {
        return;
    }
    let markdown = document.markdown(sources);
    let mut reported: Vec<&str> = Vec::new();
    for place in found {
        let name = &text[place.clone()];
        let is_known = name == draft.name
            || OF_CLAUDE.contains(&name)
            || POINTERS.contains(&name)
            || is_of_family(name, &draft.name)
            || around.named(name).next().is_some()
            || around.has_plugin(name)
            || around.is_passed_over(name);
        if is_known
            || around.is_incomplete()
            || around.drafts.len() < 2
            || reported.contains(&name)
            || reported.len() < SCANS && has_source(&sources.file(document.file).text, name)
            || markdown.block_at(place.start).is_some()
            || markdown.is_comment(place.start)
        {
            continue;
        }
        reported.push(name);
        let names = around.drafts.iter().map(|other| other.name.as_str());
        let names = names.filter(|other| is_misspelt(name, other));
        let found = lints::SKILL_UNKNOWN
            .report_at(
                document.body.part(place.start, place.end),
                format!("the text names the skill `{name}`, which does not exist"),
            )
            .label("no skill has this name");
        report.push(match skills_text::nearest(name, names) {
            Some(near) => found.near(near),
            None => found.help("name a skill that exists, or say where the reader gets it"),
        });
    }
}

/// How often the text may be searched for the source of a skill.
const SCANS: usize = 32;

/// Words of a sentence that says where a skill comes from, or that it may be missing.
const SOURCES: &str = "absent|available|bundled with|comes with|depends on|dependency|dependencies|(external|external skill|\
    installed|locally managed|maintained by|managed by|marketplace|optional|part of|prerequisite|provided by|\
    requires the|third-party";

/// Returns `true` if a sentence with the name of a skill says where the skill comes from, or that it may be missing.
fn has_source(text: &str, name: &str) -> bool {
    skills_text::work::count(text.len());
    let mut places = text.match_indices(name).filter(|(at, _)| {
        MARKS.iter().any(|mark| text[..*at].ends_with(mark) && text[at + name.len()..].starts_with(mark))
    });
    places.any(|(at, _)| {
        let start = text[..at].rfind('\n').map_or(0, |feed| feed + 1);
        let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
        let sentence = sentence(text, start, end).to_ascii_lowercase();
        skills_text::work::count(sentence.len());
        SOURCES.split('|').any(|word| sentence.contains(word))
    })
}

/// Returns `true` if a name is probably another one with an error of writing: the words in which they differ are similar.
/// `create-plan` is not `create-pr`.
fn is_misspelt(name: &str, other: &str) -> bool {
    let (mut words, mut others): (Vec<&str>, Vec<&str>) =
        (name.split('-').collect(), other.split('-').collect());
    while words.len() > 1 && others.len() > 1 && words.last() == others.last() {
        words.pop();
        others.pop();
    }
    let same = words.iter().zip(&others).take_while(|(word, other)| word == other).count();
    let same = same.min(words.len() - 1).min(others.len() - 1);
    skills_text::nearest(&words[same..].join("-"), [others[same..].join("-").as_str()]).is_some()
}

/// The skills that come with Claude: of claude.ai for documents, and of Claude Code.
const OF_CLAUDE: [&str; 7] =
    ["artifact-design", "docx", "pdf", "pptx", "security-review", "skill-creator", "xlsx"];

/// Emphasized words that point at a skill: "use **this** skill".
const POINTERS: [&str; 10] =
    ["another", "each", "every", "existing", "new", "one", "other", "same", "that", "this"];

/// Finds the names of skills that a text tells the reader to use: "use the `csv` skill", "See the **csv** skill", "load
/// the skill `csv`".
fn named_skills(text: &str) -> Vec<Range<usize>> {
    const LONGEST: usize = 64;
    let mut found = Vec::new();
    for (at, word) in text.match_indices("skill") {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let place = if let Some(before) = before.strip_suffix(' ')
            && let Some(mark) = MARKS.into_iter().find(|mark| before.ends_with(mark))
        {
            let end = before.len() - mark.len();
            let near = skills_text::floor(before, end.saturating_sub(LONGEST));
            before[near..end].rfind(mark).map(|start| near + start + mark.len()..end)
        } else if let Some(behind) = behind.strip_prefix(' ')
            && let Some(mark) = MARKS.into_iter().find(|mark| behind.starts_with(mark))
        {
            let start = at + word.len() + 1 + mark.len();
            let near = &text[start..skills_text::floor(text, (start + LONGEST).min(text.len()))];
            near.find(mark).map(|length| start..start + length)
        } else {
            None
        };
        let is_word = !behind.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        if let Some(place) = place.filter(|place| is_word && is_name(&text[place.clone()]))
            && is_told(text, at.min(place.start), (at + word.len()).max(place.end))
        {
            found.push(place);
        }
    }
    found
}

/// The signs around a name.
const MARKS: [&str; 2] = ["`", "**"];

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// Returns `true` if the sentence around a name tells the reader to use the skill, whether or not it is installed.
fn is_told(text: &str, start: usize, end: usize) -> bool {
    const MAX_CONTEXT: usize = 160;
    const VERBS: [&str; 9] = ["use", "uses", "using", "see", "load", "invoke", "run", "follow", "with"];
    const CONDITIONS: [&str; 5] = ["if ", "example", "e.g.", " not ", "n't "];
    let before = &text[skills_text::floor(text, start.saturating_sub(MAX_CONTEXT))..start];
    let before = before.rsplit(['\n', '.', ';']).next().unwrap_or_default().to_ascii_lowercase();
    let behind = &text[end..skills_text::floor(text, (end + MAX_CONTEXT).min(text.len()))];
    let behind = behind.split('\n').next().unwrap_or_default().to_ascii_lowercase();
    skills_text::work::count(before.len() + behind.len());
    let mut words = before.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).rev();
    let last = words.clone().next().unwrap_or_default();
    (last == "the" || VERBS.contains(&last))
        && words.any(|word| VERBS.contains(&word))
        && !CONDITIONS.iter().any(|word| before.contains(word) || behind.contains(word))
}

/// Returns `true` if a skill is about writing skills, so that its text names made-up files and skills.
pub(super) fn is_about_skills(draft: &SkillDraft) -> bool {
    draft.name.to_lowercase().contains("skill")
}

/// Returns `true` if two names begin with the same word. The skills of a large program share a first word, and people
/// install some of them.
pub(super) fn is_of_family(name: &str, other: &str) -> bool {
    match (name.split_once('-'), other.split_once('-')) {
        (Some((first, _)), Some((own, _))) => first == own,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{has_source, is_misspelt, named_skills};

    // SPEC 2.22
    #[test]
    fn skills_that_the_reader_is_told_to_use_are_found() {
        for text in [
            "Then use the `csv` skill.",
            "See the **csv** skill for its setup.",
            "Load `csv` skill first",
            "hand over by using the `csv` skill,",
            "Use `pdf`, or the skill `csv`.",
        ] {
            let found = named_skills(text);
            assert_eq!(found.into_iter().map(|place| &text[place]).collect::<Vec<_>>(), ["csv"], "{text}");
        }
        for text in [
            "When building a `csv` skill, ask.",
            "If you can, use the `csv` skill.",
            "Use the `acme:csv` skill.",
            "Use the `csv` skills.",
            "the `csv` skill is slow",
            "Do not use the `csv` skill.",
        ] {
            assert_eq!(named_skills(text), [], "{text}");
        }
    }

    // SPEC 2.14
    #[test]
    fn texts_that_say_where_a_skill_comes_from_are_recognized() {
        for text in [
            "Use the `csv` skill (locally managed).",
            "**Optional tools:** draw it\nwith the `csv` skill.",
            "- Depends on the `csv` skill.\n\nUse the `csv` skill.",
            "---\ncompatibility: The `csv` skill is installed\n---\nUse the **csv** skill.",
        ] {
            assert!(has_source(text, "csv"), "{text}");
        }
        for text in
            ["Use the `csv` skill.", "It is optional.\n\nUse the `csv` skill.", "Install the plugin csv."]
        {
            assert!(!has_source(text, "csv"), "{text}");
        }
    }

    // SPEC 2.14
    #[test]
    fn only_names_with_errors_of_writing_are_misspelt() {
        for (name, other) in [
            ("create-plan", "create-plans"),
            ("creat-pr", "create-pr"),
            ("csv", "cvs"),
            ("make-table", "make-tabel-x"),
        ] {
            assert_eq!(is_misspelt(name, other), name != "make-table", "{name} {other}");
        }
        assert!(!is_misspelt("create-plan", "create-pr") && !is_misspelt("read-csv", "read-pdf"));
    }
}
