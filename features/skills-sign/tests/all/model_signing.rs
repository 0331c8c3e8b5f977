//! Tests interoperability with the PyPI package `model-signing`: each side verifies the signatures of the
//! other.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test must fail where it cannot go on")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::fixture::Fixture;
use skills_sign::{Refused, UnfitReason, verify, verify_with};
use test_bed::Kind;

/// Returns the program, which is installed once in its own Python environment.
fn model_signing() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(installed).clone()
}

fn installed() -> PathBuf {
    test_bed::need("python3");
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model-signing");
    let program = environment.join("bin/model_signing");
    if Command::new(&program).arg("--version").output().is_ok_and(|ran| ran.status.success()) {
        return program;
    }
    let made = Command::new("python3").args(["-m", "venv"]).arg(&environment).output().unwrap();
    assert!(made.status.success(), "{}", printed(&made));
    // Some versions of the package do not declare their dependency on OpenSSL's module.
    let packages = ["install", "--quiet", "model-signing", "pyOpenSSL"];
    let made = Command::new(environment.join("bin/pip")).args(packages).output().unwrap();
    assert!(made.status.success(), "{}", printed(&made));
    program
}

fn run(program: &Path, fixture: &Fixture, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(fixture.top.path()).output().unwrap()
}

fn printed(ran: &Output) -> String {
    String::from_utf8_lossy(&[ran.stdout.as_slice(), &ran.stderr].concat()).into_owned()
}

// SPEC 14.2, 14.5
#[test]
#[ignore = "needs python3 and pip"]
fn the_reference_verifies_our_signatures() {
    let program = model_signing();
    let verify = ["verify", "key", "pdf", "--signature", "pdf/skill.oms.sig", "--public_key", "key.pub.pem"];
    for kind in [Kind::P256, Kind::P256Sec1] {
        let fixture = Fixture::new();
        let (private, _) = fixture.keys("key", kind);
        for count in 0..2 {
            fixture.write("count", &count.to_string());
            fixture.sign(&private);
            let ran = run(&program, &fixture, &verify);
            assert!(ran.status.success(), "{}", printed(&ran));
        }
        fixture.write("count", "changed");
        let ran = run(&program, &fixture, &verify);
        assert!(!ran.status.success() && printed(&ran).contains("Hash mismatch for"), "{}", printed(&ran));
        fixture.sign(&private);
        fixture.write("added", "");
        let ran = run(&program, &fixture, &verify);
        assert!(!ran.status.success() && printed(&ran).contains("Extra files"), "{}", printed(&ran));
    }
}

// SPEC 14.5
#[test]
#[ignore = "needs python3 and pip"]
fn signatures_of_the_reference_are_verified() {
    let program = model_signing();
    for kind in [Kind::P256, Kind::P256Sec1] {
        let fixture = Fixture::new();
        let (_, public) = fixture.keys("key", kind);
        fixture.write(".gitignore", "of the repository");
        let sign = ["sign", "key", "pdf", "--signature", "pdf/skill.oms.sig", "--private_key", "key.pem"];
        let ran = run(&program, &fixture, &sign);
        assert!(ran.status.success(), "{}", printed(&ran));
        let signed = verify(&fixture.skill(), &public).unwrap();
        assert_eq!(signed.contents().len(), crate::fixture::FILES.len());
        let text = fs::read_to_string(fixture.at("SKILL.md")).unwrap();
        fixture.write("SKILL.md", &text.replace("Reads", "Reeds"));
        let refused = verify(&fixture.skill(), &public).unwrap_err();
        assert_eq!(refused.to_string(), "it is not what was signed\nchanged: SKILL.md");
        fixture.write("SKILL.md", &text);

        // With ignored files, and with a signature elsewhere.
        fs::remove_file(fixture.signature()).unwrap();
        fixture.write("notes/draft", "not covered");
        let ran = run(
            &program,
            &fixture,
            &[
                "sign",
                "key",
                "pdf",
                "--signature",
                "out.sig",
                "--ignore-paths",
                "pdf/notes",
                "--private_key",
                "key.pem",
            ],
        );
        assert!(ran.status.success(), "{}", printed(&ran));
        fixture.write("notes/draft", "changed");
        let elsewhere = fixture.path("out.sig");
        let signed = verify_with(&fixture.skill(), &elsewhere, &public).unwrap();
        assert!(signed.ignored().contains(&"notes".to_owned()), "{:?}", signed.ignored());
        fs::remove_dir_all(fixture.at("notes")).unwrap();

        // With followed links: the link must lead to a file of the directory.
        std::os::unix::fs::symlink("scripts.txt", fixture.at("link")).unwrap();
        let ran = run(
            &program,
            &fixture,
            &["sign", "key", "pdf", "--signature", "out.sig", "--allow_symlinks", "--private_key", "key.pem"],
        );
        assert!(ran.status.success(), "{}", printed(&ran));
        verify_with(&fixture.skill(), &elsewhere, &public).unwrap();
        fs::write(fixture.path("same"), fs::read(fixture.at("scripts.txt")).unwrap()).unwrap();
        fs::remove_file(fixture.at("link")).unwrap();
        std::os::unix::fs::symlink("../same", fixture.at("link")).unwrap();
        match verify_with(&fixture.skill(), &elsewhere, &public) {
            Err(Refused::Unfit(unfit)) => assert!(matches!(unfit.reason, UnfitReason::LinkAway), "{unfit}"),
            other => panic!("{other:?}"),
        }
    }
}

// SPEC 14.5: an unsupported form is named in the error, and never accepted
#[test]
#[ignore = "needs python3 and pip"]
fn other_digests_of_the_reference_are_refused() {
    let program = model_signing();
    let fixture = Fixture::new();
    let (_, public) = fixture.keys("key", Kind::P256);
    let script = "import sys, model_signing as m\n\
        hashing = m.hashing.Config()\n\
        how = hashing.use_shard_serialization(shard_size=8) if sys.argv[1] == 'shards' else \
        hashing.use_file_serialization(hashing_algorithm=sys.argv[1])\n\
        m.signing.Config().use_elliptic_key_signer(private_key='key.pem').set_hashing_config(how).sign('pdf', 'out.sig')\n";
    let python = program.with_file_name("python");
    for (how, expected) in [("shards", "`shards`"), ("blake3", "`blake3`")] {
        let ran =
            Command::new(&python).args(["-c", script, how]).current_dir(fixture.top.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let refused = verify_with(&fixture.skill(), &fixture.path("out.sig"), &public).unwrap_err();
        assert!(matches!(&refused, Refused::Form(text) if text.contains(expected)), "{refused}");
    }
}
