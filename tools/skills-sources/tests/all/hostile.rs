//! Directories that try to bring in more than a person sees.

use std::fs;
use std::os::unix::fs::symlink;

use skills_sources::{LOCK_FILE, SourceError};

use crate::place::{Place, skill};

// SPEC 21.4: a source cannot allow hidden characters in itself
#[test]
fn hidden_characters_are_refused_even_if_the_skill_allows_them() {
    let hidden = "<!-- skills: allow(hidden-unicode) -->\nSafe.\u{202e}\n";
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", hidden)), ("csv/SKILL.md", &skill("csv", ""))]);
    place.write("source/csv/references/a.md", "tag: \u{e0041}\u{e0042}\n");
    for (name, path) in [("pdf", "SKILL.md"), ("csv", "references/a.md")] {
        let refused = place.add("../source", &[name]).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("`{path}` has characters that a person does not see")),
            "{refused}"
        );
    }
    assert!(place.files().is_empty());
}

// SPEC 21.4: levels in the settings of the source have no effect, since only the project's settings are read
#[test]
fn the_settings_of_a_source_do_not_count() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", "Safe.\u{202e}\n"))]);
    place.write("source/skills.toml", "[rules]\nhidden-unicode = \"allow\"\n");
    assert!(matches!(place.add("../source", &[]), Err(SourceError::Refused(_))));
}

// SPEC 21.4: a link out of the source is never read
#[test]
fn links_out_of_a_directory_are_refused() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
    place.write("secret/key.md", "secret");
    symlink(place.path("secret/key.md"), place.path("source/pdf/key.md")).unwrap();
    let refused = place.add("../source", &[]).unwrap_err().to_string();
    assert!(refused.contains("key.md"), "{refused}");
    assert!(place.files().is_empty());
}

// SPEC 21.4: a file name that leads out of the skill
#[test]
fn names_are_checked() {
    for name in ["../evil", "a/b", "..", "PDF"] {
        let place = Place::new(&[(
            "pdf/SKILL.md",
            &skill("pdf", "").replacen("name: pdf", &format!("name: {name}"), 1),
        )]);
        assert!(matches!(place.add("../source", &[]), Err(SourceError::Refused(_))), "{name}");
        assert!(place.files().is_empty() && !place.path("evil").exists(), "{name}");
    }
}

// SPEC 21.2: a link in the place of the skills does not lead out of the project
#[test]
fn the_target_stays_in_the_project() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
    fs::create_dir(place.path("outside")).unwrap();
    symlink(place.path("outside"), place.path("project/skills")).unwrap();
    assert!(place.add("../source", &[]).is_err());
    assert_eq!(fs::read_dir(place.path("outside")).unwrap().count(), 0);
    assert!(!place.path("project").join(LOCK_FILE).exists());
    fs::remove_file(place.path("project/skills")).unwrap();
    symlink(place.path("outside/lock"), place.path("project").join(LOCK_FILE)).unwrap();
    assert!(place.add("../source", &[]).is_err());
    assert_eq!(fs::read_dir(place.path("outside")).unwrap().count(), 0);
}

// SPEC 21.3: a lock file whose digests do not match the files is reported
#[test]
fn a_digest_that_does_not_fit_is_reported() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
    place.add("../source", &[]).unwrap();
    let path = place.path("project").join(LOCK_FILE);
    let text = fs::read_to_string(&path).unwrap();
    let (head, digest) = text.split_once("\"SKILL.md\" = \"").unwrap();
    let other = if digest.starts_with('0') { "1" } else { "0" };
    fs::write(&path, format!("{head}\"SKILL.md\" = \"{other}{}", &digest[1..])).unwrap();
    let lines = place.verify();
    assert_eq!(lines, ["skills/pdf: changed: SKILL.md", "`pdf`: ../source has changed: `skills update pdf`"]);
}

// SPEC 21.2, 21.6: the project's own settings exclude no file of a source, and files of a killed process are replaced
#[test]
fn a_skill_is_added_completely() {
    let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", "")), ("pdf/drafts/a.md", "A\n")]);
    place.write("project/skills.toml", "exclude = [\"drafts\"]\n");
    place.write("project/agent/.skills-tmp/pdf/SKILL.md", "half");
    let project = place.project();
    let options = skills_core::config::find(project.path(), None).options();
    assert_eq!(options.read.exclude, ["drafts"]);
    let source = skills_sources::Source::parse("../source").unwrap();
    let offer =
        skills_sources::check(&skills_sources::fetch(&source, &project, None).unwrap(), &options).unwrap();
    let state = project.state(Some("agent")).unwrap();
    let change = skills_sources::add(&[offer], &[], "agent", &state).unwrap();
    skills_sources::apply(&change, &project).unwrap();
    let names: Vec<String> = place.files().into_keys().collect();
    assert_eq!(names, ["agent/pdf/SKILL.md", "agent/pdf/drafts/a.md", "skills.toml"]);
}

// SPEC 21.4: a text in another encoding hides its characters from a check that reads UTF-8
#[test]
fn texts_in_other_encodings_are_refused() {
    let hidden = "Safe.\n\u{e0041}\u{e0042}\u{202e}\n";
    let units = || hidden.encode_utf16();
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    let wide: Vec<u8> = hidden.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    // Each surrogate as three bytes, as in CESU-8.
    let surrogates =
        |unit: u16| [0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 63) as u8, 0x80 | (unit & 63) as u8];
    let cesu: Vec<u8> =
        "\u{e0041}".encode_utf16().collect::<Vec<_>>().into_iter().flat_map(surrogates).collect();
    let texts: [(&str, Vec<u8>); 9] = [
        ("one byte that is not UTF-8", [hidden.as_bytes(), b"\xff"].concat()),
        ("bytes between the characters", b"\xf3\xa0\x81\x81\xff\xf3\xa0\x81\x82".to_vec()),
        ("UTF-16 LE", [b"\xff\xfe".as_slice(), &little].concat()),
        ("UTF-16 BE", [b"\xfe\xff".as_slice(), &big].concat()),
        ("UTF-16 without a mark", little),
        ("UTF-16 BE without a mark", big),
        ("UTF-32", [b"\xff\xfe\0\0".as_slice(), &wide].concat()),
        ("CESU-8", [b"Safe.".as_slice(), &cesu].concat()),
        ("GB 18030", b"Safe. \xd3\x36\x9c\x33".to_vec()),
    ];
    for (name, bytes) in texts {
        for path in ["references/a.md", "A.TXT", "assets/a.Json"] {
            let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
            place.write(&format!("source/pdf/{path}"), "");
            fs::write(place.path(&format!("source/pdf/{path}")), &bytes).unwrap();
            let refused = place.add("../source", &[]).map(drop).map_err(|error| error.to_string());
            let is_named =
                |text: &str| text.contains(&format!("`{path}`")) && text.contains("a person does not see");
            assert!(refused.as_ref().is_err_and(|text| is_named(text)), "{name}, {path}: {refused:?}");
        }
        // Other files are only reported, if the encoding is known.
        let place = Place::new(&[("pdf/SKILL.md", &skill("pdf", ""))]);
        place.write("source/pdf/data.bin", "");
        fs::write(place.path("source/pdf/data.bin"), &bytes).unwrap();
        let is_reported = place.offer("../source").unwrap().skills[0].hidden == ["data.bin"];
        let is_known = name.contains("byte") || (name.starts_with("UTF-16") && !name.contains("without"));
        assert_eq!(is_reported, is_known, "{name}");
        place.add("../source", &[]).unwrap();
    }
}
