//! Tests that skills that need a signature are loaded and installed only with the signed files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test without its files must fail")]

use std::fs;
use std::path::{Path, PathBuf};

use skills_call::Runner;
use skills_exec::{ExecOptions, NotRun};
use skills_install::{InstallError, InstallOptions, install};
use skills_load::{Layers, LayersBuilder};
use skills_runtime::Registry;
use skills_sign::{PrivateKey, PublicKey, SIGNATURE_FILE, sign};

use crate::support::Scratch;

struct Fixture {
    top: Scratch,
    private: PrivateKey,
    public: PublicKey,
}

impl Fixture {
    fn new() -> Self {
        let private = PrivateKey::from_pem(test_bed::Kind::Ed25519.private()).unwrap();
        let fixture = Self { top: Scratch::new(), public: private.public(), private };
        for name in ["dig", "fill"] {
            fixture.write(
                &format!("skills/{name}/SKILL.md"),
                &format!("---\nname: {name}\ndescription: Does it.\nexec: run.sh\n---\n"),
            );
            fixture.write(&format!("skills/{name}/run.sh"), "#!/bin/sh\necho ran\n");
        }
        fixture
    }

    fn write(&self, path: &str, text: &str) {
        self.top.file(path, text, if text.starts_with("#!") { 0o755 } else { 0o644 });
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    fn sign(&self, directory: &str) {
        let directory = self.at(directory);
        fs::write(directory.join(SIGNATURE_FILE), sign(&directory, &self.private).unwrap()).unwrap();
    }

    fn load(&self) -> Layers {
        let skills = LayersBuilder::new().directory(self.at("skills"));
        skills.require_signature(self.public.clone()).load().unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.load().iter().map(|skill| skill.name().to_owned()).collect()
    }
}

fn run(runner: &Runner, name: &str) -> Result<String, NotRun> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    Ok(runtime.block_on(runner.exec(name, "", ExecOptions::default()))?.stdout)
}

// SPEC 14.6
#[test]
fn unsigned_skills_do_nothing() {
    let fixture = Fixture::new();
    assert!(fixture.names().is_empty());
    fixture.sign("skills/dig");
    let layers = fixture.load();
    assert_eq!(fixture.names(), ["dig"]);
    let refused = layers.problems().iter().find(|problem| problem.code == "signature-refused").unwrap();
    assert_eq!(refused.title, "`fill` is refused: it is not signed: there is no skill.oms.sig");
    let runner = Runner::from(layers);
    assert_eq!(run(&runner, "dig").unwrap(), "ran\n");
    let message = run(&runner, "fill").unwrap_err().to_string();
    assert!(message.starts_with("not_trusted: skill \"fill\" is refused, at "), "{message}");

    // The signature is checked again before a run, and when the skill is read again.
    fixture.write("skills/dig/run.sh", "#!/bin/sh\necho other\n");
    let message = run(&runner, "dig").unwrap_err().to_string();
    assert!(message.ends_with("it is not what was signed\nchanged: run.sh"), "{message}");
    assert!(fixture.names().is_empty());
    fixture.write("skills/dig/run.sh", "#!/bin/sh\necho ran\n");
    fixture.write("skills/dig/.hidden", "");
    assert!(fixture.names().is_empty(), "a hidden file counts");
    fs::remove_file(fixture.at("skills/dig/.hidden")).unwrap();
    assert_eq!(fixture.names(), ["dig"]);
    // The directory is signed as a whole.
    fs::remove_file(fixture.at("skills/dig/skill.oms.sig")).unwrap();
    fixture.sign("skills");
    assert_eq!(fixture.names(), ["dig", "fill"]);
    fixture.write("skills/more/SKILL.md", "---\nname: more\ndescription: Not signed.\n---\n");
    assert!(fixture.names().is_empty(), "one file more is another directory");
    // The signature of one skill is not valid for another.
    fs::remove_file(fixture.at("skills/skill.oms.sig")).unwrap();
    fixture.sign("skills/dig");
    fs::copy(fixture.at("skills/dig/skill.oms.sig"), fixture.at("skills/fill/skill.oms.sig")).unwrap();
    assert_eq!(fixture.names(), ["dig"]);
    // Another key.
    let other = PublicKey::from_pem(
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
         -----END PUBLIC KEY-----\n",
    );
    let builder = LayersBuilder::new().directory(fixture.at("skills")).require_signature(other.unwrap());
    assert!(builder.load().unwrap().is_empty());
}

// SPEC 14.6: a signature is required in addition to trust
#[test]
fn a_signature_does_not_replace_trust() {
    let fixture = Fixture::new();
    fixture.sign("skills/dig");
    for (trusts, count) in [(false, 0), (true, 1)] {
        let builder = LayersBuilder::new().workspace_directory(fixture.at("skills")).trust(move |_| trusts);
        let layers = builder.require_signature(fixture.public.clone()).load().unwrap();
        assert_eq!(layers.len(), count);
    }
}

// SPEC 14.6
#[test]
fn unsigned_skills_are_not_installed() {
    let fixture = Fixture::new();
    let target = fixture.at("target");
    // The bytes of the registry are installed, whatever its source.
    let registry = |root: &Path| {
        let loaded = skills_core::load(root, "skills", &skills_core::options::Options::default());
        assert_eq!(loaded.report.errors(), 0);
        Registry::new(skills_core::lower::tables(&loaded.catalog, 8_000).unwrap())
    };
    let options = || InstallOptions::new("mine").require_signature(fixture.public.clone());
    fixture.sign("skills/dig");
    match install(&registry(&fixture.at("skills")), &target, &options()) {
        Err(InstallError::Unsigned { skill, reason }) => {
            assert_eq!(
                (skill.as_str(), reason.as_str()),
                ("fill", "it is not signed: there is no skill.oms.sig")
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(!target.exists());
    install(&registry(&fixture.at("skills")), &target, &options().names(["dig"])).unwrap();
    assert!(target.join("skills/dig/skill.oms.sig").exists() && !target.join("skills/fill").exists());
    fixture.write("skills/dig/run.sh", "#!/bin/sh\necho other\n");
    let refused = install(&registry(&fixture.at("skills")), &target, &options().names(["dig"])).unwrap_err();
    assert_eq!(refused.to_string(), "`dig` is not installed: it is not what was signed\nchanged: run.sh");
    fs::remove_file(fixture.at("skills/dig/run.sh")).unwrap();
    fixture.write("skills/dig/SKILL.md", "---\nname: dig\ndescription: Does it.\n---\n");
    let refused = install(&registry(&fixture.at("skills")), &target, &options().names(["dig"])).unwrap_err();
    assert!(refused.to_string().ends_with("\nchanged: SKILL.md\nremoved: run.sh"), "{refused}");
}
