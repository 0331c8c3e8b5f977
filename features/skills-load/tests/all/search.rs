//! Tests the search over published skills with generated queries, and compares it with simpler methods.

use skills_load::{Layers, LayersBuilder};
use skills_registry::{Skill, ranked};

/// A generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn pick<'a>(&mut self, words: &'a [String]) -> &'a str {
        &words[self.below(words.len())]
    }
}

/// Words that say something: of four letters or more, and not of those that every description has.
fn words(text: &str) -> Vec<String> {
    let common = [
        "about", "also", "asked", "asks", "before", "from", "have", "into", "like", "only", "should",
        "skill", "skills", "such", "that", "them", "they", "this", "user", "users", "using", "when", "will",
        "with", "your",
    ];
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_ascii_lowercase);
    words.filter(|word| word.len() > 3 && !common.contains(&word.as_str())).collect()
}

/// Returns another form of a word, such as its plural or its gerund.
fn bent(word: &str, numbers: &mut Numbers) -> String {
    let stem = word.strip_suffix('s').filter(|stem| !stem.ends_with('s'));
    match (numbers.below(4), stem) {
        (0, Some(stem)) => stem.to_owned(),
        (0, None) => format!("{word}s"),
        (1, None) if word.ends_with('e') => format!("{}ing", &word[..word.len() - 1]),
        (1, None) if !word.ends_with("ing") && !word.ends_with('y') => format!("{word}ing"),
        _ => word.to_owned(),
    }
}

/// The word with a letter lost, doubled or exchanged with the next, but never its first.
fn mistyped(word: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + numbers.below(letters.len() - 2);
    match numbers.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters.swap(at, at + 1),
    }
    letters.into_iter().collect()
}

/// Generates the query of a user who needs a skill: three random words of its description and two of its headings, in
/// random order and other forms, and not adjacent in the text. Every second query has no words of the name, and every
/// third has a mistyped word.
fn query(skill: Skill<'_>, round: usize, numbers: &mut Numbers) -> Option<String> {
    let own = words(&skill.name().replace('-', " "));
    let mut terms = words(skill.description());
    if round.is_multiple_of(2) {
        terms.retain(|word| !own.contains(word));
    }
    let headings: Vec<&str> = skill.body().lines().filter(|line| line.starts_with('#')).collect();
    let headings = words(&headings.join(" "));
    if terms.len() < 5 || headings.is_empty() {
        return None;
    }
    let mut asked: Vec<String> = (0..3).map(|_| bent(numbers.pick(&terms), numbers)).collect();
    asked.extend((0..2).map(|_| bent(numbers.pick(&headings), numbers)));
    if round.is_multiple_of(3) {
        let at = numbers.below(asked.len());
        asked[at] = mistyped(&asked[at], numbers);
    }
    let [a, b, c, d, e] = &asked[..] else { return None };
    Some(format!("please {a} my {c} and then {e} it, the {b} is about {d}"))
}

/// The five skills in whose name and description most words of a query occur.
fn like<'a>(skills: &[(Skill<'a>, String)], query: &str) -> Vec<&'a str> {
    let asked: Vec<&str> = query.split(' ').filter(|word| word.len() > 3).collect();
    let count = |text: &str| asked.iter().filter(|word| text.contains(**word)).count();
    let mut counts: Vec<_> = skills.iter().map(|(skill, text)| (count(text), skill.name())).collect();
    counts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    counts.iter().take(5).filter(|(count, _)| *count > 0).map(|(_, name)| *name).collect()
}

/// Published skills of five repositories, each in a layer.
#[allow(clippy::unwrap_used, reason = "a test without its material must fail")]
fn published() -> Layers {
    let mut builder = LayersBuilder::new();
    for repository in std::fs::read_dir(test_bed::field("corpus")).unwrap() {
        builder = builder.directory(repository.unwrap().path());
    }
    builder.load().unwrap_or_else(|unreadable| unreadable.into_layers())
}

