//! Common mistakes, inserted into good skills one at a time: the fix corrects exactly that mistake (SPEC
//! 17.1, 17.2).

pub(crate) mod faults;

use std::collections::BTreeSet;
use std::fs;

use faults::{FAULTS, Fault, GOOD, KEPT};
use skills_core::edit::Applicability;
use skills_core::load_over;
use skills_core::options::Options;
use skills_core::print::text;
use skills_core::read::Overlay;
use skills_report::fix;

use crate::disk::Disk;

/// Returns the name of a file without the suffix of the notation.
fn name(path: &str) -> &str {
    path.split(" (").next().unwrap_or(path)
}

fn good(path: &str) -> &'static str {
    GOOD.iter().find(|(known, _)| name(known) == path).expect("a good file").1
}

/// The result of fixing a fault.
enum Outcome {
    /// The files are as before the fault, or as a person would have fixed them.
    Fixed,
    /// The rule does not report it.
    Unseen(String),
    /// Nothing was changed.
    Left(String),
    /// No problem is reported any more, but the text differs.
    Otherwise(String),
    /// There is still a report, although something was changed.
    Half(String),
    Worse(String),
}

fn outcome(fault: &Fault) -> Outcome {
    let Fault(code, path, piece, planted, corrected) = fault;
    let whole = good(path);
    assert!(whole.contains(piece), "{code}: {piece:?} is not in {path}");
    let bad = whole.replacen(piece, planted, 1);
    let files: Vec<(&str, &str)> = GOOD
        .iter()
        .map(|(known, text)| (*known, if name(known) == *path { bad.as_str() } else { text }))
        .collect();
    let disk = Disk::new(&files);
    let root = disk.root();
    let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
    let before = check(&Overlay::default());
    let printed = text::print(&before.report, before.catalog.sources());
    if !before.report.diagnostics.iter().any(|found| found.rule.code == *code) {
        return Outcome::Unseen(printed);
    }
    let fixed =
        fix::fix(&root, Overlay::default(), Applicability::Unsafe, check).expect("the directory is read");
    let wanted = corrected.map_or_else(|| whole.to_owned(), |corrected| whole.replacen(piece, corrected, 1));
    let real = root.canonicalize().expect("a directory").join(path);
    let now = match fixed.over.get(&real) {
        Some(file) => file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()),
        None => fs::read_to_string(&real).ok(),
    };
    let others = fixed.over.iter().filter(|(changed, _)| *changed != real).count();
    let report = text::print(&fixed.checked.report, fixed.checked.catalog.sources());
    let count = fixed.checked.report.diagnostics.len();
    let changed = fix::diff(&root, "skills", &fixed.over, &fixed.renamed);
    let changed = String::from_utf8_lossy(&changed);
    match now {
        Some(now) if now == wanted && others == 0 && count == 0 => Outcome::Fixed,
        _ if changed.is_empty() => Outcome::Left(printed),
        _ if count == 0 => Outcome::Otherwise(changed.into_owned()),
        _ if count > before.report.diagnostics.len() => Outcome::Worse(format!("{changed}\n{report}")),
        _ => Outcome::Half(format!("{changed}\n{report}")),
    }
}

