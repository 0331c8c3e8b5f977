//! Tests the data of a skill that a program reads without JSON: its own keys, the version below `metadata`, the
//! digest.
#![cfg(unix)]

use skills_core::lower;
use skills_core::options::Options;
use skills_registry::Registry;

use crate::disk::Disk;

fn registry(files: &[(&str, &str)]) -> Registry {
    let disk = Disk::new(files);
    let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
    assert_eq!(loaded.report.errors(), 0, "{:?}", loaded.report.diagnostics);
    Registry::new(lower::tables(&loaded.catalog, 8_000).expect("small tables"))
}

const PDF: &str = "---\nname: pdf\ndescription: Reads.\nactivation:\n  keywords: [pdf, table]\n  max_tokens: 2000\n  \
                   on: true\nmetadata:\n  version: 2.1.0\n  owner: me\n  activation: low\n---\n# PDF\n";

// SPEC 2.17
#[test]
fn keys_of_a_program_are_read_without_json() {
    let registry = registry(&[("pdf/SKILL.md", PDF)]);
    let pdf = registry.get("pdf").expect("it is there");
    let value = |key| pdf.metadata(key);
    let keywords = value("activation.keywords").expect("a list");
    assert_eq!(keywords.items().collect::<Vec<_>>(), ["pdf", "table"]);
    assert_eq!(value("activation.max_tokens").and_then(|value| value.number::<u64>()), Some(2000));
    assert_eq!(value("activation.on").and_then(|value| value.flag()), Some(true));
    let owner = value("owner").expect("a text");
    assert_eq!((owner.text(), owner.items().count(), owner.flag()), ("me", 1, None));
    assert_eq!(value("activation").expect("below `metadata`").text(), "low");
    assert!(value("name").is_none() && value("nothing").is_none() && value("activation.").is_none());
    assert_eq!(
        pdf.metadata_keys().collect::<Vec<_>>(),
        ["version", "owner", "activation", "activation.keywords", "activation.max_tokens", "activation.on"]
    );
}

// SPEC 2.17
#[test]
fn a_version_may_be_below_metadata() {
    let skill =
        |name: &str, lines: &str| format!("---\nname: {name}\ndescription: Reads.\n{lines}---\n# A\n");
    let registry = registry(&[
        ("a/SKILL.md", &skill("a", "metadata:\n  version: \"1.2\"\n")),
        ("b/SKILL.md", &skill("b", "version: 3.0.0\nmetadata:\n  version: 1.2.0\n")),
        ("c/SKILL.md", &skill("c", "metadata:\n  version: latest\n")),
        ("d/SKILL.md", &skill("d", "metadata:\n  version: v2\n")),
        ("e/SKILL.md", &skill("e", "metadata:\n  version: 2\n")),
        ("f/SKILL.md", &skill("f", "metadata:\n  version: \" \"\n")),
        ("g/SKILL.md", &skill("g", "metadata:\n  version: null\n")),
        ("h/SKILL.md", &skill("h", "metadata:\n  version: \"1\\n2\"\n")),
        ("i/SKILL.md", &skill("i", "metadata:\n  version: [1]\n")),
    ]);
    let versions: Vec<&str> = registry.iter().map(|skill| skill.version()).collect();
    assert_eq!(versions, ["1.2", "3.0.0", "latest", "v2", "2", "0.1.0", "0.1.0", "0.1.0", "0.1.0"]);
}

// SPEC 14.19: the digest equals the output of `sha256sum * | sha256sum` in the directory of the skill
#[test]
fn each_skill_has_a_digest() {
    let registry = registry(&[
        ("pdf/SKILL.md", PDF),
        ("pdf/a/b.txt", "b"),
        ("x/csv/SKILL.md", &PDF.replace("pdf", "csv")),
    ]);
    let pdf = registry.get("pdf").expect("it is there");
    let lines: String = pdf.files().map(|file| format!("{}  {}\n", file.sha256_hex(), file.path())).collect();
    assert_eq!(pdf.digest(), Some(&lower::sha256(lines.as_bytes())));
    assert_eq!(pdf.digest_hex().map(|hex| hex.len()), Some(64));
    assert_ne!(pdf.digest(), registry.get("csv").expect("it is there").digest());
}

// SPEC 9.13
#[test]
fn flat_files_are_skills_on_request() {
    let disk = Disk::new(&[
        ("goose.md", "---\nname: goose\ndescription: Honks.\n---\nHonk.\n"),
        ("sub/duck.md", "---\nname: duk\ndescription: Quacks.\n---\nQuack.\n"),
        ("README.md", "# Birds\n"),
        ("pdf/SKILL.md", PDF),
        ("pdf/notes.md", "---\nname: notes\ndescription: A file of a skill.\n---\n"),
    ]);
    let load = |flat| {
        let mut options = Options::default();
        options.read.flat = flat;
        let loaded = skills_core::load(&disk.root(), "skills", &options);
        let found = skills_core::print::text::print(&loaded.report, loaded.catalog.sources());
        let skills = loaded.catalog.skills().iter().map(|skill| {
            let files: Vec<&str> = skill.files.iter().map(|file| file.path.as_str()).collect();
            format!("{} in {}: {}", skill.name, skill.dir, files.join(" "))
        });
        (skills.collect::<Vec<_>>(), found)
    };
    assert_eq!(load(false).0, ["pdf in pdf: SKILL.md notes.md"]);
    let (skills, found) = load(true);
    assert_eq!(
        skills,
        ["duk in sub/duck: SKILL.md", "goose in goose: SKILL.md", "pdf in pdf: SKILL.md notes.md"]
    );
    assert!(found.contains("--> skills/sub/duck.md:2:7"), "{found}");
}

// SPEC 3.1: the help names the version that the fix writes
#[test]
fn the_help_for_a_version_names_the_fix() {
    let help = |version: &str| {
        let disk = Disk::new(&[(
            "a/SKILL.md",
            &format!("---\nname: a\ndescription: Reads.\nversion: {version}\n---\n# A\n"),
        )]);
        let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
        let found = loaded.report.diagnostics.iter().find(|found| found.rule.code == "version-format");
        found.map(|found| found.help.clone()).unwrap_or_default()
    };
    assert_eq!(help("v2"), "write three numbers: \"2.0.0\"");
    assert_eq!(help("v1.4"), "write three numbers: \"1.4.0\"");
    assert_eq!(help("latest"), "write three numbers: \"1.0.0\"");
}
