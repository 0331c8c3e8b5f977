//! Fixes keep every word of a file: they move, rename, quote or convert text, and delete only what is
//! repeated (SPEC 17.20).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use skills_core::edit::Applicability;

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_core::{Loaded, load_over, rule};
use skills_report::fix::{self, Fixed};

use crate::disk::Disk;
use crate::planted::faults::{FAULTS, GOOD, KEPT};

/// Names that a fix replaces by others: types, modes, keys and literals of other systems.
const RENAMED: &[(&str, &str)] = &[
    ("text", "string"),
    ("str", "string"),
    ("float", "number"),
    ("double", "number"),
    ("dict", "object"),
    ("map", "object"),
    ("list", "array"),
    ("bool", "boolean"),
    ("date", "string"),
    ("datetime", "string"),
    ("values", "enum"),
    ("options", "enum"),
    ("choices", "enum"),
    ("yes", "true"),
    ("no", "false"),
    ("none", "null"),
    ("30s", ""), // a time limit in milliseconds
    ("nil", "null"),
    ("undefined", "null"),
    ("with", "input"),
    ("args", "input"),
    ("id", "step"),
    ("uses", "skill"),
    ("if", "condition"),
    ("when", "condition"),
    ("needs", "depends"),
    ("after", "depends"),
    ("prompt", "llm"),
    ("script", "code"),
    ("pipeline", "composite"),
    ("llm", "composite"),
    ("code", "composite"),
    ("code", "mcp"),
    ("length", "size"),
    ("network", "net"),
    ("json", "yaml"),
    ("minutes", "m"),
    ("seconds", "s"),
    ("01", ""),
    ("fi", "if"),
];

/// The rules whose fix deletes a line or member that another one repeats.
const REPEATED: &[&str] =
    &["key-twice", "yaml-duplicate-key", "toml-duplicate-key", "json-duplicate-key", "schema-keyword"];

/// Returns how often each word occurs. Hidden characters and the language of a code block are marks.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("```")) {
        let is_word = |c: &char| c.is_control() || !skills_text::is_hidden(*c);
        let line: String = line.chars().filter(is_word).collect();
        let line = line.replace("\\n", " ").replace("\\t", " ").replace("\\r", " ");
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *words.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    words
}

/// Returns the words that a new text has lost, unless a similar word took their place.
fn lost(old: &str, new: &str, is_repeated: bool) -> Vec<String> {
    let (before, after) = (words(old), words(new));
    let count = |words: &BTreeMap<String, usize>, word: &str| words.get(word).copied().unwrap_or(0);
    let gained: Vec<&str> = after
        .iter()
        .filter(|(word, times)| **times > count(&before, word))
        .map(|(word, _)| word.as_str())
        .collect();
    let is_renamed = |word: &str| {
        let is_split = |new: &&str| word.strip_prefix(*new).is_some_and(|rest| gained.contains(&rest));
        gained.iter().any(is_split)
            || gained.iter().any(|new| {
                new.starts_with(word)
                    || new.ends_with(word)
                    || RENAMED.contains(&(word, new.trim_start_matches(|c: char| c.is_ascii_digit())))
                    || word.strip_prefix('v') == Some(*new)
                    // A part of a version.
                    || skills_text::is_digits(word) && skills_text::is_digits(new)
            })
            || skills_text::nearest(word, gained.iter().copied()).is_some()
    };
    let gone = before.iter().filter(|(word, times)| **times > count(&after, word));
    let gone = gone.filter(|(word, _)| !(is_repeated && after.contains_key(*word)));
    gone.map(|(word, _)| word.clone())
        .filter(|word| !is_renamed(word) && !is_elsewhere(word, old, new))
        .collect()
}

/// Returns `true` if the words of each old line with a word are on a line of the new text.
fn is_elsewhere(word: &str, old: &str, new: &str) -> bool {
    let lines: BTreeSet<_> = new.lines().map(words).collect();
    old.lines().map(words).filter(|line| line.contains_key(word)).all(|line| lines.contains(&line))
}

/// Applies the fixes, and describes each file that loses words.
fn losses(root: &Path, options: &Options, least: Applicability) -> (Fixed<Loaded>, Vec<String>) {
    let check = |over: &Overlay| load_over(root, "skills", options, over);
    let before = check(&Overlay::default());
    let is_repeated = before.report.diagnostics.iter().any(|found| REPEATED.contains(&found.rule.code));
    let fixed = fix::fix(root, Overlay::default(), least, check).expect("the directory is read");
    let mut problems = Vec::new();
    for (path, file) in fixed.over.iter() {
        let Some(file) = file else { continue };
        let old =
            fixed.renamed.iter().rev().fold(path, |path, (from, to)| if to == path { from } else { path });
        let Some(Some(was)) = fixed.found.get(old) else { continue };
        // A file in another encoding is converted as a whole.
        let (Ok(was), Ok(now)) = (std::str::from_utf8(was), std::str::from_utf8(&file.bytes)) else {
            continue;
        };
        let lost = lost(was, now, is_repeated);
        if !lost.is_empty() {
            problems.push(format!("{}: {lost:?}", old.display()));
        }
    }
    (fixed, problems)
}