// SPEC 17.1, 17.2
#[test]
fn planted_faults_are_fixed_as_a_person_would() {
    let disk = Disk::new(GOOD);
    let clean = load_over(&disk.root(), "skills", &Options::default(), &Overlay::default());
    assert!(clean.report.diagnostics.is_empty(), "{}", text::print(&clean.report, clean.catalog.sources()));
    let rules: BTreeSet<&str> = FAULTS.iter().map(|fault| fault.0).collect();
    let mut corrected = 0;
    let mut rest = String::new();
    let mut broken = 0;
    for fault in FAULTS {
        let lead = format!("{}: {:?} for {:?}", fault.0, fault.3, fault.2);
        match outcome(fault) {
            Outcome::Fixed => corrected += 1,
            Outcome::Unseen(printed) => rest.push_str(&format!("UNSEEN {lead}\n{printed}\n")),
            Outcome::Left(printed) => rest.push_str(&format!("LEFT {lead}\n{printed}\n")),
            Outcome::Otherwise(diff) => rest.push_str(&format!("OTHERWISE {lead}\n{diff}\n")),
            Outcome::Half(diff) => rest.push_str(&format!("HALF {lead}\n{diff}\n")),
            Outcome::Worse(diff) => {
                broken += 1;
                rest.push_str(&format!("WORSE {lead}\n{diff}\n"));
            }
        }
    }
    eprintln!(
        "{} faults of {} rules, {corrected} fixed exactly; the others:\n{rest}",
        FAULTS.len(),
        rules.len()
    );
    assert!(FAULTS.len() >= 100 && rules.len() > 55, "{} of {}", FAULTS.len(), rules.len());
    assert_eq!(broken, 0, "{rest}");
    assert!(corrected * 100 >= FAULTS.len() * 97, "{corrected} of {}:\n{rest}", FAULTS.len());
}

// SPEC 17.20: a problem that only a deletion would correct is reported and left
#[test]
fn no_fix_deletes() {
    for fault in KEPT {
        let lead = format!("{}: {:?} for {:?}", fault.0, fault.3, fault.2);
        match outcome(fault) {
            Outcome::Left(_) => {}
            Outcome::Unseen(printed) => panic!("unseen: {lead}\n{printed}"),
            Outcome::Otherwise(diff) | Outcome::Half(diff) | Outcome::Worse(diff) => panic!("{lead}\n{diff}"),
            Outcome::Fixed => panic!("{lead}"),
        }
    }
}

// SPEC 1.4, 2.6: the help for a reserved device name suggests no other device
#[test]
fn a_skill_with_a_reserved_name_is_renamed() {
    let text = |name: &str| format!("---\nname: {name}\ndescription: Reads a console.\n---\n# Con\n");
    let manifest = "{\"name\": \"con\", \"description\": \"Reads.\", \"category\": \"c\", \"mode\": \"code\", \
                    \"input\": true, \"output\": true}";
    let named = text("con");
    for (path, text, help) in [
        ("con/SKILL.md", named.as_str(), "rename it to `con-skill`"),
        ("con-skill/SKILL.md", &named, "write it as: name: con-skill"),
        ("con-skill/skill.json", manifest, "write it as: \"name\": \"con_skill\""),
    ] {
        let disk = Disk::new(&[(path, text)]);
        let loaded = load_over(&disk.root(), "skills", &Options::default(), &Overlay::default());
        let helps: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.help.as_str()).collect();
        assert_eq!(helps, [help], "{path}");
    }
    let corrected = text("con-skill");
    let disk = Disk::new(&[("con-skill/SKILL.md", corrected.as_str())]);
    let loaded = load_over(&disk.root(), "skills", &Options::default(), &Overlay::default());
    assert!(loaded.report.diagnostics.is_empty());
}

// SPEC 1.1, 2.15: a name in the wrong case and the files that are missing because of it are one problem, whose fix
// corrects both
#[test]
fn a_name_in_the_wrong_case_is_reported_once() {
    let skill = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
    let manifest = "{\"name\": \"add\", \"description\": \"Adds.\", \"category\": \"c\", \"mode\": \"llm\", \
                    \"input\": true, \"output\": true}";
    for (files, code, help) in [
        (
            &[("pdf/Skill.md", skill)][..],
            "root-empty",
            "rename it: `git mv skills/pdf/Skill.md skills/pdf/SKILL.md`",
        ),
        (
            &[("add/skill.json", manifest), ("add/Prompt.md", "Add.\n")],
            "prompt-missing",
            "rename it: `git mv skills/add/Prompt.md skills/add/prompt.md`",
        ),
    ] {
        let disk = Disk::new(files);
        let root = disk.root();
        let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
        let found = check(&Overlay::default()).report.diagnostics;
        let printed: Vec<_> = found.iter().map(|found| (found.rule.code, found.help.as_str())).collect();
        assert_eq!(printed, [(code, help)]);
        let fixed = fix::fix(&root, Overlay::default(), Applicability::Unsafe, check).expect("it is read");
        assert!(fixed.checked.report.diagnostics.is_empty(), "{code}");
    }
}

