//! Tests that a trusted or signed program runs exactly the checked files, even if files are exchanged meanwhile.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use skills_call::Runner;
use skills_exec::cache::Cache;
use skills_exec::{ExecOptions, Execution, Executor, Job, NotRun, Outcome, Processes};
use skills_load::trust::TrustStore;
use skills_load::{Layers, LayersBuilder};
use skills_sign::{PrivateKey, SIGNATURE_FILE, sign};

use crate::support::Scratch;

/// The directory of skills, in the fixture.
const SKILLS: &str = "repo/.claude/skills";
const DOCUMENT: &str = "---\nname: dig\ndescription: Digs. Use to dig.\nexec: bin/run\n---\nDig.\n";
/// Runs a file beside it, one above it, one of the directory of skills, and one behind a link.
const RUN: &str = "#!/bin/sh
here=$(dirname \"$0\")
. \"$here/lib.sh\"; . \"$here/../data/lib.sh\"; . \"$SKILL_PATH/../shared/lib.sh\"; . \"$SKILL_PATH/link.sh\"
echo \"good $SKILL_PATH\"
";
/// The files that the program runs, below the directory of skills.
const FILES: [&str; 4] = ["dig/bin/run", "dig/bin/lib.sh", "dig/data/lib.sh", "shared/lib.sh"];

struct Fixture {
    top: Scratch,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Self { top: Scratch::new() };
        fixture.write("dig/SKILL.md", DOCUMENT);
        for file in FILES {
            fixture.write(file, if file.ends_with("run") { RUN } else { "echo good\n" });
        }
        fixture.write("other/SKILL.md", &DOCUMENT.replace("name: dig", "name: other"));
        fixture.write("other/bin/run", RUN);
        symlink("data/lib.sh", fixture.skills().join("dig/link.sh")).unwrap();
        fixture
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    fn skills(&self) -> PathBuf {
        self.at(SKILLS)
    }

    fn write(&self, path: &str, text: &str) {
        self.top.file(&format!("{SKILLS}/{path}"), text, 0o755);
    }

    fn trusted(&self) -> Layers {
        let file = self.at("config/trust.json");
        TrustStore::read(&file).trust(&self.at("repo")).unwrap();
        LayersBuilder::new().agent(Some(&self.at("home")), &self.at("repo")).trust_file(file).load().unwrap()
    }

    /// Signs `below` the directory of skills.
    fn signed(&self, below: &str) -> Layers {
        fs::remove_file(self.skills().join("dig/link.sh")).unwrap();
        fs::copy(self.skills().join("dig/data/lib.sh"), self.skills().join("dig/link.sh")).unwrap();
        let key = PrivateKey::from_pem(test_bed::Kind::Ed25519.private()).unwrap();
        let directory = self.skills().join(below);
        fs::write(directory.join(SIGNATURE_FILE), sign(&directory, &key).unwrap()).unwrap();
        LayersBuilder::new().directory(self.skills()).require_signature(key.public()).load().unwrap()
    }

    fn cache(&self) -> Cache {
        Cache::new(Some(self.at("cache")), self.at("cache"))
    }

    fn runner(&self, layers: Layers) -> Runner {
        Runner::from(layers).cache(self.cache())
    }
}

/// Exchanges files between the check and the start of the program.
struct Late {
    inner: Processes,
    skills: PathBuf,
}

impl Executor for Late {
    fn start(&self, job: Job) -> Execution {
        FILES.iter().for_each(|file| fs::write(self.skills.join(file), "#!/bin/sh\necho evil\n").unwrap());
        self.inner.start(job)
    }
}

fn run(runner: &Runner) -> Result<Outcome, NotRun> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(runner.exec("dig", "", ExecOptions::default()))
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

// SPEC 14.12: the program, files beside it, files of the trusted directory, and files behind links
#[test]
fn files_that_change_after_the_check_are_not_run() {
    type Case = (&'static str, fn(&Fixture) -> Layers);
    let cases: [Case; 3] = [
        ("trusted", Fixture::trusted),
        ("signed with the directory of skills", |fixture| fixture.signed("")),
        ("trusted and signed", |fixture| {
            fs::remove_dir_all(fixture.skills().join("other")).unwrap();
            drop(fixture.signed(""));
            let file = fixture.at("config/trust.json");
            TrustStore::read(&file).trust(&fixture.at("repo")).unwrap();
            let key = PrivateKey::from_pem(test_bed::Kind::Ed25519.private()).unwrap().public();
            let builder = LayersBuilder::new().agent(Some(&fixture.at("home")), &fixture.at("repo"));
            builder.trust_file(file).require_signature(key).load().unwrap()
        }),
    ];
    for (name, load) in cases {
        let fixture = Fixture::new();
        let runner = fixture.runner(load(&fixture));
        let runner =
            runner.executor(Late { inner: Processes::new(fixture.cache()), skills: fixture.skills() });
        let outcome = run(&runner).unwrap();
        let copy = outcome
            .stdout
            .strip_prefix("good\ngood\ngood\ngood\ngood ")
            .unwrap_or_else(|| panic!("{name}: {outcome:?}"));
        assert!(!copy.starts_with(fixture.at("repo").to_str().unwrap()), "{name}: {copy}");
        assert!(is_empty(&fixture.at("cache")), "{name}: the copy is removed");
        assert!(matches!(run(&runner), Err(NotRun::NotTrusted(_))), "{name}: they have changed");
        assert!(is_empty(&fixture.at("cache")), "{name}");
    }
}

// SPEC 14.12: a skill with its own signature
#[test]
fn a_skill_with_its_own_signature_runs_as_it_was_signed() {
    let fixture = Fixture::new();
    fixture.write("dig/bin/run", "#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\n");
    let runner = fixture.runner(fixture.signed("dig"));
    let runner = runner.executor(Late { inner: Processes::new(fixture.cache()), skills: fixture.skills() });
    assert_eq!(run(&runner).unwrap().stdout, "good\n");
    assert!(matches!(run(&runner), Err(NotRun::NotTrusted(_))));
}

// SPEC 14.12: links keep their meaning, and other skills are not copied
#[test]
fn the_copy_is_complete() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.at("elsewhere")).unwrap();
    fs::write(fixture.at("elsewhere/file"), "outside\n").unwrap();
    symlink("../../../../elsewhere/file", fixture.skills().join("dig/relative")).unwrap();
    symlink(fixture.at("elsewhere/file"), fixture.skills().join("dig/absolute")).unwrap();
    symlink(fixture.skills().join("dig/data"), fixture.skills().join("dig/inside")).unwrap();
    let script = "#!/bin/sh
cd \"$SKILL_PATH\" || exit 1
cat relative absolute
readlink inside | grep -q \"^$SKILL_PATH\" && echo inside
test -e ../other || echo alone
test -x bin/lib.sh && test ! -x plain && echo modes
echo more >plain && echo writable
";
    fixture.write("dig/bin/run", script);
    fs::write(fixture.skills().join("dig/plain"), "plain\n").unwrap();
    let runner = fixture.runner(fixture.trusted());
    let outside = "outside\noutside\ninside\nalone\nmodes\nwritable\n";
    for _ in 0..2 {
        let outcome = run(&runner).unwrap();
        assert_eq!(outcome.stdout, outside, "{outcome:?}");
    }
    assert_eq!(fs::read_to_string(fixture.skills().join("dig/plain")).unwrap(), "plain\n");
}

