//! Skills of other projects know their source, by the nearest `skills.lock`.
#![cfg(unix)]

use skills_core::lower;
use skills_core::options::Options;
use skills_core::read::SkillOrigin;
use skills_registry::Registry;

use crate::disk::Disk;

const OWN: &str = "---\nname: own\ndescription: Reads.\n---\n# Own\n";

fn skill(name: &str) -> String {
    OWN.replace("own", name)
}

fn lock(version: u32) -> String {
    format!(
        "version = {version}\n\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"acme/skills@v1\"\n\
         revision = \"abc\"\nlicense = \"MIT\"\n\n[skill.files]\n\"SKILL.md\" = \"0\"\n\n[[skill]]\nname = \"csv\"\n\
         directory = \"skills/office/csv\"\nsource = \"./shared\"\nfiles = {{}}\n"
    )
}

/// Returns each skill with its source, of a directory with a lock file above it.
fn sources(disk: &Disk) -> Vec<String> {
    let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
    let registry = Registry::new(lower::tables(&loaded.catalog, 8_000).expect("small tables"));
    let shown = |skill: skills_registry::Skill<'_>| match skill.source() {
        Some(source) => format!("{} from {source}", skill.name()),
        None => skill.name().to_owned(),
    };
    registry.iter().map(shown).collect()
}

// SPEC 21.12
#[test]
fn skills_of_other_projects_know_their_source() {
    let skills = ["pdf", "csv", "own"].map(skill);
    let disk = Disk::new(&[
        ("pdf/SKILL.md", &skills[0]),
        ("office/csv/SKILL.md", &skills[1]),
        ("own/SKILL.md", &skills[2]),
    ]);
    assert_eq!(sources(&disk), ["csv", "own", "pdf"], "there is no lock file");
    let write = |text: &str| std::fs::write(disk.top.join("skills.lock"), text).expect("a file");
    write(&lock(1));
    assert_eq!(sources(&disk), ["csv from ./shared", "own", "pdf from acme/skills@v1 (abc)"]);
    for damaged in [lock(2), lock(1).replace("[[skill]]", "[[skill]"), lock(1).replace("source", "from")] {
        write(&damaged);
        assert_eq!(sources(&disk), ["csv", "own", "pdf"], "{damaged}");
    }
    write(&lock(1));
    std::fs::create_dir(disk.root().join(".git")).expect("a directory");
    assert_eq!(sources(&disk), ["csv", "own", "pdf"], "the lock file is outside of the repository");
}

// SPEC 21.13
#[test]
fn a_skill_of_another_project_needs_a_license() {
    let titles = |files: &[(&str, &str)], origin: Option<SkillOrigin>| {
        let disk = Disk::new(files);
        std::fs::write(disk.top.join("skills.lock"), lock(1)).expect("a file");
        let options = Options { origin, ..Options::default() };
        let loaded = skills_core::load(&disk.root(), "skills", &options);
        let found = loaded.report.diagnostics.iter().filter(|found| found.rule.code == "no-license");
        found
            .map(|found| (loaded.catalog.sources().display_path(found.span), found.title.clone()))
            .collect::<Vec<_>>()
    };
    let [pdf, csv, own] = ["pdf", "csv", "own"].map(skill);
    let files = [
        ("pdf/SKILL.md", pdf.as_str()),
        ("office/csv/SKILL.md", csv.as_str()),
        ("own/SKILL.md", own.as_str()),
    ];
    let title = "neither the skill nor `./shared` names a license";
    assert_eq!(titles(&files, None), [("skills/office/csv/SKILL.md".to_owned(), title.to_owned())]);
    let origin = SkillOrigin { source: "crate:kit".to_owned(), ..SkillOrigin::default() };
    assert_eq!(titles(&files, Some(origin.clone())).len(), 3, "all come from the crate");
    assert!(titles(&files, Some(SkillOrigin { license: Some("MIT".to_owned()), ..origin })).is_empty());
    let licensed = csv.replace("description", "license: MIT\ndescription");
    assert!(titles(&[("office/csv/SKILL.md", licensed.as_str())], None).is_empty());
    let unnamed = csv.replace("description", "license: \"\"\ndescription");
    assert_eq!(titles(&[("office/csv/SKILL.md", unnamed.as_str())], None).len(), 1);
    let file = [("office/csv/SKILL.md", csv.as_str()), ("office/csv/LICENSE.txt", "MIT")];
    assert!(titles(&file, None).is_empty());
}