/// Returns the next number of a deterministic random generator.
fn below(state: &mut u64, end: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).expect("31 bits") % end
}

// SPEC 17.2: after fixing many faults at once, nothing is worse, line ends and the mark stay, and a second run
// changes nothing
#[test]
fn many_faults_at_once_end_well() {
    let mut state = 0x5eed_u64;
    for round in 0..test_bed::rounds(12) {
        let mut texts: Vec<(&str, String)> =
            GOOD.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        for _ in 0..2 + below(&mut state, 8) {
            let fault = &FAULTS[below(&mut state, FAULTS.len())];
            for (path, text) in &mut texts {
                if name(path) == fault.1 && text.contains(fault.2) {
                    *text = text.replacen(fault.2, fault.3, 1);
                }
            }
        }
        let (is_crlf, has_mark) = (round % 3 == 1, round % 4 == 1);
        if is_crlf {
            texts.iter_mut().for_each(|(_, text)| *text = text.replace('\r', "").replace('\n', "\r\n"));
        }
        if has_mark {
            texts
                .iter_mut()
                .filter(|(path, _)| name(path).ends_with(".md"))
                .for_each(|(_, text)| text.insert(0, '\u{feff}'));
        }
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let disk = Disk::new(&files);
        let root = disk.root();
        let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
        let before = check(&Overlay::default()).report;
        let once = fix::fix(&root, Overlay::default(), Applicability::Unsafe, check).expect("it is read");
        let after = &once.checked.report;
        assert!(
            after.errors() <= before.errors(),
            "round {round}: {}",
            text::print(after, once.checked.catalog.sources())
        );
        for (path, file) in once.over.iter() {
            let text =
                String::from_utf8(file.map(|file| file.bytes.clone()).unwrap_or_default()).expect("text");
            let was = fs::read_to_string(path).unwrap_or_default();
            if is_crlf && was.contains("\r\n") {
                assert_eq!(
                    text.matches('\n').count(),
                    text.matches("\r\n").count(),
                    "round {round}: {text:?}"
                );
            }
            assert_eq!(was.starts_with('\u{feff}'), text.starts_with('\u{feff}'), "round {round}: {text:?}");
        }
        let twice = fix::fix(&root, once.over.clone(), Applicability::Unsafe, check).expect("it is read");
        assert_eq!((twice.over, twice.solved), (once.over, 0), "round {round}");
    }
}

// SPEC 2.7, 17.1: fields below a header of TOML are moved, and a safe edit never repeats them.
#[test]
fn fields_below_a_header_are_pointed_at() {
    let skill = "---\n[metadata]\nname = \"pdf\"\ndescription = \"Reads.\"\n---\n# PDF\n";
    let disk = Disk::new(&[("pdf/SKILL.md", skill)]);
    let root = disk.root();
    let check = |over: &Overlay| load_over(&root, "skills", &Options::default(), over);
    let fixed = fix::fix(&root, Overlay::default(), Applicability::Safe, check).expect("it is read");
    assert_eq!(fixed.solved, 0);
    let printed = text::print(&fixed.checked.report, fixed.checked.catalog.sources());
    for place in ["skills/pdf/SKILL.md:3:1", "skills/pdf/SKILL.md:4:1"] {
        assert!(printed.contains(place), "{printed}");
    }
    assert_eq!(printed.matches("move this line above `[metadata]`").count(), 2, "{printed}");
}