// SPEC 14.12: files and directories are exchanged at random moments
#[test]
fn files_exchanged_during_a_start_are_not_run() {
    let runs = test_bed::rounds(20);
    let fixture = Fixture::new();
    let runner = fixture.runner(fixture.trusted());
    let evil = fixture.at("evil");
    fs::create_dir_all(evil.join("bin")).unwrap();
    for file in ["bin/run", "bin/lib.sh"] {
        fs::write(evil.join(file), "#!/bin/sh\necho evil\n").unwrap();
        fs::set_permissions(evil.join(file), fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::copy(fixture.skills().join("dig/SKILL.md"), evil.join("SKILL.md")).unwrap();
    symlink(&evil, fixture.at("link")).unwrap();
    let stop = AtomicBool::new(false);
    let exchange = || {
        let place = fixture.skills().join("dig");
        let (away, link, file) = (fixture.at("away"), fixture.at("link"), place.join("bin/run"));
        let mut pause = 0;
        while !stop.load(Ordering::Relaxed) {
            pause = (pause + 37) % 900;
            std::thread::sleep(std::time::Duration::from_micros(pause));
            // A later round undoes each step that fails.
            let _: Result<(), std::io::Error> = match pause % 2 {
                0 => fs::rename(&place, &away)
                    .and_then(|()| fs::rename(&link, &place))
                    .and_then(|()| fs::rename(&place, &link))
                    .and_then(|()| fs::rename(&away, &place)),
                _ => fs::rename(&file, fixture.at("kept"))
                    .and_then(|()| fs::copy(evil.join("bin/run"), &file).map(drop))
                    .and_then(|()| fs::rename(fixture.at("kept"), &file)),
            };
        }
    };
    let (mut good, mut evil) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(exchange);
        for at in 0.. {
            // On a busy machine the directory may be away at each of a few starts.
            if at >= runs && (good > 0 || at == 1_000) {
                break;
            }
            if let Ok(outcome) = run(&runner) {
                good += usize::from(outcome.stdout.contains("good /"));
                evil += usize::from(outcome.stdout.contains("evil"));
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(evil, 0, "{good} others ran");
    assert!(good > 0, "none ran");
}

// SPEC 14.21: a directory that follows edits is compared again right before its program runs
#[test]
fn an_exchanged_directory_is_not_run() {
    let fixture = Fixture::new();
    let file = fixture.at("config/trust.json");
    TrustStore::read(&file).follow(&fixture.at("repo")).unwrap();
    let layers = LayersBuilder::new().agent(Some(&fixture.at("home")), &fixture.at("repo")).trust_file(file);
    let runner = fixture.runner(layers.load().unwrap());
    fixture.write("dig/data/lib.sh", "echo better\n");
    assert!(run(&runner).unwrap().stdout.contains("better"), "edits are followed");
    fs::rename(fixture.skills(), fixture.at("aside")).unwrap();
    fixture.write("dig/SKILL.md", DOCUMENT);
    fixture.write("dig/bin/run", "#!/bin/sh\necho evil\n");
    let refused = run(&runner).unwrap_err().to_string();
    assert!(refused.contains("it was replaced by another directory"), "{refused}");
    fs::remove_dir_all(fixture.skills()).unwrap();
    fs::rename(fixture.at("aside"), fixture.skills()).unwrap();
    assert!(run(&runner).unwrap().stdout.contains("better"));
    symlink("/etc/passwd", fixture.skills().join("other/link")).unwrap();
    let refused = run(&runner).unwrap_err().to_string();
    assert!(refused.contains("leads out of the directory"), "{refused}");
}

// SPEC 14.21: a link of a workspace to the skills of the user is exchanged, after the skills were read and meanwhile
#[test]
fn an_exchanged_link_is_resolved_once() {
    let fixture = Fixture::new();
    let file = fixture.at("config/trust.json");
    TrustStore::read(&file).follow(&fixture.at("repo")).unwrap();
    let (evil, workspace) = (fixture.at("evil"), fixture.at("other/.agents"));
    let link = workspace.join("skills");
    fs::create_dir_all(evil.join("dig/bin")).unwrap();
    fs::write(evil.join("dig/SKILL.md"), DOCUMENT.replace("description: ", "description: Evil. ")).unwrap();
    fs::write(evil.join("dig/bin/run"), "#!/bin/sh\necho evil\n").unwrap();
    fs::set_permissions(evil.join("dig/bin/run"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(&workspace).unwrap();
    let load = || {
        let layers = LayersBuilder::new().agent(Some(&fixture.at("home")), &fixture.at("other"));
        layers.trust_file(file.clone()).load().unwrap()
    };
    symlink(fixture.skills(), &link).unwrap();
    let runner = fixture.runner(load());
    let better = run(&runner).unwrap().stdout;
    assert!(better.contains("good"), "{better}");
    fs::remove_file(&link).unwrap();
    symlink(&evil, &link).unwrap();
    assert_eq!(run(&runner).unwrap().stdout, better, "the files that were read run");
    let stop = AtomicBool::new(false);
    let exchange = || {
        let next = workspace.join("next");
        for at in 0.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            symlink(if at % 2 == 0 { fixture.skills() } else { evil.clone() }, &next).unwrap();
            fs::rename(&next, &link).unwrap();
        }
    };
    let (rounds, mut failed) = (test_bed::rounds(60), 0);
    std::thread::scope(|scope| {
        scope.spawn(exchange);
        for _ in 0..rounds {
            let layers = load();
            let is_shown = layers.get("dig").is_some_and(|skill| skill.description().starts_with("Evil."));
            let printed = run(&fixture.runner(layers)).map(|outcome| outcome.stdout).unwrap_or_default();
            failed += usize::from(is_shown || printed.contains("evil"));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(failed, 0, "of {rounds}");
}