const BOTH: [Applicability; 2] = [Applicability::Safe, Applicability::Unsafe];

// SPEC 17.20
#[test]
fn planted_faults_lose_no_word() {
    let mut problems = Vec::new();
    let mut changed = 0;
    for fault in FAULTS.iter().chain(KEPT) {
        let files: Vec<(&str, String)> = GOOD
            .iter()
            .map(|(path, text)| {
                let is_bad = path.split(" (").next() == Some(fault.1);
                (*path, if is_bad { text.replacen(fault.2, fault.3, 1) } else { (*text).to_owned() })
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let disk = Disk::new(&files);
        for least in BOTH {
            let (fixed, lost) = losses(&disk.root(), &Options::default(), least);
            changed += fixed.solved;
            problems.extend(lost);
        }
    }
    assert!(changed > 100, "{changed}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

// SPEC 17.20
#[test]
fn bad_examples_lose_no_word() {
    let mut problems = Vec::new();
    let mut changed = 0;
    for rule in rule::all() {
        let disk = Disk::new(rule::text(rule).bad);
        for profile in [Profile::Bundle, Profile::Standard] {
            for least in BOTH {
                let options = Options { profile, ..Options::default() };
                if !disk.root().is_dir() {
                    continue;
                }
                let (fixed, lost) = losses(&disk.root(), &options, least);
                changed += fixed.solved;
                problems.extend(lost.into_iter().map(|lost| format!("{}: {lost}", rule.code)));
            }
        }
    }
    assert!(changed > 100, "{changed}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns the text of a `SKILL.md` after all fixes.
fn fixed(name: &str, text: &str) -> String {
    let disk = Disk::new(&[(&format!("{name}/SKILL.md"), text)]);
    let (fixed, problems) = losses(&disk.root(), &Options::default(), Applicability::Unsafe);
    assert!(problems.is_empty(), "{problems:?}");
    let path = disk.root().canonicalize().expect("a directory").join(name).join("SKILL.md");
    match fixed.over.get(&path).flatten() {
        Some(file) => String::from_utf8(file.bytes.clone()).expect("text"),
        None => text.to_owned(),
    }
}

// SPEC 17.20: text that does not belong into the frontmatter stays
#[test]
fn fields_of_other_systems_stay() {
    let hidden = "x".to_owned() + &"\u{200d}\u{fe0f}".repeat(20);
    for lines in [
        "triggers:\n  - pdf\n  - forms\n",
        "requires:\n  bins: [pdftk]\n",
        "when_to_use:\n  - for forms\n",
        "allowed-tools: \"*\"\n",
        "schema: input.json\n",
        "compatibility: \"\"\n",
        "license: MIT\nlicence: Apache-2.0\n",
    ] {
        let text = format!("---\nname: pdf\ndescription: Reads PDF files.\n{lines}---\n# PDF\n");
        let now = fixed("pdf", &text);
        for word in lines.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3) {
            assert!(now.contains(word.trim_end_matches('s')), "{word}: {now}");
        }
    }
    let code = format!(
        "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n\n```py\nmap(ord, \"{hidden}\")\n```\n\nSee `{hidden}`.\n"
    );
    assert_eq!(fixed("pdf", &code), code);
}

// SPEC 17.20: no fix writes a description, and the misspelled key keeps its text
#[test]
fn a_misspelt_key_is_renamed_and_nothing_is_added() {
    let text = "---\nname: pdf\ndescripton: A skill that reads forms.\n---\n# PDF\n\nText\n";
    assert_eq!(fixed("pdf", text), text.replace("descripton", "description"));
    let text = "---\nnmae: pdf\ndescription: A skill that reads forms.\n---\n# PDF\n";
    assert_eq!(fixed("pdf", text), text.replace("nmae", "name"));
    let text = "---\nname: pdf\ndescription: \"\"\n---\n# PDF\n\nReads forms.\n";
    assert_eq!(fixed("pdf", text), text);
    let text = "# PDF\n\nReads forms.\n";
    assert_eq!(fixed("pdf", text), text);
    let text = "---\nname: invoices\ndescription: Reads forms.\n---\n# PDF\n";
    assert_eq!(fixed("pdf", text), text, "a name that the author chose stays");
    let text = fixed("pdf", "---\nname:\n  - forms\ndescription: Reads it.\n---\n# PDF\n");
    assert!(text.contains("forms"), "so does one in a list: {text}");
}

/// Returns the text of a `skill.json` after all fixes.
fn fixed_manifest(text: &str) -> String {
    let disk = Disk::new(&[("add/skill.json", text)]);
    let (fixed, problems) = losses(&disk.root(), &Options::default(), Applicability::Unsafe);
    assert!(problems.is_empty(), "{problems:?}");
    let path = disk.root().canonicalize().expect("a directory").join("add/skill.json");
    match fixed.over.get(&path).flatten() {
        Some(file) => String::from_utf8(file.bytes.clone()).expect("text"),
        None => text.to_owned(),
    }
}

// SPEC 17.20: unknown members stay, and a default in quotes loses only its quotes
#[test]
fn members_of_a_manifest_stay() {
    let manifest = |rest: &str, input: &str| {
        format!(
            "{{ \"name\": \"add\", \"description\": \"Adds.\", \"category\": \"m\", \"mode\": \"code\",{rest}\n  \
             \"input\": {{ \"type\": \"object\", \"properties\": {{ \"n\": {{ {input} }} }} }}, \"output\": {{}} }}\n"
        )
    };
    let integer = "\"type\": \"integer\", \"default\": ";
    let text = manifest("", &format!("{integer}\"2\""));
    assert_eq!(fixed_manifest(&text), manifest("", &format!("{integer}2")));
    for text in [
        manifest(" \"homepage\": \"https://example.com\", \"timeout\": 0,", "\"type\": \"integer\""),
        manifest("", &format!("{integer}\"two\"")),
        manifest("", &format!("{integer}null")),
        manifest("", "\"type\": \"any\""),
        manifest("", "\"type\": \"integer\", \"required\": true, \"optional\": true"),
        manifest(" /* a reason */", "\"type\": \"integer\""),
        manifest(" \"pipeline\": [],", "\"type\": \"integer\"").replace("code", "composite"),
    ] {
        assert_eq!(fixed_manifest(&text), text);
    }
    let step = |key: &str| {
        manifest(" \"calls\": [\"add\"], \"pipeline\": [{ \"step\": \"a\", \"skill\": \"add\", \"KEY\": { \"n\": 1 } }],", "\"type\": \"integer\"")
            .replace("code", "composite")
            .replace("KEY", key)
    };
    assert_eq!(fixed_manifest(&step("with")), step("input"), "renamed, and no second input is added");
}

/// Collects the directories that have a `SKILL.md`, without links.
fn skills(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry")).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    if entries.iter().any(|entry| entry.file_name() == "SKILL.md") {
        found.push(dir.to_owned());
    }
    for entry in entries.iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        skills(&entry.path(), found);
    }
}

// SPEC 17.2, 17.20: on published skills no file loses a word, and no skill gets more errors by either profile
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_fixes_lose_no_word() {
    let root = std::env::var_os("SKILLS_FIELD_DIR").expect("SKILLS_FIELD_DIR names a directory of skills");
    let mut roots = Vec::new();
    skills(Path::new(&root), &mut roots);
    assert!(!roots.is_empty(), "no skills in {}", Path::new(&root).display());
    let (mut problems, mut solved, mut files) = (Vec::new(), 0, 0);
    for root in &roots {
        for profile in [Profile::Bundle, Profile::Standard] {
            let options = Options { profile, ..Options::default() };
            for least in BOTH {
                let (fixed, lost) = losses(root, &options, least);
                problems.extend(lost.into_iter().map(|lost| format!("lost {least:?} {lost}")));
                solved += fixed.solved;
                files += fixed.over.iter().count();
                for profile in [Profile::Bundle, Profile::Standard] {
                    let options = Options { profile, ..Options::default() };
                    let errors = |over: &Overlay| load_over(root, "skills", &options, over).report.errors();
                    let (before, after) = (errors(&Overlay::default()), errors(&fixed.over));
                    if after > before && fixed.over.iter().count() > 0 {
                        problems.push(format!(
                            "worse {least:?} {profile:?} {}: {before} -> {after}",
                            root.display()
                        ));
                    }
                }
            }
        }
    }
    eprintln!("{} skills, {solved} problems fixed in {files} files", roots.len());
    assert!(problems.is_empty(), "{} of {files} files:\n{}", problems.len(), problems.join("\n"));
}

// SPEC 17.26: a title is one imperative in one line, not a question or a choice
#[test]
fn titles_of_fixes_are_imperatives() {
    const VERBS: [&str; 11] = [
        "Add", "Change", "Delete", "Insert", "Make", "Quote", "Remove", "Rename", "Write", "Create", "Apply",
    ];
    let (mut count, mut wrong) = (0, Vec::new());
    for rule in rule::all() {
        let disk = Disk::new(rule::text(rule).bad);
        let root = disk.root();
        let loaded = load_over(&root, "skills", &Options::default(), &Overlay::default());
        let sources = loaded.catalog.sources();
        for fix in loaded.report.diagnostics.iter().filter_map(|found| found.fix.as_ref()) {
            count += 1;
            let title = fix::title(fix, sources);
            let verb = title.split(' ').next().unwrap_or_default();
            let outside: String = title.split('`').step_by(2).collect();
            let is_good = VERBS.contains(&verb)
                && !title.contains('\n')
                && title.chars().count() <= 160
                && !outside.contains('?')
                && !outside.contains(" or ");
            if !is_good {
                wrong.push(format!("{}: {title}", rule.code));
            }
        }
    }
    assert!(count > 60, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