// SPEC 16.1
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_are_found_by_their_purpose() {
    let layers = published();
    let skills: Vec<(Skill<'_>, String)> = layers
        .iter()
        .map(|skill| (skill, format!("{} {}", skill.name(), skill.description()).to_ascii_lowercase()))
        .collect();
    assert!(skills.len() > 150, "{}", skills.len());

    let mut numbers = Numbers(88_172_645_463_325_252);
    let (mut asked, mut found, mut first, mut plain) = (0, 0, 0, 0);
    for round in 0..8 {
        for (skill, _) in &skills {
            let Some(query) = query(*skill, round, &mut numbers) else { continue };
            asked += 1;
            let hits = ranked(layers.iter(), &query);
            let best: Vec<&str> = hits.iter().take(5).map(|hit| hit.skill.name()).collect();
            found += usize::from(best.contains(&skill.name()));
            first += usize::from(best.first() == Some(&skill.name()));
            plain += usize::from(like(&skills, &query).contains(&skill.name()));
        }
    }
    println!("{asked} queries: {found} found among five, {first} as the first; by words that occur {plain}");
    assert!(asked >= 1_000, "{asked}");
    assert!(found * 100 >= asked * 98, "{found} of {asked}");
    assert!(found > plain, "{found}, {plain}");
}

// SPEC 16.1: questions in the words of people who have not read the skills
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_are_found_by_questions() {
    let layers = published();
    let questions: Vec<(&str, &str)> =
        include_str!("questions.tsv").lines().filter_map(|line| line.split_once('\t')).collect();
    let mut found = 0;
    for (name, question) in &questions {
        assert!(layers.get(name).is_some(), "{name}");
        let hits = ranked(layers.iter(), question);
        let is_found = hits.iter().take(5).any(|hit| hit.skill.name() == *name);
        found += usize::from(is_found);
        if !is_found {
            println!("{name} is not found: {question}");
        }
    }
    println!("{found} of {} questions find their skill among five", questions.len());
    assert!(questions.len() == 200 && found >= 142, "{found} of {}", questions.len());
}

// SPEC 16.1: functions and questions of the package bfcl-eval, which others wrote to compare models
#[test]
#[ignore = "needs python3 with pip, and the registry of Python packages"]
fn functions_are_found_by_the_questions_that_they_answer() {
    let place = tempfile::tempdir().unwrap();
    let at = place.path();
    let run = |arguments: &[&str]| {
        let mut python = std::process::Command::new("python3");
        let ended = python.args(arguments).current_dir(at).output().unwrap();
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    };
    run(&["-m", "pip", "download", "--quiet", "--no-deps", "--dest", "package", "bfcl-eval==2026.3.23"]);
    let wheel = std::fs::read_dir(at.join("package")).unwrap().next().unwrap().unwrap().path();
    run(&["-m", "zipfile", "-e", wheel.to_str().unwrap(), "unpacked"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/functions.py");
    run(&[script, "unpacked/bfcl_eval/data", "skills"]);

    let loaded = LayersBuilder::new().directory(at.join("skills")).load();
    let layers = loaded.unwrap_or_else(|unreadable| unreadable.into_layers());
    assert!(layers.iter().count() > 1_900, "{}", layers.iter().count());
    for half in ["tried", "measured"] {
        let questions = std::fs::read_to_string(at.join(format!("skills/{half}.tsv"))).unwrap();
        let questions: Vec<_> = questions.lines().filter_map(|line| line.split_once('\t')).collect();
        let (mut first, mut found) = (0, 0);
        for (name, question) in &questions {
            let hits = ranked(layers.iter(), question);
            let place = hits.iter().take(5).position(|hit| hit.skill.name() == *name);
            first += usize::from(place == Some(0));
            found += usize::from(place.is_some());
        }
        println!(
            "{half}: of {} questions, {found} find their function among five, {first} first",
            questions.len()
        );
        assert!(questions.len() == 500 && found >= 415, "{found} of {}", questions.len());
    }
}
