//! `skills sign` and `skills verify`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test must fail where it cannot go on")]

use std::fs;

use crate::command::Place;

const SKILL: &str = "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\n---\n# PDF\n";

/// A directory of two skills, with a key beside it.
fn place() -> Place {
    let place = Place::new(&[
        ("skills/pdf/SKILL.md", SKILL),
        ("skills/pdf/scripts/run.sh", "#!/bin/sh\necho ran\n"),
        ("skills/csv/SKILL.md", "---\nname: csv\ndescription: Reads tables. Use for CSV.\n---\n# CSV\n"),
    ]);
    let keys = test_bed::Kind::P256;
    place.write("key.pem", keys.private());
    place.write("pub.pem", keys.public());
    place
}

// SPEC 14.1, 14.4
#[test]
fn one_skill_is_signed_and_verified() {
    let place = place();
    let unsigned = place.run(&["verify", "skills/pdf", "--key", "pub.pem"]);
    assert_eq!((unsigned.code, unsigned.out.as_str()), (1, ""));
    assert_eq!(unsigned.err, "error: skills/pdf: it is not signed: there is no skill.oms.sig\n");
    let signed = place.run(&["sign", "skills/pdf", "--key", "key.pem"]);
    assert_eq!((signed.code, signed.out.as_str()), (0, "skills/pdf/skill.oms.sig\n"), "{}", signed.err);
    let verified = place.run(&["verify", "skills/pdf", "--key", "pub.pem"]);
    assert_eq!(verified.out, "skills/pdf: 2 files match their signature\n");
    assert_eq!(verified.code, 0);
    // A signature is not a fault of a skill.
    assert_eq!(place.run(&["check", "skills"]).code, 0);

    fs::write(place.top.join("skills/pdf/scripts/run.sh"), "#!/bin/sh\necho Ran\n").unwrap();
    place.write("skills/pdf/\u{1b}[31m.md", "a name that must not reach the terminal");
    let refused = place.run(&["verify", "skills/pdf", "--key", "pub.pem"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("\nchanged: scripts/run.sh\nadded: "), "{}", refused.err);
    assert!(!refused.err.contains('\u{1b}'), "{}", refused.err);
    // A private key, a public key and an invalid key are distinguished.
    let wrong = place.run(&["verify", "skills/pdf", "--key", "key.pem"]);
    assert!(wrong.err.contains("key.pem: it is a private key"), "{}", wrong.err);
    assert_eq!(place.run(&["sign", "skills/pdf", "--key", "none.pem"]).code, 1);
    assert!(
        place
            .run(&["sign", "skills/pdf", "--key", "skills/pdf/SKILL.md"])
            .err
            .contains("does not contain a key in PEM")
    );
}

// SPEC 14.1, 14.4: an installation contains the signature of each skill
#[test]
fn installed_skills_are_verified() {
    let place = place();
    let signed = place.run(&["sign", "skills", "--each", "--key", "key.pem"]);
    assert_eq!(signed.out, "skills/csv/skill.oms.sig\nskills/pdf/skill.oms.sig\n", "{}", signed.err);
    assert_eq!(place.run(&["install", "--dir", "skills", "--agent", "claude"]).code, 0);
    for target in [".claude", ".claude/skills", "skills"] {
        let verified = place.run(&["verify", target, "--key", "pub.pem"]);
        assert_eq!((verified.code, verified.out.lines().count()), (0, 2), "{target}: {}", verified.err);
    }
    fs::remove_file(place.top.join(".claude/skills/pdf/scripts/run.sh")).unwrap();
    let refused = place.run(&["verify", ".claude", "--key", "pub.pem"]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(
        refused.err.ends_with("skills/pdf: it is not what was signed\nremoved: scripts/run.sh\n"),
        "{}",
        refused.err
    );
    // One unsigned skill refuses all.
    place.write(".claude/skills/more/SKILL.md", &SKILL.replace("pdf", "more"));
    let refused = place.run(&["verify", ".claude", "--key", "pub.pem"]);
    assert!(refused.err.contains("more: it is not signed"), "{}", refused.err);
    // A directory is signed as a whole, too: then a skill more is a file more.
    assert_eq!(place.run(&["sign", "skills", "--key", "key.pem"]).code, 0);
    place.write("skills/more/SKILL.md", &SKILL.replace("pdf", "more"));
    let refused = place.run(&["verify", "skills", "--key", "pub.pem"]);
    assert!(refused.err.ends_with("added: more/SKILL.md\n"), "{}", refused.err);
}
